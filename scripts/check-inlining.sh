#!/usr/bin/env bash
# Holds that the hot functions of the vector kernels are whole: their vector instructions stand in them, not behind calls.
#
#   scripts/check-inlining.sh [PROGRAM]     a release build of jmdx with its symbols; default: builds it
#
# A vector primitive that is not inlined below `Isa::run` is compiled without the kernel's features, and every intrinsic
# in it becomes a call, at many times the price. So, in the disassembly:
#   1. a hot function (an instance of `Isa::run`'s inner function) calls no outlined intrinsic;
#   2. it holds its kernel's instructions: ymm for AVX2, zmm or mask registers for AVX-512;
#   3. any other function that calls outlined intrinsics matches a pattern of scripts/inlining.txt, which says why;
#   4. there are at least as many hot functions a kernel as text goes from text to text, so that 1 and 2 look at something.
# Exit status: 0 whole, 1 not, 77 when this machine cannot tell.
set -euo pipefail
cd "$(dirname "$0")/.."
kept=scripts/inlining.txt
least=6

cannot() {
    echo "check-inlining: cannot run here: $1" >&2
    exit 77
}

[[ $(uname -m) == x86_64 ]] || cannot "the kernels looked at are those of x86-64"
for tool in objdump addr2line; do
    command -v $tool > /dev/null || cannot "needs $tool (binutils)"
done

if [[ ${1:-} ]]; then
    program=$1
else
    cargo build --release -p jmdx
    program=${CARGO_TARGET_DIR:-target}/release/jmdx
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# One line a finding: `hot KERNEL INSTRUCTIONS VECTORS ADDRESS`, or `call ADDRESS hot|cold COUNT INTRINSICS NAME`.
objdump -d -C --no-show-raw-insn "$program" | awk '
    function close_function() {
        if (kernel != "") print "hot", kernel, instructions, vectors, place
        if (calls > 0) print "call", place, (kernel != "" ? "hot" : "cold"), calls, intrinsics, name
    }
    /^[0-9a-f]+ <.*>:$/ {
        close_function()
        place = $1; name = $0
        sub(/^[0-9a-f]+ </, "", name); sub(/>:$/, "", name)
        gsub(/ /, "", name)
        kernel = name !~ /Isa>::run::inner/ ? "" : name ~ /avx512::Avx512/ ? "avx512" : name ~ /avx2::Avx2/ ? "avx2" : ""
        instructions = vectors = calls = 0
        intrinsics = ""
        next
    }
    kernel != "" && /^ +[0-9a-f]+:/ {
        instructions++
        if (kernel == "avx2" ? /%ymm/ : /%zmm|%k[0-7]/) vectors++
    }
    /(call|jmp) .*<.*core_arch::x86/ {
        call = $0
        sub(/.*core_arch::x86(_64)?::/, "", call); sub(/>.*/, "", call)
        if (index("," intrinsics ",", "," call ",") == 0) intrinsics = intrinsics (calls ? "," : "") call
        calls++
    }
    END { close_function() }
' > "$work/found"

status=0
fail() {
    echo "check-inlining: $*"
    status=1
}

# Where the first call in a function was written, innermost place first.
source_of() {
    local address
    address=$(objdump -d -C --no-show-raw-insn --start-address="0x$1" "$program" |
        awk '/core_arch/ && !/>:$/ && !at { sub(":", "", $1); at = $1 } END { print at }')
    addr2line -i -e "$program" "$address" | sed -n 's|^.*/\(engine/src/.*\)|    \1|p'
}

grep -v -e '^#' -e '^[[:space:]]*$' "$kept" | awk '{ print $1 }' > "$work/patterns"
if awk '!/^#/ && NF == 1 { bad = 1 } END { exit !bad }' "$kept"; then
    fail "an entry of $kept has no reason"
fi

for kernel in avx2 avx512; do
    count=$(grep -c "^hot $kernel " "$work/found" || true)
    echo "$kernel: $count hot functions"
    ((count >= least)) || fail "$kernel has $count hot functions, expected $least: is the program built without it, or stripped?"
done

while read -r _ kernel instructions vectors place; do
    ((vectors > 0)) || fail "a hot function of $kernel at $place has no vector instructions of it ($instructions in all)"
done < <(grep '^hot' "$work/found")

while read -r _ place kind count intrinsics name; do
    if [[ $kind == hot ]]; then
        fail "a hot function, at $place, calls intrinsics $count times ($intrinsics): $name"
        source_of "$place"
    elif ! grep -qE -f "$work/patterns" <<< "$name"; then
        fail "$name, at $place, is not on $kept and calls intrinsics $count times ($intrinsics)"
        source_of "$place"
    fi
done < <(grep '^call' "$work/found")

while read -r pattern; do
    awk '/^call/ { print $6 }' "$work/found" | grep -E -e "$pattern" > /dev/null ||
        echo "check-inlining: note: $kept names $pattern, which calls nothing now"
done < "$work/patterns"

((status)) || echo "check-inlining: whole"
exit $status
