"""The alternative annotator test where a model is exactly epsilon worse than a person.

Two categories; given the true one, everybody errs independently. Person h and model f differ in
their closeness to the others only where one is right and the other wrong, so that the expected
difference of their shares is m (a_h - a_f): a is the probability of being right, m that of more
others being right than wrong minus that of fewer.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.stats import wilcoxon

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.lists.poisson_binomial import pmf
from fuzzytruth.stats.alternative_annotator import person_tests, similarity_gaps
from fuzzytruth.stats.multiplicity import adjust
from validity.rates import Counts, add

ALPHA = 0.05
EPSILON = 0.2
PEOPLE = (3, 5, 10)
ITEMS = (20, 50, 200)
LAYOUTS = ("independent", "queries of five")
ALIKE, MIXED = "all at the boundary", "half weaker"
_GOOD, _WEAK = 0.9, 0.7  # probability of being right
_COMMON = 0.4  # correlation of a model's errors within a query


def settings() -> Iterator[dict[str, Any]]:
    """All cells."""
    for layout in LAYOUTS:
        for accuracy in (ALIKE, MIXED):
            for people in PEOPLE:
                for items in ITEMS:
                    yield {
                        "layout": layout,
                        "accuracy": accuracy,
                        "people": people,
                        "items": items,
                    }


def alternative_annotator(
    layout: str, accuracy: str, people: int, items: int, *, sets: int, seed: np.random.SeedSequence
) -> Counts:
    """False discoveries, models that pass, and coverage of the average advantage."""
    total: Counts = {}
    rng = np.random.default_rng(seed)
    right, model = probabilities(accuracy, people)
    at_boundary = right == _GOOD
    advantage = float(np.mean([_advantage(right, j, model) for j in range(people)]))
    query = np.arange(items) // 5 if layout == "queries of five" else np.arange(items)
    unit, who = np.repeat(np.arange(items), people), np.tile(np.arange(people), items)
    for _ in range(sets):
        value = (rng.random((items, people)) < right).astype(np.int64).ravel()
        rival = _rival(model, query, rng).astype(np.int64)[unit]
        gap = similarity_gaps(unit, value, items, rival)
        tests = person_tests(gap, who, query[unit], n_people=people, epsilon=EPSILON)
        _tally(total, "clusters", tests.p, at_boundary)
        lower, upper = tests.interval(0.95)
        add(total, "cover: advantage", lower <= advantage <= upper)
        alone = person_tests(gap, who, unit, n_people=people, epsilon=EPSILON)
        _tally(total, "items", alone.p, at_boundary)
        _tally(total, "Wilcoxon", _signed_ranks(gap, people), at_boundary)
    return total


def probabilities(accuracy: str, people: int) -> tuple[Floats, float]:
    """Probability of being right: of each person, and of the model at the boundary."""
    right = np.full(people, _GOOD)
    if accuracy == MIXED:
        right[: people // 2] = _WEAK
    above, below = _majority(right[:-1])
    return right, float(_GOOD - EPSILON / (above - below))


def _majority(right: Floats) -> tuple[float, float]:
    """Probabilities that more of them are right than wrong, and that fewer are."""
    chance = pmf(right)
    count = np.arange(len(chance))
    return float(chance[2 * count > len(right)].sum()), float(chance[2 * count < len(right)].sum())


def _advantage(right: Floats, person: int, model: float) -> float:
    """Probability that the model is as close to the others as the person, or closer."""
    above, below = _majority(np.delete(right, person))
    own = float(right[person])
    return 1 - own * (1 - model) * above - (1 - own) * model * below


def _rival(model: float, query: Ints, rng: np.random.Generator) -> Bools:
    """Whether the model is right on each item; its probability varies between queries."""
    n = int(query.max()) + 1
    if n == len(query):
        return np.asarray(rng.random(n) < model)
    size = 1 / _COMMON - 1  # of a beta law whose variance is that share of model (1 - model)
    chance = rng.beta(model * size, (1 - model) * size, n)
    return np.asarray(rng.random(len(query)) < chance[query])


def _signed_ranks(gap: Any, people: int) -> Floats:
    """Wilcoxon's signed-rank test of each person's differences."""
    excess = gap.reshape(-1, people) - EPSILON
    return np.asarray(wilcoxon(excess, alternative="less", method="approx", axis=0).pvalue)


def _tally(total: Counts, name: str, p: Floats, at_boundary: Bools) -> None:
    wins = adjust(p, "fdr_by", level=1 - ALPHA) <= ALPHA
    wrong = int((wins & at_boundary).sum())
    add(total, f"false share: {name}", wrong / max(int(wins.sum()), 1))
    add(total, f"any false: {name}", wrong > 0)
    add(total, f"one test: {name}", float((p[at_boundary] <= ALPHA).mean()))
    add(total, f"pass: {name}", wins.mean() >= 0.5)
