"""Weighted votes as shares, which part of an item's votes goes to each option; and ballots.

Options of all items lie end to end (ragged), those of item j at ``offsets[j]:offsets[j + 1]``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fuzzytruth._lazy import sparse
from fuzzytruth._typing import U64, Floats, Ints
from fuzzytruth.core.arithmetic import begins, divide, offsets_of
from fuzzytruth.core.checksums import thresholds, world_bits


@dataclass(frozen=True, slots=True, eq=False)
class Slots:
    """The distinct options of each item, padded side by side.

    Parameters
    ----------
    option : (items, slots) int
        -1 where an item has fewer options.
    of_ballot : (ballots,) int
        The flat place ``item * slots + slot`` of each ballot's option.
    """

    option: Ints
    of_ballot: Ints


def make_slots(item: Ints, option: Ints, n_items: int) -> Slots:
    """Give each item a slot for each distinct option among its ballots."""
    n_options = int(option.max(initial=-1)) + 1
    pairs, which = np.unique(item * max(n_options, 1) + option, return_inverse=True)
    item_of, option_of = np.divmod(pairs, max(n_options, 1))
    offsets = offsets_of(np.bincount(item_of, minlength=n_items))
    width = int(np.diff(offsets).max(initial=0))
    slot = np.arange(len(pairs)) - offsets[item_of]
    table = np.full((n_items, width), -1, dtype=np.int64)
    table[item_of, slot] = option_of
    return Slots(table, (item_of * width + slot)[which.reshape(-1)])


def slots_by_key(slots: Slots, option_key: U64) -> Ints:
    """The slots of each item in an order that does not depend on that of the votes.

    (items, slots), for options with keys (options,); places without an option come last.
    """
    option = slots.option
    key = np.where(option >= 0, option_key[option], np.iinfo(np.uint64).max)
    return np.argsort(key, axis=1, kind="stable")


def slot_totals(slots: Slots, weight: Floats) -> Floats:
    """Sum of the weights of each slot's ballots: (items, slots)."""
    total = np.bincount(slots.of_ballot, weights=weight, minlength=slots.option.size)
    return total.astype(np.float64).reshape(slots.option.shape)


def slot_shares(slots: Slots, weight: Floats) -> Floats:
    """Share of each slot in its item's weight: (items, slots); 0 for an item without any."""
    table = slot_totals(slots, weight)
    return divide(table, table.sum(axis=1, keepdims=True))


def resampled_shares(
    slots: Slots, subject: Ints, weight: Floats, votes: Floats, full: Floats
) -> Floats:
    """Shares when subjects count `votes` times; an item that loses all votes keeps `full`.

    Parameters
    ----------
    votes : (worlds, subjects) float
    full : (items, slots) float

    Returns
    -------
    (worlds, items, slots) float
    """
    n_items, width = slots.option.shape
    shape = (n_items * width, votes.shape[1])
    cast: Any = sparse.csr_array((weight, (slots.of_ballot, subject)), shape=shape)
    table = (cast @ votes.T).T.reshape(len(votes), n_items, width)
    mass = table.sum(axis=2, keepdims=True)
    out = np.broadcast_to(full, table.shape).copy()
    np.divide(table, mass, out=out, where=mass > 0)
    return out


def draw_slots(shares: Floats, keys: U64, streams: U64, worlds: slice) -> Ints:
    """Draw a slot for each item in each world: (items, outer · worlds).

    Parameters
    ----------
    shares : (outer, items, slots) float
        They sum to 1 for each item.
    keys : (items,) uint64
    streams : (outer,) uint64
        Where the counters of each outer world start.
    worlds : slice
        Which worlds of each outer world, from an even number on.
    """
    n_outer, n_items, n_slots = shares.shape
    n = worlds.stop - worlds.start
    out = np.zeros((n_items, n_outer, n), dtype=np.int64)
    if not n_slots:
        return out.reshape(n_items, -1)
    unit = thresholds(np.cumsum(shares, axis=-1).T)  # (slots, items, outer)
    # Rounding must not lead beyond the last slot that has a share.
    last = (n_slots - 1 - np.argmax(shares[..., ::-1] > 0, axis=-1)).T
    for rows, drawn in world_bits(keys, streams, worlds):
        some = out[rows]
        for k in range(n_slots - 1):
            some += drawn >= unit[k, rows, :, None]
        np.minimum(some, last[rows, :, None], out=some)
    return out.reshape(n_items, -1)


def entropy(shares: Floats) -> Floats:
    """Entropy in bits of each row of shares: (items, slots) → (items,)."""
    safe = np.where(shares > 0, shares, 1.0)
    return np.asarray(-(shares * np.log2(safe)).sum(axis=-1) + 0.0)


def pair_agreement(votes: Floats, squares: Floats | None = None) -> Floats:
    """Share of pairs of voters who agree: (items,); NaN below two voters.

    Parameters
    ----------
    votes : (items, slots) float
        Sum of the votes, of which each voter has 1.
    squares : (items, slots) float or None
        Sum of the squares of what each voter gives to a slot; None: all of the vote, or nothing.
    """
    total = np.rint(votes.sum(axis=-1))  # the number of voters
    pairs = total * (total - 1)
    same = (votes**2 - (votes if squares is None else squares)).sum(axis=-1)
    return divide(same, pairs, fill=np.nan)


# Ballots, the labels that one subject gave to one item, from rows of item, subject and label.


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
        ones = np.ones(len(self.label))
        return sparse.csr_array((ones, self.label, self.offsets), shape=(len(self), n_labels))


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
