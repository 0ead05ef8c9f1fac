#!/bin/sh
# The main job on real files: every sample goes JSON -> JMD -> JSON and is compared with what it was, byte for byte.
set -eu
cd "$(dirname "$0")/.."
cargo build --release -p jmdx
jmdx="${CARGO_TARGET_DIR:-target}/release/jmdx"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

bytes() { wc -c < "$1" | tr -d ' '; }

printf 'One of them as JMD:\n\n'
sed -n 2p corpora/samples/api.jsonl | "$jmdx" to-jmd --label Response | sed 's/^/    /'
echo

for sample in corpora/samples/*.jsonl; do
    "$jmdx" pipe --in-frame lines < "$sample" > "$work/jmd"
    "$jmdx" pipe --from jmd --to json --out-frame lines < "$work/jmd" > "$work/json"
    printf '%s: %s documents, %s bytes of JSON -> %s bytes of framed JMD -> %s bytes of JSON: ' "$sample" \
        "$(wc -l < "$sample" | tr -d ' ')" "$(bytes "$sample")" "$(bytes "$work/jmd")" "$(bytes "$work/json")"
    cmp "$sample" "$work/json"
    echo equal
done
