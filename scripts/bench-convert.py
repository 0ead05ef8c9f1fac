#!/usr/bin/env python3
"""Whole datasets side by side: jmdx convert from a file to a file, beside cat, zstd, jaq, jq and a pool of Python processes.

usage: bench-convert.py JMDX GENERATE FOLDER [--megabytes 1000] [--rounds 3] [--python PYTHON]

Makes chat records of that size in FOLDER, then lets every contender read them and write a file there, one after the other
in each round; the best round counts, and the outputs are removed in between. What is written reaches the disk within the
measured time for cat (sync) and for jmdx (which always does so). Prints Markdown. PYTHON needs jmd-format and orjson; it
and the programs that are not there do not take part.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time

# What people write today: a pool over chunks of lines, each record read by orjson and written by jmd-format.
POOL = r"""
import multiprocessing, sys
import jmd, orjson

def convert(lines):
    return b"".join(
        orjson.dumps({"text": jmd.serialize(orjson.loads(line), "Document")}) + b"\n" for line in lines.splitlines()
    )

def chunks(path):
    with open(path, "rb") as file:
        while lines := file.readlines(1 << 20):
            yield b"".join(lines)

if __name__ == "__main__":
    with multiprocessing.Pool() as pool, open(sys.argv[2], "wb") as out:
        for text in pool.imap(convert, chunks(sys.argv[1])):
            out.write(text)
"""


def spent(command):
    """Wall and processor time of a shell command, and the peak memory of its largest process, in bytes."""
    start = time.perf_counter()
    process = subprocess.Popen(["sh", "-ec", command])
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{command}: exit status {process.returncode}")
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def contenders(jmdx, python, folder, source, small):
    """Name, command, the file that it reads; OUT stands for what it writes."""
    text, packed = f"{folder}/text.jsonl", f"{source}.zst"
    convert = f"exec {jmdx} convert --quiet"
    rows = [
        ("cat, sync", f"cat {source} > OUT; sync -d OUT", source),
        ("cat, no sync", f"exec cat {source} > OUT", source),
        ("jmdx convert", f"{convert} {source} -d OUT", source),
        ("jmdx convert --threads 1", f"{convert} {source} -d OUT --threads 1", source),
        ("jmdx convert --to json", f"{convert} {text} --to json -d OUT", text),
        ("zstd -d, zstd -T0", f"zstd -dcq {packed} | zstd -q -T0 -o OUT", source),
        ("jmdx convert, zst in and out", f"{convert} {packed} --compress zst -d OUT", source),
        ("jmdx convert, to stdout", f"{convert} {source} -o - > /dev/null", source),
    ]
    for peer in ("jaq", "jq"):
        if program := shutil.which(peer):
            rows.append((f"{peer} -c . (no JMD)", f"exec {program} -c . {small} > OUT", small))
    if python:
        pool = f"{folder}/pool.py"
        with open(pool, "w") as file:
            file.write(POOL)
        rows.append(("Python: a pool, orjson, jmd-format", f"exec {python} {pool} {small} OUT", small))
    return rows


def measure(rows, folder, rounds):
    best = {name: (float("inf"), 0, 0) for name, _, _ in rows}
    out = f"{folder}/out"
    for _ in range(rounds):
        for name, command, _ in rows:
            seconds, cpu, peak = spent(command.replace("OUT", out))
            best[name] = min(best[name], (seconds, cpu, peak))
            if os.path.isdir(out):
                shutil.rmtree(out)
            elif os.path.exists(out):
                os.remove(out)
    return best


def report(rows, best):
    rates = {name: os.path.getsize(file) / best[name][0] for name, _, file in rows}
    print("| process | seconds | MB/s of JSON | share of `cat, sync` | processor seconds | peak memory, MiB |")
    print("|---|---:|---:|---:|---:|---:|")
    for name, (seconds, cpu, peak) in best.items():
        share = rates[name] / rates["cat, sync"]
        print(f"| {name} | {seconds:.2f} | {rates[name] / 1e6:.0f} | {share:.2f} | {cpu:.2f} | {peak / 2**20:.0f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jmdx")
    parser.add_argument("generate")
    parser.add_argument("folder")
    parser.add_argument("--megabytes", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--python", default=sys.executable)
    args = parser.parse_args()
    os.makedirs(args.folder, exist_ok=True)
    source, small = f"{args.folder}/chat.jsonl", f"{args.folder}/small.jsonl"
    for path, megabytes in ((source, args.megabytes), (small, max(args.megabytes // 20, 1))):
        with open(path, "wb") as out:
            subprocess.run([args.generate, "chat", "--size", f"{megabytes}MB", "--seed", "1"], stdout=out, check=True)
    subprocess.run(["zstd", "-qkf", source], check=True)
    subprocess.run([args.jmdx, "convert", "--quiet", source, "-o", f"{args.folder}/text.jsonl"], check=True)
    able = subprocess.run([args.python, "-c", "import jmd, orjson"], stderr=subprocess.DEVNULL).returncode == 0
    rows = contenders(args.jmdx, args.python if able else None, args.folder, source, small)
    best = measure(rows, args.folder, args.rounds)
    print(f"## `jmdx convert` as a whole process, {os.path.getsize(source) / 1e6:.0f} MB of chat records\n")
    report(rows, best)
    print(f"\njaq, jq and Python read {os.path.getsize(small) / 1e6:.0f} MB of the same records.")


if __name__ == "__main__":
    main()
