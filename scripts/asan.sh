#!/bin/sh
# The engine's tests under AddressSanitizer, on every kernel of this machine: a byte read or written beside an allocation,
# or behind the end of its life, ends them. Needs a nightly compiler. Status 77: this machine cannot do it.
#
#   scripts/asan.sh [TEST...]     all tests of the engine, or those files of engine/tests
set -eu
cd "$(dirname "$0")/.."
host=x86_64-unknown-linux-gnu
if ! rustc +nightly -vV 2> /dev/null | grep -qx "host: $host"; then
    echo "asan: cannot run here: needs a nightly compiler on $host" >&2
    exit 77
fi
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/asan"
export RUSTFLAGS="-Zsanitizer=address"
# A deep `Value` is dropped by recursion, and frames are large here.
export RUST_MIN_STACK=67108864
if [ $# -gt 0 ]; then
    for test in "$@"; do
        cargo +nightly test -p jmdx-engine --target $host --test "$test"
    done
else
    cargo +nightly test -p jmdx-engine --target $host --lib --tests
fi
echo "asan: nothing found"
