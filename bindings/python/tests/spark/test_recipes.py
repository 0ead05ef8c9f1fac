"""The Python blocks of docs/spark.md and README.md are run as they stand there, those of a document one after the other."""

import re

import pytest
from conftest import ROOT

pytest.importorskip("pyspark")
pytest.importorskip("polars")
pytest.importorskip("duckdb")


def blocks(document):
    """Each Python block, behind as many empty lines that errors tell the line in the document."""
    text = (ROOT / document).read_text()
    for found in re.finditer(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield "\n" * text[: found.start(1)].count("\n") + found[1]


def run(document, names, at_least):
    found = list(blocks(document))
    assert len(found) >= at_least
    for block in found:
        exec(compile(block, document, "exec"), names)  # noqa: S102


def test_the_recipes_of_the_documentation(spark, jmdx_program, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {"JMDX": jmdx_program}
    run("docs/spark.md", names, at_least=8)
    assert names["events"].count() == 3


def test_the_example_of_the_readme(spark, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "corpora").symlink_to(ROOT / "corpora")
    run("README.md", {}, at_least=1)
    records = len((ROOT / "corpora/samples/chat.jsonl").read_text().splitlines())
    assert capsys.readouterr().out.endswith(f"{records} of {records} came back byte for byte\n")
