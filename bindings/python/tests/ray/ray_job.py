"""A run of Ray Data on the loopback address; tells on stdout what came of it.

usage: ray_job.py ROWS.jsonl OUT
"""

import json
import sys

import pyarrow as pa
import ray

import jmdx
import jmdx.ray


def huge_row_survives():
    text = json.dumps({"items": [{"n": n, "text": "word " * 10} for n in range(100_000)]}, separators=(",", ":"))
    data = ray.data.from_arrow(pa.table({"payload": ["{}", text, "{}"]})).map_batches(jmdx.ray.Convert("payload"), batch_format="pyarrow")
    return [row["payload"] for row in data.take_all()] == [jmdx.to_jmd("{}"), jmdx.to_jmd(text), jmdx.to_jmd("{}")]


def error_of(data):
    try:
        data.map_batches(jmdx.ray.Convert("payload", on_error="raise"), batch_format="pyarrow").materialize()
    except Exception as error:
        return str(error)
    return ""


def main():
    source, out = sys.argv[1:]
    ray.init(address="local", num_cpus=2, include_dashboard=False, object_store_memory=200 << 20, _node_ip_address="127.0.0.1")
    ray.data.DataContext.get_current().enable_progress_bars = False
    data = ray.data.read_json(source, lines=True, override_num_blocks=4)
    there = data.map_batches(jmdx.ray.Convert("payload", "jmd"), batch_format="pyarrow").materialize()
    there.write_parquet(out)
    back = (
        ray.data.read_parquet(out)
        .filter(lambda row: row["jmd"] is not None)
        .map_batches(jmdx.ray.Convert("jmd", "json", from_="jmd", to="json"), batch_format="pyarrow")
        .materialize()
    )
    rows = sorted(there.take_all(), key=lambda row: row["id"])
    nulls = ray.data.from_items([{"payload": None}, {"payload": None}]).map_batches(jmdx.ray.Convert("payload"), batch_format="pyarrow")
    empty = data.filter(lambda row: False).map_batches(jmdx.ray.Convert("payload"), batch_format="pyarrow")
    report = {
        "columns": there.columns(),
        "texts": [(row["id"], row["jmd"]) for row in rows],
        "refused": [(row["id"], row["jmd_error"]["kind"]) for row in rows if row["jmd_error"] is not None],
        "back": back.count(),
        "different": sum(row["json"] != row["payload"] or row["json_error"] is not None for row in back.take_all()),
        "nulls": [row["payload"] for row in nulls.take_all()],
        "empty": empty.count(),
        "huge": huge_row_survives(),
        "raised": error_of(data),
    }
    ray.shutdown()
    print(json.dumps(report))


if __name__ == "__main__":
    main()
