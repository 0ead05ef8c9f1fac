"""One Spark of two cores for all tests of this folder, ended with all its processes; the binaries and the data that they need."""

import contextlib
import os
import pathlib
import signal
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[4]
SETTINGS = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "1g",
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.enabled": "false",
}


def program(name):
    """A binary of this project: in the folder JMDX_PROGRAMS, or where cargo puts it."""
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    folders = [pathlib.Path(os.environ["JMDX_PROGRAMS"])] if "JMDX_PROGRAMS" in os.environ else [target / "release", target / "debug"]
    for folder in folders:
        if (folder / name).is_file():
            return str((folder / name).resolve())
    pytest.skip(f"there is no program {name}; cargo build -p {'jmdx' if name == 'jmdx' else name}")


@pytest.fixture(scope="session")
def jmdx_program():
    return program("jmdx")


@pytest.fixture(scope="session")
def generate_program():
    return program("generate")


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    pyspark = pytest.importorskip("pyspark")
    sql = pytest.importorskip("pyspark.sql")
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = sql.SparkSession.builder.master("local[2]")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    home = tmp_path_factory.mktemp("spark")
    session = builder.config("spark.sql.warehouse.dir", str(home)).config("spark.local.dir", str(home)).getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()
    end(pyspark.SparkContext._gateway)


def run(command, seconds, **options):
    """What a command prints; it and all that it starts are a process group of their own, which has ended behind it."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    process = subprocess.Popen(command, start_new_session=True, **pipes, **options)
    try:
        out, err = process.communicate(timeout=seconds)
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == 0, f"{out[-2000:]}\n{err[-5000:]}"
    return out


def end(gateway):
    """Ends the JVM: it goes when its stdin is closed, and is killed if it does not."""
    gateway.shutdown()
    gateway.proc.stdin.close()
    try:
        gateway.proc.wait(60)
    except subprocess.TimeoutExpired:
        gateway.proc.kill()
        raise
