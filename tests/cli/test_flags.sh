# The command line itself: help, version, unknown, repeated, missing and unsuitable arguments.
. "$(dirname "$0")/lib.sh"

usage() {
    run 1 "$flock_chain" "$@"
    out_is_empty
}

# --- overview, help, version
"$flock_chain" >capture/out 2>capture/err
equal $? 1 "no arguments"
out_is_empty
err_has '^usage: flock_chain COMMAND'
for word in help --help -h; do
    run 0 "$flock_chain" $word
    out_has '^usage: flock_chain COMMAND'
    out_has '^  prove '
done
run 0 "$flock_chain" --version
out_has '^flock_chain [0-9]+\.[0-9]+\.[0-9]+$'
for command in prove verify info params; do
    run 0 "$flock_chain" $command --help
    out_has "^usage: flock_chain $command "
    out_has '^  7 +out of memory'
    run 0 "$flock_chain" $command --unknown -h
    awk 'length > 100 { exit 1 }' capture/out || complain "help line too long"
done
usage help prove
usage unknown
err_has "unknown command 'unknown'"

# --- every flag that a command has is in its help, and nothing else is accepted
run 0 "$flock_chain" prove --help
for flag in hash out steps seed messages initial-cv initial-state mode layout format threads \
    backend quiet json; do
    out_has "^  --$flag( |\$)"
done
run 0 "$flock_chain" verify --help
for flag in in expect-hash expect-steps expect-initial expect-final expect-mode accept-unbound \
    backend quiet json; do
    out_has "^  --$flag( |\$)"
done
usage prove --hash blake3 --out f --in f
err_has "unknown flag '--in'"
usage prove --hash blake3 --out f --has blake3
usage verify --in f --steps 8
usage verify --in f --threads 1
usage info --in f --quiet
usage params --m 22 --hash blake3
usage prove --hash blake3 --out f extra
err_has "unexpected argument 'extra'"
usage prove --hash blake3 --out f -
usage prove --hash blake3 --out f ''
usage prove --hash blake3 --out f --unknown=3
err_has "unknown flag '--unknown'"

# --- repeated, missing, empty
usage prove --hash blake3 --hash blake3 --out f
err_has '^flock_chain: error: --hash is given twice$'
usage prove --hash blake3 --out f --quiet --quiet
usage verify --in f --in f
usage prove --out f
err_has '--hash HASH is required'
usage prove --hash blake3
err_has '--out FILE is required'
usage verify
err_has '--in FILE is required'
usage info
usage params
err_has '--m M is required'
usage prove --hash blake3 --out
err_has '--out needs a value'
usage prove --hash blake3 --out --quiet
err_has '--out needs a value'
usage prove --hash= --out f
err_has 'empty value'
usage prove --hash blake3 --out f --quiet=yes
err_has '--quiet takes no value'

# --- values
usage prove --hash md5 --out f
err_has "--hash: unknown 'md5' \(one of blake3, sha256,"
usage prove --hash blake3 --mode slow --out f
err_has "--mode: unknown 'slow' \(one of fast, slim, secure\)"
usage prove --hash blake3 --layout diagonal --out f
usage prove --hash blake3 --format old --out f
for steps in 0 -1 +8 8.0 0x8 '8 ' 99999999999999999999; do
    usage prove --hash blake3 --steps "$steps" --out f
    err_has '--steps'
done
for seed in xyz 0x 10000000000000000 -1 ' 1'; do
    usage prove --hash blake3 --seed "$seed" --out f
    err_has '--seed'
done
for threads in 0 1025 many; do
    usage prove --hash blake3 --threads "$threads" --out f
    err_has '--threads'
done
word=0011223344556677
for value in "$word" "$word$word$word${word}00" "$word$word$word${word%7}g" "0x$word$word$word$word"; do
    usage prove --hash blake3 --initial-cv "$value" --out f
    err_has '--initial-cv: not the 64 hexadecimal digits'
    usage verify --in f --expect-final "$value"
    err_has '--expect-final: not 64 '
    usage verify --in f --expect-initial "$value"
done
usage verify --in f --expect-hash md5
usage verify --in f --expect-steps none
usage verify --in f --expect-mode none
usage params --m 12a
usage params --m 99
usage params --m 36
err_has '--m: no parameters for m = 36 \(native format: [0-9]+ to 35\)'
usage params --m 21 --format reference
err_has 'reference format: 22 to 35'

# --- combinations
iv=$word$word$word$word
usage prove --hash blake3 --seed 1 --messages f --out g
err_has '--seed and --messages exclude each other'
usage prove --hash blake3 --initial-state "$iv" --out f
err_has '--initial-state is for keccak'
usage prove --hash keccak --seed 1 --out f
err_has 'keccak chain has no messages'
usage prove --hash keccak --messages f --out f
usage prove --hash keccak --initial-cv 00 --initial-state 00 --out f
err_has 'exclude each other'
usage prove --hash blake3 --format reference --steps 256 --layout batch --out f
err_has 'row-major'
for steps in 8 128 300 257; do
    usage prove --hash blake3 --format reference --steps $steps --out f
    err_has 'a power of two from 256 to 2097152'
done
usage prove --hash blake3 --format reference --out f
run 7 "$flock_chain" prove --hash blake3 --steps 2097153 --out f
err_has 'at most 2097152 for blake3'
run 7 "$flock_chain" prove --hash blake3 --format reference --steps 4194304 --out f
run 7 "$flock_chain" prove --hash sha256 --steps 1048577 --out f
err_has 'at most 1048576 for sha256'
run 7 "$flock_chain" prove --hash keccak --steps 524289 --out f
err_has 'at most 524288 for keccak'
usage prove --hash keccak --initial-cv "$iv" --out f
err_has '--initial-cv: not the 400 hexadecimal digits of a keccak value'
usage prove --hash keccak --initial-state "$iv" --out f

# --- backends
usage prove --hash blake3 --backend none --out f
err_has "--backend: no backend 'none' on this machine \(available: auto, portable"
FLOCK_BACKEND=none usage verify --in f
err_has "FLOCK_BACKEND: no backend 'none' on this machine \(available: auto, portable"

# --- an error is also a JSON object if one is asked for
run 1 "$flock_chain" prove --out f --json
equal "$(json exit_code)" 1
equal "$(json error)" "$(sed 's/^flock_chain: error: //' capture/err)"

files_are
finish
