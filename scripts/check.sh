#!/bin/bash
# Everything that must hold before a change lands; docs/testing.md lists the stages.
# The last line is "N passed, N failed" over all test runs; a stage that cannot run counts as failed.
set -u
cd "$(dirname "$0")/.."
exec </dev/null

jobs=${JOBS:-$(nproc)}
build=build/check
passed=0
failed=0

stage() {
    printf '\n==== %s\n' "$*"
}

# Run a command; if it fails, count one failure.
must() {
    "$@" && return 0
    echo "FAILED: $*"
    failed=$((failed + 1))
    return 1
}

# build_with NAME CMAKE-ARGUMENTS...: everything, or what $targets names.
build_with() {
    local name=$1
    shift
    must cmake -G Ninja -S . -B "$build/$name" -DFLOCK_WERROR=ON "$@" >"$build/$name.log" 2>&1 &&
        must ninja -C "$build/$name" -j "$jobs" ${targets:-} >>"$build/$name.log" 2>&1 && return 0
    tail -n 60 "$build/$name.log"
    return 1
}

# test_build NAME CTEST-ARGUMENTS...: run the tests of a build and add up the summary line of CTest.
test_build() {
    local name=$1 log=$build/$1-tests.log summary
    shift
    ctest --test-dir "$build/$name" -j "$jobs" --output-on-failure --no-tests=error "$@" \
        2>&1 | tee "$log"
    summary=$(sed -n 's/.*tests passed, \([0-9]*\) tests failed out of \([0-9]*\).*/\1 \2/p' "$log")
    if [ -z "$summary" ]; then
        echo "FAILED: no test result of $name"
        failed=$((failed + 1))
        return
    fi
    set -- $summary
    failed=$((failed + $1))
    passed=$((passed + $2 - $1))
}

mkdir -p "$build"

stage "formatting"
must scripts/format.sh --check

stage "gcc, release: build and test"
build_with gcc -DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=Release && test_build gcc

stage "clang, release: build"
build_with clang -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=Release

stage "clang, AddressSanitizer and UndefinedBehaviorSanitizer: build and test"
build_with asan -DCMAKE_C_COMPILER=clang -DFLOCK_SANITIZE=address,undefined \
    -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_FLAGS_RELWITHDEBINFO="-O2 -g1" && test_build asan

stage "clang, ThreadSanitizer: proofs and verifications in many threads"
targets=test_threads build_with tsan -DCMAKE_C_COMPILER=clang -DFLOCK_SANITIZE=thread \
    -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_FLAGS_RELWITHDEBINFO="-O2 -g1" &&
    test_build tsan -R '^test_threads$'

stage "AArch64, gcc: build; kernels and golden bytes of its backend under qemu"
targets=flock_backend_tests build_with aarch64 --toolchain cmake/aarch64-linux-gnu.cmake \
    -DCMAKE_BUILD_TYPE=Release && FLOCK_BACKEND=neon test_build aarch64 -L backends

stage "AArch64, clang: build of the libraries' objects"
targets="flock_verify_objects flock_prove_objects" build_with aarch64-clang \
    --toolchain cmake/aarch64-linux-gnu.cmake -DCMAKE_C_COMPILER=clang -DFLOCK_OPENMP=OFF

stage "i386 and s390x: golden and altered proofs"
must scripts/cross-verify.sh && passed=$((passed + 1))

stage "fuzzers, ${FUZZ_SECONDS:=60} s each"
must scripts/fuzz.sh "$FUZZ_SECONDS" && passed=$((passed + 1))

stage "Debian packages"
must scripts/debian.sh && passed=$((passed + 1))

printf '\n'
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
