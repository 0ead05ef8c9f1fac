#!/bin/sh
# Licences, versions that stand twice, sources, and known faults of what is built in, by deny.toml. The faults are those of
# the RustSec database as it lies on this machine, or can be fetched; where neither is so, the script says it, and goes on.
# Needs cargo-deny (cargo install cargo-deny --locked). Status 77: it is not here.
set -eu
cd "$(dirname "$0")/.."
if ! command -v cargo-deny > /dev/null; then
    echo "deny: cannot run here: cargo install cargo-deny --locked" >&2
    exit 77
fi
cargo deny --offline check --deny unmatched-skip bans licenses sources
told=$(mktemp)
trap 'rm -f "$told"' EXIT
if cargo deny check advisories > "$told" 2>&1; then
    cat "$told"
elif grep -q 'failed to fetch advisory database' "$told"; then
    echo "deny: advisories not checked: the database cannot be had here"
else
    cat "$told" >&2
    exit 1
fi
