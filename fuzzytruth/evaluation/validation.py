"""Checks of truth, runs, measures and options against each other, before anything is computed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast, get_args

import numpy as np

from fuzzytruth.core.workers import Workers
from fuzzytruth.data.judgments import Judgments
from fuzzytruth.data.parted import PartedJudgments
from fuzzytruth.data.reading import as_judgments
from fuzzytruth.errors import (
    DataError,
    MeasureError,
    MissingQueryWarning,
    OptionError,
    UnjudgedItemWarning,
    UnjudgedQueryWarning,
    UnjudgedRunWarning,
    choice,
    counted,
    first_few,
    shown,
    warn,
)
from fuzzytruth.evaluation.grade_warnings import report_unreached
from fuzzytruth.evaluation.undefined import few_measures
from fuzzytruth.io.tables import is_parted
from fuzzytruth.measures import Measure
from fuzzytruth.truth import Facts, Worlds, align
from fuzzytruth.truth.protocol import Coverage

#: what can be done about judgments that some subjects left out
_MISSING_CHOICES = (
    "say how they count: missing='nonrelevant', missing='exclude' to take them out of that "
    "subject's view of the lists, or missing='pooled' to let the other subjects' votes decide"
)


def as_truth(truth: Any, workers: Workers | None = None) -> Any:
    """A truth from what makes one: a frame, a dict or a path; anything `align` knows stays.

    With `workers`, those hold judgments in a Dask frame.
    """
    if workers is not None and is_parted(truth):
        return PartedJudgments.of(truth, workers)
    if align.dispatch(type(truth)) is not align.dispatch(object):
        return truth
    if isinstance(truth, (str, Path)):
        return as_judgments(truth)
    from fuzzytruth.data.assignments import Assignments

    if isinstance(truth, Assignments):
        raise OptionError(
            "truth: votes for categories are not yet a truth; take votes.by_example() for query by "
            "example, or votes.by_item() for classifiers"
        )
    return as_judgments(truth, also="votes.by_example(), votes.by_item(), ")


def binary_truth(truth: Any, measures: tuple[Measure, ...], rel: Any) -> Any:
    """A truth with grades 1 from `rel` on, for measures without thresholds of their own.

    A kind of truth that has grades has a method `binary`.
    """
    if not hasattr(truth, "binary"):
        raise OptionError(f"rel={shown(rel)}: is for Judgments, whose grades it divides")
    own = [str(m) for m in measures if m.threshold not in (None, 1) or getattr(m, "gains", None)]
    if own:
        raise OptionError(
            f"rel={shown(rel)}: leaves grades 0 and 1, and {few_measures(own)} set thresholds or "
            "gains of their own; give one or the other"
        )
    low = truth.binary(rel)
    if isinstance(truth, Judgments):
        report_unreached(rel, truth)
    return low


def check_worlds(facts: Facts, worlds: str | None, several: Worlds) -> Worlds:
    """The kind of worlds asked for, if the truth has it.

    By default the truth's own; for one with several subjects that would be independent worlds,
    `several` takes their place.
    """
    if worlds is None:
        uncertain = facts.default == "independent" and len(facts.subjects or ()) > 1
        return several if uncertain else facts.default
    choice("worlds", worlds, get_args(Worlds))
    kind = cast(Worlds, worlds)
    if kind in facts.lacks:
        raise OptionError(f"worlds={worlds!r}: {facts.lacks[kind]}")
    return kind


def check_truth(
    facts: Facts,
    measures: tuple[Measure, ...],
    *,
    worlds: str | None,
    ties: str,
    missing: str,
    several: Worlds = "independent",
) -> Worlds:
    """Refuse what the measures cannot do with this truth, and report queries that do not match.

    Returns the kind of worlds.
    """
    kind = check_worlds(facts, worlds, "subject" if _all_lists(measures) else several)
    _check_lists(facts, measures, kind, missing)
    _check_intents(facts, measures)
    if ties == "expected":
        _check_ties(measures)
    if kind == "subject" and missing == "error" and not _all_lists(measures):
        _check_missing(facts, measures)
    check_top_grade(facts.top_grade, measures)
    lists = any(m.compares_lists for m in measures)
    _report_coverage(facts.coverage, _EMPTY_LISTS if lists else "")
    return kind


_EMPTY_LISTS = (
    "; an empty list has displacement 0 under unseen=optimist, the best there is: look at "
    "unseen=pessimist or worst, too"
)


def _all_lists(measures: tuple[Measure, ...]) -> bool:
    """Whether every measure compares lists, which have no missing judgments."""
    return bool(measures) and all(m.compares_lists for m in measures)


def _check_intents(facts: Facts, measures: tuple[Measure, ...]) -> None:
    """Raise unless items are judged by intent, where a measure needs that."""
    needing = [str(m) for m in measures if m.needs_intents]
    if needing and "intents" in facts.lacks:
        verb = "needs" if len(needing) == 1 else "need"
        raise MeasureError(
            f"{few_measures(needing)}: {verb} judgments by intent of the query; "
            f"{facts.lacks['intents']}"
        )


def _check_ties(measures: tuple[Measure, ...]) -> None:
    """Raise unless every measure knows its expectation over orders of ties."""
    without = [str(m) for m in measures if not m.expects_ties]
    if without:
        raise MeasureError(
            f"ties='expected': no expectation over orders of ties is known for "
            f"{few_measures(without)}; use ties='trec' or 'order' for it"
        )


def _check_lists(facts: Facts, measures: tuple[Measure, ...], kind: Worlds, missing: str) -> None:
    """Lists can be compared with one subject's list at a time."""
    lists = [str(m) for m in measures if m.compares_lists]
    if not lists:
        return
    verb = "compares" if len(lists) == 1 else "compare"
    who = f"{few_measures(lists)}: {verb} whole lists of one subject"
    if "lists" in facts.lacks:
        raise MeasureError(f"{who}; {facts.lacks['lists']}")
    if kind in ("independent", "population"):
        raise MeasureError(
            f"{who}, which worlds={kind!r} takes apart; use worlds='subject' (or judgments with "
            "subjects)"
        )
    if missing == "pooled" and not _all_lists(measures):
        raise MeasureError(
            f"{who}, which missing='pooled' leaves open; evaluate the other measures apart"
        )


def _check_missing(facts: Facts, measures: tuple[Measure, ...]) -> None:
    if not facts.n_missing:
        return
    lists = [str(m) for m in measures if m.compares_lists]
    raise DataError(
        f"{counted(facts.n_missing, 'judgment is', 'judgments are')} missing, for some "
        f"subjects judged only part of the items{_first_missing(facts)}; {_MISSING_CHOICES}"
        + (f" ({few_measures(lists)} can do without and be evaluated apart)" if lists else "")
    )


def _first_missing(facts: Facts) -> str:
    """Where judgments are missing first, ready to follow a count; empty without subjects."""
    cells = np.flatnonzero(facts.missing)
    if facts.subjects is None or not len(cells):
        return ""
    first = int(cells[0])
    subject = facts.subjects[int(facts.cells.subject_codes[first])]
    query = facts.queries[int(facts.cells.query[first])]
    number = int(facts.missing[first])
    return f" (the first: {number:,} by {shown(subject)} for query {shown(query)})"


def check_top_grade(top: float, measures: tuple[Measure, ...]) -> None:
    """Raise if all items are non-relevant to a measure although some grades are positive."""
    for measure in measures:
        rel = measure.threshold
        if rel is not None and 0 < top < rel and hasattr(measure, "rel"):
            raise MeasureError(
                f"{measure}: an item is relevant from grade {rel:g}, but the largest grade is "
                f"{top:g}, so none is; set the threshold, such as "
                f"{replace(cast(Any, measure), rel=top)}{_probabilities(top)}"
            )


def _probabilities(top: float) -> str:
    """What grades below 1 may be, ready to end a message."""
    return "; if the grades are probabilities, use Judgments.from_probabilities" if top < 1 else ""


def _report_coverage(coverage: Coverage, note: str) -> None:
    """Warn of queries and items that only the truth or only a run has."""
    for system, answered in coverage.disjoint.items():
        raise DataError(
            f"run {system!r} and the judgments have no query in common: the run has "
            f"{first_few(answered)}, the judgments {first_few(coverage.judged)}; check the ids"
            f"{coverage.note}"
        )
    if coverage.missing:
        warn(
            f"judged queries are missing from {_listed(coverage.missing)}; they count as empty "
            f"lists{note}",
            MissingQueryWarning,
        )
    if coverage.unjudged:
        warn(
            f"queries without {coverage.lacking} are left out of {_listed(coverage.unjudged)}",
            UnjudgedQueryWarning,
        )
    if coverage.unjudged_lists:
        named = first_few(
            (f"{s} (such as {shown(a)}, where {shown(b)} is judged)"
             for s, (a, b) in coverage.unjudged_lists.items()),
            3, unit="run", separator="; ",
        )  # fmt: skip
        warn(
            f"no retrieved item was judged, in any query, for "
            f"{counted(len(coverage.unjudged_lists), 'run')}: {named}; if the ids of the items "
            f"are written differently, make them match{coverage.note}",
            UnjudgedRunWarning,
        )
    unknown = coverage.unknown_items
    if unknown:
        example = {s: f", such as {text}" for s, text in coverage.unknown_examples.items()}
        each = (f"{s} ({n:,}{example.get(s, '')})" for s, n in unknown.items())
        named = first_few(each, 3, unit="run")
        warn(
            f"{coverage.unknown_because}, and so not relevant: "
            f"{counted(sum(unknown.values()), 'retrieved item')}: {named}{coverage.note}",
            UnjudgedItemWarning,
        )


def _listed(queries: Mapping[str, Sequence[str]]) -> str:
    """Up to three systems, with how many queries and which."""
    named = (f"{system} ({len(q):,}: {first_few(q)})" for system, q in queries.items())
    return first_few(named, 3, unit="run")
