# flock_bench and bench/report.sh: the forms of output agree with each other and with the programs.
. "$(dirname "$0")/lib.sh"

flock_bench=$BUILD/flock_bench
export OMP_WAIT_POLICY=passive # for busy machines
[ -x "$flock_bench" ] || { echo "built without benchmarks"; exit 0; }

# How often the lines have another number of fields than the first; $1 is the separator.
uneven() {
    awk -F "$1" 'NR == 1 { n = NF } NF != n { uneven++ } END { print uneven + 0 }' "$2"
}

# The value of a column in line $2 of the CSV $1.
cell() {
    awk -F , -v line="$2" -v name="$3" 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) column = i }
        NR == line { print $column }' "$1"
}

# Tags are closed in the order in which they were opened, and text has no stray "&" or ">".
well_formed() {
    awk 'BEGIN { RS = "<" }
        NR == 1 { if ($0 != "") bad = 1; next }
        { end = index($0, ">"); tag = substr($0, 1, end - 1); text = substr($0, end + 1)
          if (end == 0 || (text ~ />/) || $0 ~ /&([^a-z]|$)/) { print "near <" $0; bad = 1 }
          split(tag, word, /[ \n]/); name = word[1] }
        tag ~ /^!DOCTYPE/ { next }
        tag ~ /\/$/ { next }
        name ~ /^\// { if (depth == 0 || open[depth] != substr(name, 2)) { print "near <" tag; bad = 1 }
                       depth--; next }
        { open[++depth] = name }
        END { exit bad || depth != 0 }' "$1"
}

# --- Markdown; without a command it measures proofs
run 0 "$flock_bench" --count 8 --runs 1
grep '^|' capture/out >table
equal "$(wc -l <table)" 3 "lines of the table"
equal "$(uneven '|' table)" 0 "uneven lines"
out_has '^\| blake3 \| 8 \| 17 \| [a-z0-9]+ \| 1 \| '
out_has '^Best of 1, '
run 0 "$flock_bench" proofs --hash sha256,keccak --relation chain --layout batch --mode slim \
    --count 10 --threads 1..2 --runs 2 --predict 18 --phases
out_has '^\| hash \| relation \| layout \| mode \| evaluations \|.* 18 threads, efficiency % \|'
out_has '^\| keccak \| chain \| batch \| slim \| 10 \|'
out_has '^keccak chain of 10 \(m = [0-9]+\), slim, batch-major, backend [a-z0-9]+, 2 threads'
equal "$(grep -c '^| – skip round | ' capture/out)" 4 "tables of phases"
equal "$(grep -c '^| \*\*total\*\* | ' capture/out)" 4 "tables of phases"

# --- CSV: every combination, one line each
run 0 "$flock_bench" --hash all --count 2^3..2^4,9 --threads 1,2 --backend portable,auto --runs 1 \
    --output csv
cp capture/out results.csv
backends=$([ "$(cell results.csv 2 backend)" = "$(cell results.csv 4 backend)" ] && echo 1 || echo 2)
equal "$(wc -l <results.csv)" $((1 + 4 * 3 * 2 * backends)) "lines"
equal "$(uneven , results.csv)" 0 "uneven lines"
equal "$(cell results.csv 2 hash)" blake3
equal "$(cell results.csv 2 backend)" portable
equal "$(cell results.csv 2 efficiency_percent)" ""
[ -n "$(cell results.csv 3 efficiency_percent)" ] || complain "no efficiency of two threads"
[ -n "$(cell results.csv 3 serial_percent)" ] || complain "no serial part of two threads"
equal "$(awk -F , '$1 == "keccak3" { print $6 }' results.csv | sort -nu | tr '\n' ' ')" "9 12 24 "
for column in hash relation layout mode buffers evaluations m backend threads best_ms median_ms \
    cycles_per_element proved_per_second native_per_second native_per_proved memory_per_witness \
    proof_bytes verify_ms 'commit: encode ms' 'commit: tree ms' 'zerocheck: skip round ms' \
    'zerocheck: rounds ms' 'open: ring switch ms' 'open: folds ms' 'open: queries ms' \
    'grind: nonces ms'; do
    [ -n "$(cell results.csv 3 "$column")" ] || complain "no $column"
done
# The parts are the whole, and the ratios follow from the rest.
awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) { at[$i] = i; part[i] = $i ~ / ms$/ } next }
    { sum = 0; for (i = 1; i <= NF; i++) sum += part[i] ? $i : 0
      proved = 1000 * $at["evaluations"] / $at["best_ms"]
      if (sum < 0.95 * $at["best_ms"] - 0.1 || sum > 1.05 * $at["best_ms"] + 0.1) bad = 1
      native = $at["native_per_second"] / $at["proved_per_second"] / $at["native_per_proved"]
      if (native < 0.9 || native > 1.1) bad = 1
      if ($at["best_ms"] > 1 && ($at["proved_per_second"] / proved < 0.9 ||
                                 $at["proved_per_second"] / proved > 1.1)) bad = 1 }
    END { exit bad }' results.csv || complain "numbers that contradict each other"

# --- JSON, and the proof is as long as one that flock_batch makes
run 0 "$flock_bench" --count 8 --threads 1,2 --runs 1 --output json
"$JSON_GET" capture/out || complain "not JSON"
equal "$(json command)" proofs
equal "$(json exit_code)" 0
equal "$(json 'results.#')" 2
equal "$(json results.0.hash)" blake3
equal "$(json results.0.evaluations)" 8
equal "$(json results.0.m)" 17
equal "$(json results.0.serial_percent)" null
equal "$(json results.1.threads)" 2
equal "$(json 'results.1.phases.#')" 6
equal "$(json results.1.phases.1.phase)" commit
equal "$(json results.1.phases.1.parts.0.part)" encode
bytes=$(json results.1.proof_bytes)
run 0 "$flock_batch" prove --hash blake3 --count 8 --out p
awk -v a="$(stat -c %s p)" -v b="$bytes" 'BEGIN { exit !(a < 1.05 * b && b < 1.05 * a) }' ||
    complain "the proof has $bytes bytes"
rm p

# --- kernels and witness
run 0 "$flock_bench" kernels --kernel dot,fold_h --rounds 1
equal "$(grep -c '^| [a-z]' capture/out)" 3 "a head and two kernels"
grep '^|' capture/out >table
equal "$(uneven '|' table)" 0 "uneven lines"
run 0 "$flock_bench" kernels --kernel fold_high --backend portable --rounds 1 --output csv
equal "$(wc -l <capture/out)" 2
equal "$(uneven , capture/out)" 0 "uneven lines"
out_has '^fold_high,[^,]+,portable,[0-9.]+$'
run 0 "$flock_bench" kernels --kernel fold_high --backend portable --rounds 1 --output json
equal "$(json kernels.0.backend)" portable
run 0 "$flock_bench" witness --m 22 --rounds 1 --backend auto --output csv
equal "$(wc -l <capture/out)" 8 "a head and seven generators"
equal "$(uneven , capture/out)" 0 "uneven lines"
run 0 "$flock_bench" witness --m 22 --rounds 1 --backend auto --output json
equal "$(json 'generators.#')" 7
run 0 "$flock_bench" witness --m 22 --rounds 1 --backend auto
grep '^|' capture/out >table
equal "$(uneven '|' table)" 0 "uneven lines"
rm table

# --- the tables of the documents: every command works, and is the one that the documents show
cat >small <<END
#!/bin/sh
case \$1 in
kernels) set -- kernels --kernel fold_high --rounds 1 ;;
witness) set -- witness --m 22 --rounds 1 --backend auto ;;
*) set -- \$(printf '%s ' "\$@" | sed 's/--count [^ ]*/--count 8/; s/--runs [0-9]*/--runs 1/') ;;
esac
exec "$flock_bench" "\$@"
END
chmod +x small
for name in proofs phases backends batches threads modes kernels witness; do
    run 0 env BENCH="$PWD/small" "$SOURCE/scripts/bench.sh" $name
    equal "$(sed -n 1p capture/out)" $name
    command=$(sed -n 3p capture/out)
    [[ $command == "    flock_bench "* ]] || complain "no command of $name"
    grep -q '^|' capture/out || complain "no table of $name"
done
BENCH=false "$SOURCE/scripts/bench.sh" none >capture/out 2>capture/err
equal $? 1 "unknown table"
mkdir -p copy/docs copy/scripts
cp "$SOURCE/README.md" copy
cp "$SOURCE/docs/performance.md" copy/docs
cp "$SOURCE/scripts/bench.sh" copy/scripts
run 0 env BENCH="$PWD/small" copy/scripts/bench.sh update
for document in README.md docs/performance.md; do
    awk '/^<!-- end -->/ { inside = 0 } !inside; /^<!-- scripts\/bench.sh / { inside = 1 }' \
        "$SOURCE/$document" >old
    awk '/^<!-- end -->/ { inside = 0 } !inside; /^<!-- scripts\/bench.sh / { inside = 1 }' \
        copy/$document >new
    cmp old new || complain "$document lost text"
    equal "$(grep -c '^    flock_bench ' copy/$document)" \
        "$(grep -c '^<!-- scripts/bench.sh ' "$SOURCE/$document")" "commands in $document"
done
rm -r copy small old new

# --- native hashing is scalar code
if [ "$(uname -m)" = x86_64 ]; then
    for file in hash/blake3 hash/keccak backend/portable/sha256; do
        objdump -d "$(find "$BUILD" -path "*/src/$file.c.o" | head -n 1)" >code
        [ "$(wc -l <code)" -gt 100 ] || complain "$file has no code"
        ! grep -Eq '%[xyz]mm|sha256(rnds|msg)' code || complain "$file has vector instructions"
    done
    rm code
fi

# --- the report
report=$SOURCE/bench/report.sh
"$report" results.csv >report.html 2>capture/err || complain "no report"
[ ! -s capture/err ] || complain "text on stderr"
well_formed report.html || complain "the report is not well-formed"
"$report" <results.csv | sed 's/standard input/results.csv/' | cmp - report.html ||
    complain "standard input gives another report"
equal "$(grep -c '<figure>' report.html)" 6 "figures"
equal "$(grep -c '<tr>' report.html)" "$(wc -l <results.csv)" "lines of the table"
for text in Throughput 'Speed-up against threads' 'Where the time goes' Memory Verification \
    keccak3 'skip round' prefers-color-scheme; do
    grep -q "$text" report.html || complain "the report lacks $text"
done
! grep -Eq 'https?:|src=|<script|nan|inf[^o]' report.html || complain "the report is not complete in itself"
head -n 2 results.csv | "$report" >one.html || complain "no report of one line"
well_formed one.html || complain "the report of one line is not well-formed"
equal "$(grep -c '<figure>' one.html)" 5 "figures of one line"
sed 's/ms</ms</; s/<\/figure>//' report.html >broken.html
! well_formed broken.html >/dev/null || complain "a report that lacks a tag passes as well-formed"

report_fails() {
    last_command="report.sh"
    "$report" "${@:2}" >capture/out 2>capture/err </dev/null
    equal $? "$1" "exit code"
    equal "$(wc -l <capture/err)" 1 "lines of the error"
}
report_fails 2 missing.csv
report_fails 3 report.html
report_fails 3
head -n 1 results.csv >empty.csv
report_fails 3 empty.csv
(cat results.csv; echo a,b) >ragged.csv
report_fails 3 ragged.csv
rm -f ./*.csv ./*.html

# --- arguments
usage() {
    run 1 "$flock_bench" "$@"
    out_is_empty
}
usage --hash md5
err_has "--hash: unknown 'md5'"
usage --hash blake3,
usage --count 3x
usage --count 2^99
err_has "--count: '99' is not a decimal number from 0 to 63"
usage --count 2^22
usage --count 0
usage --count 9..8
err_has '--count: the range 9..8 is empty'
usage --threads 0
usage --threads none
usage --backend none
err_has "--backend: no backend 'none' on this machine \(available: auto,portable"
usage --layout diagonal
usage --mode slow
usage --relation none
usage --runs 0
usage --predict 1
usage --output xml
usage --steps 8
usage blake3
usage kernels --kernel none
err_has "--kernel: no kernel's name contains 'none'"
usage kernels dot
usage witness --m 21
usage --hash keccak3 --relation chain
err_has 'nothing to measure'
run 1 "$flock_bench" --hash md5 --output json
equal "$(json exit_code)" 1
run 0 "$flock_bench" --help
out_has '^  kernels '
run 0 "$flock_bench" proofs --help
out_has '^  --threads LIST '
run 0 "$flock_bench" --version

# --- progress: on a terminal only, and gone at the end
script -qec "$flock_bench --count 8 --runs 1 >result" /dev/null </dev/null >terminal
equal $? 0 "on a terminal"
grep -q 'blake3, 8 evaluations, [a-z0-9]*, 1 thread: warm-up' terminal || complain "no progress"
equal "$(tr -cd '\n' <terminal | wc -c)" 0 "line feeds"
equal "$(tail -c 4 terminal | od -An -tx1 | tr -d ' \n')" 0d1b5b4b "end of the progress"
! grep -q warm-up result || complain "progress in the result"
rm result terminal

files_are
finish
