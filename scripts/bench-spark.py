#!/usr/bin/env python3
"""Rows a second in Spark and in Ray Data: jmdx, jmd-format in a pandas function, and functions that do nothing.

usage: bench-spark.py spark|ray [--kind logs|chat|api] [--megabytes 100] [--rounds 5] [--generate PROGRAM]

Run it with a Python that has the packages, such as target/python/venv/bin/python after scripts/check-python.sh --all (a release wheel). One session,
one cached input. Before the clock starts each contender's rows are compared as values. Then one round to warm up, and rounds in which the contenders
take turns; best and median count. Results are thrown away (Spark: the sink `noop`; Ray: materialized blocks). Prints Markdown.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import time

import jmd
import orjson
import pyarrow as pa

import jmdx

ROOT = pathlib.Path(__file__).resolve().parents[1]
THREADS = 2


def jmd_format_to_jmd(text):
    return jmd.serialize(orjson.loads(text), "Document")


def jmd_format_to_json(text):
    return orjson.dumps(jmd.parse(text).value).decode()


def lines(generate, kind, megabytes):
    text = subprocess.run([generate, kind, "--size", f"{megabytes}MB"], stdout=subprocess.PIPE, check=True).stdout
    return text.decode().split("\n")[:-1]


def check(name, way, sources, results):
    """That the rows have the values which they should have: as JSON again, or of the JSON."""
    read = {"json_to_jmd": lambda text: orjson.loads(jmdx.to_json(text)), "jmd_to_json": orjson.loads}[way]
    for number, (source, result) in enumerate(zip(sources, results, strict=True)):
        if read(result) != orjson.loads(source):
            raise SystemExit(f"{name}: row {number} has another value")


def measure(contenders, rounds):
    """Seconds of each contender's rounds; the first round, which warms up, is left out."""
    seconds = {name: [] for name in contenders}
    for number in range(rounds + 1):
        for name, run in contenders.items():
            start = time.perf_counter()
            run()
            if number:
                seconds[name].append(time.perf_counter() - start)
    return seconds


def table(title, seconds, rows, size):
    ours = statistics.median(seconds["jmdx"])
    print(f"\n{title}: {rows} rows, {size / 1e6:.0f} MB\n")
    print("| | rows/s, best | rows/s, median | MB/s, median | time / that of jmdx |\n|---|---:|---:|---:|---:|")
    for name, spent in seconds.items():
        median = statistics.median(spent)
        print(f"| {name} | {rows / min(spent):,.0f} | {rows / median:,.0f} | {size / median / 1e6:,.0f} | {median / ours:.2f} |")


def spark_session():
    from pyspark.sql import SparkSession

    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {"driver.bindAddress": "127.0.0.1", "driver.host": "127.0.0.1", "driver.memory": "4g", "ui.enabled": "false"}
    builder = SparkSession.builder.master(f"local[{THREADS}]")
    for name, value in settings.items():
        builder = builder.config(f"spark.{name}", value)
    session = builder.config("spark.ui.showConsoleProgress", "false").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


def spark_contenders(way):
    """Dataframe to dataframe; the text is in the column `text` before and behind."""
    from pyspark.sql.functions import arrow_udf, pandas_udf

    import jmdx.spark

    there = way == "json_to_jmd"
    with_text = jmdx.spark.with_jmd if there else jmdx.spark.with_json
    function = (jmdx.spark.to_jmd_udf if there else jmdx.spark.to_json_udf)()
    single = jmd_format_to_jmd if there else jmd_format_to_json
    peer = pandas_udf(lambda series: series.map(single), "string")
    same_series, same_array = pandas_udf(lambda series: series, "string"), arrow_udf(lambda array: array, "string")
    return {
        "jmdx": lambda df: with_text(df, "text"),
        "jmdx, function": lambda df: df.select(function("text").alias("text")),
        "jmd-format, pandas function": lambda df: df.select(peer("text").alias("text")),
        "nothing, mapInArrow": lambda df: df.mapInArrow(lambda batches: batches, df.schema),
        "nothing, Arrow function": lambda df: df.select(same_array("text").alias("text")),
        "nothing, pandas function": lambda df: df.select(same_series("text").alias("text")),
        "no Python": lambda df: df,
    }


def spark_way(session, way, sources, texts, rounds, title):
    folder = [(text,) for text in texts]
    df = session.createDataFrame(folder, "text string").repartition(4 * THREADS).cache()
    rows = df.count()
    contenders = spark_contenders(way)
    few = session.createDataFrame(folder[:200], "text string").coalesce(1)
    for name, apply in contenders.items():
        if "jmd" in name:
            check(name, way, sources[:200], [row.text for row in apply(few).collect()])
    runs = {name: lambda apply=apply: apply(df).write.format("noop").mode("overwrite").save() for name, apply in contenders.items()}
    table(title, measure(runs, rounds), rows, sum(len(text.encode()) for text in texts))
    df.unpersist()


def bench_spark(sources, jmds, options):
    session = spark_session()
    try:
        for way, texts in (("json_to_jmd", sources), ("jmd_to_json", jmds)):
            spark_way(session, way, sources, texts, options.rounds, f"Spark {session.version}, local[{THREADS}], {options.kind}, {way}")
    finally:
        session.stop()


def ray_contenders(way):
    """Functions for batches, with the format of the batch."""
    import jmdx.ray

    from_, to = way.split("_to_")
    single = jmd_format_to_jmd if to == "jmd" else jmd_format_to_json
    return {
        "jmdx": (jmdx.ray.Convert("text", from_=from_, to=to), "pyarrow"),
        "jmd-format, pandas batches": (lambda frame: frame.assign(text=frame["text"].map(single)), "pandas"),
        "nothing, Arrow batches": (lambda batch: batch, "pyarrow"),
        "nothing, pandas batches": (lambda frame: frame, "pandas"),
    }


def ray_way(ray, way, sources, texts, rounds, title):
    blocks = [pa.table({"text": texts[at :: 4 * THREADS]}) for at in range(4 * THREADS)]
    data = ray.data.from_arrow(blocks).materialize()
    contenders = ray_contenders(way)
    few = ray.data.from_arrow(pa.table({"text": texts[:200]}))
    for name, (function, form) in contenders.items():
        if "jmd" in name:
            check(name, way, sources[:200], [row["text"] for row in few.map_batches(function, batch_format=form).take_all()])
    runs = {
        name: lambda function=function, form=form: data.map_batches(function, batch_format=form, batch_size=None).materialize()
        for name, (function, form) in contenders.items()
    }
    table(title, measure(runs, rounds), len(texts), sum(len(text.encode()) for text in texts))


def bench_ray(sources, jmds, options):
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    import ray

    ray.init(
        address="local", num_cpus=THREADS, include_dashboard=False, object_store_memory=2 << 30, _node_ip_address="127.0.0.1", log_to_driver=False
    )
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    try:
        for way, texts in (("json_to_jmd", sources), ("jmd_to_json", jmds)):
            ray_way(ray, way, sources, texts, options.rounds, f"Ray {ray.__version__}, {THREADS} cores, {options.kind}, {way}")
    finally:
        ray.shutdown()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("where", choices=["spark", "ray"])
    parser.add_argument("--kind", default="logs", choices=["logs", "chat", "api"])
    parser.add_argument("--megabytes", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--generate", default=str(ROOT / "target/release/generate"))
    options = parser.parse_args()
    sources = lines(options.generate, options.kind, options.megabytes)
    jmds = [jmdx.to_jmd(line) for line in sources]
    {"spark": bench_spark, "ray": bench_ray}[options.where](sources, jmds, options)


if __name__ == "__main__":
    main()
