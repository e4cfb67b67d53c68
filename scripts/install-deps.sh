#!/bin/sh
# Install the Debian packages that building needs, if any is missing; with --check, also those that
# only the tests and the Debian packages need.
set -eu

packages="cmake ninja-build gcc g++ libc6-dev binutils make pkg-config git
    clang clang-format libclang-rt-dev libomp-dev libcmocka-dev libjansson-dev libssl-dev"
[ "${1:-}" != --check ] || packages="$packages python3 mandoc zsh debhelper dpkg-dev lintian
    gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user libgomp1:arm64
    libcmocka-dev:arm64 libjansson-dev:arm64 libssl-dev:arm64
    gcc-i686-linux-gnu libc6-dev-i386-cross gcc-s390x-linux-gnu libc6-dev-s390x-cross"

if ! command -v dpkg-query >/dev/null; then
    echo "install-deps: not a Debian system; needed are the counterparts of:" $packages >&2
    exit 0
fi

missing=""
for package in $packages; do
    # A package that is provided by another one (pkg-config by pkgconf) counts as installed.
    status=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
    case "$status" in
    *" installed") ;;
    *) missing="$missing $package" ;;
    esac
done
[ -n "$missing" ] || exit 0

as_root=""
if [ "$(id -u)" -ne 0 ]; then
    as_root="sudo"
    if ! command -v sudo >/dev/null; then
        echo "install-deps: run as root:  apt-get install$missing" >&2
        exit 1
    fi
fi

echo "install-deps: installing$missing"
case "$missing" in
*:arm64*) $as_root dpkg --add-architecture arm64 ;;
esac
$as_root apt-get update -qq
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing \
    </dev/null
