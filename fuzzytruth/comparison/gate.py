"""`gate`: whether a new system may replace an old one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.comparison.compare import measure_places
from fuzzytruth.comparison.gate_result import Gate, GateConditions, GateTest, Outcome
from fuzzytruth.comparison.inference import POWER
from fuzzytruth.comparison.margin_tests import Asked, OrientedDifference, oriented_difference
from fuzzytruth.core.arithmetic import without_rounding
from fuzzytruth.core.validation import option_flag, place_of
from fuzzytruth.errors import (
    DataError,
    DegenerateWarning,
    MissingCellWarning,
    OptionError,
    counted,
    first_few,
    nearest,
    shown,
    warn,
)
from fuzzytruth.evaluation.scores.axes import check_over, over_people
from fuzzytruth.evaluation.scores.query_groups import Grouping
from fuzzytruth.stats.multiplicity import check_level, check_margin, not_inferior, significant

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores.scores import Scores
    from fuzzytruth.stats.observations import Kind
    from fuzzytruth.stats.settings import Over
    from fuzzytruth.stats.world_estimates import Estimates


# What a gate refuses, and what it warns of.


def check_names(scores: Scores, new: str, old: str) -> None:
    """Raise unless these are two systems of the scores.

    Raises
    ------
    OptionError
        A name is unknown, or both are the same.
    """
    for what, name in (("new", new), ("old", old)):
        place_of(scores.systems, name, what)
    if new == old:
        raise OptionError(f"new, old: {shown(new)} is both; name two systems")


def margins_of(
    scores: Scores, places: Sequence[int], given: Any, *, better: bool
) -> tuple[float, ...]:
    """The margin of each measure; 0 where the new system has to be better.

    Raises
    ------
    OptionError
        There is none, one is not above 0, or a mapping lacks a measure or names another one.
    """
    names = [scores.measures[place] for place in places]
    if option_flag("better", better):
        if given is not None:
            raise OptionError(
                f"margin={shown(given)}: is for a gate that asks for not worse; leave it out with "
                "better=True"
            )
        return (0.0,) * len(names)
    if given is None:
        raise OptionError(
            "margin=None: name the loss that is too much, in units of the measure, such as "
            "margin=0.01; or ask for better=True"
        )
    if not isinstance(given, Mapping):
        return (check_margin(given),) * len(names)
    margins = {scores.measure_name(name): value for name, value in given.items()}
    unknown = [name for name in margins if name not in names]
    if unknown or len(margins) < len(given):
        what = f"{shown(unknown[0])} is no measure of the gate" if unknown else "a measure is twice"
        near = nearest(str(unknown[0]), names) if unknown else ""
        raise OptionError(
            f"margin={shown(dict(given))}: {what}{near}; name each of {', '.join(names)} once"
        )
    lost = [name for name in names if name not in margins]
    if lost:
        raise OptionError(
            f"margin={shown(dict(given))}: must have one number for each of {', '.join(names)}; "
            f"{lost[0]} has none"
        )
    return tuple(check_margin(margins[name]) for name in names)


def refuse_wide_margins(
    scores: Scores, places: Sequence[int], margins: Sequence[float], old: str
) -> None:
    """Refuse margins that a system of which every value is 0 would keep.

    Raises
    ------
    OptionError
        Higher is better, no value is negative, and a margin is the mean of `old` or more.
    """
    row = place_of(scores.systems, old, "old")
    for place, margin in zip(places, margins, strict=True):
        values = scores.values[:, place]
        of_queries = scores.cells.mean_by_query(values[row][None])[0]
        known = of_queries[~np.isnan(of_queries)]
        if not (margin and len(known) and scores.higher_is_better[place]):
            continue
        if margin >= known.mean() and np.nanmin(values) >= 0:
            raise OptionError(
                f"margin={margin:g}: the mean {scores.measures[place]} of {old} is "
                f"{known.mean():.4g}, so that a system that finds nothing would pass; choose a "
                "smaller one, in units of the measure"
            )


def refuse_missing(scores: Scores, places: Sequence[int], new: str, old: str) -> None:
    """Refuse a new system that leaves out what the old one has; warn of the opposite.

    Raises
    ------
    DataError
        `new` lacks a value that `old` has.
    """
    first, second = (place_of(scores.systems, name, "system") for name in (new, old))
    dropped = 0
    for place in places:
        lost, unmatched = (
            np.isnan(scores.values[one, place]) & ~np.isnan(scores.values[other, place])
            for one, other in ((first, second), (second, first))
        )
        if lost.any():
            query = scores.queries[scores.cells.query[np.flatnonzero(lost)[0]]]
            values = counted(int(lost.sum()), "value is", "values are")
            raise DataError(
                f"{new}: {values} missing of {scores.measures[place]} where {old} has one (the "
                f"first: query {shown(query)}); score them, 0 where there is no answer, or leave "
                "them out of both"
            )
        dropped += int(unmatched.sum())
    if dropped:
        warn(
            f"{old}: {counted(dropped, 'value is', 'values are')} missing where {new} has one; the "
            "gate rests on what both have",
            MissingCellWarning,
        )


def warn_of_identical(gate: Gate) -> None:
    """Warn of measures by which the systems do not differ anywhere."""
    same = [test.measure for test in gate.deciding if test.outcome == "identical"]
    if same:
        pair = f"{gate.conditions.new} and {gate.conditions.old}"
        warn(
            f"{pair} have the same values of {first_few(same)} everywhere: "
            "nothing was tested; are they the same run?",
            DegenerateWarning,
        )


def gate(
    scores: Scores,
    new: str,
    old: str,
    measures: Iterable[str] | str | None = None,
    *,
    margin: float | Mapping[str, float] | None = None,
    better: bool = False,
    over: Iterable[str] | str | None = None,
    level: float = 0.95,
    clusters: Grouping = None,
    strata: Grouping = None,
) -> Gate:
    """Decide whether a new system is not worse than an old one by a margin, or is better.

    Each measure is tested once: `non_inferiority` of `new` with this margin or, with ``better``,
    the one-sided test of `compare`. All have to pass. This is an intersection-union test: a false
    pass has at most the probability 1 - `level`, whatever the number of measures, and no correction
    is needed.

    Where several subjects judged, the test over queries and subjects decides, or that over queries
    and resampled subjects of population worlds; the test over queries alone is shown beside it. One
    subject, or subjects of whom each judged one query, come with their queries, and the test over
    queries decides.

    Parameters
    ----------
    scores : Scores
    new, old : str
        Names of systems.
    measures : str or sequence of str, optional
        In any spelling; all by default.
    margin : float or mapping of measure to float
        The loss that is too much, above 0, in units of the measure; choose it before looking at the
        data. One for all, or one for each measure. Left out with ``better``.
    better : bool
        Whether `new` has to be better, and not only not worse by the margin.
    over : {"query", "subject", "world"} or several, optional
        What is random, the only test made; see `Scores.summary`.
    level : float
        Of the one-sided confidence bound, above ½. A test passes with a p of 1 - `level` or less.
    clusters, strata
        Of queries; see `compare`. They need ``over="query"`` where several subjects judged.

    Returns
    -------
    Gate
        Without a spread to test with: systems with the same values everywhere pass with a
        difference of 0, taken as known as in `compare`, but are not ``better``; a single query (or
        cluster), and units that nothing connects, never pass.

    Raises
    ------
    OptionError
        A name or option is unknown; there is no margin, or one as large as the mean of `old`, so
        that a system that finds nothing would pass; or the scores are expected values over
        independent worlds, which are no sample of people, and `over` is left out.
    DataError
        `new` lacks a value that `old` has, or they have none in common.

    Warns
    -----
    MissingCellWarning
        `old` lacks values that `new` has, and these are left out.
    DegenerateWarning
        The systems have the same values everywhere.

    References
    ----------
    Wellek 2010, Testing Statistical Hypotheses of Equivalence and Noninferiority; Berger 1982
    (intersection-union tests), Technometrics 24.

    Examples
    --------
    >>> import pandas as pd, fuzzytruth as ft
    >>> scores = ft.Scores.from_frame(pd.DataFrame({
    ...     "system": ["new"] * 4 + ["old"] * 4, "query": [1, 2, 3, 4] * 2,
    ...     "value": [0.5, 0.7, 0.9, 0.7, 0.5, 0.8, 0.8, 0.6]}))
    >>> result = ft.gate(scores, "new", "old", margin=0.2)
    >>> result.passed
    True
    >>> ft.gate(scores, "new", "old", better=True).passed
    False
    """
    places = measure_places(scores, measures)
    check_names(scores, new, old)
    margins = margins_of(scores, places, margin, better=better)
    refuse_wide_margins(scores, places, margins, old)
    level = check_level(level)
    axes = _axes(scores, over)
    refuse_missing(scores, places, new, old)
    kind: Kind | None = (
        "clusters" if clusters is not None else "strata" if strata is not None else None
    )
    conditions = GateConditions(new=new, old=old, better=better, level=level, groups=kind)
    tests = []
    for number, place in enumerate(places):
        for random in axes:
            asked = Asked((new, old), random, clusters, strata)
            oriented = oriented_difference(scores, place, asked, quiet=number > 0)
            test = _tested(oriented, random, margins[number], conditions)
            decides = random == axes[-1]
            tests.append(replace(test, measure=scores.measures[place], decides=decides))
    result = Gate(conditions, tuple(tests))
    warn_of_identical(result)
    return result


def _axes(scores: Scores, over: Iterable[str] | str | None) -> list[Over]:
    """What is random in each test; the last one decides.

    Raises
    ------
    OptionError
        Nothing is named, and the scores are expected values over independent worlds.
    """
    if over is not None:
        return [check_over(over, scores)]
    of_queries = check_over("query", scores)
    with_people = over_people(scores)
    if with_people is not None:
        return [of_queries, check_over(with_people, scores)]
    spread = scores.uncertainty
    if scores.subjects is None and spread is not None:
        raise OptionError(
            f"over: {spread.worlds} worlds are no sample of people, and a gate takes the "
            "people who judged for a sample; evaluate with worlds='subject', which keeps each "
            "subject's truth apart, or with worlds='population', which resamples the subjects; "
            "over='query' tests over queries alone"
        )
    return [of_queries]


def _tested(
    oriented: OrientedDifference, over: Over, margin: float, conditions: GateConditions
) -> GateTest:
    """The test of a measure, whose name and part in the verdict are left open."""
    fitted, sign = oriented.fitted, oriented.sign
    lower, p = _bound(fitted, margin, conditions)
    outcome = _outcome(oriented, over, margin, p, conditions.level)
    detectable = fitted.law.detectable(fitted.value - lower, POWER)
    bound, p_value = float(lower[0]), float(p[0])
    if outcome == "unknown":
        bound, p_value = -np.inf, 1.0
    elif outcome == "identical":
        bound, p_value = 0.0, (1.0 if conditions.better else np.nan)
    return GateTest(
        measure="",
        over=over,
        decides=True,
        passed=outcome == "shown" or (outcome == "identical" and not conditions.better),
        outcome=outcome,
        margin=np.nan if conditions.better else margin,
        difference=_signed(sign, float(fitted.value[0])),
        std_error=float(fitted.std_error[0]),
        bound=_signed(sign, bound),
        p=p_value,
        detectable=float(detectable[0]),
        n_queries=int(fitted.n_queries[0]),
        n_subjects=int(fitted.n_subjects[0]),
        n_units=int(fitted.n_units[0]),
        higher_is_better=sign > 0,
    )


def _bound(fitted: Estimates, margin: float, conditions: GateConditions) -> tuple[Floats, Floats]:
    """Lower confidence bound and p: (rows,) each."""
    if conditions.better:
        lower, _ = fitted.interval(conditions.level, "greater")
        return lower, fitted.p_value("greater")
    test = not_inferior(fitted, margin, conditions.level)
    return test.lower, test.p


def _signed(sign: float, value: float) -> float:
    """A number with its sign reversed if `sign` is -1; 0 has none."""
    return sign * value if value else 0.0


def _outcome(
    oriented: OrientedDifference, over: Over, margin: float, p: Floats, level: float
) -> Outcome:
    """What a test says; anything but a known spread, and a p small enough, passes nothing."""
    fitted = oriented.fitted
    error, value = float(fitted.std_error[0]), float(fitted.value[0])
    alone = ("query" in over and fitted.n_units[0] < 2) or (
        "subject" in over and fitted.n_subjects[0] == 1
    )
    if np.isnan(error) or alone:
        return "unknown"
    if error == value == 0 and oriented.identical:
        return "identical"
    if significant(p, level)[0]:
        return "shown"
    beyond = without_rounding(margin + fitted.value, margin)[0] < 0
    return "worse" if beyond and significant(1 - p, level)[0] else "not shown"
