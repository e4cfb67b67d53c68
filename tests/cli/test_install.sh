# Install into a fresh folder, move it, and build users' programs against it outside the tree: in C
# and C++, with pkg-config and with CMake, shared and static.
. "$(dirname "$0")/lib.sh"

run_quietly() {
    last_command="$*"
    "$@" >capture/out 2>capture/err || complain "exit code $?"
}
proof=$VECTORS/native/chain_blake3_5_fast.flock
warnings="-Wall -Wextra -Werror"

run_quietly cmake --install "$BUILD" --prefix "$work/first"
mv first moved
for file in bin/flock_{chain,batch,digest,merkle} \
    include/flock/{flock,merkle,params,prove,statement,verify}.h \
    share/man/man1/flock_{chain,batch,digest,merkle}.1 share/man/man3/libflock.3 \
    share/bash-completion/completions/flock_chain share/zsh/site-functions/_flock_chain; do
    [ -f "moved/$file" ] || complain "$file is not installed"
done
run_quietly moved/bin/flock_chain verify --in "$proof"

# Nothing of the tree or of the first folder is in what users' builds read.
pkgconfig=$(dirname "$(find "$work/moved" -name flock.pc)")
libraries=$(dirname "$pkgconfig")
grep -rlE "$SOURCE|$BUILD|$work/first" "$pkgconfig" "$libraries/cmake" >leaked
[ ! -s leaked ] || complain "paths of the build in $(tr '\n' ' ' <leaked)"
rm leaked

# --- pkg-config
export PKG_CONFIG_PATH=$pkgconfig
equal "$(pkg-config --modversion flock)" "$(moved/bin/flock_chain --version | cut -d ' ' -f 2)"
pkg-config --libs --static flock-verify | grep -Eq -- '-lm|openmp' &&
    complain "the verifier links too much"

# flags KIND LIBRARY: what to add to the compiler's command line.
flags() {
    if [ "$1" = shared ]; then
        echo "$(pkg-config --cflags --libs "$2") -Wl,-rpath,$libraries"
    else
        pkg-config --static --cflags --libs "$2" | sed 's/-l\(flock[a-z-]*\)/-l:lib\1.a/'
    fi
}

# The libraries that a program loads say which kind it was linked with.
loads() {
    readelf -d "$1" | grep -q "NEEDED.*libflock"
    local found=$?
    [ $found -eq "$([ "$2" = shared ] && echo 0 || echo 1)" ] || complain "$1 is not $2"
}

# Word splitting is wanted: these are lists of flags.
for kind in shared static; do
    for library in flock-verify flock; do
        run_quietly $CC $CFLAGS -std=c17 $warnings -o consumer "$SOURCE/tests/consumer_verify.c" \
            $(flags $kind $library)
        loads consumer $kind
        run_quietly ./consumer "$proof"
    done
    run_quietly $CC $CFLAGS -std=c17 $warnings -o consumer "$SOURCE/examples/merkle_path.c" \
        $(flags $kind flock)
    run_quietly ./consumer
    run_quietly $CXX $CFLAGS $warnings -o consumer "$SOURCE/tests/consumer/prove.cpp" \
        $(flags $kind flock)
    loads consumer $kind
    run_quietly ./consumer
done
rm consumer

# --- CMake
mkdir project
cp "$SOURCE"/tests/consumer/* "$SOURCE/tests/consumer_verify.c" "$SOURCE/examples/merkle_path.c" project
for kind in shared static; do
    run_quietly cmake -S project -B build -DCMAKE_PREFIX_PATH="$work/moved" \
        -DCMAKE_C_COMPILER="$CC" -DCMAKE_CXX_COMPILER="$CXX" \
        -DCMAKE_C_FLAGS="$CFLAGS" -DCMAKE_CXX_FLAGS="$CFLAGS" \
        -Dflock_USE_STATIC_LIBS=$([ $kind = static ] && echo ON || echo OFF)
    run_quietly cmake --build build
    for program in verify_in_c prove_in_c prove_in_cpp; do
        loads build/$program $kind
    done
    run_quietly build/verify_in_c "$proof"
    run_quietly build/prove_in_c
    run_quietly build/prove_in_cpp
    rm -rf build
done

# Another minor version is another interface.
sed -i 's/find_package(flock 0.1 /find_package(flock 0.2 /' project/CMakeLists.txt
last_command="find_package(flock 0.2)"
cmake -S project -B build -DCMAKE_PREFIX_PATH="$work/moved" -DCMAKE_C_COMPILER="$CC" \
    -DCMAKE_CXX_COMPILER="$CXX" >capture/out 2>&1 && complain "version 0.2 is accepted"
finish
