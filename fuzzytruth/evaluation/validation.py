"""Checks of truth, runs, measures and options against each other, and warnings of what is odd."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import singledispatch
from pathlib import Path
from typing import Any, Literal, cast, get_args

import numpy as np

from fuzzytruth import errors
from fuzzytruth._lazy import pa
from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.workers import Workers
from fuzzytruth.data.grading import ranges
from fuzzytruth.data.judgments import Design, Judgments
from fuzzytruth.data.parted import GradeRange, PartedJudgments
from fuzzytruth.data.reading import as_judgments
from fuzzytruth.errors import OptionError, choice, counted, first_few, nearest, require, shown, warn
from fuzzytruth.io.columns import check_text
from fuzzytruth.io.ids import encode
from fuzzytruth.io.tables import is_parted
from fuzzytruth.measures import Measure
from fuzzytruth.truth import Facts, Worlds, align
from fuzzytruth.truth.protocol import Coverage

# Names of measures in messages and titles.


_LISTED = 5


def few_measures(names: Iterable[str]) -> str:
    """The names of measures; if there are many, those that differ in cut-off as one.

    Examples
    --------
    >>> few_measures(["AP", "R@5"])
    'AP, R@5'
    >>> few_measures(["AP", "RR(rel=2)", *(f"P(rel=2)@{k}" for k in range(1, 61))])
    'AP, RR(rel=2), P(rel=2) at 60 cut-offs'
    """
    listed = list(names)
    if len(listed) > _LISTED:
        by_base: dict[str, list[str]] = {}
        for name in listed:
            by_base.setdefault(name.partition("@")[0], []).append(name)
        listed = [
            some[0] if len(some) == 1 else f"{base} at {len(some)} cut-offs"
            for base, some in by_base.items()
        ]
    return first_few(listed, _LISTED, unit="measure")


def measures_in_words(names: Iterable[str], limit: int = 4, *, last: str = "and") -> str:
    """The names of measures in a sentence.

    Examples
    --------
    >>> [measures_in_words(names) for names in (["AP"], ["AP", "RR"], ["AP", "RR", "P@5"])]
    ['AP', 'AP and RR', 'AP, RR and P@5']
    >>> measures_in_words(["AP", "RR", "P@5"], 2)
    'AP, RR, and 1 more'
    >>> measures_in_words(["AP", "RR"], last="or")
    'AP or RR'
    """
    listed = list(names)
    if len(listed) > limit or len(listed) < 2:
        return first_few(listed, limit)
    return f"{', '.join(listed[:-1])} {last} {listed[-1]}"


def with_direction(name: str, *, higher_is_better: bool) -> str:
    """A measure in a title, which says so if lower is better.

    Examples
    --------
    >>> with_direction("AP", higher_is_better=True), with_direction("ERR", higher_is_better=False)
    ('AP', 'ERR (lower is better)')
    """
    return name if higher_is_better else f"{name} (lower is better)"


# Checks before anything is computed.


#: what can be done about judgments that some subjects left out
_MISSING_CHOICES = (
    "say how they count: missing='exclude' to take them out of that subject's view of the lists, "
    "missing='pooled' to let the other subjects' votes decide, or missing='nonrelevant'"
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
    require("rel", rel, hasattr(truth, "binary"), "is for Judgments, whose grades it divides")
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


def floored(truth: Any) -> Any:
    """A truth with grades whose negative ones are 0, for they are no other opinion.

    Such are left by `binary_truth`, for measures that take them as not judged.
    """
    if not isinstance(truth, Judgments):
        return truth
    return replace(truth, grade=np.maximum(truth.grade, 0.0))


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
    named = "subject" if kind == "community" else kind  # groups are of named subjects
    if named in facts.lacks:
        raise OptionError(f"worlds={worlds!r}: {facts.lacks[named]}")
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
        raise errors.MeasureError(
            f"{few_measures(needing)}: {verb} judgments by intent; {facts.lacks['intents']}"
        )


def _check_ties(measures: tuple[Measure, ...]) -> None:
    """Raise unless every measure knows its expectation over orders of ties."""
    without = [str(m) for m in measures if not m.expects_ties]
    if without:
        raise errors.MeasureError(
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
        raise errors.MeasureError(f"{who}; {facts.lacks['lists']}")
    if kind in ("independent", "population", "community"):
        raise errors.MeasureError(
            f"{who}, which worlds={kind!r} takes apart; use worlds='subject' (or judgments with "
            "subjects)"
        )
    if missing == "pooled" and not _all_lists(measures):
        raise errors.MeasureError(
            f"{who}, which missing='pooled' leaves open; evaluate the other measures apart"
        )


def _check_missing(facts: Facts, measures: tuple[Measure, ...]) -> None:
    if not facts.n_missing:
        return
    lists = [str(m) for m in measures if m.compares_lists]
    raise errors.DataError(
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
    note = "; if the grades are probabilities, use Judgments.from_probabilities" if top < 1 else ""
    for measure in measures:
        rel = measure.threshold
        if rel is not None and 0 < top < rel and hasattr(measure, "rel"):
            raise errors.MeasureError(
                f"{measure}: an item is relevant from grade {rel:g}, but the largest grade is "
                f"{top:g}, so none is; set the threshold, such as "
                f"{replace(cast(Any, measure), rel=top)}{note}"
            )


def _report_coverage(coverage: Coverage, note: str) -> None:
    """Warn of queries and items that only the truth or only a run has."""
    for system, answered in coverage.disjoint.items():
        raise errors.DataError(
            f"run {system!r} and the judgments have no query in common: the run has "
            f"{first_few(answered)}, the judgments {first_few(coverage.judged)}; check the ids"
            f"{coverage.note}"
        )
    if coverage.missing:
        warn(
            f"judged queries are missing from {_listed(coverage.missing)}; they count as empty "
            f"lists{note}",
            errors.MissingQueryWarning,
        )
    if coverage.unjudged:
        warn(
            f"queries without {coverage.lacking} are left out of {_listed(coverage.unjudged)}",
            errors.UnjudgedQueryWarning,
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
            errors.UnjudgedRunWarning,
        )
    unknown = coverage.unknown_items
    if unknown:
        example = {s: f", such as {text}" for s, text in coverage.unknown_examples.items()}
        each = (f"{s} ({len(ids):,}{example.get(s, '')})" for s, ids in unknown.items())
        items = pa.concat_arrays([*unknown.values()]).unique().to_pylist()
        n = counted(sum(map(len, unknown.values())), "entry of a list", "entries of lists")
        warn(
            f"{coverage.unknown_because}, and so not relevant: {counted(len(items), 'item')} "
            f"({first_few(items, 3)}), {n}: {first_few(each, 3, unit='run')}{coverage.note}",
            errors.UnjudgedItemWarning,
        )


def _listed(queries: Mapping[str, Sequence[str]]) -> str:
    """Up to three systems, with how many queries and which."""
    named = (f"{system} ({len(q):,}: {first_few(q)})" for system, q in queries.items())
    return first_few(named, 3, unit="run")


# Groups of subjects, as users name them.


def members_of(
    groups: Any,
    subjects: tuple[str, ...],
    design: Design,
    *,
    least: int = 1,
    of: str = "these scores",
) -> dict[str, tuple[str, ...]]:
    """The subjects of each group, in their order.

    Parameters
    ----------
    groups : mapping of subject to group, or Communities
    subjects : tuple of str
    design : {"crossed", "nested"}
    least : int
        How many groups there must be, 1 or 2.
    of : str
        Whose subjects they are, in messages.

    Raises
    ------
    OptionError
        Subjects are nested, a name is of none of them, or there are too few groups.

    Warns
    -----
    SubjectWarning
        Subjects are in no group.
    """
    if design == "nested":
        raise OptionError(
            "groups: the subjects are nested in queries, a name being another person in another "
            "query, and cannot be in one group; groups are of crossed subjects"
        )
    given = getattr(groups, "by_subject", groups)
    require("groups", given, isinstance(given, Mapping), "must be {subject: group}")
    group = {str(subject): name for subject, name in given.items()}
    check_members(group, subjects, of)
    order = list(group)
    texts = check_text(
        list(group.values()), "groups", lambda row: f"groups, subject {shown(order[row])}"
    ).to_pylist()
    named = {subject: name for subject, name in zip(order, texts, strict=True) if name}
    members: dict[str, list[str]] = {name: [] for name in named.values()}
    for subject in subjects:
        if subject in named:
            members[named[subject]].append(subject)
    if len(members) < least:
        one = f"all subjects are in group {shown(next(iter(members)))}" if members else ""
        more = "; a comparison takes two groups or more" if least > 1 else ""
        raise OptionError(f"groups: {one or 'no subject is in any'}{more}")
    if others := len(subjects) - len(named):
        one, many = "subject is in no group and left out", "subjects are in no group and left out"
        warn(f"groups: {counted(others, one, many)}", errors.SubjectWarning)
    return {name: tuple(some) for name, some in members.items()}


def check_members(
    names: Iterable[str], subjects: tuple[str, ...], of: str = "these scores"
) -> None:
    """Raise `OptionError` unless all names in groups are those of subjects."""
    known = set(subjects)
    unknown = [name for name in names if name not in known]
    if unknown:
        raise OptionError(
            f"groups: {first_few(unknown, show=shown)} "
            f"{'is no subject' if len(unknown) == 1 else 'are no subjects'} of {of}"
            f"{nearest(unknown[0], subjects)}"
        )


# Grades that measures may read otherwise than they were meant.


#: what to do where scales differ
THRESHOLDS = "give each subject a threshold, rel={rel}"
_TOP_OF_GDEVAL = 4
_ACCIDENT = 0.01  # chance that some subject keeps below the top grades by accident


@singledispatch
def report_grades(truth: Any, measures: tuple[Measure, ...]) -> None:
    """Warn of scales that do not fit the measures or each other.

    Nothing by default; each kind of truth with grades that people gave registers its own function.
    """


@report_grades.register
def report_grades_of_judgments(truth: Judgments, measures: tuple[Measure, ...]) -> None:
    """Warn of grades and thresholds that do not go together, and of subjects' scales."""
    if all(m.compares_lists for m in measures):
        return
    grades, subjects = GradeRange.of(truth.grade), truth.subject
    _report_scale(grades, measures, truth.probability is not None, subjects is not None)
    if subjects is not None and truth.design == "crossed":
        subject, names = encode(subjects)
        query, item = encode(truth.query)[0].astype(np.int64), encode(truth.item)[0]
        pair = np.unique(query * (int(item.max()) + 1) + item, return_inverse=True)[1].reshape(-1)
        remedy = f"{THRESHOLDS}, or use truth.rescaled()"
        report_scales(pair, truth.grade, subject.astype(np.int64), names.to_pylist(), remedy)


@report_grades.register
def report_grades_of_parts(truth: PartedJudgments, measures: tuple[Measure, ...]) -> None:
    """Warn of grades and thresholds that do not go together; scales of subjects are not looked at.

    They would take all judgments of an item in one place.
    """
    of_subjects = "subject" in truth.columns
    _report_scale(truth.grades, measures, "probability" in truth.columns, of_subjects)


def _report_scale(
    grades: GradeRange, measures: tuple[Measure, ...], probabilities: bool, subjects: bool
) -> None:
    """Warn of grades and thresholds that do not go together.

    `probabilities` and `subjects` are whether there are any.
    """
    scored = [m for m in measures if not m.compares_lists]
    if not probabilities:
        _report_all_relevant(grades, scored)
        if not subjects:
            _report_top_grade(grades, scored)
    _report_fractions(grades, scored)


def _report_all_relevant(grades: GradeRange, measures: list[Measure]) -> None:
    low, high = grades.low, grades.high
    ungiven = [m for m in measures if getattr(m, "gains", None) is None]
    level_of = {str(m): m.threshold for m in ungiven if m.threshold is not None}
    level_of = {name: level for name, level in level_of.items() if low >= level}
    if low < high and level_of:
        levels = first_few(f"{level:g}" for level in sorted(set(level_of.values())))
        warn(
            f"every judged item counts as relevant for {few_measures(level_of)}: all "
            f"{counted(grades.count, 'grade')} are from {low:g} to {high:g}, and the threshold is "
            f"{levels}; if low grades mean not relevant, say which are, such as rel={high:g}",
            errors.AllRelevantWarning,
        )


def _report_fractions(grades: GradeRange, measures: list[Measure]) -> None:
    names = [str(m) for m in measures if m.threshold == 1]
    if grades.between and names:
        warn(
            f"{grades.between:,} of {counted(grades.count, 'grade')} are between 0 and 1, and so "
            f"not relevant for {few_measures(names)}, whose threshold is 1; if they are "
            "probabilities, use Judgments.from_probabilities or a column 'probability', else set a "
            "threshold, such as rel=0.5",
            errors.FractionWarning,
        )


def _report_top_grade(grades: GradeRange, measures: list[Measure]) -> None:
    named = [m for m in measures if m.name == "ERR" and getattr(m, "gmax", 0) is None]
    if named and 0 < grades.high < _TOP_OF_GDEVAL:
        theirs, ours = (replace(cast(Any, named[0]), gmax=g) for g in (_TOP_OF_GDEVAL, grades.high))
        warn(
            f"{few_measures(map(str, named))}: the scale is taken to end at {grades.high:g}, the "
            f"largest grade; gdeval and ir_measures always let it end at {_TOP_OF_GDEVAL}, which "
            f"gives other values; say which is meant: '{ours}' is what is computed, '{theirs}' "
            "what they compute",
            errors.MeasureNameWarning,
        )


def report_unreached(rel: Any, *votes: Judgments) -> None:
    """Warn of subjects who gave grades above 0, but none that reaches the threshold.

    Raises
    ------
    OptionError
        Nobody gave one.
    """
    largest: dict[str, float] = {}
    for each in votes:
        if each.subject is None:
            return
        code, names = encode(each.subject)
        tops = ranges(each.grade, code.astype(np.int64), len(names))[1]
        largest |= zip(names.to_pylist(), tops, strict=True)
    level = rel if isinstance(rel, Mapping) else dict.fromkeys(largest, rel)
    below = [name for name, top in largest.items() if top < level[name]]
    graded = [name for name in below if largest[name] > 0]
    if not graded:
        return
    listed = first_few(
        (f"{name} up to {largest[name]:g}, threshold {level[name]:g}" for name in graded),
        unit="subject",
        separator="; ",
    )
    if len(below) == len(largest):
        raise OptionError(f"rel: no grade reaches the threshold ({listed}); lower it")
    warn(
        f"rel: the grades of {len(graded):,} of {counted(len(largest), 'subject')} never reach the "
        f"threshold ({listed}), so that nothing is relevant by them; if their scales differ, "
        + THRESHOLDS.format(rel=f"{{{graded[0]!r}: ..., ...}}"),
        errors.ScaleWarning,
    )


def report_scales(
    pair: Ints, grade: Floats, subject: Ints, names: Sequence[str], remedy: str
) -> None:
    """Warn of subjects whose largest grade is too low to be so by accident.

    Parameters
    ----------
    pair, grade, subject : (rows,)
        See `short_scales`.
    names : sequence of str
        Of the subjects.
    remedy : str
        What to do; thresholds of all subjects take the place of ``{rel}``.
    """
    lowest, largest, short = short_scales(pair, grade, subject, len(names))
    if not short.any():
        return
    listed = first_few(
        (f"{names[s]} {lowest[s]:g} to {largest[s]:g}" for s in np.flatnonzero(short).tolist()),
        3,
        unit="subject",
    )
    example = names[int(short.argmax())]
    warn(
        f"grades of {counted(int(short.sum()), 'subject')} of {len(names):,} keep to a shorter "
        f"scale ({listed}) than those of the others (up to {grade.max():g}, as "
        f"{names[int(largest.argmax())]}); if their scales differ, "
        + remedy.format(rel=f"{{{example!r}: ..., ...}}"),
        errors.ScaleWarning,
    )


def short_scales(
    pair: Ints, grade: Floats, subject: Ints, n_subjects: int
) -> tuple[Floats, Floats, Bools]:
    """Which subjects keep to suspiciously low grades, on the items that others judged, too.

    Smallest and largest grade of each, and whether the largest is suspiciously low.

    A subject who graded as the others do would rarely keep so low: with n judgments of items that
    others judged, and a share p of the others' grades of these at least twice as large as the
    subject's largest (or the smallest positive one), the chance is (1 - p)ⁿ, which has to be below
    .01 divided by the number of subjects. Where k of m grades of the others are smaller, 1 - p is
    estimated by Laplace's (k + 1) / (m + 2), so that a few judgments prove nothing; single grades
    outside the scale, such as typing errors, hardly matter.

    Parameters
    ----------
    pair : (rows,) int
        What is judged, an item for a query.
    grade : (rows,) float
    subject : (rows,) int
    n_subjects : int
    """
    smallest, largest = ranges(grade, subject, n_subjects)
    if grade.max(initial=0.0) <= 0 or n_subjects < 2:
        return smallest, largest, np.zeros(n_subjects, dtype=bool)
    twice = 2 * np.maximum(largest, grade[grade > 0].min())  # above all of the subject's own grades
    levels = np.unique(grade)
    order = np.lexsort((grade, pair))
    key = pair * (len(levels) + 1) + np.searchsorted(levels, grade)  # by pair, then grade
    least = pair * (len(levels) + 1) + np.searchsorted(levels, twice[subject])
    end = np.searchsorted(pair[order], pair, side="right")
    higher = end - np.searchsorted(key[order], least)  # others' high grades of each row's pair
    others = end - np.searchsorted(pair[order], pair) - 1
    number = np.bincount(subject[others > 0], minlength=n_subjects)
    n_others = np.bincount(subject, others, n_subjects)
    smaller = (n_others - np.bincount(subject, higher, n_subjects) + 1) / (n_others + 2)
    short = number * np.log(smaller) < np.log(_ACCIDENT / n_subjects)
    return smallest, largest, short


# Queries without relevant items, for which recall-like measures are undefined.


Undefined = Literal["zero", "exclude"]

_RARE = 0.01  # a smaller share of worlds without relevant items is not worth a warning


def report_undefined_cells(
    without: Mapping[str, Bools], cells: Cells, queries: tuple[str, ...], *, exclude: bool
) -> None:
    """Warn with the number of cells without relevant items.

    Parameters
    ----------
    without : mapping from a measure's name to (cells,) bool
    cells : Cells
    queries : tuple of str
    exclude : bool
        Whether they are left out, or have the value that the measure gives to an empty result.
    """
    notes: dict[str, list[str]] = {}
    for name, none in without.items():
        if none.any():
            unit = "query" if cells.n_subjects == 1 else "subject–query pair"
            names = first_few(queries[j] for j in np.unique(cells.query[none]).tolist())
            where = f"{int(none.sum()):,} of {counted(len(none), unit)} ({names})"
            notes.setdefault(where, []).append(name)
    _report_undefined(notes, exclude=exclude)


def report_undefined_worlds(
    chance_of_none: Mapping[str, Floats], queries: tuple[str, ...], *, exclude: bool
) -> None:
    """Warn of queries without relevant items in a hundredth of the worlds or more.

    Parameters
    ----------
    chance_of_none : mapping from a measure's name to (queries,) float
    queries : tuple of str
    exclude : bool
    """
    notes: dict[str, list[str]] = {}
    for name, none in chance_of_none.items():
        at = np.flatnonzero(none >= _RARE)
        if len(at):
            names = first_few(queries[j] for j in at)
            where = (
                f"{len(at):,} of {counted(len(queries), 'query')} ({names}), in "
                f"{none[at].mean():.2g} of worlds"
            )
            notes.setdefault(where, []).append(name)
    _report_undefined(notes, exclude=exclude)


def _report_undefined(notes: Mapping[str, list[str]], *, exclude: bool) -> None:
    if notes:
        consequence = "are left out" if exclude else "count as nothing found"
        parts = (f"{few_measures(names)}: {where}" for where, names in notes.items())
        text = first_few(parts, separator="; ", unit="group")
        advice = "" if exclude else "; undefined='exclude' leaves them out"
        warn(
            f"no relevant item, so that these are undefined and {consequence}: {text}{advice}",
            errors.UndefinedMeasureWarning,
        )
