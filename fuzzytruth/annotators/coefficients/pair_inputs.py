"""Votes and options of `pairwise_agreement`, checked."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.annotators.coefficients.pair_distances import Metric, value_distances
from fuzzytruth.annotators.coefficients.rated_units import default_axis, n_queries
from fuzzytruth.annotators.ratings import Ratings
from fuzzytruth.core.corated import PairDesign, n_pairs_of_votes
from fuzzytruth.core.hashing import pair_keys
from fuzzytruth.data.repeats import groups_of
from fuzzytruth.errors import DataError, MissingCellWarning, OptionError, choice, counted, warn
from fuzzytruth.io.ids import hash_ids
from fuzzytruth.stats.pair_agreement import Coefficient, PairCounts

_MOST_VOTES = 1_000_000_000  # pairs of votes on a unit
_MOST_COUNTS = 100_000_000  # numbers in the counts of all pairs


def named_subjects(ratings: Ratings) -> tuple[str, ...]:
    """Names of the subjects, two or more who are the same people everywhere."""
    names = ratings.named("pairwise_agreement")
    if ratings.nested:
        raise DataError(
            "pairwise_agreement: subjects are nested: a name stands for other people in each "
            "query, so that pairs have few units in common; if names stand for the same people, "
            "make the judgments with design='crossed'"
        )
    if len(names) < 2:
        raise DataError("pairwise_agreement: there is one subject; pairs take two or more")
    return names


def option_distances(ratings: Ratings, coefficient: Coefficient, metric: Metric) -> Floats:
    """Distances of values, the options being fit for each other."""
    distance = value_distances(ratings, metric, by_rank=coefficient == "alpha")
    if metric != "nominal" and coefficient not in ("kappa", "alpha"):
        raise OptionError(f"metric={metric!r}: is for coefficient='kappa' or 'alpha'")
    if coefficient == "tau_b" and ratings.grades is None:
        raise OptionError(
            "coefficient='tau_b': is for grades, but these votes are categories; use 'kappa'"
        )
    return distance


def interval_axis(ratings: Ratings, over: Any) -> Literal["item", "query"]:
    """What intervals are over."""
    if over is None:
        return default_axis(ratings)
    count = n_queries(ratings)
    choice("over", over, ("item", "query"))
    if over == "query" and count < 2:
        raise OptionError(
            "over='query': intervals over queries take two or more queries, but there "
            f"{'is one' if count else 'are none'}; use over='item'"
        )
    return "query" if over == "query" else "item"


def _clusters(ratings: Ratings, over: str) -> Ints:
    """Numbers of the items or queries of the units: (units,).

    In the order of the hashes of their ids, so that the groups that a jackknife leaves out do not
    depend on the order of the votes.
    """
    if over == "query":
        named = ["query"]
    else:
        named = [name for name in ("query", "item") if name in ratings.units]
    code = groups_of([ratings.units[name] for name in named])
    key = np.zeros(ratings.n_units, dtype=np.uint64)
    for name in named:
        key = pair_keys(key, hash_ids(ratings.units[name]))
    order = np.argsort(key[np.unique(code, return_index=True)[1]], kind="stable")
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.arange(len(order))
    return number[code]


def pair_design(ratings: Ratings, over: str, coefficient: Coefficient) -> PairDesign:
    """All votes and pairs, unless they are too many."""
    work = n_pairs_of_votes(ratings.unit)
    advice = "compare fewer subjects (of Judgments: votes.select(subjects=...))"
    if work > _MOST_VOTES:
        raise DataError(
            f"pairwise_agreement: {ratings.n_subjects:,} subjects gave {work:,} pairs of votes on "
            f"a unit, more than {_MOST_VOTES:,}; {advice}"
        )
    cluster = _clusters(ratings, over)
    design = PairDesign.of(
        ratings.unit,
        ratings.subject,
        ratings.value,
        ratings.weight,
        cluster,
        ratings.n_subjects,
        len(ratings.names),  # some of which nobody gave, if votes are chosen by subject
    )
    each = design.n_values ** (2 if coefficient == "tau_b" else 1)
    if design.n_pairs * each > _MOST_COUNTS:
        raise DataError(
            f"pairwise_agreement: {design.n_pairs:,} pairs of subjects with "
            f"{design.n_values:,} different values are too many; {advice}"
        )
    return design


def check_shared(design: PairDesign, counts: PairCounts) -> None:
    """Raise if no pair shares a unit, and warn of pairs that do not."""
    shared = int((counts.n > 0).sum())
    if not shared:
        raise DataError("pairwise_agreement: no two subjects judged the same unit")
    lost = design.n_subjects * (design.n_subjects - 1) // 2 - shared
    if lost:
        warn(
            f"{counted(lost, 'pair')} of subjects judged no item in common and "
            f"{'has' if lost == 1 else 'have'} no agreement",
            MissingCellWarning,
        )
