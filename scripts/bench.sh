#!/bin/sh
# The table of whole proofs in README.md: every hash on one thread and two, and the other backends.
set -eu
cd "$(dirname "$0")/.."

bench=${BENCH:-build/release/flock_bench}
count=${COUNT:-16384}

echo "| hash | evaluations | m | backend | threads | ms | cycles per element | proved per second | native per proved | memory / witness | proof bytes | verify ms |"
echo "|---|---|---|---|---|---|---|---|---|---|---|---|"
for hash in blake3 sha256 keccak keccak3; do
    for threads in 1 2; do
        "$bench" --output row --hash $hash --count "$count" --threads $threads --runs 5
    done
done
"$bench" --output row --hash blake3 --count "$count" --backend avx2 --runs 3
"$bench" --output row --hash blake3 --count $((count / 4)) --backend portable --runs 1
