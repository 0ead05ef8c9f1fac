#!/bin/sh
# memcheck over the tests that put input at the ends of its memory and output into any room, AVX2 and scalar (valgrind
# knows no AVX-512): a byte read beside an allocation, or used before it was written, fails. Status 77: no valgrind here.
set -eu
cd "$(dirname "$0")/.."
if ! command -v valgrind > /dev/null; then
    echo "valgrind: cannot run here: there is none" >&2
    exit 77
fi
binaries=$(cargo test --quiet -p jmdx-engine --lib --test guard --test room --no-run --message-format=json |
    sed -n 's/.*"executable":"\([^"]*\)".*/\1/p')
[ -n "$binaries" ]
for binary in $binaries; do
    echo "== ${binary##*/}"
    case $binary in
        *guard-*) set -- ;;
        *room-*) set -- ;;
        *) set -- simd:: json::string jmd_text ;;
    esac
    valgrind --quiet --error-exitcode=9 "$binary" --test-threads 1 "$@"
done
echo "valgrind: nothing found"
