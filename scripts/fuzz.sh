#!/bin/sh
# Run every fuzzer for $1 seconds (default 60). Inputs that were worth keeping stay in
# build/fuzz/corpus/ for the next run; a finding is left in build/fuzz/findings/ and ends it.
# Limits for an input: 1 s of processor time, allocations of 64 MiB.
set -eu
cd "$(dirname "$0")/.."

seconds=${1:-60}
build=build/fuzz
mkdir -p $build
cmake --preset fuzz >$build/configure.log
cmake --build --preset fuzz >$build/build.log || { tail -n 40 $build/build.log; exit 1; }

for source in fuzz/fuzz_*.c; do
    name=$(basename "$source" .c)
    mkdir -p "$build/corpus/$name" $build/findings
    echo "==== $name, $seconds s"
    "$build/$name" -max_total_time="$seconds" -max_len=524288 -timeout=30 -malloc_limit_mb=64 \
        -rss_limit_mb=1024 -print_final_stats=1 -verbosity=1 -artifact_prefix=$build/findings/ \
        "$build/corpus/$name" tests/vectors/native tests/vectors/proofs 2>"$build/$name.log" ||
        { tail -n 60 "$build/$name.log"; exit 1; }
    grep -E 'stat::|^Done' "$build/$name.log"
done
