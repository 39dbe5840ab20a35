"""Ballots, the labels that one subject gave to one item, from rows of item, subject and label.

Ballots with the same labels share a *label set*, given by its number. Label sets are stored end to
end: the labels of set j are ``label[offsets[j]:offsets[j + 1]]``, ascending.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fuzzytruth._typing import Ints
from fuzzytruth.core.segments import begins, offsets_of


@dataclass(frozen=True, slots=True, eq=False)
class LabelSets:
    """Distinct sets of labels, stored end to end.

    Parameters
    ----------
    offsets : (sets + 1,) int
    label : (members,) int
    """

    offsets: Ints
    label: Ints

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def members(self, n_labels: int) -> Any:
        """The members of each set, as a sparse array of ones: (sets, labels)."""
        from scipy.sparse import csr_array

        ones = np.ones(len(self.label))
        return csr_array((ones, self.label, self.offsets), shape=(len(self), n_labels))


@dataclass(frozen=True, slots=True, eq=False)
class GroupedBallots:
    """Ballots, sorted by item and subject.

    Parameters
    ----------
    item, subject, label_set : (ballots,) int
    first_row : (ballots,) int
        The first of the rows of each ballot.
    sets : LabelSets
    """

    item: Ints
    subject: Ints
    label_set: Ints
    first_row: Ints
    sets: LabelSets


def group_ballots(item: Ints, subject: Ints, label: Ints) -> GroupedBallots:
    """Group rows into ballots; a label of -1 means none, and duplicate rows count once."""
    order = np.lexsort((label, subject, item))
    item, subject, label = item[order], subject[order], label[order]
    is_first = begins(item, subject)
    starts = np.flatnonzero(is_first)
    ballot = np.cumsum(is_first) - 1
    kept = (label >= 0) & (is_first | begins(label))
    label_set, sets = distinct_sets(ballot[kept], label[kept], len(starts))
    return GroupedBallots(item[starts], subject[starts], label_set, order[starts], sets)


def distinct_sets(ballot: Ints, label: Ints, n_ballots: int) -> tuple[Ints, LabelSets]:
    """The label set of each ballot, and the distinct sets; labels ascend in each ballot."""
    size = np.bincount(ballot, minlength=n_ballots)
    start = offsets_of(size)
    table = np.full((n_ballots, int(size.max(initial=0))), -1, dtype=np.int64)
    table[ballot, np.arange(len(ballot)) - start[ballot]] = label
    if table.shape[1] <= 1:  # at most one label each
        column = table[:, 0] if table.shape[1] else np.full(n_ballots, -1)
        distinct, label_set = np.unique(column, return_inverse=True)
        rows = distinct[:, None]
    else:
        rows, label_set = np.unique(table, axis=0, return_inverse=True)
    is_label = rows >= 0
    sets = LabelSets(offsets_of(is_label.sum(axis=1)), rows[is_label])
    return label_set.reshape(-1).astype(np.int64), sets
