"""The Python blocks of docs/spark.md and README.md are run as they stand there, those of a document one after the other."""

import os
import sys

import pytest
from conftest import ROOT, SETTINGS, run

pytest.importorskip("pyspark")
pytest.importorskip("polars")
pytest.importorskip("duckdb")

# Runs in a folder and a process of its own, as a reader would: documents, each with a word that its blocks have, and how many those are at least.
RUNNER = r"""
import re, sys

def blocks(text):
    for found in re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield "\n" * text[: found.start(1)].count("\n") + found[1]  # so that errors tell the line in the document

for document, word, at_least in zip(sys.argv[2::3], sys.argv[3::3], map(int, sys.argv[4::3]), strict=True):
    names, found = {"JMDX": sys.argv[1]}, [block for block in blocks(open(document).read()) if word in block]
    assert len(found) >= at_least, document
    for block in found:
        exec(compile(block, document, "exec"), names)
    print(document, "has run")
"""


@pytest.mark.timeout(600)
def test_the_examples_of_the_documents(jmdx_program, tmp_path):
    (tmp_path / "corpora").symlink_to(ROOT / "corpora")
    settings = " ".join(f"--conf {name}={value}" for name, value in SETTINGS.items())
    environment = {
        **os.environ,
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_SUBMIT_ARGS": f"--master local[2] {settings} pyspark-shell",
        "SPARK_LOCAL_IP": "127.0.0.1",
    }
    documents = [str(ROOT / "README.md"), "jmdx.spark", "1", str(ROOT / "docs/spark.md"), "", "8"]
    out = run([sys.executable, "-c", RUNNER, jmdx_program, *documents], 500, env=environment, cwd=tmp_path)
    records = len((ROOT / "corpora/samples/chat.jsonl").read_text().splitlines())
    assert f"{records} of {records} came back byte for byte\n" in out
    assert out.count("has run") == 2
