"""Agreement of model judges with people as values of queries, so that it is compared as scores."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fuzzytruth._lazy import pa, pd
from fuzzytruth._typing import Floats, Ints
from fuzzytruth.annotators.model_judges import matched_votes
from fuzzytruth.comparison.compare import compare
from fuzzytruth.core.arithmetic import ROUNDING, divide
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.clusters import nan_mean
from fuzzytruth.core.votes import vote_agreement
from fuzzytruth.core.votes.vote_agreement import AgreementCounts, jackknife_values
from fuzzytruth.data.grading import groups_of
from fuzzytruth.data.judgments import Judgments, taken
from fuzzytruth.data.reading import as_runs
from fuzzytruth.errors import DataError, OptionError, ScaleWarning
from fuzzytruth.evaluation.evaluate import evaluate
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.stats.bootstrap import query_bootstrap
from fuzzytruth.stats.observations import Observations, each_system
from fuzzytruth.stats.settings import Resampling
from fuzzytruth.stats.world_estimates import estimate

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


def judge_values(votes: matched_votes.MatchedVotes, *, by_query: bool) -> JudgeValues:
    """Values of all judges; clusters are queries, or units."""
    cluster, names = np.arange(votes.n_units), tuple(map(str, range(votes.n_units)))
    if by_query and votes.cluster is not None:
        cluster, names = votes.cluster, votes.cluster_names
    elif votes.cluster is None:
        names = votes.cluster_names
    n_values, grades = len(votes.names), votes.grades
    statistics = (AGREEMENT, KAPPA) if grades is None else (AGREEMENT, KAPPA, WEIGHTED, BIAS)

    def counts_of(judge: matched_votes.VoteRows, people: matched_votes.VoteRows) -> AgreementCounts:
        return vote_agreement.agreement_counts(
            judge.unit, judge.value, people.unit, people.value, cluster, grades, n_values
        )

    def among(people: matched_votes.VoteRows) -> Floats:
        return statistics_of(
            vote_agreement.counts_among(people.unit, people.value, cluster, grades, n_values)
        )

    def statistics_of(counts: AgreementCounts) -> Floats:
        """Of all units, and without each cluster: (statistics, 1 + clusters)."""
        of = [vote_agreement.share_equal(counts), vote_agreement.kappa(counts)]
        if grades is not None:
            of.append(vote_agreement.quadratic_kappa(counts, grades))
            of.append(vote_agreement.mean_difference(counts))
        return np.array(of)

    def jackknifed(parts: Floats, counts: AgreementCounts) -> Floats:
        """(statistics, clusters)."""
        return np.array([jackknife_values(part, counts.units) for part in parts])

    people = votes.people
    weight = 1.0 / votes.voters[people.unit]
    constant = int(np.argmax(np.bincount(people.value, weight, n_values)))
    several = votes.voters > 1

    def of_judge(own: matched_votes.VoteRows) -> tuple[Any, ...]:
        """Estimates, values, those behind people and above a constant, and number of units."""
        counts = counts_of(own, people)
        parts = statistics_of(counts)
        values = jackknifed(parts, counts)
        gain = vote_agreement.share_equal(counts) - vote_agreement.share_of(counts, constant)
        shared = np.zeros(votes.n_units, dtype=bool)
        shared[own.unit] = several[own.unit]
        behind = np.full_like(values, np.nan)
        if shared.any():
            beside = people.select(shared[people.unit])
            both = counts_of(own.select(shared[own.unit]), beside)
            behind = jackknifed(among(beside) - statistics_of(both), both)
        above = jackknife_values(gain, counts.units)
        return parts[:, 0], values, behind, above, int(counts.units.sum())

    found = zip(*(of_judge(votes.models.of(j)) for j in range(len(votes.judges))), strict=True)
    estimates, values, behind, above, n_units = map(np.array, found)
    of_people = among(people)[:, 0] if several.any() else None
    constant_name = votes.names[constant]
    return JudgeValues(
        statistics, estimates, values, of_people, behind, above, constant_name, names, n_units
    )


def mean_intervals(values: Floats, level: float) -> tuple[Floats, Floats, Floats]:
    """Means over clusters and Student's intervals: (rows, clusters) → (rows,) each."""
    observed = Observations(values, Cells.of_queries(values.shape[1]))
    estimates = estimate(observed, each_system(len(values)), ("query",))
    lower, upper = estimates.interval(level)
    return estimates.value, lower, upper


# Kendall's τ_b of two orders that vary together, draw by draw.
#
# References
# ----------
# Kendall, M. G. (1945), The treatment of ties in ranking problems, Biometrika 33.


_BLOCK = 2**22  # signs of a block of draws


def paired_tau_b(first: Floats, second: Floats) -> Floats:
    """τ_b of two orders in each draw: (draws, systems) each → (draws,); NaN where all is tied.

    Values that differ by rounding errors tie.

    Examples
    --------
    >>> paired_tau_b(np.array([[1.0, 2, 3]]), np.array([[1.0, 3, 2]])).round(3).tolist()
    [0.333]
    """
    draws, k = first.shape
    one, two = np.triu_indices(k, 1)
    size = max(1, _BLOCK // max(len(one), 1))
    out = np.full(draws, np.nan)
    scales = [float(np.abs(values).max(initial=0.0)) for values in (first, second)]
    for start in range(0, draws, size):
        part = slice(start, start + size)
        gaps = (values[part][:, one] - values[part][:, two] for values in (first, second))
        x, y = (
            np.where(np.abs(gap) <= ROUNDING * scale, 0.0, np.sign(gap))
            for gap, scale in zip(gaps, scales, strict=True)
        )
        agree = np.einsum("dp,dp->d", x, y)
        untied = np.einsum("dp,dp->d", x, x) * np.einsum("dp,dp->d", y, y)
        out[part] = divide(agree, np.sqrt(untied), fill=np.nan)
    return out


# The order of systems under a model judge's grades, beside that under people's.


_OF_ORDERS = (
    *("judge", "measure", "tau_b", "lower", "upper"),
    *("n_significant", "n_reversed", "share_reversed"),
)


def system_orders(
    human: Any,
    model: Any,
    runs: Any,
    measures: Any,
    *,
    missing: Any,
    level: float,
    using: Resampling,
) -> pd.DataFrame:
    """One row a judge and measure: how the judge orders the systems; see `JudgeAgreement`.

    Raises
    ------
    OptionError
        The votes are no judgments.
    DataError
        There is one system, or a judge lacks a query that people judged.
    """
    people, models = (
        matched_votes.with_name(human, matched_votes.PERSON, "human"),
        matched_votes.with_name(model, matched_votes.MODEL, "model"),
    )
    if not (isinstance(people, Judgments) and isinstance(models, Judgments)):
        raise OptionError("runs: are scored by judgments of items for queries; these are no such")
    columns = [votes.present(("query", "item", "intent")) for votes in (people, models)]
    key = groups_of([pa.concat_arrays([of[name] for of in columns]) for name in columns[0]])
    keys = key[: len(people)], key[len(people) :]
    people, models = (  # of the items that both judged
        replace(taken(votes, np.flatnonzero(np.isin(own, other))), position=None)
        for votes, own, other in ((people, *keys), (models, *keys[::-1]))
    )
    systems = as_runs(runs)
    if len(systems) < 2:
        raise DataError(f"runs: {systems!r} holds one system; an order takes two or more")
    with warnings.catch_warnings():  # scales are compared beforehand, of both together
        warnings.simplefilter("ignore", ScaleWarning)
        ours, theirs = (
            evaluate(votes, systems, measures, worlds="subject", missing=missing)
            for votes in (people, models)
        )
    compared = compare(ours, n_resamples=using.n_resamples, rng=using.rng, level=level)
    decided = compared.to_frame(full=True).query("significant")
    rows = []
    for m, name in enumerate(ours.measures):
        by_people = ours.cells.mean_by_query(ours.values[:, m])  # (systems, queries)
        by_judge = _by_judge(theirs, m, ours.queries)  # (judges, systems, queries)
        values = np.concatenate((by_people[None], by_judge))
        table = decided[decided["measure"] == name]
        first, second = (
            np.array([ours.systems.index(system) for system in table[side]], dtype=np.intp)
            for side in ("system_a", "system_b")
        )
        means = nan_mean(values, axis=2)  # (people and judges, systems)
        gaps = np.sign(means[:, first] - means[:, second]) * np.sign(table["difference"].to_numpy())
        n, n_reversed = len(table), (gaps < 0).sum(axis=1)
        taus = _taus(values, means, level, using)
        for judge, tau, count in zip(theirs.subjects or (), taus, n_reversed[1:], strict=True):
            share = int(count) / n if n else np.nan
            rows.append((judge, name, *tau, n, int(count), share))
    return pd.DataFrame(rows, columns=[*_OF_ORDERS])


def _by_judge(scores: Scores, measure: int, queries: tuple[str, ...]) -> Floats:
    """Values of systems by each judge, queries in this order: (judges, systems, queries)."""
    place = {query: number for number, query in enumerate(scores.queries)}
    dense = scores.cells.dense(scores.values[:, measure])  # (systems, queries, judges)
    chosen = dense[:, [place[query] for query in queries]]
    lacking = np.isnan(chosen).all(axis=0)
    if lacking.any():
        who = (scores.subjects or ())[int(np.argwhere(lacking)[0, 1])]
        raise DataError(
            f"model: {who!r} did not judge every query that people judged; orders of systems are "
            "compared on the same queries"
        )
    return np.moveaxis(chosen, 2, 0)


def _taus(values: Floats, means: Floats, level: float, using: Resampling) -> Iterator[Any]:
    """τ_b of each judge with people, and the ends of its interval over resampled queries.

    `values` are (people and judges, systems, queries).
    """
    n, k, queries = values.shape
    drawn = query_bootstrap(values.reshape(-1, queries), using).reshape(-1, n, k)
    for judge in range(1, n):
        tau = paired_tau_b(means[:1], means[judge : judge + 1])[0]
        draws = paired_tau_b(drawn[:, 0], drawn[:, judge])
        known = draws[~np.isnan(draws)]
        ends = [np.nan, np.nan]
        if len(known):
            ends = np.quantile(known, [(1 - level) / 2, 1 - (1 - level) / 2]).tolist()
        yield float(tau), *ends
