"""Near copies: pairs that differ on few queries, and when the other pairs tell how much they vary.

Six systems: two are copies of the first that differ from it on a share of the queries, the others
are not. In families without near copies, the same verdicts are due with that rule and without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from unittest.mock import patch

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.stats import bootstrap_max_t
from fuzzytruth.stats.observations import all_pairs
from validity.families import default, differences, excludes_zero, missed
from validity.rates import Counts, add
from validity.real_matrices import matrix, resampled
from validity.synthetic import scores

SYSTEMS = 6
_COPIES = (1, 2)
_PLACES = np.arange(1, 10)  # of a relevant item, below which a copy has it
#: sizes of differences on the queries on which a copy differs, and their probabilities
SIZES: dict[str, tuple[Floats, Floats]] = {
    "0 or 1": (np.array([1.0]), np.array([1.0])),
    "tenths": (np.array([0.1]), np.array([1.0])),
    "reciprocal ranks": (1 / _PLACES - 1 / (_PLACES + 1), np.full(9, 1 / 9)),
    "one in ten large": (np.array([0.01, 0.5]), np.array([0.9, 0.1])),
}
#: fewest queries on which a pair has to differ to tell how much it varies
RULES: dict[str, Callable[[Ints], Floats]] = {
    "own variance": lambda n: np.zeros(len(n)),
    "at most 20": lambda n: np.clip(n / 4, 5.0, 20.0),
    "a quarter": lambda n: np.maximum(n / 4, 5.0),
}
_HALF = 0.5  # of the queries, on which two systems that are no near copies differ


def settings() -> Iterator[dict[str, Any]]:
    """Copies that differ on so many queries, on average."""
    for sizes in SIZES:
        for truth, numbers in (("better", (2, 5, 8, 11, 15, 30)), ("equal", (5, 11))):
            for n in (100, 200):
                for differ in numbers:
                    yield {"sizes": sizes, "truth": truth, "n": n, "differ": differ}


def near_copies(
    sizes: str, truth: str, n: int, differ: int, *, sets: int, seed: np.random.SeedSequence
) -> Counts:
    """Misses of any pair and of copies' pairs, and power of these, by each rule."""
    total: Counts = {}
    first, second = seed.spawn(2)
    rng = np.random.default_rng(first)
    values, probabilities = SIZES[sizes]
    x = 0.4 * rng.standard_normal((sets, n, SYSTEMS))
    for copy in _COPIES:
        gap = rng.choice(values, (sets, n), p=probabilities) * (rng.random((sets, n)) < differ / n)
        if truth == "equal":
            gap *= rng.choice([-1, 1], gap.shape)
        x[:, :, copy] = x[:, :, 0] + gap
    mean = np.zeros(SYSTEMS)
    if truth == "better":
        mean[list(_COPIES)] = values @ probabilities * differ / n
    pairs = all_pairs(SYSTEMS)
    gaps = np.tile(differences(mean, pairs), (sets, 1))
    of_copies = (pairs.first == 0) & np.isin(pairs.second, _COPIES)
    for name, ends in _by_rule(x, second).items():
        wrong, lower, upper = missed(ends, gaps), *ends
        add(total, f"miss: {name}", wrong.any(axis=1))
        add(total, f"copies missed: {name}", wrong[:, of_copies].any(axis=1))
        if truth == "better":
            add(total, f"power: {name}", (upper < 0)[:, of_copies].mean(axis=1))
            add(total, f"wrong direction: {name}", (lower > 0)[:, of_copies].any(axis=1))
    return total


def unlike_settings() -> Iterator[dict[str, Any]]:
    """Families without near copies, simulated and real."""
    for n in (10, 25, 50, 100):
        for source in ("normal", "lognormal"):
            yield {"source": source, "n": n}
    for n in (10, 25, 50):
        for source in ("adhoc5 AP", "adhoc6 P@10", "adhoc5 RR", "web2010 nDCG@20"):
            yield {"source": source, "n": n}


def unlike(source: str, n: int, *, sets: int, seed: np.random.SeedSequence) -> Counts:
    """Shares of verdicts that are the same without the rule, and of sets that have quiet pairs."""
    total: Counts = {}
    first, second = seed.spawn(2)
    rng = np.random.default_rng(first)
    if " " in source:
        x = _unlike_systems(source, n, sets, rng)
    else:
        x = scores(source, "unequal", n, "shifted", sets, rng)[0][:, :, :SYSTEMS]
    by = _by_rule(x, second, ("default", "own variance"))
    ours, others = (excludes_zero(*ends) for ends in by.values())
    add(total, "same verdict", (ours == others).mean(axis=1))
    add(total, "all verdicts the same", (ours == others).all(axis=1))
    return total


def _unlike_systems(source: str, n: int, sets: int, rng: np.random.Generator) -> Floats:
    """Scores (sets, n, systems) of systems any two of which differ on half of the queries."""
    table, out = matrix(*source.split()), np.empty((0, n, SYSTEMS))
    while len(out) < sets:
        x, truth = resampled(table, SYSTEMS, n, sets, rng)
        apart = (np.abs(differences(truth, all_pairs(SYSTEMS))) > 0).mean(axis=1)
        out = np.concatenate([out, x[(apart >= _HALF).all(axis=1)]])
    return out[:sets]


def _by_rule(
    x: Floats, seed: np.random.SeedSequence, rules: tuple[str, ...] = ("default", *RULES)
) -> dict[str, tuple[Floats, Floats]]:
    """Intervals of all pairs by each rule, with the same resamples."""
    state = seed.entropy, seed.spawn_key
    out = {}
    for name in rules:
        again = np.random.SeedSequence(state[0], spawn_key=state[1])
        rule = RULES.get(name, bootstrap_max_t._least_apart)
        with patch.object(bootstrap_max_t, "_least_apart", rule):
            out[name] = default(x, all_pairs(SYSTEMS), again)
    return out
