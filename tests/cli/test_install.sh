# Install into a fresh folder, move it, and build a user's program against it with pkg-config.
. "$(dirname "$0")/lib.sh"

run_quietly() {
    last_command="$*"
    "$@" >capture/out 2>capture/err || complain "exit code $?"
}
proof=$VECTORS/native/chain_blake3_5_fast.flock

run_quietly cmake --install "$BUILD" --prefix "$work/first"
mv first moved
for file in bin/flock_{chain,batch,digest,merkle} \
    include/flock/{flock,merkle,params,prove,statement,verify}.h; do
    [ -f "moved/$file" ] || complain "$file is not installed"
done
PKG_CONFIG_PATH=$(dirname "$(find moved -name flock.pc)")
export PKG_CONFIG_PATH=$work/$PKG_CONFIG_PATH
for library in flock-verify flock; do
    # Word splitting is wanted: these are lists of flags.
    run_quietly $CC $CFLAGS -std=c17 -Wall -Wextra -Werror -o consumer "$SOURCE/tests/consumer_verify.c" \
        $(pkg-config --cflags --libs $library)
    run_quietly ./consumer "$proof"
    rm -f consumer
done
run_quietly $CC $CFLAGS -std=c17 -Wall -Wextra -Werror -o example "$SOURCE/examples/merkle_path.c" \
    $(pkg-config --cflags --libs flock)
run_quietly ./example
equal "$(pkg-config --modversion flock)" "$(moved/bin/flock_chain --version | cut -d ' ' -f 2)"
pkg-config --libs flock-verify | grep -Eq -- '-lm|openmp' && complain "the verifier links too much"
run_quietly moved/bin/flock_chain verify --in "$proof"

# C++ programs can use the headers.
cat >user.cpp <<'EOF'
#include <flock/merkle.h>
#include <flock/params.h>
#include <flock/prove.h>
#include <flock/verify.h>
int main()
{
    flock_statement statement;
    return flock_verify(nullptr, 0, &statement) == FLOCK_OK || flock_version()[0] == 0;
}
EOF
if command -v "$CXX" >/dev/null; then
    run_quietly $CXX $CFLAGS -Wall -Wextra -Werror -o user user.cpp $(pkg-config --cflags --libs flock)
    run_quietly ./user
fi
finish
