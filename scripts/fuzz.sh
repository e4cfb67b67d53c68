#!/bin/bash
# Run every fuzzer for $1 seconds (default 60), as many at a time as there are processors. They start
# from the seeds in fuzz/corpus/ and the proofs of the test vectors; inputs that were worth keeping
# stay in build/fuzz/corpus/ for the next run; a finding is left in build/fuzz/findings/ and is an
# error. Limits for an input: 1 s of processor time, allocations of 64 MiB.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-60}
build=build/fuzz
mkdir -p $build/findings
cmake --preset fuzz >$build/configure.log
cmake --build --preset fuzz >$build/build.log || { tail -n 40 $build/build.log; exit 1; }

run_one() {
    local name=$1 status=0
    shift
    mkdir -p "$build/corpus/$name"
    "$build/$name" -max_total_time="$seconds" -timeout=30 -malloc_limit_mb=64 -rss_limit_mb=1024 \
        -print_final_stats=1 -verbosity=1 -artifact_prefix=$build/findings/ \
        "$build/corpus/$name" "$@" >"$build/$name.log" 2>&1 || status=$?
    echo "==== $name, $seconds s"
    [ $status -eq 0 ] || tail -n 60 "$build/$name.log"
    grep -aE 'stat::|^Done' "$build/$name.log"
    return $status
}

proofs="tests/vectors/native tests/vectors/proofs"
failed=0
start() {
    while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do
        wait -n || failed=1
    done
    run_one "$@" &
}
start fuzz_verify -max_len=524288 $proofs
start fuzz_mutate -max_len=524288 $proofs
start fuzz_statement -max_len=4096 fuzz/corpus/fuzz_statement
start fuzz_inputs -max_len=4096 fuzz/corpus/fuzz_inputs
while [ -n "$(jobs -rp)" ]; do
    wait -n || failed=1
done
exit $failed
