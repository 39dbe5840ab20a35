"""Scales of grades: a threshold or a range for each subject."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.validation import option_number
from fuzzytruth.errors import DataError, OptionError, counted, first_few, nearest, require, shown
from fuzzytruth.io.ids import encode

if TYPE_CHECKING:
    import pyarrow as pa


def reached(grade: Floats, subject: pa.LargeStringArray | None, rel: Any) -> Bools:
    """Which grades reach the threshold, one number or ``{subject: number}``: (rows,)."""
    if not isinstance(rel, Mapping):
        return grade >= option_number("rel", rel)
    code, names = _subjects("rel", subject, "one number")
    check_names("rel", rel, names)
    missing = [name for name in names if name not in rel]
    if missing:
        raise OptionError(
            f"rel: no threshold for {counted(len(missing), 'subject')}: {first_few(missing)}; give "
            "every subject one"
        )
    threshold = [option_number(f"rel[{shown(name)}]", rel[name]) for name in names]
    return grade >= np.array(threshold)[code]


def shares_of_scale(
    grade: Floats, subject: pa.LargeStringArray | None, scales: Any, *, nested: bool
) -> Floats:
    """Each grade as a share of its subject's scale: (rows,).

    Parameters
    ----------
    grade : (rows,) float
    subject : (rows,) or None
    scales : None, (low, high) or {subject: (low, high)}
        Subjects without a scale have the range of their grades.
    nested : bool
        Whether a name stands for another person in another query, so that it has no range.
    """
    names = ["all judgments"]
    code = np.zeros(len(grade), dtype=np.int64)
    if isinstance(scales, Mapping):
        code, names = _subjects("scales", subject, "scales=(low, high)")
        check_names("scales", scales, names)
        given = {names.index(str(name)): _scale(name, ends) for name, ends in scales.items()}
    elif scales is not None:
        given = {0: _scale(None, scales)}
    else:
        given = {}
        if subject is not None:
            code, names = _subjects("scales", subject, "")
    if nested and len(given) < len(names):
        raise OptionError(
            f"scales={shown(scales)}: the subjects are nested, so that a name stands for several "
            "people and their grades for several scales; give one scale for all, "
            "scales=(low, high)"
        )
    low, high = ranges(grade, code, len(names))
    _check_one_grade(low, high, names, given)
    for place, ends in given.items():
        low[place], high[place] = ends
    _check_inside(grade, low[code], high[code], [names[c] for c in code.tolist()])
    return (grade - low[code]) / (high - low)[code]


def _subjects(
    option: str, subject: pa.LargeStringArray | None, instead: str
) -> tuple[Ints, list[str]]:
    """The code of each row's subject, and the names."""
    if subject is None:
        raise OptionError(f"{option}: these judgments have no subjects; give {instead}")
    code, names = encode(subject)
    return code.astype(np.int64), names.to_pylist()


def check_names(option: str, given: Mapping[Any, Any], names: Sequence[str]) -> None:
    """Raise `OptionError` if a mapping by subject names somebody else."""
    for name in given:
        if name not in names:
            raise OptionError(
                f"{option}: {shown(name)} is not among the subjects{nearest(str(name), names)}: "
                f"{first_few(names)}"
            )


def split_by_subject(option: str, given: Any, *subjects: Sequence[str]) -> list[Any]:
    """An option for each of several groups of subjects: of a mapping by subject, their part."""
    if not isinstance(given, Mapping) or len(subjects) == 1:
        return [given] * len(subjects)
    check_names(option, given, [*dict.fromkeys(name for group in subjects for name in group)])
    return [{name: given[name] for name in group if name in given} for group in subjects]


def _scale(name: object, ends: Any) -> tuple[float, float]:
    """The two ends of a scale."""
    option = "scales" if name is None else f"scales[{shown(name)}]"
    pair = isinstance(ends, (tuple, list)) and len(ends) == 2
    require(option, ends, pair, "must be the lowest and the highest grade, (low, high)")
    low, high = (option_number(option, end) for end in ends)
    require(option, ends, low < high, "the highest grade must be above the lowest")
    return low, high


def ranges(grade: Floats, code: Ints, n: int) -> tuple[Floats, Floats]:
    """Smallest and largest grade by code: (n,) both."""
    low, high = np.full(n, np.inf), np.full(n, -np.inf)
    np.minimum.at(low, code, grade)
    np.maximum.at(high, code, grade)
    return low, high


def _check_one_grade(
    low: Floats, high: Floats, names: list[str], given: Mapping[int, tuple[float, float]]
) -> None:
    single = [c for c in np.flatnonzero(low == high).tolist() if c not in given]
    if single:
        listed = first_few(f"{names[c]} ({low[c]:g})" for c in single)
        raise DataError(
            f"rescaled: one and the same grade throughout, which shows no scale: {listed}; give "
            f"the scale, scales={{{shown(names[single[0]])}: (low, high)}}"
        )


def _check_inside(grade: Floats, low: Floats, high: Floats, name: list[str]) -> None:
    outside = np.flatnonzero((grade < low) | (grade > high))
    if len(outside):
        row = int(outside[0])
        raise DataError(
            f"scales: {counted(len(outside), 'grade')} outside the scale, the first "
            f"{grade[row]:g} of {shown(name[row])} in row {row + 1}, whose scale is from "
            f"{low[row]:g} to {high[row]:g}; correct the scale"
        )
