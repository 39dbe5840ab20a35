"""Rows (item, subject, label) gathered into ballots: all labels one subject gave to one item.

Ballots with the same set of labels share a *label set*, a number. Label sets lie end to end, those
labels of set j at ``offsets[j]:offsets[j + 1]``, ascending.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fuzzytruth._typing import Ints
from fuzzytruth.core.segments import offsets_of


@dataclass(frozen=True, slots=True, eq=False)
class LabelSets:
    """Distinct sets of labels, end to end.

    Parameters
    ----------
    offsets : (sets + 1,) int
    label : (members,) int
    """

    offsets: Ints
    label: Ints

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def single(self) -> bool:
        """Whether each set has exactly one label."""
        return bool((np.diff(self.offsets) == 1).all())

    def members(self, n_labels: int) -> Any:
        """Which labels each set has, as a sparse matrix: (sets, labels) of ones."""
        from scipy.sparse import csr_array

        ones = np.ones(len(self.label))
        return csr_array((ones, self.label, self.offsets), shape=(len(self), n_labels))


@dataclass(frozen=True, slots=True, eq=False)
class Gathered:
    """Ballots, sorted by item and subject.

    Parameters
    ----------
    item, subject, label_set : (ballots,) int
    first_row : (ballots,) int
        The first of the rows each ballot was made of.
    sets : LabelSets
    """

    item: Ints
    subject: Ints
    label_set: Ints
    first_row: Ints
    sets: LabelSets


def gather(item: Ints, subject: Ints, label: Ints) -> Gathered:
    """Make ballots of rows; a label of -1 stands for none, and a row twice counts once."""
    order = np.lexsort((label, subject, item))
    item, subject, label = item[order], subject[order], label[order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (np.diff(item) != 0) | (np.diff(subject) != 0)
    starts = np.flatnonzero(new)
    ballot = np.cumsum(new) - 1
    repeated = np.zeros(len(order), dtype=bool)
    repeated[1:] = ~new[1:] & (np.diff(label) == 0)
    keep = (label >= 0) & ~repeated
    label_set, sets = _distinct(ballot[keep], label[keep], len(starts))
    return Gathered(item[starts], subject[starts], label_set, order[starts], sets)


def _distinct(ballot: Ints, label: Ints, n_ballots: int) -> tuple[Ints, LabelSets]:
    """The label set of each ballot, and the distinct sets."""
    size = np.bincount(ballot, minlength=n_ballots)
    start = offsets_of(size)
    table = np.full((n_ballots, int(size.max(initial=0))), -1, dtype=np.int64)
    table[ballot, np.arange(len(ballot)) - start[ballot]] = label
    if table.shape[1] <= 1:  # one label each, or none
        column = table[:, 0] if table.shape[1] else np.full(n_ballots, -1)
        distinct, which = np.unique(column, return_inverse=True)
        rows = distinct[:, None]
    else:
        rows, which = np.unique(table, axis=0, return_inverse=True)
    there = rows >= 0
    return which.reshape(-1).astype(np.int64), LabelSets(offsets_of(there.sum(axis=1)), rows[there])
