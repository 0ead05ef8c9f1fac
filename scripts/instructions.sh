#!/usr/bin/env bash
# Instructions per byte of input, by corpus and direction, against the kept table benches/instructions.txt.
#
#   scripts/instructions.sh             compares: more than 3 % above the table fails, more than 3 % below asks to update
#   scripts/instructions.sh --update    measures and writes the table
#
# Clocks on shared machines are noisy, instruction counts are not. valgrind's callgrind counts them for the AVX2 kernel
# (it knows no AVX-512) on generated corpora, and on public ones where they lie beside the repository; a corpus that is
# not there is named and not compared. One count is the difference of two runs, with and without one more conversion.
# Exit status: 0 within bounds, 1 not, 77 when this machine cannot tell.
set -euo pipefail
cd "$(dirname "$0")/.."
table=benches/instructions.txt
tolerance=3
work=$PWD/target/instructions

cannot() {
    echo "instructions: cannot run here: $1" >&2
    exit 77
}

update=
case ${1:-} in
    '') ;;
    --update) update=1 ;;
    *) sed -n '2,5s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
esac

command -v valgrind > /dev/null || cannot "needs valgrind"
grep -qw avx2 /proc/cpuinfo || cannot "needs a processor with AVX2"

mkdir -p "$work"
cargo build -q --release -p generate
cargo build -q --release --manifest-path benches/Cargo.toml --bin count
generate=${CARGO_TARGET_DIR:-target}/release/generate
count=${CARGO_TARGET_DIR:-benches/target}/release/count
for kind in logs chat api; do
    "$generate" $kind --size 1MB --seed 1 > "$work/$kind.jsonl"
done

# Prints the bytes of input and the instructions of the whole run.
run() {
    local log=$work/callgrind.log bytes
    bytes=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null --log-file="$log" "$count" "$@")
    echo "$bytes" "$(sed -n 's/.*Collected : //p' "$log")"
}

measure() {
    local file=$1 to=$2 bytes none once
    read -r bytes none < <(run "$file" "$to" avx2 0)
    read -r bytes once < <(run "$file" "$to" avx2 1)
    awk -v name="${file##*/}" -v to="$to" -v bytes="$bytes" -v none="$none" -v once="$once" \
        'BEGIN { if (bytes < 1 || once <= none) exit 1; printf "%-20s %-5s %9d %7.3f\n", name, to, bytes, (once - none) / bytes }'
}

: > "$work/now.txt"
absent=
for file in "$work"/{logs,chat,api}.jsonl ../shared/corpora/{twitter,citm_catalog,canada,gsoc-2018}.json; do
    if [[ ! -r $file ]]; then
        absent+=" ${file##*/}"
        continue
    fi
    for to in jmd json; do
        measure "$file" $to | tee -a "$work/now.txt"
    done
done
[[ -z $absent ]] || echo "not there, not compared:$absent"

if [[ $update ]]; then
    {
        echo "# Instructions per byte of input with the AVX2 kernel, as scripts/instructions.sh counts and keeps them."
        echo "# $(rustc --version | cut -d' ' -f1-2), valgrind $(valgrind --version | sed 's/^valgrind-//')"
        echo "# corpus             to        bytes   instructions/byte"
        awk 'FNR == NR { now[$1, $2]; print; next } !/^#/ && !(($1, $2) in now)' \
            "$work/now.txt" <(cat "$table" 2> /dev/null || true)
    } > "$work/table.txt"
    mv "$work/table.txt" "$table"
    echo "written: $table"
    exit 0
fi

grep -qF "$(rustc --version | cut -d' ' -f1-2)," "$table" || echo "note: the table is from another compiler: $(sed -n 2p "$table")"
awk -v tolerance=$tolerance '
    FNR == NR { if (!/^#/) { bytes[$1, $2] = $3; kept[$1, $2] = $4 } next }
    !(($1, $2) in kept) { print "not in the table:", $1, $2; bad++; next }
    {
        compared++
        if (bytes[$1, $2] != $3) { print "input has another length than in the table:", $1, $2, bytes[$1, $2], "->", $3; bad++ }
        change = ($4 / kept[$1, $2] - 1) * 100
        line = sprintf("%s to %s: %s -> %s, %+.1f %%", $1, $2, kept[$1, $2], $4, change)
        if (change > tolerance) { print "worse:", line; bad++ }
        if (change < -tolerance) { print "better:", line; better++ }
    }
    END {
        if (better) print "better than the table: keep it with scripts/instructions.sh --update"
        printf "instructions: %d compared, %d out of bounds\n", compared, bad
        exit (bad || !compared)
    }
' "$table" "$work/now.txt"
