"""What every verb does before it computes: accept loose input, and refuse or report what is odd."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast, get_args

from fuzzytruth.data.assignments import Assignments
from fuzzytruth.data.judgments import Judgments
from fuzzytruth.data.ranks import Ties
from fuzzytruth.data.runs import Runs
from fuzzytruth.errors import (
    DataError,
    MeasureError,
    MissingQueryWarning,
    OptionError,
    UnjudgedQueryWarning,
    choice,
    shown,
    warn,
)
from fuzzytruth.measures import Measure
from fuzzytruth.truth.pool import make_pool
from fuzzytruth.truth.subject_views import Truths, Unseen, make_truths
from fuzzytruth.truth.worlds import Kind

#: what can be done about judgments that some subjects left out
HOLE_CHOICES = (
    "say what the others count as: unseen='nonrelevant', unseen='exclude' to take them out of that "
    "subject's view of the lists, or unseen='pooled' to let the others' votes decide"
)


def prepare(
    truth: Any,
    runs: Any,
    measures: tuple[Measure, ...],
    *,
    worlds: str | None,
    ties: str,
    unseen: str,
    several: Kind = "independent",
    fill: bool = True,
) -> tuple[Truths, Runs, Judgments, Kind]:
    """Check options, truth and runs against each other; warn of queries that do not meet.

    `several` is the kind of worlds of several subjects if `worlds` is None; `fill` says whether
    ``unseen="nonrelevant"`` puts grade 0 into the holes here.
    """
    choice("ties", ties, get_args(Ties))
    choice("unseen", unseen, get_args(Unseen))
    judgments, ranked = _as_judgments(truth), as_runs(runs)
    kind = _kind(judgments, worlds, "subject" if _all_lists(measures) else several)
    _check_lists(measures, kind, unseen)
    if ties == "expected":
        check_expected(measures)
    truths = make_truths(make_pool(judgments))
    if kind == "subject" and not _all_lists(measures):
        _check_holes(truths, unseen, measures)
        if unseen == "nonrelevant" and fill:
            truths = truths.filled()
    check_top_grade(float(truths.levels.grade.max()), measures)
    note = ""
    if any(m.compares_lists for m in measures):
        note = (
            "; an empty list has displacement 0 under unseen=optimist, the best there is: look at "
            "unseen=pessimist or worst, too"
        )
    report_coverage(truths.pool.queries, ranked, note=note)
    return truths, ranked, judgments, kind


def some(names: Iterable[str], limit: int = 5) -> str:
    """The first few names, for a message."""
    listed = list(names)
    return ", ".join(listed[:limit]) + (", ..." if len(listed) > limit else "")


def _as_judgments(truth: Any) -> Judgments:
    if isinstance(truth, Judgments):
        return truth
    if isinstance(truth, dict):
        return Judgments.from_dict(truth)
    if hasattr(truth, "columns"):
        return Judgments.from_frame(truth)
    if isinstance(truth, Assignments):
        raise OptionError(
            "truth: votes for categories are not yet a truth; take votes.by_example() for query by "
            "example"
        )
    if not isinstance(truth, (str, Path)):
        raise OptionError(
            "truth: give Judgments, a frame, {query: {item: grade}} or a path, not "
            f"{shown(truth)}"
        )
    from fuzzytruth.data.reading import read_judgments

    return read_judgments(truth)


def as_runs(runs: Any) -> Runs:
    """Runs of what makes them: a frame, a dict, a path or several."""
    if isinstance(runs, Runs):
        if not runs:
            raise OptionError("runs: there is no system in them")
        return runs
    if hasattr(runs, "columns"):
        return Runs.from_frame(runs)
    if isinstance(runs, dict) and any(isinstance(v, dict) for v in runs.values()):
        return Runs.from_dict(runs)
    if not isinstance(runs, (str, Path, dict, list, tuple)) or not runs:
        raise OptionError(
            "runs: give Runs, a frame, {system: {query: {item: score}}}, a path or several, not "
            f"{shown(runs)}"
        )
    from fuzzytruth.data.reading import read_runs

    return read_runs(runs)


def _kind(truth: Judgments, worlds: str | None, several: Kind) -> Kind:
    """The kind of worlds: the one asked for, if the truth has it, or the natural one."""
    subjects = truth.subjects
    if worlds is None:
        if truth.probability is not None:
            return "independent"
        return several if len(subjects or ()) > 1 else "crisp"
    choice("worlds", worlds, get_args(Kind))
    if truth.probability is not None and worlds != "independent":
        raise OptionError(
            f"worlds={worlds!r}: these judgments are probabilities and have no subjects; use "
            "worlds='independent'"
        )
    if worlds in ("subject", "population") and subjects is None:
        raise OptionError(
            f"worlds={worlds!r}: these judgments have no subjects; leave worlds out, or read them "
            "with a column that names who judged"
        )
    if worlds == "crisp" and subjects is not None and len(subjects) > 1:
        raise OptionError(
            f"worlds='crisp': these judgments have {len(subjects)} subjects; merge them with "
            "truth.aggregate('mean' | 'median' | 'majority' | 'max' | 'min'), or use "
            "worlds='subject'"
        )
    return cast(Kind, worlds)


def check_expected(measures: tuple[Measure, ...]) -> None:
    """Raise unless every measure knows its expectation over orders of ties."""
    without = [str(m) for m in measures if not m.expects_ties]
    if without:
        raise MeasureError(
            f"ties='expected': no expectation over orders of ties is known for "
            f"{', '.join(without)}; use ties='trec' or 'order' for it"
        )


def _all_lists(measures: tuple[Measure, ...]) -> bool:
    """Whether each compares a system's list with the subjects' lists, which have no holes."""
    return bool(measures) and all(m.compares_lists for m in measures)


def _check_lists(measures: tuple[Measure, ...], kind: Kind, unseen: str) -> None:
    """Lists can be compared with one subject's list at a time."""
    lists = [str(m) for m in measures if m.compares_lists]
    if not lists:
        return
    who = f"{', '.join(lists)}: compare{'s' if len(lists) == 1 else ''} whole lists of one subject"
    if kind in ("independent", "population"):
        raise MeasureError(
            f"{who}, which worlds={kind!r} takes apart; use worlds='subject' (or judgments with "
            "subjects)"
        )
    if unseen == "pooled" and not _all_lists(measures):
        raise MeasureError(
            f"{who}, which unseen='pooled' leaves open; evaluate the other measures apart"
        )


def _check_holes(truths: Truths, unseen: str, measures: tuple[Measure, ...]) -> None:
    if not truths.holes or unseen != "error":
        return
    lists = [str(m) for m in measures if m.compares_lists]
    raise DataError(
        f"{truths.holes:,} judgments are missing: subjects judged only some of a query's items; "
        + HOLE_CHOICES
        + (f" ({', '.join(lists)} can do without and be evaluated apart)" if lists else "")
    )


def check_top_grade(top: float, measures: tuple[Measure, ...]) -> None:
    """Grades of, say, 0.2 to 0.8 make every item non-relevant at a threshold of 1."""
    for measure in measures:
        rel = measure.threshold
        if rel is not None and 0 < top < rel:
            raise MeasureError(
                f"{measure}: an item is relevant from grade {rel:g}, but the largest grade is "
                f"{top:g}, so none is; set the threshold, such as "
                f"{replace(cast(Any, measure), rel=top)}"
            )


def report_coverage(judged: tuple[str, ...], runs: Runs, *, note: str = "") -> None:
    """Warn of queries that only the truth or only a run has; raise if there is no common one."""
    known = set(judged)
    missing: dict[str, list[str]] = {}
    extra: dict[str, list[str]] = {}
    for system, ranking in runs.items():
        if ranking.queries == judged:
            continue
        answered = set(ranking.queries)
        if known.isdisjoint(answered):
            raise DataError(
                f"run {system!r} and the judgments have no query in common: the run has "
                f"{some(ranking.queries)}, the judgments {some(judged)}; check the ids"
            )
        if not known <= answered:
            missing[system] = [q for q in judged if q not in answered]
        if not answered <= known:
            extra[system] = [q for q in ranking.queries if q not in known]
    if missing:
        message = (
            f"judged queries are missing from {_listed(missing)}; they count as empty lists{note}"
        )
        warn(message, MissingQueryWarning)
    if extra:
        message = f"queries without judgments are left out of {_listed(extra)}"
        warn(message, UnjudgedQueryWarning)


def _listed(queries: dict[str, list[str]]) -> str:
    """Name up to three systems, with how many queries and which."""
    shown = [f"{system} ({len(q):,}: {some(q)})" for system, q in list(queries.items())[:3]]
    rest = len(queries) - len(shown)
    return ", ".join(shown) + (f" and {rest:,} more runs" if rest else "")
