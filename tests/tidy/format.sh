#!/bin/bash
# Every C file is formatted as .clang-format says. usage: format.sh ROOT [--fix]
set -euo pipefail
cd "$1"
command -v clang-format >/dev/null || {
    echo "clang-format is not installed: script/bootstrap --tests"
    exit 77
}
mapfile -t files < <(find server client-sample tests -name '*.[ch]' | sort)
[ ${#files[@]} -gt 0 ]
if [ "${2:-}" = --fix ]; then
    clang-format -i "${files[@]}"
else
    clang-format --dry-run -Werror "${files[@]}"
fi
echo "${#files[@]} files"
