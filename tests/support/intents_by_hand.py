"""Measures of diversity in plain loops, and every world of votes by intent."""

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

Judged = Mapping[str, float]  # grade by intent
Truth = Mapping[str, Judged]  # by item


def relevant_to(judged: Judged, rel: float) -> set[str]:
    return {intent for intent, grade in judged.items() if grade >= rel}


def gains(items: Sequence[set[str]], keep: float) -> list[float]:
    """Gain of each item of a list, given the intents to which it is relevant."""
    seen: dict[str, int] = {}
    out = []
    for intents in items:
        out.append(math.fsum(keep ** seen.get(intent, 0) for intent in intents))
        for intent in intents:
            seen[intent] = seen.get(intent, 0) + 1
    return out


def greedy(truth: Truth, rel: float, keep: float) -> list[set[str]]:
    """Judged items, each rank taking the one that gains most; of several, the last id."""
    left = {item: relevant_to(judged, rel) for item, judged in truth.items()}
    taken: list[set[str]] = []
    while left:
        score = {d: round(gains([*taken, intents], keep)[-1], 10) for d, intents in left.items()}
        best = max(left, key=lambda d: (score[d], d.encode()))
        taken.append(left.pop(best))
    return taken


def value(measure: Any, ranked: Sequence[str], truth: Truth) -> float:
    """The value of a measure for a list."""
    k = measure.cutoff
    every = set().union(*(relevant_to(judged, measure.rel) for judged in truth.values()))
    items = [relevant_to(truth.get(d, {}), measure.rel) for d in ranked][:k]
    if not every:
        return 0.0
    if measure.name == "P_IA":
        return sum(map(len, items)) / ((k or len(ranked)) * len(every))
    if measure.name == "StRecall":
        return len(set().union(*items)) / len(every)
    if measure.name == "AP_IA":
        return sum(_average_precision(i, items, truth, measure.rel) for i in every) / len(every)
    discount = _DISCOUNTS[measure.name](measure)

    def total(each: Sequence[float]) -> float:
        return sum(g * discount(rank) for rank, g in enumerate(each[:k], 1))

    keep = 1 - measure.alpha
    got = total(gains(items, keep))
    if measure.name == "NRBP":
        return got * (1 - keep * measure.beta) / len(every)
    if measure.name in ("ERR_IA", "alpha_DCG"):
        return got / total(gains([every] * k, keep))
    return got / total(gains(greedy(truth, measure.rel, keep), keep))


def _average_precision(intent: str, items: Sequence[set[str]], truth: Truth, rel: float) -> float:
    hits = [intent in found for found in items]
    number = sum(judged.get(intent, -1) >= rel for judged in truth.values())
    return sum(sum(hits[: i + 1]) / (i + 1) for i, hit in enumerate(hits) if hit) / number


_DISCOUNTS: dict[str, Callable[[Any], Callable[[int], float]]] = {
    **dict.fromkeys(("ERR_IA", "nERR_IA"), lambda m: lambda rank: 1 / rank),
    **dict.fromkeys(("alpha_DCG", "alpha_nDCG"), lambda m: lambda rank: 1 / math.log2(rank + 1)),
    **dict.fromkeys(("NRBP", "nNRBP"), lambda m: lambda rank: m.beta ** (rank - 1)),
}


def votes_by_intent(
    seed: int, *, n_items: int = 4, n_subjects: int = 3, n_queries: int = 3, top: int = 2
) -> tuple[pd.DataFrame, dict[str, dict[str, dict[str, float]]]]:
    """Votes of every subject on every item, each for some intents, and the lists of two systems."""
    rng = np.random.default_rng(seed)
    rows = []
    for q in range(n_queries):
        intents = [f"i{j}" for j in range(2 + q)]
        for item, subject in itertools.product(range(n_items), range(n_subjects)):
            asked = rng.choice(intents, int(rng.integers(1, len(intents) + 1)), replace=False)
            grade = rng.integers(-1, top + 1, len(asked))
            rows += [
                (f"q{q}", f"d{item}", f"s{subject}", intent, float(g))
                for intent, g in zip(asked, grade, strict=True)
            ]
    order = rng.permutation(len(rows))
    votes = pd.DataFrame(rows, columns=["query", "item", "subject", "intent", "grade"])
    runs = {
        system: {
            f"q{q}": {
                f"d{d}": float(score)
                for d, score in enumerate(rng.permutation(n_items + 3))
                if rng.random() < 0.8
            }
            | {"other": 2.5}
            for q in range(n_queries)
        }
        for system in ("a", "b")
    }
    return votes.iloc[order].reset_index(drop=True), runs


def ranked(run: Mapping[str, float]) -> list[str]:
    return sorted(run, key=lambda d: (run[d], d.encode()), reverse=True)


def sets_of(part: pd.DataFrame) -> dict[str, dict[Any, dict[str, float]]]:
    """By item and voter (subject, and repeat if any): grade by intent."""
    by = ["item", "subject", "repeat"] if "repeat" in part else ["item", "subject"]
    out: dict[str, dict[Any, dict[str, float]]] = {}
    for (item, *voter), rows in part.groupby(by, sort=True):
        grades = dict(zip(rows["intent"], rows["grade"], strict=True))
        out.setdefault(item, {})[tuple(voter)] = grades
    return out


def worlds(part: pd.DataFrame, weight: Callable[[Any], float]) -> Iterator[tuple[Truth, float]]:
    """Every truth in which each item has the set of one voter, and its probability."""
    sets = sets_of(part)
    options = []
    for voters in sets.values():
        weights = [weight(voter) for voter in voters]
        total = sum(weights) or float(len(voters))
        weights = weights if sum(weights) else [1.0] * len(voters)
        options.append([(s, w / total) for s, w in zip(voters.values(), weights, strict=True) if w])
    for drawn in itertools.product(*options):
        truth = dict(zip(sets, (one for one, _ in drawn), strict=True))
        yield truth, math.prod(p for _, p in drawn)


def expected(
    measure: Any,
    run: Mapping[str, float],
    part: pd.DataFrame,
    weight: Callable[[Any], float] = lambda _: 1.0,
) -> tuple[float, float]:
    """Mean and standard deviation of a measure over the worlds of one query."""
    each = [(value(measure, ranked(run), truth), p) for truth, p in worlds(part, weight)]
    mean = math.fsum(v * p for v, p in each)
    return mean, math.sqrt(math.fsum(p * (v - mean) ** 2 for v, p in each))
