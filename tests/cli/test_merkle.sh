# Merkle trees and paths: flags, trees of any number of leaves, lists of indices, expectations, what
# verify says about root and depth, damaged trees and proofs, JSON.
. "$(dirname "$0")/lib.sh"

usage() {
    run 1 "$flock_merkle" "$@"
    out_is_empty
}
# A success that leaves something to the caller says so in one line.
run_noted() {
    last_command=$(printf '%q ' "$@")
    "$@" >capture/out 2>capture/err
    equal $? 0 "exit code"
    [ "$(wc -l <capture/err)" -eq 1 ] || complain "not one note"
    err_has '^flock_merkle: note: .* not compared: the prover chose'
}
tree() {
    run 0 "$flock_merkle" tree --out t "$@"
    root=$(row root)
    depth=$(row depth)
}
# prove LIST FLAGS...: paths of t, verified against it
prove() {
    run 0 "$flock_merkle" prove --tree t --out p --index "$@" &&
        run 0 "$flock_merkle" verify --in p --expect-root "$root" --expect-depth "$depth"
}
hex() {
    od -An -v -tx1 | tr -d ' \n'
}
# leaf I: the leaf in the file `leaves`
leaf() {
    tail -c +$((32 * $1 + 1)) leaves | head -c 32 | hex
}
zero=$(printf '0%.0s' {1..64})

# ---- the command line

"$flock_merkle" >capture/out 2>capture/err
equal $? 1 "no arguments"
out_is_empty
err_has '^usage: flock_merkle COMMAND'
run 0 "$flock_merkle" --help
out_has 'Only the depth tells a leaf from an inner'
run 0 "$flock_merkle" --version
equal "$(cat capture/out)" "flock_merkle $("$flock_chain" --version | cut -d ' ' -f 2)"
for command in tree prove verify info; do
    run 0 "$flock_merkle" $command --help
    out_has "^usage: flock_merkle $command "
    out_has '^  7 +out of memory'
    awk 'length > 100 { exit 1 }' capture/out || complain "help line too long"
done
run 0 "$flock_merkle" tree --help
for flag in leaves lines out depth backend quiet json; do
    out_has "^  --$flag( |\$)"
done
run 0 "$flock_merkle" prove --help
for flag in tree index out mode layout threads backend quiet json; do
    out_has "^  --$flag( |\$)"
done
run 0 "$flock_merkle" verify --help
for flag in in expect-root expect-depth expect-leaf expect-mode backend quiet json; do
    out_has "^  --$flag( |\$)"
done
usage tree --leaves f
err_has '--out TREE is required'
usage tree --out t
err_has 'either --leaves FILE or --lines FILE is required'
usage tree --out t --leaves f --lines f
for wrong in 0 33 -1 many; do
    usage tree --leaves f --out t --depth $wrong
    err_has "--depth: '$wrong' is not a decimal number from 1 to 32"
    usage verify --in p --expect-depth $wrong
done
usage prove --tree t --out p
err_has '--index LIST is required'
usage prove --index 0 --out p
err_has '--tree TREE is required'
usage prove --tree t --index 0 --out p --hash sha256
err_has "unknown flag '--hash'"
usage prove --tree t --index 0 --out p --mode slow
usage prove --tree t --index 0 --out p --layout diagonal
usage prove --tree t --index 0 --index 1 --out p
err_has '--index is given twice'
usage tree --leaves f --out t --backend none
usage prove --tree t --index 0 --out p --backend none
FLOCK_BACKEND=none usage verify --in p
for value in 00 "${zero}0" "${zero%0}" "${zero%0}g"; do
    usage verify --in p --expect-root "$value"
    err_has '--expect-root: not 64 hexadecimal digits'
    usage verify --in p --expect-leaf "1:$value"
    err_has '--expect-leaf: .* is not an index, a colon and 64 hexadecimal digits'
done
for index in '' -1 0x1 '1 ' 1.5 99999999999999999999; do
    # A wrong one is found among right ones.
    usage verify --in p --expect-leaf "1:$zero" --expect-leaf "$index:$zero" --expect-leaf "2:$zero"
    err_has "--expect-leaf: '$index:$zero' is not an index, a colon and"
done
usage verify --in p --expect-leaf "$zero"
usage verify --in p --expect-leaf "1:$zero" --expect-leaf
err_has '--expect-leaf needs a value'

# ---- trees: the roots of the vectors, which have the big-endian words of a root as little-endian

manifest=$VECTORS/native/manifest.json
n_vectors=0
for ((i = 0; i < $("$JSON_GET" "$manifest" '#'); i++)); do
    [ "$("$JSON_GET" "$manifest" $i.relation)" = merkle ] || continue
    vector=$VECTORS/native/$("$JSON_GET" "$manifest" $i.file)
    depth_of_vector=$("$JSON_GET" "$manifest" $i.depth)
    for ((j = 0; j < 1 << depth_of_vector; j++)); do echo "leaf $j"; done >lines
    tree --lines lines
    equal "$depth" "$depth_of_vector"
    words=$("$JSON_GET" "$manifest" $i.root)
    equal "$root" "$(sed 's/\(..\)\(..\)\(..\)\(..\)/\4\3\2\1/g' <<<"$words")" "root of $vector"
    prove "$("$JSON_GET" "$manifest" $i.indices | tr -d '[]')" \
        --mode "$("$JSON_GET" "$manifest" $i.profile)" \
        --layout "$("$JSON_GET" "$manifest" $i.layout)"
    files_equal p "$vector"
    n_vectors=$((n_vectors + 1))
done
[ $n_vectors -ge 3 ] || complain "only $n_vectors vectors"

# Lines: the digest of each without its line feed; the last may lack one; empty ones count.
printf 'a\n\nb\r\n\0c' >lines
tree --lines lines
equal "$(row leaves)" 4
{
    for line in a '' 'b\r' '\0c'; do
        printf "$line" | sha256sum | cut -d ' ' -f 1 | sed 's/../\\x&/g'
    done
} | while read -r escaped; do printf "$escaped"; done >leaves
first_root=$root
tree --leaves leaves
equal "$root" "$first_root" "lines"
echo >>lines
cp t t_leaves
tree --lines lines
files_equal t t_leaves
tree --lines - <lines
tree --leaves - < <(cat leaves)
files_equal t t_leaves

# Any number of leaves: missing ones are zero, and a greater depth adds more of them.
head -c 1024 /dev/urandom >random
head -c 8192 /dev/zero >zeros
for n in 1 2 3 4 5 7 8 9 17; do
    head -c $((32 * n)) random >leaves
    least=1
    while [ $((1 << least)) -lt $n ]; do least=$((least + 1)); done
    tree --leaves leaves
    equal "$depth" $least "depth of $n leaves"
    equal "$(row leaves)" $n
    equal "$(row file)" "t ($((48 + 32 * n)) bytes)"
    equal "$(stat -c %s t)" $((48 + 32 * n))
    equal "$(head -c 48 t | hex)" \
        "$(printf 464c4f434b54'01%02x%02x00000000000000%s' "$depth" $n "$root")"
    tail -c +49 t | cmp - leaves || complain "leaves of the file"
    cat leaves zeros | head -c $((32 << least)) >padded
    own=$root
    tree --leaves padded
    equal "$root" "$own" "padded tree of $n"
    tree --leaves leaves --depth $((least + 2))
    equal "$depth" $((least + 2))
    own=$root
    cat leaves zeros | head -c $((128 << least)) >padded
    tree --leaves padded
    equal "$root" "$own" "deeper tree of $n"
    equal "$depth" $((least + 2))
done
usage tree --leaves leaves --depth 4 --out t
err_has '--depth: a tree of 17 leaves has at least depth 5'
for size in 0 1 31 33 543; do
    head -c $size random >wrong
    usage tree --leaves wrong --out t
    err_has "--leaves: wrong has $size bytes, not one or more leaves of 32 bytes"
done
: >wrong
usage tree --lines wrong --out t
err_has '--lines: wrong is empty'
run 2 "$flock_merkle" tree --leaves missing --out t
err_has 'cannot read: No such file or directory \(missing\)'
mkdir folder
run 2 "$flock_merkle" tree --lines folder --out t
run 2 "$flock_merkle" tree --leaves leaves --out folder
run 2 "$flock_merkle" tree --leaves leaves --out missing/t
rmdir folder
cp leaves both
run 0 "$flock_merkle" tree --leaves both --out both --quiet
out_is_empty
tree --leaves leaves
files_equal both t
tree --leaves leaves --backend portable
files_equal both t
rm -f both wrong padded lines t_leaves

# ---- paths: random sets of leaves, in the order of the list

# prove_set LIST INDEX...: the list means these
prove_set() {
    local list=$1
    shift
    prove "$list"
    equal "$(row paths)" $#
    equal "$(row leaf)" "$(for i; do echo "$i $(leaf "$i")"; done)" "leaves of $list"
    equal "$(head -n 1 capture/out)" \
        "OK: sha256 paths verified: $# leaves under a root of depth $depth"
}
head -c $((11 * 32)) random >leaves
tree --leaves leaves
prove_set 0 0
equal "$(row relation)" merkle
equal "$(row hash)" sha256
equal "$(row depth)" 4
equal "$(row root)" "$root"
equal "$(row mode)" fast
equal "$(row layout)" row-major
equal "$(row format)" native
prove_set 10 10
prove_set 0-10 {0..10}
prove_set 7,2-4,0 7 2 3 4 0
prove_set 5-5,3 5 3
for round in 1 2 3; do
    set -- $(seq 0 10 | shuf -n $((1 + RANDOM % 11)))
    prove_set "$(echo "$*" | tr ' ' ,)" "$@"
done
# A missing leaf is there too, as zeros.
prove 11,15
equal "$(row leaf)" "11 $zero
15 $zero"
for list in a , 1, ,1 1,,2 1- -1 1-2-3 3-1 '1 2' 0x1 1.5 99999999999999999999; do
    usage prove --tree t --index="$list" --out q
    err_has '--index: not a list of leaves and ascending ranges like 3,5,8-15'
done
for list in 16 0,16 3-16 4294967296 0-4294967296; do
    usage prove --tree t --index $list --out q
    err_has "--index: the tree has no leaf ${list##*[,-]} \(leaves 0 to 15\)"
done
for list in 3,3 1-4,2 7,0-9; do
    usage prove --tree t --index $list --out q
    err_has '--index: leaf [237] is twice in the list'
done

# Deep trees with few leaves.
tree --leaves leaves --depth 32
prove 0,10,11,4294967295
equal "$(row leaf | tail -n 2)" "11 $zero
4294967295 $zero"
equal "$(row leaf | head -n 2)" "0 $(leaf 0)
10 $(leaf 10)"
run 7 "$flock_merkle" prove --tree t --index 0-32768 --out q
err_has '--index: 32769 leaves are too many for one proof \(at most 32768 in a tree this deep\)'
run 7 "$flock_merkle" prove --tree t --index 0-4294967295 --out q
tree --leaves leaves --depth 17
run 7 "$flock_merkle" prove --tree t --index 0-131071 --out q
if [ -z "$SANITIZE" ]; then
    (ulimit -v 3000000 && "$flock_merkle" prove --tree t --index 0-32767 --out q) \
        >capture/out 2>capture/err
    equal $? 7 "address space limit"
    err_has 'not enough memory: this proof needs about [0-9.]+ GiB, .* \(use fewer paths\)'
    for command in "tree --leaves /dev/zero --out q" "tree --lines /dev/zero --out q" \
        "prove --tree /dev/zero --index 0 --out q"; do
        # Word splitting is wanted.
        (ulimit -v 500000 && "$flock_merkle" $command) >capture/out 2>capture/err
        equal $? 7 "address space limit"
        err_has 'not enough memory: a file of leaves can have at most [0-9.]+ [MG]iB \(/dev/zero\)'
    done
    # Short lines are leaves of 32 bytes.
    yes '' | head -c 10000000 >lines
    (ulimit -v 500000 && "$flock_merkle" tree --lines lines --out q) >capture/out 2>capture/err
    equal $? 7 "address space limit"
    err_has 'not enough memory: the tree of 10000000 leaves needs 1.0 GiB'
    rm lines
fi

# Flags of a proof.
tree --leaves leaves
prove 3
mv p default
prove 3 --mode fast --layout row --threads 3 --backend portable
files_equal p default
prove 3 --mode secure
equal "$(row security)" "120 bits"
prove 3 --mode slim --layout batch-major
equal "$(row mode)" slim
equal "$(row layout)" batch-major
run 0 "$flock_merkle" prove --tree - --index 3 --out p --quiet <t
out_is_empty
files_equal p default
run 2 "$flock_merkle" prove --tree missing --index 3 --out q
run 2 "$flock_merkle" prove --tree t --index 3 --out missing/q

# ---- expectations, and notes about what was not compared

prove 3,5,8
mv p default
verify() {
    run "$1" "$flock_merkle" verify --in default --expect-root "$root" --expect-depth 4 "${@:2}"
}
verify 0 --expect-leaf "5:$(leaf 5)" --expect-mode fast
verify 0 --expect-leaf "8:$(leaf 8)" --expect-leaf="3:$(leaf 3)" --expect-leaf "5:$(leaf 5)"
verify 0 --expect-leaf "5:$(leaf 5)" --expect-leaf "5:$(leaf 5 | tr a-f A-F)"
verify 0 --quiet
out_is_empty
run_noted "$flock_merkle" verify --in default
err_has 'root and depth were not compared'
equal "$(row root)" "$root"
run_noted "$flock_merkle" verify --in - --expect-root "$root" <default
err_has 'the depth was not compared'
run_noted "$flock_merkle" verify --in default --expect-depth 4
err_has 'the root was not compared'
run_noted "$flock_merkle" verify --in default --json
equal "$(json note)" "$(sed 's/^flock_merkle: note: //' capture/err)"
equal "$(json exit_code)" 0
run 0 "$flock_merkle" verify --in default --quiet
differ() {
    verify 5 "$@"
    err_has 'the proof is valid but not as expected: '
    ! grep -q '^OK' capture/out || complain "OK for a proof of something else"
    equal "$(row depth)" 4
}
differ --expect-mode slim
err_has 'mode is fast, not slim'
differ --expect-leaf "5:$(leaf 3)"
err_has 'leaf 5 is another'
differ --expect-leaf "4:$(leaf 4)"
err_has 'leaf 4 is not in it'
differ --expect-leaf "8:$(leaf 8)" --expect-leaf "5:$(leaf 5)" --expect-leaf "5:$zero"
err_has ': leaf 5 is another \('
differ --expect-leaf "4294967295:$zero"
run 5 "$flock_merkle" verify --in default --expect-root "$zero"
err_has 'another root'
run 5 "$flock_merkle" verify --in default --expect-root "$root" --expect-depth 5
err_has 'depth is 4, not 5'
run 5 "$flock_merkle" verify --in default --expect-depth 1 --quiet
out_is_empty
run 5 "$flock_merkle" verify --in "$VECTORS/native/file_abc_fast.flock"
err_has 'relation is sha256-file, not merkle'
run 5 "$flock_digest" verify --in default

# A deeper tree has another root.
tree --leaves leaves --depth 5
run 5 "$flock_merkle" verify --in default --expect-root "$root" --expect-depth 5
err_has 'another root, depth is 4, not 5'

# ---- damaged proofs: no public value can be changed. The public data, at the end of the
# ---- statement: depth, number of paths (8 bytes), root (32), 3 times index (8) and leaf (32)

tree --leaves leaves
statement_bytes=$((0x$(od -An -tx1 -j 8 -N 1 default | tr -d ' ')$(od -An -tx1 -j 7 -N 1 default |
    tr -d ' ')))
public=$((11 + statement_bytes - 161))
# put OFFSET HEX
put() {
    cp default q
    printf "$(sed 's/../\\x&/g' <<<"$2")" | dd of=q bs=1 seek="$1" conv=notrunc status=none
}
put $public 04
files_equal q default
put $((public + 9)) 00000000 # root
run 4 "$flock_merkle" verify --in q
err_has 'invalid proof'
out_is_empty
run 4 "$flock_merkle" verify --in q --json
equal "$(json valid)" false
put $((public + 41)) 02 # index 3
run 4 "$flock_merkle" verify --in q
put $((public + 49)) 00000000 # leaf 3
run 4 "$flock_merkle" verify --in q
put $((public + 41)) 10 # index 16
run 3 "$flock_merkle" verify --in q
put $public 03
run 3 "$flock_merkle" verify --in q
put $((public + 1)) 02
run 3 "$flock_merkle" verify --in q
put $((public + 1)) ffffffffffffffff
run 3 "$flock_merkle" verify --in q
put $((public + 2000)) 0123456789abcdef
run 4 "$flock_merkle" verify --in q
head -c 1000 default >q
run 3 "$flock_merkle" verify --in q
run 3 "$flock_merkle" verify --in t
run 3 "$flock_merkle" info --in t

# ---- damaged trees

not_a_tree() {
    run 3 "$flock_merkle" prove --tree q --index 0 --out p
    out_is_empty
    err_has "^flock_merkle: error: not a tree file: $1 \(q\)\$"
}
rm -f p
mv default proof
cp t default
len=$(stat -c %s t)
for size in 0 1 6 16 47; do
    head -c $size t >q
    not_a_tree 'it does not begin like one'
done
for size in 48 49 80 $((len - 32)) $((len - 1)); do
    head -c $size t >q
    not_a_tree 'its size is not that of its leaves'
done
cp t q
printf x >>q
not_a_tree 'its size is not that of its leaves'
cat t zeros | head -c $((len + 32)) >q
not_a_tree 'its size is not that of its leaves'
cp proof q
not_a_tree 'it does not begin like one'
put 0 66
not_a_tree 'it does not begin like one'
put 6 02
not_a_tree 'unknown version'
for wrong in 00 21 ff; do
    put 7 $wrong
    not_a_tree 'depth out of range'
done
put 7 03
not_a_tree 'number of leaves out of range'
put 7 05
not_a_tree 'its leaves do not have its root'
for wrong in 0000000000000000 1100000000000000 ffffffffffffffff 0000000000000080; do
    put 8 $wrong
    not_a_tree 'number of leaves out of range'
done
put 7 20ffffffff00000000
not_a_tree 'its size is not that of its leaves'
for offset in 16 47 48 $((len - 1)); do
    byte=$(od -An -tu1 -j $offset -N 1 t)
    put $offset "$(printf %02x $((byte ^ 1)))"
    not_a_tree 'its leaves do not have its root'
done
run 3 "$flock_merkle" prove --tree q --index 0 --out p --json
equal "$(json exit_code)" 3

# ---- JSON

run 0 "$flock_merkle" tree --leaves leaves --out t --json
equal "$(json root)" "$root"
equal "$(json depth)" 4
equal "$(json n_leaves)" 11
equal "$(json bytes)" "$len"
equal "$(json file)" t
run 0 "$flock_merkle" prove --tree t --index 10,2 --out p --json
equal "$(json command)" prove
equal "$(json statement.paths)" 2
equal "$(json statement.leaves.0.index)" 10
equal "$(json statement.leaves.0.leaf)" "$(leaf 10)"
equal "$(json bytes)" "$(stat -c %s p)"
run 0 "$flock_merkle" verify --in p --json --expect-root "$root" --expect-depth 4
equal "$(json valid)" true
equal "$(json bound)" true
equal "$(json statement.root)" "$root"
equal "$(json statement.depth)" 4
equal "$(json 'statement.leaves.#')" 2
equal "$(json statement.leaves.1.leaf)" "$(leaf 2)"
run 5 "$flock_merkle" verify --in p --json --expect-root "$zero"
equal "$(json exit_code)" 5
equal "$(json error)" "$(sed 's/^flock_merkle: error: //' capture/err)"
run 0 "$flock_merkle" info --in p --json
equal "$(json verified)" false
equal "$(json statement.leaves.1.index)" 2
run 0 "$flock_merkle" info --in p
out_has 'nothing has been verified'
equal "$(row leaf | head -n 1)" "10 $(leaf 10)"

rm -f p q t random zeros leaves default proof
files_are
finish
