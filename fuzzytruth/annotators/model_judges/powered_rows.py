"""What `prediction_powered` was asked, and one mean or difference."""

from __future__ import annotations

from dataclasses import dataclass


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
