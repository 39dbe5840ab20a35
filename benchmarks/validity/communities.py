"""Groups of people found in their votes: how often, how many, who is where; verdicts given them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import stats

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.stats.vote_groups import (
    Affinity,
    adjusted_rand,
    grouped,
    random_halves,
    vote_groups,
)
from fuzzytruth.stats.vote_structure import VotePattern, conditional_draws
from validity.rates import Counts, add

LEVEL = 0.95
PEOPLE, CATEGORIES, ITEMS, PERMUTATIONS, SPLITS = 20, 8, 100, 39, 10
#: what people differ in, and the share of votes that are missing
NO_GROUPS = ("nothing", "expertise", "ten experts, ten guessers", "severity", "one near copy")
GROUPS = ("two weak groups", "two strong groups", "three groups", "minority of three")
_NOISE = 0.1  # share of votes that are random
#: share of items on which a member of a weak group votes as the group does
_WEAK = 0.35


def settings(*panels: str) -> Iterator[dict[str, Any]]:
    """Complete votes, and half of the votes missing."""
    for panel in panels:
        yield {"panel": panel, "missing": 0.0}
        if panel in ("nothing", "expertise", "two weak groups"):
            yield {"panel": panel, "missing": 0.5}


#: what truth and systems are: groups do not matter to the difference of two systems, but in the
#: last, where each group prefers one of them
TRUTHS = ("no groups", "severity", "groups that do not matter", "opposite groups")
MEASURES = ("P@5", "AP")
QUERIES, POOL = 30, 10


def compared_settings() -> Iterator[dict[str, Any]]:
    """Truths and measures."""
    for truth in TRUTHS:
        for measure in MEASURES:
            yield {"truth": truth, "measure": measure}


def communities(panel: str, missing: float, *, sets: int, seed: np.random.SeedSequence) -> Counts:
    """Groups by all agreement, and by what severity and majority do not explain."""
    rng, total = np.random.default_rng(seed), Counts()
    for _ in range(sets):
        votes, group = people(panel, rng)
        item, who = np.nonzero(rng.random(votes.shape) >= missing)
        pattern = VotePattern.of(item, who, votes[item, who], PEOPLE)
        drawn = conditional_draws(pattern, PERMUTATIONS, 2, rng)
        splits = random_halves(np.arange(pattern.n_units), SPLITS, rng)
        alike = np.zeros((PEOPLE, PEOPLE))
        for name, centred in (("all", False), ("beyond", True)):
            found = vote_groups(pattern, drawn, splits, alike, centred=centred)
            add(total, f"{name}: p", found.p <= 1 - LEVEL + 1e-9)
            add(total, f"{name}: found", found.found)
            if group is not None and found.found:
                add(total, f"{name}: number", found.n_groups)
                add(total, f"{name}: rand", adjusted_rand(found.group, group))
                add(total, f"{name}: stability", found.stability)
    return total


def groups_compared(truth: str, measure: str, *, sets: int, seed: np.random.SeedSequence) -> Counts:
    """The difference of two systems by one group of judges minus that by the other.

    Groups are known, or two that average linkage finds in the same votes: of all queries (naive),
    or of the other half of the queries (cross-fitted).
    """
    rng, total = np.random.default_rng(seed), Counts()
    for _ in range(sets):
        grades, lists, known = judged(truth, rng)
        difference = np.subtract(*(_values(measure, grades, each) for each in lists))
        first = np.isin(np.arange(QUERIES), rng.permutation(QUERIES)[: QUERIES // 2])
        every = np.ones(QUERIES, bool)
        all_of, of_first, of_second = (_pair(grades, some) for some in (every, first, ~first))
        if (of_first == of_second).mean() < 0.5:
            of_second = 1 - of_second
        crossed = np.where(first[:, None], of_second, of_first)
        for name, group in (
            ("naive", np.broadcast_to(all_of, crossed.shape)),
            ("cross-fitted", crossed),
            ("known", np.broadcast_to(known, crossed.shape)),
        ):
            counts = [np.maximum((group == g).sum(axis=1), 1) for g in (0, 1)]
            means = [(difference * (group == g)).sum(axis=1) / n for g, n in enumerate(counts)]
            gap = means[0] - means[1]
            t = gap.mean() / (gap.std(ddof=1) / np.sqrt(QUERIES))
            add(total, f"{name}: differ", 2 * stats.t.sf(abs(t), QUERIES - 1) <= 1 - LEVEL)
            add(total, f"{name}: size", abs(gap.mean()))
    return total


def judged(truth: str, rng: np.random.Generator) -> tuple[Ints, tuple[Ints, Ints], Ints]:
    """Grades (queries, people, items), the lists of two systems, and the groups of the truth."""
    chance = rng.beta(0.5, 1.5, (2, QUERIES, POOL))
    if truth in TRUTHS[:2]:
        chance[1] = chance[0]
    known = np.arange(PEOPLE) % 2
    of_people = chance[known].transpose(1, 0, 2)
    if truth == "severity":
        of_people = of_people ** np.exp(np.linspace(-0.7, 0.7, PEOPLE))[:, None]
    grades = (rng.random(of_people.shape) < of_people).astype(np.int64)
    seen = chance if truth == TRUTHS[-1] else [chance.mean(axis=0)] * 2
    one, other = (np.argsort(-x - rng.normal(0, 0.3, x.shape), axis=1) for x in seen)
    return grades, (one, other), known


def _values(measure: str, grades: Ints, order: Ints) -> Floats:
    """P@5 or AP of a list by each person: (queries, people)."""
    found = np.take_along_axis(grades, order[:, None], axis=2)
    if measure == "P@5":
        return np.asarray(found[..., :5].mean(axis=2))
    precision = found.cumsum(axis=2) / np.arange(1, POOL + 1)
    return np.asarray((precision * found).sum(axis=2) / np.maximum(found.sum(axis=2), 1))


def _pair(grades: Ints, queries: Bools) -> Ints:
    """Two groups of people, by their votes on some queries."""
    votes = grades[queries].transpose(0, 2, 1).reshape(-1, PEOPLE)
    item, who = np.nonzero(votes >= 0)
    pattern = VotePattern.of(item, who, votes[item, who], PEOPLE)
    affinity = Affinity.of(pattern, np.ones(pattern.n_units, bool), None)
    ((_, excess),) = affinity.excesses(pattern.option[None])
    label = grouped(excess * affinity.scale, range(2, 3))[0, 0]
    return np.unique(label, return_inverse=True)[1]


def people(panel: str, rng: np.random.Generator) -> tuple[Ints, Ints | None]:
    """Votes (items, people), and the true groups, if there are any."""
    n_items = 60 if "strong" in panel or "three groups" in panel else ITEMS
    shape, who = (n_items, PEOPLE), np.arange(PEOPLE)
    readings = rng.permuted(np.tile(np.arange(CATEGORIES), (n_items, 1)), axis=1)
    group: Ints | None = None
    second: Any = rng.random(shape) < 0.5
    noise: Any = _NOISE
    if panel == "expertise":
        second, noise = np.zeros(shape, bool), np.linspace(0.05, 0.55, PEOPLE)
    elif panel == "ten experts, ten guessers":
        second, noise = np.zeros(shape, bool), np.where(who % 2 == 0, 0.05, 0.6)
    elif panel == "severity":  # a taste for the lower category
        low = rng.random(shape) < 1 / (1 + np.exp(np.linspace(-0.6, 0.6, PEOPLE)))
        second = low == (readings[:, :1] > readings[:, 1:2])
    elif panel == "two weak groups":
        group = who % 2
        second = np.where(rng.random(shape) < _WEAK, group == 1, second)
    elif panel in ("two strong groups", "three groups"):
        group = who % (2 if "two" in panel else 3)
        second = np.broadcast_to(group, shape)
    elif panel == "minority of three":
        group = (who < 3).astype(np.int64)
        second = rng.random(shape) > np.where(who < 3, 0.9, 0.4)
    votes = np.take_along_axis(readings, np.asarray(second, np.int64), axis=1)
    votes = np.where(rng.random(shape) < noise, rng.integers(0, CATEGORIES, shape), votes)
    if panel == "one near copy":
        votes[:, 1] = np.where(rng.random(n_items) < 0.6, votes[:, 0], votes[:, 1])
    return votes, group
