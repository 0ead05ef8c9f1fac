#!/bin/sh
# 22 000 mutated documents, of which some 20 000 are text, and what we write of 22 000 random values and of all corpora,
# by other readers of JMD: jmd-format 0.11.0 in C and in Python, and the reference in JavaScript where JMDX_JMD_JS is the
# path of its src/index.js. JMDX_DIFF sets another number, JMDX_SEED another start.
# Status 77: this machine cannot do it.
set -eu
cd "$(dirname "$0")/.."
work=target/peers
model=../shared/oracle

cannot() {
    echo "peers: cannot run here: $1" >&2
    exit 77
}

has_jmd() { "$1" -c 'from importlib.metadata import version as v; assert v("jmd-format") == "0.11.0"' 2> /dev/null; }

[ -f "$model/model.py" ] || cannot "there is no $model"
mkdir -p "$work"
python=python3
if ! has_jmd "$python"; then
    python=$work/venv/bin/python
    [ -x "$python" ] || python3 -m venv "$work/venv" || cannot 'no venv'
    has_jmd "$python" || "$python" -m pip install --quiet jmd-format==0.11.0 || cannot 'no jmd-format 0.11.0'
fi
[ -n "${JMDX_JMD_JS:-}" ] || echo 'the reference in JavaScript is left out: JMDX_JMD_JS does not name its src/index.js' >&2

JMDX_PEERS="$PWD/$work" JMDX_DIFF="${JMDX_DIFF:-22000}" \
    cargo test -p jmdx-engine --test differential -- --ignored _for_peers
exec "$python" scripts/peers/check.py "$work" "$model" ${JMDX_JMD_JS:+"$JMDX_JMD_JS"}
