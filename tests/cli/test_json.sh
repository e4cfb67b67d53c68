# --json: one valid object on stdout whatever happens, with the numbers of the readable output.
. "$(dirname "$0")/lib.sh"

run 0 "$flock_chain" prove --hash blake3 --steps 20 --seed 0x2a --out p --json
"$JSON_GET" capture/out || complain "not JSON"
equal "$(json program)" flock_chain
equal "$(json command)" prove
equal "$(json exit_code)" 0
equal "$(json error)" null
equal "$(json statement.steps)" 20
equal "$(json statement.hash)" blake3
equal "$(json statement.mode)" fast
equal "$(json statement.layout)" row-major
equal "$(json statement.format)" native
equal "$(json statement.security_bits)" 100
equal "$(json statement.log_bits)" 19
equal "$(json file)" p
equal "$(json bytes)" "$(stat -c %s p)"
equal "$(json witness_bytes)" 65536
for key in seconds peak_bytes threads backend version phase_seconds.witness phase_seconds.commit \
    phase_seconds.zerocheck phase_seconds.lincheck phase_seconds.open phase_seconds.grind; do
    json $key >/dev/null || complain "no $key"
done
for threads in 1 2 3; do
    run 0 "$flock_chain" prove --hash blake3 --steps 20 --seed 0x2a --out p --json --threads $threads
    equal "$(json threads)" $threads
done
initial=$(json statement.initial)
final=$(json statement.final)

run 0 "$flock_chain" verify --in p
equal "$(row initial)" "$initial"
equal "$(row final)" "$final"
run 0 "$flock_chain" verify --in p --json --quiet
equal "$(json valid)" true
equal "$(json bound)" true
equal "$(json statement.final)" "$final"
equal "$(json statement.steps)" 20
run 5 "$flock_chain" verify --in p --json --expect-steps 21
equal "$(json exit_code)" 5
equal "$(json valid)" true
equal "$(json error)" "$(sed 's/^flock_chain: error: //' capture/err)"
run 2 "$flock_chain" verify --in missing --json
equal "$(json exit_code)" 2
"$JSON_GET" capture/out || complain "not JSON"
# File names can be anything; JSON is UTF-8.
name=$(printf 'a"b\\c\td\377e\303\251')
run 2 "$flock_chain" verify --in "$name" --json
"$JSON_GET" capture/out || complain "not JSON"
run 0 "$flock_chain" prove --hash blake3 --out "$name" --json
"$JSON_GET" capture/out || complain "not JSON"
equal "$(json file)" "$(printf 'a"b\\c\td\357\277\275e\303\251')"
rm -f "$name"

# --- info: the parts cover the file
run 0 "$flock_chain" info --in p --json
equal "$(json verified)" false
equal "$(json statement.final)" "$final"
total=0
for ((i = 0; i < $(json 'parts.#'); i++)); do
    equal "$(json parts.$i.offset)" $total "offset of part $i"
    total=$((total + $(json parts.$i.bytes)))
done
equal $total "$(json bytes)" "sum of the parts"
equal "$(json bytes)" "$(stat -c %s p)"
[ "$(json 'parameters.levels.#')" -ge 2 ] || complain "no levels"
parts=$(json parts.1.name)
run 0 "$flock_chain" info --in p
out_has "  $parts\$"
equal "$(row steps)" 20
equal "$(row size)" "2^19 witness bits"
out_has '^level +rate '
run 0 "$flock_chain" info --in - <p

# --- info of the other relations
native=$VECTORS/native
run 0 "$flock_chain" info --in "$native/file_500_fast.flock" --json
equal "$(json statement.relation)" sha256-file
equal "$(json statement.message_bytes)" 500
equal "$(json statement.digest)" ba626314ec76f1ea4665d5a74e8f84337ba24465687c64c5e4ef4e43424e49a0
tail=$(json statement.tail)
equal ${#tail} 104
run 0 "$flock_chain" info --in "$native/file_500_fast.flock"
equal "$(row tail)" "$tail"
equal "$(row length)" "500 bytes"
run 0 "$flock_chain" info --in "$native/file_empty_fast.flock"
equal "$(row tail)" none
run 0 "$flock_chain" info --in "$native/merkle_3_two_paths_fast.flock" --json
equal "$(json statement.depth)" 3
equal "$(json 'statement.leaves.#')" 2
equal "$(json statement.leaves.1.index)" 2
# The manifest has the root as eight little-endian words.
root=0590435d5ad9a1c07a03f7745edafa00b1e7213659d52ffb3a82e8d397973b0a
root=$(sed 's/\(..\)\(..\)\(..\)\(..\)/\4\3\2\1/g' <<<$root)
equal "$(json statement.root)" $root
run 0 "$flock_chain" info --in "$native/merkle_3_two_paths_fast.flock"
equal "$(row root)" $root
leaf=$(printf 'leaf 5' | sha256sum | cut -d ' ' -f 1)
out_has "^leaf +5 $leaf\$"

# --- params: every term reaches the target
for mode in fast slim secure; do
    for m in 17 22 35; do
        run 0 "$flock_chain" params --m $m --mode $mode --json
        equal "$(json mode)" $mode
        equal "$(json m)" $m
        target=$(json security.target_bits)
        terms=$(json 'security.terms.#')
        [ "$terms" -gt 10 ] || complain "only $terms terms"
        for ((i = 0; i < terms; i++)); do
            json security.terms.$i.bits
        done | sort -n | head -n 1 >lowest
        awk -v l="$(cat lowest)" -v t="$target" -v m="$(json security.minimum_bits)" \
            'BEGIN { exit !(l >= t && l == m) }' || complain "m $m $mode: $(cat lowest) bits"
    done
done
run 0 "$flock_chain" params --m 22
equal "$(row mode)" fast
equal "$(row target)" "100 bits"
out_has '^ +bits +level +fold +times +error term'
out_has '^ *[0-9.]+ .*queries'
run 0 "$flock_chain" params --m 22 --mode secure --format reference
equal "$(row format)" reference
rm -f p lowest
files_are
finish
