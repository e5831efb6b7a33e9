#!/bin/bash
# Runs shellcheck on every script. usage: shellcheck.sh ROOT
set -euo pipefail
cd "$1"
command -v shellcheck >/dev/null || {
    echo "shellcheck is not installed: script/bootstrap --quick"
    exit 77
}
mapfile -t scripts < <(grep -rlE '^#!/bin/(ba)?sh' .ci script tests docker 2>/dev/null | sort)
[ ${#scripts[@]} -gt 0 ]
shellcheck --external-sources --source-path=SCRIPTDIR script/lib.sh "${scripts[@]}"
echo "${#scripts[@]} scripts"
