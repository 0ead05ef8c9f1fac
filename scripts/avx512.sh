#!/usr/bin/env bash
# Runs the engine's unit tests on an emulated CPU that has AVX-512 (F, BW, VL, VBMI, VBMI2), for machines without it.
#
#   scripts/avx512.sh [ARGUMENT...]     arguments go to the test binary: filters, --exact, --nocapture
#
# Bochs boots Debian's cloud kernel with an initramfs that holds the tests as one static binary, and reports over the
# serial port. Debian, root (for apt-get) and a few minutes are needed. Exit status: that of the tests; 77 when this
# machine cannot do it; 1 when the emulator broke or the emulated CPU lacks a feature.
#
# `simd::` takes about two minutes, nearly all of it for the build and to boot. The tests of `index::` go through every
# byte at every place and take far longer; AVX512_MINUTES bounds the run (30).
set -euo pipefail
cd "$(dirname "$0")/.."
work=$PWD/target/avx512
minutes=${AVX512_MINUTES:-30}

cannot() {
    echo "avx512: cannot run here: $1" >&2
    exit 77
}

install() {
    [[ $(uname -sm) == "Linux x86_64" ]] || cannot "needs Linux on x86-64"
    command -v apt-get >/dev/null || cannot "needs apt-get, for bochs, isolinux and a kernel"
    local missing=() package
    for package in bochs bochs-term bochsbios vgabios isolinux syslinux-common xorriso busybox-static cpio; do
        dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
    done
    if ((${#missing[@]})); then
        apt-get update -qq >"$work/apt.log" 2>&1 || true
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" \
            >>"$work/apt.log" 2>&1 || cannot "apt-get could not install ${missing[*]}"
    fi
    bochs --help cpu 2>&1 | grep corei7_icelake_u >/dev/null || cannot "this bochs has no CPU model with VBMI2"
}

# The kernel is unpacked, not installed.
kernel() {
    compgen -G "$work/kernel/boot/vmlinuz-*" >/dev/null && return
    local package
    package=$(apt-cache depends linux-image-cloud-amd64 | awk '$1 == "Depends:" && !name { name = $2 } END { print name }')
    [[ -n $package ]] || cannot "apt-get knows no linux-image-cloud-amd64"
    (cd "$work" && apt-get download "$package" >apt.log 2>&1 && dpkg-deb -x "$package"_*.deb kernel && rm ./*.deb) ||
        cannot "apt-get could not download $package"
}

build() {
    local tests
    tests=$(RUSTFLAGS="-C target-feature=+crt-static --cfg jmdx_bochs" CARGO_PROFILE_TEST_OPT_LEVEL=3 CARGO_PROFILE_TEST_DEBUG=0 \
        cargo test -q -p jmdx-engine --lib --no-run --target x86_64-unknown-linux-gnu \
        --target-dir "$work/build" --message-format=json-render-diagnostics |
        sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | tail -1)
    rm -rf "$work/root" "$work/iso"
    mkdir -p "$work"/root/{bin,proc,dev,tmp} "$work/iso"
    strip -o "$work/root/tests" "$tests"
    cp "$(command -v busybox)" "$work/root/bin/busybox"
}

# What the emulated machine starts: the tests, then a word to Bochs's shutdown port.
init() {
    printf '#!/bin/busybox sh\nset -- --test-threads=1'
    ((!$#)) || printf ' %q' "$@"
    cat <<'INIT'

busybox() { /bin/busybox "$@"; }
busybox mount -t proc proc /proc
busybox mount -t devtmpfs dev /dev
busybox mount -t tmpfs tmp /tmp
for flag in avx512f avx512bw avx512vl avx512vbmi avx512_vbmi2; do
    busybox grep -qw $flag /proc/cpuinfo || echo "avx512: the emulated CPU lacks $flag"
done
/tests "$@"
echo "avx512: status $?"
busybox sleep 1
for letter in S h u t d o w n; do
    busybox printf $letter | busybox dd of=/dev/port bs=1 seek=35072 2>/dev/null
done
busybox poweroff -f
INIT
}

# clearcpuid: this Bochs gets the sizes of XSAVEC, XSAVES and PKU wrong, and without ERMS the kernel's memmove must not
# believe in FSRM.
image() {
    init "$@" >"$work/root/init"
    chmod +x "$work/root/init"
    (cd "$work/root" && find . | cpio -o -H newc --quiet) >"$work/iso/initrd"
    cp "$work"/kernel/boot/vmlinuz-* "$work/iso/vmlinuz"
    cp /usr/lib/ISOLINUX/isolinux.bin /usr/lib/syslinux/modules/bios/ldlinux.c32 "$work/iso/"
    cat >"$work/iso/isolinux.cfg" <<'CFG'
default tests
prompt 0
label tests
  kernel /vmlinuz
  append initrd=/initrd console=ttyS0 quiet loglevel=3 nokaslr mitigations=off lsm= acpi=off lpj=100000 clearcpuid=fsrm,xsavec,xsaves,pku
CFG
    xorriso -as mkisofs -quiet -o "$work/boot.iso" -b isolinux.bin -c boot.cat -no-emul-boot -boot-load-size 4 \
        -boot-info-table "$work/iso" 2>/dev/null
}

# Debian's Bochs has its debugger built in, which waits for a command, and its text display wants a terminal.
emulate() {
    cat >"$work/bochsrc" <<RC
cpu: model=corei7_icelake_u, count=1, ips=50000000, reset_on_triple_fault=0
memory: guest=1024, host=1024
romimage: file=/usr/share/bochs/BIOS-bochs-latest
vgaromimage: file=/usr/share/bochs/VGABIOS-lgpl-latest
ata0: enabled=1
ata0-master: type=cdrom, path=$work/boot.iso, status=inserted
boot: cdrom
com1: enabled=1, mode=file, dev=$work/serial
clock: sync=none
log: $work/bochs.log
panic: action=fatal
error: action=ignore
info: action=ignore
display_library: term
speaker: enabled=0, mode=none
RC
    echo c >"$work/commands"
    : >"$work/serial"
    TERM=xterm timeout -k 5 "${minutes}m" script -qfc "bochs -q -f '$work/bochsrc' -rc '$work/commands'" /dev/null \
        </dev/null >"$work/screen" 2>&1 &
    local emulator=$!
    tail -f -s 0.5 --pid=$emulator "$work/serial" &
    while kill -0 $emulator 2>/dev/null && ! grep -q "^avx512: status" "$work/serial"; do sleep 1; done
    for _ in 1 2 3 4 5; do kill -0 $emulator 2>/dev/null && sleep 1; done
    kill $emulator 2>/dev/null || true
    wait || true
}

mkdir -p "$work"
install
kernel
build
image "$@"
emulate
if grep -q "^avx512: the emulated CPU lacks" "$work/serial"; then exit 1; fi
status=$(tr -d '\r' <"$work/serial" | sed -n 's/^avx512: status //p')
if [[ -z $status ]]; then
    echo "avx512: the emulator ended without an answer; see $work/bochs.log and $work/serial" >&2
    exit 1
fi
exit "$status"
