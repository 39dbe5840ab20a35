"""Agreement of model judges with people as values of queries, so that it is compared as scores."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.annotators.model_judges.matched_votes import MatchedVotes, VoteRows
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.vote_agreement import (
    AgreementCounts,
    agreement_counts,
    counts_among,
    jackknife_values,
    kappa,
    mean_difference,
    quadratic_kappa,
    share_equal,
    share_of,
)
from fuzzytruth.evaluation.scores import Scores
from fuzzytruth.stats.contrasts import each_system
from fuzzytruth.stats.estimates import estimate
from fuzzytruth.stats.observations import Observations

AGREEMENT, KAPPA, WEIGHTED, BIAS = "agreement", "kappa", "weighted_kappa", "bias"


@dataclass(frozen=True, slots=True, eq=False)
class JudgeValues:
    """Values of queries (or of items, where there are no several queries).

    Parameters
    ----------
    statistics : tuple of str
        agreement, kappa and, of grades, weighted_kappa and bias.
    estimates : (judges, statistics) float
    values : (judges, statistics, clusters) float
        Their means over clusters are the statistics, and Student's intervals of these are the
        delete-one-cluster jackknife's. NaN where a judge has no units.
    of_people : (statistics,) float or None
        Estimates of each person beside the other people; None where no two judged one unit.
    behind_people : (judges, statistics, clusters) float
        The same of people less that of each judge, on the units that the judge and several people
        judged, since these may be harder or easier than the others. NaN where there are none.
    above_constant : (judges, clusters) float
        Agreement less that of always giving the people's most frequent value.
    constant : str
        That value.
    clusters : tuple of str
    n_units : (judges,) int
    """

    statistics: tuple[str, ...]
    estimates: Floats
    values: Floats
    of_people: Floats | None
    behind_people: Floats
    above_constant: Floats
    constant: str
    clusters: tuple[str, ...]
    n_units: Ints

    def scores(self, judges: tuple[str, ...], statistics: tuple[str, ...]) -> Scores:
        """The values as scores: judges are the systems, statistics the measures."""
        places = [self.statistics.index(name) for name in statistics]
        return Scores(
            systems=judges,
            queries=self.clusters,
            measures=statistics,
            values=self.values[:, places],
            cells=Cells.of_queries(len(self.clusters)),
            higher_is_better=(True,) * len(places),
        )


def judge_values(votes: MatchedVotes, *, by_query: bool) -> JudgeValues:
    """Values of all judges; clusters are queries, or units."""
    cluster, names = np.arange(votes.n_units), tuple(map(str, range(votes.n_units)))
    if by_query and votes.cluster is not None:
        cluster, names = votes.cluster, votes.cluster_names
    elif votes.cluster is None:
        names = votes.cluster_names
    n_values, grades = len(votes.names), votes.grades
    statistics = (AGREEMENT, KAPPA) if grades is None else (AGREEMENT, KAPPA, WEIGHTED, BIAS)
    people = votes.people
    weight = 1.0 / votes.voters[people.unit]
    constant = int(np.argmax(np.bincount(people.value, weight, n_values)))
    several = votes.voters > 1
    estimates, values, above, behind, n_units = [], [], [], [], []
    for judge in range(len(votes.judges)):
        own = votes.models.of(judge)
        counts = agreement_counts(
            own.unit, own.value, people.unit, people.value, cluster, grades, n_values
        )
        parts = _statistics(counts, statistics, grades)
        estimates.append(parts[:, 0])
        values.append(_values(parts, counts))
        gain = share_equal(counts) - share_of(counts, constant)
        above.append(jackknife_values(gain, counts.units))
        behind.append(_behind_people(votes, own, several, cluster, statistics))
        n_units.append(int(counts.units.sum()))
    of_people = None
    if several.any():
        pairs = counts_among(people.unit, people.value, cluster, grades, n_values)
        of_people = _statistics(pairs, statistics, grades)[:, 0]
    return JudgeValues(
        statistics,
        np.array(estimates),
        np.array(values),
        of_people,
        np.array(behind),
        np.array(above),
        votes.names[constant],
        names,
        np.array(n_units),
    )


def _behind_people(
    votes: MatchedVotes, own: VoteRows, several: Bools, cluster: Ints, statistics: tuple[str, ...]
) -> Floats:
    """Of people with each other less that of a judge, both on the same units."""
    shared = np.zeros(votes.n_units, dtype=bool)
    shared[own.unit] = several[own.unit]
    if not shared.any():
        return np.full((len(statistics), int(cluster.max(initial=-1)) + 1), np.nan)
    own, people = own.select(shared[own.unit]), votes.people.select(shared[votes.people.unit])
    n_values, grades = len(votes.names), votes.grades
    theirs = counts_among(people.unit, people.value, cluster, grades, n_values)
    judges = agreement_counts(
        own.unit, own.value, people.unit, people.value, cluster, grades, n_values
    )
    parts = _statistics(theirs, statistics, grades) - _statistics(judges, statistics, grades)
    return _values(parts, judges)


def _statistics(
    counts: AgreementCounts, statistics: tuple[str, ...], grades: Floats | None
) -> Floats:
    """Of all units, and without each cluster: (statistics, 1 + clusters)."""
    of = {AGREEMENT: share_equal(counts), KAPPA: kappa(counts), BIAS: mean_difference(counts)}
    if grades is not None:
        of[WEIGHTED] = quadratic_kappa(counts, grades)
    return np.array([of[name] for name in statistics])


def _values(parts: Floats, counts: AgreementCounts) -> Floats:
    """Jackknife values: (statistics, clusters)."""
    return np.array([jackknife_values(part, counts.units) for part in parts])


def mean_intervals(values: Floats, level: float) -> tuple[Floats, Floats, Floats]:
    """Means over clusters and Student's intervals: (rows, clusters) → (rows,) each."""
    observed = Observations(values, Cells.of_queries(values.shape[1]))
    estimates = estimate(observed, each_system(len(values)), ("query",))
    lower, upper = estimates.interval(level)
    return estimates.value, lower, upper
