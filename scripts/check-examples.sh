#!/bin/sh
# Fails when the examples of README.md are not what the program prints. Takes the program's path, else target/debug/jmdx.
set -eu
cd "$(dirname "$0")/.."
jmdx="${1:-${CARGO_TARGET_DIR:-target}/debug/jmdx}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The n-th fenced block of a language.
block() {
    awk -v open="\`\`\`$1" -v nth="$2" '
        $0 == "```" { inside = 0 }
        inside
        $0 == open { inside = ++seen == nth }
    ' README.md
}

block json 1 > "$work/order.json"
block text 1 > "$work/order.jmd"
block text 2 > "$work/ticket.jmd"
block json 2 > "$work/ticket.json"
for file in order.json order.jmd ticket.jmd ticket.json; do
    [ -s "$work/$file" ] || { echo "README.md: the example $file is gone" >&2; exit 1; }
done

"$jmdx" to-jmd --label Order "$work/order.json" | diff "$work/order.jmd" -
"$jmdx" to-json "$work/order.jmd" | diff "$work/order.json" -
"$jmdx" to-json "$work/ticket.jmd" | diff "$work/ticket.json" -

# What scripts/demo.sh prints of a sample.
sample=corpora/samples/api.jsonl
"$jmdx" pipe --in-frame lines < $sample > "$work/jmd"
lines=$(wc -l < $sample | tr -d ' ') json=$(wc -c < $sample | tr -d ' ') jmd=$(wc -c < "$work/jmd" | tr -d ' ')
line="$sample: $lines documents, $json bytes of JSON -> $jmd bytes of framed JMD -> $json bytes of JSON: equal"
[ "$(block text 3)" = "$line" ] || { echo "README.md does not have the line: $line" >&2; exit 1; }
echo "README.md prints what the program prints"
