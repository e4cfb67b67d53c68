#!/bin/sh
# The tables of README.md and docs/performance.md, each after the command that makes it:
#
#     scripts/bench.sh            all tables
#     scripts/bench.sh NAME...    some, of those below
#     scripts/bench.sh update [NAME...]
#                                 measure and put all tables, or some, in their places in the documents
#     scripts/bench.sh report     a page with plots of all hashes and batches, in build/bench.html
set -eu
cd "$(dirname "$0")/.."

bench=${BENCH:-build/release/flock_bench}
all="proofs buffers phases backends batches threads modes kernels witness"
if "$bench" kernels --backend vpclmul --kernel mul >/dev/null 2>&1; then
    all="$all avx2 avx2-phases avx2-kernels avx2-witness"
fi

# A command as shown in a document, and its result.
table() {
    printf '    flock_bench %s\n\n' "$1"
    # The arguments are words without spaces.
    "$bench" $1
}

one() {
    case $1 in
    proofs) table "--hash all --count 2^14 --threads 1,2 --runs 7" ;;
    buffers) table "--hash all --count 2^14 --buffers all --runs 3" ;;
    phases) table "--hash blake3 --count 2^14 --runs 7 --phases" ;;
    backends) table "--hash blake3 --count 2^12 --backend all --runs 5" ;;
    batches) table "--hash all --count 2^10,2^12,2^14,2^16 --runs 3" ;;
    threads) table "--hash blake3,sha256 --count 2^14,2^16,2^18 --threads 1,2 --runs 3 --predict 18" ;;
    modes) table "--hash blake3 --mode all --layout all --runs 3" ;;
    kernels) table "kernels" ;;
    witness) table "witness" ;;
    avx2) table "--hash all --count 2^14 --backend vpclmul --threads 1,2 --runs 7" ;;
    avx2-phases) table "--hash blake3 --count 2^14 --backend vpclmul --runs 7 --phases" ;;
    avx2-kernels) table "kernels --backend portable,avx2,vpclmul" ;;
    avx2-witness) table "witness --backend portable,avx2" ;;
    *)
        echo "bench.sh: error: unknown table '$1'" >&2
        exit 1
        ;;
    esac
}

report() {
    mkdir -p build
    "$bench" --hash all --count 2^10..2^18 --threads 1,2 --runs 3 --predict 18 --output csv \
        >build/bench.csv
    bench/report.sh build/bench.csv >build/bench.html
    echo "build/bench.html, from build/bench.csv"
}

# In a document a table stands between the lines
#     <!-- scripts/bench.sh NAME -->
#     <!-- end -->
update() {
    mkdir -p build
    for document in README.md docs/performance.md; do
        for name in $(sed -n 's/^<!-- scripts\/bench.sh \([a-z0-9-]*\) -->$/\1/p' "$document"); do
            case " ${*:-$all} " in
            *" $name "*) ;;
            *) continue ;;
            esac
            echo "$document: $name"
            one "$name" >build/table.md
            awk -v begin="<!-- scripts/bench.sh $name -->" '
                $0 == "<!-- end -->" { skip = 0 }
                !skip { print }
                $0 == begin { skip = 1; while ((getline line <"build/table.md") > 0) print line }
            ' "$document" >build/document.md
            cat build/document.md >"$document"
        done
    done
    rm -f build/table.md build/document.md
}

case "${1:-}" in
report | update)
    "$@"
    ;;
*)
    for name in ${*:-$all}; do
        printf '%s\n\n' "$name"
        one "$name"
        printf '\n'
    done
    ;;
esac
