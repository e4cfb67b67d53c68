#!/bin/bash
# Verify all proof files among the test vectors, altered copies of them, and make small proofs, on
# machines of other word size and byte order: what they print must be what this machine prints.
# Needs gcc-i686-linux-gnu for i386, and gcc-s390x-linux-gnu and qemu-user for s390x, which is
# big-endian (scripts/install-deps.sh --check installs them). A machine without its tools is reported
# and counted as failed.
set -u
cd "$(dirname "$0")/.."

build=build/cross
mkdir -p "$build"
failed=0
files=(tests/vectors/native/*.flock tests/vectors/proofs/*.bin tests/vectors/chain/*.bin)
sources=$(find src -name '*.c' -not -name '*_rows.c' -not -path '*/x86/*' -not -path '*/arm64/*' \
    -not -name 'avx*' -not -name 'neon_*' | sort)
flags="-std=c17 -O2 -D_POSIX_C_SOURCE=200809L -Iinclude -Isrc"

# compile NAME COMPILER [FLAG]...
compile() {
    local name=$1
    shift
    "$@" $flags tests/cross_check.c $sources -o "$build/$name" -lm
}

# compare NAME [EMULATOR]...
compare() {
    local name=$1
    shift
    if ! "$@" "$build/$name" "${files[@]}" >"$build/$name.txt"; then
        echo "$name: FAILED to run"
    elif ! diff "$build/host.txt" "$build/$name.txt"; then
        echo "$name: FAILED, other answers"
    else
        echo "$name: ${#files[@]} files, the same answers"
        return
    fi
    failed=$((failed + 1))
}

check() {
    local name=$1 emulator=$2
    shift 2
    if command -v "$1" >/dev/null && compile "$name" "$@"; then
        compare "$name" $emulator
    else
        echo "$name: FAILED, cannot be built with $*"
        failed=$((failed + 1))
    fi
}

# This machine as the library's users have it: with the kernels of its processor.
cmake -G Ninja -S . -B "$build/cmake" -DFLOCK_BENCH=OFF >"$build/cmake.log" &&
    ninja -C "$build/cmake" cross_check >>"$build/cmake.log" || exit 1
cp "$build/cmake/cross_check" "$build/host"
"$build/host" "${files[@]}" >"$build/host.txt" || exit 1

check i386 "" i686-linux-gnu-gcc -static
check i386-ubsan "" i686-linux-gnu-gcc -static -fsanitize=undefined -fsanitize-undefined-trap-on-error
check s390x qemu-s390x s390x-linux-gnu-gcc -static

[ "$failed" -eq 0 ]
