#!/usr/bin/python3
"""No source file is longer than 700 lines: one file has one subject. usage: file_sizes.py ROOT

The .proto is one file by nature: clients copy it.
"""

import pathlib
import sys

LINES_MAX = 700
DIRECTORIES = ["server", "client-sample", "tests", "script", "docker", "proto"]
SUFFIXES = {".c", ".h", ".def", ".py", ".sh", ".txt", ".cmake", ""}


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    seen = 0
    long = 0
    for directory in DIRECTORIES:
        for file in sorted((root / directory).rglob("*")):
            if file.suffix not in SUFFIXES or not file.is_file() or "corpus" in file.parts:
                continue
            seen += 1
            lines = file.read_bytes().count(b"\n")
            if lines > LINES_MAX:
                print(f"{file.relative_to(root)} has {lines} lines, {LINES_MAX} are allowed")
                long += 1
    print(f"{seen} files, {long} too long")
    return 0 if seen > 0 and long == 0 else 1


sys.exit(main())
