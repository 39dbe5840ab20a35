"""Time and memory of `evaluate` by the workers of a Dask cluster, for more and more rows.

python benchmarks/cluster.py [--rows 1000000 10000000 ...] [--queries 2000] [--workers 2]
                             [--worlds population] [--scheduler tcp://host:8786] [--check]
                             [--folder DIR]

Lists have 1,000 items; with `--queries`, as many as make up the rows. Without a scheduler's
address, workers are processes of this machine. Files go to a folder that all workers can read (12
bytes a row) and are kept only where `--folder` names it. `--check` compares all bits with an
evaluation in one process.
"""

from __future__ import annotations

import argparse
import tempfile
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import fuzzytruth as ft

ITEMS = 10_000
JUDGED = 10  # items of a query
SUBJECTS = 5
PARTITION = 1_000_000  # rows
MEASURES = ["AP", "nDCG@10", "P@10", "R@100", "RR"]


@dataclass(frozen=True)
class Size:
    """How many queries and systems there are, and how long their lists are."""

    queries: int
    systems: int
    rows_a_list: int

    @classmethod
    def of(cls, n_rows: int, systems: int, queries: int | None) -> Size:
        queries = queries or max(n_rows // systems // 1000, 1)
        rows_a_list = n_rows // systems // queries
        if not 0 < rows_a_list <= ITEMS:
            raise SystemExit(f"{n_rows:,} rows make lists of {rows_a_list:,}; 1 to {ITEMS:,}")
        return cls(queries, systems, rows_a_list)

    @property
    def queries_a_partition(self) -> int:
        return max(PARTITION // self.rows_a_list // self.systems, 1)


def write_partition(number: int, *, folder: Path, size: Size) -> None:
    """Lists of some queries, by all systems."""
    rng = np.random.default_rng(number)
    each, length = size.queries_a_partition, size.rows_a_list
    queries = np.arange(number * each, min((number + 1) * each, size.queries))
    n_lists = len(queries) * size.systems
    items = np.concatenate([rng.permutation(ITEMS)[:length] for _ in range(n_lists)])
    scores = -np.sort(-rng.gamma(4, 3, (n_lists, length)).astype("f4"), axis=1)
    systems = np.repeat([f"s{s}" for s in range(size.systems)], length)
    frame = pd.DataFrame(
        {
            "query": np.repeat([f"q{q}" for q in queries], size.systems * length),
            "system": np.tile(systems, len(queries)),
            "item": np.char.add("d", items.astype(str)),
            "score": scores.ravel(),
        }
    )
    frame.to_parquet(folder / f"part.{number:05}.parquet", index=False)


def write_judgments(path: Path, *, size: Size, crisp: bool) -> None:
    """Votes of subjects on some items of each query; of the first subject, without its name."""
    rng = np.random.default_rng(0)
    n = size.queries
    items = np.concatenate([rng.permutation(ITEMS)[:JUDGED].copy() for _ in range(n)])
    query = np.repeat([f"q{q}" for q in range(n)], JUDGED * SUBJECTS)
    votes = pd.DataFrame(
        {
            "query": query,
            "item": np.repeat(np.char.add("d", items.astype(str)), SUBJECTS),
            "subject": np.tile([f"p{s}" for s in range(SUBJECTS)], n * JUDGED),
            "grade": rng.integers(0, 3, len(query)),
        }
    )
    if crisp:
        votes = votes[votes["subject"] == "p0"].drop(columns="subject")
    votes.to_parquet(path, index=False)


def write(folder: Path, size: Size, crisp: bool) -> tuple[Path, Path]:
    """Files of runs and of judgments, unless they are there; written by other processes."""
    runs, judgments = folder / "runs", folder / f"judgments{'-crisp' if crisp else ''}.parquet"
    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        if not runs.exists():
            runs.mkdir(parents=True)
            task = partial(write_partition, folder=runs, size=size)
            list(pool.map(task, range(-(-size.queries // size.queries_a_partition))))
        pool.submit(write_judgments, judgments, size=size, crisp=crisp).result()
    return runs, judgments


def memory(name: str) -> float:
    """What `/proc` says of this process, in megabytes (Linux)."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name)) / 1024


def peak() -> float:
    """Peak memory since `forget`."""
    return memory("VmHWM")


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
    parser.add_argument("--queries", type=int, help="as many for any number of rows")
    parser.add_argument("--systems", type=int, default=5)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--worlds", choices=("crisp", "subject", "independent", "population"))
    parser.add_argument("--scheduler", help="address of a running cluster")
    parser.add_argument("--folder", type=Path, help="where files are written, and kept")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    columns = ["rows", "queries", "seconds", "client before, MB", "its peak", "peaks of workers"]
    print(" | ".join([*columns, "same"][: 6 + options.check]))
    for n_rows in options.rows:
        size = Size.of(n_rows, options.systems, options.queries)
        with tempfile.TemporaryDirectory(prefix="fuzzytruth-cluster-") as made:
            folder = (options.folder or Path(made)) / f"rows{n_rows}-queries{size.queries}"
            runs, judgments = write(folder, size, options.worlds == "crisp")
            truth = ft.read_judgments(judgments)
            kind = {} if options.worlds is None else {"worlds": options.worlds}
            cluster = options.scheduler or LocalCluster(
                n_workers=options.workers, threads_per_worker=1, dashboard_address=":0"
            )
            with Client(cluster) as client:
                forget()
                before = memory("VmRSS")
                start = time.perf_counter()
                scores = ft.evaluate(truth, str(runs), MEASURES, client=client, **kind)
                seconds, own = time.perf_counter() - start, peak()
                workers = [f"{mb:.0f}" for mb in client.run(peak).values()]
            if options.scheduler is None:
                cluster.close()
            line = f"{n_rows:,} | {size.queries:,} | {seconds:.1f} | {before:.0f} | {own:.0f} | "
            line += " ".join(workers)
            if options.check:
                alone = ft.evaluate(truth, pd.read_parquet(runs), MEASURES, **kind)
                line += f" | {same(scores, alone)}"
            print(line, flush=True)


if __name__ == "__main__":
    main()
