"""Time and memory of `evaluate` by the workers of a Dask cluster, for more and more rows.

python benchmarks/cluster.py [--rows 1000000 10000000 ...] [--workers 2] [--worlds population]
                             [--scheduler tcp://host:8786] [--check] [--folder DIR]

Without a scheduler's address, workers are processes of this machine. Files go to a folder that all
workers can read (12 bytes a row) and are kept only where `--folder` names it. `--check` compares
all bits with an evaluation in one process.
"""

from __future__ import annotations

import argparse
import tempfile
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import fuzzytruth as ft

ROWS_A_LIST = 1000
JUDGED = 10  # items of a query
SUBJECTS = 5
PARTITION = 1_000_000  # rows
MEASURES = ["AP", "nDCG@10", "P@10", "R@100", "RR"]


def write_partition(number: int, *, folder: Path, systems: int, n_queries: int) -> None:
    """Lists of some queries, by all systems."""
    rng = np.random.default_rng(number)
    each = max(PARTITION // ROWS_A_LIST // systems, 1)
    queries = np.arange(number * each, min((number + 1) * each, n_queries))
    n_lists = len(queries) * systems
    items = np.concatenate([rng.permutation(10_000)[:ROWS_A_LIST] for _ in range(n_lists)])
    scores = -np.sort(-rng.gamma(4, 3, (n_lists, ROWS_A_LIST)).astype("f4"), axis=1)
    frame = pd.DataFrame(
        {
            "query": np.repeat([f"q{q}" for q in queries], systems * ROWS_A_LIST),
            "system": np.tile(
                np.repeat([f"s{s}" for s in range(systems)], ROWS_A_LIST), len(queries)
            ),
            "item": np.char.add("d", items.astype(str)),
            "score": scores.ravel(),
        }
    )
    frame.to_parquet(folder / f"part.{number:05}.parquet", index=False)


def write(folder: Path, n_rows: int, systems: int) -> pd.DataFrame:
    """Runs in a folder of Parquet files, unless it has them already; returns the judgments."""
    n_queries = max(n_rows // ROWS_A_LIST // systems, 1)
    each = max(PARTITION // ROWS_A_LIST // systems, 1)
    task = partial(write_partition, folder=folder, systems=systems, n_queries=n_queries)
    if not any(folder.iterdir()):
        with ProcessPoolExecutor(2, get_context("spawn")) as pool:
            list(pool.map(task, range(-(-n_queries // each))))
    rng = np.random.default_rng(0)
    items = np.concatenate([rng.permutation(10_000)[:JUDGED].copy() for _ in range(n_queries)])
    query = np.repeat([f"q{q}" for q in range(n_queries)], JUDGED * SUBJECTS)
    return pd.DataFrame(
        {
            "query": query,
            "item": np.repeat(np.char.add("d", items.astype(str)), SUBJECTS),
            "subject": np.tile([f"p{s}" for s in range(SUBJECTS)], n_queries * JUDGED),
            "grade": rng.integers(0, 3, len(query)),
        }
    )


def peak() -> float:
    """Peak memory of this process since `forget`, in megabytes (Linux)."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def forget() -> None:
    """Let `peak` start from what is in memory now."""
    Path("/proc/self/clear_refs").write_text("5")


def same(one: ft.Scores, two: ft.Scores) -> bool:
    """Whether all numbers have the same bits."""
    pairs: list[tuple[Any, Any]] = [(one.values, two.values)]
    if one.uncertainty is not None and two.uncertainty is not None:
        for name in ("std", "mc_error", "world_means", "within"):
            pairs.append((getattr(one.uncertainty, name), getattr(two.uncertainty, name)))
    return one.provenance == two.provenance and all(
        np.array_equal(a, b, equal_nan=True) for a, b in pairs if a is not None
    )


def main() -> None:
    from dask.distributed import Client, LocalCluster

    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000_000, 10_000_000])
    parser.add_argument("--systems", type=int, default=5)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--worlds", choices=("crisp", "subject", "independent", "population"))
    parser.add_argument("--scheduler", help="address of a running cluster")
    parser.add_argument("--folder", type=Path, help="where files are written, and kept")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print("rows | queries | seconds | peak of the client, MB | peaks of the workers, MB | same")
    for n_rows in options.rows:
        with tempfile.TemporaryDirectory(prefix="fuzzytruth-cluster-") as made:
            folder = (options.folder or Path(made)) / f"rows{n_rows}"
            folder.mkdir(parents=True, exist_ok=True)
            votes = write(folder, n_rows, options.systems)
            if options.worlds == "crisp":
                votes = votes[votes["subject"] == "p0"].drop(columns="subject")
            truth = ft.Judgments.from_frame(votes)
            n_queries = votes["query"].nunique()
            del votes
            kind = {} if options.worlds is None else {"worlds": options.worlds}
            cluster = options.scheduler or LocalCluster(
                n_workers=options.workers, threads_per_worker=1, dashboard_address=":0"
            )
            with Client(cluster) as client:
                forget()
                start = time.perf_counter()
                scores = ft.evaluate(truth, str(folder), MEASURES, client=client, **kind)
                seconds, own = time.perf_counter() - start, peak()
                workers = [f"{mb:.0f}" for mb in client.run(peak).values()]
            if options.scheduler is None:
                cluster.close()
            line = f"{n_rows:,} | {n_queries:,} | {seconds:.1f} | {own:.0f} | "
            line += " ".join(workers)
            if options.check:
                alone = ft.evaluate(truth, pd.read_parquet(folder), MEASURES, **kind)
                line += f" | {same(scores, alone)}"
            print(line, flush=True)


if __name__ == "__main__":
    main()
