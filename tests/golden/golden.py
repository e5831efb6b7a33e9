#!/usr/bin/python3
"""Every scene of digests.txt ends in the digest that stands there, whatever built the program and however many threads run it.

usage: golden.py native STEERD | golden.py aarch64 | golden.py native STEERD --update | golden.py show
ctest keeps what a test that passed says to itself: show, which it runs at its end (CMakeLists.txt), prints it once.
Exit code 77: what is needed is not installed.
"""

import concurrent.futures
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILDS = ROOT / "build" / "golden"
TABLE = HERE / "digests.txt"
LIBRARIES = BUILDS / "arm64"  # what script/bootstrap --tests laid there
THREADS = (1, 2, 3, 8)
CORES = len(os.sched_getaffinity(0))
EMULATOR = "qemu-aarch64-static"
CROSS = "aarch64-linux-gnu-gcc"


class Build:
    """One way to build the program. A slow one runs each scene's shortest line only."""

    def __init__(self, name, compiler, flags, slow=False, cross=False):
        self.name = name
        self.compiler = compiler
        self.flags = flags
        self.slow = slow
        self.cross = cross
        self.directory = BUILDS / re.sub(r"[^a-zA-Z0-9]+", "-", name)
        self.program = [str(self.directory / "bin" / "golden")]
        if cross:
            self.program.insert(0, EMULATOR)

    def make(self):
        """Configures and builds; nothing to do costs a second. Returns the output when it failed, else None."""
        options = [f"-DCMAKE_C_COMPILER={self.compiler}", f"-DCMAKE_C_FLAGS={self.flags}", "-DSTEERD_GOLDEN=ON"]
        environment = dict(os.environ)
        environment.pop("CFLAGS", None)
        if self.cross:
            options += ["-DCMAKE_SYSTEM_NAME=Linux", "-DCMAKE_SYSTEM_PROCESSOR=aarch64", "-DCMAKE_EXE_LINKER_FLAGS=-static"]
            environment["PKG_CONFIG_LIBDIR"] = str(LIBRARIES / "usr/lib/aarch64-linux-gnu/pkgconfig")
            environment["PKG_CONFIG_SYSROOT_DIR"] = str(LIBRARIES)
        configure = ["cmake", "-S", str(ROOT), "-B", str(self.directory), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=None", *options]
        for command in (configure, ["cmake", "--build", str(self.directory), "-j", "1"]):
            done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            if done.returncode != 0:
                return f"{self.name}: {shlex.join(command)}\n{done.stdout[-3000:]}"
        return None


def native_builds(steerd):
    """The build under test first, then those that the promise names, then instruction sets and undefined behaviour.
    Without clang, what gcc builds: script/test without --quick installs it."""
    built = Build("steerd", None, None)
    built.program = [steerd, "simulate"]
    compilers = [cc for cc in ("gcc", "clang") if shutil.which(cc)]
    builds = [Build(f"{cc} {level}", cc, level) for cc in compilers for level in ("-O0", "-O2", "-O3")]
    # Whatever this machine has beyond SSE2; with fused multiply-add a contraction would show.
    builds += [Build(f"{cc} -O3 -march=native", cc, "-O3 -march=native", slow=True) for cc in compilers]
    undefined = "-O1 -fsanitize=undefined,float-cast-overflow -fno-sanitize-recover=all"
    builds.append(Build("gcc -O1 UBSan", "gcc", undefined, slow=True))
    return [built], builds


def aarch64_builds():
    """-O3 vectorises with NEON and, unlike plain x86-64, has fused multiply-add."""
    return [], [Build(f"aarch64 gcc {level}", CROSS, level, slow=True, cross=True) for level in ("-O0", "-O2", "-O3")]


def read_table():
    """[(scene, ticks, digest)] in the order of the file."""
    rows = []
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            scene, ticks, digest = line.split()
            rows.append((scene, int(ticks), digest))
    return rows


def scene_file(scene):
    """Of tests/scenarios, or one that is here for its digest alone."""
    own = HERE / f"{scene}.yaml"
    return str(own if own.exists() else ROOT / "tests" / "scenarios" / f"{scene}.yaml")


def run(build, threads, row):
    """The digest that comes out, or what went wrong instead."""
    command = [*build.program, scene_file(row[0]), "--ticks", str(row[1]), "--threads", str(threads)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    found = re.search(r"state digest +([0-9a-f]{16})", done.stdout)
    if done.returncode != 0 or not found:
        return f"exit code {done.returncode}: {done.stdout.strip()[-400:]}"
    return found.group(1)


def run_all(builds, rows):
    """{(row, build, threads): digest}; long runs are started first, so that no core waits for the last."""
    shortest = {}
    for row in rows:
        shortest[row[0]] = min(row[1], shortest.get(row[0], row[1]))
    keys = [(row, build, threads) for row in rows for build in builds for threads in THREADS
            if not build.slow or row[1] == shortest[row[0]]]
    keys.sort(key=lambda key: (key[0][0] != "crowd-10k", "-O0" not in key[1].name, -key[0][1]))
    with concurrent.futures.ThreadPoolExecutor(CORES) as pool:
        return dict(zip(keys, pool.map(lambda key: run(key[1], key[2], key[0]), keys)))


def show():
    """Prints and forgets the reports of runs that passed."""
    for path in sorted(BUILDS.glob("*.report")):
        print(path.read_text(encoding="utf-8"), end="")
        path.unlink()


def report(rows, builds, results, update):
    """One line a scene, and one for each difference. Returns the lines and whether all agreed."""
    lines = []
    agreed = True
    table = []
    for row in rows:
        mine = {key: result for key, result in results.items() if key[0] == row}
        if not mine:
            continue  # all of them are slow, and this is not the shortest line
        expected = row[2]
        if update:
            expected = next(iter(mine.values()))
            table.append(f"{row[0]} {row[1]} {expected}")
        names = [build.name for build in builds if any(key[1] is build for key in mine)]
        bad = {build.name for (_, build, _), result in mine.items() if result != expected}
        good = ", ".join(name for name in names if name not in bad) or "NOBODY"
        lines.append(f"{row[0]:<16} {row[1]:>5} ticks  {expected}  x {','.join(map(str, THREADS))} threads: {good}")
        for (_, build, threads), result in mine.items():
            if result != expected:
                lines.append(
                    f"  DIFFERENT  {build.name}, {threads} threads, {row[0]}, {row[1]} ticks: expected {expected}, got {result}"
                )
                agreed = False
    if update and agreed:
        head = [line for line in TABLE.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
        TABLE.write_text("\n".join(head + table) + "\n", encoding="utf-8")
        lines.append(f"{TABLE.relative_to(ROOT)} is written: say in the commit message why the digests changed")
    return lines, agreed


def missing(kind):
    """What is not installed, or None."""
    tools = [CROSS, EMULATOR] if kind == "aarch64" else ["gcc"]
    for tool in tools:
        if shutil.which(tool) is None:
            return tool
    if kind == "aarch64" and not (LIBRARIES / "usr/lib/aarch64-linux-gnu/libyaml.a").exists():
        return f"libyaml for arm64, in {LIBRARIES.relative_to(ROOT)},"
    return None


def main():
    words = [word for word in sys.argv[1:] if word != "--update"]
    update = "--update" in sys.argv
    if words == ["show"]:
        show()
        return 0
    if not words or words[0] not in ("native", "aarch64") or len(words) != (2 if words[0] == "native" else 1):
        sys.exit(__doc__)
    kept = BUILDS / f"{words[0]}.report"
    kept.unlink(missing_ok=True)  # of a run that nobody has read
    gone = missing(words[0])
    if gone is not None:
        print(f"{gone} is not installed: script/bootstrap --tests")
        return 77
    begin = time.monotonic()
    there, builds = native_builds(words[1]) if words[0] == "native" else aarch64_builds()
    with concurrent.futures.ThreadPoolExecutor(CORES) as pool:
        failures = [words for words in pool.map(Build.make, builds) if words]
    if failures:
        print("\n".join(failures))
        return 1
    built = time.monotonic()
    rows = read_table()
    lines, agreed = report(rows, there + builds, run_all(there + builds, rows), update)
    lines.append(f"{words[0]}: built in {built - begin:.0f} s, ran in {time.monotonic() - built:.0f} s")
    print("\n".join(lines))
    if words[0] == "native" and shutil.which("clang") is None:
        lines.append("clang is not installed: compared without it (script/bootstrap --tests)")
    if agreed:
        kept.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if not agreed:
        print("One build or thread count that differs from the others breaks the promise (server/sim/README.md). If all differ from")
        print("the table and the change of behaviour is meant: tests/golden/golden.py native build/release/bin/steerd --update, and a")
        print("reason in the commit message.")
    return 0 if agreed else 1


if __name__ == "__main__":
    sys.exit(main())
