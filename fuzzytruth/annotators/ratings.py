"""Ratings: who gave which unit which value, by coordinates, whatever the votes are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._lazy import pa
from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.label_sets import LabelSets
from fuzzytruth.core.segments import run_lengths
from fuzzytruth.data.assignments import Assignments
from fuzzytruth.data.grading import codes_of, groups_of, groups_of_codes, split_by_subject
from fuzzytruth.data.judgments import Judgments
from fuzzytruth.data.reading import as_judgments
from fuzzytruth.errors import DataError, OptionError
from fuzzytruth.evaluation.validation import THRESHOLDS, report_scales, report_unreached
from fuzzytruth.io.columns import encode, take

if TYPE_CHECKING:
    from fuzzytruth.data.taxonomy import Taxonomy


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """Votes as coordinates, sorted by unit, then subject.

    A unit is what several subjects give a value: a (query, item), a (query, item, intent), or an
    item. Items about which subjects were asked different questions are different units.

    Parameters
    ----------
    unit, subject, value : (votes,) int
        `value` is an index into `names`. Where nobody is named, `subject` is 0 throughout.
    weight : (votes,) float
        How many votes a row is: 1; where a subject judged a unit repeatedly, the share of its
        vote; where nobody is named, the number of people.
    subjects : tuple of str or None
        None where nobody is named.
    units : mapping of str to Arrow array of strings, (units,) each
        The ids of each unit, by column: query and item, or item.
    cluster : (units,) int or None
        The query of each unit, whose units vary together; None where units have no queries.
    names : tuple of str
        Values as they are shown; grades ascend.
    grades : (values,) float or None
        None where values are label sets.
    sets : LabelSets or None
        The categories of each value, by their codes in the taxonomy; None where values are grades.
    taxonomy : Taxonomy or None
        Of the categories.
    nested : bool
        Whether a subject's name stands for one person within a query only. `subjects` are then
        the pairs of a query and a name.
    """

    unit: Ints
    subject: Ints
    value: Ints
    weight: Floats
    subjects: tuple[str, ...] | None
    units: Mapping[str, pa.LargeStringArray]
    cluster: Ints | None
    names: tuple[str, ...]
    grades: Floats | None = None
    sets: LabelSets | None = None
    taxonomy: Taxonomy | None = None
    nested: bool = False

    @property
    def n_units(self) -> int:
        """Number of units."""
        return len(next(iter(self.units.values())))

    @property
    def n_subjects(self) -> int:
        """Number of subjects; 0 where nobody is named."""
        return 0 if self.subjects is None else len(self.subjects)

    def named(self, what: str) -> tuple[str, ...]:
        """The names of the subjects.

        Raises
        ------
        DataError
            Nobody is named; `what` needs it and begins the message.
        """
        if self.subjects is None:
            raise DataError(
                f"{what}: nobody is named in these votes; give votes with a column that names who "
                "voted (subject, annotator, ...)"
            )
        return self.subjects


def binary_votes(
    rel: Any, *votes: Any, subjects: Iterable[str] | str | None = None
) -> list[Judgments]:
    """Judgments with grades 1 from `rel` on, else 0: one threshold, or each subject's own.

    By default of all subjects.

    Raises
    ------
    OptionError
        They have categories, `rel` does not go with their subjects, or no grade reaches it.

    Warns
    -----
    ScaleWarning
        The grades of some subjects never reach it.
    """
    if any(isinstance(each, Assignments) for each in votes):
        raise OptionError("rel: is for grades, and these votes have categories; leave it out")
    given = [as_judgments(each, argument="votes").select(subjects=subjects) for each in votes]
    parts = split_by_subject("rel", rel, *(each.subjects or () for each in given))
    low = [each.binary(part) for each, part in zip(given, parts, strict=True)]
    report_unreached(rel, *given)
    # negative grades are 0 too; of counts, binary adds up what then has one grade
    return [replace(each, grade=np.maximum(each.grade, 0.0)).binary(1) for each in low]


def ratings_of(votes: Any, rel: Any = None, subjects: Iterable[str] | str | None = None) -> Ratings:
    """The ratings of votes.

    Parameters
    ----------
    votes : Judgments, Assignments, Ratings, or what `as_judgments` takes
    rel : number or mapping of subject to number, optional
        Makes grades 0 and 1, of some subjects; see `binary_votes`.
    subjects : str or iterable of str, optional
        Whose grades `rel` divides.

    Raises
    ------
    DataError
        They are probabilities, which nobody gave, or a single truth by an unknown author.
    """
    given = votes if rel is None else binary_votes(rel, votes, subjects=subjects)[0]
    if isinstance(given, Ratings):
        return given
    if isinstance(given, Assignments):
        return _of_assignments(given)
    return _of_judgments(as_judgments(given, argument="votes", also="Assignments, "))


def report_rating_scales(
    ratings: Ratings, remedy: str = THRESHOLDS, *, metric: object = "nominal"
) -> None:
    """Warn of subjects whose grades keep to a shorter scale, as `evaluate` does."""
    if isinstance(metric, str) and metric != "nominal":  # grades have distances
        remedy += ", or use votes.rescaled()"
    names, grades = ratings.subjects, ratings.grades
    if names is not None and grades is not None and not ratings.nested:
        report_scales(ratings.unit, grades[ratings.value], ratings.subject, names, remedy)


def _of_judgments(votes: Judgments) -> Ratings:
    if votes.probability is not None:
        raise DataError(_PROBABILITIES)
    if votes.subject is None and votes.count is None:
        raise DataError(
            "votes: these judgments are one truth by an unknown author; give those of several "
            "people, with a column that names who judged (subject, annotator, ...) or a column "
            "count"
        )
    ids = votes.present(("query", "item", "intent"))
    unit, first = _numbered(groups_of(list(ids.values())))
    units = {name: take(column, first) for name, column in ids.items()}
    grades, value = np.unique(votes.grade, return_inverse=True)
    query = encode(votes.query)[0]
    subject, names = np.zeros(len(votes), dtype=np.int64), None
    nested = votes.design == "nested" and votes.subject is not None
    if votes.subject is not None:
        code, people = encode(votes.subject)
        subject, names = code.astype(np.int64), tuple(people.to_pylist())
        if nested:
            subject, at = _numbered(groups_of_codes([query, code]))
            of_query, of_person = take(votes.query, at), take(votes.subject, at)
            pairs = zip(of_query.to_pylist(), of_person.to_pylist(), strict=True)
            names = tuple(f"{person} ({query})" for query, person in pairs)
    order = np.lexsort((value.reshape(-1), subject, unit))
    weight = np.ones(len(votes)) if votes.count is None else votes.count[order]
    if votes.repeat is not None:
        weight = 1.0 / run_lengths(groups_of_codes([unit[order], subject[order]]))
    return Ratings(
        unit[order],
        subject[order],
        value.reshape(-1)[order].astype(np.int64),
        weight,
        names,
        units,
        codes_of(query[first]),
        tuple(f"{grade:g}" for grade in grades.tolist()),
        grades=grades,
        nested=nested,
    )


def _of_assignments(votes: Assignments) -> Ratings:
    if votes.subjects is None and not votes.are_counts:
        raise DataError(_PROBABILITIES)
    # Ballots are sorted by item and subject; one asked about other categories is another unit.
    asked = votes.asked
    codes = [votes.item] if asked is None else [votes.item, asked.label_set]
    unit, first = _numbered(groups_of_codes(codes))
    order = np.lexsort((votes.label_set, votes.subject, unit))
    weight = np.ones(len(votes.item)) if votes.subjects is not None else votes.weight[order]
    if votes.repeats is not None:
        weight = 1.0 / run_lengths(groups_of_codes([unit[order], votes.subject[order]]))
    return Ratings(
        unit[order],
        votes.subject[order],
        votes.label_set[order],
        weight,
        votes.subject_names,
        {"item": take(votes.items, votes.item[first])},
        None if asked is None else codes_of(votes.item[first]),
        tuple(
            name if isinstance(name, str) else " + ".join(name) or "(none)"
            for name in votes.set_names()
        ),
        sets=votes.sets,
        taxonomy=votes.taxonomy,
    )


def _numbered(group: Ints) -> tuple[Ints, Ints]:
    """Groups numbered in order of first appearance: (rows,), and the first row of each."""
    _, first, which = np.unique(group, return_index=True, return_inverse=True)
    order = np.argsort(first)
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.arange(len(order))
    return number[which.reshape(-1)], first[order]


_PROBABILITIES = (
    "votes: these are probabilities, which say nothing about who disagrees with whom; give the "
    "votes that they were made from"
)
