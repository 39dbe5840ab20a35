"""Columns of judgments: what is in them, other scales of grades, and writing them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar

import numpy as np

from fuzzytruth._typing import U64, Array, Floats, Ints
from fuzzytruth.core.checksums import bits_of, digest, row_keys, sum_of_keys
from fuzzytruth.data.judgment_checks import first_rows_and_sums, rows_named
from fuzzytruth.data.judgments_answer import judgments_answer
from fuzzytruth.data.repeats import agreement_of_repeats, repeat_weights
from fuzzytruth.data.scales import reached, shares_of_scale
from fuzzytruth.errors import DataError, OptionError, counted, require, shown
from fuzzytruth.io.answer import Answer, Printed
from fuzzytruth.io.arrow import take
from fuzzytruth.io.ids import encode, hash_ids
from fuzzytruth.io.paths import as_path

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

Design = Literal["crossed", "nested"]
AnyJudgments = TypeVar("AnyJudgments", bound="JudgmentColumns")

#: names of the columns of ids, and of all others
IDS = ("query", "item", "intent", "subject", "repeat")
NUMBERS = ("grade", "position", "probability", "count")
#: columns in the order of a table
COLUMN_NAMES = (*IDS, "grade", "count", "probability", "position")


# No slots: cached properties need a `__dict__`.
@dataclass(frozen=True, eq=False, repr=False)
class JudgmentColumns(Answer):
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
