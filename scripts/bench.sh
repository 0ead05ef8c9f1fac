#!/usr/bin/env bash
# The engine beside its peers, in one interleaved run: prints the table and writes benches/record/<date>-<cpu>.md.
# Peers and engine are built for this processor; a second, portable build of the engine takes part too, and so does
# jmd-format (Python) where pip can install it, and jq and jaq where they are found. Best on a machine that does nothing else: it says what the load was.
# Arguments go to the table, e.g. `--rounds 20`.
set -euo pipefail
cd "$(dirname "$0")/.."

build() {
    local flags=$1 folder=$2 manifest=$3
    RUSTFLAGS=$flags cargo build --quiet --release --manifest-path "$manifest" --bins --target-dir "$folder"
}

build '-C target-cpu=native' benches/target/native benches/Cargo.toml
# A command of its own: toon-format's features of serde_json would reach the other peers.
build '-C target-cpu=native' benches/target/native benches/toon/Cargo.toml
build '' benches/target/portable benches/Cargo.toml
cargo build --quiet --release -p jmdx -p generate

options=()
python=target/bench-python/bin/python
has_peers() { "$python" -c 'import jmd, orjson' 2> /dev/null; }
if ! has_peers && python3 -m venv target/bench-python; then
    "$python" -m pip install --quiet jmd-format==0.11.0 orjson || true
fi
if has_peers; then
    options+=(--python "$python scripts/bench-python.py")
    options+=(--also "$("$python" -V), $("$python" -m pip list --format freeze | grep -E '^(jmd-format|orjson)=' | paste -sd ' ')")
else
    echo "jmd-format does not take part: pip could not install it" >&2
fi

cpu=$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1 | tr -cs 'A-Za-z0-9\n' '-' | tr '[:upper:]' '[:lower:]' | sed 's/-$//')
record=benches/record/$(date -u +%F)-${cpu:-unknown}.md
mkdir -p benches/record
benches/target/native/release/table benches/target/corpora \
    --portable 'benches/target/portable/release/table serve' --toon benches/target/native/release/toon \
    "${options[@]}" "$@" > "$record.new"
if command -v python3 > /dev/null; then
    echo >> "$record.new"
    scripts/bench-pipe.py target/release/jmdx target/release/generate benches/target/corpora >> "$record.new"
else
    echo "the pipe is not measured: there is no python3" >&2
fi
mv "$record.new" "$record"
cat "$record"
echo "written: $record" >&2
