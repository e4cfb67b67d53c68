#!/bin/sh
# Format all C files; with --check only tell whether they are formatted.
set -eu
cd "$(dirname "$0")/.."

action="-i"
[ "${1:-}" != "--check" ] || action="--dry-run -Werror"

find src include programs tests bench fuzz examples \( -name '*.[ch]' -o -name '*.inc' \) 2>/dev/null | sort |
    xargs clang-format $action
