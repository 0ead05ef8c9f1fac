"""A cluster of two executors whose Python has pyspark and pyarrow but not this package: the wheel is shipped to them.

JMDX_WHEEL is the wheel, JMDX_BARE_PYTHON a Python without the package; scripts/check-python.sh --all sets both.
"""

import json
import os
import pathlib
import shutil
import subprocess
import zipfile

import jmdx
import pytest
from conftest import run

WHEEL, PYTHON = os.environ.get("JMDX_WHEEL"), os.environ.get("JMDX_BARE_PYTHON")
pytestmark = pytest.mark.skipif(not (WHEEL and PYTHON), reason="JMDX_WHEEL and JMDX_BARE_PYTHON are not set")
JOB = pathlib.Path(__file__).with_name("cluster_job.py")
SETTINGS = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "1g",
    "spark.executor.memory": "1g",
    "spark.executorEnv.PYTHONPATH": "jmdx",
    "spark.ui.enabled": "false",
}


def bare(code, **environment):
    return subprocess.run([PYTHON, "-c", code], capture_output=True, text=True, timeout=120, env={**os.environ, **environment})


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cluster-data")
    lines = [f'{{"n":{n},"text":"wörd {n}"}}' for n in range(500)] + ['{"a":1,"a":2}']
    (folder / "part.jsonl").write_text("\n".join(lines) + "\n")
    return folder, lines


@pytest.fixture(scope="module")
def report(data, tmp_path_factory):
    """What the job tells, run as docs/spark.md says it."""
    assert "No module named 'jmdx'" in bare("import pyspark, pyarrow, jmdx").stderr
    work = tmp_path_factory.mktemp("cluster")
    shutil.copy(WHEEL, work / "jmdx.zip")
    with zipfile.ZipFile(WHEEL) as wheel:
        wheel.extractall(work / "jmdx")
    home = bare("import pyspark, os; print(os.path.dirname(pyspark.__file__))").stdout.strip()
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("SPARK_")},
        "PYSPARK_PYTHON": PYTHON,
        "PYTHONPATH": str(work / "jmdx"),
        "SPARK_HOME": home,
        "SPARK_LOCAL_DIRS": str(work),
        "SPARK_LOCAL_IP": "127.0.0.1",
    }
    settings = [word for name, value in SETTINGS.items() for word in ("--conf", f"{name}={value}")]
    command = [f"{home}/bin/spark-submit", "--master", "local-cluster[2,1,1024]", "--archives", f"{work}/jmdx.zip#jmdx", *settings]
    report = json.loads(run([*command, str(JOB), str(data[0]), str(work / "out")], 600, env=environment).splitlines()[-1])
    yield report
    shutil.rmtree(pathlib.Path(home) / "work" / report["app"], ignore_errors=True)


@pytest.mark.timeout(900)
def test_each_executor_imports_the_wheel_that_was_shipped(report):
    assert report["master"] == "local-cluster[2,1,1024]"
    assert len({folder for folder, _ in report["executors"]}) == 2
    for _, file in report["executors"]:
        assert file != report["driver"] and f"/work/{report['app']}/" in file


@pytest.mark.timeout(900)
def test_the_cluster_converts_and_tells_what_it_refuses(report, data):
    assert report["refused"] == ["duplicate_key"]
    assert report["same"] == len(data[1])


@pytest.mark.timeout(900)
def test_an_error_comes_back_from_an_executor(report):
    assert "JmdxError" in report["raised"] and "duplicate_key" in report["raised"]


def test_a_wheel_on_the_python_path_is_not_enough():
    """Python imports no machine code from within a zip, so `--py-files` with the wheel does not do it."""
    done = bare("import jmdx", PYTHONPATH=WHEEL)
    assert done.returncode == 1 and "jmdx._jmdx" in done.stderr, done.stderr


def test_wheel_and_package_are_the_same_version():
    assert f"-{jmdx.__version__}-" in pathlib.Path(WHEEL).name
