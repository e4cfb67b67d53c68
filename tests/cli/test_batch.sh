# Batches: flags, files of inputs, seeds, expectations, both formats, and what is said to be proved.
. "$(dirname "$0")/lib.sh"

usage() {
    run 1 "$flock_batch" "$@"
    out_is_empty
}
prove() {
    run 0 "$flock_batch" prove --out p "$@" && run 0 "$flock_batch" verify --in p
}

# ---- the command line

"$flock_batch" >capture/out 2>capture/err
equal $? 1 "no arguments"
out_is_empty
err_has '^usage: flock_batch COMMAND'
run 0 "$flock_batch" --help
out_has 'A batch has no public values'
run 0 "$flock_batch" --version
equal "$(cat capture/out)" "flock_batch $("$flock_chain" --version | cut -d ' ' -f 2)"
for command in prove verify info; do
    run 0 "$flock_batch" $command --help
    out_has "^usage: flock_batch $command "
    out_has '^  7 +out of memory'
    awk 'length > 100 { exit 1 }' capture/out || complain "help line too long"
    [ $command = info ] || out_has "the prover's label"
done
run 0 "$flock_batch" prove --help
for flag in hash out count inputs seed mode layout format threads backend quiet json; do
    out_has "^  --$flag( |\$)"
done
run 0 "$flock_batch" verify --help
for flag in in expect-hash expect-count expect-mode format hash count layout mode backend quiet \
    json; do
    out_has "^  --$flag( |\$)"
done

usage prove --hash blake3 --out f
err_has '--count N is required without --inputs'
usage prove --count 8 --out f
err_has '--hash HASH is required'
usage prove --hash blake3 --count 8
err_has '--out FILE is required'
usage prove --hash md5 --count 8 --out f
err_has "--hash: unknown 'md5' \(one of blake3, sha256, .*, keccak3\)"
usage prove --hash blake3 --count 8 --out f --steps 8
usage prove --hash blake3 --count 8 --seed 1 --inputs g --out f
err_has '--seed and --inputs exclude each other'
usage prove --hash keccak3 --count 8 --layout batch --out f
err_has 'keccak3 is row-major only'
usage prove --hash blake3 --count 8 --seed xyz --out f
err_has "--seed: 'xyz' is not a 64-bit hexadecimal number"
for count in 0 -1 0x8 many 99999999999999999999; do
    usage prove --hash blake3 --count $count --out f
    err_has '--count'
done
usage verify --in f --expect-count none
usage verify --in f --expect-hash md5
usage verify --in f --expect-mode none
FLOCK_BACKEND=none usage verify --in f
usage prove --hash blake3 --count 8 --backend none --out f
# keccak3 has no chains.
run 1 "$flock_chain" prove --hash keccak3 --out f
err_has "unknown 'keccak3' \(one of .*keccak-f\)"

# The largest batches and, in the reference format, the smallest.
for limit in blake3:2097152:129 sha256:1048576:65 keccak:524288:33 keccak3:786432:49; do
    IFS=: read -r hash high low <<<"$limit"
    run 7 "$flock_batch" prove --hash "$hash" --count $((high + 1)) --out f
    err_has "at most $high for $hash"
    run 7 "$flock_batch" prove --hash "$hash" --format reference --count $((high + 1)) --out f
    usage prove --hash "$hash" --format reference --count $((low - 1)) --out f
    err_has "in the reference format \(from $low to $high\)"
done
if [ -z "$SANITIZE" ]; then
    (ulimit -v 3000000 && "$flock_batch" prove --hash keccak3 --count 786432 --out f) \
        >capture/out 2>capture/err
    equal $? 7 "address space limit"
    err_has 'not enough memory: this proof needs about [0-9.]+ GiB, .* \(use fewer evaluations\)'
fi
files_are

# ---- what is proved: slots, not the count

prove --hash blake3 --count 9
equal "$(head -n 1 capture/out)" "OK: blake3 batch verified: the prover knows 16 valid evaluations"
equal "$(row relation)" batch
equal "$(row hash)" blake3
equal "$(row count)" "9 (the prover's label, not proved)"
equal "$(row slots)" "16 (each a valid evaluation; which ones is not said)"
equal "$(row mode)" fast
equal "$(row security)" "100 bits"
equal "$(row layout)" row-major
equal "$(row format)" native
equal "$(row size)" "2^18 witness bits"
out_has '^time '
mv p default
slots() {
    prove --hash "$1" --count "$2"
    equal "$(row slots | cut -d ' ' -f 1)" "$3" "slots of $2 $1"
}
slots blake3 1 8
slots sha2 8 8
slots sha256 17 32
slots keccak 5 8
slots keccak3 1 24
slots keccak3 24 24
slots keccak3 25 48

# ---- equal and different inputs

same() {
    prove --hash blake3 "$@"
    files_equal p default
}
differs() {
    prove "$@"
    ! cmp -s p default || complain "no effect: $*"
}
same --count 9 --seed 0 --mode fast --layout row --format native
same --count=9 --seed 0x0 --threads 1
same --count 9 --threads 3 --backend portable
FLOCK_BACKEND=portable same --count 9
differs --hash blake3 --count 10
differs --hash blake3 --count 9 --seed 1
differs --hash blake3 --count 9 --mode slim
equal "$(row mode)" slim
differs --hash blake3 --count 9 --mode secure
equal "$(row security)" "120 bits"
differs --hash blake3 --count 9 --layout batch
equal "$(row layout)" batch-major
run 0 "$flock_batch" prove --hash blake3 --count 9 --out p --quiet
out_is_empty
files_equal p default

# ---- records: the generator of the help text, written here once more

state=0
next() { # sets z
    state=$((state + 0x9e3779b97f4a7c15))
    z=$state
    z=$(((z ^ z >> 30 & 0x3ffffffff) * 0xbf58476d1ce4e5b9))
    z=$(((z ^ z >> 27 & 0x1fffffffff) * 0x94d049bb133111eb))
    z=$((z ^ z >> 31 & 0x1ffffffff))
}
little() { # DIGITS VALUE: little-endian
    local text i
    printf -v text "%0$1x" "$2"
    for ((i = $1 - 2; i >= 0; i -= 2)); do
        hex+=\\x${text:i:2}
    done
}
big_word() {
    local text
    printf -v text '%08x' "$1"
    hex+=\\x${text:0:2}\\x${text:2:2}\\x${text:4:2}\\x${text:6:2}
}
# records HASH COUNT SEED: the file of records that the seed stands for
records() {
    local i j
    state=$3
    for ((i = 0; i < $2; i++)); do
        hex=
        case $1 in
        blake3)
            for ((j = 0; j < 24; j++)); do next && little 8 $((z & 0xffffffff)); done
            next && little 16 $z
            next && little 8 $(((z & 0x3f) + 1))
            next && little 8 $((z & 0x7f))
            ;;
        sha256)
            for ((j = 0; j < 24; j++)); do next && big_word $((z & 0xffffffff)); done
            ;;
        *)
            for ((j = 0; j < 25; j++)); do next && little 16 $z; done
            ;;
        esac
        printf "$hex"
    done
}
for kind in blake3:112 sha256:96 keccak:200 keccak3:200; do
    hash=${kind%:*} bytes=${kind#*:}
    records $hash 3 0x123456789abcdef0 >records
    equal "$(stat -c %s records)" $((3 * bytes)) "size of the $hash records"
    prove --hash $hash --count 3 --seed 0x123456789abcdef0
    mv p from_seed
    prove --hash $hash --inputs records
    equal "$(row count | cut -d ' ' -f 1)" 3
    files_equal p from_seed
    prove --hash $hash --inputs - --count 3 <records
    files_equal p from_seed
    # Every byte counts, the last too.
    head -c $((3 * bytes - 1)) records >other
    printf '\377' >>other
    prove --hash $hash --inputs other
    ! cmp -s p from_seed || complain "the last byte of $hash records has no effect"

    usage prove --hash $hash --count 4 --inputs records --out q
    err_has "records has fewer than the $((4 * bytes)) bytes of 4 evaluations \($bytes bytes each\)"
    usage prove --hash $hash --count 2 --inputs records --out q
    err_has "records has more than the $((2 * bytes)) bytes of 2 evaluations"
    for size in 0 1 $((bytes - 1)) $((bytes + 1)) $((3 * bytes - 1)); do
        head -c $size records >other
        usage prove --hash $hash --inputs other --out q
        err_has "--inputs: other has $size bytes, not one or more records of $bytes bytes"
    done
done
run 2 "$flock_batch" prove --hash blake3 --inputs missing --out q
err_has 'cannot read: No such file or directory \(missing\)'
run 2 "$flock_batch" prove --hash blake3 --count 8 --out missing/q
run 7 "$flock_batch" prove --hash keccak3 --inputs - --out q < <(head -c 157286401 /dev/zero)
err_has 'more than the largest batch of 786432 evaluations'
usage prove --hash keccak --inputs from_seed --format reference --out q
rm -f records other from_seed

# ---- expectations, other relations, damaged files

run 0 "$flock_batch" verify --in default --expect-hash blake3 --expect-count 9 --expect-mode fast
run 0 "$flock_batch" verify --in - --quiet <default
out_is_empty
differ() {
    run 5 "$flock_batch" verify --in default "$@"
    err_has 'the proof is valid but not as expected: '
    ! grep -q '^OK' capture/out || complain "OK for a proof of something else"
    equal "$(row relation)" batch
}
differ --expect-count 16
err_has 'count is 9, not 16'
differ --expect-hash keccak3
err_has 'hash is blake3, not keccak3'
differ --expect-mode secure --expect-count 8
err_has 'count is 9, not 8, mode is fast, not secure'
run 5 "$flock_chain" verify --in default
err_has 'relation is batch, not chain'
equal "$(row count)" "9 (the prover's label, not proved)"
run 5 "$flock_batch" verify --in "$VECTORS/native/chain_blake3_5_fast.flock"
err_has 'relation is chain, not batch'
run 5 "$flock_batch" verify --in "$VECTORS/proofs/blake3_chain_256_fast_seed0.bin"

head -c 20000 default >q
run 3 "$flock_batch" verify --in q
run 3 "$flock_batch" info --in q
tail -c +20005 default >q.end
printf 'flip' >>q && cat q.end >>q
run 4 "$flock_batch" verify --in q
err_has 'invalid proof'
out_is_empty
rm -f q q.end

# ---- JSON and info

run 0 "$flock_batch" prove --hash keccak3 --count 25 --out p --json
equal "$(json program)" flock_batch
equal "$(json statement.relation)" batch
equal "$(json statement.hash)" keccak3
equal "$(json statement.count)" 25
equal "$(json statement.count_proved)" false
equal "$(json statement.slots)" 48
equal "$(json bytes)" "$(stat -c %s p)"
equal "$(json witness_bytes)" $((1 << 18))
for key in seconds peak_bytes threads backend phase_seconds.grind; do
    json $key >/dev/null || complain "no $key"
done
run 0 "$flock_batch" verify --in p --json
equal "$(json valid)" true
equal "$(json statement.slots)" 48
grep -q '"bound"' capture/out && complain "nothing is bound: there are no public values"
run 5 "$flock_batch" verify --in p --json --expect-count 26
equal "$(json exit_code)" 5
equal "$(json error)" "$(sed 's/^flock_batch: error: //' capture/err)"
run 1 "$flock_batch" prove --hash blake3 --out f --json
equal "$(json exit_code)" 1
run 0 "$flock_batch" info --in p --json
equal "$(json verified)" false
equal "$(json statement.count)" 25
run 0 "$flock_batch" info --in p
out_has 'nothing has been verified'
equal "$(row count)" "25 (the prover's label, not proved)"
equal "$(row slots | cut -d ' ' -f 1)" 48

# ---- the reference format: what a file is about comes from the caller

vector=$VECTORS/proofs/blake3_batch_256_fast_seed0.bin
run 0 "$flock_batch" prove --hash blake3 --count 256 --seed 0 --format reference --out p
equal "$(row count)" "256 (not in the file, not proved)"
files_equal p "$vector"
# verify_as CODE HASH COUNT LAYOUT MODE
verify_as() {
    run "$1" "$flock_batch" verify --in p --format reference --hash "$2" --count "$3" \
        --layout "$4" --mode "$5" "${@:6}"
}
verify_as 0 blake3 256 row fast
equal "$(head -n 1 capture/out)" "OK: blake3 batch verified: the prover knows 256 valid evaluations"
equal "$(row format)" reference
equal "$(row count)" "256 (not in the file, not proved)"
verify_as 0 blake3 129 row fast --json
equal "$(json valid)" true
equal "$(json statement.format)" reference
equal "$(json statement.slots)" 256
# Other sizes do not fit the file; of the same size, the proof is not one of another circuit's.
verify_as 3 blake3 257 row fast
err_has 'does not fit what it should be about'
verify_as 3 blake3 256 row slim
verify_as 3 sha256 128 row fast
verify_as 4 blake3 256 batch fast
out_is_empty
verify_as 1 blake3 128 row fast
err_has 'in the reference format \(from 129 to 2097152\)'
verify_as 7 blake3 2097153 row fast
verify_as 1 keccak3 96 batch fast
run 3 "$flock_batch" verify --in p
err_has "a batch in the reference format \(see 'flock_batch verify --help'\)"
run 3 "$flock_batch" info --in p
for missing in hash count layout mode; do
    given=(--hash blake3 --count 256 --layout row --mode fast)
    for ((i = 0; i < 8; i += 2)); do
        [ "${given[i]}" != "--$missing" ] || unset "given[i]" "given[i+1]"
    done
    usage verify --in p --format reference "${given[@]}"
    err_has "--$missing [A-Z]* is required: a batch in the reference format does not say it"
done
for flag in "--hash blake3" "--count 9" "--layout row" "--mode fast"; do
    # Word splitting is wanted.
    usage verify --in default $flag
    err_has "^flock_batch: error: ${flag% *} is for --format reference"
done
for flag in "--expect-hash blake3" "--expect-count 256" "--expect-mode fast"; do
    usage verify --in p --format reference --hash blake3 --count 256 --layout row --mode fast $flag
    err_has "${flag% *} is not for --format reference"
done
cp default p
verify_as 3 blake3 256 row fast
cp "$VECTORS/proofs/blake3_chain_256_fast_seed0.bin" p
verify_as 3 blake3 256 row fast

# Slots beyond the count hold the all-zero input.
run 0 "$flock_batch" prove --hash keccak3 --count 50 --seed 7 --format reference --out p
mv p padded
{
    records keccak3 50 7
    head -c $((46 * 200)) /dev/zero
} >records
run 0 "$flock_batch" prove --hash keccak3 --inputs records --format reference --out p
files_equal p padded
verify_as 0 keccak3 96 row fast
# A batch-major file.
run 0 "$flock_batch" prove --hash sha2 --count 128 --layout batch --mode slim --format reference \
    --out p
verify_as 0 sha256 128 batch slim
verify_as 4 sha256 128 row slim

rm -f p padded records default
files_are
finish
