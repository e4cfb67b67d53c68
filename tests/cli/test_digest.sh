# Digests: flags, lengths around every block boundary against sha256sum, pipes, files that change,
# expectations, JSON.
. "$(dirname "$0")/lib.sh"

usage() {
    run 1 "$flock_digest" "$@"
    out_is_empty
}
prove() {
    run 0 "$flock_digest" prove --out p "$@" && run 0 "$flock_digest" verify --in p
}
sum() {
    sha256sum "$1" | cut -d ' ' -f 1
}

# ---- the command line

"$flock_digest" >capture/out 2>capture/err
equal $? 1 "no arguments"
out_is_empty
err_has '^usage: flock_digest COMMAND'
run 0 "$flock_digest" --help
out_has 'knows a message of exactly this length with this SHA-256'
run 0 "$flock_digest" --version
equal "$(cat capture/out)" "flock_digest $("$flock_chain" --version | cut -d ' ' -f 2)"
for command in prove verify info; do
    run 0 "$flock_digest" $command --help
    out_has "^usage: flock_digest $command "
    out_has '^  7 +out of memory'
    awk 'length > 100 { exit 1 }' capture/out || complain "help line too long"
done
run 0 "$flock_digest" prove --help
for flag in file out mode layout threads backend quiet json; do
    out_has "^  --$flag( |\$)"
done
run 0 "$flock_digest" verify --help
for flag in in expect-digest expect-length expect-mode backend quiet json; do
    out_has "^  --$flag( |\$)"
done
usage prove --file f
err_has '--out FILE is required'
usage prove --out p
err_has '--file FILE is required'
usage prove --file f --file g --out p
err_has '--file is given twice'
usage prove --file f --out p --hash sha256
err_has "unknown flag '--hash'"
usage prove --file f --out p --format reference
usage prove --file f --out p --mode slow
usage prove --file f --out p --layout diagonal
usage prove --file f --out p --threads 0
usage prove --file f --out p --backend none
FLOCK_BACKEND=none usage verify --in p
usage verify
for digest in 00 0x "$(printf '0%.0s' {1..63})" "$(printf '0%.0s' {1..65})" \
    "$(printf '0%.0s' {1..63})g"; do
    usage verify --in p --expect-digest "$digest"
    err_has '--expect-digest: not 64 hexadecimal digits'
done
for length in -1 0x3 many 99999999999999999999; do
    usage verify --in p --expect-length "$length"
    err_has "--expect-length: '$length' is not a decimal number"
done
usage verify --in p --expect-mode none

# ---- all lengths around the boundaries, against sha256sum

head -c 1048576 /dev/urandom >random
for length in 0 1 55 56 63 64 65 119 120 1000; do
    head -c $length random >f
    prove --file f
    equal "$(row relation)" sha256-file
    equal "$(row hash)" sha256
    equal "$(row length)" "$length bytes"
    equal "$(row digest)" "$(sum f)" "digest of $length bytes"
    equal "$(row blocks)" $(((length + 9 + 63) / 64)) "blocks of $length bytes"
    tail=$(tail -c $((length % 64)) f | od -An -v -tx1 | tr -d ' \n')
    equal "$(row tail)" "${tail:-none}" "tail of $length bytes"
    equal "$(head -n 1 capture/out)" "OK: sha256 digest of a message of $length bytes verified"
    run 0 "$flock_digest" verify --in p --expect-digest "$(sum f)" --expect-length $length \
        --expect-mode fast
done
large=1048576
[ -z "$SANITIZE" ] || large=65536
head -c $large random >f
prove --file f
equal "$(row digest)" "$(sum f)" "digest of $large bytes"
run 0 "$flock_digest" verify --in p --expect-length $large

# ---- equal and different inputs

head -c 200 random >f
prove --file f
equal "$(row mode)" fast
equal "$(row security)" "100 bits"
equal "$(row layout)" row-major
equal "$(row format)" native
mv p default
same() {
    prove "$@"
    files_equal p default
}
differs() {
    prove "$@"
    ! cmp -s p default || complain "no effect: $*"
}
same --file f --mode fast --layout row --threads 3 --backend portable
same --file=./f --threads 1
same --file - <f
same --file - < <(cat f)
same --file <(cat f)
mkfifo pipe
(head -c 100 f && sleep 0.1 && tail -c 100 f) >pipe &
same --file pipe
wait
rm pipe
FLOCK_BACKEND=portable same --file f
run 0 "$flock_digest" prove --file f --out p --quiet
out_is_empty
files_equal p default
ln -s f link
same --file link
rm link
head -c 199 random >g
differs --file g
(cat g && printf '\0') >h
differs --file h
differs --file f --mode slim
equal "$(row mode)" slim
differs --file f --mode secure
equal "$(row security)" "120 bits"
differs --file f --layout batch
equal "$(row layout)" batch-major
# The output may be the input.
cp f both
run 0 "$flock_digest" prove --file both --out both
files_equal both default
# A file of /proc is longer than the system says.
prove --file /proc/version
equal "$(row digest)" "$(sum /proc/version)"
rm -f g h both

# The proofs of the vectors, byte for byte.
printf '' >empty
printf abc >abc
for ((i = 0; i < 56; i++)); do printf "\\x$(printf %x $i)"; done >56
for ((i = 0; i < 500; i++)); do printf "\\x$(printf %x $(((7 * i + 3) % 256)))"; done >500
prove --file empty
files_equal p "$VECTORS/native/file_empty_fast.flock"
prove --file abc
files_equal p "$VECTORS/native/file_abc_fast.flock"
prove --file 56 --mode slim --layout batch
files_equal p "$VECTORS/native/file_56_slim_batchmajor.flock"
prove --file 500
files_equal p "$VECTORS/native/file_500_fast.flock"
rm -f empty abc 56 500 p

# ---- files that cannot be proved

run 2 "$flock_digest" prove --file missing --out p
err_has 'cannot read: No such file or directory \(missing\)'
mkdir folder
run 2 "$flock_digest" prove --file folder --out p
err_has 'cannot read: Is a directory \(folder\)'
run 2 "$flock_digest" prove --file - --out p <folder
run 2 "$flock_digest" prove --file - --out p <&-
run 2 "$flock_digest" prove --file f --out missing/p
run 2 "$flock_digest" prove --file f --out folder
if [ "$(id -u)" -ne 0 ]; then
    chmod a-r f
    run 2 "$flock_digest" prove --file f --out p
    err_has 'Permission denied'
    chmod u+r f
fi
rmdir folder
truncate -s 67108856 sparse
run 7 "$flock_digest" prove --file sparse --out p
err_has '--file: sparse has more than 67108855 bytes'
run 7 "$flock_digest" prove --file - --out p </dev/zero
err_has '--file: standard input has more than 67108855 bytes'
if [ -z "$SANITIZE" ]; then
    truncate -s 67108855 sparse
    (ulimit -v 3000000 && "$flock_digest" prove --file sparse --out p) >capture/out 2>capture/err
    equal $? 7 "address space limit"
    err_has 'this proof needs about [0-9.]+ GiB, .* are available \(up to [0-9]+ bytes would fit\)'
fi
rm sparse

# Whatever happens to a file after its length is known is an error, or has no effect.
changed() {
    head -c 10000 random >g
    run 2 "$BUILD/read_message" g "$1"
    err_has 'the file changed while it was read \(g\)'
}
head -c 10000 random >g
run 0 "$BUILD/read_message" g true
files_equal capture/out g
run 0 "$BUILD/read_message" g 'rm g'
head -c 10000 random | cmp - capture/out
changed 'echo >>g'
changed 'truncate -s 9999 g'
changed ': >g'
changed 'truncate -s 9000 g && truncate -s 10000 g'
changed 'touch -d 2001-01-01 g'
changed 'printf x | dd of=g bs=1 conv=notrunc status=none && touch -d "1 minute" g'
rm -f g
# The system says that these have a page.
short=$(find /sys/kernel -maxdepth 1 -type f -size 4096c -readable 2>/dev/null | head -n 1)
if [ -n "$short" ]; then
    run 2 "$flock_digest" prove --file "$short" --out p
    err_has 'the file changed while it was read'
fi

# ---- expectations

run 0 "$flock_digest" verify --in default --expect-digest " $(sum f | tr a-f A-F)"
run 0 "$flock_digest" verify --in - --expect-length 200 <default
run 0 "$flock_digest" verify --in default --quiet
out_is_empty
differ() {
    run 5 "$flock_digest" verify --in default "$@"
    err_has 'the proof is valid but not as expected: '
    ! grep -q '^OK' capture/out || complain "OK for a proof of something else"
    equal "$(row digest)" "$(sum f)"
}
other=$(sum random)
differ --expect-digest "$other"
err_has 'another digest'
differ --expect-length 199
err_has 'length is 200, not 199'
differ --expect-mode secure --expect-length 0 --expect-digest "$other"
err_has 'mode is fast, not secure, length is 200, not 0, another digest'
run 5 "$flock_digest" verify --in default --expect-length 1 --quiet
out_is_empty
run 5 "$flock_digest" verify --in "$VECTORS/native/chain_blake3_5_fast.flock"
err_has 'relation is chain, not sha256-file'
run 5 "$flock_chain" verify --in default

# ---- damaged files; the digest and length in a file cannot be changed (its statement is at 11,
# ---- and ends with length, digest and tail)

# put FROM-END-OF-STATEMENT HEX
statement_bytes=$(od -An -tu1 -j 7 -N 1 default | tr -d ' ')
put() {
    cp default q
    printf "$(sed 's/../\\x&/g' <<<"$2")" |
        dd of=q bs=1 seek=$((11 + statement_bytes - $1)) conv=notrunc status=none
}
put 8 0000000000000000 # of the tail, 200 mod 64 bytes
run 4 "$flock_digest" verify --in q
put $((8 + 32)) 00000000 # of the digest
run 4 "$flock_digest" verify --in q
out_is_empty
put $((8 + 32 + 8)) c9 # length 201 has another tail
run 3 "$flock_digest" verify --in q
put $((8 + 32 + 8)) 88 # length 136 too: another number of blocks
run 3 "$flock_digest" verify --in q
head -c 1000 default >q
run 3 "$flock_digest" verify --in q
run 3 "$flock_digest" info --in q
run 3 "$flock_digest" verify --in f
run 2 "$flock_digest" verify --in missing
rm q

# ---- JSON

run 0 "$flock_digest" prove --file f --out p --json
equal "$(json program)" flock_digest
equal "$(json command)" prove
equal "$(json statement.message_bytes)" 200
equal "$(json statement.digest)" "$(sum f)"
equal "$(json statement.blocks)" 4
equal "$(json file)" p
equal "$(json bytes)" "$(stat -c %s p)"
tail=$(json statement.tail)
equal "$tail" "$(tail -c 8 f | od -An -tx1 | tr -d ' \n')"
run 0 "$flock_digest" verify --in p --json
equal "$(json valid)" true
equal "$(json bound)" true
equal "$(json statement.digest)" "$(sum f)"
run 5 "$flock_digest" verify --in p --json --expect-length 9
equal "$(json exit_code)" 5
equal "$(json valid)" true
equal "$(json error)" "$(sed 's/^flock_digest: error: //' capture/err)"
run 2 "$flock_digest" prove --file missing --out p --json
equal "$(json exit_code)" 2
run 0 "$flock_digest" info --in p --json
equal "$(json verified)" false
equal "$(json statement.tail)" "$tail"
run 0 "$flock_digest" info --in p
out_has 'nothing has been verified'
equal "$(row digest)" "$(sum f)"

# ---- progress on a terminal

script -qec "$flock_digest prove --file random --out p --threads 1 --mode slim >result" /dev/null \
    </dev/null >terminal 2>/dev/null &
pid=$!
for ((i = 0; i < 100; i++)); do
    ! grep -q 'proving: phase 1 of 6, witness' terminal 2>/dev/null || break
    sleep 0.1
done
[ $i -lt 100 ] || complain "no progress"
kill $pid
wait $pid 2>/dev/null

rm -f p f random default result terminal
files_are
finish
