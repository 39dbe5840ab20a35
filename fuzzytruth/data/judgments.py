"""Judgments: the grade that each subject gave to each item for each query."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

import numpy as np

from fuzzytruth._typing import Array, Floats, Ints
from fuzzytruth.core.segments import segment_cumsum, segment_of, segment_sum
from fuzzytruth.data.judgment_columns import (
    COLUMN_NAMES,
    IDS,
    Design,
    JudgmentColumns,
    check_counted,
    check_together,
    is_idle_iteration,
)
from fuzzytruth.errors import DataError, OptionError, choice, is_among, shown
from fuzzytruth.io.column_names import may_name_people, may_tell_repeats, report_people
from fuzzytruth.io.columns import (
    Columns,
    Locate,
    Origin,
    check_ids,
    column_at,
    encode,
    first_duplicate_row,
    locate_by_row,
    take,
    unused_hint,
)
from fuzzytruth.io.numbers import check_counts, check_numbers, check_probabilities
from fuzzytruth.io.tables import ColumnRequest, answers_of, flatten, table_of, with_grades

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


_COLUMNS = ColumnRequest(
    ("query", "item"),
    ("intent", "subject", "position", "count", "repeat"),
    "grade",
    any_of=("grade", "probability"),
    excluded=(("count", ("subject", "probability")),),
    takes_score=True,
)


def judgment_request(columns: Any, grades: Any, drop: Any, subjects: Any) -> ColumnRequest:
    """The columns of judgments, under any of their usual names; see `Judgments.from_frame`."""
    answers = answers_of(grades, drop, subjects, option="subjects")
    return replace(_COLUMNS, columns=columns, answers=answers)


# No slots: cached properties need a `__dict__`.
@dataclass(frozen=True, eq=False, repr=False)
class Judgments(JudgmentColumns):
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
        where: str = "judgments",
        locate: Locate | None = None,
    ) -> Judgments:
        """Make judgments from columns, which are checked; see `from_frame`.

        Errors name the source, `where`, and the place of a row, which `locate` gives.
        """
        choice("design", design, ("crossed", "nested"))
        locate = locate_by_row(where) if locate is None else locate
        named = {"subject": subject, "position": position, "probability": probability}
        check_together(where, named | {"count": count, "repeat": repeat})
        checked_probability = None
        if probability is not None:
            checked_probability = check_probabilities(probability, "probability", locate)
            grade = np.ones(len(checked_probability)) if grade is None else grade
        elif grade is None:
            raise DataError(f"{where}: there are neither grades nor probabilities")
        truth = cls(
            check_ids(query, "query", locate),
            check_ids(item, "item", locate),
            check_numbers(grade, "grade", locate),
            None if subject is None else check_ids(subject, "subject", locate),
            None if position is None else check_numbers(position, "position", locate),
            design,
            checked_probability,
            None if intent is None else check_ids(intent, "intent", locate),
            None if count is None else check_counts(count, "count", locate),
            None if repeat is None else check_ids(repeat, "repeat", locate),
        )
        if not len(truth):
            raise DataError(f"{where}: there are no judgments in it")
        truth._check_lengths(where)
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

        Raises
        ------
        DataError
            A column is missing, a grade is not a finite number, a probability is not in [0, 1], an
            id is missing, a count is not a whole number, or a subject judged the same (query,
            item), or (query, item, intent), twice without repeats.
        OptionError
            `columns` has a name that is not read here, or `grades` is no mapping to numbers.

        Warns
        -----
        LeftOutWarning
            Rows were dropped, or cells are empty, with their number.
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
        request = judgment_request(columns, grades, drop, subjects)
        table, origin = table_of(frame, request, "frame", otherwise)
        return cls.from_table(table, origin, design=design, where="frame")

    @classmethod
    def from_table(
        cls, columns: Columns, origin: Origin, *, design: Design, where: str
    ) -> Judgments:
        """Make judgments from columns that were matched; see `from_frame`.

        A column `iteration` with one value throughout, as in most TREC judgments, names no intents.
        """
        if "intent" in columns and is_idle_iteration(columns["intent"], origin):
            columns = {name: column for name, column in columns.items() if name != "intent"}
        if not {"subject", "probability"} & {*columns}:
            report_people(origin, where)
        return cls.from_columns(**columns, design=design, where=where, locate=origin)

    @classmethod
    def from_dict(cls, grades: Mapping[Any, Any]) -> Judgments:
        """Make judgments from ``{query: {item: grade}}``, the form of pytrec_eval and ranx.

        A list or set of items instead of the inner mapping has the relevant ones, of grade 1.

        Examples
        --------
        >>> Judgments.from_dict({"q1": {"a": 1, "b": 0}})
        Judgments(2 rows, 1 query)
        """
        several = ", or those of several subjects to Judgments.from_frame, with a column subject"
        entries = flatten(with_grades(grades), "grade", "judgments", too_deep=several)
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

    def _check_lengths(self, where: str) -> None:
        lengths = {name: len(column) for name, column in self.present(COLUMN_NAMES).items()}
        if len(set(lengths.values())) > 1:
            raise DataError(f"{where}: columns differ in length: {lengths}")

    def _check_duplicates(self, locate: Locate) -> None:
        columns = list(self.present(IDS).values())
        if self.count is not None:
            check_counted(columns, self.grade, self.count, locate)
            return
        duplicate = first_duplicate_row(columns)
        if duplicate is None:
            return
        first, second = duplicate
        what = f"query {shown(self.query[second].as_py())}"
        if self.intent is not None:
            what += f", intent {shown(self.intent[second].as_py())}"
        if self.subject is not None:
            what += f" by subject {shown(self.subject[second].as_py())}"
        if self.repeat is not None:
            what += f", repeat {shown(self.repeat[second].as_py())}"
        place, value = column_at(locate, second, "item"), shown(self.item[second].as_py())
        raise DataError(
            f"{place}: value {value} is judged twice for {what} (first: {locate(first)}); "
            f"{self._advice_on_duplicates(locate)}"
        )

    def _advice_on_duplicates(self, locate: Locate) -> str:
        """What to do where an item is judged twice."""
        unused = locate.unused if isinstance(locate, Origin) else ()
        people, repeats = may_name_people(unused), may_tell_repeats(unused)
        if self.subject is not None:
            once = "once" if self.intent is None else "once for each intent"
            name_it = f", such as columns={{'repeat': {repeats[0]!r}}}" if repeats else ""
            return (
                f"a subject judges an item {once}, unless a column 'repeat' tells its judgments "
                f"apart{name_it}"
            )
        if repeats and not people:
            return (
                f"if {repeats[0]!r} tells repeats by one subject apart, name both: "
                f"columns={{'repeat': {repeats[0]!r}, 'subject': '...'}}; else keep one row"
            )
        hint = unused_hint(locate, "subject", "says who judged", people)
        hint = hint or "if several people judged, add a column that names them; else "
        return f"{hint}keep one row"

    def aggregate(self, how: Aggregation) -> Judgments:
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
        choice("how", how, get_args(Aggregation))
        grade = self.grade
        if self.probability is not None:
            if how != "mean":
                raise OptionError(
                    f"how={how!r}: these judgments are probabilities, of which there is only the "
                    "'mean', the expected grade"
                )
            grade = grade * self.probability
        ids = [self.query, self.item] + ([] if self.intent is None else [self.intent])
        codes = [encode(column)[0] for column in ids]
        rows, merged = merge_grades(codes, grade, how, self.weight)
        return self._crisp(rows, merged)

    def _crisp(self, rows: Ints, grade: Floats, position: Floats | None = None) -> Judgments:
        """Some rows as a crisp truth, with new grades and without subjects."""
        return Judgments(
            take(self.query, rows),
            take(self.item, rows),
            grade,
            position=position,
            intent=None if self.intent is None else take(self.intent, rows),
        )

    def select_subject(self, name: str) -> Judgments:
        """The judgments of one subject, as a crisp truth unless it judged items repeatedly.

        Raises
        ------
        OptionError
            There is no such subject.
        """
        if self.subject is None or not is_among(name, self.subjects or ()):
            known = ", ".join(self.subjects or ()) or "none"
            raise OptionError(f"subject {shown(name)} is not among the subjects: {known}")
        codes, names = encode(self.subject)
        rows = np.flatnonzero(codes == names.to_pylist().index(name))
        position = None if self.position is None else self.position[rows]
        if self.repeat is not None:
            one = self._crisp(rows, self.grade[rows], position)
            return replace(
                one,
                subject=take(self.subject, rows),
                repeat=take(self.repeat, rows),
                design=self.design,
            )
        return self._crisp(rows, self.grade[rows], position)
