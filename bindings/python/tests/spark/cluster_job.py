"""A job for spark-submit: converts the JSON lines of a folder to Parquet, and tells on stdout where each Python found the package.

usage: cluster_job.py FOLDER OUT
"""

import json
import sys

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

import jmdx.spark


def place(rows):
    import os

    import jmdx

    for _ in rows:
        pass
    yield os.environ.get("SPARK_EXECUTOR_DIRS", ""), jmdx.__file__


def main():
    spark = SparkSession.builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    folder, out = sys.argv[1:]
    jmdx.spark.with_jmd(spark.read.text(folder).repartition(4), "value", "jmd").write.parquet(out)
    jmdx.spark.register(spark, on_error="null")
    spark.read.parquet(out).createOrReplaceTempView("rows")
    report = {
        "app": spark.sparkContext.applicationId,
        "master": spark.sparkContext.master,
        "driver": jmdx.__file__,
        "executors": sorted(set(spark.sparkContext.parallelize(range(8), 8).mapPartitions(place).collect())),
        "same": spark.sql("SELECT * FROM rows WHERE to_jmd(value) <=> jmd").count(),
        "refused": [row.kind for row in spark.read.parquet(out).where("jmd is null").select(F.col("jmd_error.kind")).collect()],
    }
    try:
        jmdx.spark.with_jmd(spark.read.text(folder), "value", on_error="raise").collect()
    except Exception as error:
        report["raised"] = str(error)
    print(json.dumps(report))
    spark.stop()


if __name__ == "__main__":
    main()
