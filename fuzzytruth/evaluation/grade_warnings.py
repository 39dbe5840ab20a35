"""Warnings of grades that measures may read otherwise than they were meant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import singledispatch
from typing import Any, cast

import numpy as np

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.data.grading import ranges
from fuzzytruth.data.judgments import Judgments
from fuzzytruth.data.parted import GradeRange, PartedJudgments
from fuzzytruth.errors import (
    AllRelevantWarning,
    FractionWarning,
    MeasureNameWarning,
    OptionError,
    ScaleWarning,
    counted,
    first_few,
    warn,
)
from fuzzytruth.evaluation.undefined import few_measures
from fuzzytruth.io.ids import encode
from fuzzytruth.measures import Measure

#: what to do where scales differ
THRESHOLDS = "give each subject a threshold, rel={rel}"
_TOP_OF_GDEVAL = 4
_RARE = 0.01  # chance that some subject keeps below the top grades by accident


@singledispatch
def report_grades(truth: Any, measures: tuple[Measure, ...]) -> None:
    """Warn of scales that do not fit the measures or each other.

    Nothing by default; each kind of truth with grades that people gave registers its own function.
    """


@report_grades.register
def report_grades_of_judgments(truth: Judgments, measures: tuple[Measure, ...]) -> None:
    """Warn of grades and thresholds that do not go together, and of subjects' scales."""
    scored = [m for m in measures if not m.compares_lists]
    if not scored:
        return
    grades = GradeRange.of(truth.grade)
    if truth.probability is None:
        _report_all_relevant(grades, scored)
        if truth.subject is None:
            _report_top_grade(grades, scored)
    _report_fractions(grades, scored)
    if truth.subject is not None and truth.design == "crossed":
        subject, names = encode(truth.subject)
        query, item = encode(truth.query)[0].astype(np.int64), encode(truth.item)[0]
        pair = np.unique(query * (int(item.max()) + 1) + item, return_inverse=True)[1].reshape(-1)
        remedy = f"{THRESHOLDS}, or use truth.rescaled()"
        report_scales(pair, truth.grade, subject.astype(np.int64), names.to_pylist(), remedy)


@report_grades.register
def report_grades_of_parts(truth: PartedJudgments, measures: tuple[Measure, ...]) -> None:
    """Warn of grades and thresholds that do not go together; scales of subjects are not looked at.

    They would take all judgments of an item in one place.
    """
    scored = [m for m in measures if not m.compares_lists]
    if "probability" not in truth.columns:
        _report_all_relevant(truth.grades, scored)
        if "subject" not in truth.columns:
            _report_top_grade(truth.grades, scored)
    _report_fractions(truth.grades, scored)


def _report_all_relevant(grades: GradeRange, measures: list[Measure]) -> None:
    low, high = grades.low, grades.high
    ungiven = [m for m in measures if getattr(m, "gains", None) is None]
    names = [str(m) for m in ungiven if m.threshold is not None and low >= m.threshold]
    if low < high and names:
        warn(
            f"every judged item counts as relevant for {few_measures(names)}: all "
            f"{counted(grades.count, 'grade')} are from {low:g} to {high:g}, and the threshold is "
            f"{_thresholds(measures, names)}; if low grades mean not relevant, say which are, such "
            f"as rel={high:g}",
            AllRelevantWarning,
        )


def _report_fractions(grades: GradeRange, measures: list[Measure]) -> None:
    names = [str(m) for m in measures if m.threshold == 1]
    if grades.between and names:
        warn(
            f"{grades.between:,} of {counted(grades.count, 'grade')} are between 0 and 1, and so "
            f"not relevant for {few_measures(names)}, whose threshold is 1; if they are "
            "probabilities, use Judgments.from_probabilities or a column 'probability', else set a "
            "threshold, such as rel=0.5",
            FractionWarning,
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
            MeasureNameWarning,
        )


def _thresholds(measures: list[Measure], names: list[str]) -> str:
    """The thresholds of the named measures."""
    levels = {m.threshold for m in measures if str(m) in names and m.threshold is not None}
    return first_few(f"{level:g}" for level in sorted(levels))


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
        ScaleWarning,
    )


@dataclass(frozen=True, slots=True, eq=False)
class ShortScales:
    """Grades that subjects use.

    Parameters
    ----------
    smallest, largest : (subjects,) float
    short : (subjects,) bool
        Whether the largest is suspiciously low.
    """

    smallest: Floats
    largest: Floats
    short: Bools


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
    scales = short_scales(pair, grade, subject, len(names))
    lowest, largest, short = scales.smallest, scales.largest, scales.short
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
        ScaleWarning,
    )


def short_scales(pair: Ints, grade: Floats, subject: Ints, n_subjects: int) -> ShortScales:
    """Which subjects keep to suspiciously low grades, on the items that others judged, too.

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
    if grade.max() <= 0 or n_subjects < 2:
        return ShortScales(smallest, largest, np.zeros(n_subjects, dtype=bool))
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
    short = number * np.log(smaller) < np.log(_RARE / n_subjects)
    return ShortScales(smallest, largest, short)
