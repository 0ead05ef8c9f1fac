#!/usr/bin/env python3
"""Whole processes side by side: jmdx pipe there and back, on one worker thread and on two, and cat, jq and jaq.

usage: bench-pipe.py JMDX GENERATE FOLDER [--megabytes 100] [--rounds 5]

Makes logs and chat records of that size, then lets every contender read them and write to /dev/null, one after the
other in each round; the best round counts. Prints Markdown. A program that is not there does not take part.
"""

import argparse
import os
import shutil
import subprocess
import time

NULL = subprocess.DEVNULL


def spent(commands, source):
    """Wall time of a pipeline that reads a file and writes to /dev/null, and the peak memory of its last process."""
    start = time.perf_counter()
    stdin = open(source, "rb")
    processes = []
    for i, command in enumerate(commands):
        last = i + 1 == len(commands)
        process = subprocess.Popen(command, stdin=stdin, stdout=NULL if last else subprocess.PIPE)
        stdin.close()
        stdin = process.stdout
        processes.append(process)
    peak = 0
    for process in processes:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"{process.args}: exit status {process.returncode}")
        peak = usage.ru_maxrss * 1024
    return time.perf_counter() - start, peak


def contenders(jmdx, source, framed):
    there = ["pipe", "--in-frame", "lines"]
    back = ["pipe", "--from", "jmd", "--to", "json", "--out-frame", "lines"]
    rows = [("cat FILE \\| cat", [["cat", source], ["cat"]], source)]
    for threads in ("1", "2"):
        rows.append((f"lines to len, --threads {threads}", [[jmdx, *there, "--threads", threads]], source))
    for threads in ("1", "2"):
        rows.append((f"len to lines, --threads {threads}", [[jmdx, *back, "--threads", threads]], framed))
    for peer in ("jaq", "jq"):
        if program := shutil.which(peer):
            rows.append((f"{peer} -c .", [[program, "-c", "."]], source))
    return rows


def measure(jmdx, source, rounds):
    framed = source + ".len"
    with open(source, "rb") as stdin, open(framed, "wb") as stdout:
        subprocess.run([jmdx, "pipe", "--in-frame", "lines"], stdin=stdin, stdout=stdout, check=True)
    rows = contenders(jmdx, source, framed)
    best = {name: (float("inf"), 0) for name, _, _ in rows}
    for _ in range(rounds):
        for name, commands, file in rows:
            seconds, peak = spent(commands, file)
            best[name] = (min(best[name][0], seconds), max(best[name][1], peak))
    return best


def report(kind, size, best):
    cat = best["cat FILE \\| cat"][0]
    two = best["lines to len, --threads 2"][0]
    print(f"\n{kind}, {size / 1e6:.0f} MB\n")
    print("| process | seconds | share of `cat FILE \\| cat` | times as long as jmdx | peak memory, MiB |")
    print("|---|---:|---:|---:|---:|")
    for name, (seconds, peak) in best.items():
        print(f"| {name} | {seconds:.2f} | {cat / seconds:.2f} | {seconds / two:.1f} | {peak / 2**20:.0f} |")
    for way in ("lines to len", "len to lines"):
        one, both = (best[f"{way}, --threads {threads}"][0] for threads in "12")
        print(f"\n{way}: 2 threads are {one / both:.2f} times as fast as 1.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("jmdx")
    parser.add_argument("generate")
    parser.add_argument("folder")
    parser.add_argument("--megabytes", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    os.makedirs(args.folder, exist_ok=True)
    print("## `jmdx pipe` as a whole process, to /dev/null")
    for kind in ("logs", "chat"):
        source = os.path.join(args.folder, f"pipe-{kind}.jsonl")
        with open(source, "wb") as out:
            subprocess.run([args.generate, kind, "--size", f"{args.megabytes}MB", "--seed", "1"], stdout=out, check=True)
        report(kind, os.path.getsize(source), measure(args.jmdx, source, args.rounds))
        for name in (source, source + ".len"):
            os.remove(name)


if __name__ == "__main__":
    main()
