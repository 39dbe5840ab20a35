"""Columns of judgments: what is in them, other scales of grades, and writing them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar

import numpy as np

from fuzzytruth._typing import U64, Array, Bools, Floats, Ints
from fuzzytruth.core.checksums import bits_of, digest, row_keys, sum_of_keys
from fuzzytruth.core.validation import option_number
from fuzzytruth.data.repeats import (
    agreement_of_repeats,
    codes_of,
    groups_of,
    groups_of_codes,
    repeat_weights,
)
from fuzzytruth.errors import DataError, OptionError, counted, first_few, nearest, require, shown
from fuzzytruth.io.column_names import normalised
from fuzzytruth.io.columns import (
    Locate,
    Origin,
    check_text,
    column_at,
    encode,
    find_items,
    hash_ids,
    take,
)
from fuzzytruth.io.files import as_path
from fuzzytruth.show.answer import Column, Printed, Result, Sentences, Table
from fuzzytruth.show.answer_rows import FIRST_ROWS, first_rows_table, short_id
from fuzzytruth.show.number_text import values_format, written

if TYPE_CHECKING:
    import pandas as pd
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


# Checks of columns of judgments against each other.


#: column -> what it stands for, and the columns that cannot stand beside it
_ALONE = {
    "probability": (
        "a probability already stands for the disagreement of subjects",
        ("subject", "position", "count", "repeat"),
    ),
    "count": (
        "a count is of people whose names are not known",
        ("subject", "position", "repeat"),
    ),
}


def check_together(where: str, columns: dict[str, Any]) -> None:
    """Raise if two columns exclude each other, or repeats have no subject."""
    for name, (reason, others) in _ALONE.items():
        for other in others:
            if columns[name] is not None and columns[other] is not None:
                raise DataError(
                    f"{where}: has columns for {name!r} and for {other!r}; {reason}, so leave one "
                    "of them out"
                )
    if columns["repeat"] is not None and columns["subject"] is None:
        raise DataError(
            f"{where}: has a column for 'repeat' and none for 'subject'; add one that names whose "
            "repeats they are, if only one person's or model's"
        )


def is_idle_iteration(intents: Any, origin: Origin) -> bool:
    """Whether a column of intents is `iteration`, the same throughout as in most TREC judgments."""
    if normalised(origin.names.get("intent", "")) != "iteration":
        return False
    return len(check_text(intents, "intent", origin).unique()) < 2


def check_counted(
    columns: list[pa.LargeStringArray], grade: Floats, count: Floats, locate: Locate
) -> None:
    """Raise unless each grade of an item has one count, and each item some vote.

    Parameters
    ----------
    columns : list of (rows,)
        Query and item, and the intent if any.
    grade, count : (rows,) float
    locate : callable
    """
    grade = grade + 0.0  # -0 is 0
    group = groups_of(columns)
    _, first, counted_grade = np.unique(
        groups_of_codes([group, codes_of(grade)]), return_index=True, return_inverse=True
    )
    again = np.flatnonzero(first[counted_grade] < np.arange(len(grade)))
    if len(again):
        second = int(again[0])
        raise DataError(
            f"{column_at(locate, second, 'count')}: {_named(columns, second)} has two counts of "
            f"grade {grade[second]:g} (first: {locate(int(first[counted_grade[second]]))}); give "
            "their sum"
        )
    none = np.bincount(group, weights=count) == 0
    if none.any():
        row = int(np.flatnonzero(none[group])[0])
        raise DataError(
            f"{column_at(locate, row, 'count')}: {_named(columns, row)} has no votes at all "
            f"({counted(int(none.sum()), 'such item')}); leave its rows out"
        )


def _named(columns: list[pa.LargeStringArray], row: int) -> str:
    """The item and the query of a row."""
    query, item = (shown(column[row].as_py()) for column in columns[:2])
    return f"item {item} of query {query}"


def first_rows_and_sums(columns: list[Array], count: Floats) -> tuple[Array, Floats]:
    """First row of each group of rows that are equal in all columns, ascending, and its count."""
    group = groups_of_codes([codes_of(column) for column in columns])
    _, first = np.unique(group, return_index=True)
    total: Any = np.bincount(group, weights=count)
    order = np.argsort(first)
    return first[order], total[order]


def rows_named(axis: str, column: pa.LargeStringArray, names: Any) -> Bools:
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
    unknown = [
        shown(name) + nearest(name, known.to_pylist())
        for name, at in zip(wanted, place.tolist(), strict=True)
        if at < 0
    ]
    if unknown:
        raise OptionError(
            f"{axis}: not among these judgments: {first_few(unknown, separator='; ')}"
        )
    chosen = np.zeros(len(known), dtype=bool)
    chosen[place] = True
    return chosen[code]


# What is printed of judgments.


MOST_GRADES = 8
_MOST_NAMES = 8
_DESIGNS = {
    "crossed": "a name is one person over all queries",
    "nested": "a name is one person within a query only",
}


def judgments_answer(
    name: str, columns: Mapping[str, Any], subjects: tuple[str, ...] | None, design: str
) -> Printed:
    """What `print` shows: counts, grades, subjects and the first rows.

    Parameters
    ----------
    name : str
        The repr of the judgments.
    columns : mapping of str to column
        Those that there are, in the order of the table.
    subjects : tuple of str or None
    design : {"crossed", "nested"}
    """
    n_items = len(columns["item"].unique())
    who = "One truth, by an unknown author."
    if subjects is not None:
        who = f"Subjects ({_DESIGNS[design]}): {first_few(map(short_id, subjects), _MOST_NAMES)}"
    elif "probability" in columns:
        who = "No subjects: an item has its grade with the probability given, else grade 0."
    elif "count" in columns:
        who = "No names: the count is that of the people who gave the item the grade."
    first = {}
    for key, column in columns.items():
        part = column[:FIRST_ROWS]
        first[key] = part.tolist() if isinstance(part, np.ndarray) else part.to_pylist()
    return Printed.of(
        f"Judgments: {name.partition('(')[2].removesuffix(')')}, {counted(n_items, 'item')}",
        Sentences.of(who),
        _grades(columns["grade"], columns.get("count")),
        first_rows_table(first, len(columns["grade"]), rest=".to_frame()"),
    )


def _grades(grade: Floats, count: Floats | None) -> Table:
    """How often each grade was given; of many grades, quartiles."""
    values, which = np.unique(grade, return_inverse=True)
    if len(values) > MOST_GRADES:
        ends = np.quantile(grade, (0.0, 0.25, 0.5, 0.75, 1.0)).tolist()
        style = values_format(ends, 3)
        heads = ("lowest", "25 %", "median", "75 %", "highest")
        cells = (
            Column(head, (written(end, style),)) for head, end in zip(heads, ends, strict=True)
        )
        return Table(tuple(cells), f"Quantiles of {len(values):,} different grades")
    style = values_format(values.tolist(), 3)
    number = np.bincount(which.reshape(-1), weights=count, minlength=len(values))
    return Table(
        (
            Column("grade", tuple(written(value, style) for value in values.tolist())),
            Column("judgments", tuple(f"{n:,.0f}" for n in number.tolist())),
            Column("share", tuple(f"{n / number.sum():.3f}" for n in number.tolist())),
        )
    )


Design = Literal["crossed", "nested"]
AnyJudgments = TypeVar("AnyJudgments", bound="JudgmentColumns")

#: names of the columns of ids, and of all others
IDS = ("query", "item", "intent", "subject", "repeat")
NUMBERS = ("grade", "position", "probability", "count")
#: columns in the order of a table
COLUMN_NAMES = (*IDS, "grade", "count", "probability", "position")


# No slots: cached properties need a `__dict__`.
@dataclass(frozen=True, eq=False, repr=False)
class JudgmentColumns(Result):
    """The columns of `Judgments`, checked."""

    query: pa.LargeStringArray
    item: pa.LargeStringArray
    grade: Floats
    subject: pa.LargeStringArray | None = None
    position: Floats | None = None
    design: Design = "crossed"
    probability: Floats | None = None
    intent: pa.LargeStringArray | None = None
    count: Floats | None = None
    repeat: pa.LargeStringArray | None = None

    def __len__(self) -> int:
        return len(self.grade)

    def __repr__(self) -> str:
        parts = [
            counted(len(self), "row"),
            counted(len(self.queries), "query"),
        ]
        intents, subjects = self.intents, self.subjects
        if intents is not None:
            parts.append(counted(len(intents), "intent"))
        if subjects is not None:
            parts += [counted(len(subjects), "subject"), self.design]
        if self.probability is not None:
            parts.append("probabilities")
        if self.repeat is not None:
            parts.append("repeats")
        if self.count is not None:
            parts.append(f"counts of {self.count.sum():,.0f} votes")
        return f"Judgments({', '.join(parts)})"

    def _answer(self) -> Printed:
        return judgments_answer(repr(self), self.present(COLUMN_NAMES), self.subjects, self.design)

    @cached_property
    def checksum(self) -> str:
        """Checksum, whatever the order of the rows."""
        return digest(self.key_total, len(self), *self.present((*IDS, *NUMBERS)), self.design)

    @property
    def key_total(self) -> int:
        """Sum of the keys of the rows; those of parts add up to that of the whole, modulo 2^64."""
        ids, numbers = self.present(IDS), self.present(NUMBERS)

        def keys(rows: slice) -> U64:
            texts = (hash_ids(column[rows]) for column in ids.values())
            return row_keys(*texts, *(bits_of(column[rows]) for column in numbers.values()))

        return sum_of_keys(keys, len(self))

    @property
    def queries(self) -> tuple[str, ...]:
        """Ids of the judged queries, in order of first appearance."""
        return tuple(self.query.unique().to_pylist())

    @property
    def subjects(self) -> tuple[str, ...] | None:
        """Names of the subjects, in order of first appearance; None if there are none."""
        return None if self.subject is None else tuple(self.subject.unique().to_pylist())

    @property
    def intents(self) -> tuple[str, ...] | None:
        """Names of the intents, in order of first appearance; None if there are none."""
        return None if self.intent is None else tuple(self.intent.unique().to_pylist())

    def present(self, names: tuple[str, ...]) -> dict[str, Any]:
        """Those of the named columns that there are."""
        return {n: column for n in names if (column := getattr(self, n)) is not None}

    @cached_property
    def weight(self) -> Floats | None:
        """Weight of each row among those of its item, up to a common factor: (rows,).

        The count, or 1 over the number of the subject's repeats. None: all weigh the same.
        """
        if self.repeat is None:
            return self.count
        by = self.present(IDS[:-1])
        return repeat_weights(list(by.values()))

    def select(
        self,
        *,
        subjects: Iterable[str] | str | None = None,
        queries: Iterable[str] | str | None = None,
    ) -> Self:
        """The judgments of some subjects, of some queries, or both.

        Parameters
        ----------
        subjects, queries : str or iterable of str, optional
            By default all. Rows stay in their order.

        Returns
        -------
        Judgments

        Raises
        ------
        OptionError
            A name is unknown, there are no subjects, or nothing is left.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> votes = ft.Judgments.from_columns(
        ...     ["q", "q", "r"], ["a", "a", "b"], [3, 1, 2], subject=["ann", "bob", "ann"])
        >>> votes.select(subjects="ann", queries=["q"])
        Judgments(1 row, 1 query, 1 subject, crossed)
        """
        if subjects is not None and self.subject is None:
            raise OptionError(f"subjects={shown(subjects)}: these judgments have no subjects")
        kept = np.ones(len(self), dtype=bool)
        for axis, column, names in (
            ("subjects", self.subject, subjects),
            ("queries", self.query, queries),
        ):
            if column is not None and names is not None:
                kept &= rows_named(axis, column, names)
        if not kept.any():
            raise OptionError(
                "none of the subjects selected judged any of the queries selected, so that no "
                "judgment is left"
            )
        return taken(self, np.flatnonzero(kept))

    def binary(self, rel: float | Mapping[str, float]) -> Self:
        """Grades 1 from a threshold on, and 0 below it; negative grades below it stay.

        Parameters
        ----------
        rel : number or mapping of subject to number
            The lowest grade that is relevant: one for all, or each subject's own.

        Returns
        -------
        Judgments

        Raises
        ------
        OptionError
            A threshold is not a finite number (above 0 for probabilities), a subject has none, or a
            name is not that of a subject.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> votes = ft.Judgments.from_columns(
        ...     ["q", "q"], ["a", "a"], [3, 1], subject=["ann", "bob"])
        >>> votes.binary({"ann": 4, "bob": 1}).grade.tolist()
        [0.0, 1.0]
        """
        relevant = reached(self.grade, self.subject, rel)
        if self.probability is not None and not isinstance(rel, Mapping):
            rule = "must be above 0, for an item without its grade has grade 0"
            require("rel", rel, rel > 0, rule)
        # a negative grade stays one, which bpref and infAP take as not judged
        grade = np.where(relevant, 1.0, np.minimum(self.grade, 0.0))
        if self.count is None:
            return replace(self, grade=grade)
        rows, count = first_rows_and_sums(
            [*map(_codes, self.present(IDS).values()), grade], self.count
        )
        ids = {name: take(column, rows) for name, column in self.present(IDS).items()}
        return replace(self, **ids, grade=grade[rows], count=count)

    def rescaled(
        self, scales: tuple[float, float] | Mapping[str, tuple[float, float]] | None = None
    ) -> Self:
        """Grades as shares of the scale of each subject, from 0 to 1.

        A grade g on a scale from low to high becomes (g - low) / (high - low).

        Parameters
        ----------
        scales : (low, high) or mapping of subject to (low, high), optional
            The lowest and the highest grade that could be given: one scale for all, or that of some
            subjects. By default, a subject's scale is the range of the grades that it gave; without
            subjects, that of all grades.

        Returns
        -------
        Judgments
            A measure's threshold then is a share, too: ``P(rel=0.5)@10``.

        Raises
        ------
        DataError
            A subject without a scale gave one and the same grade throughout, or a grade is outside
            its scale.
        OptionError
            A scale is not two ascending numbers, a name is not that of a subject, the subjects are
            nested and have no scale, or the judgments are probabilities.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> votes = ft.Judgments.from_columns(
        ...     ["q", "q", "q"], ["a", "b", "a"], [3, 5, 1], subject=["ann", "ann", "bob"])
        >>> votes.rescaled({"ann": (1, 5), "bob": (0, 1)}).grade.tolist()
        [0.5, 1.0, 1.0]
        """
        if self.probability is not None:
            raise OptionError(
                "rescaled: these judgments are probabilities, which are shares already"
            )
        nested = self.design == "nested" and self.subject is not None
        shares = shares_of_scale(self.grade, self.subject, scales, nested=nested)
        return replace(self, grade=shares)

    def self_agreement(self) -> pd.DataFrame:
        """Share of pairs of repeats in which a subject gave the same item the same grade.

        Intra-rater agreement as the observed share, not corrected for chance. Every pair of
        repeats weighs the same, so that an item judged ten times has 45.

        Returns
        -------
        DataFrame
            One row a subject: subject, n_pairs, agreement (NaN for a subject without repeats).

        Raises
        ------
        DataError
            The judgments have no repeats.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> votes = ft.Judgments.from_columns(
        ...     ["q"] * 3, ["a"] * 3, [1, 1, 0], subject=["ann"] * 3, repeat=[1, 2, 3])
        >>> votes.self_agreement()
          subject  n_pairs  agreement
        0     ann        3   0.333333
        """
        if self.subject is None or self.repeat is None:
            raise DataError(
                "self_agreement: these judgments have no repeats; name them in a column 'repeat'"
            )
        judged = [c for c in (self.query, self.item, self.intent) if c is not None]
        return agreement_of_repeats(self.subject, judged, self.grade)

    def to_frame(self) -> pd.DataFrame:
        """One row a judgment: query, item and grade, and any other columns that there are."""
        import pandas as pd

        columns = self.present(COLUMN_NAMES)
        return pd.DataFrame(
            {n: c.to_pylist() if n in IDS else c.copy() for n, c in columns.items()}
        )

    def write(self, path: str | Path) -> None:
        """Write to a file in the format given by the ending of its name.

        `.csv`, `.tsv`, `.json`, `.jsonl`, `.parquet`; `.txt`, `.run`, `.qrels`, `.trec`, `.res` or
        no ending for TREC; `.gz` of each.

        Raises
        ------
        DataError
            The file cannot be written, its ending names no format, or the format is TREC and there
            are intents, positions, probabilities, counts, repeats or ids with white space.
        """
        from fuzzytruth.io.writing import write_judgments

        write_judgments(self.to_frame(), as_path("path", path))


def taken(truth: AnyJudgments, rows: Ints) -> AnyJudgments:
    """The judgments in some rows, in this order."""
    columns = {
        name: take(column, rows) if name in IDS else column[rows]
        for name, column in truth.present(COLUMN_NAMES).items()
    }
    return replace(truth, **columns)


def _codes(column: pa.LargeStringArray) -> Array:
    return encode(column)[0]
