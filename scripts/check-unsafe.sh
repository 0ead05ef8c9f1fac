#!/bin/sh
# Fails on unsafe code outside of the kernels, the output buffer and one test's allocator. The compiler tells where it
# stands, whatever is allowed there, so that neither macros nor the words of comments matter.
set -eu
cd "$(dirname "$0")/.."
cargo clippy --quiet --workspace --all-targets --features jmdx-engine/serde --message-format=json -- \
    --force-warn unsafe-code | python3 -c '
import json, re, sys

allowed = re.compile(r"engine/(src/simd/[a-z0-9_]+\.rs|src/out\.rs|src/out/[a-z]+\.rs|tests/memory\.rs)")
places, done = set(), False
for line in sys.stdin:
    event = json.loads(line)
    done |= event["reason"] == "build-finished" and event["success"]
    message = event.get("message", {})
    if (message.get("code") or {}).get("code") == "unsafe_code":
        places |= {(s["file_name"].replace("tests/../", ""), s["line_start"]) for s in message["spans"]}
bad = sorted(place for place in places if not allowed.fullmatch(place[0]))
for file, line in bad:
    print(f"{file}:{line}: unsafe code")
print(f"{len(places)} places with unsafe code, {len(bad)} where it may not be")
# None at all would mean that the compiler was not asked.
sys.exit(bool(bad) or not done or not places)
'
