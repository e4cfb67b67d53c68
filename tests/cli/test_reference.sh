# The reference format: the bytes of the reference implementation, and files that bind nothing.
. "$(dirname "$0")/lib.sh"

runs=$VECTORS/chain/cli_runs.json

for ((i = 0; i < $("$JSON_GET" "$runs" 'runs.#'); i++)); do
    arguments=()
    for ((j = 0; j < $("$JSON_GET" "$runs" "runs.$i.args.#"); j++)); do
        arguments+=("$("$JSON_GET" "$runs" "runs.$i.args.$j")")
    done
    run 0 "$flock_chain" prove --format reference --out p "${arguments[@]}"
    equal "$(sha256sum <p)" "$("$JSON_GET" "$runs" "runs.$i.bundle_sha256")  -" "${arguments[*]}"
    last=$("$JSON_GET" "$runs" "runs.$i.cv_last")
    [ "$last" = null ] || equal "$(row final)" "$last"
    run 0 "$flock_chain" verify --in p --accept-unbound
    rm -f p
done
[ $i -ge 13 ] || complain "only $i runs"

# --- without --accept-unbound
proofs=$VECTORS/proofs
file=$proofs/blake3_chain_256_fast_seed0.bin
final=1c3612916d048634e855e7f7f95c18c52cbfc77e1359479898aed59b48a57fb9
run 6 "$flock_chain" verify --in "$file"
err_has 'the reference format does not bind its endpoints'
equal "$(row final)" $final
equal "$(row format)" reference
out_has '^binding +none'
! grep -q '^OK' capture/out || complain "OK for an unbound proof"
run 6 "$flock_chain" verify --in "$file" --expect-final $final
run 5 "$flock_chain" verify --in "$file" --expect-steps 257
run 5 "$flock_chain" verify --in "$file" --expect-mode secure --accept-unbound
run 6 "$flock_chain" verify --in "$file" --json
equal "$(json valid)" true
equal "$(json bound)" false
run 0 "$flock_chain" verify --in "$file" --accept-unbound --expect-steps 256 --expect-hash blake3 \
    --expect-final $final --expect-mode fast
out_has '^OK: blake3 chain of 256 steps verified'
out_has '^binding +none'
# This is why: the same proof with a made-up end.
forged=$proofs/FALSE_blake3_chain_256_fast_forged_endpoint.bin
run 6 "$flock_chain" verify --in "$forged"
run 5 "$flock_chain" verify --in "$forged" --expect-final $final --accept-unbound
run 0 "$flock_chain" verify --in "$proofs/blake3_chain_256_secure_seed0.bin" --accept-unbound
equal "$(row security)" "115 bits"
# Not a chain: the file does not say what it is about.
run 3 "$flock_chain" verify --in "$proofs/blake3_batch_256_fast_seed0.bin"

# The all-zero Keccak witness that the reference implementation accepts.
run 4 "$flock_chain" verify --in "$VECTORS/chain/forged_keccak_all_zero_64.bin" --accept-unbound
files_are
finish
