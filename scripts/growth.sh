#!/bin/sh
# Whether work grows with the input and no faster, on generated worst cases. It measures processor time: not for CI.
set -eu
cd "$(dirname "$0")/.."
exec cargo test -p jmdx-engine --test growth -- --ignored --nocapture --test-threads 1
