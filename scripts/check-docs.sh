#!/bin/sh
# Fails on a path, fixture or rule that the documents name and the tree does not have, and on a rule that no document tells.
set -eu
cd "$(dirname "$0")/.."
complaints=$(mktemp)
trap 'rm -f "$complaints"' EXIT
documents="README.md CHANGELOG.md bindings/python/README.md conformance/README.md corpora/README.md $(find docs -name '*.md' | sort | tr '\n' ' ')"

complain() { echo "$1" | tee -a "$complaints" >&2; }

# Targets of links, from the folder of the document.
links() { grep -oE '\]\([^)# ]+' "$1" | cut -c3- | grep -vE '^[a-z]+:' || true; }

# Words in backquotes, one a line.
quoted() { tr '\140' '\n' < "$1"; }

# Those that begin with a folder of the tree.
paths() {
    quoted "$1" | grep -xE '(\.ci|benches|bindings|conformance|corpora|daemon|docs|engine|scripts)/[A-Za-z0-9_./-]*' || true
}

# Those that name a fixture.
fixtures() {
    quoted "$1" | grep -xE '(data|delete|emit|events|json|json-seq|must-fail|query|schema|tolerance)/[a-z0-9-]+' || true
}

for document in $documents; do
    [ -f "$document" ] || complain "$document is missing"
    for link in $(links "$document"); do
        [ -e "$(dirname "$document")/$link" ] || complain "$document: no file $link"
    done
    for path in $(paths "$document"); do
        [ -e "$path" ] || complain "$document: no file $path"
    done
    for fixture in $(fixtures "$document"); do
        ls conformance/"$fixture".* > /dev/null 2>&1 || complain "$document: no fixture $fixture"
    done
done

rules=$(grep -E '^[A-Z]' conformance/rules.txt)
for rule in $rules; do
    grep -qE "^\* \*\*$rule\. |^\| $rule \|" docs/format-decisions.md || complain "docs/format-decisions.md: no rule $rule"
done

[ ! -s "$complaints" ] || exit 1
echo "every path, fixture and rule is there"
