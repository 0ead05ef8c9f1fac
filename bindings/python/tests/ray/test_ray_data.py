"""Ray Data on this machine: the run is a process of its own, and all that Ray starts ends with it."""

import json
import os
import pathlib
import signal
import subprocess
import sys

import jmdx
import pytest

pytest.importorskip("ray")

JOB = pathlib.Path(__file__).with_name("ray_job.py")
GOOD = [f'{{"n":{n},"text":"wörd\\n{n}"}}' for n in range(3000)]
LINES = [*GOOD, '{"a":1,"a":2}', '{"cut":']


def processes_of(session):
    """Processes that were started with that word in their environment."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if f"JMDX_RAY_TEST={session}".encode() in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
        except OSError:
            pass
    return found


def end(session):
    """Ends what is left of a run, and says what that was."""
    left = processes_of(session)
    for process in left:
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass
    return left


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    work = tmp_path_factory.mktemp("ray")
    rows = work / "rows.jsonl"
    rows.write_text("".join(json.dumps({"id": at, "payload": line}) + "\n" for at, line in enumerate(LINES)))
    session = f"{os.getpid()}-{work.name}"
    environment = {**os.environ, "JMDX_RAY_TEST": session, "RAY_USAGE_STATS_ENABLED": "0", "HOME": str(work)}
    process = subprocess.Popen(
        [sys.executable, str(JOB), str(rows), str(work / "out")],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        start_new_session=True,
    )
    try:
        out, err = process.communicate(timeout=500)
    finally:
        left = end(session)
    assert process.returncode == 0, err[-5000:]
    return {**json.loads(out.splitlines()[-1]), "left": left}


@pytest.mark.timeout(600)
def test_rows_are_converted_as_one_by_one(report):
    assert report["columns"] == ["id", "payload", "jmd", "jmd_error"]
    texts = dict(map(tuple, report["texts"]))
    assert len(texts) == len(LINES)
    assert [texts[at] for at in range(len(GOOD))] == [jmdx.to_jmd(line) for line in GOOD]


@pytest.mark.timeout(600)
def test_refused_rows_are_told(report):
    assert [(at, kind) for at, kind in report["refused"]] == [(len(GOOD), "duplicate_key"), (len(GOOD) + 1, jmd_kind('{"cut":'))]


def jmd_kind(text):
    with pytest.raises(jmdx.JmdxError) as caught:
        jmdx.to_jmd(text)
    return caught.value.kind


@pytest.mark.timeout(600)
def test_parquet_and_back(report):
    assert report["different"] == 0 and report["back"] == len(GOOD)


@pytest.mark.timeout(600)
def test_an_error_comes_back_from_a_worker(report):
    assert "JmdxError" in report["raised"] and "duplicate_key" in report["raised"]


@pytest.mark.timeout(600)
def test_nulls_empty_datasets_and_one_huge_row(report):
    assert report["nulls"] == [None, None] and report["empty"] == 0 and report["huge"]


@pytest.mark.timeout(600)
def test_nothing_is_left_running(report):
    assert report["left"] == []
