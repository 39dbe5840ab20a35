"""Query by example as numbers: ballots over options, and the grade each option has for each query.

An option is a label set (or, for a single category of which only some subjects were asked, yes or
no). A query asks for a *row* of the table of grades: the row of its own option, which varies from
world to world, or that of the category it was given.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import U64, Floats, Ints
from fuzzytruth.core.shares import Slots, make_slots, resampled_shares, slot_shares, slots_by_key
from fuzzytruth.data.by_example import ByExample, grades, grades_of_categories
from fuzzytruth.data.vote_checksums import label_set_keys
from fuzzytruth.errors import DataError, OptionError, counted, shown
from fuzzytruth.io.arrow import take
from fuzzytruth.io.ids import hash_ids
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
        The collection: all items with votes.
    subjects : tuple of str
    query_item : (queries,) int
        Which item the query is; -1 if none.
    query_row : (queries,) int or None
        Row of `grade` each query asks for; None: that of its own option.
    item, subject, option : (ballots,) int
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
    subjects: tuple[str, ...]
    query_item: Ints
    query_row: Ints | None
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
    def n_items(self) -> int:
        """Size of the collection."""
        return len(self.items)

    @property
    def left_out(self) -> Ints:
        """Item that each query does not count: itself, or -1 for none."""
        return np.full_like(self.query_item, -1) if self.keep_query else self.query_item

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

        shape = (self.n_items, len(self.subjects))
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
    queries, place = _queries(truth, answered, ballots.items)
    category, query_row = _rows(truth, queries)
    if truth.votes.asked is not None:
        grade = np.array([[1.0, 0.0]])
    elif category is None:
        grade = grades(truth)
    else:
        grade = grades_of_categories(truth, category)
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
        tuple(truth.votes.subjects.to_pylist()),
        place,
        query_row,
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


def _ballots(truth: ByExample) -> _Ballots:
    """All ballots; where only some were asked, those asked about the category: yes 0, no 1."""
    votes = truth.votes
    if votes.asked is None:
        keys = label_set_keys(votes.taxonomy, votes.sets)
        return _Ballots(votes.items, votes.item, votes.subject, votes.label_set, votes.weight, keys)
    category = truth.category
    if not isinstance(category, str):
        assert category is not None
        category = next(iter(category.values()))
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


def _queries(
    truth: ByExample, answered: Iterable[str], items: pa.LargeStringArray
) -> tuple[tuple[str, ...], Ints]:
    """The queries, and which item each of them is."""
    asked_for = tuple(dict.fromkeys(answered)) if truth.queries is None else truth.queries
    place = find_items(asked_for, items)
    if truth.category is not None:
        if isinstance(truth.category, str):
            return asked_for, place
        known = np.array([query in truth.category for query in asked_for], dtype=bool)
        what = "category in by_example(category={query: category})"
    else:
        known, what = place >= 0, "votes, and hence no category"
    if truth.queries is not None and not known.all():
        without = [
            q for q, has_votes in zip(asked_for, known.tolist(), strict=True) if not has_votes
        ]
        raise DataError(
            f"queries: {counted(len(without), 'query has', 'queries have')} no {what}; the "
            f"first is {shown(without[0])}"
        )
    if not known.any():
        raise DataError(
            f"by_example: none of the queries that runs answer has {what}; queries are ids of "
            f"items here, such as {shown(items[0].as_py())}, and a run has "
            f"{shown(asked_for[0]) if asked_for else 'none'}"
        )
    kept = tuple(q for q, valid in zip(asked_for, known.tolist(), strict=True) if valid)
    return kept, place[known]


def find_items(wanted: Any, items: pa.LargeStringArray) -> Ints:
    """The place of each id among the items, -1 where it is none of them."""
    import pyarrow as pa
    import pyarrow.compute as pc

    ids = wanted if hasattr(wanted, "type") else pa.array(wanted, pa.large_string())
    place: Any = pc.index_in(ids, value_set=items)
    return np.asarray(place.fill_null(-1).to_numpy(zero_copy_only=False), dtype=np.int64)


def _rows(truth: ByExample, queries: tuple[str, ...]) -> tuple[list[str] | None, Ints | None]:
    """The categories asked for, and which of them each query asks for."""
    if truth.category is None:
        return None, None
    if isinstance(truth.category, str):
        return [truth.category], np.zeros(len(queries), dtype=np.int64)
    names = list(dict.fromkeys(truth.category[q] for q in queries))
    place = {name: j for j, name in enumerate(names)}
    return names, np.array([place[truth.category[q]] for q in queries], dtype=np.int64)
