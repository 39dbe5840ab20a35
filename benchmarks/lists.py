"""Time the measures that compare a system's list with each subject's.

1,000 queries, 10 subjects with lists of 100, one system with lists of 1,000, 1,500 items a query.
"""

from __future__ import annotations

import resource
import time

import numpy as np

import fuzzytruth as ft

QUERIES, SUBJECTS, LISTED, LENGTH, ITEMS = 1000, 10, 100, 1000, 1500
MEASURES = [
    ("WD(unseen=optimist)",),
    ("WD(unseen=optimist)", "WD(unseen=pessimist,N=5000)", "WDQ(g=rational,power=1)"),
    ("WD(unseen=worst,N=5000)",),
    ("WD(unseen=worst,N=5000)@50",),
    *((f"WD(unseen={u},N=5000,normalised=True)",) for u in ("optimist", "pessimist", "worst")),
    ("WD(unseen=pessimist-tail,N=5000,normalised=True)",),
    ("RBO",),
    ("RBO(ties=b)",),
    ("Kendall",),
    ("Footrule",),
]


def main() -> None:
    rng = np.random.default_rng(0)
    n_lists = QUERIES * SUBJECTS
    item = np.argsort(rng.random((n_lists, ITEMS)), axis=1)[:, :LISTED]
    lists = ft.Judgments.from_columns(
        np.repeat(np.arange(QUERIES), SUBJECTS * LISTED),
        item.ravel(),
        -np.sort(-rng.random((n_lists, LISTED)), axis=1).ravel(),
        subject=np.tile(np.repeat(np.arange(SUBJECTS), LISTED), QUERIES),
    )
    runs = ft.Runs.from_columns(
        np.repeat(np.arange(QUERIES), LENGTH),
        np.argsort(rng.random((QUERIES, ITEMS)), axis=1)[:, :LENGTH].ravel(),
        score=np.tile(-np.arange(LENGTH), QUERIES),
    )
    for measures in MEASURES:
        start = time.perf_counter()
        ft.evaluate(lists, runs, measures)
        print(f"{time.perf_counter() - start:6.2f} s  {', '.join(measures)}", flush=True)
    print(f"peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
