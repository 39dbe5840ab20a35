"""Groups of people found in their votes: how often, how many, and who is where."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from fuzzytruth._typing import Ints
from fuzzytruth.stats.vote_groups import adjusted_rand, random_halves, vote_groups
from fuzzytruth.stats.vote_structure import VotePattern, conditional_draws
from validity.rates import Counts, add

LEVEL = 0.95
PEOPLE, CATEGORIES, ITEMS, PERMUTATIONS, SPLITS = 20, 8, 100, 39, 10
#: what people differ in, and the share of votes that are missing
NO_GROUPS = ("nothing", "expertise", "ten experts, ten guessers", "severity", "one near copy")
GROUPS = ("two weak groups", "two strong groups", "three groups", "minority of three")
#: the expertise panels are more
MANY = ("expertise", "ten experts, ten guessers")
_NOISE = 0.1  # share of votes that are random
#: share of items on which a member of a weak group votes as the group does
_WEAK = 0.35


def settings(*panels: str) -> Iterator[dict[str, Any]]:
    """Complete votes, and half of the votes missing."""
    for panel in panels:
        yield {"panel": panel, "missing": 0.0}
        if panel in ("nothing", "expertise", "two weak groups"):
            yield {"panel": panel, "missing": 0.5}


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
