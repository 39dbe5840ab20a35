"""Directions of a difference by subject: bounds, the range test, and whether subjects vary."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import stats

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.clusters import segment_samples
from fuzzytruth.stats.directions import directions
from fuzzytruth.stats.multiplicity import significant
from validity.families import LEVEL
from validity.rates import Counts, add

QUERIES, SUBJECTS = 50, 20
#: true mean differences of the subjects, and whether both directions occur
TRUTHS = {
    "all 0": np.zeros(20),
    "all .1": np.full(20, 0.1),
    "one 1, others 0": np.r_[1.0, np.zeros(19)],
    "10 at 1, 10 at 0": np.r_[np.ones(10), np.zeros(10)],
    "10 at .1, 10 at -.1": np.r_[np.full(10, 0.1), np.full(10, -0.1)],
    "10 at .15, 10 at -.15": np.r_[np.full(10, 0.15), np.full(10, -0.15)],
    "18 at .15, 2 at -.15": np.r_[np.full(18, 0.15), np.full(2, -0.15)],
}
#: standard deviations of what all subjects of a query share
SHARED = (0.15, 0.4)
_ERROR = 0.25
_BATCH = 500  # data sets


def settings() -> Iterator[dict[str, Any]]:
    """Complete tables, and half of the cells missing at random."""
    for missing in (0.0, 0.5):
        for shared in SHARED:
            for truth in TRUTHS:
                yield {"truth": truth, "shared": shared, "missing": missing}


def by_direction(
    truth: str, shared: float, missing: float, *, sets: int, seed: np.random.SeedSequence
) -> Counts:
    """Claims about one pair of systems."""
    rng, total, of = np.random.default_rng(seed), Counts(), TRUTHS[truth]
    above, below = int((of > 0).sum()), int((of < 0).sum())
    for size in (min(_BATCH, sets - start) for start in range(0, sets, _BATCH)):
        cells = Cells.of_mask(rng.random((QUERIES, SUBJECTS)) >= missing)
        effects = rng.normal(0, shared, (size, QUERIES))[:, cells.query]
        d = of[cells.subject_codes] + effects + rng.normal(0, _ERROR, (size, len(cells)))
        found = directions(d, cells, level=LEVEL)
        n_above, n_below = found.at_least
        add(total, "differs: F", significant(found.p_differs, LEVEL))
        add(total, "both ways: range test", significant(found.p_both_ways, LEVEL))
        add(total, "both ways: Gail and Simon", significant(_gail_simon(d, cells), LEVEL))
        add(total, "too many: Holm", (n_above > above) | (n_below > below))
        add(total, "at least above", n_above)
        add(total, "at least below", n_below)
    return total


def _gail_simon(d: Floats, cells: Cells) -> Floats:
    """p of Gail and Simon's test for independent subjects: (sets,)."""
    order = np.argsort(cells.subject_codes, kind="stable")
    offsets = np.concatenate(([0], np.cumsum(cells.subject_sizes)))
    each = segment_samples(d[:, order], offsets)
    squares = (each.mean / each.std_error) ** 2
    sums = [np.where(side, squares, 0.0).sum(axis=1) for side in (each.mean > 0, each.mean < 0)]
    least, h = np.minimum(*sums), np.arange(1, SUBJECTS)
    chance = stats.binom.pmf(h, SUBJECTS - 1, 0.5)
    return np.asarray((chance * stats.chi2.sf(least[:, None], h)).sum(axis=1))


# Query by example: one vote serves many queries, and errors of two queries are not independent.

_ITEMS, _CATEGORIES, _DEPTH, _PERMUTATIONS = 60, 8, 5, 99
_NOISE = 0.1  # share of votes that are random
_OWN_READING = 0.35  # share of items on which a member of a group votes as the group does
#: whether people form two groups, each of which prefers one of two categories of an item
PANELS = ("no structure", "two groups")


def example_settings() -> Iterator[dict[str, Any]]:
    """Panels of 20."""
    for panel in PANELS:
        yield {"panel": panel}


def by_example(panel: str, *, sets: int, seed: np.random.SeedSequence) -> Counts:
    """The same claims about P@5 of two systems: one knows a category, one what most people say."""
    rng, total = np.random.default_rng(seed), Counts()
    cells = Cells.complete(_ITEMS, SUBJECTS)
    for _ in range(sets):
        votes, lists = _panel(panel, rng)
        d = _difference(votes, lists)
        found = directions(d.reshape(1, -1), cells, level=LEVEL)
        spread = d.mean(axis=0).var()
        draws = [_difference(rng.permuted(votes, axis=1), lists) for _ in range(_PERMUTATIONS)]
        as_large = sum(draw.mean(axis=0).var() >= spread - 1e-12 for draw in draws)
        p = (1 + as_large) / (1 + _PERMUTATIONS)
        add(total, "differs: F", significant(found.p_differs, LEVEL))
        add(total, "differs: votes permuted", p <= 1 - LEVEL + 1e-12)
        add(total, "both ways: range test", significant(found.p_both_ways, LEVEL))
        for side, n in zip(("above", "below"), found.at_least, strict=True):
            add(total, f"at least {side}", n)
    return total


def _panel(panel: str, rng: np.random.Generator) -> tuple[Ints, list[Ints]]:
    """Votes (items, subjects), and the list of each system for each item: (items, depth)."""
    one = rng.integers(0, _CATEGORIES, _ITEMS)
    two = (one + rng.integers(1, _CATEGORIES, _ITEMS)) % _CATEGORIES
    shape = _ITEMS, SUBJECTS
    takes_first = rng.random(shape) < 0.5
    if panel == PANELS[1]:
        own = rng.random(shape) < _OWN_READING
        takes_first = np.where(own, np.arange(SUBJECTS) % 2 == 0, takes_first)
    votes = np.where(takes_first, one[:, None], two[:, None])
    at_random = rng.random(shape) < _NOISE
    votes = np.where(at_random, rng.integers(0, _CATEGORIES, shape), votes)
    most = (votes[..., None] == np.arange(_CATEGORIES)).sum(axis=1).argmax(axis=1)
    lists = []
    for known, noise in ((one, 0.4), (most, 0.6)):
        likeness = (known[:, None] == known) + rng.normal(0, noise, (_ITEMS, _ITEMS))
        np.fill_diagonal(likeness, -np.inf)
        lists.append(np.argsort(-likeness, axis=1)[:, :_DEPTH])
    return votes, lists


def _difference(votes: Ints, lists: list[Ints]) -> Floats:
    """P@5 of the first system minus that of the second by each subject: (items, subjects)."""
    first, second = ((votes[:, None] == votes[retrieved]).mean(axis=1) for retrieved in lists)
    return np.asarray(first - second)
