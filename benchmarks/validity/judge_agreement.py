"""Agreement of a model judge with a person: coverage of the jackknife intervals over queries.

Queries have 20 to 199 items, grades 0 to 3 in shares of their own (Dirichlet), and the judge copies
the person with a probability of its own (beta), and else grades by those shares.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.annotators.model_judges.matched_votes import mean_intervals
from fuzzytruth.core.votes.vote_agreement import (
    AgreementCounts,
    agreement_counts,
    jackknife_values,
    kappa,
    quadratic_kappa,
    share_equal,
)
from validity.rates import Counts, add

QUERIES = (10, 25, 50)
STATISTICS = ("agreement", "kappa", "weighted kappa")
_SHARES = (0.55, 0.25, 0.13, 0.07)  # of grades 0, 1, 2, 3, about those of TREC DL 2023
_GRADES = np.arange(4.0)
_MANY = 20_000  # queries whose statistics are taken as true


def settings() -> Iterator[dict[str, Any]]:
    """All cells."""
    for n in QUERIES:
        yield {"queries": n}


def judge_agreement(queries: int, *, sets: int, seed: np.random.SeedSequence) -> Counts:
    """Coverage of the three statistics."""
    total: Counts = {}
    rng = np.random.default_rng(seed)
    truth = [part[0] for part in _statistics(_counts(_MANY, rng))]
    for _ in range(sets):
        counts = _counts(queries, rng)
        values = [jackknife_values(part, counts.units) for part in _statistics(counts)]
        lower, upper = mean_intervals(np.array(values), 0.95)
        for name, low, high, true in zip(STATISTICS, lower, upper, truth, strict=True):
            add(total, f"cover: {name}", bool(low <= true <= high))
    return total


def _statistics(counts: AgreementCounts) -> list[Floats]:
    return [share_equal(counts), kappa(counts), quadratic_kappa(counts, _GRADES)]


def _counts(queries: int, rng: np.random.Generator) -> AgreementCounts:
    """Votes of one person and one judge."""
    query = np.repeat(np.arange(queries), rng.integers(20, 200, queries))
    copied = rng.beta(6, 4, queries)[query]
    ends = rng.dirichlet(4 * np.array(_SHARES), queries).cumsum(axis=1)[query]
    person, other = _drawn(ends, rng), _drawn(ends, rng)
    judge = np.where(rng.random(len(query)) < copied, person, other)
    unit = np.arange(len(query))
    return agreement_counts(unit, judge, unit, person, query, _GRADES, len(_SHARES))


def _drawn(ends: Floats, rng: np.random.Generator) -> Ints:
    grade = (rng.random(len(ends))[:, None] > ends).sum(axis=1)
    return np.minimum(grade, ends.shape[1] - 1)
