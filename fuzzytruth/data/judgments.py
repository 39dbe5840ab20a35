"""Judgments: the grade that each subject gave to each item for each query."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from fuzzytruth import errors
from fuzzytruth._lazy import pa, pd
from fuzzytruth._typing import U64, Floats, Ints
from fuzzytruth.core.checksums import bits_of, digest, row_keys, sum_of_keys
from fuzzytruth.data import grading
from fuzzytruth.errors import OptionError, counted, first_few, is_among, nearest, shown
from fuzzytruth.io.column_names import normalised, report_people
from fuzzytruth.io.columns import Columns, Locate, Origin, check_text, locate_by_row, refuse_repeats
from fuzzytruth.io.files import as_path
from fuzzytruth.io.ids import encode, hash_ids, take
from fuzzytruth.io.numbers import check_columns
from fuzzytruth.io.table_files import table_of
from fuzzytruth.io.tables import ColumnRequest, flatten, with_grades
from fuzzytruth.show.answer import Column, Parts, Result, Table
from fuzzytruth.show.answer_rows import FIRST_ROWS, first_rows_table, short_id
from fuzzytruth.show.number_text import values_format, written

Design = Literal["crossed", "nested"]

#: names of the columns of ids, and of all others
IDS = ("query", "item", "intent", "subject", "repeat")
NUMBERS = ("grade", "position", "probability", "count")
#: columns in the order of a table
COLUMN_NAMES = (*IDS, "grade", "count", "probability", "position")
_DESIGNS = {
    "crossed": "a name is one person over all queries",
    "nested": "a name is one person within a query only",
}
#: what the only query is called of votes without queries
ONE_QUERY = "the only query"
_MOST_GRADES = _MOST_NAMES = 8  # that are printed


#: the columns of judgments, under any of their usual names; see `Judgments.from_frame`
COLUMNS = ColumnRequest(
    ("query", "item"),
    ("intent", "subject", "position", "count", "repeat"),
    "grade",
    any_of=("grade", "probability"),
    excluded=(("count", ("subject", "probability")),),
    takes_score=True,
    wide_as="subject",
    readers=("read_judgments(path", "Judgments.from_frame(frame"),
)


# No slots: cached properties need a `__dict__`.
@dataclass(frozen=True, eq=False, repr=False)
class Judgments(Result):
    """Grades that subjects gave to items, one row a judgment.

    Make them with `read_judgments`, `from_frame` or `from_dict`; the constructor takes columns that
    have been checked.

    Parameters
    ----------
    query, item : Arrow arrays of strings, (rows,)
    grade : (rows,) float
        Any finite number; larger is more relevant, 0 and below is not relevant.
    subject : Arrow array of strings, (rows,), or None
        Who gave the grade. None: a single truth by an unknown author.
    position : (rows,) float or None
        Rank of the item in the subject's own list, from 1.
    design : {"crossed", "nested"}
        Whether a name stands for one person over all queries, or only within a query
        ("reader 1" of two cases need not be the same person).
    probability : (rows,) float or None
        Probability that the item has its grade; otherwise it has grade 0. None: grades are certain.
    intent : Arrow array of strings, (rows,), or None
        The intent (subtopic, aspect) of the query for which the item was judged. An item is judged
        once for each, and not relevant to others. Measures that do not know intents see each
        (query, item, subject) once, with the largest of its grades. None: queries have no intents.
    count : (rows,) float or None
        How many people, whose names are not known, gave the item this grade; an item then has a row
        for each grade that it was given. None: a row is one judgment.
    repeat : Arrow array of strings, (rows,), or None
        Which one it is of several judgments of the item by the same subject: a retest, or a sample
        of a model's answers. None: a subject judges an item once.

    Examples
    --------
    >>> import pandas as pd
    >>> votes = Judgments.from_frame(pd.DataFrame({
    ...     "query": ["q1", "q1"], "item": ["a", "a"],
    ...     "subject": ["ann", "bob"], "grade": [1, 0]}))
    >>> votes
    Judgments(2 rows, 1 query, 2 subjects, crossed)
    >>> votes.aggregate("mean").to_frame()["grade"].tolist()
    [0.5]
    """

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

    @classmethod
    def from_columns(
        cls,
        query: Iterable[Any],
        item: Iterable[Any],
        grade: Any = None,
        *,
        subject: Iterable[Any] | None = None,
        position: Any = None,
        probability: Any = None,
        intent: Iterable[Any] | None = None,
        count: Any = None,
        repeat: Iterable[Any] | None = None,
        design: Design = "crossed",
        duplicates: grading.Duplicates = "error",
        where: str = "judgments",
        locate: Locate | None = None,
    ) -> Judgments:
        """Make judgments from columns, which are checked; see `from_frame`.

        Errors name the source, `where`, and the place of a row, which `locate` gives.
        """
        errors.choice("design", design, ("crossed", "nested"))
        errors.choice("duplicates", duplicates, get_args(grading.Duplicates))
        locate = locate_by_row(where) if locate is None else locate
        for name, column in (("query", query), ("item", item)):
            if column is None:
                raise errors.DataError(f"{where}: {name} is None; give a {name} for each row")
        if grade is None and probability is None:
            raise errors.DataError(f"{where}: there are neither grades nor probabilities")
        given = {"query": query, "item": item, "grade": grade, "subject": subject}
        given |= {"position": position, "probability": probability, "intent": intent}
        given |= {"count": count, "repeat": repeat}
        grading.check_together(where, given)
        columns = check_columns(given, where, locate, empty="there are no judgments in it")
        if grade is None:
            columns["grade"] = np.ones(len(columns["probability"]))
        truth = cls(**columns, design=design)
        if duplicates != "error":
            return truth._once(duplicates, where)
        truth._check_duplicates(locate)
        return truth

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        design: Design = "crossed",
        columns: Mapping[str, Any] | None = None,
        grades: Mapping[Any, float] | None = None,
        drop: Any = (),
        subjects: Iterable[Any] | str = (),
        duplicates: grading.Duplicates = "error",
    ) -> Judgments:
        """Make judgments from a table with one row a judgment.

        Parameters
        ----------
        frame : table
            Columns query, item, grade and, optionally, subject, position and intent, under any of
            their usual names (`docid`, `relevance`, `annotator`, `subtopic`, ...; `iteration` is
            one of intent if it has several values). Without one of grades, `score` is the grade, as
            in BEIR and MTEB, unless there is a rank, distance or system, as in runs. A column
            probability instead of subjects is the probability that the item has its grade (1
            without a column of grades) rather than 0. A column count instead of subjects says how
            many people gave the item this grade. A column repeat tells several judgments of an item
            by one subject apart. A frame of pandas, polars, DuckDB, Arrow or anything else that
            offers the Arrow stream, a structured array, a mapping of columns, or a list of named
            tuples or mappings. It is not changed.
        design : {"crossed", "nested"}
            See `Judgments`.
        columns : mapping, optional
            Your names of columns, {name: your column}: ``{"query": "topic_no"}``.
        grades : mapping, optional
            Grades of words: ``{"not_relevant": 0, "relevant": 1}``. Numbers stand for themselves.
        drop : answer or sequence of answers
            Answers that are none, such as "na", or None for missing ones; their rows are left out.
        subjects : names of columns
            Columns that hold the grades of one subject each. An empty cell is no judgment.
        duplicates : {"error", "first", "last", "mean", "repeat"}
            What becomes of several judgments of an item by one subject: an error; the first or the
            last row counts, or the mean grade; or each is a repetition, as a column repeat says.

        Raises
        ------
        DataError
            A column is missing, a grade is not a finite number, a probability is not in [0, 1], an
            id is missing, a count is not a whole number, or a subject judged the same (query,
            item), or (query, item, intent), twice without repeats.
        OptionError
            `columns` has a name that is not read here, `grades` is no mapping to numbers, or
            `duplicates` does not go with counts, probabilities or a column repeat.

        Warns
        -----
        LeftOutWarning
            Rows were dropped, or cells are empty, or duplicates left out, with their number.
        UnusedColumnWarning
            A column is not used that could be the grades or the counts; or there are no subjects,
            but a column seems to name who judged.

        Examples
        --------
        >>> import pandas as pd
        >>> Judgments.from_frame(pd.DataFrame({"qid": [1], "docno": ["d"], "rel": [2]}))
        Judgments(1 row, 1 query)
        >>> wide = pd.DataFrame({"qid": [1, 1], "docno": ["d", "e"], "ann": [2, 0], "bob": [1, 1]})
        >>> Judgments.from_frame(wide, subjects=["ann", "bob"])
        Judgments(4 rows, 1 query, 2 subjects, crossed)
        """
        otherwise = "; Judgments.from_dict takes {query: {item: grade}}"
        request = COLUMNS.given(columns, grades=grades, drop=drop, wide=subjects)
        table, origin = table_of(frame, request, "frame", otherwise)
        return cls.from_table(table, origin, design=design, where="frame", duplicates=duplicates)

    @classmethod
    def from_table(
        cls,
        columns: Columns,
        origin: Origin,
        *,
        design: Design,
        where: str,
        duplicates: grading.Duplicates = "error",
    ) -> Judgments:
        """Make judgments from columns that were matched; see `from_frame`.

        A column `iteration` with one value throughout, as in most TREC judgments, names no intents.
        Without a column of queries, all are of one.
        """
        if "query" not in columns:
            columns = {"query": [ONE_QUERY] * len(columns["item"]), **columns}
        if "intent" in columns and _is_idle_iteration(columns["intent"], origin):
            columns = {name: column for name, column in columns.items() if name != "intent"}
        if not {"subject", "probability"} & {*columns}:
            report_people(origin, where)
        return cls.from_columns(
            **columns, design=design, where=where, locate=origin, duplicates=duplicates
        )

    @classmethod
    def from_dict(cls, grades: Mapping[Any, Any], *, where: str = "judgments") -> Judgments:
        """Make judgments from ``{query: {item: grade}}``, the form of pytrec_eval and ranx.

        A list or set of items instead of the inner mapping has the relevant ones, of grade 1.

        Examples
        --------
        >>> Judgments.from_dict({"q1": {"a": 1, "b": 0}})
        Judgments(2 rows, 1 query)
        """
        several = ", or those of several subjects to Judgments.from_frame, with a column subject"
        entries = flatten(with_grades(grades), "grade", where, too_deep=several)
        truth = cls(take(entries.queries, entries.code), entries.item, entries.number)
        truth._check_duplicates(entries.locate)
        return truth

    @classmethod
    def from_probabilities(
        cls, query: Iterable[Any], item: Iterable[Any], probability: Any
    ) -> Judgments:
        """Make an uncertain truth from the probability that each item is relevant.

        Parameters
        ----------
        query, item : columns of ids
        probability : column of numbers in [0, 1]
            Probability that the item has grade 1; otherwise it has grade 0. Items are independent.

        Raises
        ------
        DataError
            A probability is outside [0, 1] or not a number, or an item occurs twice.

        Examples
        --------
        >>> Judgments.from_probabilities(["q1", "q1"], ["a", "b"], [0.9, 0.2])
        Judgments(2 rows, 1 query, probabilities)
        """
        return cls.from_columns(query, item, probability=probability, where="probabilities")

    def __len__(self) -> int:
        return len(self.grade)

    def __repr__(self) -> str:
        return f"Judgments({self._sizes})"

    @property
    def _sizes(self) -> str:
        """Numbers of rows, queries, intents, subjects and votes, in words."""
        parts = [counted(len(self), "row"), counted(len(self.queries), "query")]
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
        return ", ".join(parts)

    def _title(self) -> str:
        return f"Judgments: {self._sizes}, {counted(len(self.item.unique()), 'item')}"

    def _parts(self) -> Parts:
        """Who judged, how often each grade was given, and the first rows."""
        subjects = self.subjects
        if subjects is not None:
            names = first_few(map(short_id, subjects), _MOST_NAMES)
            yield f"Subjects ({_DESIGNS[self.design]}): {names}"
        elif self.probability is not None:
            yield "No subjects: an item has its grade with the probability given, else grade 0."
        elif self.count is not None:
            yield "No names: the count is that of the people who gave the item the grade."
        else:
            yield "One truth, by an unknown author."
        yield self._grades()
        first = taken(self, np.arange(min(len(self), FIRST_ROWS))).to_frame()
        yield first_rows_table({str(n): first[n] for n in first}, len(self), rest=".to_frame()")

    def _grades(self) -> Table:
        """How often each grade was given; of many grades, quartiles."""
        values, which = np.unique(self.grade, return_inverse=True)
        if len(values) > _MOST_GRADES:
            ends = np.quantile(self.grade, (0.0, 0.25, 0.5, 0.75, 1.0)).tolist()
            texts = [written(end, values_format(ends, 3)) for end in ends]
            heads = ("lowest", "25 %", "median", "75 %", "highest")
            columns = [Column(head, (text,)) for head, text in zip(heads, texts, strict=True)]
            return Table(tuple(columns), f"Quantiles of {len(values):,} different grades")
        style = values_format(values.tolist(), 3)
        n = np.bincount(which.reshape(-1), weights=self.count, minlength=len(values))
        return Table(
            (
                Column("grade", tuple(written(value, style) for value in values.tolist())),
                Column("judgments", tuple(f"{one:,.0f}" for one in n.tolist())),
                Column("share", tuple(f"{one:.3f}" for one in (n / n.sum()).tolist())),
            )
        )

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
        return grading.repeat_weights([*self.present(IDS[:-1]).values()])

    def select(
        self,
        *,
        subjects: Iterable[str] | str | None = None,
        queries: Iterable[str] | str | None = None,
    ) -> Judgments:
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
        axes = ("subjects", self.subject, subjects), ("queries", self.query, queries)
        for axis, column, names in axes:
            if column is not None and names is not None:
                kept &= grading.rows_named(axis, column, names)
        if not kept.any():
            raise OptionError(
                "none of the subjects selected judged any of the queries selected, so that no "
                "judgment is left"
            )
        return taken(self, np.flatnonzero(kept))

    def binary(self, rel: float | Mapping[str, float]) -> Judgments:
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
        relevant = grading.reached(self.grade, self.subject, rel)
        if self.probability is not None and not isinstance(rel, Mapping):
            rule = "must be above 0, for an item without its grade has grade 0"
            errors.require("rel", rel, rel > 0, rule)
        # a negative grade stays one, which bpref and infAP take as not judged
        grade = np.where(relevant, 1.0, np.minimum(self.grade, 0.0))
        if self.count is None:
            return replace(self, grade=grade)
        ids = [encode(column)[0] for column in self.present(IDS).values()]
        rows, count = grading.first_rows_and_sums([*ids, grade], self.count)
        return taken(replace(self, grade=grade), rows, count=count)

    def rescaled(
        self, scales: tuple[float, float] | Mapping[str, tuple[float, float]] | None = None
    ) -> Judgments:
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
        shares = grading.shares_of_scale(self.grade, self.subject, scales, nested=nested)
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
            raise errors.DataError(
                "self_agreement: these judgments have no repeats; name them in a column 'repeat'"
            )
        judged = [c for c in (self.query, self.item, self.intent) if c is not None]
        return grading.agreement_of_repeats(self.subject, judged, self.grade)

    def to_frame(self) -> pd.DataFrame:
        """One row a judgment: query, item and grade, and any other columns that there are."""
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

    def _once(self, duplicates: grading.Duplicates, where: str) -> Judgments:
        """One judgment of an item by a subject, or by a repetition of it; see `from_frame`."""
        rule = "is for votes of single people, and these are counts; leave it out"
        errors.require("duplicates", duplicates, self.count is None, rule)
        group = grading.groups_of([*self.present(IDS).values()])
        if duplicates == "repeat":
            rule = "numbers the judgments of named subjects"
            errors.require("duplicates", duplicates, self.subject is not None, rule)
            rule = "there is a column 'repeat' already; leave one of the two out"
            errors.require("duplicates", duplicates, self.repeat is None, rule)
            repeated = len(np.unique(group)) < len(group)
            return replace(self, repeat=grading.numbered_within(group)) if repeated else self
        grade = self.grade
        if duplicates == "mean":
            rule = "is for grades, and these are probabilities; leave it out"
            errors.require("duplicates", duplicates, self.probability is None, rule)
            grade = (np.bincount(group, weights=grade) / np.bincount(group))[group]
        rows = grading.one_row_each(group, duplicates, where)
        return taken(self, rows, grade=grade[rows])

    def _check_duplicates(self, locate: Locate) -> None:
        columns = self.present(IDS)
        if self.count is not None:
            grading.check_counted([*columns.values()], self.grade, self.count, locate)
            return
        parts = {"intent": ", intent {intent}", "subject": " by subject {subject}"}
        parts["repeat"] = ", repeat {repeat}"
        what = "".join(text for name, text in parts.items() if name in columns)
        text = f"value {{item}} is judged twice for query {{query}}{what} (first: {{first}}); "
        remedy = grading.advice_on_duplicates(locate, columns)
        refuse_repeats(columns, locate, text, column="item", remedy=remedy)

    def aggregate(self, how: grading.Aggregation) -> Judgments:
        """Merge the grades of all subjects into one crisp truth.

        Parameters
        ----------
        how : {"mean", "median", "majority", "max", "min"}
            How to merge the grades of one (query, item), or (query, item, intent). `majority` takes
            the most frequent grade; of equally frequent ones, the lowest. Subjects who did not
            judge an item do not count for it. Each subject weighs the same: a subject's repeats
            share its vote, so that the mean is that of the subjects' means. Counts weigh as many
            votes. Probabilities allow only the "mean", the expected grade.

        Returns
        -------
        Judgments
            Without subjects, positions and probabilities.

        Raises
        ------
        OptionError
            The judgments are probabilities, and `how` is not "mean".
        """
        errors.choice("how", how, get_args(grading.Aggregation))
        grade = self.grade
        if self.probability is not None:
            if how != "mean":
                raise OptionError(
                    f"how={how!r}: these judgments are probabilities, of which there is only the "
                    "'mean', the expected grade"
                )
            grade = grade * self.probability
        ids = self.present(("query", "item", "intent"))
        codes = [encode(column)[0] for column in ids.values()]
        rows, merged = grading.merge_grades(codes, grade, how, self.weight)
        return Judgments(**{name: take(ids[name], rows) for name in ids}, grade=merged)

    def select_subject(self, name: str) -> Judgments:
        """The judgments of one subject, as a crisp truth unless it judged items repeatedly.

        Raises
        ------
        OptionError
            There is no such subject.
        """
        if self.subject is None or not is_among(name, self.subjects or ()):
            known = ", ".join(self.subjects or ()) or "none"
            near = nearest(str(name), self.subjects or ())
            raise OptionError(f"subject {shown(name)} is not among the subjects{near}: {known}")
        one = self.select(subjects=name)
        return one if self.repeat is not None else replace(one, subject=None, design="crossed")


def _is_idle_iteration(intents: Any, origin: Origin) -> bool:
    """Whether a column of intents is `iteration`, the same throughout as in most TREC judgments."""
    if normalised(origin.names.get("intent", "")) != "iteration":
        return False
    return len(check_text(intents, "intent", origin).unique()) < 2


def taken(truth: Judgments, rows: Ints, **changed: Any) -> Judgments:
    """The judgments in some rows, in this order, with columns that are `changed`."""
    columns = {
        name: take(column, rows) if name in IDS else column[rows]
        for name, column in truth.present(COLUMN_NAMES).items()
    }
    return replace(truth, **columns | changed)
