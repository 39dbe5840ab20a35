"""Timings inside one process: data already in memory."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from data import LARGE, MANY, dictionaries, generate

MEASURES = ["AP", "nDCG@10", "P@10", "R@100", "RR"]


def median_time(call: Callable[[], Any], repeats: int) -> float:
    found = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        found.append(time.perf_counter() - start)
    return statistics.median(found)


def coded(repeats: int) -> list[str]:
    """Ranked rows a second once a run is in memory: ties, ranks and five measures."""
    import pyarrow as pa

    import fuzzytruth as ft
    from fuzzytruth.runs import Ranking

    data = generate(LARGE)
    truth = ft.Judgments.from_columns(data.judged_query, data.judged_item, data.grade)
    runs = ft.Runs.from_columns(data.query, data.item, score=data.score)
    rates = {"sorted": time_rate(ft, truth, runs, repeats)}
    ranking = runs["system"]
    order = np.random.default_rng(1).permutation(len(ranking))
    shuffled = Ranking(
        ranking.queries,
        ranking.query[order],
        pa.array(ranking.item.take(order), pa.large_string()),
        ranking.score[order],
        ranking.item_hash[order],
    )
    rates["shuffled"] = time_rate(ft, truth, ft.Runs({"system": shuffled}), repeats)
    return [
        f"**{LARGE.total:,} rows already coded, five measures**",
        "",
        *(f"- {name}: {rate / 1e6:.0f} M rows/s" for name, rate in rates.items()),
        "",
    ]


def time_rate(ft: Any, truth: Any, runs: Any, repeats: int) -> float:
    ft.evaluate(truth, runs, MEASURES)
    return LARGE.total / median_time(lambda: ft.evaluate(truth, runs, MEASURES), max(3, repeats))


def many(repeats: int) -> list[str]:
    """Many tiny queries from dictionaries, beside pytrec_eval."""
    import pytrec_eval

    import fuzzytruth as ft

    qrels, run = dictionaries(MANY)
    names = {"map", "ndcg_cut.10", "P.10", "recall.100", "recip_rank"}
    theirs = median_time(
        lambda: pytrec_eval.RelevanceEvaluator(qrels, names).evaluate(run), repeats
    )
    mine = median_time(lambda: ft.evaluate(qrels, {"sys": run}, MEASURES), repeats)
    return [
        f"**{MANY.queries:,} queries × {MANY.rows} rows, from dictionaries**",
        "",
        f"fuzzytruth {mine:.2f} s, pytrec_eval {theirs:.2f} s: {theirs / mine:.1f} ×.",
        "",
    ]
