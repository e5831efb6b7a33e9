#!/bin/bash
# clang-tidy (.clang-tidy) over every C file that the build compiles. usage: clang_tidy.sh ROOT BUILD_DIRECTORY
set -euo pipefail
cd "$1"
command -v clang-tidy >/dev/null || {
    echo "clang-tidy is not installed: script/bootstrap --tests"
    exit 77
}
# Examples are somebody else's programs, built against what is installed.
mapfile -t files < <(find server client-sample -name '*.c' -not -path '*/example/*' | sort)
[ ${#files[@]} -gt 0 ]
# One file a process, and each in one of the ways in which it is compiled (libsteer does it again): clang 14's va_list
# check reports what is not there when it is given several.
once=$(mktemp -d)
trap 'rm -rf "$once"' EXIT
/usr/bin/python3 - "$2/compile_commands.json" >"$once/compile_commands.json" <<'EOF'
import json
import sys

ways = json.load(open(sys.argv[1], encoding="utf-8"))
json.dump(list({way["file"]: way for way in reversed(ways)}.values()), sys.stdout)
EOF
printf '%s\0' "${files[@]}" |
    nice xargs -0 -n 1 -P "$(nproc)" clang-tidy -p "$once" --quiet --warnings-as-errors='*' 2>&1 |
    { grep -vE '^[0-9]+ warnings? (generated|treated)|^Suppressed|^Use -header-filter' || true; }
echo "${#files[@]} files"
