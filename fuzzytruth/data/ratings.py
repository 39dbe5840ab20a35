"""Ratings: who gave which unit which value, by coordinates, whatever the votes are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from fuzzytruth._lazy import pa
from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.arithmetic import run_lengths
from fuzzytruth.core.shares import LabelSets
from fuzzytruth.data.assignments import Assignments
from fuzzytruth.data.grading import codes_of, groups_of, groups_of_codes
from fuzzytruth.data.judgments import Judgments
from fuzzytruth.data.membership import Membership
from fuzzytruth.data.taxonomy import Taxonomy
from fuzzytruth.data.votes_without_queries import as_votes
from fuzzytruth.errors import DataError
from fuzzytruth.io.ids import encode, take

#: different numbers beyond which these are measurements
MOST_GRADES = 20


@dataclass(frozen=True, slots=True, eq=False)
class Ratings:
    """Votes as coordinates, sorted by unit, then subject.

    A unit is what several subjects give a value: a (query, item), a (query, item, intent), or an
    item. Items about which subjects were asked different questions are different units.

    Parameters
    ----------
    row : (votes,) int
        Where the vote stands among the judgments, or the ballots.
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

    row: Ints
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
    def are_measured(self) -> bool:
        """Whether values are measurements, hardly ever equal, and no answers to choose from."""
        return self.grades is not None and len(self.grades) > MOST_GRADES

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


def make_ratings(votes: Any) -> Ratings:
    """The ratings of votes: Judgments, Assignments, Ratings, or what `as_judgments` takes.

    Raises
    ------
    DataError
        They are probabilities, which nobody gave, or a single truth by an unknown author.
    """
    if isinstance(votes, Ratings):
        return votes
    if isinstance(votes, Membership):
        raise DataError(_PROBABILITIES)
    votes = as_votes(votes)
    return _of_assignments(votes) if isinstance(votes, Assignments) else _of_judgments(votes)


def _of_judgments(votes: Judgments) -> Ratings:
    if votes.probability is not None:
        raise DataError(_PROBABILITIES)
    if votes.subject is None and votes.count is None:
        raise DataError(
            "votes: these judgments are one truth by an unknown author; give those of several "
            "people, with a column that names who judged (subject, annotator, ...), a file for "
            "each ({name: path, ...}) or a column count"
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
        order,
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
        order,
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
