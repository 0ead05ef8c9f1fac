#!/bin/sh
# All that CI runs. Stops at the first failure; the last line counts the steps.
set -eu
cd "$(dirname "$0")/.."
passed=0
failed=1
trap 'echo; echo "$passed passed, $failed failed"' EXIT

step() {
    printf '\n== %s\n' "$*"
    "$@"
    passed=$((passed + 1))
}

# A step that says with status 77 that this machine cannot do it.
step_if_able() {
    printf '\n== %s\n' "$*"
    status=0
    "$@" || status=$?
    case $status in
        0) passed=$((passed + 1)) ;;
        77) absent "$*" ;;
        *) exit "$status" ;;
    esac
}

absent() { printf '\n== not run: %s\n' "$*"; }

step cargo fmt --all --check
step cargo clippy --workspace --all-targets -- -D warnings
step cargo clippy -p jmdx-engine --all-targets --features serde -- -D warnings
step cargo check -p jmdx --no-default-features
step cargo check -p jmdx --no-default-features --features savings
for neighbour in gzip jq zstd rsyslogd journalctl /lib/systemd/systemd-journal-remote; do
    command -v "$neighbour" > /dev/null || absent "tests with $neighbour, which is not on this machine"
done
# Both include the examples in the documentation.
step cargo test --workspace
step cargo test -p jmdx-engine --features serde
step env RUSTDOCFLAGS='-D warnings' cargo doc --workspace --no-deps
step env RUSTDOCFLAGS='-D warnings' cargo doc -p jmdx-engine --no-deps --features serde
step scripts/check-unsafe.sh
step scripts/check-features.sh
step scripts/check-dependencies.sh
step_if_able scripts/deny.sh
step scripts/check-docs.sh
step scripts/check-examples.sh
if command -v shellcheck > /dev/null; then
    step shellcheck scripts/*.sh .ci/run
else
    absent "shellcheck is not on this machine"
fi
if [ -d benches ]; then
    step cargo check --manifest-path benches/Cargo.toml --all-targets
    step cargo check --manifest-path benches/toon/Cargo.toml --all-targets
else
    absent "there is no folder benches"
fi
step scripts/demo.sh
step_if_able scripts/check-python.sh
step_if_able scripts/check-inlining.sh
step_if_able scripts/instructions.sh
step_if_able scripts/growth-counted.sh keys promotion

failed=0
