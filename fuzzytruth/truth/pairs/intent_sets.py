"""Judgments by intent: the distinct sets of grades by intent that subjects gave to items.

A subject's judgments of an item for all intents are one vote, and a world takes the whole of it. A
measure that does not know intents sees the largest grade of the set.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Array, Floats, Ints
from fuzzytruth.core.segments import offsets_of, ragged
from fuzzytruth.data.judgments import Judgments
from fuzzytruth.data.repeats import codes_of, groups_of, groups_of_codes
from fuzzytruth.errors import DataError
from fuzzytruth.io.arrow import take
from fuzzytruth.io.ids import encode


@dataclass(frozen=True, slots=True, eq=False)
class IntentSets:
    """Distinct sets of grades by intent, in ascending order of their largest grades.

    Parameters
    ----------
    intents : (queries + 1,) int
        Where the intents of each query start.
    offsets : (sets + 1,) int
        Where each set starts in the arrays below.
    intent : (entries,) int
        Ascending within a set.
    grade : (entries,) float
    largest : (sets,) float
        Largest grade of each set.
    empty : int
        The set without any intent, of grade 0.
    """

    intents: Ints
    offsets: Ints
    intent: Ints
    grade: Floats
    largest: Floats
    empty: int

    def entries(self, sets: Ints) -> tuple[Ints, Ints, Floats]:
        """Index into `sets`, intent and grade of each entry of some sets."""
        owner, entry = ragged(self.offsets, sets)
        return owner, self.intent[entry], self.grade[entry]


def merged_intents(truth: Judgments) -> tuple[Judgments, IntentSets, Ints]:
    """One judgment for each query, item, subject and repeat, of the largest grade over intents.

    Returns
    -------
    truth : Judgments
        Without intents; of several rows with the largest grade, the first.
    sets : IntentSets
    kind : (rows,) int
        The set that each row stands for.

    Raises
    ------
    DataError
        The judgments are probabilities or counts, which intents do not share.
    """
    _check_votes(truth)
    ids = (truth.query, truth.item, truth.subject, truth.repeat)
    group = _by_appearance(groups_of([column for column in ids if column is not None]))
    intents, intent = _intents(truth)
    order = np.lexsort((intent, group))
    size = np.bincount(group)
    sets, kind = _distinct(intents, intent[order], truth.grade[order], size)
    rows = np.lexsort((-truth.grade, group))[offsets_of(size)[:-1]]
    merged = Judgments(
        take(truth.query, rows),
        take(truth.item, rows),
        truth.grade[rows],
        None if truth.subject is None else take(truth.subject, rows),
        None if truth.position is None else truth.position[rows],
        truth.design,
        repeat=None if truth.repeat is None else take(truth.repeat, rows),
    )
    return merged, sets, kind


def _check_votes(truth: Judgments) -> None:
    for name, column in (("probabilities", truth.probability), ("counts", truth.count)):
        if column is not None:
            raise DataError(
                f"truth: these judgments have intents and {name}; how probable an item is for "
                "any intent is not known from those of each, so leave one of the columns out"
            )


def _by_appearance(group: Ints) -> Ints:
    """The same groups, numbered in the order of their first rows."""
    first = np.unique(group, return_index=True)[1]
    number = np.empty_like(first)
    number[np.argsort(first)] = np.arange(len(first))
    return number[group]


def _intents(truth: Judgments) -> tuple[Ints, Ints]:
    """Where the intents of each query start, and the intent of each row.

    Queries in order of appearance, the intents of each by their names, so that sums over them do
    not depend on the order of the rows.
    """
    query, _ = encode(truth.query)
    code, names = encode(truth.intent)
    by_name = codes_of(np.array(names.to_pylist(), dtype=object))
    n_names = len(by_name)
    known, intent = np.unique(query.astype(np.int64) * n_names + by_name[code], return_inverse=True)
    return offsets_of(np.bincount(known // n_names)), intent.reshape(-1)


def _distinct(intents: Ints, intent: Ints, grade: Floats, size: Ints) -> tuple[IntentSets, Ints]:
    """Distinct sets among those of the given sizes, which lie end to end; the set of each."""
    size = np.append(size, 0)  # the empty set
    offsets = offsets_of(size)
    filled = np.flatnonzero(size)
    largest = np.zeros(len(size))
    largest[filled] = np.maximum.reduceat(grade, offsets[filled])
    entry = groups_of_codes([intent, codes_of(grade)]) + 1
    kind = codes_of(largest)
    for place in range(int(size.max())):  # sets that agree so far stay together
        has = np.flatnonzero(size > place)
        at_place = np.zeros(len(size), dtype=np.int64)
        at_place[has] = entry[offsets[has] + place]
        kind = _paired(kind, at_place)
    first = np.unique(kind, return_index=True)[1]
    _, at = ragged(offsets, first)
    sets = IntentSets(
        intents,
        offsets_of(size[first]),
        intent[at],
        grade[at],
        largest[first],
        int(kind[-1]),
    )
    return sets, kind[:-1]


def _paired(code: Ints, other: Array) -> Ints:
    """Places of pairs of codes, by the first, then the second."""
    return codes_of(code * (int(other.max(initial=0)) + 1) + other)
