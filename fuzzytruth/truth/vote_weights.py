"""How much each subject's votes count: as given, one subject alone, or subjects resampled.

An *outer* world says with which probability each item has each of its grades; within it, items draw
their grades independently. Kinds of worlds differ in their outer worlds only.

`Ballots` are votes on the categories of items, of which one is drawn in each world.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from fuzzytruth._lazy import sparse
from fuzzytruth._typing import U64, Array, Bools, Floats, Ints
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.checksums import Entropy, keyed_bits, keys_of
from fuzzytruth.core.clusters import subject_resamples
from fuzzytruth.core.shares import (
    Slots,
    draw_slots,
    make_slots,
    resampled_shares,
    slot_shares,
    slots_by_key,
)
from fuzzytruth.errors import counted
from fuzzytruth.io.columns import string_array
from fuzzytruth.io.ids import hashes_apart

_APART = np.uint64(1 << 32)  # counters between the streams of two resamples


@dataclass(frozen=True, slots=True, eq=False)
class VoteWeights:
    """Outer worlds, as weights of the votes.

    Parameters
    ----------
    weight : (outer,) float
        Probability of each outer world; sums to 1.
    counts : (outer, voters) float or None
        How often each voter counts; None: votes count as given.
    by_cell : bool
        Whether voters are cells, a (query, subject) each, or subjects.
    drawn : bool
        Whether the outer worlds are a random sample, or all possible ones.
    inflation : (queries,) or (1,) float
        Factor that makes the variance over resamples of S subjects unbiased, S / (S - 1).
    streams : (outer,) uint64
        Where the counters of the random numbers of each outer world start.
    """

    weight: Floats
    counts: Floats | None = None
    by_cell: bool = False
    drawn: bool = False
    inflation: Floats = field(default_factory=lambda: np.ones(1))
    streams: U64 = field(default_factory=lambda: np.zeros(1, dtype=np.uint64))

    def __len__(self) -> int:
        return len(self.weight)

    def __getitem__(self, outer: slice) -> VoteWeights:
        counts = None if self.counts is None else self.counts[outer]
        return replace(self, weight=self.weight[outer], counts=counts, streams=self.streams[outer])

    def inflation_of(self, queries: slice) -> Floats:
        """The factors of some queries: (queries,) or (1,)."""
        return self.inflation if len(self.inflation) == 1 else self.inflation[queries]


def as_given() -> VoteWeights:
    """One outer world, in which all votes count as they are."""
    return VoteWeights(np.ones(1))


def single_subjects(subjects: Array, names: Sequence[str]) -> VoteWeights:
    """An outer world for each of some subjects, whose votes alone count.

    Parameters
    ----------
    subjects : (outer,) int
    names : sequence of str
        Of all subjects; the random numbers of a subject's world depend on the name.
    """
    counts = np.zeros((len(subjects), len(names)))
    counts[np.arange(len(subjects)), subjects] = 1.0
    weight = np.full(len(subjects), 1 / len(subjects))
    return VoteWeights(weight, counts, streams=hashes_apart(string_array(names))[subjects])


def communities(groups: Mapping[str, Sequence[str]], names: Sequence[str]) -> VoteWeights:
    """An outer world for each group of subjects, whose votes alone count, as probable as large.

    Parameters
    ----------
    groups : mapping of str to sequence of str
        The members of each.
    names : sequence of str
        Of all subjects.
    """
    order = sorted(groups)
    counts = np.array([np.isin(names, list(groups[name])) for name in order], np.float64)
    weight = counts.sum(axis=1) / counts.sum()
    streams = np.arange(len(order), dtype=np.uint64) * _APART
    return VoteWeights(weight, counts, streams=streams)


def resampled_subjects(
    names: Sequence[str], n_worlds: int, seed: np.random.SeedSequence
) -> VoteWeights:
    """Bootstrap resamples of the subjects, enumerated when they are few.

    The same for any order of the subjects.
    """
    n_subjects = len(names)
    weight, counts, drawn = subject_resamples(n_subjects, n_worlds, seed)
    inflation = np.array([n_subjects / (n_subjects - 1)])
    counts = counts[:, _place_by_name(names)]
    streams = np.arange(len(weight), dtype=np.uint64) * _APART
    return VoteWeights(weight, counts, drawn=drawn, inflation=inflation, streams=streams)


def resampled_within_queries(
    cells: Cells, queries: Sequence[str], names: Sequence[str], n_worlds: int, entropy: Entropy
) -> VoteWeights:
    """Bootstrap resamples of nested subjects: each query's own, drawn by themselves.

    Every query needs two subjects or more. The draws depend on the ids of the query and its
    subjects, not on what else there is.
    """
    offsets, size = cells.offsets, np.diff(cells.offsets)  # (queries,) subjects who judged
    by_name = np.lexsort((_place_by_name(names)[cells.subject_codes], cells.query))
    keys = keys_of(entropy, hashes_apart(string_array(queries)))
    counts = np.zeros((n_worlds, len(cells)))
    words = np.arange((n_worlds + 1) // 2, dtype=np.uint64)
    world = np.arange(n_worlds)
    for nth in range(int(size.max())):  # one draw for each of a query's subjects
        counter = words + np.uint64(nth) * _APART
        larger = np.flatnonzero(nth < size)
        for rows, bits in keyed_bits(keys[larger], counter):
            some = larger[rows, None]
            chosen = (bits[:, :n_worlds] * size[some]) >> 32  # of 64 bits
            counts[world, by_name[offsets[some] + chosen]] += 1
    weight = np.full(n_worlds, 1 / n_worlds)
    streams = np.arange(n_worlds, dtype=np.uint64) * _APART
    return VoteWeights(weight, counts, True, True, size / (size - 1), streams)


def _place_by_name(names: Sequence[str]) -> Ints:
    """Place of each subject among all by name: (subjects,)."""
    out = np.empty(len(names), dtype=np.int64)
    out[np.argsort(np.array(names, dtype=object), kind="stable")] = np.arange(len(names))
    return out


# Votes on the categories of items as numbers: ballots for options, one drawn in each world.


@dataclass(frozen=True, eq=False)
class Ballots:
    """Ballots on some items, each for an option: a set of categories.

    Parameters
    ----------
    item_hash : (items,) uint64
        Hashes of the ids of the items, on which drawn options depend.
    item, subject : (ballots,) int
        Sorted by item, then subject, who is 0 where nobody is named. A subject has several ballots
        on an item where it was judged repeatedly.
    weight : (ballots,) float
    slots : Slots
        Distinct options of each item.
    share : (items, slots) float
        Chance of each, all subjects counting as they do.
    option_key : (options,) uint64
        Tells options apart, whatever their numbers.
    """

    item_hash: U64
    item: Ints
    subject: Ints
    weight: Floats
    slots: Slots
    share: Floats
    option_key: U64

    @classmethod
    def of(
        cls, item_hash: U64, item: Ints, subject: Ints, option: Ints, weight: Floats, key: U64
    ) -> Ballots:
        """Ballots whose options are given by numbers, with the key of each option."""
        slots = make_slots(item, option, len(item_hash))
        return cls(item_hash, item, subject, weight, slots, slot_shares(slots, weight), key)

    def __len__(self) -> int:
        return len(self.item)

    @property
    def n_items(self) -> int:
        """Number of items."""
        return len(self.item_hash)

    @cached_property
    def option(self) -> Ints:
        """The option of each ballot: (ballots,)."""
        return self.slots.option.ravel()[self.slots.of_ballot]

    @property
    def taken(self) -> Bools:
        """Which slots have an option: (items, slots)."""
        return self.slots.option >= 0

    @property
    def n_differ(self) -> int:
        """Number of items whose ballots are for several options."""
        return int((self.taken.sum(axis=1) > 1).sum())

    @property
    def first(self) -> Ints:
        """The first ballot of each subject on each item: rows of the ballots."""
        return np.flatnonzero(np.diff(self._voter, prepend=-1) != 0)

    @property
    def changed_minds(self) -> Ints:
        """Ballots that differ from the one before by the same subject on the same item."""
        return 1 + np.flatnonzero((np.diff(self._voter) == 0) & (np.diff(self.option) != 0))

    @property
    def _voter(self) -> Ints:
        """Item and subject of each ballot as one number, ascending."""
        return self.item * (int(self.subject.max(initial=0)) + 1) + self.subject

    @cached_property
    def equal_weights(self) -> bool:
        """Whether all ballots on an item weigh the same."""
        first = np.searchsorted(self.item, self.item)
        return bool((self.weight == self.weight[first]).all())

    def of_items(self, items: slice) -> Ballots:
        """The ballots on some consecutive items, which are counted from 0."""
        first, last = np.searchsorted(self.item, [items.start, items.stop]).tolist()
        start = items.start * self.slots.option.shape[1]
        return Ballots(
            self.item_hash[items],
            self.item[first:last] - items.start,
            self.subject[first:last],
            self.weight[first:last],
            Slots(self.slots.option[items], self.slots.of_ballot[first:last] - start),
            self.share[items],
            self.option_key,
        )

    def select(self, items: Ints) -> Ballots:
        """The ballots on some items, which are counted in the order given."""
        place = np.full(self.n_items, -1, dtype=np.int64)
        place[items] = np.arange(len(items))
        item = place[self.item]
        order = np.argsort(item, kind="stable")
        order = order[item[order] >= 0]
        return Ballots.of(
            self.item_hash[items],
            item[order],
            self.subject[order],
            self.option[order],
            self.weight[order],
            self.option_key,
        )

    def shares(self, votes: VoteWeights) -> Floats:
        """Probability of each item's options in each outer world: (outer, items, slots)."""
        if votes.counts is None:
            return self.share[None]
        return resampled_shares(self.slots, self.subject, self.weight, votes.counts, self.share)

    def lost_votes(self, votes: VoteWeights) -> int:
        """How many pairs of an outer world and an item have no vote left."""
        if votes.counts is None:
            return 0
        shape = (self.n_items, votes.counts.shape[1])
        voted: Any = sparse.csr_array((np.ones(len(self)), (self.item, self.subject)), shape=shape)
        return int(np.count_nonzero(voted @ votes.counts.T == 0))

    def draw(self, shares: Floats, streams: U64, worlds: slice, entropy: Entropy) -> Ints:
        """Draw a slot for each item in each world: (items, outer · worlds).

        Parameters
        ----------
        shares : (outer, items, slots) float
        streams : (outer,) uint64
            Where the counters of each outer world start.
        worlds : slice
            Which worlds of each outer world, from an even number on.
        entropy : Entropy
        """
        order = slots_by_key(self.slots, self.option_key)
        ordered = np.take_along_axis(shares, order[None], axis=2)
        drawn = draw_slots(ordered, keys_of(entropy, self.item_hash), streams, worlds)
        return np.take_along_axis(order, drawn, axis=1)


# What votes for categories lack, and why.


_NO_LISTS = "votes for categories are no ranked lists; give judgments with grades or positions"
_NO_INTENTS = "votes for categories have none; give judgments with a column 'intent'"
_NOBODY = (
    "these votes are counts or probabilities without names, so that nobody's own labels are known; "
    "use worlds='independent', or read votes with a column that names who voted"
)
_CHANGED_MIND = (
    "the subject judged some items repeatedly and differently; use worlds='independent', or keep "
    "one repetition"
)


def votes_lack(
    subjects: tuple[str, ...] | None, *, unjudged: str, uncertain: bool = False, n_differ: int = 0
) -> dict[str, str]:
    """What votes by these subjects lack; see `Facts.lacks`.

    Parameters
    ----------
    subjects : tuple of str or None
        None: nobody knows who voted.
    unjudged : str
        Why no items are unjudged.
    uncertain : bool
        Whether some subject judged an item repeatedly and differently.
    n_differ : int
        Number of items on which votes differ.
    """
    lacks = {"intents": _NO_INTENTS, "lists": _NO_LISTS, "unjudged": unjudged}
    if subjects is None:
        lacks["subject"] = lacks["population"] = _NOBODY
        if n_differ:
            lacks["crisp"] = (
                f"the votes on {counted(n_differ, 'item')} differ, so that there is no single "
                "truth; use worlds='independent'"
            )
        return lacks
    if len(subjects) > 1:
        lacks["crisp"] = (
            f"these votes have {len(subjects)} subjects; use worlds='subject' for each one's "
            "truth, or keep one subject's votes"
        )
    elif uncertain:
        lacks["crisp"] = _CHANGED_MIND
    if len(subjects) < 2:
        lacks["population"] = too_few_subjects("votes", len(subjects))
    return lacks


def too_few_subjects(what: str, n_subjects: int) -> str:
    """Why so few subjects are not resampled."""
    return f"resampling subjects needs at least two of them, and these {what} have {n_subjects}"
