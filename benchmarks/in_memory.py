"""Time evaluation of data that are in memory already."""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytrec_eval
from generated import dictionaries, generate
from shapes import LARGE, MANY, Shape

import fuzzytruth as ft

MEASURES = ["AP", "nDCG@10", "P@10", "R@100", "RR"]


def median_time(call: Callable[[], Any], repeats: int) -> float:
    call()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def in_memory(shape: Shape) -> tuple[Any, Any]:
    """Judgments and runs, ids encoded."""
    data = generate(shape)
    truth = ft.Judgments.from_columns(data.judged_query, data.judged_item, data.grade)
    return truth, ft.Runs.from_columns(data.query, data.item, score=data.score)


def rows_a_second(repeats: int) -> None:
    """Rows a second for look-up, ties, ranks and five measures."""
    truth, runs = in_memory(LARGE)
    ranking = runs["system"]
    order = np.random.default_rng(1).permutation(len(ranking))
    shuffled = ft.Runs({"system": ranking.take(order)})
    print(f"**{LARGE.total:,} rows in memory, five measures**\n")
    for name, given in (("sorted", runs), ("shuffled", shuffled)):
        seconds = median_time(lambda given=given: ft.evaluate(truth, given, MEASURES), repeats)
        print(f"- {name}: {LARGE.total / seconds / 1e6:.0f} M rows/s")
    print()


def many(repeats: int) -> None:
    """Many tiny queries, beside pytrec_eval, which takes dictionaries."""
    qrels, run = dictionaries(MANY)
    truth, runs = in_memory(MANY)
    names = {"map", "ndcg_cut.10", "P.10", "recall.100", "recip_rank"}
    theirs = median_time(
        lambda: pytrec_eval.RelevanceEvaluator(qrels, names).evaluate(run), repeats
    )
    mine = median_time(lambda: ft.evaluate(truth, runs, MEASURES), repeats)
    from_dicts = median_time(lambda: ft.evaluate(qrels, {"sys": run}, MEASURES), repeats)
    print(f"**{MANY.queries:,} queries × {MANY.rows} rows, five measures**\n")
    print(f"- pytrec_eval, from dictionaries: {theirs:.3f} s")
    print(f"- fuzzytruth, in memory: {mine:.3f} s ({theirs / mine:.1f} × faster)")
    print(f"- fuzzytruth, from dictionaries: {from_dicts:.3f} s ({theirs / from_dicts:.1f} ×)\n")


if __name__ == "__main__":
    {"rows": rows_a_second, "many": many}[sys.argv[1]](int(sys.argv[2]))
