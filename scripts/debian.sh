#!/bin/bash
# Build the Debian packages into build/debian/ from the files that git knows, check them, and use
# them in a folder of their own: programs, shared libraries, and a user's program.
set -eu
cd "$(dirname "$0")/.."

version=$(sed -n '1s/.*(\(.*\)-[0-9]*).*/\1/p' debian/changelog)
work=$PWD/build/debian
tree=$work/flock-c-$version
rm -rf "$work"
mkdir -p "$tree"
# Of the test vectors the packages' own test needs native proofs only.
git ls-files -z | grep -zv '^tests/vectors/[a-mo-z]' | xargs -0 cp --parents -t "$tree"

cd "$tree"
dpkg-buildpackage -us -uc -b >"$work/build.log" 2>&1 || { tail -n 60 "$work/build.log"; exit 1; }
cd "$work"
ls -l ./*.deb
# The packages are not uploaded to Debian: they close no bug there, and the project has no address.
lintian --fail-on error --suppress-tags \
    initial-upload-closes-no-bugs,bogus-mail-host,bogus-mail-host-in-debian-changelog ./*.changes

# No path of the build in what was built, so that everybody gets the same bytes.
mkdir root
for package in *.deb; do
    dpkg-deb -x "$package" root
done
if grep -rl "$work" root; then
    echo "debian: the files above name the folder of the build" >&2
    exit 1
fi

libraries=$(dirname "$(find "$work/root" -name 'libflock.so.0')")
export LD_LIBRARY_PATH=$libraries
root/usr/bin/flock_chain verify --quiet --in "$tree/tests/vectors/native/chain_blake3_5_fast.flock"
[ "$(root/usr/bin/flock_chain --version)" = "flock_chain $version" ]
cc -o consumer "$tree/tests/consumer_verify.c" -I root/usr/include -L "$libraries" -lflock-verify
./consumer "$tree/tests/vectors/native/chain_blake3_5_fast.flock"
cc -o example "$tree/examples/merkle_path.c" -I root/usr/include -L "$libraries" -lflock
./example >/dev/null
echo "debian: $(ls ./*.deb | grep -cv dbgsym) packages built and used"
