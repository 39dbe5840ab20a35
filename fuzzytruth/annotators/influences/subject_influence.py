"""`subject_influence`: what each subject changes in scores, ranks and verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.annotators.influences.influence_result import SubjectInfluence
from fuzzytruth.annotators.influences.influence_tables import (
    LeftOut,
    Verdicts,
    influence_tables,
    leave_one_out,
    left_out,
    people_apart,
    verdicts_of,
    verdicts_without,
)
from fuzzytruth.comparison.compare import compare, measure_places
from fuzzytruth.errors import LeftOutWarning, OptionError, counted, is_among, require, warn
from fuzzytruth.evaluation.evaluate import evaluate
from fuzzytruth.evaluation.scores.axes import check_over, over_people
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.evaluation.scores.summary import observations_of
from fuzzytruth.evaluation.undefined import Undefined
from fuzzytruth.evaluation.worlds.setting import Progress
from fuzzytruth.stats.axes import Over
from fuzzytruth.stats.contrasts import each_system
from fuzzytruth.stats.world_estimates import estimate
from fuzzytruth.truth import Missing

if TYPE_CHECKING:
    from fuzzytruth.stats.multiplicity import Family


def subject_influence(
    votes: Any,
    runs: Any = None,
    measures: Any = None,
    *,
    baseline: Iterable[str] | str | None = None,
    over: Iterable[str] | str | None = None,
    groups: Mapping[Any, Any] | None = None,
    correction: str | None = None,
    level: float = 0.95,
    missing: Missing = "error",
    undefined: Undefined = "zero",
    rel: float | Mapping[str, float] | None = None,
    n_resamples: int = 9999,
    rng: Any = 0,
    progress: Progress | None = None,
) -> SubjectInfluence:
    """Leave out each subject in turn, and say what changes.

    For each subject, or group of them, and each system: the mean with all subjects and without
    this one, and the rank; for each pair of systems, whether the verdict of `compare` is lost,
    gained or reversed, by the same test, correction and random numbers.

    Parameters
    ----------
    votes : Judgments, ByExample, ByItem, Scores, or what `as_judgments` takes
        Votes of several subjects, which are evaluated once, with ``worlds="subject"``; or scores
        with subjects, which need no `runs`. For other options of `evaluate`, give its scores.
    runs : Runs, or what `as_runs` takes
    measures : measure or sequence of measures
        Of scores, those to take; by default all.
    baseline : str or sequence of str, optional
        See `compare`; by default all pairs.
    over : {"query", "subject"} or both, optional
        What verdicts generalise to. By default queries and subjects where three or more subjects
        are crossed with the queries, else queries. Subjects as a sample take three: one is left
        out, and the spread of a single one is unknown.
    groups : mapping of subject to group, or of group to subjects, optional
        Subjects to leave out together, such as judges that are near duplicates of each other:
        leaving out one of them changes little while the others stay. Subjects in no group are
        left out alone.
    correction, level, n_resamples, rng
        See `compare`; every comparison uses the same random numbers.
    missing, undefined, rel
        See `evaluate`. ``missing="pooled"`` draws a subject's missing judgments from the others, so
        that leaving out scores does not leave out a subject; it is refused.
    progress : callable, optional
        Progress callback, given the finished fraction of the verdicts.

    Returns
    -------
    SubjectInfluence

    Raises
    ------
    DataError
        There are no subjects, or all are left out together.
    OptionError
        Options do not go with the votes or scores given, or `over` names subjects and fewer than
        three units could be left out.

    Warns
    -----
    LeftOutWarning
        Queries that a single subject judged are not in the means without that subject.
    MissingCellWarning, DegenerateWarning
        See `compare`.

    Notes
    -----
    ``change`` is the mean without the subject minus the mean with all, `std_change` the same in
    standard errors of the mean with all over `over`, which is DFBETAS with that standard error and
    the opposite sign. Without a subject, queries that nobody else judged have no value. Items that
    only this subject judged, and the scale of the grades, stay as they are with all votes:
    evaluating the other votes anew gives the same scores, but under ``missing="exclude"`` and for
    measures that divide by the largest grade (ERR) if this subject alone gave it. NaN: no value is
    left. Nested subjects are left out one by one, each being a query and a name.

    A verdict near the level changes with any little thing, and the test has less power without a
    subject: see docs/guide/influence.md for how often verdicts are lost if all subjects are alike.

    References
    ----------
    Belsley, Kuh & Welsch 1980, Regression Diagnostics (DFBETAS). Voorhees 2000, Variations in
    relevance judgments and the measurement of retrieval effectiveness.

    Examples
    --------
    >>> import pandas as pd, fuzzytruth as ft
    >>> votes = pd.DataFrame({
    ...     "query": ["q1"] * 6 + ["q2"] * 6, "item": list("aabbcc") * 2,
    ...     "subject": ["ann", "bob"] * 6, "grade": [1, 1, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1]})
    >>> runs = {"x": {"q1": ["a", "b", "c"], "q2": ["b", "a", "c"]},
    ...         "y": {"q1": ["b", "a", "c"], "q2": ["a", "c", "b"]}}
    >>> influence = ft.subject_influence(votes, runs, "AP")
    >>> table = influence.to_frame()
    >>> table[["system", "left_out", "mean", "without", "rank", "new_rank"]].round(3)
      system left_out   mean  without  rank  new_rank
    0      x      ann  0.896    0.792   1.0       2.0
    1      x      bob  0.896    1.000   1.0       1.0
    2      y      ann  0.708    1.000   2.0       1.0
    3      y      bob  0.708    0.417   2.0       2.0
    """
    if progress is not None:
        rule = "must be a function of the finished fraction"
        require("progress", progress, callable(progress), rule)
    scores = people_apart(
        _scores(votes, runs, measures, missing=missing, undefined=undefined, rel=rel)
    )
    assert scores.subjects is not None
    units = left_out(scores.subjects, groups)
    axes = _axes(scores, over, units)
    family, better = None, scores.higher_is_better
    if len(scores.systems) > 1:
        compared = compare(
            scores,
            baseline,
            over=axes,
            correction=correction,
            level=level,
            n_resamples=n_resamples,
            rng=rng,
        )
        family = compared.family
    elif baseline is not None:
        raise OptionError(
            f"baseline={baseline!r}: there is a single system, and nothing to compare"
        )
    of_cell = units.of_subject[scores.cells.subject_codes]
    means = leave_one_out(scores.values, scores.cells, of_cell, len(units))
    _warn_of_lost(units, int(means.n_lost.sum()), int(means.n_lost.max()))
    before, after = _verdicts(family, units, progress)
    tables = influence_tables(scores, units, means, _std_error(scores, axes), family, before, after)
    return SubjectInfluence(
        *tables,
        over=axes,
        level=level,
        correction="" if family is None else family.correction,
        systems=scores.systems,
        measures=scores.measures,
        higher_is_better=better,
        grouped=units.grouped,
        n_queries=len(scores.queries),
    )


def _scores(votes: Any, runs: Any, measures: Any, **options: Any) -> Scores:
    """The scores of each subject, evaluated unless they are given."""
    if not isinstance(votes, Scores):
        if runs is None or measures is None:
            lacks = "runs" if runs is None else "measures"
            raise OptionError(
                f"{lacks}=None: votes take runs and measures, subject_influence(votes, runs, "
                "'nDCG@10'); scores of subjects take neither"
            )
        _check_missing(options["missing"])
        return evaluate(votes, runs, measures, worlds="subject", **options)
    rule = "is for votes; scores are evaluated already"
    require("runs", runs, runs is None, rule)
    for name, default in (("missing", "error"), ("undefined", "zero"), ("rel", None)):
        require(name, options[name], is_among(options[name], (default,)), rule)
    if votes.provenance is not None:
        _check_missing(votes.provenance.missing)
    places = measure_places(votes, measures)
    return votes.select(measures=[votes.measures[m] for m in places])


def _check_missing(missing: str | None) -> None:
    if is_among(missing, ("pooled",)):
        raise OptionError(
            "missing='pooled': each subject's scores then depend on the others' votes, and stay so "
            "when one is left out; use 'nonrelevant' or 'exclude'"
        )


def _axes(scores: Scores, over: Iterable[str] | str | None, units: LeftOut) -> Over:
    """What is random.

    Raises
    ------
    OptionError
        Subjects are, and fewer than two would be left without some unit.
    """
    fewest = int(units.of_subject.size - units.sizes.max())  # subjects that stay
    if over is None:
        people = over_people(scores)
        return ("query",) if people is None or fewest < 2 else people
    axes = check_over(over, scores)
    if "world" in axes:
        raise OptionError("over='world': influence is of subjects; use 'query', 'subject' or both")
    if "subject" in axes and fewest < 2:
        largest = units.names[int(np.argmax(units.sizes))]
        raise OptionError(
            f"over={axes if len(axes) > 1 else axes[0]!r}: without {largest!r} there is a single "
            "subject, whose spread is unknown; use over='query', or more subjects"
        )
    return axes


def _std_error(scores: Scores, over: Over) -> Floats:
    """Standard errors of the means of all subjects: (systems, measures)."""
    each = each_system(len(scores.systems))
    observed = (observations_of(scores, m) for m in range(len(scores.measures)))
    return np.stack([estimate(one, each, over).std_error for one in observed], axis=1)


def _verdicts(
    family: Family | None, units: LeftOut, progress: Progress | None
) -> tuple[Verdicts | None, Verdicts | None]:
    """Verdicts with all, and without each unit; None for a single system."""
    if family is None:
        return None, None
    after = verdicts_without(family, units.of_subject, len(units), progress)
    return verdicts_of(family), after


def _warn_of_lost(units: LeftOut, lost: int, most: int) -> None:
    """Say how many queries a single unit judged."""
    if lost:
        what = "group" if units.grouped else "subject"
        one = f"query that a single {what} judged is"
        many = f"queries that a single {what} judged are"
        warn(
            f"{counted(lost, one, many)} not in the means without it; at most "
            f"{counted(most, 'query')} of one {what}",
            LeftOutWarning,
        )
