#!/bin/bash
# clang-tidy (.clang-tidy) over every C file that the build compiles. usage: clang_tidy.sh ROOT BUILD_DIRECTORY
set -euo pipefail
cd "$1"
command -v clang-tidy >/dev/null || {
    echo "clang-tidy is not installed: script/bootstrap --tests"
    exit 77
}
mapfile -t files < <(find server client-sample -name '*.c' | sort)
[ ${#files[@]} -gt 0 ]
# One file a process: clang 14's va_list check reports what is not there when it is given several.
printf '%s\0' "${files[@]}" |
    nice xargs -0 -n 1 -P "$(nproc)" clang-tidy -p "$2" --quiet --warnings-as-errors='*' 2>&1 |
    { grep -vE '^[0-9]+ warnings? (generated|treated)|^Suppressed|^Use -header-filter' || true; }
echo "${#files[@]} files"
