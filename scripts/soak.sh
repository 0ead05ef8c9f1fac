#!/usr/bin/env bash
# The long run: mixed good and bad records through a release build, which must end with in = out + counted errors.
#
#   scripts/soak.sh             ten minutes
#   scripts/soak.sh SECONDS     another time
#
# Prints the counters and the peak memory of the program.
set -euo pipefail
cd "$(dirname "$0")/.."
seconds=${1:-600}

case $seconds in
    '' | *[!0-9]*) sed -n '4,5s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
esac
JMDX_SOAK_SECONDS=$seconds cargo test --quiet --release -p jmdx --test soak -- --ignored --nocapture
