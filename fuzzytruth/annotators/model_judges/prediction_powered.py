"""`prediction_powered`: intervals from a few human judgments and many of a model."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Floats, Ints
from fuzzytruth.annotators.model_judges.powered_scores import (
    By,
    PoweredScores,
    powered_clusters,
    powered_scores,
)
from fuzzytruth.comparison.compare import baseline_places
from fuzzytruth.core import validation
from fuzzytruth.errors import DegenerateWarning, OptionError, choice, counted, require, warn
from fuzzytruth.evaluation.scores.summary import Grouping
from fuzzytruth.show.answer import Parts, Result, Sentences, Table, printed_table
from fuzzytruth.show.number_text import digits_for, level_text, with_interval
from fuzzytruth.stats.observations import Contrasts, against, all_pairs, each_system
from fuzzytruth.stats.powered_means import PoweredMeans, equivalent_units, powered_means
from fuzzytruth.truth import Missing

MOST_ROWS = 10  # of one measure, or of all judges
MOST_OF_EACH = 3  # of each of several measures
MOST_MEASURES = 2
_SHORT = ("measure", "judge", "system", "minus", "estimate", "lower", "upper", "extra")
#: columns of the table of judges: heading and decimals
_OF_JUDGES: dict[str | tuple[str, ...], Any] = {
    "width_ratio": ("width / people's", ".2f"),
    "extra": ("extra", ".0f"),
    "rho": ("rho", ".2f"),
    "bias": ("bias", ".3f"),
}


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


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PredictionPowered(Result):
    """Means and differences estimated from few human judgments and many of a model.

    Parameters
    ----------
    conditions : PoweredConditions
    table : DataFrame
        By measure: one row for the mean of each system, then one for each difference of two; judge
        after judge where each model judge is taken alone. All intervals of a row have the same
        level. Columns:

        - measure, judge (None: their mean), system, and minus, the system that is subtracted (None:
          a mean);
        - estimate, lower, upper: prediction-powered;
        - extra: how many more human-judged queries would have given an interval as narrow, rounded
          down; negative if it is wider, NaN where the spread is unknown or none;
        - width_ratio: width of the interval to that of people alone;
        - rho: correlation of people's and the model's scores over the queries that both judged; NaN
          where one of them does not vary;
        - weight, of the model: lambda;
        - human, human_lower, human_upper: people alone, Student's t over the human-judged queries;
        - model, model_lower, model_upper: the model alone, over all queries: biased;
        - bias, bias_lower, bias_upper: model minus people, over the queries that both judged;
        - std_error, df: of the prediction-powered estimate;
        - p, p_adjusted: of a difference of 0; NaN for means;
        - n_human, n_queries: queries with values of both, and of the model.
    """

    conditions: PoweredConditions
    table: pd.DataFrame

    @property
    def rows(self) -> tuple[Any, ...]:
        """The rows of `table`, each with its columns as attributes."""
        names = self.table[["judge", "minus"]].astype(object)
        table = self.table.assign(**names.where(names.notna(), None))
        return tuple(table.itertuples(index=False))

    def __repr__(self) -> str:
        asked = self.conditions
        return (
            f"PredictionPowered({counted(len(asked.systems), 'system')}, "
            f"{counted(len(asked.measures), 'measure')}, {asked.n_human:,} of "
            f"{counted(asked.n_queries, 'query')} judged by people)"
        )

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row a mean or difference.

        Columns: measure, judge (with ``by="judge"``), system, minus (the system subtracted; None
        for a mean), estimate, lower, upper (prediction-powered), and extra: how many more
        human-judged queries would have given an interval as narrow, rounded down. With
        ``full=True`` all columns of `table`.
        """
        table = self.table if validation.option_flag("full", full) else self.table[[*_SHORT]]
        return table.copy() if self.conditions.judges else table.drop(columns="judge")

    _more = ".to_frame(), .to_frame(full=True)"

    def _title(self) -> str:
        asked = self.conditions
        by = f", {counted(len(asked.judges), 'model judge')} all" if asked.judges else ""
        return (
            f"Prediction-powered means of {counted(len(asked.systems), 'system')}: people judged "
            f"{asked.n_human:,} of {counted(asked.n_queries, 'query')}{by}"
        )

    def _parts(self) -> Parts:
        if self.conditions.judges:
            return self._by_judge()
        return [Sentences.of(*self._gains()), self._estimates(), Sentences.of(*self._legend())]

    def _gains(self) -> Iterator[str]:
        """What the model's judgments were worth, and how far they are off."""
        asked, table = self.conditions, self.table
        if asked.n_human == asked.n_queries:
            yield "People judged every query: the model has nothing to add."
            return
        is_mean = table["minus"].isna()
        yield _worth("Means", table[is_mean])
        yield _worth("Differences", table[~is_mean])
        lost = table[table["width_ratio"] >= 1]
        if len(lost):
            low, high = (f"{end:.2f}" for end in (lost["rho"].min(), lost["rho"].max()))
            why = f" (rho {low if low == high else f'from {low} to {high}'})"
            yield (
                f"No narrower than people's alone: {len(lost):,} of "
                f"{counted(len(table), 'interval')}{why if lost['rho'].notna().any() else ''}."
            )
        known = table[is_mean].dropna(subset="bias")
        if len(known):
            apart = int(((known["bias_lower"] > 0) | (known["bias_upper"] < 0)).sum())
            low, high = (f"{end:+.3f}" for end in (known["bias"].min(), known["bias"].max()))
            yield (
                f"The model alone is off by {low if low == high else f'{low} to {high}'}; the "
                f"interval of this bias excludes 0 for {apart:,} of {counted(len(known), 'mean')}."
            )

    def _by_judge(self) -> Parts:
        """What the judgments of each model judge were worth, the most first."""
        judges, table = self.conditions.judges or (), self.table
        known = table.dropna(subset="width_ratio")
        known = known.assign(bias=known["bias"].where(known["minus"].isna()))  # of means alone
        medians = known.groupby("judge", sort=False)[[*_OF_JUDGES]].median().reindex([*judges])
        medians = medians.dropna(subset="width_ratio").sort_values("width_ratio", kind="stable")
        shown = medians.reset_index().head(MOST_ROWS)
        title = f"Medians over {counted(len(table) // len(judges), 'mean')}"
        title += " and differences" if self.conditions.tests else ""
        if len(shown) < len(judges):
            title += f", {len(shown):,} of {counted(len(judges), 'judge')}"
        return [
            Sentences.of(
                f"The judgments of {int((medians['width_ratio'] < 1).sum()):,} of "
                f"{counted(len(judges), 'judge')} make intervals narrower than people's alone "
                "(median).",
                "The narrowest of several intervals covers less than its level: choose a judge on "
                "other data.",
            ),
            printed_table(shown, {"judge": "judge", **_OF_JUDGES}, title=title),
            Sentences.of(
                "Extra: human-judged queries that would have made people's interval as narrow. "
                "Bias of means: model minus people. Rho: correlation of their scores of the "
                "human-judged queries.",
                "Intervals assume that these are a simple random sample of all queries.",
            ),
        ]

    def _estimates(self) -> Table:
        """Rows of the first measures, means first."""
        measures, table = self.conditions.measures, self.table
        several = len(measures) > 1
        kept = table[table["measure"].isin(measures[:MOST_MEASURES])]
        kept = kept.groupby("measure", sort=False).head(MOST_OF_EACH if several else MOST_ROWS)
        style, exact = f".{_digits(kept)}f", partial(with_interval, digits=_digits(kept))
        title = f"{len(kept):,} of {len(table):,} rows" if len(kept) < len(table) else ""
        return printed_table(
            kept,
            {
                "measure": "measure" if several else None,
                ("system", "minus"): ("system", _name, "label"),
                ("human_lower", "human_upper"): ("people alone", style),
                ("estimate", "lower", "upper"): ("people and model", exact),
                ("model_lower", "model_upper"): ("model alone", style),
                "extra": ("extra", ".0f"),
                "rho": ("rho", ".2f", "extra"),
            },
            title=title if several else ", ".join(filter(None, (measures[0], title))),
            extras="rho: correlation of people's and the model's scores of the human-judged "
            "queries.",
        )

    def _legend(self) -> Iterator[str]:
        """What the intervals are."""
        asked = self.conditions
        over = "of the mean over these queries" if asked.finite else "over queries"
        units = f", in {counted(asked.n_clusters, 'cluster')}" if asked.n_clusters else ""
        family = ""
        if asked.tests > 1:
            joint = asked.correction == "bonferroni"
            family = f"; of differences {'simultaneous (Bonferroni)' if joint else 'unadjusted'}"
        yield (
            f"Brackets: {level_text(asked.level)} intervals {over}{units}{family}. They assume "
            "that the human-judged queries are a simple random sample of all."
        )
        yield (
            "Model alone: biased, and its interval does not say by how much. Extra: "
            "human-judged queries that would have made people's interval as narrow."
        )
        if asked.n_people > 1 and not asked.n_clusters:
            yield (
                f"{asked.n_people:,} people judged; intervals take them as given. "
                "clusters='subject' lets them vary, if each query had one."
            )


def _name(system: str, minus: str | None) -> str:
    """A system, or the difference of two."""
    return system if pd.isna(minus) else f"{system} - {minus}"


def _worth(what: str, rows: pd.DataFrame) -> str:
    """How many human-judged queries the model's judgments replace; "" where nothing is known."""
    known = rows.dropna(subset="width_ratio")
    if not len(known):
        return ""
    ratio, extra = known["width_ratio"].median(), math.floor(known["extra"].median())
    gain = "are worth less than one more human-judged query"
    if extra > 0:
        queries = counted(extra, "more human-judged query", "more human-judged queries")
        gain = f"are worth about {queries}"
    of = f" (median of {len(known):,})" if len(known) > 1 else ""
    return (
        f"{what}: the model's judgments {'add nothing' if ratio >= 1 else gain}{of}; intervals are "
        f"{ratio:.2f} times as wide as people's alone."
    )


def _digits(rows: pd.DataFrame) -> int:
    """Decimals that show half-widths in two digits: from 2 to 6, fewer of large numbers."""
    half = (rows["upper"] - rows["lower"]) / 2
    half = half[(half > 0) & (half < np.inf)]
    wanted = 1 - math.floor(math.log10(half.median())) if len(half) else 3
    return digits_for([*rows["lower"], *rows["upper"]], min(max(wanted, 2), 6))


# The rows, from the scores by people and models.


def _rows(
    scores: PoweredScores, asked: PoweredConditions, pairs: Contrasts | None, cluster: Ints | None
) -> pd.DataFrame:
    """Of each measure the means, then the differences; judge after judge."""
    n_judges, n_queries = scores.model.shape[2:]
    parts, places = [], []
    flat = unknown = exact = 0
    for measure, name in enumerate(scores.measures):
        for contrasts in (each_system(len(asked.systems)), pairs):
            for part in () if contrasts is None else contrasts.batches(n_judges * n_queries):
                means = _estimated(scores, asked, measure, part, cluster)
                parts.append({"measure": np.full(len(means.n), name, dtype=object)})
                parts[-1] |= _columns(scores, asked, part, means)
                places.append(measure * n_judges + np.repeat(np.arange(n_judges), len(part)))
                flat += int((means.alone & (means.n < means.n_all) & ~means.powered.known).sum())
                exact += int(means.exact.sum())
                unknown += int(np.isnan(means.powered.std_error).sum())
    _warn_of_degenerate(flat, unknown, exact)
    order = np.argsort(np.concatenate(places), kind="stable")
    return pd.DataFrame({n: np.concatenate([x[n] for x in parts])[order] for n in parts[0]})


def _estimated(
    scores: PoweredScores,
    asked: PoweredConditions,
    measure: int,
    contrasts: Contrasts,
    cluster: Ints | None,
) -> PoweredMeans:
    """Of each judge and contrast, judge after judge: (judges × contrasts,)."""
    human, model = scores.human[:, measure], scores.model[:, measure]
    sizes = [_largest(human), _largest(model)]  # (systems,)
    y = contrasts.of(human, scale=sizes[0])  # (contrasts, queries)
    f = contrasts.of(model, scale=sizes[1])  # (contrasts, judges, queries)
    # a query that people judged, but by which they have no value, is none of these queries
    f = np.where((scores.judged & np.isnan(y))[:, None], np.nan, f)
    n_judges = f.shape[1]
    scale = [np.tile(contrasts.largest(size), n_judges) for size in sizes]
    return powered_means(
        np.tile(y, (n_judges, 1)),
        f.swapaxes(0, 1).reshape(-1, f.shape[-1]),
        cluster=cluster,
        tuning=asked.tuning,
        finite=asked.finite,
        scale=(scale[0], scale[1]),
    )


def _largest(values: Floats) -> Floats:
    """Largest |value| of each system: (systems, ...) → (systems,)."""
    flat = np.abs(values).reshape(len(values), -1)
    return np.asarray(np.fmax.reduce(flat, axis=1, initial=0.0))


def _columns(
    scores: PoweredScores, asked: PoweredConditions, contrasts: Contrasts, means: PoweredMeans
) -> dict[str, Any]:
    """Columns of `PredictionPowered.table` but for the measure: (rows,) each."""
    tests = asked.tests if contrasts.are_pairs and asked.correction == "bonferroni" else 1
    level = 1 - (1 - asked.level) / tests
    judges, systems = (
        np.array(names, dtype=object) for names in (scores.judges or (None,), asked.systems)
    )
    minus = np.full(len(contrasts), None)
    if contrasts.second is not None:
        minus = systems[contrasts.second]
    ends: dict[str, Floats] = {}
    for name, one in (("human", means.measured), ("model", means.predicted), ("bias", means.bias)):
        ends[name] = one.value
        ends[f"{name}_lower"], ends[f"{name}_upper"] = one.interval(level)
    lower, upper = means.powered.interval(level)
    half = means.powered.law.half(level, "two-sided")
    alone = means.measured.law.half(level, "two-sided")
    known = np.isfinite(half) & np.isfinite(alone) & (alone > 0)
    ratio = np.full(len(half), np.nan)
    np.divide(half, alone, out=ratio, where=known)
    # clusters count as queries: as many as they have on average
    size = means.n / np.maximum(means.measured.units, 1)
    units = equivalent_units(
        np.where(known, half, np.nan),
        means.measured,
        level,
        n_all=means.n_all / np.maximum(size, 1),
        finite=asked.finite,
    )
    extra = np.where(means.alone, 0.0, np.floor(units * size - means.n + 1e-6))
    p = np.full(len(half), np.nan)
    if contrasts.are_pairs:
        p = means.powered.law.p_value(means.powered.value, "two-sided")
        # of a difference that is known without error, all queries being measured
        p = np.where(means.powered.known & (means.powered.value != 0), 0.0, p)
    return {
        "judge": np.repeat(judges, len(contrasts)),
        "system": np.tile(systems[contrasts.first], len(judges)),
        "minus": np.tile(minus, len(judges)),
        "estimate": means.powered.value,
        "lower": lower,
        "upper": upper,
        "extra": np.where(known, extra, np.nan),
        "width_ratio": ratio,
        "rho": means.correlation,
        "weight": means.tuning,
        **ends,
        "std_error": means.powered.std_error,
        "df": means.powered.df,
        "p": p,
        "p_adjusted": np.minimum(tests * p, 1.0),
        "n_human": means.n,
        "n_queries": means.n_all,
    }


def _warn_of_degenerate(flat: int, unknown: int, exact: int) -> None:
    """Warn of rows whose intervals are not what they seem."""
    of_rows = ("mean or difference has", "means and differences have")
    for count, verbs, problem in (
        (
            flat,
            of_rows,
            "people's interval: by the model's judgments, the human-judged queries are all alike",
        ),
        (
            exact,
            ("interval takes", "intervals take"),
            "the model for exact, since it has people's scores, or a line through them, in all "
            "human-judged queries; of scores of few values, such as Success@1, that is likely by "
            "chance, and the interval then is too narrow",
        ),
        (unknown, of_rows, "an unknown spread: too few queries have a value by people's judgments"),
    ):
        if count:
            warn(f"{counted(count, *verbs)} {problem}", DegenerateWarning)


def prediction_powered(
    human: Any,
    model: Any,
    runs: Any = None,
    measures: Any = None,
    *,
    baseline: Iterable[str] | str | None = None,
    differences: bool = True,
    by: By = None,
    clusters: Grouping = None,
    correction: str = "bonferroni",
    finite: bool = False,
    level: float = 0.95,
    power_tuning: bool | float = True,
    unit: str = "query",
    rel: float | None = None,
    missing: Missing = "error",
) -> PredictionPowered:
    """Means and differences when people judged some queries, and a model judged all of them.

    Estimand: the mean over queries of what people's judgments give, of each system and of
    differences of two, in the population that the N queries are a sample of. The estimate is
    people's mean over the n queries that they judged, plus lambda times how much the model's mean
    over all N queries differs from its mean over those n. It is unbiased for any lambda and
    however wrong the model is, provided that **the n queries are a simple random sample of the N**:
    every set of n queries had the same chance of being judged by people. Other designs (hard
    queries first, fixed numbers by topic) are not supported: take the strata one by one.

    lambda is chosen for each mean and difference so that the variance is smallest (power tuning):
    the least-squares slope of people's scores on the model's. Residuals have n - 2 degrees of
    freedom, and so has t; n - 1 if lambda is given. If people judged every query, it is their t
    interval.

    Parameters
    ----------
    human : Judgments or Scores
        People's judgments of some queries, each judged whole: the unit is a query, since items of a
        query vary together and most measures are no means over items. The score of a query with
        several subjects is the mean of theirs, as in `Scores.mean`. Also a frame, a dict or a path.
    model : Judgments or Scores
        The same of one or more model judges, of all queries.
    runs, measures
        See `evaluate`; measures may also choose among those of scores.
    baseline : str or sequence of str, optional
        Differences of every other system minus these; by default of all pairs.
    differences : bool
        Whether to give differences, and not means alone.
    by : {"judge"}, optional
        Take each model judge alone, and not the mean of their scores.
    clusters : "subject", mapping of query to cluster, or name of an attribute of queries, optional
        "subject": queries that one person judged vary together; every query must have one. Queries
        without a cluster are clusters of their own. Five or more clusters of human-judged queries;
        degrees of freedom are those of clusters.
    correction : {"bonferroni", "none"}
        Of the differences, for each measure (and judge): simultaneous intervals, or unadjusted.
        Intervals of means are unadjusted.
    finite : bool
        Estimate the means over these N queries, which are then not taken as a sample.
    level : float
        Confidence level.
    power_tuning : bool or float
        True: lambda is tuned. False: it is 1 (the estimate of 2023). A number: that lambda.
    unit : {"query"}
        There is no other.
    rel : number, optional
        The lowest grade that is relevant, of both; see `evaluate`.
    missing : {"error", "nonrelevant", "exclude", "pooled"}
        How items count that a subject left out; see `evaluate`.

    Returns
    -------
    PredictionPowered
        Beside each estimate: people alone (Student's t), the model alone with its bias, their
        correlation, and how many more human-judged queries the model's judgments were worth.

    Raises
    ------
    DataError
        People judged queries that the model did not, or fewer than three; the systems of scores
        differ; there are fewer than five clusters.
    OptionError
        An option or name is unknown, or options do not go together.

    Warns
    -----
    UnjudgedItemWarning
        People left out items of their queries that the model judged.
    MissingCellWarning
        Values are missing in one of the two: these queries are left out of that row.
    DegenerateWarning
        By the model, all human-judged queries are alike: the row has people's interval. Or people's
        scores lie on a line in the model's: the interval takes the model for exact, and is too
        narrow where scores have few values. Or fewer than three queries have a value: the spread is
        unknown and the interval infinite.
    ClusterWarning
        Queries are in no cluster, or clusters are few and of different sizes.

    References
    ----------
    Angelopoulos, Bates, Fannjiang, Jordan & Zrnic 2023, Prediction-powered inference, Science 382;
    Angelopoulos, Duchi & Zrnic 2024, PPI++: efficient prediction-powered inference; Cochran 1977,
    Sampling Techniques, §12 (double sampling).

    Examples
    --------
    >>> import numpy as np, pandas as pd, fuzzytruth as ft
    >>> rng = np.random.default_rng(0)
    >>> by_model = pd.DataFrame({
    ...     "system": "bm25", "query": np.arange(60), "value": rng.random(60), "measure": "AP"})
    >>> by_people = by_model[:20].assign(value=lambda t: t["value"] + rng.normal(0.1, 0.05, 20))
    >>> result = ft.prediction_powered(
    ...     ft.Scores.from_frame(by_people), ft.Scores.from_frame(by_model))
    >>> row = result.to_frame(full=True).iloc[0]
    >>> row[["human_lower", "human_upper"]].astype(float).round(2).tolist()
    [0.47, 0.78]
    >>> row[["lower", "upper", "extra"]].astype(float).round(2).tolist()
    [0.53, 0.7, 40.0]
    """
    choice("by", by, (None, "judge"))
    choice("correction", correction, ("bonferroni", "none"))
    validation.option_flag("finite", finite)
    validation.option_flag("differences", differences)
    rule = (
        "must be 'query': items of a query vary together, and most measures are not their mean; "
        "have people judge some queries whole"
    )
    require("unit", unit, isinstance(unit, str) and unit == "query", rule)
    tuning = _tuning(power_tuning)
    scores = powered_scores(human, model, runs, measures, by=by, rel=rel, missing=missing)
    cluster = powered_clusters(scores, clusters)
    if finite and cluster is not None:
        raise OptionError("clusters: with finite=True nothing is sampled but queries; give one")
    systems = scores.people.systems
    bases, pairs = baseline_places(scores.people, baseline) if differences else [], None
    if differences and len(systems) > 1:
        pairs = against(bases, len(systems)) if bases else all_pairs(len(systems))
    judged = scores.judged
    conditions = PoweredConditions(
        systems=systems,
        measures=scores.measures,
        n_human=int(judged.sum()),
        n_queries=len(judged),
        n_people=len(scores.people.subjects or ()),
        n_models=len(scores.models.subjects or ()),
        judges=scores.judges,
        level=validation.between_zero_and_one("level", level),
        correction=correction,
        tests=0 if pairs is None else len(pairs),
        tuning=tuning,
        finite=finite,
        n_clusters=0 if cluster is None else len(np.unique(cluster[judged])),
    )
    return PredictionPowered(conditions, _rows(scores, conditions, pairs, cluster))


def _tuning(given: Any) -> float | None:
    """The weight of the model; None: tuned."""
    if isinstance(given, bool):
        return None if given else 1.0
    weight = validation.option_number("power_tuning", given)
    rule = "must be between -1e100 and 1e100"
    require("power_tuning", given, abs(weight) <= 1e100, rule)
    return weight
