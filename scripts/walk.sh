#!/usr/bin/env bash
# The walk of docs/datasets.md: generate, convert to shards, be killed, go on, convert back, compare, check.
#
#   scripts/walk.sh             200 MB
#   scripts/walk.sh SIZE        another size, such as 20MB
set -euo pipefail
cd "$(dirname "$0")/.."
size=${1:-200MB}
cargo build --release --quiet
PATH=$PWD/target/release:$PATH
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

generate chat --size "$size" > chat.jsonl
jmdx convert chat.jsonl --out-dir jmd --compress zst --shard-size 4MiB &
run=$!
sleep 0.3
kill -9 "$run" 2> /dev/null || true
wait "$run" 2> /dev/null || true
echo "killed after $(find jmd -name '*.zst' | wc -l) shards"
jmdx convert chat.jsonl --out-dir jmd --compress zst --shard-size 4MiB
echo "then $(find jmd -name '*.zst' | wc -l) shards"
jmdx convert jmd --to json --out-dir json
cat json/chat-*.jsonl | cmp - chat.jsonl
echo "the way back: equal"
jmdx check --roundtrip chat.jsonl
