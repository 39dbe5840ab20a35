"""`PredictionPowered`: the result of `prediction_powered`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any, Literal

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.comparison.compare import measure_places
from fuzzytruth.core.checksums import pair_keys
from fuzzytruth.core.validation import option_flag
from fuzzytruth.data.judgments import Judgments
from fuzzytruth.data.ranking import Ranking, present_queries
from fuzzytruth.data.reading import as_judgments, as_runs
from fuzzytruth.data.runs import Runs
from fuzzytruth.errors import (
    DataError,
    MissingCellWarning,
    OptionError,
    UnjudgedItemWarning,
    counted,
    first_few,
    shown,
    warn,
)
from fuzzytruth.evaluation.evaluate import evaluate
from fuzzytruth.evaluation.scores.axes import are_nested
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.io.ids import hash_ids
from fuzzytruth.show.answer import Column, Printed, Result, Sentences, Table
from fuzzytruth.show.number_text import (
    digits_for,
    interval_text,
    level_text,
    with_interval,
    written,
)
from fuzzytruth.truth import Missing

By = Literal["judge"] | None
LEAST = 3  # human-judged queries: the line through two leaves no residual


@dataclass(frozen=True, slots=True, eq=False)
class PoweredScores:
    """Values of the same systems by two truths.

    Parameters
    ----------
    people, models : Scores
        As evaluated.
    measures : tuple of str
    human : (systems, measures, queries) float
        Means over the people who judged a query; NaN where nobody did. Queries are the models'.
    model : (systems, measures, judges, queries) float
        One judge where models are averaged.
    judges : tuple of str or None
        None where models are averaged.
    """

    people: Scores
    models: Scores
    measures: tuple[str, ...]
    human: Floats
    model: Floats
    judges: tuple[str, ...] | None

    @property
    def judged(self) -> Bools:
        """Which queries people judged: (queries,)."""
        return np.isin(self.models.queries, self.people.queries)


def powered_scores(
    human: Any,
    model: Any,
    runs: Any,
    measures: Any,
    *,
    by: By,
    rel: float | None,
    missing: Missing,
) -> PoweredScores:
    """Evaluate both truths, or take their scores.

    Raises
    ------
    OptionError
        Scores and judgments are mixed; options are for the other; names are unknown.
    DataError
        People judged queries that no model judged, or too few; the systems are not the same.

    Warns
    -----
    UnjudgedItemWarning
        People left out items of their queries that the models judged.
    MissingCellWarning
        Values are missing in one of the truths.
    """
    given = isinstance(human, Scores), isinstance(model, Scores)
    if any(given):
        if not all(given):
            raise OptionError("human, model: give judgments of both, or Scores of both")
        if runs is not None or rel is not None:
            raise OptionError(
                f"{'rel' if runs is None else 'runs'}: is for judgments; these are scores already"
            )
        people, models = human, model
        _check_queries(people.queries, models.queries)
    else:
        people, models = _evaluated(human, model, runs, measures, rel, missing)
        measures = None
    out = _side_by_side(people, models, measures, by)
    _warn_of_missing(out)
    return out


def _evaluated(
    human: Any, model: Any, runs: Any, measures: Any, rel: float | None, missing: Missing
) -> tuple[Scores, Scores]:
    """Scores by people's judgments, and by models'."""
    if runs is None or measures is None:
        name = "runs" if runs is None else "measures"
        raise OptionError(f"{name}=None: judgments need runs and measures; or give Scores of both")
    people, models = _judgments("human", human), _judgments("model", model)
    lists = as_runs(runs)
    _check_queries(people.queries, models.queries)
    _warn_of_unjudged(people, models)
    asked = _of_queries(lists, people.queries)
    each = (
        evaluate(
            truth,
            some,
            measures,
            rel=rel,
            worlds=None if truth.subject is None else "subject",
            missing=missing if truth.subject is not None else "error",
        )
        for truth, some in ((people, asked), (models, lists))
    )
    first, second = each
    return first, second


def _judgments(name: str, given: Any) -> Judgments:
    try:
        return as_judgments(given)
    except OptionError as error:
        rule = "give Judgments, a frame, {query: {item: grade}} or a path; or Scores of both"
        raise OptionError(f"{name}={shown(given)}: {rule}") from error


def _check_queries(judged: tuple[str, ...], known: tuple[str, ...]) -> None:
    """Raise unless people judged at least three queries, all of them the models'."""
    lost = [*dict.fromkeys(judged).keys() - {*known}]
    if lost:
        lost = [query for query in judged if query in {*lost}]
        raise DataError(
            f"human: {counted(len(lost), 'query has', 'queries have')} no judgments in model: "
            f"{first_few(lost, show=shown)}; the model has to judge all queries"
        )
    if len(judged) < LEAST:
        raise DataError(
            f"human: {counted(len(judged), 'judged query', 'judged queries')}; what the model adds "
            f"can be told from {LEAST} on, better from 10"
        )


def _warn_of_unjudged(people: Judgments, models: Judgments) -> None:
    """Warn of items of people's queries that models judged and no person did."""
    keys = [pair_keys(hash_ids(j.item), hash_ids(j.query).view(np.int64)) for j in (people, models)]
    queries = hash_ids(people.query)
    theirs = np.isin(hash_ids(models.query), queries)
    lost = np.unique(keys[1][theirs & ~np.isin(keys[1], keys[0])])
    if len(lost):
        warn(
            f"human: {counted(len(lost), 'item')} of these queries were judged by the model and by "
            "no person, and are not relevant in people's scores; a query should be judged whole",
            UnjudgedItemWarning,
        )


def _of_queries(runs: Runs, queries: Iterable[str]) -> Runs:
    """The lists of these queries alone; as they are where a system has none of them."""
    wanted = {*queries}
    return Runs({name: _some_of(ranking, wanted) for name, ranking in runs.items()})


def _some_of(ranking: Ranking, wanted: set[str]) -> Ranking:
    kept = np.array([query in wanted for query in ranking.queries], dtype=bool)
    if kept.all() or not kept.any():
        return ranking
    some = ranking.take(np.flatnonzero(kept[ranking.query]))
    codes, queries = present_queries(some.query, some.queries)
    return Ranking(queries, codes, some.item, some.score, some.item_hash)


def _side_by_side(people: Scores, models: Scores, measures: Any, by: By) -> PoweredScores:
    if {*people.systems} != {*models.systems}:
        odd = sorted({*people.systems} ^ {*models.systems})
        raise DataError(
            f"human, model: {first_few(odd, show=shown)} "
            f"{'is' if len(odd) == 1 else 'are'} in the scores of one of the two only"
        )
    places = measure_places(people, measures)
    names = tuple(people.measures[place] for place in places)
    theirs = [models.measure_place(name) for name in names]
    order = [models.systems.index(system) for system in people.systems]
    values = models.values[np.ix_(order, theirs)]
    each = _by_judge(models, values) if by else models.cells.mean_by_query(values)[:, :, None]
    human = np.full((len(order), len(places), len(models.queries)), np.nan)
    query: Ints = np.array([models.queries.index(name) for name in people.queries])
    human[:, :, query] = people.cells.mean_by_query(people.values[:, list(places)])
    return PoweredScores(
        people,
        models,
        names,
        human,
        each,
        models.subjects if by else None,
    )


def _by_judge(models: Scores, values: Floats) -> Floats:
    """Values of each judge: (systems, measures, cells) → (systems, measures, judges, queries)."""
    if models.subjects is None:
        raise OptionError("by='judge': the model's judgments name no judges; add a column subject")
    if are_nested(models):
        raise OptionError(
            "by='judge': the judges are nested in queries, a name being another judge in another "
            "query"
        )
    return models.cells.dense(values).swapaxes(-1, -2)


def _warn_of_missing(scores: PoweredScores) -> None:
    """Warn of values that one of the truths lacks."""
    known = ~np.isnan(scores.model)
    asked = scores.judged & ~np.isnan(scores.human)[:, :, None]
    lost = int((asked & ~known).sum())
    unknown = int((np.isnan(scores.human) & scores.judged).sum())
    if lost:
        what = counted(lost, "human value is", "human values are")
        warn(f"{what} left out because the model has none there", MissingCellWarning)
    if unknown:
        what = counted(unknown, "value is", "values are")
        warn(
            f"{what} left out because the measure is undefined by people's judgments of the query",
            MissingCellWarning,
        )


# What `prediction_powered` was asked, and one mean or difference.


@dataclass(frozen=True, slots=True, kw_only=True)
class PoweredConditions:
    """What was asked, and of which data.

    Parameters
    ----------
    systems, measures : tuple of str
    n_human, n_queries : int
        Queries that people judged, and all.
    n_people, n_models : int
        Who judged; 0 where they are not named.
    judges : tuple of str or None
        Model judges, where each is taken alone; None: their mean.
    level : float
        Confidence level.
    correction : {"bonferroni", "none"}
        Of the differences, of each measure (and judge).
    tests : int
        Differences of each measure.
    tuning : float or None
        The weight given to the model; None: tuned.
    finite : bool
        Whether the means are over these queries, which are no sample then.
    n_clusters : int
        Clusters of the human-judged queries; 0: none.
    """

    systems: tuple[str, ...]
    measures: tuple[str, ...]
    n_human: int
    n_queries: int
    n_people: int
    n_models: int
    judges: tuple[str, ...] | None
    level: float
    correction: str
    tests: int
    tuning: float | None
    finite: bool
    n_clusters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PoweredMean:
    """A mean of one system, or a difference of two, by one measure.

    All intervals of a row have the same level.

    Parameters
    ----------
    measure : str
    judge : str or None
        The model judge, where each is taken alone.
    system : str
    minus : str or None
        The system that is subtracted; None: a mean.
    estimate, lower, upper : float
        Prediction-powered.
    extra : float
        How many more human-judged queries would have given an interval as narrow, rounded down;
        negative if it is wider, NaN where the spread is unknown or none.
    width_ratio : float
        Width of the interval to that of people alone.
    rho : float
        Correlation of people's and the model's scores over the queries that both judged; NaN where
        one of them does not vary.
    weight : float
        Of the model: lambda.
    human, human_lower, human_upper : float
        People alone: Student's t over the human-judged queries.
    model, model_lower, model_upper : float
        The model alone, over all queries: biased.
    bias, bias_lower, bias_upper : float
        Model minus people, over the queries that both judged.
    std_error, df : float
        Of the prediction-powered estimate.
    p, p_adjusted : float
        Of a difference of 0; NaN for means.
    n_human, n_queries : int
        Queries with values of both, and of the model.
    """

    measure: str
    judge: str | None
    system: str
    minus: str | None
    estimate: float
    lower: float
    upper: float
    extra: float
    width_ratio: float
    rho: float
    weight: float
    human: float
    human_lower: float
    human_upper: float
    model: float
    model_lower: float
    model_upper: float
    bias: float
    bias_lower: float
    bias_upper: float
    std_error: float
    df: float
    p: float
    p_adjusted: float
    n_human: int
    n_queries: int


# What is printed of prediction-powered intervals.


MOST_ROWS = 10  # of one measure, or of all judges
MOST_OF_EACH = 3  # of each of several measures
MOST_MEASURES = 2
_MORE = Sentences.of("More: .to_frame(), .to_frame(full=True)")


def answer(asked: PoweredConditions, rows: Sequence[PoweredMean]) -> Printed:
    """What the model adds, then people alone, with the model, and the model alone."""
    judges = len(asked.judges or ())
    by = f", {counted(judges, 'model judge')} all" if judges else ""
    title = (
        f"Prediction-powered means of {counted(len(asked.systems), 'system')}: people judged "
        f"{asked.n_human:,} of {counted(asked.n_queries, 'query')}{by}"
    )
    if asked.judges:
        return Printed.of(title, *_judges(asked, rows), Sentences.of(*_legend_of_judges()), _MORE)
    return Printed.of(
        title,
        Sentences.of(*_gains(asked, rows)),
        _table(asked, rows),
        Sentences.of(*_legend(asked)),
        _MORE,
    )


def _gains(asked: PoweredConditions, rows: Sequence[PoweredMean]) -> list[str]:
    """What the model's judgments were worth."""
    if asked.n_human == asked.n_queries:
        return ["People judged every query: the model has nothing to add."]
    means = [row for row in rows if row.minus is None]
    pairs = [row for row in rows if row.minus is not None]
    worth = [_worth("Means", means), _worth("Differences", pairs)]
    return [*filter(None, worth), *_without_gain(rows), *_biased(means)]


def _worth(what: str, rows: Sequence[PoweredMean]) -> str:
    """How many human-judged queries the model's judgments replace; "" where nothing is known."""
    known = [row for row in rows if not math.isnan(row.width_ratio)]
    if not known:
        return ""
    ratio, extra = (median(getattr(row, key) for row in known) for key in ("width_ratio", "extra"))
    of = f" (median of {len(known):,})" if len(known) > 1 else ""
    gain = "add nothing" if ratio >= 1 else f"are worth {_queries(extra)}"
    return (
        f"{what}: the model's judgments {gain}{of}; intervals are {ratio:.2f} times as wide as "
        "people's alone."
    )


def _queries(extra: float) -> str:
    """Such as "about 14 more human-judged queries"."""
    number = max(math.floor(extra), 0)
    if number == 0:
        return "less than one more human-judged query"
    return f"about {counted(number, 'more human-judged query', 'more human-judged queries')}"


def _without_gain(rows: Sequence[PoweredMean]) -> list[str]:
    """How many intervals are no narrower than people's alone, and why."""
    lost = [row for row in rows if row.width_ratio >= 1]
    if not lost:
        return []
    rho = [row.rho for row in lost if not math.isnan(row.rho)]
    low, high = (f"{end(rho):.2f}" for end in (min, max)) if rho else ("", "")
    why = f" (rho {low if low == high else f'from {low} to {high}'})" if rho else ""
    of = f"{len(lost):,} of {counted(len(rows), 'interval')}"
    return [f"No narrower than people's alone: {of}{why}."]


def _biased(means: Sequence[PoweredMean]) -> list[str]:
    """How far the model alone is off."""
    known = [row for row in means if not math.isnan(row.bias)]
    if not known:
        return []
    shown = sum(row.bias_lower > 0 or row.bias_upper < 0 for row in known)
    low, high = (f"{end(row.bias for row in known):+.3f}" for end in (min, max))
    off = f"by {low}" if low == high else f"by {low} to {high}"
    return [
        f"The model alone is off {off}; the interval of this bias excludes 0 for {shown:,} of "
        f"{counted(len(known), 'mean')}."
    ]


def _name(row: PoweredMean) -> str:
    return row.system if row.minus is None else f"{row.system} - {row.minus}"


def _judges(asked: PoweredConditions, rows: Sequence[PoweredMean]) -> tuple[Sentences, Table]:
    """What the judgments of each model judge were worth, the most first."""
    each = {
        judge: [row for row in rows if row.judge == judge and not math.isnan(row.width_ratio)]
        for judge in asked.judges or ()
    }
    known = {judge: some for judge, some in each.items() if some}
    order = sorted(known, key=lambda judge: _median(known[judge], "width_ratio"))
    lost = sum(_median(some, "width_ratio") >= 1 for some in known.values())
    kept = order[:MOST_ROWS]
    columns = [Column.label("judge", kept)]
    for heading, name, style in _OF_JUDGES:
        numbers = (_median(known[judge], name) for judge in kept)
        columns.append(Column(heading, tuple(written(value, style) for value in numbers)))
    title = f"Medians over {counted(len(rows) // max(len(each), 1), 'mean')}"
    title += " and differences" if asked.tests else ""
    if len(kept) < len(each):
        title += f", {len(kept):,} of {counted(len(each), 'judge')}"
    said = Sentences.of(
        f"The judgments of {len(known) - lost:,} of {counted(len(each), 'judge')} make intervals "
        "narrower than people's alone (median).",
        "The narrowest of several intervals covers less than its level: choose a judge on other "
        "data.",
    )
    return said, Table(tuple(columns), title)


_OF_JUDGES = (
    ("width / people's", "width_ratio", ".2f"),
    ("extra", "extra", ".0f"),
    ("rho", "rho", ".2f"),
    ("bias", "bias", ".3f"),
)


def _median(rows: Sequence[PoweredMean], name: str) -> float:
    of = [row for row in rows if name != "bias" or row.minus is None]  # of means alone
    values = [value for row in of if not math.isnan(value := getattr(row, name))]
    return median(values) if values else math.nan


def _table(asked: PoweredConditions, rows: Sequence[PoweredMean]) -> Table:
    """Rows of the first measures, means first."""
    shown = asked.measures[:MOST_MEASURES]
    limit = MOST_ROWS if len(shown) == 1 else MOST_OF_EACH
    kept = [row for measure in shown for row in _first(rows, measure, limit)]
    digits = _digits(kept)
    labels = [Column.label("system", [_name(row) for row in kept])]
    if len(asked.measures) > 1:
        labels.insert(0, Column.label("measure", [row.measure for row in kept]))
    estimates = (with_interval(row.estimate, row.lower, row.upper, digits) for row in kept)
    columns = (
        *labels,
        _ends("people alone", [(row.human_lower, row.human_upper) for row in kept], digits),
        Column("people and model", tuple(estimates)),
        _ends("model alone", [(row.model_lower, row.model_upper) for row in kept], digits),
        Column("extra", tuple(_count(row.extra) for row in kept)),
        Column("rho", tuple(_short(row.rho) for row in kept), "extra"),
    )
    left_out = len(rows) - len(kept)
    title = f"{len(kept):,} of {len(rows):,} rows" if left_out else ""
    if len(asked.measures) == 1:
        title = f"{asked.measures[0]}{title and ', '}{title}"
    return Table(columns, title, _EXTRAS)


def _first(rows: Sequence[PoweredMean], measure: str, limit: int) -> list[PoweredMean]:
    """The first rows of a measure, means before differences."""
    of_measure = (row for row in rows if row.measure == measure)
    return sorted(of_measure, key=lambda row: row.minus is not None)[:limit]


def _digits(rows: Sequence[PoweredMean]) -> int:
    """Decimals that show half-widths in two digits: from 2 to 6, fewer of large numbers."""
    half = [(row.upper - row.lower) / 2 for row in rows if 0 < row.upper - row.lower < math.inf]
    wanted = 1 - math.floor(math.log10(median(half))) if half else 3
    ends = (end for row in rows for end in (row.lower, row.upper))
    return digits_for(ends, min(max(wanted, 2), 6))


_EXTRAS = "rho: correlation of people's and the model's scores of the human-judged queries."


def _ends(heading: str, ends: Sequence[tuple[float, float]], digits: int) -> Column:
    return Column(heading, tuple(interval_text(*pair, digits) for pair in ends))


def _count(extra: float) -> str:
    return "–" if math.isnan(extra) else f"{extra + 0.0:.0f}"


def _short(rho: float) -> str:
    return "–" if math.isnan(rho) else f"{rho:.2f}"


def _legend(asked: PoweredConditions) -> list[str]:
    """What the intervals are."""
    level = level_text(asked.level)
    over = "of the mean over these queries" if asked.finite else "over queries"
    units = f", in {counted(asked.n_clusters, 'cluster')}" if asked.n_clusters else ""
    family = ""
    if asked.tests > 1:
        joint = asked.correction == "bonferroni"
        family = f"; of differences {'simultaneous (Bonferroni)' if joint else 'unadjusted'}"
    out = [
        f"Brackets: {level} intervals {over}{units}{family}. They assume that the human-judged "
        "queries are a simple random sample of all.",
        "Model alone: biased, and its interval does not say by how much. Extra: "
        "human-judged queries that would have made people's interval as narrow.",
    ]
    if asked.n_people > 1 and not asked.n_clusters:
        out.append(
            f"{asked.n_people:,} people judged; intervals take them as given. clusters='subject' "
            "lets them vary, if each query had one."
        )
    return out


def _legend_of_judges() -> list[str]:
    return [
        "Extra: human-judged queries that would have made people's interval as narrow. Bias of "
        "means: model minus people. Rho: correlation of their scores of the human-judged queries.",
        "Intervals assume that these are a simple random sample of all queries.",
    ]


#: columns of the narrow table
_COLUMNS = ("measure", "system", "minus", "estimate", "lower", "upper", "extra")


@dataclass(frozen=True, slots=True, repr=False)
class PredictionPowered(Result):
    """Means and differences estimated from few human judgments and many of a model.

    Parameters
    ----------
    conditions : PoweredConditions
    rows : tuple of PoweredMean
        By measure: the mean of each system, then differences of two; judge after judge where each
        model judge is taken alone.
    """

    conditions: PoweredConditions
    rows: tuple[PoweredMean, ...]

    def __repr__(self) -> str:
        asked = self.conditions
        return (
            f"PredictionPowered({counted(len(asked.systems), 'system')}, "
            f"{counted(len(asked.measures), 'measure')}, {asked.n_human:,} of "
            f"{counted(asked.n_queries, 'query')} judged by people)"
        )

    def _answer(self) -> Printed:
        return answer(self.conditions, self.rows)

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row a mean or difference.

        Columns: measure, judge (with ``by="judge"``), system, minus (the system subtracted; None
        for a mean), estimate, lower, upper (prediction-powered), and extra: how many more
        human-judged queries would have given an interval as narrow, rounded down. With
        ``full=True`` all fields of `PoweredMean`.
        """
        table = pd.DataFrame([asdict(row) for row in self.rows])
        by = self.conditions.judges is not None
        if not by:
            table = table.drop(columns="judge")
        if option_flag("full", full):
            return table
        return table[[*_COLUMNS[:1], *(("judge",) if by else ()), *_COLUMNS[1:]]]
