# Prove and verify: every flag has its effect, proofs are those of the vectors, expectations decide.
. "$(dirname "$0")/lib.sh"

iv=6a09e667bb67ae853c6ef372a54ff53a510e527f9b05688c1f83d9ab5be0cd19
cv=00112233445566778899aabbccddeeff0123456789abcdeffedcba9876543210

prove() {
    run 0 "$flock_chain" prove --out p "$@" && run 0 "$flock_chain" verify --in p
}

# --- defaults: 8 steps, seed 0, fast, row-major, native, the initial value of the hash
prove --hash blake3
equal "$(row steps)" 8
equal "$(row mode)" fast
equal "$(row security)" "100 bits"
equal "$(row layout)" row-major
equal "$(row format)" native
equal "$(row relation)" chain
equal "$(row hash)" blake3
equal "$(row initial)" $iv
equal "$(head -n 1 capture/out)" "OK: blake3 chain of 8 steps verified"
final=$(row final)
mv p default

# --- equal and different inputs
same() {
    prove --hash blake3 "$@"
    files_equal p default
    rm -f p
}
differs() {
    prove --hash blake3 "$@"
    ! cmp -s p default || complain "no effect: $*"
}
same --steps 8 --seed 0 --mode fast --layout row --format native --initial-cv $iv
same --seed 0x0 --mode FAST --layout row-major --initial-cv " ${iv^^} "
same --steps=8 --mode=fast
same --threads 1
same --threads 3
same --backend portable
same --backend auto
FLOCK_BACKEND=portable same
FLOCK_BACKEND= same
run 0 "$flock_chain" prove --hash BLAKE3 --out default2 --quiet
out_is_empty
files_equal default default2
differs --seed 2a
equal "$(row steps)" 8
first=$(row final)
prove --hash blake3 --seed 0x2A
equal "$(row final)" "$first"
differs --steps 9
equal "$(row steps)" 9
differs --steps 1
differs --mode slim
equal "$(row mode)" slim
differs --mode secure
equal "$(row security)" "120 bits"
differs --layout batch
equal "$(row layout)" batch-major
equal "$(row final)" "$final"
differs --layout batch-major
differs --initial-cv $cv
equal "$(row initial)" $cv

# --- a chain continues where another ended
prove --hash blake3 --steps 8 --initial-cv "$final" --seed 5
head -c 1024 /dev/zero >zeros
prove --hash blake3 --steps 16 --messages zeros
whole=$(row final)
head -c 512 /dev/zero >half
prove --hash blake3 --messages half
prove --hash blake3 --messages half --initial-cv "$(row final)"
equal "$(row final)" "$whole" "two halves"
prove --hash blake3 --messages - <half
run 1 "$flock_chain" prove --hash blake3 --steps 9 --messages half --out q
err_has 'half has fewer than the 576 bytes of 9 steps'
run 1 "$flock_chain" prove --hash blake3 --steps 7 --messages half --out q
err_has 'half has more than the 448 bytes'
run 2 "$flock_chain" prove --hash blake3 --messages missing --out q
err_has 'cannot read: No such file or directory \(missing\)'
# The output may be the input: the messages have been read by then.
cp half both
run 0 "$flock_chain" prove --hash blake3 --messages both --out both
run 0 "$flock_chain" verify --in both
rm -f zeros half both default2

# --- expectations
run 0 "$flock_chain" verify --in default --expect-hash blake3 --expect-steps 8 \
    --expect-initial $iv --expect-final "$final" --expect-mode fast
run 0 "$flock_chain" verify --in default --expect-final " ${final^^}" --expect-hash BLAKE3
run 0 "$flock_chain" verify --in - <default
differ() {
    run 5 "$flock_chain" verify --in default "$@"
    err_has 'the proof is valid but not as expected: '
    ! grep -q '^OK' capture/out || complain "OK for a proof of something else"
    equal "$(row final)" "$final"
}
differ --expect-steps 9
err_has 'steps are 8, not 9'
differ --expect-hash sha256
err_has 'hash is blake3, not sha256'
differ --expect-mode secure
err_has 'mode is fast, not secure'
differ --expect-initial $cv
err_has 'another initial value'
differ --expect-final $cv
err_has 'another final value'
differ --expect-mode slim --expect-steps 7
err_has 'steps are 8, not 7, mode is fast, not slim'
run 5 "$flock_chain" verify --in default --expect-steps 9 --quiet
out_is_empty
run 0 "$flock_chain" verify --in default --quiet --accept-unbound
out_is_empty

# --- the other hashes: names, initial values, both notations of a Keccak state
for name in sha256 SHA2 sha-2 Sha-256; do
    run 0 "$flock_chain" prove --hash $name --out p
    equal "$(row hash)" sha256
    equal "$(row initial)" $iv
done
run 0 "$flock_chain" verify --in p --expect-hash sha2 --expect-initial $iv
run 5 "$flock_chain" verify --in p --expect-hash keccak
for name in keccak KECCAK_F keccak-f; do
    run 0 "$flock_chain" prove --hash $name --steps 1 --out p
    equal "$(row hash)" keccak
    equal "$(row initial)" "$(printf '0%.0s' {1..400})"
done
permuted_zero=$(row final)
equal "${permuted_zero:0:32}" e7dde140798f25f18a47c033f9ccd584 "Keccak-f of zero"
run 5 "$flock_chain" verify --in p --expect-initial $iv
run 0 "$flock_chain" verify --in p --expect-final "$permuted_zero"
order=$VECTORS/chain/cli_runs.json
logical=$("$JSON_GET" "$order" keccak_initial_cv_order.initial_cv_hex)
usual=$("$JSON_GET" "$order" keccak_initial_cv_order.x0_phys)
run 0 "$flock_chain" prove --hash keccak --initial-cv "$logical" --out p
equal "$(row initial)" "$usual"
run 0 "$flock_chain" prove --hash keccak --initial-state "$usual" --out q
files_equal p q
rm -f q

# --- the proofs of the vectors, byte for byte
manifest=$VECTORS/native/manifest.json
field() {
    "$JSON_GET" "$manifest" "$1.$2"
}
n_chains=0
for ((i = 0; i < $("$JSON_GET" "$manifest" '#'); i++)); do
    [ "$(field $i relation)" = chain ] || continue
    hash=$(field $i circuit)
    file=$VECTORS/native/$(field $i file)
    inputs=(--seed "$(field $i seed)")
    [ "$hash" != keccak ] || inputs=(--initial-state "$(field $i x_0)")
    prove --hash "$hash" --steps "$(field $i count)" --mode "$(field $i profile)" \
        --layout "$(field $i layout)" "${inputs[@]}"
    files_equal p "$file"
    n_chains=$((n_chains + 1))
done
[ $n_chains -ge 9 ] || complain "only $n_chains chains"
rm -f p default
files_are
finish
