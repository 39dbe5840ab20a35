"""Structure of disagreement: five statistics, their omnibus, and own scores, by permuted votes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.stats.vote_structure import (
    STATISTICS,
    PairsOfSubjects,
    VotePattern,
    min_p,
    p_values,
    permuted,
    statistics,
    structure_tests,
)
from validity.rates import Counts, add

LEVEL = 0.95
PEOPLE, PERMUTATIONS = 20, 199
#: categories and items
SIZES = {8: 60, 2: 100}
#: panels without structure, and what people differ in
NONE = ("nothing", "nothing, missing by person and item", "nothing, missing by value, too")
SOME = ("two weak groups", "minority of three", "severity", "one near copy", "expertise")
_NOISE, _WEAK = 0.1, 0.35  # shares of random votes, and of items on which a group votes as one


def settings(*panels: str) -> Iterator[dict[str, Any]]:
    """Complete votes, and half of the votes missing."""
    for categories in SIZES:
        for panel in panels:
            yield {"panel": panel, "categories": categories, "missing": 0.0}
            if panel in ("nothing", "two weak groups"):
                yield {"panel": panel, "categories": categories, "missing": 0.5}


def structure(
    panel: str, categories: int, missing: float, *, sets: int, seed: np.random.SeedSequence
) -> Counts:
    """Which tests reject, with and without adjustment, and those of own P@5 of one system."""
    rng, total = np.random.default_rng(seed), Counts()
    for _ in range(sets):
        votes, lists = people(panel, categories, rng)
        seen = _seen(panel, votes, missing, rng)
        item, who = np.nonzero(seen)
        pattern = VotePattern.of(item, who, votes[item, who], PEOPLE)
        pairs, draws = PairsOfSubjects.of(pattern), permuted(pattern, PERMUTATIONS, rng)
        tables = [statistics(pairs, each) for each in (pattern.option[None], draws)]
        observed, drawn = (np.array([table[name] for name in STATISTICS]) for table in tables)
        for name, p in zip(STATISTICS, p_values(observed[:, 0], drawn), strict=True):
            add(total, name, p <= 1 - LEVEL + 1e-9)
        adjusted = min_p(observed[:, 0], drawn).min()
        add(total, "min-p", adjusted <= 1 - LEVEL + 1e-9)
        own = _own(np.where(seen, votes, -1)[None], lists)[0]  # (people,)
        table = np.repeat(np.where(seen, votes, -1)[None], PERMUTATIONS, 0)
        table[:, item[pattern.vote], who[pattern.vote]] = pattern.value[draws]
        null = _own(table, lists)
        means = np.append(own.mean(), null.mean(1))
        away = np.abs(means - means.mean())
        add(total, "mean", p_values(away[:1], away[None, 1:])[0] <= 1 - LEVEL + 1e-9)
        spread = p_values(own.var(keepdims=True), null.var(1)[None])[0]
        add(total, "spread", spread <= 1 - LEVEL + 1e-9)
    return total


def given_margins(panel: str, *, sets: int, seed: np.random.SeedSequence) -> Counts:
    """Tests at levels 0, 1 and 2 of binary votes by a Rasch model, with and without groups."""
    rng, total = np.random.default_rng(seed), Counts()
    for _ in range(sets):
        logit: Floats = rng.normal(0, 1.5, (80, 1)) + rng.normal(0, 1.0, PEOPLE)
        if panel == "severity and groups":
            logit = logit + 1.2 * np.where(rng.random((80, 1)) < 0.5, 1, -1) * (
                2 * (np.arange(PEOPLE) % 2) - 1
            )
        votes = (rng.random(logit.shape) < 1 / (1 + np.exp(-logit))).astype(np.int64)
        item, who = np.nonzero(votes >= 0)
        pattern = VotePattern.of(item, who, votes[item, who], PEOPLE)
        found = structure_tests(pattern, 19, 19, 0.0, rng)  # at any p
        for level, p in enumerate((found.p[0], *found.p_levels)):
            add(total, f"level {level}", p <= 1 - LEVEL + 1e-9)
    return total


def people(panel: str, categories: int, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Votes (items, people) and one system's lists (items, 5), which know the first reading."""
    n_items = SIZES[categories]
    shape, who = (n_items, PEOPLE), np.arange(PEOPLE)
    one = rng.integers(0, categories, n_items)
    two = (one + rng.integers(1, categories, n_items)) % categories
    takes_first: Any = rng.random(shape) < 0.5
    noise: Any = _NOISE
    if panel == "two weak groups":
        takes_first = np.where(rng.random(shape) < _WEAK, who % 2 == 0, takes_first)
    elif panel == "minority of three":
        takes_first = rng.random(shape) > np.where(who < 3, 0.9, 0.4)
    elif panel == "severity":  # a taste for the lower category
        low = rng.random(shape) < 1 / (1 + np.exp(np.linspace(0.6, -0.6, PEOPLE)))
        takes_first = low == (one < two)[:, None]
    elif panel == "expertise":
        takes_first, noise = np.ones(shape, bool), np.linspace(0.05, 0.55, PEOPLE)
    votes = np.where(takes_first, one[:, None], two[:, None])
    votes = np.where(rng.random(shape) < noise, rng.integers(0, categories, shape), votes)
    if panel == "one near copy":
        votes[:, 1] = np.where(rng.random(n_items) < 0.6, votes[:, 0], votes[:, 1])
    likeness = (one[:, None] == one) + rng.normal(0, 0.4, (n_items, n_items))
    np.fill_diagonal(likeness, -np.inf)
    return votes, np.argsort(-likeness, axis=1)[:, :5]


def _seen(panel: str, votes: Ints, missing: float, rng: np.random.Generator) -> Bools:
    """Which votes there are."""
    chance: Any = np.full(votes.shape, 1 - missing)
    if panel.startswith("nothing, missing"):
        chance = np.outer(rng.uniform(0.4, 1, len(votes)), rng.uniform(0.4, 1, PEOPLE))
        if "value" in panel:
            chance = chance * np.where(votes == 0, 0.5, 1.0)
    return np.asarray(rng.random(votes.shape) < chance)


def _own(tables: Ints, lists: Ints) -> Floats:
    """P@5 by each person's own votes, missing ones not relevant: (tables, people)."""
    hit = tables[:, :, None] == tables[:, lists]
    return np.asarray((hit & (tables[:, :, None] >= 0)).mean(axis=(1, 2)))
