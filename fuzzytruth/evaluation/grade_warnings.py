"""Warnings of grades that measures may read otherwise than they were meant."""

from __future__ import annotations

from typing import Any

import numpy as np

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.data.judgments import Judgments
from fuzzytruth.errors import (
    AllRelevantWarning,
    FractionWarning,
    ScaleWarning,
    counted,
    first_few,
    warn,
)
from fuzzytruth.evaluation.measure_names import few_measures
from fuzzytruth.io.ids import encode
from fuzzytruth.measures import Measure

_RARE = 0.01  # chance that some subject keeps below the top grades by accident


def report_grades(truth: Any, measures: tuple[Measure, ...]) -> None:
    """Warn of scales that do not fit the measures or each other; other truths have no grades."""
    scored = [m for m in measures if not m.compares_lists]
    if not isinstance(truth, Judgments) or not scored:
        return
    if truth.probability is None:
        _report_all_relevant(truth.grade, scored)
    _report_fractions(truth.grade, scored)
    if truth.subject is not None and truth.design == "crossed":
        subject, names = encode(truth.subject)
        _report_scales(truth.grade, subject.astype(np.int64), names.to_pylist())


def _report_all_relevant(grade: Floats, measures: list[Measure]) -> None:
    low, high = grade.min(), grade.max()
    names = [str(m) for m in measures if m.threshold is not None and low >= m.threshold]
    if low < high and names:
        warn(
            f"every judged item counts as relevant for {few_measures(names)}: all "
            f"{counted(len(grade), 'grade')} are from {low:g} to {high:g}, and the threshold is "
            f"{_thresholds(measures, names)}; if low grades mean not relevant, say which are, such "
            f"as rel={high:g}",
            AllRelevantWarning,
        )


def _report_fractions(grade: Floats, measures: list[Measure]) -> None:
    names = [str(m) for m in measures if m.threshold == 1]
    between = int(((grade > 0) & (grade < 1)).sum())
    if between and names:
        warn(
            f"{between:,} of {counted(len(grade), 'grade')} are between 0 and 1, and so not "
            f"relevant for {few_measures(names)}, whose threshold is 1; if they are probabilities, "
            "use Judgments.from_probabilities or a column 'probability', else set a threshold, "
            "such as rel=0.5",
            FractionWarning,
        )


def _thresholds(measures: list[Measure], names: list[str]) -> str:
    """The thresholds of the named measures."""
    levels = {m.threshold for m in measures if str(m) in names and m.threshold is not None}
    return first_few(f"{level:g}" for level in sorted(levels))


def _report_scales(grade: Floats, subject: Ints, names: list[str]) -> None:
    """Warn of subjects whose largest grade is too low to be so by accident."""
    lowest, largest, short = short_scales(grade, subject, len(names))
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
        f"{names[int(largest.argmax())]}); if their scales "
        f"differ, give each subject a threshold, rel={{{example!r}: ..., ...}}, or use "
        "truth.rescaled()",
        ScaleWarning,
    )


def short_scales(grade: Floats, subject: Ints, n_subjects: int) -> tuple[Floats, Floats, Bools]:
    """Smallest and largest grade of each subject, and whether the largest is suspiciously low.

    It is so if a subject who graded as the others do would rarely have kept so low: with n
    judgments, and a share p of the others' grades at least twice as large as the subject's largest
    (or the smallest positive one), the chance is (1 - p)ⁿ, which has to be below .01 divided by the
    number of subjects. Where k of m grades of the others are smaller, 1 - p is estimated by
    Laplace's (k + 1) / (m + 2), so that a few judgments prove nothing; single grades outside the
    scale, such as typing errors, hardly matter.

    Parameters
    ----------
    grade : (rows,) float
    subject : (rows,) int
    n_subjects : int

    Returns
    -------
    smallest, largest : (subjects,) float
    short : (subjects,) bool
    """
    largest = np.full(n_subjects, -np.inf)
    smallest = np.full(n_subjects, np.inf)
    np.maximum.at(largest, subject, grade)
    np.minimum.at(smallest, subject, grade)
    number = np.bincount(subject, minlength=n_subjects)
    if grade.max() <= 0 or n_subjects < 2:
        return smallest, largest, np.zeros(n_subjects, dtype=bool)
    twice = 2 * np.maximum(largest, grade[grade > 0].min())  # above all of the subject's own grades
    higher = len(grade) - np.searchsorted(np.sort(grade), twice, side="left")
    others = len(grade) - number
    smaller = (others - higher + 1) / (others + 2)
    return smallest, largest, number * np.log(smaller) < np.log(_RARE / n_subjects)
