"""Time membership and query by example.

python benchmarks/categories.py [--imagenet FOLDER] [--n-worlds N]

FOLDER holds raters_long.parquet, classes.csv and wordnet_dag_edges.csv; without it only the
synthetic collection is timed: 10,000 items, each a query with 100 retrieved items, 10 categories,
five subjects.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import fuzzytruth as ft

N, DEPTH, SUBJECTS = 10_000, 100, 5


def timed(what: str, call: Callable[[], Any]) -> Any:
    start = time.perf_counter()
    out = call()
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"{what:62s} {seconds:7.2f} s   peak {peak:.2f} GB")
    return out


def collection(rng: np.random.Generator) -> tuple[ft.ByExample, ft.Runs]:
    """Five subjects who name a hidden category in 70 % of cases, and random lists."""
    taxonomy = ft.Taxonomy.from_children({"all": [f"c{i}" for i in range(9)]})
    hidden = rng.integers(1, 10, N)
    given = np.where(rng.random((SUBJECTS, N)) < 0.7, hidden, rng.integers(1, 10, (SUBJECTS, N)))
    items = np.array([f"i{i}" for i in range(N)], dtype=object)
    frame = pd.DataFrame(
        {
            "subject": np.repeat([f"s{i}" for i in range(SUBJECTS)], N),
            "item": np.tile(items, SUBJECTS),
            "category": np.array(taxonomy.nodes)[given.ravel()],
        }
    )
    step = rng.integers(1, N, N)[:, None] * np.arange(1, DEPTH + 1)
    # Odd steps in a cycle of 10,007, a prime: no item twice in a list.
    listed = (np.arange(N)[:, None] + step) % 10_007
    keep = listed < N
    runs = ft.Runs.from_frame(
        pd.DataFrame(
            {
                "query": items[np.repeat(np.arange(N), DEPTH)[keep.ravel()]],
                "item": items[listed[keep]],
                "score": np.tile(np.arange(DEPTH, 0.0, -1.0), N)[keep.ravel()],
            }
        )
    )
    return ft.Assignments.from_frame(frame, taxonomy=taxonomy).by_example(), runs


def imagenet(folder: Path) -> None:
    ratings = pd.read_parquet(folder / "raters_long.parquet")
    classes = pd.read_csv(folder / "classes.csv").set_index("label")["wnid"]
    edges = pd.read_csv(folder / "wordnet_dag_edges.csv")
    asked = pd.DataFrame(
        {
            "subject": ratings["rater"],
            "item": ratings["image"],
            "category": ratings["label"].map(classes),
        }
    )
    yes = asked[ratings["answer"] == 2]

    def membership() -> ft.Membership:
        taxonomy = ft.Taxonomy.from_edges(list(zip(edges["parent"], edges["child"], strict=True)))
        return ft.Assignments.from_frame(yes, taxonomy=taxonomy, asked=asked).membership()

    table = timed("ImageNet: 924,810 ratings, 1,860 categories: membership", membership)
    print("  parents less probable than children:", table.violations())
    taxonomy = table.taxonomy
    for name, questions in (("as asked", asked), ("yes rows", None)):
        votes = ft.Assignments.from_frame(yes, taxonomy=taxonomy, asked=questions)
        for metric in ("taxonomy", "masi"):
            for over in (("item",), ("item", "subject")) if metric == "taxonomy" else (("item",),):
                timed(
                    f"  alpha of {len(votes):,} votes, {name}, {metric}, over {' and '.join(over)}",
                    lambda v=votes, m=metric, o=over: ft.agreement(v, metric=m, over=o),
                )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--imagenet", type=Path)
    parser.add_argument("--n-worlds", type=int, default=1000)
    given = parser.parse_args()
    if given.imagenet is not None:
        imagenet(given.imagenet)
    truth, runs = collection(np.random.default_rng(0))
    ranks = ft.by_rank(truth, runs, depth=DEPTH)
    timed(
        "by example, 10,000 queries: pmfs of P@1 to P@100",
        lambda: ranks.hit_pmfs(runs.systems[0]),
    )
    timed("  ... mean, spread, intervals, expected recall", ranks.to_frame)
    for measures in (["P@10"], ["P@10", "AP", "R@100"]):
        for n in (1, given.n_worlds):
            timed(
                f"  evaluate {', '.join(measures)}, {n:,} worlds",
                lambda m=measures, n=n: ft.evaluate(truth, runs, m, n_worlds=n, rng=0),
            )


if __name__ == "__main__":
    main()
