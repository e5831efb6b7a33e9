#!/bin/bash
# Uses an installed libsteer in one way. usage: use.sh WAY SOURCE-DIR BUILD-DIR
set -euo pipefail
way=$1 source=$2 build=$3
prefix=$build/tests/install/installed
work=$build/tests/install/$way
include=$prefix/include
library=$(dirname "$(find "$prefix" -name libsteer.a 2>/dev/null || true)")
export PKG_CONFIG_PATH=$library/pkgconfig LD_LIBRARY_PATH=$library
digest=$(grep -o '[0-9a-f]\{16\} with libsteer' "$source/server/sim/example/walk.c" | cut -d ' ' -f 1)
mkdir -p "$work"
cd "$work"

die() {
    echo "install.$way: $*" >&2
    exit 1
}

# needs COMMAND: 77 is skipped. script/test without --quick installs all of them.
needs() {
    command -v "$1" >/dev/null || {
        echo "install.$way: $1 is not installed: script/bootstrap --tests"
        exit 77
    }
}

# walks PROGRAM: the example's program comes to the same end, however it was built.
walks() {
    "$@" >walk.txt || die "the example failed"
    grep -q "^digest $digest\$" walk.txt || die "the example printed $(tail -n 1 walk.txt), its text says $digest"
    cmp walk.txt "$prefix/walk.txt" || die "the example printed something else than the one built with cc"
}

# flags FLAGS...: what pkg-config says, as words.
flags() {
    pkg-config "$@" steer || die "pkg-config does not know libsteer"
}

case $way in
prefix)
    rm -rf "$prefix"
    cmake --install "$build" --prefix "$prefix" >install.log || die "cmake --install failed"
    library=$(dirname "$(find "$prefix" -name libsteer.a)")
    export PKG_CONFIG_PATH=$library/pkgconfig LD_LIBRARY_PATH=$library
    # shellcheck disable=SC2046 # words are wanted
    cc -std=c11 -Wall -Wextra -Werror "$source/server/sim/example/walk.c" $(flags --cflags --libs) -o walk
    ./walk >"$prefix/walk.txt"
    # Two who change places: each stands where the other began, which no fault of all builds alike would do.
    grep -q '^10 s  ( *[56]\.[0-9]*, .*) *( *-[56]\.[0-9]*, .*)$' "$prefix/walk.txt" ||
        die "the walkers have not changed places: $(tail -n 2 "$prefix/walk.txt")"
    ;;
pkg_config_gcc | pkg_config_clang)
    needs "${way#pkg_config_}"
    # shellcheck disable=SC2046
    "${way#pkg_config_}" -std=c11 -Wall -Wextra -Wpedantic -Werror -O0 "$source/server/sim/example/walk.c" \
        $(flags --cflags --libs) -o walk
    walks ./walk
    ;;
pkg_config_static)
    # The one library static and all others shared, and a program without any shared library.
    # shellcheck disable=SC2046
    cc -std=c11 "$source/server/sim/example/walk.c" $(flags --cflags) "$library/libsteer.a" \
        $(flags --static --libs-only-l | sed 's/-lsteer//') -o walk
    if ldd walk | grep libsteer; then
        die "the static library is not used"
    fi
    walks ./walk
    # shellcheck disable=SC2046
    cc -std=c11 -static "$source/server/sim/example/walk.c" $(flags --static --cflags --libs) -o walk_alone
    walks ./walk_alone
    ;;
cxx_g++ | cxx_clang++)
    needs "${way#cxx_}"
    # shellcheck disable=SC2046
    "${way#cxx_}" -std=c++17 -Wall -Wextra -Wpedantic -Werror -x c++ "$source/server/sim/example/walk.c" -x none $(flags --cflags --libs) -o walk
    walks ./walk
    ;;
cmake)
    rm -rf build
    cmake -G Ninja -S "$prefix/share/doc/steerd/libsteer" -B build -DCMAKE_PREFIX_PATH="$prefix" >cmake.log || die "find_package(steer) failed"
    cmake --build build >>cmake.log || die "the example does not build against steer::steer"
    walks build/walk
    walks build/walk_static
    ;;
symbols)
    # Nothing but what steer.h declares, neither more nor less.
    cc -E -P -fpreprocessed "$include/steer.h" 2>/dev/null | tr '\n' ' ' |
        grep -o 'steer_[a-z_]*(' | tr -d '(' | sort -u >declared.txt
    nm -D --defined-only "$library/libsteer.so" | awk '{print $3}' | sort >shared.txt
    nm -g --defined-only "$library/libsteer.a" | awk 'NF == 3 {print $3}' | sort >static.txt
    diff declared.txt shared.txt || die "the shared library lets out something else than steer.h declares"
    diff declared.txt static.txt || die "the static library lets out something else than steer.h declares"
    ;;
layout)
    # Inside the program some of its types are steer.h's own and some the program's: bytes must be the same.
    cc -std=c11 -I"$include" "$source/tests/install/layout.c" -o outside
    cc -std=gnu11 -DSTEER_INSIDE -D_GNU_SOURCE -I"$source/server" -I"$source/server/sim" "$source/tests/install/layout.c" -o inside
    ./outside >outside.txt
    ./inside >inside.txt
    [ -s outside.txt ] || die "nothing was compared"
    diff inside.txt outside.txt || die "steer.h says something else outside of the program than inside"
    ;;
offers)
    # What the server calls of its simulation is in the library.
    nm -D --defined-only "$library/libsteer.so" | awk '{print $3}' | sort >offered.txt
    nm -g --defined-only "$build/server/libsteerd_sim.a" | awk 'NF == 3 {print $3}' | sort -u >simulation.txt
    nm -u "$build/server/libsteerd_app.a" "$build/server/libsteerd_wire.a" | awk '$1 == "U" {print $2}' | sort -u >used.txt
    comm -12 simulation.txt used.txt >needed.txt
    grep -q steer_world_step needed.txt || die "the server does not seem to use its simulation"
    comm -23 needed.txt offered.txt >missing.txt
    [ ! -s missing.txt ] || die "the server uses what the library does not offer: $(tr '\n' ' ' <missing.txt)"
    ;;
*)
    die "unknown"
    ;;
esac
