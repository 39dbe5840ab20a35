"""Agreement between subjects: coverage of intervals for Krippendorff's alpha.

Nominal votes: of four categories, a subject gives the true one with a probability of its own, or
guesses. Ordinal votes: a latent value of the item, a shift of the subject and noise, cut into four
grades. Both are set so that alpha of all items and all subjects is as wanted. What is estimated:
over items, alpha of these subjects on all items; over subjects, of all subjects on these items;
over both, of all subjects on all items. Subjects are about equally good, or one in five guesses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import product
from typing import Any

import numpy as np
import pyarrow as pa
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.annotators.coefficients.agreement_metrics import (
    AgreementSums,
    groups_of,
    unit_votes,
)
from fuzzytruth.data.ratings import Ratings
from fuzzytruth.stats.agreement import ends, jackknife, one_way, two_way
from validity.rates import Counts, add

ITEMS = (50, 200)
SUBJECTS = (3, 5, 10, 30)
ALPHAS = (0.2, 0.5, 0.8)
METRICS = ("nominal", "ordinal")
MISSING = (0.0, 0.3)
#: subjects, one in five of whom guesses; alpha can then be no more than about .6
BESIDE_GUESSERS = (5, 10, 20, 30)
GUESSERS, LOW_ALPHAS = 0.2, (0.2, 0.5)
LEVEL = 0.95

_PREVALENCE = np.array([0.4, 0.3, 0.2, 0.1])
_CUTS = ndtri(np.array([0.5, 0.75, 0.9]))
_NODES = 64
#: concentration of the subjects' probabilities of knowing, and variance of the subjects' shifts
#: over that of the noise
_CONCENTRATION, _SHIFT = 8.0, 0.3


def settings(metric: str) -> Iterator[dict[str, Any]]:
    """All cells of a metric."""
    for missing, items, subjects, alpha in product(MISSING, ITEMS, SUBJECTS, ALPHAS):
        yield {
            "metric": metric,
            "missing": missing,
            "items": items,
            "subjects": subjects,
            "alpha": alpha,
        }


def guesser_settings() -> Iterator[dict[str, Any]]:
    """Nominal votes, where one subject in five guesses."""
    for items, subjects, alpha in product(ITEMS, BESIDE_GUESSERS, LOW_ALPHAS):
        yield {
            "metric": "nominal",
            "missing": 0.0,
            "items": items,
            "subjects": subjects,
            "alpha": alpha,
            "guessers": GUESSERS,
        }


def agreement(
    metric: str,
    missing: float,
    items: int,
    subjects: int,
    alpha: float,
    guessers: float = 0.0,
    *,
    sets: int,
    seed: np.random.SeedSequence,
) -> Counts:
    """Coverage of 95 % intervals over items, subjects and both."""
    total: Counts = {}
    rng = np.random.default_rng(seed)
    for _ in range(sets):
        votes = draw(metric, missing, items, subjects, alpha, rng, guessers)
        found = intervals(votes.value, metric)
        for name, (lower, upper) in found.items():
            truth = votes.truth["both" if name == "items only" else name]
            add(total, f"cover: {name}", [lower <= truth <= upper])
    return total


def intervals(value: Ints, metric: str) -> dict[str, tuple[float, float]]:
    """Intervals over items, subjects and both, and that over items for both."""
    ratings = _ratings(value)
    votes = unit_votes(ratings)
    sums = AgreementSums.of(ratings, votes, "alpha", metric)
    found = sums.values()
    groups = groups_of(ratings, votes, sums.units, ("item", "subject"))
    parts = [jackknife(found, [sums.values(one)[:, None]]) for one in groups]
    fits = {
        "items": one_way(found, parts[0]),
        "subjects": one_way(found, parts[1]),
        "both": two_way(found, *parts),
    }
    out = {}
    for name, fit in fits.items():
        lower, upper = ends(fit, LEVEL)
        out[name] = float(lower[0]), float(upper[0])
    return out | {"items only": out["items"]}


def _ratings(value: Ints) -> Ratings:
    """Votes (subjects, items) as coordinates."""
    unit, subject = np.nonzero(value.T >= 0)
    ids = pa.array([f"i{j}" for j in range(value.shape[1])], pa.large_string())
    names = tuple(f"s{j}" for j in range(len(value)))
    grades = np.arange(4.0)
    given = value[subject, unit]
    weight = np.ones(len(unit))
    return Ratings(
        np.arange(len(unit)),
        unit,
        subject,
        given,
        weight,
        names,
        {"item": ids},
        None,
        (*"0123",),
        grades=grades,
    )


@dataclass(frozen=True)
class Votes:
    """One data set and what it estimates.

    Parameters
    ----------
    value : (subjects, items) int
        -1 where missing.
    truth : dict
        What is random -> alpha.
    """

    value: Ints
    truth: dict[str, float]


def draw(
    metric: str,
    missing: float,
    items: int,
    subjects: int,
    alpha: float,
    rng: np.random.Generator,
    guessers: float = 0.0,
) -> Votes:
    """One data set, of which each item has two votes or more, if that can be."""
    give = partial(_nominal, guessers=guessers) if metric == "nominal" else _ordinal
    of_items, of_panel, everybody, weight = give(items, subjects, alpha, rng)
    value = (rng.random((subjects, items, 1)) > np.cumsum(of_items[1], axis=-1)).sum(axis=-1)
    value[_absent(missing, subjects, items, rng)] = -1
    panel = _panel_alpha(metric, of_panel, weight)
    same_items = np.full(items, 1 / items)
    return Votes(
        value,
        {
            "items": panel,
            "subjects": _alpha(metric, of_items[0], same_items),
            "both": _alpha(metric, everybody, weight),
        },
    )


def _absent(missing: float, subjects: int, items: int, rng: np.random.Generator) -> Bools:
    return np.asarray(rng.random((subjects, items)) < missing)


def _nominal(
    items: int, subjects: int, alpha: float, rng: np.random.Generator, guessers: float
) -> tuple[tuple[Floats, Floats], Floats, Floats, Floats]:
    """Probabilities of values: see `_ordinal`. A guesser knows nothing, all others the same."""
    knows = _knowledge(alpha)
    if guessers:
        own = np.where(rng.random(subjects) < guessers, 0.0, knows / (1 - guessers))
    else:
        own = rng.beta(_CONCENTRATION * knows, _CONCENTRATION * (1 - knows), subjects)
    true = rng.choice(4, items, p=_PREVALENCE)
    panel, everybody = _answers(own), _answers(np.array([knows]))[0]
    return (everybody[true], panel[:, true]), panel, everybody, _PREVALENCE


def _answers(knows: Floats) -> Floats:
    """Probability of each answer by true category: (subjects, 4, 4)."""
    return np.asarray(knows[:, None, None] * np.eye(4) + (1 - knows[:, None, None]) / 4)


@lru_cache
def _knowledge(alpha: float) -> float:
    def gap(knows: float) -> float:
        return _alpha("nominal", _answers(np.array([knows]))[0], _PREVALENCE) - alpha

    return float(brentq(gap, 1e-6, 1 - 1e-6))


def _ordinal(
    items: int, subjects: int, alpha: float, rng: np.random.Generator
) -> tuple[tuple[Floats, Floats], Floats, Floats, Floats]:
    """Probabilities of values.

    Returns
    -------
    of_items : (items, values) of all subjects, and (subjects, items, values) of the panel
    of_panel : (subjects, kinds, values), on all kinds of items
    everybody : (kinds, values)
    weight : (kinds,)
    """
    noise = _noise(alpha)
    shift = rng.normal(size=subjects) * noise * np.sqrt(_SHIFT / (1 + _SHIFT))
    own = noise / np.sqrt(1 + _SHIFT)
    nodes, weight = _normal_nodes()
    latent = rng.normal(size=items)
    return (
        (_graded(latent, noise), _graded(latent + shift[:, None], own)),
        _graded(nodes + shift[:, None], own),
        _graded(nodes, noise),
        weight,
    )


def _graded(mean: Floats, noise: float) -> Floats:
    """Probabilities of the grades: (..., 4)."""
    cuts = _CUTS * np.sqrt(1 + noise**2)
    below = ndtr((cuts - mean[..., None]) / noise)
    ends = np.zeros((*mean.shape, 1))
    return np.asarray(np.diff(np.concatenate((ends, below, ends + 1), axis=-1), axis=-1))


@lru_cache
def _normal_nodes() -> tuple[Floats, Floats]:
    x, w = np.polynomial.hermite_e.hermegauss(_NODES)
    return x, w / w.sum()


@lru_cache
def _noise(alpha: float) -> float:
    nodes, weight = _normal_nodes()
    return float(brentq(lambda s: _alpha("ordinal", _graded(nodes, s), weight) - alpha, 0.05, 20.0))


def _distances(metric: str, total: Floats) -> Floats:
    """Between the values, which occur so often: (values, values)."""
    if metric == "nominal":
        return np.asarray(1.0 - np.eye(len(total)))
    ranks = np.cumsum(total) - total / 2
    return np.asarray((ranks[:, None] - ranks) ** 2)


def _alpha(metric: str, given: Floats, weight: Floats) -> float:
    """Alpha of infinitely many subjects, who give values so (kinds, values)."""
    total = weight @ given
    d = _distances(metric, total)
    return float(1 - (weight * ((given @ d) * given).sum(axis=1)).sum() / (total @ d @ total))


def _panel_alpha(metric: str, given: Floats, weight: Floats) -> float:
    """Alpha of these subjects (subjects, kinds, values) on all items."""
    n = len(given)
    together = given.sum(axis=0)
    total = weight @ together / n
    d = _distances(metric, total)
    pairs = ((together @ d) * together).sum(axis=1) - ((given @ d) * given).sum(axis=(0, 2))
    return float(1 - (weight * pairs).sum() / (n * (n - 1)) / (total @ d @ total))
