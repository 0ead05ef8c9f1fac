"""Spark on files: JSON lines in folders of partitions to Parquet and back, and the same data through the program `jmdx`.

JMDX_TEST_MEGABYTES says how much data that is; scripts/check-python.sh --all says 200.
"""

import json
import os
import pathlib
import subprocess

import pytest

pytest.importorskip("pyspark")

from pyspark.errors import PythonException  # noqa: E402
from pyspark.sql import functions as F  # noqa: E402

import jmdx.spark  # noqa: E402

MEGABYTES = float(os.environ.get("JMDX_TEST_MEGABYTES", "2"))
BAD = ['{"a":1,"a":2}', '{"cut":', "17"]


@pytest.fixture(scope="module")
def dataset(generate_program, tmp_path_factory):
    """Records of three kinds, a partition each, the kind `chat` in two files; some of the logs are no JSON."""
    folder = tmp_path_factory.mktemp("dataset")
    for kind, files in {"chat": 2, "logs": 1, "api": 1}.items():
        place = folder / f"kind={kind}"
        place.mkdir()
        for seed in range(files):
            with open(place / f"part-{seed}.jsonl", "wb") as out:
                size = f"{int(MEGABYTES * 1000 / 4)}KB"
                subprocess.run([generate_program, kind, "--size", size, "--seed", str(seed)], stdout=out, check=True, timeout=900)
    with open(folder / "kind=logs" / "part-0.jsonl", "a") as out:
        out.writelines(f"{line}\n" for line in BAD)
    return folder


@pytest.fixture(scope="module")
def parquet(spark, dataset, tmp_path_factory):
    """The dataset with a column of JMD, as Parquet, a partition a kind."""
    folder = str(tmp_path_factory.mktemp("parquet") / "jmd")
    df = spark.read.text(str(dataset)).withColumn("file", F.regexp_extract(F.input_file_name(), r"([^/]+)$", 1))
    jmdx.spark.with_jmd(df, "value", "jmd").write.partitionBy("kind").parquet(folder)
    return folder


def lines(folder):
    return [line for file in sorted(pathlib.Path(folder).rglob("*.jsonl")) for line in file.read_text().split("\n")[:-1]]


@pytest.mark.timeout(1800)
def test_partitions_of_json_lines_to_parquet_and_back(spark, dataset, parquet, tmp_path):
    stored = spark.read.parquet(parquet)
    assert stored.count() == len(lines(dataset))
    assert {row.kind for row in stored.select("kind").distinct().collect()} == {"chat", "logs", "api"}
    refused = stored.where("jmd is null").collect()
    assert sorted(row.value for row in refused) == sorted(BAD)
    assert {row.jmd_error.kind for row in refused} == {jmd_kind(text) for text in BAD}

    back = jmdx.spark.with_json(stored.where("jmd is not null"), "jmd", "json")
    assert back.where("json_error is not null or json != value").count() == 0
    back.select("kind", "json").write.partitionBy("kind").text(str(tmp_path / "back"))
    for kind in ("chat", "logs", "api"):
        written = [line for file in (tmp_path / "back" / f"kind={kind}").glob("part-*") for line in file.read_text().split("\n")[:-1]]
        assert sorted(written) == sorted(line for line in lines(dataset / f"kind={kind}") if line not in BAD)


def jmd_kind(text):
    with pytest.raises(jmdx.JmdxError) as caught:
        jmdx.to_jmd(text)
    return caught.value.kind


@pytest.mark.timeout(1800)
def test_the_program_makes_the_same_texts(spark, dataset, parquet, jmdx_program, tmp_path):
    done = subprocess.run(
        [jmdx_program, "convert", str(dataset), "--out-dir", str(tmp_path / "out"), "--threads", "2", "--quiet"],
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 1, done.stderr  # the bad records are refused there, too
    names = {(row.kind, row.file) for row in spark.read.parquet(parquet).select("kind", "file").distinct().collect()}
    assert len(names) == 4
    for kind, file in names:
        ours = spark.read.parquet(parquet).where((F.col("kind") == kind) & (F.col("file") == file) & F.col("jmd").isNotNull())
        theirs = [json.loads(line)["text"] for line in (tmp_path / "out" / f"kind={kind}" / file).read_text().split("\n")[:-1]]
        assert sorted(row.jmd for row in ours.select("jmd").toLocalIterator()) == sorted(theirs)
    errors = [json.loads(line)["error"] for file in (tmp_path / "out" / "_errors").rglob("*.jsonl") for line in file.read_text().splitlines()]
    assert sorted(error["kind"] for error in errors) == sorted(map(jmd_kind, BAD))


def piped(spark, program, folder, shell=""):
    command = f"{program} pipe --in-frame lines --wrap /text --out-frame lines"
    command = f"sh -c '{command} {shell}'" if shell else command
    return spark.sparkContext.textFile(str(folder)).pipe(command, checkCode=True)


def test_a_pipe_of_the_program_makes_the_same_texts(spark, dataset, jmdx_program):
    folder = dataset / "kind=chat"
    got = [json.loads(line)["text"] for line in piped(spark, jmdx_program, folder).collect()]
    assert got == [jmdx.to_jmd(line) for line in spark.sparkContext.textFile(str(folder)).collect()]


def test_a_pipe_ends_the_job_at_a_bad_record_or_carries_its_error(spark, dataset, jmdx_program):
    folder = dataset / "kind=logs"
    with pytest.raises(Exception, match="Pipe function `.*` exited with error code 1"):
        piped(spark, jmdx_program, folder).count()
    lenient = piped(spark, jmdx_program, folder, shell="|| test $? -eq 1").map(json.loads)
    assert lenient.filter(lambda record: "text" in record).count() == len(lines(folder)) - len(BAD)
    kinds = lenient.filter(lambda record: "error" in record).map(lambda record: record["error"]["kind"]).collect()
    assert sorted(kinds) == sorted(map(jmd_kind, BAD))


def test_a_pipe_without_the_program_is_no_empty_dataset(spark, dataset):
    with pytest.raises(Exception, match="(?s)no-such-program"):
        piped(spark, "/no-such-program", dataset / "kind=api").count()


def test_a_bad_record_ends_a_job_that_shall_raise(spark, dataset, tmp_path):
    with pytest.raises(PythonException, match="JmdxError"):
        jmdx.spark.with_jmd(spark.read.text(str(dataset)), "value", on_error="raise").write.parquet(str(tmp_path / "jmd"))
    assert not (tmp_path / "jmd" / "_SUCCESS").exists()
