#!/bin/bash
# The simulation calls nothing of libm whose last bit differs between machines: only square roots and exact roundings.
# usage: libm.sh ARCHIVE...
set -euo pipefail
export LC_ALL=C

inexact='a?(sin|cos|tan)h?|atan2|sincos|exp|exp2|exp10|expm1|log|log2|log10|log1p|pow|cbrt|hypot|[lt]gamma|erfc?'
found=$(nm --undefined-only "$@" | grep -E "^ *U ($inexact)[fl]?(@.*)?\$" | sort -u) || true
if [ -n "$found" ]; then
    printf 'not the same on every machine:\n%s\n' "$found"
    exit 1
fi
nm --defined-only "$@" | grep -c ' [Tt] ' >/dev/null || {
    echo "no functions in $*: nothing was checked"
    exit 1
}
