#!/bin/sh
# Fails on a dependency that takes default features: what is needed of a crate is named, or the crate brings what nobody
# asked for. Members of this repository are no matter of it.
set -eu
cd "$(dirname "$0")/.."
for manifest in Cargo.toml benches/Cargo.toml fuzz/Cargo.toml; do
    cargo metadata --locked --no-deps --format-version 1 --manifest-path "$manifest"
done | python3 -c '
import json, sys

named, bad = set(), set()
for line in sys.stdin:
    for package in json.loads(line)["packages"]:
        for dependency in package["dependencies"]:
            if "path" not in dependency:
                named.add(dependency["name"])
                if dependency["uses_default_features"]:
                    bad.add((package["name"], dependency["name"]))
for package, dependency in sorted(bad):
    print(f"{package}: {dependency} takes default features")
print(f"{len(named)} crates named, {len(bad)} with default features")
# None at all would mean that cargo was not asked.
sys.exit(bool(bad) or not named)
'
