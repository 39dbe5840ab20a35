"""Grades by subjects: repeats, merging those of an item, and other scales."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from fuzzytruth import errors
from fuzzytruth._lazy import pa, pd
from fuzzytruth._typing import Array, Bools, Floats, Ints
from fuzzytruth.core.arithmetic import divide, segment_cumsum, segment_of, segment_sum
from fuzzytruth.core.validation import option_number
from fuzzytruth.errors import OptionError, counted, first_few, nearest, require, shown, warn
from fuzzytruth.io.column_names import may_name_people, may_tell_repeats
from fuzzytruth.io.columns import Locate, Origin, column_at, string_array, unused_hint
from fuzzytruth.io.ids import encode, find_items

_ROOM = 1 << 62  # places of 64-bit keys
_LARGEST = 1 << 32  # common multiple up to which weights are whole numbers


def groups_of(columns: Sequence[pa.LargeStringArray]) -> Ints:
    """The group of each row; rows of a group have equal ids in all columns: (rows,)."""
    return groups_of_codes([encode(column)[0] for column in columns])


def groups_of_codes(columns: Sequence[Array]) -> Ints:
    """The same for whole numbers from 0, each below the number of rows."""
    group, size = np.zeros(len(columns[0]), dtype=np.int64), 1
    for code in columns:
        n = int(code.max(initial=0)) + 1
        if size * n > _ROOM:
            group = codes_of(group)
            size = int(group.max(initial=0)) + 1
        group, size = group * n + code, size * n
    return codes_of(group)


def codes_of(values: Array) -> Ints:
    """The place of each value among the distinct ones: (values,)."""
    return np.unique(values, return_inverse=True)[1].reshape(-1)


def repeat_weights(columns: Sequence[pa.LargeStringArray]) -> Floats:
    """Weight of each row, in inverse proportion to the number of rows with the same ids: (rows,).

    Whole numbers where their least common multiple is small, so that sums of them are exact.
    """
    group = groups_of(columns)
    number = np.bincount(group)[group]
    multiple = math.lcm(*np.unique(number).tolist())
    return (multiple if multiple <= _LARGEST else 1) / number


def agreement_of_repeats(
    subject: pa.LargeStringArray, judged: Sequence[pa.LargeStringArray], grade: Floats
) -> pd.DataFrame:
    """Pairs of repeats of one subject's judgments, and the share of them with equal grades.

    Parameters
    ----------
    subject : (rows,)
    judged : sequence of (rows,)
        What is judged; rows of a subject with equal ids are repeats.
    grade : (rows,) float

    Returns
    -------
    DataFrame
        Columns subject, n_pairs, agreement (NaN without pairs).
    """
    code, names = encode(subject)
    group = groups_of([subject, *judged])
    pairs = _pairs_by(code, group, len(names))
    equal = _pairs_by(code, groups_of_codes([group, codes_of(grade)]), len(names))
    return pd.DataFrame(
        {
            "subject": names.to_pylist(),
            "n_pairs": pairs.astype(np.int64),
            "agreement": divide(equal, pairs, fill=np.nan),
        }
    )


def _pairs_by(owner: Array, group: Ints, n_owners: int) -> Floats:
    """Pairs of rows of the same group, summed up by the owner of the group: (owners,)."""
    _, first, size = np.unique(group, return_index=True, return_counts=True)
    out: Any = np.bincount(owner[first], weights=size * (size - 1) / 2, minlength=n_owners)
    return np.asarray(out, dtype=np.float64)


#: what becomes of several votes of one person on one item
Duplicates = Literal["error", "first", "last", "mean", "repeat"]
_KEPT = {"first": "the first is kept", "last": "the last is kept", "mean": "their mean is taken"}


def one_row_each(group: Ints, how: Duplicates, where: str) -> Ints:
    """The row of each group that is kept, in their order: the last, or else the first.

    Warns
    -----
    LeftOutWarning
        There are others, with their number.
    """
    backwards = group[::-1] if how == "last" else group
    rows = np.unique(backwards, return_index=True)[1]
    rows = np.sort(len(group) - 1 - rows if how == "last" else rows)
    if len(rows) < len(group):
        n_several = int((np.bincount(group) > 1).sum())
        warn(
            f"{where}: {counted(len(group) - len(rows), 'row')} of {len(group):,} left out, for "
            f"{counted(n_several, 'item was', 'items were')} judged several times by one person: "
            f"{_KEPT[how]}",
            errors.LeftOutWarning,
        )
    return rows


def numbered_within(group: Ints) -> pa.LargeStringArray:
    """Which one of its group each row is, from 1, as ids: (rows,)."""
    order = np.argsort(group, kind="stable")
    first = np.unique(group, return_index=True, return_counts=True)[2]
    nth = np.empty(len(group), dtype=np.int64)
    nth[order] = np.arange(len(group)) - np.repeat(np.cumsum(first) - first, first)
    return string_array(nth + 1)


Aggregation = Literal["mean", "median", "majority", "max", "min"]


def merge_grades(
    pair: Sequence[Array], grade: Floats, how: Aggregation, weight: Floats | None = None
) -> tuple[Ints, Floats]:
    """One grade for each distinct pair.

    Parameters
    ----------
    pair : sequence of (rows,) int
        Codes of what is graded: of the query, the item, and the intent if there are any. Rows with
        equal codes are grades of the same pair.
    grade : (rows,) float
    how : {"mean", "median", "majority", "max", "min"}
        See `Judgments.aggregate`.
    weight : (rows,) float, optional
        How much each row counts, by default 1. A row of weight 0 is as if it were not there, and
        each pair has another one.

    Returns
    -------
    first_row : (pairs,) int
        The first row of each pair, ascending.
    merged : (pairs,) float
    """
    weight = np.ones(len(grade)) if weight is None else weight
    rows = np.flatnonzero(weight > 0)
    rows = rows[np.lexsort((grade[rows], *(code[rows] for code in pair)))]
    differs = np.zeros(max(len(rows) - 1, 0), dtype=bool)
    for code in pair:
        differs |= np.diff(code[rows]) != 0
    start = np.flatnonzero(np.concatenate((np.ones(min(len(rows), 1), dtype=bool), differs)))
    first_row = np.minimum.reduceat(rows, start)
    offsets = np.append(start, len(rows))
    merged = _MERGES[how](grade[rows], weight[rows], offsets)
    order = np.argsort(first_row)
    return first_row[order], merged[order]


# Each takes the grades of all pairs end to end, ascending within a pair; their weights; and where
# each pair's grades start.


def _mean(grade: Floats, weight: Floats, offsets: Ints) -> Floats:
    mean = segment_sum(grade * weight, offsets) / segment_sum(weight, offsets)
    # Rounding must not move the mean of equal grades: that of 0.7, 0.7 and 0.7 is 0.7.
    return np.clip(mean, grade[offsets[:-1]], grade[offsets[1:] - 1])


def _median(grade: Floats, weight: Floats, offsets: Ints) -> Floats:
    """Half of the weight lies on either side; the middle, if that is between two grades."""
    half = np.repeat(segment_sum(weight, offsets) / 2, np.diff(offsets))
    running = segment_cumsum(weight, offsets)
    low, high = (offsets[:-1] + segment_sum(b, offsets) for b in (running < half, running <= half))
    return (grade[low] + grade[high]) / 2


def _majority(grade: Floats, weight: Floats, offsets: Ints) -> Floats:
    """The most frequent grade; of equally frequent ones, the lowest."""
    pair = segment_of(offsets)
    new = np.ones(len(grade), dtype=bool)
    new[1:] = (np.diff(grade) != 0) | (np.diff(pair) != 0)
    start = np.flatnonzero(new)  # of each grade of each pair
    votes = np.add.reduceat(weight, start)
    best = np.lexsort((grade[start], -votes, pair[start]))
    _, first = np.unique(pair[start][best], return_index=True)
    return grade[start][best[first]]


def _max(grade: Floats, weight: Floats, offsets: Ints) -> Floats:
    return grade[offsets[1:] - 1]


def _min(grade: Floats, weight: Floats, offsets: Ints) -> Floats:
    return grade[offsets[:-1]]


_MERGES: dict[Aggregation, Callable[[Floats, Floats, Ints], Floats]] = {
    "mean": _mean,
    "median": _median,
    "majority": _majority,
    "max": _max,
    "min": _min,
}


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
        raise errors.DataError(
            f"rescaled: one and the same grade throughout, which shows no scale: {listed}; give "
            f"the scale, scales={{{shown(names[single[0]])}: (low, high)}}"
        )


def _check_inside(grade: Floats, low: Floats, high: Floats, name: list[str]) -> None:
    outside = np.flatnonzero((grade < low) | (grade > high))
    if len(outside):
        row = int(outside[0])
        raise errors.DataError(
            f"scales: {counted(len(outside), 'grade')} outside the scale, the first "
            f"{grade[row]:g} of {shown(name[row])} in row {row + 1}, whose scale is from "
            f"{low[row]:g} to {high[row]:g}; correct the scale"
        )


def first_rows_and_sums(columns: list[Array], count: Floats) -> tuple[Array, Floats]:
    """First row of each group of rows that are equal in all columns, ascending, and its count."""
    group = groups_of_codes([codes_of(column) for column in columns])
    _, first = np.unique(group, return_index=True)
    total: Any = np.bincount(group, weights=count)
    order = np.argsort(first)
    return first[order], total[order]


def rows_named(axis: str, column: pa.LargeStringArray, names: Any, of: str = "judgments") -> Bools:
    """Which rows have one of the names: (rows,).

    Raises
    ------
    OptionError
        There are no names, or one is unknown; it begins with the `axis`.
    """
    given = [names] if isinstance(names, str) or not isinstance(names, Iterable) else [*names]
    wanted = [str(name) for name in given]
    if not wanted:
        raise OptionError(f"{axis}=(): name at least one")
    code, known = encode(column)
    place = find_items(wanted, known)
    present = known.to_pylist()
    unknown = [
        shown(name) + nearest(name, present)
        for name, at in zip(wanted, place.tolist(), strict=True)
        if at < 0
    ]
    if unknown:
        wrong = first_few(unknown, separator="; ")
        raise OptionError(f"{axis}: not among these {of}: {wrong}; known are {first_few(present)}")
    chosen = np.zeros(len(known), dtype=bool)
    chosen[place] = True
    return chosen[code]


def check_counted(
    columns: list[pa.LargeStringArray], grade: Floats, count: Floats, locate: Locate
) -> None:
    """Raise unless each grade of an item has one count, and each item some vote.

    `columns` are query and item, and the intent if any.
    """
    grade = grade + 0.0  # -0 is 0
    group = groups_of(columns)
    _, first, counted_grade = np.unique(
        groups_of_codes([group, codes_of(grade)]), return_index=True, return_inverse=True
    )
    again = np.flatnonzero(first[counted_grade] < np.arange(len(grade)))
    if len(again):
        second = int(again[0])
        raise errors.DataError(
            f"{column_at(locate, second, 'count')}: {_named(columns, second)} has two counts of "
            f"grade {grade[second]:g} (first: {locate(int(first[counted_grade[second]]))}); give "
            "their sum"
        )
    none = np.bincount(group, weights=count) == 0
    if none.any():
        row = int(np.flatnonzero(none[group])[0])
        raise errors.DataError(
            f"{column_at(locate, row, 'count')}: {_named(columns, row)} has no votes at all "
            f"({counted(int(none.sum()), 'such item')}); leave its rows out"
        )


def _named(columns: list[pa.LargeStringArray], row: int) -> str:
    """The item and the query of a row."""
    query, item = (shown(column[row].as_py()) for column in columns[:2])
    return f"item {item} of query {query}"


# Checks of columns of judgments against each other.


#: column -> what it stands for, and the columns that cannot stand beside it
_ALONE = {
    "probability": (
        "a probability already stands for the disagreement of subjects",
        ("subject", "position", "count", "repeat"),
    ),
    "count": ("a count is of people whose names are not known", ("subject", "position", "repeat")),
}


def check_together(where: str, columns: dict[str, Any]) -> None:
    """Raise if two columns exclude each other, or repeats have no subject."""
    for name, (reason, others) in _ALONE.items():
        for other in others:
            if columns[name] is not None and columns[other] is not None:
                raise errors.DataError(
                    f"{where}: has columns for {name!r} and for {other!r}; {reason}, so leave one "
                    "of them out"
                )
    if columns["repeat"] is not None and columns["subject"] is None:
        raise errors.DataError(
            f"{where}: has a column for 'repeat' and none for 'subject'; add one that names whose "
            "repeats they are, if only one person's or model's"
        )


_WHICH = "duplicates='first' (or 'last', 'mean', 'repeat')"


def advice_on_duplicates(locate: Locate, columns: Mapping[str, Any]) -> str:
    """What to do where an item is judged twice, by the columns of ids that there are."""
    unused = locate.unused if isinstance(locate, Origin) else ()
    people, repeats = may_name_people(unused), may_tell_repeats(unused)
    if "subject" in columns:
        once = "once for each intent" if "intent" in columns else "once"
        name_it = f", such as columns={{'repeat': {repeats[0]!r}}}" if repeats else ""
        return (
            f"a subject judges an item {once}, unless a column 'repeat' tells its judgments "
            f"apart{name_it}; or say which counts: {_WHICH}"
        )
    if repeats and not people:
        return (
            f"if {repeats[0]!r} tells repeats by one subject apart, name both: "
            f"columns={{'repeat': {repeats[0]!r}, 'subject': '...'}}; else keep one row"
        )
    hint = unused_hint(locate, "subject", "says who judged", people)
    hint = hint or "if several people judged, add a column that names them; else "
    return f"{hint}keep one row, or say which counts: {_WHICH}"
