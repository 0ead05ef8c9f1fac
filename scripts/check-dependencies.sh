#!/bin/sh
# Fails when docs/dependencies.txt is not what is built into the program on x86-64 Linux; with --write, writes it.
set -eu
cd "$(dirname "$0")/.."
tree=$(mktemp)
trap 'rm -f "$tree"' EXIT
cargo tree --locked --edges normal --package jmdx --target x86_64-unknown-linux-gnu --charset ascii > "$tree"
# Without the folders of this checkout.
sed -i 's| (/[^)]*)||' "$tree"
[ "${1:-}" != --write ] || cp "$tree" docs/dependencies.txt
diff docs/dependencies.txt "$tree" || {
    echo 'docs/dependencies.txt is not what is built in; scripts/check-dependencies.sh --write' >&2
    exit 1
}
echo "$(sed "s/^[^a-z]*//; s/ (\*)\$//" "$tree" | sort -u | wc -l) crates, as docs/dependencies.txt has them"
