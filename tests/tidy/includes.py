#!/usr/bin/python3
"""Holds every #include under server/ and client-sample/ against the table of who may use what.

Link lists do not catch a <uv.h> in the wrong module: the header is there for all. usage: includes.py ROOT
"""

import pathlib
import re
import sys

# module: (directory, modules it may include from besides itself, libraries it may include)
MODULES = {
    "base": ("server/base", set(), {"xxhash", "threads"}),
    "sim": ("server/sim", {"base"}, set()),
    "yaml": ("server/yaml", {"base"}, {"yaml"}),
    "wire": ("server/wire", {"base", "sim", "proto"}, {"protobuf-c"}),
    "net": ("server/net", {"base"}, {"uv", "sockets"}),
    "app": ("server/app", {"base", "sim", "yaml", "wire", "net", "proto"}, {"uv", "protobuf-c", "threads", "sockets"}),
    "lib": ("client-sample/lib", {"base", "proto"}, {"protobuf-c", "sockets"}),
    "ctl": ("client-sample/ctl", {"base", "proto", "lib", "yaml"}, {"protobuf-c"}),
}

# What a module shows of itself: others include nothing else of it.
FACES = {"sim": "sim/steer.h"}

# Written as somebody else's programs, against what is installed.
OUTSIDE = ["server/sim/example/"]

# Where a quoted include is looked for, after the file's own directory, as the compiler does.
SEARCH = ["server", "client-sample/lib", "client-sample/ctl"]

LIBRARIES = {
    "uv": r"uv\.h",
    "yaml": r"yaml\.h",
    "xxhash": r"xxhash\.h",
    "protobuf-c": r"protobuf-c/.*\.h",
    "threads": r"(pthread|sched|threads|semaphore)\.h",
    "sockets": r"(sys/socket|sys/un|netinet/\w+|arpa/inet|netdb)\.h",
}

# The rest of the C library that everybody may use; a new header is added here knowingly.
LIBC = re.compile(
    r"(assert|ctype|errno|fcntl|float|getopt|inttypes|langinfo|limits|locale|math|poll|signal|stdalign|stdarg|stdatomic|stdbool|"
    r"stddef|stdint|stdio|stdlib|string|strings|termios|time|unistd|sys/(eventfd|ioctl|random|resource|stat|time|timerfd|"
    r"types|uio|wait))\.h"
)

INCLUDE = re.compile(r'\s*#\s*include\s*([<"])([^>"]+)[>"]')


def module_of(path):
    """The module that a path inside the repository belongs to, or None."""
    for name, (directory, _, _) in MODULES.items():
        if path.startswith(directory + "/"):
            return name
    return None


def resolve(root, file, included):
    """The module of a quoted include, or None when it is found nowhere."""
    if included.startswith("steerd/v1/"):
        return "proto"
    for directory in [file.parent.relative_to(root).as_posix()] + SEARCH:
        if (root / directory / included).is_file():
            return module_of(pathlib.PurePosixPath(directory, included).as_posix())
    return None


def complaint(root, file, module, quote, included):
    """What is wrong with one include, or None."""
    _, modules, libraries = MODULES[module]
    for library, pattern in LIBRARIES.items():
        if re.fullmatch(pattern, included):
            return None if library in libraries else f"{module} does not use {library}"
    if quote == "<" and LIBC.fullmatch(included):
        return None
    other = resolve(root, file, included)
    if other is None:
        return "it is in no table and no module (tests/tidy/includes.py)"
    if other != module and other not in modules:
        return f"{module} does not use {other}"
    if other != module and included != FACES.get(other, included):
        return f"of {other} only {FACES[other]} is for others"
    return None


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    wrong = 0
    seen = 0
    for module, (directory, _, _) in MODULES.items():
        for file in sorted((root / directory).rglob("*")):
            outside = file.relative_to(root).as_posix().startswith(tuple(OUTSIDE))
            if outside or file.suffix not in (".c", ".h", ".def"):
                continue
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                match = INCLUDE.match(line)
                if match is None:
                    continue
                seen += 1
                words = complaint(root, file, module, match.group(1), match.group(2))
                if words is not None:
                    print(f"{file.relative_to(root)}:{number}: {match.group(2)}: {words}")
                    wrong += 1
    print(f"{seen} includes, {wrong} against the table")
    return 0 if wrong == 0 and seen > 0 else 1


sys.exit(main())
