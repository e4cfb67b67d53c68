#!/bin/sh
# The tables of README.md and docs/performance.md, each after the command that makes it:
#
#     scripts/bench.sh            all tables
#     scripts/bench.sh NAME...    some: proofs phases backends batches threads modes kernels witness
#     scripts/bench.sh report     a page with plots of all hashes and batches, in build/bench.html
set -eu
cd "$(dirname "$0")/.."

bench=${BENCH:-build/release/flock_bench}

table() {
    printf '%s\n\n    flock_bench %s\n\n' "$1" "$2"
    # The flags are words without spaces.
    "$bench" $2
    printf '\n'
}

one() {
    case $1 in
    proofs) table "Whole proofs (README.md)" "--hash all --count 2^14 --threads 1,2 --runs 7" ;;
    phases) table "Phases" "--hash blake3 --count 2^14 --runs 7 --phases" ;;
    backends) table "Backends" "--hash blake3 --count 2^12 --backend all --runs 5" ;;
    batches) table "Batches" "--hash all --count 2^10..2^18 --runs 3" ;;
    threads) table "Threads" "--hash all --count 2^14,2^18 --threads 1,2 --runs 5 --predict 18" ;;
    modes) table "Modes and layouts" "--hash blake3 --mode all --layout all --runs 3" ;;
    kernels) table "Kernels" "kernels" ;;
    witness) table "Witness" "witness" ;;
    report)
        mkdir -p build
        "$bench" --hash all --count 2^10..2^18 --threads 1,2 --runs 3 --predict 18 --output csv \
            >build/bench.csv
        bench/report.sh build/bench.csv >build/bench.html
        echo "build/bench.html, from build/bench.csv"
        ;;
    *)
        echo "bench.sh: error: unknown table '$1'" >&2
        exit 1
        ;;
    esac
}

[ $# -gt 0 ] || set -- proofs phases backends batches threads modes kernels witness
for name; do
    one "$name"
done
