"""`plan`: how many queries and subjects a collection needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import ceil
from typing import TYPE_CHECKING, Any, Literal

from fuzzytruth._lazy import pd
from fuzzytruth.annotators.planning.components import pilot_of
from fuzzytruth.annotators.planning.design_variances import Components
from fuzzytruth.annotators.planning.plan_options import (
    axes_of,
    budget_of,
    by_default,
    comparisons,
    costs_of,
    numbers_of_subjects,
    sizes,
    targets_of,
)
from fuzzytruth.annotators.planning.plan_result import Plan, predicted
from fuzzytruth.annotators.planning.plan_search import (
    COSTLY,
    FLOOR,
    MET,
    Planned,
    least_queries,
    least_subjects,
    most_queries,
)
from fuzzytruth.annotators.planning.planned_designs import Costs, Design, Estimator, Targets
from fuzzytruth.core.validation import MOST, between_zero_and_one, whole_number
from fuzzytruth.errors import DegenerateWarning, OptionError, choice, warn

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores.scores import Scores


# The rows of a plan: one for each number of subjects and replicates.


#: multiples of the least subjects that can be enough, where the default ones are not
_MORE_SUBJECTS = (1, 1.2, 1.5, 2, 3)


def with_enough(
    estimator: Estimator, targets: Targets, starts: Sequence[Design]
) -> Sequence[Design]:
    """Numbers of subjects by default, and where all are too few some that are enough."""
    most = max(one.subjects for one in starts)
    if not (targets.any and estimator.components.has_subjects):
        return starts
    out = list(starts)
    for replicates in sorted({one.replicates for one in starts}):
        least = least_subjects(estimator, targets, replicates)
        if least is not None and least > most:
            more = {ceil(least * factor) for factor in _MORE_SUBJECTS}
            out += [Design(1, n, replicates) for n in sorted(more)]
    return out


def plan_table(
    estimator: Estimator,
    targets: Targets,
    costs: Costs,
    budget: float | None,
    starts: Sequence[Design],
    queries: Sequence[int],
    level: float,
) -> pd.DataFrame:
    """A row for each number of subjects and replicates."""
    nested = estimator.components.nested
    rows = []
    for start in starts:
        if targets.any or budget is None:
            row = least_queries(estimator, targets, start, queries, level)
        else:
            row = most_queries(costs, budget, start, queries, nested=nested)
        rows.append(_row(estimator, targets, costs, budget, row))
    table = pd.DataFrame(rows)
    for name in ("queries", "lower", "upper"):
        table[name] = table[name].astype("Int64")
    if (table["judgments"].dropna() % 1 == 0).all():
        table["judgments"] = table["judgments"].astype("Int64")
    by = ["cost", "half_width"] if targets.any else ["half_width", "cost"]
    within = table[table["queries"].notna() & (table["status"] != COSTLY)]
    first = within.sort_values(by, kind="stable").index[:1]
    return table.assign(best=table.index.isin(first))


def _row(
    estimator: Estimator, targets: Targets, costs: Costs, budget: float | None, row: Planned
) -> dict[str, Any]:
    """Numbers of one row; missing where no number of queries is enough."""
    unknown = dict.fromkeys(
        ("half_width", "std_error", "power", "coefficient", "judgments", "cost"), float("nan")
    )
    found = row.design
    numbers = unknown if found is None else predicted(estimator, costs, found, targets.difference)
    status = row.status
    if status == MET and budget is not None and numbers["cost"] > budget:
        status = COSTLY
    start = Design(1, row.subjects, row.replicates)
    return {
        "subjects": row.subjects,
        "replicates": row.replicates,
        "queries": None if found is None else found.queries,
        "lower": None if row.least is None else row.least.queries,
        "upper": None if row.most is None else row.most.queries,
        "judgments": numbers["judgments"],
        "cost": numbers["cost"],
        **{n: numbers[n] for n in ("half_width", "power", "coefficient", "std_error")},
        "floor": estimator.limit(start).half_width,
        "status": status,
    }


def few_subjects(
    estimator: Estimator, targets: Targets, table: pd.DataFrame
) -> dict[int, int | None]:
    """The least subjects with which some number of queries is enough, where some are too few."""
    short = table.loc[table["status"] == FLOOR, "replicates"].unique().tolist()
    return {int(r): least_subjects(estimator, targets, int(r)) for r in short}


_MOST_QUERIES = 10_000
Sizes = Iterable[int] | int


def plan(
    pilot: Scores | None = None,
    *,
    components: Any = None,
    half_width: float | None = None,
    difference: float | None = None,
    power: float = 0.8,
    coefficient: float | None = None,
    absolute: bool = False,
    of: Literal["difference", "mean"] = "difference",
    measure: str | None = None,
    systems: Iterable[str] | None = None,
    n_systems: int | None = None,
    family: str | int | None = None,
    queries: Sizes = range(2, _MOST_QUERIES + 1),
    subjects: Sizes | None = None,
    replicates: Sizes = 1,
    over: Iterable[str] | str | None = None,
    level: float = 0.95,
    cost_per_judgment: float | None = None,
    judgments_per_query: float = 1.0,
    cost_per_subject: float | None = None,
    cost_per_query: float | None = None,
    budget: float | None = None,
    replicate_of: Mapping[str, str] | None = None,
) -> Plan:
    """How many queries and subjects a collection needs.

    For each number of subjects, the least number of queries that meets the targets; of several
    targets it meets all.

    Parameters
    ----------
    pilot : Scores, optional
        Scores of a first, small collection, with or without subjects.
    components : VarianceComponents or mapping of component to variance, optional
        Instead of a pilot: those of `variance_components`, or assumed ones, such as
        ``{"system:query": 0.02, "system:subject": 0.001, "residual": 0.05}``. Without a component
        of subjects, and without `subjects`, the residual is that of whole queries.
    half_width : float, optional
        Target: the largest expected half-width of an interval of `level`, in units of the measure.
    difference, power : float, optional
        Target: the least probability that this true difference is significant.
    coefficient : float, optional
        Target: the least generalizability coefficient, Eρ², or Φ if `absolute`.
    of : {"difference", "mean"}
        What is estimated: the difference of two systems, or the mean of one.
    measure : str, optional
        Of the pilot, in any spelling; may be left out where there is one.
    systems : sequence of str, optional
        Plan from these systems of the pilot alone, such as the two that matter.
    n_systems : int, optional
        How many systems will be compared; by default as many as in the pilot, else two.
    family : {"all pairs", "baseline", "one"} or int, optional
        Whose intervals hold together; a number is a number of comparisons. By default all pairs,
        and one for means.
    queries, subjects, replicates : int or sequence of int
        Numbers to choose from. Subjects are those of each query, by default up to 10 and as many as
        in the pilot, and more where these are too few. Replicates are runs or seeds of each system.
    over : {"query", "subject"} or both, optional
        What is random; by default both where there are subjects. Over queries alone, statements
        are about these subjects.
    level : float
        Of the intervals.
    cost_per_judgment, cost_per_subject, cost_per_query : float, optional
        Without any, designs are compared by their numbers of judgments.
    judgments_per_query : float
        Judgments that each subject gives for a query, such as the depth of the pool.
    budget : float, optional
        Leave out designs that cost more. Without a target: the most queries that it pays for, and
        what they give.
    replicate_of : mapping of system to name, optional
        See `variance_components`.

    Returns
    -------
    Plan

    Raises
    ------
    OptionError
        There is no target and no budget; or a pilot and components, or neither; or an option is out
        of its range, or does not go with the components.
    DataError
        The pilot cannot tell how its systems differ.

    Warns
    -----
    DegenerateWarning
        All variances that an error consists of are 0, so that any collection will do.

    Notes
    -----
    The variance of a difference, with Q queries, S subjects each and R replicates, is 2 (σ²_tq/Q +
    σ²_ts/S + σ²_tqs/(QS) + σ²_r/R + σ²_rq/(QR) + σ²_rs/(SR) + σ²_rqs/(QSR)), where t are systems.
    `half_width` is what `compare` and `Scores.summary` are expected to report with the same `over`
    (which is queries alone by default in `compare`), with scores that are normal and complete: over
    queries Student's interval, over queries and subjects the generalised pivotal one, which is
    several times as wide with few subjects; infinite with a single one. A family is corrected by
    Bonferroni, as `compare` does over queries and subjects; its max-t over queries gives intervals
    that are narrower for normal scores, and may be wider where a few queries stand out (by a
    seventh for the 28 pairs of `load_clef_tar2017`). The variance of replicates counts as known,
    and is not in intervals of `compare`, which take the replicates as they are.

    `lower` and `upper` are the queries needed if the variance of the estimate, or the difference of
    variances that a coefficient needs, is at either end of its interval of `level`, as the pilot
    gives it (generalised pivotal quantities, as in `variance_components`).

    References
    ----------
    Brennan 2001, Generalizability theory; Urbano, Marrero & Martín 2013, On the measurement of test
    collection reliability; Sakai 2016, Topic set size design, Information Retrieval Journal 19;
    Weerahandi 1993, Generalized confidence intervals.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> assumed = {"system:query": 0.01, "system:subject": 0.0002, "residual": 0.02}
    >>> found = ft.plan(components=assumed, half_width=0.05, subjects=[3, 5, 10])
    >>> found.to_frame()
       subjects  queries  judgments  half_width   best
    0         3      513       1539    0.049997  False
    1         5       73        365    0.049921   True
    2        10       45        450    0.049720  False
    """
    choice("of", of, ("difference", "mean"))
    choice("absolute", absolute, (True, False))
    targets = targets_of(half_width, difference, power, coefficient)
    costs = costs_of(cost_per_judgment, judgments_per_query, cost_per_subject, cost_per_query)
    money = budget_of(budget)
    level = between_zero_and_one("level", level)
    _check_targets(targets, money, of)
    asked = None if over is None else axes_of(over)
    given = pilot_of(
        pilot,
        components,
        measure=measure,
        systems=systems,
        replicate_of=replicate_of,
        over=asked,
        subjects=subjects is not None,
        of_all=of == "mean",
    )
    found = given.components
    axes = asked or by_default(found)
    count = given.n_systems if n_systems is None else whole_number("n_systems", n_systems, 2, MOST)
    tests = comparisons(family, count, of_all=of == "mean")
    estimator = Estimator(found, of == "mean", axes, (1 - level) / tests, bool(absolute))
    _check_variances(estimator, targets)
    starts: Sequence[Design] = [
        Design(1, n, r)
        for r in sizes("replicates", replicates)
        for n in numbers_of_subjects(subjects, found, axes, given.n_subjects)
    ]
    _check_replicates(found, starts)
    numbers = sizes("queries", queries)
    if subjects is None:
        starts = with_enough(estimator, targets, starts)
    table = plan_table(estimator, targets, costs, money, starts, numbers, level)
    return Plan(
        table,
        given.measure,
        targets,
        estimator,
        costs,
        money,
        level,
        tests,
        count,
        dict(found.by_name),
        few_subjects(estimator, targets, table),
        numbers,
        given.sizes,
    )


def _check_targets(targets: Targets, budget: float | None, of: str) -> None:
    if not targets.any and budget is None:
        raise OptionError("plan: name a target: half_width=, difference=, coefficient= or budget=")
    if of == "mean" and targets.difference is not None:
        raise OptionError(
            f"difference={targets.difference:g}: is of two systems, and of='mean' plans for one; "
            "use half_width="
        )


def _check_variances(estimator: Estimator, targets: Targets) -> None:
    if targets.coefficient is not None and not estimator.knows_systems:
        raise OptionError(
            f"coefficient={targets.coefficient:g}: the variance of systems is 0 or not known; "
            "coefficients take a component 'system' above 0"
        )
    if not estimator.variance(Design(2, 2, 1)) > 0:
        warn(
            "all variances that errors consist of are 0: any number of queries will do; plan from "
            "a pilot where scores vary",
            DegenerateWarning,
        )


def _check_replicates(components: Components, starts: Sequence[Design]) -> None:
    if any(one.replicates > 1 for one in starts) and not components.has_replicates:
        raise OptionError(
            "replicates: nothing says how replicates of a system differ; give replicate_of= with "
            "the pilot, or components 'replicate', 'replicate:query', ..."
        )
