#!/bin/sh
# Tests of the engine under Miri, with strict provenance, on the scalar kernel: Miri does not see the vector features of the
# machine. The rest of the tests is not run: one of the kernels' tests alone did not end within two minutes, nor did those of
# json::select, the deep documents of sink::replay, nor, within 400 s, all conformance fixtures. Checks of symbolic alignment are off, as memchr aligns
# by address. Status 77: this machine cannot do it.
set -eu
cd "$(dirname "$0")/.."
if ! cargo +nightly miri --version > /dev/null 2>&1; then
    echo "miri: cannot run here: rustup +nightly component add miri rust-src" >&2
    exit 77
fi
# Isolation is off as the tests read their environment.
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target}/miri"
export MIRIFLAGS="-Zmiri-strict-provenance -Zmiri-disable-isolation"
cargo +nightly miri test -p jmdx-engine --lib -- json::number sink::events sink::joint sink::json_text
cargo +nightly miri test -p jmdx-engine --test heads --test places
echo "miri: nothing found"
