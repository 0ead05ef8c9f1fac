#!/usr/bin/env bash
# How long one frame of 200 bytes takes through the pipe and back, in microseconds: a host that sends one and waits, as
# a release build answers it. Prints machine, load and table. A machine that does nothing else gives the best figures.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo test --quiet --release -p jmdx --test latency --no-run
sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1
echo "$(nproc) cores, load average $(cut -d ' ' -f 1-3 /proc/loadavg) before"
cargo test --quiet --release -p jmdx --test latency -- --ignored --nocapture | grep '^|'
echo "load average $(cut -d ' ' -f 1-3 /proc/loadavg) after"
