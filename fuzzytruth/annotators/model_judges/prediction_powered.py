"""`prediction_powered`: intervals from a few human judgments and many of a model."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from fuzzytruth.annotators.model_judges.powered_clusters import powered_clusters
from fuzzytruth.annotators.model_judges.powered_estimates import powered_rows
from fuzzytruth.annotators.model_judges.powered_result import PredictionPowered
from fuzzytruth.annotators.model_judges.powered_rows import PoweredConditions
from fuzzytruth.annotators.model_judges.powered_scores import By, powered_scores
from fuzzytruth.core.validation import between_zero_and_one, option_number, place_of
from fuzzytruth.errors import OptionError, choice, require, shown
from fuzzytruth.evaluation.query_groups import Grouping
from fuzzytruth.stats.contrasts import Contrasts, against, all_pairs
from fuzzytruth.truth import Missing


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
    asked = _checked(by, correction, finite, unit, differences)
    tuning = _tuning(power_tuning)
    scores = powered_scores(human, model, runs, measures, by=by, rel=rel, missing=missing)
    cluster = powered_clusters(scores, clusters)
    if finite and cluster is not None:
        raise OptionError("clusters: with finite=True nothing is sampled but queries; give one")
    systems = scores.people.systems
    pairs = _pairs(systems, baseline) if differences else None
    judged = scores.judged
    conditions = PoweredConditions(
        systems=systems,
        measures=scores.measures,
        n_human=int(judged.sum()),
        n_queries=len(judged),
        n_people=len(scores.people.subjects or ()),
        n_models=len(scores.models.subjects or ()),
        judges=scores.judges,
        level=between_zero_and_one("level", level),
        correction=asked,
        tests=0 if pairs is None else len(pairs),
        tuning=tuning,
        finite=finite,
        n_clusters=0 if cluster is None else len(np.unique(cluster[judged])),
    )
    return PredictionPowered(conditions, tuple(powered_rows(scores, conditions, pairs, cluster)))


def _checked(by: object, correction: object, finite: object, unit: object, pairs: object) -> str:
    """The correction; raise `OptionError` where an option has a value that it does not take."""
    choice("by", by, (None, "judge"))
    choice("correction", correction, ("bonferroni", "none"))
    for name, value in (("finite", finite), ("differences", pairs)):
        require(name, value, isinstance(value, bool), "must be True or False")
    require(
        "unit",
        unit,
        isinstance(unit, str) and unit == "query",
        "must be 'query': items of a query vary together, and most measures are not their mean; "
        "have people judge some queries whole",
    )
    return str(correction)


def _tuning(given: Any) -> float | None:
    """The weight of the model; None: tuned."""
    if isinstance(given, bool):
        return None if given else 1.0
    weight = option_number("power_tuning", given)
    rule = "must be between -1e100 and 1e100"
    require("power_tuning", given, abs(weight) <= 1e100, rule)
    return weight


def _pairs(systems: tuple[str, ...], baseline: Any) -> Contrasts | None:
    """Differences: all pairs, or every other system minus each baseline; None of one system."""
    if baseline is None:
        return all_pairs(len(systems)) if len(systems) > 1 else None
    if not isinstance(baseline, (str, Iterable)):
        raise OptionError(f"baseline={shown(baseline)}: must be the name of a system, or several")
    named = [baseline] if isinstance(baseline, str) else list(baseline)
    places = list(dict.fromkeys(place_of(systems, name, "baseline") for name in named))
    if not 0 < len(places) < len(systems):
        raise OptionError("baseline: name some of the systems, not all; or leave it out")
    return against(places, len(systems))
