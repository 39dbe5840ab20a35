"""Time and memory of `evaluate` from files of more and more rows, each in a process of its own.

python benchmarks/scale.py [--rows 1000000 10000000 ...] [--format run|csv|jsonl|parquet]
                           [--shuffled] [--systems N] [--n-jobs N]

Files go to a temporary folder (TMPDIR) and are removed: 35 bytes a row of a TREC run.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

ROWS_A_QUERY = 1000
JUDGED = 10  # items of a query
PART = 1_000_000  # rows written at a time
MEASURES = '["AP", "nDCG@10", "P@10", "R@100", "RR"]'
CHILD = (
    "import sys, fuzzytruth as ft; "
    f"ft.evaluate(sys.argv[1], sys.argv[3:], {MEASURES}, n_jobs=int(sys.argv[2]))"
)


def write(folder: Path, n_rows: int, kind: str, n_systems: int, *, shuffled: bool) -> list[str]:
    """Judgments and runs of this many rows: their paths."""
    rng = np.random.default_rng(0)
    n_queries = max(n_rows // ROWS_A_QUERY, 1)
    qrels = folder / "qrels.txt"
    with qrels.open("w") as file:
        for query in range(n_queries):
            for item in rng.choice(10 * ROWS_A_QUERY, JUDGED, replace=False).tolist():
                file.write(f"q{query} 0 d{item} {item % 3}\n")
    paths = [folder / f"system{number}.{kind}" for number in range(n_systems)]
    for path in paths:
        _write_run(path, rng, n_queries, shuffled=shuffled)
    return [str(qrels), *map(str, paths)]


def _write_run(path: Path, rng: np.random.Generator, n_queries: int, *, shuffled: bool) -> None:
    import pandas as pd
    import pyarrow as pa
    import pyarrow.parquet as pq

    writer = None
    for start in range(0, n_queries, PART // ROWS_A_QUERY):
        stop = min(start + PART // ROWS_A_QUERY, n_queries)
        query = np.repeat(np.arange(start, stop), ROWS_A_QUERY)
        item = np.concatenate(
            [rng.permutation(10 * ROWS_A_QUERY)[:ROWS_A_QUERY] for _ in range(start, stop)]
        )
        score = -np.sort(-rng.gamma(4, 3, (stop - start, ROWS_A_QUERY)).round(4), axis=1).ravel()
        frame = pd.DataFrame({"query": query, "item": item, "score": score})
        frame["query"] = "q" + frame["query"].astype(str)
        frame["item"] = "d" + frame["item"].astype(str)
        if shuffled:  # within a million rows, so that queries are in several blocks
            frame = frame.iloc[rng.permutation(len(frame))]
        if path.suffix == ".parquet":
            table = pa.Table.from_pandas(frame, preserve_index=False)
            writer = writer or pq.ParquetWriter(path, table.schema)
            writer.write_table(table)
        elif path.suffix == ".jsonl":
            frame.to_json(path, orient="records", lines=True, mode="a")
        elif path.suffix == ".csv":
            frame.to_csv(path, mode="a", header=start == 0, index=False)
        else:
            frame = frame.assign(Q0="Q0", rank=1, tag="t")
            frame = frame[["query", "Q0", "item", "rank", "score", "tag"]]
            frame.to_csv(path, mode="a", header=False, index=False, sep=" ")
    if writer is not None:
        writer.close()


def measured(paths: list[str], n_jobs: int) -> tuple[float, float, float]:
    """Seconds, seconds of all cores, and peak megabytes of one evaluation."""
    start = time.perf_counter()
    call = [sys.executable, "-W", "ignore", "-c", CHILD, paths[0], str(n_jobs), *paths[1:]]
    child = subprocess.Popen(call)
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        raise SystemExit(f"{paths} failed")
    seconds = time.perf_counter() - start
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000_000, 10_000_000])
    parser.add_argument("--format", choices=("run", "csv", "jsonl", "parquet"), default="run")
    parser.add_argument("--shuffled", action="store_true")
    parser.add_argument("--systems", type=int, default=1)
    parser.add_argument("--n-jobs", type=int, default=1)
    options = parser.parse_args()
    print("rows of a system | seconds | seconds of all cores | peak memory, MB")
    for n_rows in options.rows:
        with tempfile.TemporaryDirectory(prefix="fuzzytruth-scale-") as folder:
            paths = write(
                Path(folder), n_rows, options.format, options.systems, shuffled=options.shuffled
            )
            seconds, work, peak = measured(paths, options.n_jobs)
        print(f"{n_rows:,} | {seconds:.1f} | {work:.1f} | {peak:.0f}", flush=True)


if __name__ == "__main__":
    main()
