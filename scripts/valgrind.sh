#!/bin/sh
# memcheck over the tests with input in allocations of its size and output in any room, AVX2 and scalar (valgrind knows
# no AVX-512): a byte read beside an allocation, or used before it was written, fails. The tests with guard pages cannot
# run there, as the pages' size cannot be asked for. Status 77: no valgrind here.
set -eu
cd "$(dirname "$0")/.."
if ! command -v valgrind > /dev/null; then
    echo "valgrind: cannot run here: there is none" >&2
    exit 77
fi
binaries=$(cargo test --quiet -p jmdx-engine --test heap --test room --no-run --message-format=json |
    sed -n 's/.*"executable":"\([^"]*\)".*/\1/p')
[ -n "$binaries" ]
for binary in $binaries; do
    echo "== ${binary##*/}"
    valgrind --quiet --error-exitcode=9 "$binary" --test-threads 1
done
echo "valgrind: nothing found"
