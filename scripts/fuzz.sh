#!/bin/sh
# Fuzzes every target, or those named, each for a minute or the seconds named: scripts/fuzz.sh [SECONDS] [TARGET...]
# Needs a nightly compiler and cargo-fuzz. What is found is kept in fuzz/artifacts; its smallest form belongs into
# fuzz/seeds/TARGET, which cargo test replays. Status 77: this machine cannot do it.
set -eu
cd "$(dirname "$0")/.."
cargo +nightly fuzz --version > /dev/null 2>&1 || {
    echo 'cargo +nightly fuzz is not there: cargo install cargo-fuzz' >&2
    exit 77
}
seconds=60
case ${1:-} in
    '' | *[!0-9]*) ;;
    *) seconds=$1 && shift ;;
esac
[ $# -gt 0 ] || set -- json_any jmd_any roundtrip canonical_fixed_point chunking kernels_agree frames limits
failed=0
for target in "$@"; do
    printf '\n== %s, %s s\n' "$target" "$seconds"
    mkdir -p "fuzz/corpus/$target"
    # ${JMDX_FUZZ_TARGET_DIR:+...}: where to build, if not in fuzz/target.
    cargo +nightly fuzz run ${JMDX_FUZZ_TARGET_DIR:+--target-dir "$JMDX_FUZZ_TARGET_DIR"} "$target" \
        "fuzz/corpus/$target" "fuzz/seeds/$target" -- \
        -max_total_time="$seconds" -max_len=2048 -timeout=20 -print_final_stats=1 || failed=$((failed + 1))
done
echo "$# targets, $failed with findings"
[ "$failed" -eq 0 ]
