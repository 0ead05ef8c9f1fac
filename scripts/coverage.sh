#!/bin/sh
# Lines and regions that tests run, by file: scripts/coverage.sh [ARGUMENT OF cargo llvm-cov report...]
#
# The engine with all features and the program without `savings`. Left out, as
# they take long or measure what instrumented code has not: the fuzz checks, the differential runs, memory and kill tests,
# those of rsyslog, and what is ignored. A killed program may leave counts half written, which are left out. Status 77: this
# machine cannot do it.
set -eu
cd "$(dirname "$0")/.."
cargo llvm-cov --version > /dev/null 2>&1 || {
    echo 'cargo llvm-cov is not there: cargo install cargo-llvm-cov' >&2
    exit 77
}
cargo llvm-cov clean --workspace


run() { cargo llvm-cov --no-report --no-fail-fast --profile coverage "$@"; }

run -p jmdx-engine --features serde --lib \
    --test cases --test chunking --test conformance --test coverage --test escapes --test guard --test heads --test injection \
    --test json_suite --test places --test room --test roundtrip --test runs
run -p jmdx --no-default-features --bin jmdx \
    --test cases --test check --test convert --test convert_records --test events --test failures --test files \
    --test frames --test hints --test json_seq --test lockstep --test logs --test metrics --test neighbours \
    --test options --test pipe --test reports --test signals --test smuggling --test sockets --test wrap

cargo llvm-cov report --failure-mode all --profile coverage --summary-only "$@"
