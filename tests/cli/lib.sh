# Shared by the tests of the command line. CTest sets BUILD and SOURCE (folders), JSON_GET (program),
# SANITIZE (the sanitizers or empty), CC, CXX, CFLAGS. Each test runs in an empty folder of its own.
set -u
VECTORS=$SOURCE/tests/vectors
export LC_ALL=C
unset FLOCK_BACKEND
# Exit codes of the sanitizers must not look like one of the program's.
export ASAN_OPTIONS=exitcode=99 LSAN_OPTIONS=${LSAN_OPTIONS:-}:exitcode=99 UBSAN_OPTIONS=exitcode=99
export TSAN_OPTIONS=${TSAN_OPTIONS:-}:exitcode=99

flock_chain=$BUILD/flock_chain
flock_batch=$BUILD/flock_batch
flock_digest=$BUILD/flock_digest
flock_merkle=$BUILD/flock_merkle
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
mkdir capture
n_failed=0
last_command=

complain() {
    n_failed=$((n_failed + 1))
    echo "FAILED: $*"
    echo "    after: $last_command"
    sed 's/^/    stdout: /' capture/out 2>/dev/null | head -n 12
    sed 's/^/    stderr: /' capture/err 2>/dev/null | head -n 12
}

# run CODE COMMAND...: the command must end with CODE. Its output is in capture/out and capture/err.
# An error is exactly one line that starts with "NAME: error: "; success says nothing on stderr.
run() {
    local expected=$1 code
    shift
    last_command=$(printf '%q ' "$@")
    "$@" >capture/out 2>capture/err
    code=$?
    if [ "$code" -ne "$expected" ]; then
        complain "exit code $code instead of $expected"
        return 1
    fi
    if [ "$expected" -eq 0 ]; then
        [ ! -s capture/err ] || complain "success with text on stderr"
    elif [ "$(wc -l <capture/err)" -ne 1 ] || ! grep -q '^flock_[a-z]*: error: ' capture/err; then
        complain "not one error line"
    fi
}

# The output of the last run must have a line with this extended regular expression.
out_has() {
    grep -Eq -- "$1" capture/out || complain "stdout lacks '$1'"
}
err_has() {
    grep -Eq -- "$1" capture/err || complain "stderr lacks '$1'"
}
out_is_empty() {
    [ ! -s capture/out ] || complain "text on stdout"
}

# The value of a row of the last readable result.
row() {
    sed -n "s/^$1 \{1,\}//p" capture/out
}

# The part of the last JSON result, see json_get.c.
json() {
    "$JSON_GET" capture/out "$1"
}

equal() {
    [ "$1" = "$2" ] || complain "'$1' is not '$2'${3:+ ($3)}"
}

files_equal() {
    cmp "$1" "$2" || complain "$1 differs from $2"
}

# No files but these (and the captured output) are in the folder.
files_are() {
    equal "$(LC_ALL=C ls -A | grep -v '^capture$' | tr '\n' ' ' | sed 's/ $//')" "$*" "files"
}

finish() {
    [ "$n_failed" -eq 0 ] || echo "$n_failed checks failed"
    [ "$n_failed" -eq 0 ]
    exit
}
