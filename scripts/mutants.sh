#!/bin/sh
# Changes the readers, the sinks and the frames in small ways, one at a time, and tells which changes no test notices.
#
#   scripts/mutants.sh              a sample of all
#   scripts/mutants.sh FILE...      all changes of these files
#
# JMDX_SHARD=K/N takes another sample, JMDX_MUTANT=REGEX the changes that cargo mutants calls so. JMDX_TESTS=all runs
# more tests, all of which run on every kernel: for what survived. Without it, one kernel is built, and tests that try
# all places or many random strings are left out. Reports: target/mutants/{engine,frame}/mutants.out.
# Status 77: this machine cannot do it; 2: something survived; 3: some change made a test run without end.
set -euf
cd "$(dirname "$0")/.."
cargo mutants --version > /dev/null 2>&1 || {
    echo 'cargo mutants is not there: cargo install cargo-mutants' >&2
    exit 77
}
here=$PWD
# The copy that is changed lies beside what tests look for beside the project.
TMPDIR=$(mktemp -d)
trap 'rm -rf "$TMPDIR"' EXIT
[ ! -d ../shared ] || ln -s "$(realpath ../shared)" "$TMPDIR/shared"
export TMPDIR CARGO_PROFILE_DEV_DEBUG=false CARGO_INCREMENTAL=1
tests=${JMDX_TESTS:-fast}
status=0

# mutants NAME SHARD ARGUMENT...
mutants() {
    name=$1 shard=$2
    shift 2
    [ -z "$files" ] || shard=0/1
    [ -z "${JMDX_MUTANT:-}" ] || set -- --re "$JMDX_MUTANT" "$@"
    mkdir -p "$here/target/mutants/$name"
    cargo mutants --jobs 1 --sharding round-robin --shard "${JMDX_SHARD:-$shard}" --no-shuffle --colors never \
        --output "$here/target/mutants/$name" "$@" || status=$?
}

engine() {
    set -- "$@" --package jmdx-engine --features serde --cargo-arg=--lib --cargo-arg=--test=cases \
        --cargo-arg=--test=conformance --cargo-arg=--test=coverage --cargo-arg=--test=json_suite \
        --cargo-arg=--test=heads --cargo-arg=--test=places --cargo-arg=--test=room
    if [ "$tests" = all ]; then
        mutants engine 0/56 "$@" --timeout 600 --cargo-arg=--test=chunking --cargo-arg=--test=escapes \
            --cargo-arg=--test=guard --cargo-arg=--test=injection --cargo-arg=--test=roundtrip --cargo-arg=--test=runs
    else
        RUSTFLAGS="${RUSTFLAGS:-} --cfg jmdx_scalar" mutants engine 0/56 "$@" --timeout 60 -- -- \
            --skip simd:: --skip index:: --skip every_code_unit --skip random_strings --skip every_piece_at \
            --skip edges_are_unicode --skip l6_l7_every_length --skip the_verdict_is
    fi
}

frame() {
    set -- "$@" --package jmdx --no-default-features --cargo-arg=--bin=jmdx
    if [ "$tests" = all ]; then
        mutants frame 0/24 "$@" --timeout 600 --cargo-arg=--test=frames --cargo-arg=--test=hints \
            --cargo-arg=--test=json_seq --cargo-arg=--test=lockstep --cargo-arg=--test=pipe
    else
        mutants frame 0/24 "$@" --timeout 60 -- -- frame:: hint
    fi
}

files=$*
of_engine=
of_frame=
for file in ${files:-engine/src/jmd/** engine/src/json/** engine/src/sink/** daemon/src/frame/**}; do
    case $file in
        daemon/*) of_frame="$of_frame --file $file" ;;
        *) of_engine="$of_engine --file $file" ;;
    esac
done
# shellcheck disable=SC2086 # names of files, without blanks
[ -z "$of_engine" ] || engine $of_engine
# shellcheck disable=SC2086
[ -z "$of_frame" ] || frame $of_frame
exit "$status"
