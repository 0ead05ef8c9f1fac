"""The package itself: names, help, examples, pickling, memory, threads, other interpreters."""

import copy
import doctest
import gc
import importlib.metadata
import inspect
import os
import pickle
import shutil
import subprocess
import sys
import threading
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import jmdx
import pytest

PACKAGE = Path(jmdx.__file__).resolve().parent
FUNCTIONS = [jmdx.convert_column, jmdx.events, jmdx.parse, jmdx.serialize, jmdx.to_jmd, jmdx.to_json]


def test_names():
    assert sorted(jmdx.__all__) == jmdx.__all__
    assert all(hasattr(jmdx, name) for name in jmdx.__all__)
    assert {function.__name__ for function in FUNCTIONS} <= set(jmdx.__all__)
    manifest = (Path(__file__).resolve().parents[3] / "Cargo.toml").read_text()
    assert f'version = "{jmdx.__version__}"' in manifest


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_every_option_is_told(function):
    doc = inspect.getdoc(function)
    parameters = inspect.signature(function).parameters.values()
    assert parameters
    for parameter in parameters:
        assert parameter.name in doc, parameter
    assert ">>> " in doc


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_the_examples_are_true(function):
    pytest.importorskip("pyarrow")
    finder = doctest.DocTestParser()
    example = finder.get_doctest(inspect.getdoc(function), {"jmdx": jmdx}, function.__name__, None, 0)
    assert example.examples
    failures = doctest.DocTestRunner().run(example)
    assert failures.failed == 0


def fail(document):
    jmdx.to_json(document)


def test_errors_cross_processes():
    for error in (
        jmdx.JmdxError("a sentence", "prose_in_body", 3, 1, 14, 7, None),
        jmdx.JmdxError("a sentence", "resource_limit", limit="depth"),
    ):
        for made in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
            assert type(made) is jmdx.JmdxError and str(made) == str(error) and vars(made) == vars(error)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        with pytest.raises(jmdx.JmdxError) as caught:
            pool.submit(fail, "# A\nprose\n").result(timeout=120)
    assert (caught.value.kind, caught.value.line, caught.value.offset) == ("prose_in_body", 2, 4)


def test_an_error_made_anew_from_its_text():
    error = jmdx.JmdxError("a sentence", "prose_in_body", 3, 1, 14)
    again = type(error)(str(error))
    assert str(again) == str(error) and again.kind == ""


def test_what_can_be_pickled():
    envelope = jmdx.parse("a: 1\n\n# A\nb: 2\n")
    assert pickle.loads(pickle.dumps(envelope)) == envelope
    for function in FUNCTIONS:
        assert pickle.loads(pickle.dumps(function)) is function


def resident():
    """Bytes of memory that are in use, in kibibytes."""
    status = Path("/proc/self/status").read_text()
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])


def everything(big):
    jmd = jmdx.serialize(big)
    assert jmdx.parse(jmd, floats="exact").value == big
    jmdx.to_jmd(jmdx.to_json(jmd))
    list(jmdx.events([jmd]))
    for document in ("# A\nprose\n", '# A\na: "\\ud800"\nb: 1e999\n'):
        with pytest.raises(jmdx.JmdxError):
            jmdx.parse(document)
    with pytest.raises(jmdx.JmdxError):
        jmdx.serialize([float("nan")])
    with pytest.raises(TypeError):
        jmdx.serialize([object()])


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory in use is read from /proc")
def test_nothing_leaks():
    pa = pytest.importorskip("pyarrow")
    big = {f"key{n}": [n, n / 7, "x" * 100, {"a": None}, 10**20 + n] for n in range(500)}
    rows = pa.array(['{"a": "' + "x" * 1000 + '"}', "{", None] * 300)

    def work(times):
        for _ in range(times):
            everything(big)
            texts, _ = jmdx.convert_column(rows, threads=2)
            jmdx.convert_column(texts, from_="jmd", to="json")
        gc.collect()
        return resident()

    before = work(30)
    # Each round makes about a mebibyte: a leak of any one thing would show.
    assert work(150) < before + 20 * 1024


def test_threads_do_not_disturb_each_other():
    documents = [jmdx.serialize({"id": n, "tags": ["x" * n] * 5}) for n in range(200)]

    def work(seed):
        for n in range(seed, seed + 400):
            document, expected = documents[n % 200], n % 200
            assert jmdx.parse(document).value["id"] == expected
            assert jmdx.to_jmd(jmdx.to_json(document)) == document
        return threading.get_ident()

    with ThreadPoolExecutor(8) as pool:
        assert len(list(pool.map(work, range(8)))) == 8


def test_a_call_within_a_call():
    class Nested(dict):
        def items(self):
            inner = jmdx.serialize({"inner": jmdx.parse("# A\nb: 1\n").value})
            return {"text": inner}.items()

    assert jmdx.parse(jmdx.serialize([Nested(), Nested()])).value == [{"text": "# Document\n\n## inner\nb: 1\n"}] * 2


@pytest.mark.parametrize("version", ["3.10", "3.11", "3.12", "3.13", "3.14"])
def test_one_module_for_all_interpreters(version, tmp_path):
    python = interpreter(version)
    if python is None:
        pytest.skip(f"python{version} is not on this machine")
    assert list(PACKAGE.glob("_jmdx.abi3.*")), "the module is for the stable ABI"
    shutil.copytree(PACKAGE, tmp_path / "jmdx", ignore=shutil.ignore_patterns("__pycache__"))
    program = "import sys, jmdx; print(sys.version_info[:2], jmdx.parse(jmdx.serialize({'a': [1.5, 10**20]})).value)"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONNOUSERSITE": "1"}
    run = subprocess.run(
        [python, "-c", program], capture_output=True, text=True, timeout=120, cwd=tmp_path, env=environment
    )
    assert run.returncode == 0, run.stderr
    major, minor = version.split(".")
    assert run.stdout == f"({major}, {minor}) {{'a': [1.5, 100000000000000000000]}}\n"


def interpreter(version):
    """A Python of this version that runs: a name on the path may be one of a version that is not chosen."""
    beside = sorted(Path(sys.base_prefix).parent.glob(f"{version}.*/bin/python{version}"))
    for python in (shutil.which(f"python{version}"), *map(str, beside)):
        if python and subprocess.run([python, "-c", ""], capture_output=True, timeout=60).returncode == 0:
            return python
    return None


def test_the_licence_comes_along():
    [licence] = [file for file in importlib.metadata.files("jmdx") if file.name == "LICENSE"]
    assert "Apache License" in licence.read_text()


def test_the_package_is_typed():
    assert (PACKAGE / "py.typed").exists() and (PACKAGE / "_jmdx.pyi").exists()
