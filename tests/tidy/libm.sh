#!/bin/bash
# The simulation calls nothing of libm, whose last bits differ between machines, but square roots: IEEE 754 wants those
# rounded correctly (5.4.1), so they are the same everywhere. What libm has is asked of the C library itself.
# usage: libm.sh ARCHIVE...
set -euo pipefail
export LC_ALL=C

libm=$(cc -print-file-name=libm.so.6)
functions=$(nm -D --defined-only "$libm" | awk '$2 ~ /[TWi]/ { sub(/@.*/, "", $3); print $3 }' | sort -u)
for known in sin hypotf floor fmin nextafterf sqrt; do
    grep -qx "$known" <<<"$functions" || {
        echo "$libm has no $known: it was not read rightly"
        exit 1
    }
done
nm --defined-only "$@" | grep -c ' [Tt] ' >/dev/null || {
    echo "no functions in $*: nothing was checked"
    exit 1
}
called=$(nm --undefined-only "$@" | awk '$1 == "U" { sub(/@.*/, "", $2); print $2 }' | sort -u)
found=$(comm -12 <(echo "$functions") <(echo "$called") | grep -vxE 'sqrtf?') || true
if [ -n "$found" ]; then
    printf 'of libm only sqrt and sqrtf, but this is called (base/exact.h and base/trig.h have what is needed):\n%s\n' "$found"
    exit 1
fi
