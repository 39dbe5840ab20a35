"""Votes of people and of model judges on the same units, and what tells how far they agree."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from fuzzytruth import errors
from fuzzytruth._lazy import pa, pd
from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.annotators.ratings import binary_votes, ratings_of
from fuzzytruth.comparison.compare import compare
from fuzzytruth.core.arithmetic import ROUNDING, divide
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.clusters import nan_mean
from fuzzytruth.core.votes import vote_agreement
from fuzzytruth.core.votes.vote_agreement import AgreementCounts, jackknife_values
from fuzzytruth.data.assignments import Assignments
from fuzzytruth.data.grading import codes_of, groups_of
from fuzzytruth.data.judgments import Judgments, taken
from fuzzytruth.data.ratings import Ratings
from fuzzytruth.data.reading import as_judgments, as_runs
from fuzzytruth.data.runs import Runs
from fuzzytruth.data.taxonomy import Taxonomy
from fuzzytruth.errors import OptionError, counted, first_few, shown, warn
from fuzzytruth.evaluation.evaluate import evaluate
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.evaluation.validation import THRESHOLDS, report_scales
from fuzzytruth.io.tables import is_table
from fuzzytruth.stats.intervals import query_bootstrap
from fuzzytruth.stats.observations import Observations, each_system
from fuzzytruth.stats.settings import Resampling
from fuzzytruth.stats.world_estimates import estimate

#: names of a person and a model that have none
PERSON, MODEL = "human", "model"


@dataclass(frozen=True, slots=True, eq=False)
class VoteRows:
    """One row a vote, sorted by unit, then by who gave it: (votes,) int each.

    Parameters
    ----------
    unit, who, value : (votes,) int
    """

    unit: Ints
    who: Ints
    value: Ints

    def select(self, kept: Any) -> VoteRows:
        """Some of the rows."""
        return VoteRows(self.unit[kept], self.who[kept], self.value[kept])

    def of(self, who: int) -> VoteRows:
        """The rows of one of them."""
        return self.select(self.who == who)


@dataclass(frozen=True, slots=True, eq=False)
class MatchedVotes:
    """Votes of people and of model judges on the units that both judged.

    Parameters
    ----------
    people, models : VoteRows
    subjects, judges : tuple of str
        Names of the people and of the models.
    n_units : int
    cluster : (units,) int or None
        The query of each unit; None where units have no queries.
    cluster_names : tuple of str
        Ids of the queries, or of the items where there are none.
    names : tuple of str
        Of the values.
    grades : (values,) float or None
        None where values are categories.
    taxonomy : Taxonomy or None
    """

    people: VoteRows
    models: VoteRows
    subjects: tuple[str, ...]
    judges: tuple[str, ...]
    n_units: int
    cluster: Ints | None
    cluster_names: tuple[str, ...]
    names: tuple[str, ...]
    grades: Floats | None
    taxonomy: Taxonomy | None

    @property
    def n_clusters(self) -> int:
        """Number of queries, or of units where they have none."""
        return self.n_units if self.cluster is None else int(self.cluster.max(initial=-1)) + 1

    @property
    def n_queries(self) -> int:
        """0 where units have no queries."""
        return 0 if self.cluster is None else self.n_clusters

    @property
    def voters(self) -> Ints:
        """Number of people who judged each unit: (units,)."""
        return np.bincount(self.people.unit, minlength=self.n_units)

    def restrict(self, kept: Bools) -> MatchedVotes:
        """Only some of the units, numbered anew."""
        number = np.cumsum(kept) - 1

        def only(rows: VoteRows) -> VoteRows:
            some = rows.select(kept[rows.unit])
            return replace(some, unit=number[some.unit])

        chosen, cluster = np.flatnonzero(kept), None
        if self.cluster is not None:
            chosen, cluster = np.unique(self.cluster[kept]), codes_of(self.cluster[kept])
        return replace(
            self,
            people=only(self.people),
            models=only(self.models),
            n_units=int(kept.sum()),
            cluster=cluster,
            cluster_names=tuple(self.cluster_names[code] for code in chosen.tolist()),
        )


def named_votes(human: Any, model: Any, rel: Any) -> tuple[Any, Any]:
    """Votes of people and of models, named; with `rel`, grades 1 from there on, else 0.

    Raises
    ------
    OptionError
        They are no grades, or a mapping by subject leaves out one of them, or names another.
    """
    both = _with_name(human, PERSON, "human"), _with_name(model, MODEL, "model")
    if rel is None:
        return both
    people, models = binary_votes(rel, *both)
    return people, models


def match_votes(human: Any, model: Any, what: str, *, distances: bool) -> MatchedVotes:
    """Votes of people and of models, on the units that both judged.

    Parameters
    ----------
    human, model : Judgments, Assignments, or what `as_judgments` takes
        Judgments without subjects are those of one person, "human", or one judge, "model".
    what : str
        Begins messages.
    distances : bool
        Whether it matters how far apart two grades are.

    Raises
    ------
    DataError
        Nobody is named, one is about grades and the other about categories, somebody judged a unit
        repeatedly, a person and a model have one name, or they share no unit.

    Warns
    -----
    LeftOutWarning
        People judged units that no model judged.
    ScaleWarning
        Grades of some keep to a shorter scale than those of the others.
    """
    people, models = ratings_of(human), ratings_of(model)
    subjects, judges = people.named(f"{what}, human"), models.named(f"{what}, model")
    for rows, name in ((people, "human"), (models, "model")):
        _check(rows, f"{what}, {name}")
    _check_together(people, models, what)
    unit, other, shared = _shared_units(people, models, what)
    values, (value, other_value), grades = _shared_values(people, models)
    lost = int((~shared).sum())
    if lost:
        warn(
            f"{what}: {counted(lost, 'item is', 'items are')} left out, which people judged and no "
            "model did",
            errors.LeftOutWarning,
        )
    given = VoteRows(other, models.subject, other_value).select(other >= 0)
    matched = MatchedVotes(
        VoteRows(unit, people.subject, value),
        given.select(np.lexsort((given.who, given.unit))),
        subjects,
        judges,
        people.n_units,
        people.cluster,
        _cluster_names(people),
        values,
        grades,
        people.taxonomy,
    )
    matched = matched.restrict(shared) if lost else matched
    _report_scales(matched, distances=distances)
    return matched


def _report_scales(votes: MatchedVotes, *, distances: bool) -> None:
    """Warn of people and models whose grades keep to a shorter scale than those of the others."""
    if votes.grades is None:
        return
    both, n = (votes.people, votes.models), len(votes.subjects)
    report_scales(
        np.concatenate([rows.unit for rows in both]),
        votes.grades[np.concatenate([rows.value for rows in both])],
        np.concatenate([votes.people.who, votes.models.who + n]),
        (*votes.subjects, *votes.judges),
        THRESHOLDS + (", or use human.rescaled() and model.rescaled()" if distances else ""),
    )


def _with_name(votes: Any, name: str, argument: str) -> Any:
    """Votes, a name added where judgments have no subjects.

    Raises
    ------
    OptionError
        They are no votes.
    """
    if isinstance(votes, Assignments):
        return votes
    is_table_or_path = is_table(votes) or isinstance(votes, (Judgments, Mapping, str, Path))
    if isinstance(votes, Runs) or not is_table_or_path:
        raise OptionError(
            f"{argument}={shown(votes)}: give Judgments, Assignments, a frame, "
            "{query: {item: grade}} or a path"
        )
    given = as_judgments(votes)
    if given.subject is not None or given.count is not None or given.probability is not None:
        return given
    return replace(given, subject=pa.array([name] * len(given), pa.large_string()))


def _cluster_names(people: Ratings) -> tuple[str, ...]:
    """Ids of the queries by their codes, or of the items."""
    if people.cluster is None:
        return tuple(people.units["item"].to_pylist())
    _, first = np.unique(people.cluster, return_index=True)
    queries = people.units["query"]
    return tuple(queries[place].as_py() for place in first.tolist())


def _check(rows: Ratings, what: str) -> None:
    if not (rows.weight == 1).all():
        where = int(np.flatnonzero(rows.weight != 1)[0])
        names = rows.subjects or ()
        raise errors.DataError(
            f"{what}: {names[rows.subject[where]]!r} judged an item repeatedly; keep one of its "
            "judgments, or name each repeat as a subject of its own"
        )
    if rows.sets is not None and rows.cluster is not None:
        raise errors.DataError(
            f"{what}: subjects were asked about different categories of one item; give the answers "
            "to one question at a time"
        )


def _check_together(people: Ratings, models: Ratings, what: str) -> None:
    if (people.grades is None) != (models.grades is None):
        kinds = ["categories" if rows.grades is None else "grades" for rows in (people, models)]
        raise errors.DataError(
            f"{what}: people gave {kinds[0]} and models gave {kinds[1]}; give the same of both"
        )
    if {*people.units} != {*models.units}:
        listed = [", ".join(rows.units) for rows in (people, models)]
        raise errors.DataError(
            f"{what}: people judged each {listed[0]}, models each {listed[1]}; give the same "
            "columns of both"
        )
    both = sorted({*(people.subjects or ())} & {*(models.subjects or ())})
    if both:
        raise errors.DataError(
            f"{what}: {first_few(both, show=repr)} {'is' if len(both) == 1 else 'are'} among the "
            "people and among the models; give each subject's votes once (Judgments.select)"
        )


def _shared_units(people: Ratings, models: Ratings, what: str) -> tuple[Ints, Ints, Bools]:
    """Unit of each vote of people, of each of models (-1: no person's), and which are shared."""
    columns = [pa.concat_arrays([people.units[name], models.units[name]]) for name in people.units]
    key = groups_of(columns)
    ours, theirs = key[: people.n_units], key[people.n_units :]
    place = np.full(int(key.max()) + 1, -1)
    place[ours] = np.arange(people.n_units)
    other = place[theirs][models.unit]
    shared = np.zeros(people.n_units, dtype=bool)
    shared[other[other >= 0]] = True
    if not shared.any():
        one, two = (
            ", ".join(f"{name} {rows.units[name][0].as_py()!r}" for name in rows.units)
            for rows in (people, models)
        )
        raise errors.DataError(
            f"{what}: people and models judged nothing in common (the first: {one}; {two}); "
            "check that ids are written alike"
        )
    return people.unit, np.asarray(other), shared


def _shared_values(
    people: Ratings, models: Ratings
) -> tuple[tuple[str, ...], tuple[Ints, Ints], Floats | None]:
    """Values of both: their names, the codes of everybody's votes, and grades if they are such."""
    names, grades = (*people.names, *models.names), None
    if people.grades is not None and models.grades is not None:
        both = np.concatenate((people.grades, models.grades))
        grades, code = np.unique(both, return_inverse=True)
        known = tuple(f"{grade:g}" for grade in grades.tolist())
    else:
        known = tuple(dict.fromkeys(names))
        number = {name: place for place, name in enumerate(known)}
        code = np.array([number[name] for name in names])
    codes, n = code.reshape(-1).astype(np.int64), len(people.names)
    return known, (codes[:n][people.value], codes[n:][models.value]), grades


# How far each judge agrees with people, by cluster.


AGREEMENT, KAPPA, WEIGHTED, BIAS = "percent", "kappa", "weighted_kappa", "bias"


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

    def counts_of(judge: VoteRows, people: VoteRows) -> AgreementCounts:
        return vote_agreement.agreement_counts(
            judge.unit, judge.value, people.unit, people.value, cluster, grades, n_values
        )

    def among(people: VoteRows) -> Floats:
        return statistics_of(
            vote_agreement.counts_among(people.unit, people.value, cluster, grades, n_values)
        )

    def statistics_of(counts: AgreementCounts) -> Floats:
        """Of all units, and without each cluster: (statistics, 1 + clusters)."""
        of = [vote_agreement.share_equal(counts), vote_agreement.kappa(counts)]
        if grades is not None:
            weighted = vote_agreement.quadratic_kappa(counts, grades)
            of += [weighted, vote_agreement.mean_difference(counts)]
        return np.array(of)

    def jackknifed(parts: Floats, counts: AgreementCounts) -> Floats:
        """(statistics, clusters)."""
        return np.array([jackknife_values(part, counts.units) for part in parts])

    people = votes.people
    weight = 1.0 / votes.voters[people.unit]
    constant = int(np.argmax(np.bincount(people.value, weight, n_values)))
    several = votes.voters > 1

    def of_judge(own: VoteRows) -> tuple[Any, ...]:
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


def mean_intervals(values: Floats, level: float) -> tuple[Floats, Floats]:
    """Student's intervals of means over clusters: (rows, clusters) → (rows,) both."""
    observed = Observations(values, Cells.of_queries(values.shape[1]))
    return estimate(observed, each_system(len(values)), ("query",)).interval(level)


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
    people: Any,
    models: Any,
    runs: Any,
    measures: Any,
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
        only = systems.systems[0]
        raise errors.DataError(f"runs: there is one system, {only!r}; an order takes two or more")
    with warnings.catch_warnings():  # scales are compared beforehand, of both together
        warnings.simplefilter("ignore", errors.ScaleWarning)
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
        raise errors.DataError(
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
