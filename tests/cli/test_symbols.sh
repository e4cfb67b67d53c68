# The libraries' symbols: the verifier needs the C library alone, and both define flock_* only.
. "$(dirname "$0")/lib.sh"

verify_library=$BUILD/libflock-verify.a
library=$BUILD/libflock.a

# The functions of the C library that the verifier may use: memory and strings, the environment.
allowed='memcpy|memmove|memset|memcmp|bcmp|strcmp|strlen|strncmp|malloc|aligned_alloc|calloc|realloc|free|getenv'
# What compilers and sanitizers add by themselves.
runtime='__stack_chk_fail|__cpu_model|__cpu_indicator_init|_GLOBAL_OFFSET_TABLE_|__mem(cpy|set|move)_chk'
[ -z "$SANITIZE" ] || runtime="$runtime|__[a-z]*san_.*|___asan_.*|__start___.*|__stop___.*"

nm -u "$verify_library" | awk 'NF == 2 && $1 == "U" { print $2 }' | sort -u >undefined
[ -s undefined ] || complain "no undefined symbols at all: nm failed?"
grep -Evx "$allowed|$runtime" undefined >unexpected
[ ! -s unexpected ] || complain "the verifier needs $(tr '\n' ' ' <unexpected)"

for archive in "$verify_library" "$library"; do
    nm -g --defined-only "$archive" | awk 'NF == 3 { print $3 }' | sort -u >defined
    grep -q '^flock_verify$' defined || complain "$archive has no flock_verify"
    grep -v '^flock_' defined >unexpected
    [ -z "$SANITIZE" ] || sed -i '/^_*asan\|^__odr_asan\|^___asan/d' unexpected
    [ ! -s unexpected ] || complain "$archive defines $(tr '\n' ' ' <unexpected)"
done
grep -q '^flock_prove_chain$' defined || complain "no flock_prove_chain"
nm -g --defined-only "$verify_library" | grep -q 'prove' && complain "the verifier has prover code"

# Every function of the public headers is there.
sed -n 's/^FLOCK_API .*[ *]\(flock_[a-z0-9_]*\)(.*/\1/p' "$SOURCE/include"/flock/*.h | sort -u >declared
[ "$(wc -l <declared)" -gt 15 ] || complain "few declarations found"
comm -23 declared defined >missing
[ ! -s missing ] || complain "libflock.a lacks $(tr '\n' ' ' <missing)"

# The shared libraries export the functions of the public headers and nothing else: all of them, and
# those of the verifier.
exported() {
    nm -D --defined-only "$1" | awk 'NF == 3 { print $3 }' | sort -u >exports
    [ -z "$SANITIZE" ] || sed -i '/asan/d; /^__sancov/d' exports
}
exported "$BUILD/libflock.so"
diff declared exports >difference || complain "libflock.so exports $(tr '\n' ' ' <difference)"

functions_of() {
    for header in "$@"; do
        sed -n 's/^FLOCK_API .*[ *]\(flock_[a-z0-9_]*\)(.*/\1/p' "$SOURCE/include/flock/$header.h"
    done | sort -u
}
exported "$BUILD/libflock-verify.so"
functions_of flock statement verify merkle >wanted
diff wanted exports >difference || complain "libflock-verify.so exports $(tr '\n' ' ' <difference)"

# So do the lists from which Debian derives what a program needs.
for library in flock flock-verify; do
    exported "$BUILD/lib$library.so"
    sed -n 's/^ \(flock_[a-z0-9_]*\)@Base .*/\1/p' "$SOURCE/debian/lib${library}0.symbols" | diff exports - >difference ||
        complain "debian/lib${library}0.symbols differs: $(tr '\n' ' ' <difference)"
done

# Names of the binary interface, and what the loader has to find.
dynamic() {
    readelf -d "$1" | sed -n "s/.*($2).*\[\(.*\)\]/\1/p" | sort | tr '\n' ' '
}
for name in flock flock-verify; do
    equal "$(dynamic "$BUILD/lib$name.so" SONAME)" "lib$name.so.0 "
    [ -e "$BUILD/lib$name.so.0" ] || complain "no lib$name.so.0"
done
[ -n "$SANITIZE" ] || equal "$(dynamic "$BUILD/libflock-verify.so" NEEDED)" "libc.so.6 "
finish
