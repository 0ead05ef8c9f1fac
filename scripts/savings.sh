#!/bin/sh
# The tables of docs/savings.md, anew: what JMD costs and saves against JSON on the corpora of ../shared (or of a folder that is
# named), where they are there, and on generated ones.
set -eu
cd "$(dirname "$0")/.."
cargo build --release -p jmdx -p generate
bin="${CARGO_TARGET_DIR:-target}/release"
real=${1:-../shared/corpora}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for kind in chat logs api; do
    "$bin/generate" "$kind" --size 2MB --seed 1 > "$work/$kind.jsonl"
done

# A row of the first table: name, then files.
row() {
    name=$1
    shift
    "$bin/jmdx" savings "$@" --csv --no-throughput --quiet --forms jmd-grouped | tr -d '\r' | awk -F, -v name="$name" '
        $2 == "" && $4 == "jmd" { records = $5; compact[$1] = $8; dumps[$1] = $9; pretty[$1] = $10 }
        function both(list) { return sprintf("%+.1f / %+.1f", list["o200k_base"], list["cl100k_base"]) }
        END { printf "| %s | %d | %s | %s | %s |\n", name, records, both(compact), both(dumps), both(pretty) }'
}

printf 'Tokens of JMD against JSON in percent, o200k_base / cl100k_base:\n\n'
# shellcheck disable=SC2016 # backquotes of Markdown
printf '| corpus | records | against compact | against `json.dumps` | against pretty |\n|---|---:|---:|---:|---:|\n'
if [ -d "$real" ]; then
    for file in "$real"/*.jsonl "$real"/*.json; do
        row "$(basename "$file")" "$file"
    done
    row '**all of these**' "$real"
fi
for kind in chat logs api; do
    row "generated $kind" "$work/$kind.jsonl"
done
row '**all generated**' "$work"

# The second table: all forms on the records that all of them hold.
printf '\nAll forms, on the records that all of them hold:\n\n'
if [ -d "$real" ]; then
    "$bin/jmdx" savings "$real" --quiet
fi
"$bin/jmdx" savings "$work" --no-throughput --quiet
