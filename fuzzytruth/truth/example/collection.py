"""Query by example as numbers: ballots over options, and the grade each option has for each query.

An option is a label set (or, for a single category of which only some subjects were asked, yes or
no). A query asks for a *row* of the table of grades: the row of its own option, which varies from
world to world, or that of the category it was given.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import U64, Floats, Ints
from fuzzytruth.core.shares import Slots, make_slots, resampled_shares, slot_shares, slots_by_key
from fuzzytruth.data.by_example import ByExample, grades, grades_of_categories
from fuzzytruth.data.vote_checksums import label_set_keys
from fuzzytruth.errors import DataError, OptionError, counted, shown
from fuzzytruth.io.arrow import take
from fuzzytruth.io.ids import hash_ids, string_array
from fuzzytruth.truth.example.queries import GivenRows, find_items, given_rows, settle_queries
from fuzzytruth.truth.vote_weights import VoteWeights

if TYPE_CHECKING:
    import pyarrow as pa

    from fuzzytruth.data.votes import Votes


#: largest collection whose items are treated one by one, not grouped by probability
SMALL = 500
_MOST_GRADES = 64  # distinct similarities that are counted one by one


@dataclass(frozen=True, slots=True, eq=False)
class Collection:
    """The truth of a set of queries over a collection of items with votes.

    Parameters
    ----------
    queries : tuple of str
    items : Arrow array of strings
        Items with votes: those of the collection first, then others that are queries.
    n_items : int
        Size of the collection.
    subjects : tuple of str or None
        None where nobody is named.
    query_item : (queries,) int
        Which item the query is; -1 if none.
    given : GivenRows or None
        Rows of `grade` the queries ask for; None: that of each one's own option.
    item, subject, option : (ballots,) int
        Sorted by item, then subject, who is 0 where nobody is named. A subject has several ballots
        on an item where it was judged repeatedly.
    weight : (ballots,) float
    option_key : (options,) uint64
        Tells options apart, whatever their numbers.
    slots : Slots
        Distinct options of each item.
    share : (items, slots) float
        Chance of each, all subjects counting as they do.
    grade : (rows, options) float
    keep_query : bool
        Whether a query may answer itself.
    """

    queries: tuple[str, ...]
    items: pa.LargeStringArray
    n_items: int
    subjects: tuple[str, ...] | None
    query_item: Ints
    given: GivenRows | None
    item: Ints
    subject: Ints
    option: Ints
    weight: Floats
    option_key: U64
    slots: Slots
    share: Floats
    grade: Floats
    keep_query: bool

    @property
    def n_subjects(self) -> int:
        """Number of subjects, 1 where nobody is named."""
        return 1 if self.subjects is None else len(self.subjects)

    @property
    def member(self) -> Ints:
        """Which item of the collection each query is; -1 if none: (queries,)."""
        return np.where(self.query_item < self.n_items, self.query_item, -1)

    @property
    def left_out(self) -> Ints:
        """Item of the collection that each query does not count: itself, or -1 for none."""
        return np.full_like(self.query_item, -1) if self.keep_query else self.member

    @property
    def first_ballots(self) -> Ints:
        """The first ballot of each subject on each item: rows of the ballots."""
        key = self.item * self.n_subjects + self.subject
        return np.flatnonzero(np.diff(key, prepend=-1) != 0)

    @property
    def changed_minds(self) -> Ints:
        """Ballots that differ from the one before by the same subject on the same item."""
        key = self.item * self.n_subjects + self.subject
        return 1 + np.flatnonzero((np.diff(key) == 0) & (np.diff(self.option) != 0))

    @property
    def levels(self) -> Floats:
        """Distinct grades, descending."""
        return np.unique(self.grade)[::-1]

    @property
    def binary(self) -> bool:
        """Whether every grade is 0 or 1."""
        return bool(np.isin(self.grade, (0.0, 1.0)).all())

    @property
    def small(self) -> bool:
        """Whether exact moments treat items one by one, instead of grouped by probability."""
        return self.n_items <= SMALL

    @property
    def rest_size(self) -> int:
        """The most groups of equally probable items that a query may have, over its options."""
        n_shares = min(len(np.unique(self.share)), self.n_items)
        choices = self.slots.option if self.given is None else self.given.row
        return int(n_shares * choices.shape[1])

    @property
    def top_grade(self) -> float:
        """The largest grade, 0 or more."""
        return float(self.grade.max(initial=0))

    @property
    def item_hash(self) -> U64:
        """Hashes of the ids of the items, on which drawn labels depend: (items,)."""
        return hash_ids(self.items)

    @property
    def draw_order(self) -> Ints:
        """The slots of each item in an order that does not depend on that of the votes.

        (items, slots).
        """
        return slots_by_key(self.slots, self.option_key)

    def shares(self, votes: VoteWeights) -> Floats:
        """Probability of each item's options in each outer world: (outer, items, slots)."""
        if votes.counts is None:
            return self.share[None]
        return resampled_shares(self.slots, self.subject, self.weight, votes.counts, self.share)[0]

    def lost_votes(self, votes: VoteWeights) -> int:
        """How many pairs of an outer world and an item have no vote left."""
        if votes.counts is None:
            return 0
        from scipy.sparse import csr_array

        shape = (len(self.items), self.n_subjects)
        votes_of = csr_array((np.ones(len(self.item)), (self.item, self.subject)), shape=shape)
        return int(np.count_nonzero(np.asarray(votes_of @ votes.counts.T) == 0))

    def with_nothing(self) -> Collection:
        """The same with one more option, which is relevant to no query."""
        none = np.zeros((len(self.grade), 1))
        return replace(self, grade=np.concatenate((self.grade, none), axis=1))


@dataclass(frozen=True, slots=True, eq=False)
class _Ballots:
    items: pa.LargeStringArray
    item: Ints
    subject: Ints
    option: Ints
    weight: Floats
    option_key: U64


def make_collection(truth: ByExample, answered: Iterable[str]) -> Collection:
    """Encode votes and queries, which are those asked for, or else those `answered` by runs.

    Raises
    ------
    DataError
        A query asked for has no votes or no category, or no query is left.
    OptionError
        Similarities take too many distinct values.
    """
    ballots = _ballots(truth)
    queries, place = settle_queries(truth, answered, ballots.items)
    n_items = len(ballots.items)
    if truth.collection is not None:
        ballots, place, n_items = _within(truth.collection, ballots, place)
    given = given_rows(truth, queries)
    if truth.votes.asked is not None:
        grade = np.array([[1.0, 0.0]])
    elif given is None:
        grade = grades(truth)
    else:
        grade = grades_of_categories(truth, given.categories)
    if len(np.unique(grade)) > _MOST_GRADES:
        raise OptionError(
            f"relevance={truth.relevance!r}: similarities take "
            f"{counted(len(np.unique(grade)), 'distinct value')}; round them, such as "
            "by_example(..., digits=1)"
        )
    slots = make_slots(ballots.item, ballots.option, len(ballots.items))
    return Collection(
        queries,
        ballots.items,
        n_items,
        truth.subjects,
        place,
        given,
        ballots.item,
        ballots.subject,
        ballots.option,
        ballots.weight,
        ballots.option_key,
        slots,
        slot_shares(slots, ballots.weight),
        grade,
        truth.keep_query,
    )


def _within(
    collection: tuple[str, ...], ballots: _Ballots, place: Ints
) -> tuple[_Ballots, Ints, int]:
    """Ballots on items of the collection and on queries; the queries' items; the items' number."""
    member = find_items(ballots.items, string_array(collection)) >= 0
    if not member.any():
        raise DataError(
            "by_example: nobody was asked about this category for any item of the collection"
        )
    is_query = np.zeros(len(member), dtype=bool)
    is_query[place[place >= 0]] = True
    kept = np.concatenate((np.flatnonzero(member), np.flatnonzero(is_query & ~member)))
    code = np.full(len(member) + 1, -1, dtype=np.int64)  # the last one is that of no item
    code[kept] = np.arange(len(kept))
    item = code[ballots.item]
    order = np.argsort(item, kind="stable")
    order = order[item[order] >= 0]
    some = _Ballots(
        take(ballots.items, kept),
        item[order],
        ballots.subject[order],
        ballots.option[order],
        ballots.weight[order],
        ballots.option_key,
    )
    return some, code[place], int(member.sum())


def _ballots(truth: ByExample) -> _Ballots:
    """All ballots; where only some were asked, those asked about the category: yes 0, no 1."""
    votes = truth.votes
    if votes.asked is None:
        keys = label_set_keys(votes.taxonomy, votes.sets)
        return _Ballots(votes.items, votes.item, votes.subject, votes.label_set, votes.weight, keys)
    given = truth.category
    category = next(iter(given.values())) if isinstance(given, Mapping) else given
    assert isinstance(category, str)
    below = _below(votes, category)
    asked = votes.asked
    counts = (asked.sets.members(len(votes.taxonomy)) @ below > 0)[asked.label_set]
    yes = (votes.sets.members(len(votes.taxonomy)) @ below > 0)[votes.label_set]
    if not counts.any():
        raise DataError(f"by_example: nobody was asked about category {shown(category)}")
    kept, item = np.unique(votes.item[counts], return_inverse=True)
    option = np.where(yes[counts], 0, 1).astype(np.int64)
    return _Ballots(
        take(votes.items, kept),
        item.reshape(-1).astype(np.int64),
        votes.subject[counts],
        option,
        votes.weight[counts],
        np.arange(2, dtype=np.uint64),
    )


def _below(votes: Votes, category: str) -> Floats:
    """Which categories are this one or below it, as numbers: (categories,)."""
    taxonomy = votes.taxonomy
    code = taxonomy.code(category)
    out = np.zeros(len(taxonomy))
    start, stop = taxonomy.descendant_offsets[code : code + 2]
    out[taxonomy.descendants_of[start:stop]] = 1.0
    return out
