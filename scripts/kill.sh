#!/usr/bin/env bash
# Kills `jmdx convert` (SIGKILL) at random moments, each time in another run of the same command, and compares what there is
# in the end with what an undisturbed run makes.
#
#   scripts/kill.sh             50 kills in each of the layouts
#   scripts/kill.sh KILLS       another number
set -euo pipefail
cd "$(dirname "$0")/.."
kills=${1:-50}

case $kills in
    '' | *[!0-9]*) sed -n '5,6s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
esac
JMDX_KILLS=$kills cargo test --quiet -p jmdx --test convert_killed -- --nocapture
