"""The examples in docs/python.md are true."""

import doctest
from pathlib import Path

import jmdx
import pytest

DOCUMENT = Path(__file__).resolve().parents[3] / "docs" / "python.md"


def test_the_examples_of_the_document():
    pytest.importorskip("pyarrow")
    # A fence ends an example as a blank line does.
    text = DOCUMENT.read_text().replace("```", "\n")
    example = doctest.DocTestParser().get_doctest(text, {"jmdx": jmdx}, "python.md", str(DOCUMENT), 0)
    assert len(example.examples) > 5
    assert doctest.DocTestRunner().run(example).failed == 0
