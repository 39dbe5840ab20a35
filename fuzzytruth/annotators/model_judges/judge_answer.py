"""What is printed of the agreement of judges with people."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.annotators.model_judges.matched_votes import MatchedVotes, VoteRows
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.votes.vote_agreement import (
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
from fuzzytruth.errors import counted, first_few
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.plots.frames import PlotData
from fuzzytruth.show.answer import Column, Printed, Sentences, Table, first_rows
from fuzzytruth.show.number_text import (
    interval_text,
    level_text,
    number_text,
    numbers_format,
    with_interval,
    written,
)
from fuzzytruth.stats.contrasts import each_system
from fuzzytruth.stats.observations import Observations
from fuzzytruth.stats.world_estimates import estimate

if TYPE_CHECKING:
    from fuzzytruth.annotators.model_judges.judge_result import AlternativeAnnotator, JudgeAgreement


MOST_ROWS, WITH_ORDERS = 12, 5
NAMES = {"agreement": "agreement", "kappa": "kappa", "weighted_kappa": "weighted kappa"}


def judge_answer(result: JudgeAgreement) -> Printed:
    """What `print` shows: the best judges, one row a judge, then the orders of systems."""
    rows = result.judges.sort_values(result.by, ascending=False, kind="stable")
    return Printed.of(
        f"{counted(len(rows), 'model judge')} beside people: agreement over {result.n_clusters:,} "
        f"{result.over}",
        _judge_answer_verdict(result, rows),
        _judge_answer_table(result, rows),
        _orders(result, rows),
        _judge_answer_legend(result),
        Sentences.of(
            "More: .to_frame(full=True), .scores, .comparison"
            + (", .orders" if result.orders is not None else "")
        ),
    )


def _judge_answer_verdict(result: JudgeAgreement, rows: pd.DataFrame) -> Sentences:
    """Who is among the best, and who adds nothing."""
    best = [*rows.loc[rows["among_best"], "judge"]]
    name = NAMES[result.by]
    lines = []
    if len(rows) > 1 and (result.n_compared is not None or result.comparison is None):
        lines.append(_of_units(result))
    if result.comparison is None:
        pass
    elif len(best) == len(rows) > 1:
        lines.append(f"No judge is significantly better than another by {name}.")
    elif len(rows) > 1:
        lines.append(
            f"Among the best by {name}: {first_few(best, 4)} ({len(best)} of {len(rows)} judges; "
            "none is significantly better)."
        )
    for column, wanted, said in (
        ("above_chance", False, "Not shown to agree better than by chance"),
        (
            "above_constant",
            False,
            f"Not shown to agree more often than a judge that always says {result.constant}",
        ),
        ("below_people", True, "Agree with people less than people with each other"),
    ):
        named = [*rows.loc[rows[column] == wanted, "judge"]]
        if named:
            who = "all judges" if len(named) == len(rows) > 1 else first_few(named, 4)
            lines.append(f"{said}: {who}.")
    outside = int(rows["n_outside"].sum())
    if outside:
        named = [*rows.loc[rows["n_outside"] > 0, "judge"]]
        what = counted(outside, "grade is", "grades are")
        lines.append(f"{what} beyond the people's scale: {first_few(named, 4)}.")
    return Sentences.of(*lines)


def _of_units(result: JudgeAgreement) -> str:
    """What judges are compared on, where they judged different units; or why they are not."""
    if result.n_compared is None:
        return (
            f"Judges are not compared: fewer than two have a {NAMES[result.by]} with an interval."
        )
    units = counted(result.n_compared, "unit")
    if result.comparison is None:
        return f"Judges are not compared: all of them judged {units} in common."
    return f"Judges are compared on the {units} that all of them judged."


def _judge_answer_table(result: JudgeAgreement, rows: pd.DataFrame) -> Table:
    """One row a judge."""
    limit = MOST_ROWS if result.orders is None else WITH_ORDERS
    ends = zip(rows[f"{result.by}_lower"], rows[f"{result.by}_upper"], strict=True)
    columns = [
        Column.label("judge", rows["judge"]),
        Column(NAMES[result.by], _numbers(rows[result.by])),
        Column(level_text(result.level), tuple(interval_text(*pair, 3) for pair in ends)),
    ]
    for name in (*NAMES, "bias"):
        if name in rows and name != result.by:
            kind = "number" if name == "bias" else "extra"
            cells = _signed(rows[name]) if name == "bias" else _numbers(rows[name])
            columns.append(Column(NAMES.get(name, name), cells, kind))
    columns.append(Column("best", tuple("yes" if best else "" for best in rows["among_best"])))
    kept, left_out = first_rows(columns, limit)
    return Table(kept, f"the first {limit} of {len(rows):,} judges" if left_out else "")


def _numbers(values: pd.Series) -> tuple[str, ...]:
    return tuple(number_text(value, 3) for value in values)


def _signed(values: pd.Series) -> tuple[str, ...]:
    style = numbers_format(values, 2)
    return tuple(written(value, style, signed=True) for value in values)


def _orders(result: JudgeAgreement, rows: pd.DataFrame) -> Table | None:
    """Correlations of the orders of systems, of the judges that are shown, by one measure."""
    if result.orders is None:
        return None
    measure = result.orders["measure"].iloc[0]
    own = result.orders[result.orders["measure"] == measure].set_index("judge")
    own = own.reindex([*rows["judge"][:WITH_ORDERS]])
    ends = zip(own["tau_b"], own["lower"], own["upper"], strict=True)
    columns = (
        Column.label("judge", own.index),
        Column("Kendall's tau_b", tuple(with_interval(*numbers, 2) for numbers in ends)),
        Column(
            "reversed",
            tuple(
                f"{int(count)} of {int(total)}"
                for count, total in zip(own["n_reversed"], own["n_significant"], strict=True)
            ),
        ),
    )
    return Table(columns, f"Order of the systems by {measure}")


def _judge_answer_legend(result: JudgeAgreement) -> Sentences:
    """What the numbers are."""
    level = level_text(result.level)
    lines = [
        f"Brackets: {level} intervals of {NAMES[result.by]} over {result.over}, one judge at a "
        "time (jackknife). Best: no judge is significantly better, all pairs together.",
        "Kappa: Cohen's; 0 is agreement by chance."
        + (" Bias: mean grade minus the people's." if "bias" in result.judges else ""),
    ]
    if result.people is not None:
        lines.append(
            f"People with each other (units that several judged): {NAMES[result.by]} "
            f"{number_text(result.people[result.by], 3)}"
        )
    if result.orders is not None:
        lines.append(
            "Kendall's tau_b: of the systems' means by the judge and by people, in brackets in the "
            f"central {level} of resampled queries. Reversed: pairs of systems that differ "
            "significantly by people, and the other way round by the judge."
        )
    return Sentences.of(*lines)


# What is printed of the alternative annotator test.


_MOST_MODELS = 10


def alternative_answer(result: AlternativeAnnotator) -> Printed:
    """What `print` shows: who passes, then one row a model, the largest advantage first."""
    models, people = result.models, result.people["subject"].nunique()
    return Printed.of(
        f"Alternative annotator test of {counted(len(models), 'model')} beside "
        f"{counted(people, 'person', 'people')} (epsilon {result.epsilon:g}, {result.metric})",
        _alternative_answer_verdict(models),
        _alternative_answer_table(result),
        _alternative_answer_legend(result),
        Sentences.of("More: .to_frame(), .to_frame(full=True), .people"),
    )


def _alternative_answer_verdict(models: pd.DataFrame) -> Sentences:
    """Who passes."""
    passed = [*models.loc[models["passes"], "model"]]
    if len(models) == 1:
        word = "passes" if passed else "does not pass"
        rate, n = float(models["winning_rate"].iloc[0]), int(models["n_people"].iloc[0])
        return Sentences.of(
            f"{models['model'].iloc[0]} {word}: it wins against {round(rate * n)} of "
            f"{counted(n, 'person', 'people')}."
        )
    if not passed:
        return Sentences.of("No model passes: none wins against half of the people.")
    does = "passes" if len(passed) == 1 else "pass"
    return Sentences.of(f"{len(passed)} of {len(models)} models {does}: {first_few(passed, 3)}.")


def _alternative_answer_table(result: AlternativeAnnotator) -> Table:
    """Models by their advantage."""
    rows = result.models.sort_values("advantage", ascending=False, kind="stable")
    ends = zip(rows["lower"], rows["upper"], strict=True)
    wins = [
        f"{round(rate * n)} of {n}"
        for rate, n in zip(rows["winning_rate"], rows["n_people"], strict=True)
    ]
    columns = (
        Column.label("model", rows["model"]),
        Column("wins", tuple(wins)),
        Column("rate", tuple(number_text(rate, 2) for rate in rows["winning_rate"]), "extra"),
        Column("passes", tuple("yes" if ok else "no" for ok in rows["passes"]), "extra"),
        Column("advantage", tuple(number_text(value, 3) for value in rows["advantage"])),
        Column(level_text(result.level), tuple(interval_text(*pair, 3) for pair in ends)),
    )
    kept, left_out = first_rows(columns, _MOST_MODELS)
    title = f"the first {_MOST_MODELS} of {len(rows):,} models" if left_out else ""
    return Table(kept, title)


def _alternative_answer_legend(result: AlternativeAnnotator) -> Sentences:
    """What the numbers are."""
    over = "queries" if result.clusters else "items, taken as independent"
    family = "the people and models together" if result.across_models else "the people of a model"
    return Sentences.of(
        "Wins: people against whom the model is closer to the other people, or as close, on a "
        f"significantly larger share of items than the person's minus {result.epsilon:g}; it "
        "passes with half of the people or more.",
        f"Tests: Student's t over {over}; Benjamini-Yekutieli over {family}, at a false discovery "
        f"rate of {result.alpha:g}: not the chance of any false win.",
        "Advantage: share of items on which the model is closer to the other people than a person, "
        "or as close, averaged over people.",
        f"Brackets: {level_text(result.level)} intervals of the advantage over {over}, one model "
        "at a time.",
    )


# Figures of model judges beside people.


AMONG_PEOPLE = "one person with another"


def agreement_means(result: JudgeAgreement) -> PlotData:
    """Agreement of each judge with people and, if known, of one person with another."""
    by, name = result.by, NAMES[result.by]
    ends = {f"{by}_lower": "lower", f"{by}_upper": "upper", by: "mean", "judge": "system"}
    rows = result.judges.rename(columns=ends)[["system", "mean", "lower", "upper"]]
    if result.people is not None:
        people = {"system": [AMONG_PEOPLE], "mean": [result.people[by]]}
        nan = [float("nan")]
        rows = pd.concat([rows, pd.DataFrame(people | {"lower": nan, "upper": nan})])
    return PlotData(
        rows.assign(measure=name),
        f"{name.capitalize()} of {counted(len(result.judges), 'model judge')} with people\n"
        f"Bars: {level_text(result.level)} intervals over {result.n_clusters:,} {result.over}, one "
        "judge at a time",
        labels={"axis": f"{name} with people"},
    )


def advantage_means(result: AlternativeAnnotator) -> PlotData:
    """Advantage of each model, and each person's own share of the same items."""
    models, people = result.models, result.people.dropna(subset="p")
    rows = models.rename(columns={"model": "system", "advantage": "mean"})
    each = people.rename(columns={"model": "system", "person_share": "mean"})
    over = "items" if result.clusters is None else "queries"
    return PlotData(
        rows[["system", "mean", "lower", "upper"]].assign(measure="advantage"),
        f"Alternative annotator test of {counted(len(models), 'model')} beside "
        f"{counted(people['subject'].nunique(), 'person', 'people')} (epsilon "
        f"{result.epsilon:g}, {result.metric})\n"
        f"Bars: {level_text(result.level)} intervals over {over}, one model at a time\n"
        "Small marks: the people, on the same items",
        each[["system", "subject", "mean"]].assign(measure="advantage"),
        {
            "axis": "share of items at least as close to the other people",
            "mean": "model, mean over people",
            "subject": "each person",
        },
    )


# Agreement of model judges with people as values of queries, so that it is compared as scores.


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
