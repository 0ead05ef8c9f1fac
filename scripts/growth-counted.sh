#!/usr/bin/env bash
# Whether work grows with the input and no faster, by instructions, which no other work on the machine can change. The
# inputs of engine/tests/growth.rs, smaller, each once and once four times as long: a linear algorithm takes four times
# as many, a quadratic one sixteen, and more than five times fails.
#
#   scripts/growth-counted.sh [TEST...]     all tests, or those whose names hold one of these
#
# valgrind's callgrind counts, which knows AVX2 and no AVX-512. Exit status: 0 within bounds, 1 not, 77 when this machine
# cannot tell.
set -euo pipefail
cd "$(dirname "$0")/.."
bound=5
command -v valgrind > /dev/null || {
    echo "growth: cannot run here: needs valgrind" >&2
    exit 77
}
work=${CARGO_TARGET_DIR:-target}/growth
rm -rf "$work"
mkdir -p "$work"
binary=$(cargo test --quiet -p jmdx-engine --test growth --no-run --message-format=json |
    sed -n 's/.*"executable":"\([^"]*growth-[^"]*\)".*/\1/p')
# Each call of this function makes a file, in order, of what stands between, and one of its own instructions.
JMDX_GROWTH_COUNTED=1 valgrind --tool=callgrind --callgrind-out-file="$work/out" --log-file="$work/log" \
    --dump-before=growth::counted_work --dump-after=growth::counted_work \
    "$binary" --ignored --nocapture --test-threads 1 --skip a_square_would_be_seen "$@" > "$work/told"
sed -n 's/.*counted: //p' "$work/told" > "$work/names"
find "$work" -name 'out.*' | sort -t. -k2n | while read -r part; do
    grep -q '^desc: Trigger: --dump-after' "$part" && sed -n 's/^totals: //p' "$part"
done > "$work/counts" || true
paste -d, - - < "$work/counts" | paste -d, - <(tr ',' ';' < "$work/names") | awk -F, -v bound=$bound '
    $1 < 1 || $2 < 1 || $3 == "" { print "not counted: " $0; bad++; next }
    {
        growth = $2 / $1
        printf "%5.2f  %s\n", growth, $3
        if (growth > bound) { print "grows faster than the input: " $3; bad++ }
        if (growth < 2) { print "hardly grows, so nothing was seen: " $3; bad++ }
    }
    END {
        printf "growth: %d compared, %d out of bounds\n", NR, bad
        exit (bad || !NR)
    }
'
