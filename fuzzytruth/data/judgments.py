"""Judgments: what each subject says of each item for each query."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.errors import DataError, OptionError, choice, shown
from fuzzytruth.io.arrow import take
from fuzzytruth.io.column_names import columns_of
from fuzzytruth.io.columns import (
    Locate,
    Wanted,
    check_ids,
    check_numbers,
    check_probabilities,
    first_repeat,
    rows_of,
)
from fuzzytruth.io.ids import encode
from fuzzytruth.io.paths import as_path

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

Design = Literal["crossed", "nested"]
Aggregation = Literal["mean", "median", "majority", "max", "min"]
_AGGREGATIONS = ("mean", "median", "majority", "max", "min")
COLUMNS = Wanted(
    ("query", "item"), ("subject", "position"), "grade", any_of=("grade", "probability")
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Judgments:
    """Grades that subjects gave to items, one row a judgment.

    Make one with `read_judgments`, `from_frame` or `from_dict`; the constructor takes columns that
    have been checked already.

    Parameters
    ----------
    query, item : Arrow arrays of strings, (rows,)
    grade : (rows,) float
        Any finite number; larger is more relevant, 0 and less is not relevant.
    subject : Arrow array of strings, (rows,), or None
        Who gave the grade. None: one truth, its author unknown.
    position : (rows,) float or None
        Place of the item in the subject's own ranking, from 1.
    design : {"crossed", "nested"}
        Whether one name is one person over all queries, or only within a query
        ("reader 1" of two cases is not one person).
    probability : (rows,) float or None
        Chance that the item has its grade; else it has grade 0. None: it is certain.

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

    def __len__(self) -> int:
        return len(self.grade)

    def __repr__(self) -> str:
        n_queries = len(self.queries)
        subjects = self.subjects
        who = ""
        if subjects is not None:
            who = f", {len(subjects)} subject{'s' * (len(subjects) != 1)}, {self.design}"
        queries = "query" if n_queries == 1 else "queries"
        if self.probability is not None:
            who = ", probabilities"
        rows = "row" if len(self) == 1 else "rows"
        return f"Judgments({len(self)} {rows}, {n_queries} {queries}{who})"

    @property
    def queries(self) -> tuple[str, ...]:
        """Ids of the judged queries, in order of first appearance."""
        return tuple(self.query.unique().to_pylist())

    @property
    def subjects(self) -> tuple[str, ...] | None:
        """Names of the subjects, in order of first appearance; None if there are none."""
        return None if self.subject is None else tuple(self.subject.unique().to_pylist())

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
        design: Design = "crossed",
        where: str = "judgments",
        locate: Locate | None = None,
    ) -> Judgments:
        """Check columns and make judgments of them; see `from_frame`.

        Errors name the source, `where`, and the place in it that `locate` gives for a row.
        """
        choice("design", design, ("crossed", "nested"))
        locate = rows_of(where) if locate is None else locate
        chance = None
        if probability is not None:
            chance = check_probabilities(probability, "probability", locate)
            grade = np.ones(len(chance)) if grade is None else grade
            if subject is not None or position is not None:
                raise DataError(
                    f"{where}: has columns for 'probability' and for "
                    f"{'subject' if position is None else 'position'!r}; a probability says what "
                    "is true without subjects or positions, so leave one of them out"
                )
        elif grade is None:
            raise DataError(f"{where}: there are neither grades nor probabilities")
        out = cls(
            check_ids(query, "query", locate),
            check_ids(item, "item", locate),
            check_numbers(grade, "grade", locate),
            None if subject is None else check_ids(subject, "subject", locate),
            None if position is None else check_numbers(position, "position", locate),
            design,
            chance,
        )
        if not len(out):
            raise DataError(f"{where}: there are no judgments in it")
        out._check_lengths(where)
        out._check_duplicates(locate)
        return out

    @classmethod
    def from_frame(cls, frame: pd.DataFrame, *, design: Design = "crossed") -> Judgments:
        """Make judgments from a frame with one row a judgment.

        Parameters
        ----------
        frame : DataFrame
            Columns query, item, grade and, optionally, subject and position, under any of their
            usual names (`docid`, `relevance`, `annotator`, ...). A column probability instead of
            subjects: the chance that the item has its grade (1 if there is no column for it), and
            else 0. The frame is not changed.
        design : {"crossed", "nested"}
            See `Judgments`.

        Raises
        ------
        DataError
            A column is missing, a grade is not a finite number, a probability is not in [0, 1], an
            id is missing, or a subject judged the same (query, item) twice.

        Examples
        --------
        >>> import pandas as pd
        >>> Judgments.from_frame(pd.DataFrame({"qid": [1], "docno": ["d"], "rel": [2]}))
        Judgments(1 row, 1 query)
        """
        otherwise = "; Judgments.from_dict takes {query: {item: grade}}"
        names = COLUMNS.found(columns_of(frame, "frame", otherwise), "frame")
        columns: dict[str, Any] = {name: frame[column] for name, column in names.items()}
        return cls.from_columns(**columns, design=design, where="frame")

    @classmethod
    def from_dict(cls, grades: Mapping[Any, Mapping[Any, float]]) -> Judgments:
        """Make judgments from ``{query: {item: grade}}``, as pytrec_eval and ranx take them.

        Examples
        --------
        >>> Judgments.from_dict({"q1": {"a": 1, "b": 0}})
        Judgments(2 rows, 1 query)
        """
        from fuzzytruth.io.nested import flatten

        rows = flatten(grades, "grade", "judgments")
        out = cls(take(rows.queries, rows.code), rows.item, rows.number)
        out._check_duplicates(rows.locate)
        return out

    @classmethod
    def from_probabilities(
        cls, query: Iterable[Any], item: Iterable[Any], probability: Any
    ) -> Judgments:
        """Make an uncertain truth of the probability that each item is relevant.

        Parameters
        ----------
        query, item : columns of ids
        probability : column of numbers in [0, 1]
            Chance that the item has grade 1; else it has grade 0. Items are independent.

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

    def _check_lengths(self, where: str) -> None:
        lengths = {"query": len(self.query), "item": len(self.item), "grade": len(self.grade)}
        if self.subject is not None:
            lengths["subject"] = len(self.subject)
        for name in ("position", "probability"):
            if getattr(self, name) is not None:
                lengths[name] = len(getattr(self, name))
        if len(set(lengths.values())) > 1:
            raise DataError(f"{where}: columns differ in length: {lengths}")

    def _check_duplicates(self, locate: Locate) -> None:
        columns = [self.query, self.item] + ([] if self.subject is None else [self.subject])
        repeat = first_repeat(columns)
        if repeat is not None:
            first, second = repeat
            who = ""
            if self.subject is not None:
                who = f" by subject {shown(self.subject[second].as_py())}"
            raise DataError(
                f"{locate(second)}, column 'item': value {shown(self.item[second].as_py())} is "
                f"judged twice for query {shown(self.query[second].as_py())}{who} (first: "
                f"{locate(first)}); a subject judges an item once, so remove one"
            )

    def aggregate(self, how: Aggregation) -> Judgments:
        """Merge the subjects into one crisp truth.

        Parameters
        ----------
        how : {"mean", "median", "majority", "max", "min"}
            What becomes of the grades of one (query, item). `majority` takes the most frequent
            grade, and of equally frequent ones the lowest. Subjects who did not judge an item do
            not count for it. Of probabilities only the "mean" can be had, the expected grade.

        Returns
        -------
        Judgments
            Without subjects and positions.

        Raises
        ------
        OptionError
            The judgments are probabilities, and `how` is not "mean".
        """
        choice("how", how, _AGGREGATIONS)
        from fuzzytruth.data.aggregation import merge

        return merge(self, how)

    def to_frame(self) -> pd.DataFrame:
        """One row a judgment: query, item, [subject,] grade[, probability][, position]."""
        import pandas as pd

        columns: dict[str, Any] = {"query": self.query.to_pylist(), "item": self.item.to_pylist()}
        if self.subject is not None:
            columns["subject"] = self.subject.to_pylist()
        columns["grade"] = self.grade.copy()
        if self.probability is not None:
            columns["probability"] = self.probability.copy()
        if self.position is not None:
            columns["position"] = self.position.copy()
        return pd.DataFrame(columns)

    def write(self, path: str | Path) -> None:
        """Write to a file; its name's ending tells the format (none of the known ones: TREC)."""
        from fuzzytruth.data.writing import write_judgments

        write_judgments(self, as_path("path", path))

    def select_subject(self, name: str) -> Judgments:
        """The judgments of one subject, as a crisp truth.

        Raises
        ------
        OptionError
            There is no such subject.
        """
        if self.subject is None or name not in (self.subjects or ()):
            known = ", ".join(self.subjects or ()) or "none"
            raise OptionError(f"subject {name!r} is not among the subjects: {known}")
        codes, names = encode(self.subject)
        rows = np.flatnonzero(codes == names.to_pylist().index(name))
        return Judgments(
            take(self.query, rows),
            take(self.item, rows),
            self.grade[rows],
            None,
            None if self.position is None else self.position[rows],
        )
