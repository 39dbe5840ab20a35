"""Queries and resampled subjects both random: coverage of intervals under population worlds.

A subject s calls item i of query q relevant if u_qi + α_q + β_s + γ_qs + ε_qis > 0.5, all effects
normal; the systems rank the items by u with noise of their own. The population's membership of an
item is then Φ((u_qi + α_q - 0.5) / √(σ²_β + σ²_γ + 1)).

Two estimands, which are the same for measures that are linear in the votes:

- *membership*: the mean over all queries of the expected score under the population's membership,
  items being independent; what infinitely many subjects would give. Computed exactly for many
  thousands of queries.
- *panel*: the expectation of the score that S subjects give, over queries and panels of S. Scores
  that are not linear in the votes, such as AP, differ from the former by a bias of order 1 / S, of
  which no interval over queries and subjects can know. Computed from the simulated sets.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from scipy.special import ndtr

import fuzzytruth as ft
from fuzzytruth._typing import Floats
from validity.rates import Counts, add

_ITEMS = 12
_NOISE = (0.5, 1.0)  # of each system's ranking
_SYSTEMS = ("a", "b")
_THRESHOLD = 0.5
_QUERIES_OF_TRUTH = 40_000

#: standard deviations of α_q, β_s and γ_qs
Effects = tuple[float, float, float]
EFFECTS: tuple[Effects, ...] = ((0.5, 0.5, 0.5), (0.5, 1.0, 0.0), (0.5, 0.0, 0.5))
QUERIES = (25, 50)
SUBJECTS = (3, 5, 10)
_RESAMPLES = 500


def settings() -> Iterator[dict[str, Any]]:
    """All cells."""
    for effects in EFFECTS:
        for n_queries in QUERIES:
            for n_subjects in SUBJECTS:
                yield {
                    "effects": list(effects),
                    "n_queries": n_queries,
                    "n_subjects": n_subjects,
                    "measure": "AP",
                }


def query_worlds(
    effects: Effects,
    n_queries: int,
    n_subjects: int,
    measure: str,
    *,
    sets: int,
    seed: np.random.SeedSequence,
) -> Counts:
    """Coverage of 95 % intervals for a mean and for a difference of means."""
    estimates = simulated(effects, n_queries, n_subjects, measure, sets=sets, seed=seed)
    estimands = {
        "membership": membership_means(*effects, measure),
        "panel": estimates["both"][..., 0].mean(axis=0),
    }
    total: Counts = {}
    for estimand, (of_system, of_difference) in estimands.items():
        for over, (ends_of_system, ends_of_difference) in (
            (over, table[..., 1:].swapaxes(0, 1)) for over, table in estimates.items()
        ):
            for what, ends, truth in (
                ("mean", ends_of_system, of_system),
                ("difference", ends_of_difference, of_difference),
            ):
                covers = (ends[:, 0] <= truth) & (truth <= ends[:, 1])
                add(total, f"cover: {over}, {what}, {estimand}", covers)
    return total


def simulated(
    effects: Effects,
    n_queries: int,
    n_subjects: int,
    measure: str,
    *,
    sets: int,
    seed: np.random.SeedSequence,
) -> dict[str, Floats]:
    """Estimates and intervals, over queries and subjects or over queries only.

    (sets, 2, 3) each: of a system's mean and of the difference of both, the estimate and the ends.
    """
    out: dict[str, list[list[Any]]] = {"both": [], "queries only": []}
    for child in seed.spawn(sets):
        rng = np.random.default_rng(child)
        votes, runs = data(effects, n_queries, n_subjects, rng)
        scores = evaluated(votes, runs, measure, "population", _RESAMPLES)
        for name, over in (("both", ("query", "world")), ("queries only", ("query",))):
            tables = scores.summary(over=over), ft.tests.difference_intervals(scores, over=over)
            columns = ["mean", "lower", "upper"]
            out[name].append([table[columns].iloc[0].tolist() for table in tables])
    return {name: np.array(table) for name, table in out.items()}


def data(effects: Effects, n_queries: int, n_subjects: int, rng: np.random.Generator) -> Any:
    """Votes of all subjects on all items, and the lists of both systems."""
    of_query, of_subject, of_both = effects
    quality, latent = population(of_query, n_queries, rng)
    strictness = of_subject * rng.standard_normal(n_subjects)
    strictness = strictness + of_both * rng.standard_normal((n_queries, 1, n_subjects))
    shape = (n_queries, _ITEMS, n_subjects)
    grades = latent[..., None] + strictness + rng.standard_normal(shape) > 0
    query, item, subject = (axis.ravel() for axis in np.indices(shape))
    votes = ft.Judgments.from_columns(
        query, item, grades.ravel().astype(np.float64), subject=subject
    )
    return votes, lists(quality, rng)


def population(of_query: float, n_queries: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Quality of each item, and the mean of its latent relevance: (queries, items) each."""
    quality = rng.standard_normal((n_queries, _ITEMS))
    latent = quality + of_query * rng.standard_normal((n_queries, 1)) - _THRESHOLD
    return quality, latent


def lists(quality: Floats, rng: np.random.Generator) -> ft.Runs:
    """Both systems' scores of all items."""
    noise = rng.standard_normal((len(_NOISE), *quality.shape))
    values = quality + np.array(_NOISE)[:, None, None] * noise
    system, query, item = (axis.ravel() for axis in np.indices(values.shape))
    names = np.array(_SYSTEMS)[system]
    return ft.Runs.from_columns(query, item, score=values.ravel(), system=names)


@cache
def membership_means(
    of_query: float, of_subject: float, of_both: float, measure: str
) -> tuple[float, float]:
    """Mean of the first system under the population's membership, and its lead."""
    rng = np.random.default_rng(20190722)
    quality, latent = population(of_query, _QUERIES_OF_TRUTH, rng)
    chance = ndtr(latent / np.sqrt(of_subject**2 + of_both**2 + 1))
    query, item = (axis.ravel() for axis in np.indices(chance.shape))
    truth = ft.Judgments.from_probabilities(query, item, chance.ravel())
    values = evaluated(truth, lists(quality, rng), measure, "independent", 2).values[:, 0]
    first, second = values.mean(axis=-1).tolist()
    return first, first - second


def evaluated(truth: Any, runs: ft.Runs, measure: str, worlds: Any, n_worlds: int) -> ft.Scores:
    """Scores; that some worlds have no relevant item is as it should be."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ft.FuzzytruthWarning)
        return ft.evaluate(truth, runs, [measure], worlds=worlds, n_worlds=n_worlds, rng=0)
