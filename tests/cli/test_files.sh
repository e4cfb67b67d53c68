# Files: every way in which reading and writing can fail, malformed and invalid proofs, and that
# nothing is left behind.
. "$(dirname "$0")/lib.sh"

prove() {
    local code=$1
    shift
    run "$code" "$flock_chain" prove --hash blake3 "$@"
}

# --- cannot read
run 2 "$flock_chain" verify --in missing
err_has '^flock_chain: error: cannot read: No such file or directory \(missing\)$'
run 2 "$flock_chain" info --in missing
mkdir folder
run 2 "$flock_chain" verify --in folder
err_has 'cannot read: Is a directory \(folder\)'
run 2 "$flock_chain" verify --in - <folder
err_has '\(standard input\)'
run 2 "$flock_chain" verify --in - <&-

# --- cannot write: known before the work is done
prove 2 --out missing/p
err_has 'cannot write: No such file or directory \(missing/p\)'
prove 2 --out folder
err_has 'cannot write: Is a directory'
prove 2 --out /proc/p
chmod a-w folder
if [ "$(id -u)" -eq 0 ]; then
    # Nothing is read-only for root, so another user's process tries.
    chmod 755 .
    cp "$flock_chain" program
    run 2 setpriv --reuid=65534 --regid=65534 --clear-groups ./program prove --hash blake3 \
        --out folder/p
    rm program
else
    prove 2 --out folder/p
fi
err_has 'cannot write: Permission denied \(folder/p\)'
chmod u+w folder
prove 2 --out "$(printf 'x%.0s' {1..300})"
err_has 'File name too long'
"$flock_chain" prove --hash blake3 --out p >/dev/full 2>capture/err
equal $? 2 "result not written"
err_has 'cannot write the result'
rm -rf folder
files_are p

# --- replaced as a whole, links followed, special files written in place
chmod 600 p
ln -s p link
before=$(stat -c %i p)
prove 0 --steps 3 --out link
[ -L link ] || complain "the link is gone"
run 0 "$flock_chain" verify --in p --expect-steps 3
[ "$(stat -c %i p)" != "$before" ] || complain "written in place"
before=$(sha256sum p)
prove 7 --steps 2097153 --out p
prove 1 --steps none --out p
equal "$(sha256sum p)" "$before" "untouched"
# A pipe stands for all special files: none of the system's own may be the target of a test.
mkfifo pipe
timeout 60 cat pipe >from_pipe &
prove 0 --steps 3 --out pipe
wait
files_equal from_pipe p
[ -p pipe ] || complain "the pipe was replaced"
(umask 027 && "$flock_chain" prove --hash blake3 --quiet --out masked)
equal "$(stat -c %a masked)" 640
prove 0 --steps 3 --out ./-
run 0 "$flock_chain" verify --in ./-
rm -f link pipe from_pipe masked ./-
# A write that fails half way.
before=$(sha256sum p)
(ulimit -f 8 && "$flock_chain" prove --hash blake3 --out p) >capture/out 2>capture/err
equal $? 2 "file size limit"
err_has '^flock_chain: error: cannot write: File too large \(p\)$'
equal "$(sha256sum p)" "$before" "untouched"
files_are p

# --- a full file system, if this machine lets us have one: nothing is left in it
mkdir full
full_disk='mount -t tmpfs -o size=16k none full && "$0" prove --hash blake3 --out full/p
code=$?
[ -z "$(ls -A full)" ] && exit $code'
if unshare --map-root-user --mount mount -t tmpfs none full 2>capture/err; then
    run 2 unshare --map-root-user --mount sh -c "$full_disk" "$flock_chain"
    err_has '^flock_chain: error: cannot write: No space left on device \(full/p\)$'
else
    echo "skipped: a full file system: $(cat capture/err)"
fi
rmdir full

# --- a reader that goes away: nothing hangs, no success is reported, nothing is left behind
pipe_ends() {
    local code=$1
    [ "$code" -eq 2 ] || [ "$code" -eq 141 ] || complain "exit code $code of a closed pipe"
}
mkfifo pipe
timeout 60 head -c 100 pipe >/dev/null &
"$flock_chain" prove --hash blake3 --steps 1024 --out pipe >capture/out 2>capture/err
pipe_ends $?
wait
(trap '' PIPE && sleep 0.2 && "$flock_chain" verify --in p 2>capture/err) | true
pipe_ends "${PIPESTATUS[0]}"
rm pipe
files_are p

# --- a proof file that is replaced while it is read: always one of both, as a whole
prove 0 --steps 3 --out a
prove 0 --steps 4 --out b
cp a c
(for _ in {1..150}; do
    cp b d && mv d c && cp a d && mv d c
done) &
for _ in {1..20}; do
    run 0 "$flock_chain" verify --in c
    out_has '^steps +[34]$'
done
wait
# And one that is overwritten in place, which cannot be whole: an error like any other, or not yet.
(for i in {1..150}; do
    head -c $((i * 200)) b >c
    cat a >c
done) &
for _ in {1..20}; do
    "$flock_chain" verify --in c >capture/out 2>capture/err
    code=$?
    [ $code -eq 0 ] || [ $code -eq 3 ] || [ $code -eq 4 ] || complain "exit code $code"
done
wait
rm a b c

# --- malformed: exit code 3; invalid: 4
malformed() {
    run 3 "$flock_chain" verify --in q
    out_is_empty
    run 3 "$flock_chain" info --in q
    out_is_empty
}
len=$(stat -c %s p)
: >q
malformed
echo hello >q
malformed
err_has 'not a Flock proof file \(q\)'
for size in 5 6 7 10 11 50 200 $((len / 2)) $((len - 1)); do
    head -c "$size" p >q
    malformed
    err_has 'ends too early|malformed'
done
cp p q
echo >>q
malformed
err_has 'bytes follow the proof'
# put OFFSET HEX: overwrite bytes of q, a copy of p
put() {
    cp p q
    printf "$(sed 's/../\\x&/g' <<<"$2")" | dd of=q bs=1 seek="$1" conv=notrunc status=none
}
put 6 02 # version of the file
malformed
err_has 'unknown version'
put 17 02 # version of the statement
malformed
put 18 07 # relation
malformed
put 19 09 # circuit
malformed
put 54 ffffffffffffffff # count
malformed
put 54 0000000000000000
malformed
put 7 ffffffff # length of the statement
malformed
put $((len / 2)) 0123456789abcdef0123456789abcdef
run 4 "$flock_chain" verify --in q
err_has '^flock_chain: error: invalid proof: '
out_is_empty
run 0 "$flock_chain" info --in q
out_has 'nothing has been verified'
run 4 "$flock_chain" verify --in q --json
equal "$(json valid)" false
equal "$(json exit_code)" 4
run 3 "$flock_chain" verify --in - < <(head -c 300000000 /dev/zero)
# Valid proofs of other relations are no chains.
run 5 "$flock_chain" verify --in "$VECTORS/native/file_500_fast.flock"
err_has 'relation is sha256-file, not chain'
run 5 "$flock_chain" verify --in "$VECTORS/native/merkle_3_two_paths_fast.flock" --quiet
err_has 'relation is merkle, not chain'
rm q p

# --- out of memory: said before the machine is in trouble, or when an allocation fails
if [ -z "$SANITIZE" ]; then
    (ulimit -v 3000000 && "$flock_chain" prove --hash blake3 --steps 2097152 --out p) \
        >capture/out 2>capture/err
    equal $? 7 "address space limit"
    err_has 'not enough memory: this proof needs about [0-9.]+ GiB, [0-9.]+ [KMG]iB are available'
fi
files_are
finish
