"""Families of real systems: queries resampled from a collection, whose means are the truth."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from fuzzytruth._typing import Bools, Floats
from fuzzytruth.stats.observations import Contrasts, against, all_pairs
from validity.families import (
    PEERS,
    Ends,
    bonferroni_t,
    default,
    differences,
    excludes_zero,
    tally,
    tally_both,
)
from validity.rates import Counts, add

DATA = Path(__file__).parent / "data" / "trec_scores.parquet"
#: collection and measure; the last of each two is kept aside to check
COLLECTIONS = (
    ("adhoc5", "AP"),
    ("adhoc6", "AP"),
    ("web2010", "nDCG@20"),
    ("web2011", "nDCG@20"),
    ("adhoc5", "P@10"),
    ("adhoc6", "P@10"),
    ("adhoc5", "RR"),
    ("adhoc6", "RR"),
)
NAMES = {"adhoc5": "TREC-5", "adhoc6": "TREC-6", "web2010": "Web 2010", "web2011": "Web 2011"}
KEPT_ASIDE = ("adhoc6", "web2011")
QUERIES = (10, 25, 50)
SYSTEMS = (3, 8, 20)


def settings() -> Iterator[dict[str, Any]]:
    """All cells."""
    for collection, measure in COLLECTIONS:
        for n in QUERIES:
            for systems in SYSTEMS:
                yield {"collection": collection, "measure": measure, "systems": systems, "n": n}


def one_sided_settings() -> Iterator[dict[str, Any]]:
    """Cells of many-to-one comparisons."""
    for collection, measure in COLLECTIONS[:2]:
        for n in QUERIES:
            yield {"collection": collection, "measure": measure, "systems": 8, "n": n}


@lru_cache(maxsize=16)
def matrix(collection: str, measure: str) -> Floats:
    """Scores (queries, systems) without the worst quarter of systems, and without copies.

    A system whose scores are those of an earlier one, as of a run submitted twice, is left out: two
    identical systems never differ, and would only make a family smaller.
    """
    rows = pd.read_parquet(DATA)
    rows = rows[(rows["collection"] == collection) & (rows["measure"] == measure)]
    table = rows.pivot(index="query", columns="system", values="value").to_numpy(dtype=np.float64)
    mean = table.mean(axis=0)
    table = table[:, mean > np.quantile(mean, 0.25)]
    _, first = np.unique(table, axis=1, return_index=True)
    return np.asarray(table[:, np.sort(first)])


def resampled(
    table: Floats, systems: int, n: int, sets: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Data sets (sets, n, systems), and the systems' true scores (sets, queries, systems)."""
    queries, available = table.shape
    chosen = np.argsort(rng.random((sets, available)), axis=1)[:, :systems]
    truth = table.T[chosen].swapaxes(1, 2)
    drawn = rng.integers(queries, size=(sets, n))
    return np.take_along_axis(truth, drawn[:, :, None], axis=1), truth


def real_matrices(
    collection: str, measure: str, systems: int, n: int, *, sets: int, seed: np.random.SeedSequence
) -> Counts:
    """All pairs: misses, power and rank sets of each method; peers' on half of the sets."""
    total: Counts = {}
    first, *others = seed.spawn(2 + len(PEERS))
    x, truth = resampled(
        matrix(collection, measure), systems, n, sets, np.random.default_rng(first)
    )
    contrasts = all_pairs(systems)
    by_query = differences(truth, contrasts)
    gap, quiet = by_query.mean(axis=1), least_quarter(by_query.std(axis=1))
    ends = default(x, contrasts, others[0])
    student = bonferroni_t(x, contrasts, alternative="two-sided")
    tally_both(total, ends, student, gap, quiet)
    add(total, "rank sets: default", rank_sets_hold(ends, gap, contrasts, systems))
    half = -(-sets // 2)
    for (name, method), child in zip(PEERS.items(), others[1:], strict=True):
        ends = method(x[:half], contrasts, child)
        tally(total, name, ends, gap[:half], quiet[:half])
        add(total, f"rank sets: {name}", rank_sets_hold(ends, gap[:half], contrasts, systems))
    return total


def real_one_sided(
    collection: str, measure: str, systems: int, n: int, *, sets: int, seed: np.random.SeedSequence
) -> Counts:
    """Whether others are better than one baseline."""
    total: Counts = {}
    first, second = seed.spawn(2)
    x, truth = resampled(
        matrix(collection, measure), systems, n, sets, np.random.default_rng(first)
    )
    contrasts = against([0], systems)
    gap = differences(truth, contrasts).mean(axis=1)
    ours = default(x, contrasts, second, alternative="greater")
    tally_both(total, ours, bonferroni_t(x, contrasts, alternative="greater"), gap)
    return total


def least_quarter(spread: Floats) -> Bools:
    """The quarter of each set's contrasts with the least spread: (sets, contrasts)."""
    count = -(-spread.shape[1] // 4)
    return spread <= np.sort(spread, axis=1)[:, [count - 1]]


def rank_sets_hold(ends: Ends, gap: Floats, contrasts: Contrasts, systems: int) -> Bools:
    """Whether all sets of ranks hold all ranks that the true means allow: (sets,).

    A system's set is [1 + those significantly better, systems - those significantly worse]; systems
    that tie in truth have all ranks of their tie.
    """
    significant = excludes_zero(*ends)
    low, high = _ranks(np.where(significant, ends[0] + ends[1], 0.0), contrasts, systems)
    true_low, true_high = _ranks(np.where(np.abs(gap) > 1e-12, gap, 0.0), contrasts, systems)
    return np.asarray(((low <= true_low) & (true_high <= high)).all(axis=1))


def _ranks(sign: Floats, contrasts: Contrasts, systems: int) -> tuple[Floats, Floats]:
    """Lowest and highest rank (sets, systems), from who is better (sets, contrasts)."""
    assert contrasts.second is not None
    better = np.zeros((len(sign), systems, systems), dtype=bool)  # row better than column
    better[:, contrasts.first, contrasts.second] = sign > 0
    better[:, contrasts.second, contrasts.first] = sign < 0
    return 1.0 + better.sum(axis=1), systems - better.sum(axis=2, dtype=np.float64)
