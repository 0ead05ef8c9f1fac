#!/bin/sh
# The long differential run: 20 000 random values and 20 000 mutated documents against the executable model.
# JMDX_DIFF sets another number, JMDX_SEED another start.
set -eu
cd "$(dirname "$0")/.."
JMDX_DIFF="${JMDX_DIFF:-20000}" exec cargo test -p jmdx-engine --test differential -- --nocapture
