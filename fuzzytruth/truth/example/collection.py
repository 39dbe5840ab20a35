"""Query by example as numbers: the collection, every run's lists, and labellings of all items.

An option is a label set (or, for a single category of which only some subjects were asked, yes or
no). A query asks for a *row* of the table of grades: the row of its own option, which varies from
world to world, or that of the category it was given.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._lazy import pa
from fuzzytruth._typing import U64, Array, Bools, Floats, Ints
from fuzzytruth.core.arithmetic import offsets_of, segment_of
from fuzzytruth.core.layouts import Diagonals, EndToEnd
from fuzzytruth.core.order import by_query_and_rank
from fuzzytruth.core.shares import GroupedBallots
from fuzzytruth.data.by_example import ByExample, chances, grades, grades_of_categories
from fuzzytruth.data.ranking import Ranking, Ties, of_rows, ranks_of
from fuzzytruth.data.votes import Votes, label_set_keys
from fuzzytruth.errors import DataError, OptionError, counted, shown
from fuzzytruth.io.columns import string_array
from fuzzytruth.io.ids import find_items, hashes_apart, order_by_id, take
from fuzzytruth.truth.batch import Batch, Levels
from fuzzytruth.truth.pairs.placement import Placement
from fuzzytruth.truth.vote_weights import Ballots, VoteWeights

# Which queries by example there are, and which categories they ask for.


@dataclass(frozen=True, slots=True, eq=False)
class GivenRows:
    """The categories that queries are given, as rows of the table of grades.

    Parameters
    ----------
    categories : list of str
        The category of each row.
    row : (queries, choices) int
        Rows that each query may ask for, by name of the category; -1 where it has fewer.
    share : (queries, choices) float
        Probability of each.
    """

    categories: list[str]
    row: Ints
    share: Floats

    @property
    def certain(self) -> bool:
        """Whether each query asks for a single category."""
        return bool(self.row.shape[1] == 1)


def settle_queries(
    truth: ByExample, answered: Iterable[str], items: pa.LargeStringArray
) -> tuple[tuple[str, ...], Ints]:
    """The queries, and which item each of them is."""
    asked_for = tuple(dict.fromkeys(answered)) if truth.queries is None else truth.queries
    place = find_items(asked_for, items)
    remedy = ""
    if truth.category is not None:
        if isinstance(truth.category, str):
            return asked_for, place
        known = np.array([query in truth.category for query in asked_for], dtype=bool)
        what = "category in by_example(category={query: category})"
    else:
        known, what = place >= 0, "votes, and hence no category"
        remedy = "; say what queries that are no items ask for: category={query: category}"
    if truth.queries is not None and not known.all():
        without = [
            q for q, has_votes in zip(asked_for, known.tolist(), strict=True) if not has_votes
        ]
        raise DataError(
            f"queries: {counted(len(without), 'query has', 'queries have')} no {what}; the "
            f"first is {shown(without[0])}{remedy}"
        )
    if not known.any():
        raise DataError(
            f"by_example: none of the queries that runs answer has {what}; queries are ids of "
            f"items here, such as {shown(items[0].as_py())}, and a run has "
            f"{shown(asked_for[0]) if asked_for else 'none'}{remedy}"
        )
    kept = tuple(q for q, valid in zip(asked_for, known.tolist(), strict=True) if valid)
    return kept, place[known]


def given_rows(truth: ByExample, queries: tuple[str, ...]) -> GivenRows | None:
    """The categories that queries are given; None: each has its own."""
    if truth.category is None:
        return None
    if isinstance(truth.category, str):
        n = len(queries)
        return GivenRows([truth.category], np.zeros((n, 1), dtype=np.int64), np.ones((n, 1)))
    choices = [chances(truth.category[query]) for query in queries]
    names = list(dict.fromkeys(name for of_query in choices for name, _ in of_query))
    place = {name: j for j, name in enumerate(names)}
    size = np.array([len(of_query) for of_query in choices])
    row = np.full((len(queries), int(size.max())), -1, dtype=np.int64)
    share = np.zeros(row.shape)
    filled = np.arange(row.shape[1]) < size[:, None]
    row[filled] = [place[name] for of_query in choices for name, _ in of_query]
    share[filled] = [p for of_query in choices for _, p in of_query]
    return GivenRows(names, row, share)


#: largest collection whose items are treated one by one, not grouped by probability
SMALL = 500
_MOST_GRADES = 64  # distinct similarities that are counted one by one


@dataclass(frozen=True, eq=False)
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
    ballots : Ballots
        On all items.
    grade : (rows, options) float
    row_names : (rows,) object
        The category that a query asks for by each row; of several categories, joined by "+".
    keep_query : bool
        Whether a query may answer itself.
    """

    queries: tuple[str, ...]
    items: pa.LargeStringArray
    n_items: int
    subjects: tuple[str, ...] | None
    query_item: Ints
    given: GivenRows | None
    ballots: Ballots
    grade: Floats
    row_names: Array
    keep_query: bool

    @cached_property
    def query_hash(self) -> U64:
        """Hashes of the ids of the queries, by which their categories are drawn: (queries,)."""
        return hashes_apart(string_array(self.queries))

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
        n_shares = min(len(np.unique(self.ballots.share)), self.n_items)
        choices = self.ballots.slots.option if self.given is None else self.given.row
        return int(n_shares * choices.shape[1])

    @property
    def top_grade(self) -> float:
        """The largest grade, 0 or more."""
        return float(self.grade.max(initial=0))

    def with_nothing(self) -> Collection:
        """The same with one more option, which is relevant to no query."""
        none = np.zeros((len(self.grade), 1))
        return replace(self, grade=np.concatenate((self.grade, none), axis=1))


def make_collection(truth: ByExample, answered: Iterable[str]) -> Collection:
    """Encode votes and queries, which are those asked for, or else those `answered` by runs.

    Raises
    ------
    DataError
        A query asked for has no votes or no category, or no query is left.
    OptionError
        Similarities take too many distinct values.
    """
    items, ballots = _ballots(truth)
    order = order_by_id(items)  # which the order of the votes does not change
    items, ballots = take(items, order), ballots.select(order)
    queries, place = settle_queries(truth, answered, items)
    n_items = len(items)
    if truth.collection is not None:
        kept, place, n_items = _within(truth.collection, items, place)
        items, ballots = take(items, kept), ballots.select(kept)
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
    return Collection(
        queries,
        items,
        n_items,
        truth.subjects,
        place,
        given,
        ballots,
        grade,
        _row_names(truth, given),
        truth.keep_query,
    )


def _row_names(truth: ByExample, given: GivenRows | None) -> Array:
    """The name of each row of grades."""
    names = truth.votes.set_names() if given is None else given.categories
    out = np.empty(len(names), dtype=object)
    out[:] = ["+".join(name) if isinstance(name, tuple) else name for name in names]
    return out


def _within(
    collection: tuple[str, ...], items: pa.LargeStringArray, place: Ints
) -> tuple[Ints, Ints, int]:
    """The items that are kept, the place of each query among them, and the collection's size."""
    member = find_items(items, string_array(collection)) >= 0
    if not member.any():
        raise DataError(
            "by_example: nobody was asked about this category for any item of the collection"
        )
    is_query = np.zeros(len(member), dtype=bool)
    is_query[place[place >= 0]] = True
    kept = np.concatenate((np.flatnonzero(member), np.flatnonzero(is_query & ~member)))
    code = np.full(len(member) + 1, -1, dtype=np.int64)  # the last one is that of no item
    code[kept] = np.arange(len(kept))
    return kept, code[place], int(member.sum())


def _ballots(truth: ByExample) -> tuple[pa.LargeStringArray, Ballots]:
    """Items and all ballots; where only some were asked, those asked about the category."""
    votes = truth.votes
    if votes.asked is not None:
        return _yes_or_no(truth, votes.asked)
    key = label_set_keys(votes.taxonomy, votes.sets)
    return votes.items, Ballots.of(
        hashes_apart(votes.items), votes.item, votes.subject, votes.label_set, votes.weight, key
    )


def _yes_or_no(truth: ByExample, asked: GroupedBallots) -> tuple[pa.LargeStringArray, Ballots]:
    """The items that some were asked about, with their ballots: yes 0, no 1."""
    votes, given = truth.votes, truth.category
    category = next(iter(given.values())) if isinstance(given, Mapping) else given
    assert isinstance(category, str)
    below = _below(votes, category)
    counts = (asked.sets.members(len(votes.taxonomy)) @ below > 0)[asked.label_set]
    yes = (votes.sets.members(len(votes.taxonomy)) @ below > 0)[votes.label_set]
    if not counts.any():
        raise DataError(f"by_example: nobody was asked about category {shown(category)}")
    kept, item = np.unique(votes.item[counts], return_inverse=True)
    items = take(votes.items, kept)
    return items, Ballots.of(
        hashes_apart(items),
        item.reshape(-1).astype(np.int64),
        votes.subject[counts],
        np.where(yes[counts], 0, 1).astype(np.int64),
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


def place_lists(truth: Collection, ranking: Ranking, *, ties: Ties = "trec") -> Placement:
    """Find the items of a system's lists, and close the gap that the query leaves."""
    n_queries = len(truth.queries)
    code = {query: j for j, query in enumerate(truth.queries)}
    codes = np.array([code.get(q, n_queries) for q in ranking.queries], np.int32)[ranking.query]
    # A query is removed from its list even if it is no item of the collection.
    known = np.full(n_queries + 1, -1) if truth.keep_query else np.append(truth.query_item, -1)
    item = find_items(ranking.item, truth.items)
    wanted = codes < n_queries
    length = np.bincount(codes[wanted], minlength=n_queries)
    is_known = (item >= 0) & ((item < truth.n_items) | (item == known[codes]))
    rows = np.flatnonzero(wanted & is_known)
    lost = np.flatnonzero(wanted & ~is_known)
    unknown = take(ranking.item, lost) if len(lost) else None
    first, last, tie = ranks_of(ranking, codes, rows, ties)
    query, item = codes[rows].astype(np.int64), item[rows]
    own = item == known[query]
    if own.any():
        tie = None if tie is None else _close(query, *tie, own, n_queries)
        first, last = _close(query, first, last, own, n_queries)
        length = length - np.bincount(query[own], minlength=n_queries)
        query, item = query[~own], item[~own]
    if ties == "expected":
        order = np.lexsort((truth.ballots.item_hash[item], first, query))
    else:
        order = by_query_and_rank(query.astype(np.int32), first)
    first = first[order]
    last = first if ties != "expected" else last[order]
    offsets = offsets_of(np.bincount(query, minlength=n_queries))
    return Placement(length, offsets, item[order], first, last, of_rows(tie, order), unknown)


def _close(query: Ints, first: Ints, last: Ints, own: Bools, n_queries: int) -> tuple[Ints, Ints]:
    """Ranks of the other rows once the query's own row is gone."""
    beyond = np.iinfo(np.int64).max
    own_first, own_last = np.full(n_queries, beyond), np.full(n_queries, beyond)
    own_first[query[own]], own_last[query[own]] = first[own], last[own]
    others = ~own
    query, first, last = query[others], first[others], last[others]
    return first - (first > own_first[query]), last - (last >= own_last[query])


@dataclass(frozen=True, slots=True, eq=False)
class ExampleBlock:
    """Some whole queries.

    Parameters
    ----------
    collection : Collection
    queries : slice
        Which of the collection's queries.
    lists : tuple of Placement
        One for each run, of these queries only.
    too_many_groups : bool
        Whether too many items of a large collection differ in probability to be counted exactly.
    """

    collection: Collection
    queries: slice
    lists: tuple[Placement, ...]
    too_many_groups: bool = False

    @property
    def n_queries(self) -> int:
        """Number of queries."""
        return int(self.queries.stop - self.queries.start)

    @property
    def query_item(self) -> Ints:
        """Which item each query is; -1 if none."""
        return self.collection.query_item[self.queries]

    @property
    def member(self) -> Ints:
        """Which item of the collection each query is; -1 if none."""
        return self.collection.member[self.queries]

    @property
    def left_out(self) -> Ints:
        """Item that each query does not count; -1 for none."""
        return self.collection.left_out[self.queries]

    @property
    def knows_itself(self) -> bool:
        """Whether a query may answer itself and asks for its own category, which is then known."""
        return self.collection.keep_query and self.collection.given is None


# Labellings, drawn or given.


_MANY_WORLDS = 16  # from here on, worlds lie contiguous in memory
_CACHED = 1 << 26  # labels of drawn worlds that are kept for the next block: 256 MB


@dataclass(frozen=True, slots=True, eq=False)
class Labelling:
    """One option for each item in each world.

    Parameters
    ----------
    option : (worlds, items) int
        -1 where an item has none.
    count : (worlds, options) float
        How many items of the collection, which come first, have each option.
    """

    option: NDArray[np.int32]
    count: Floats

    @classmethod
    def of(cls, option: Ints, n_options: int, n_items: int | None = None) -> Labelling:
        """Count the options of drawn or given labellings, by default of all items."""
        n_worlds, counted = len(option), option[:, :n_items]
        labelled = counted >= 0
        flat = (counted + np.arange(n_worlds)[:, None] * n_options)[labelled]
        count = np.bincount(flat, minlength=n_worlds * n_options)
        return cls(option.astype(np.int32), count.reshape(n_worlds, n_options).astype(np.float64))

    def __len__(self) -> int:
        return len(self.option)


@dataclass(frozen=True, slots=True, eq=False)
class LabellingCache:
    """Drawn labellings, which all blocks of queries share."""

    _drawn: dict[Hashable, tuple[VoteWeights, Labelling]] = field(default_factory=dict)

    def __reduce__(self) -> tuple[type, tuple[()]]:
        """Pickled empty: the identities in its keys are those of this process."""
        return type(self), ()

    def get(
        self, votes: VoteWeights, part: tuple[int, ...], draw: Callable[[], Labelling]
    ) -> Labelling:
        """The labelling drawn before under these votes and this number, or else drawn now."""
        key = (id(votes), *part)
        if key in self._drawn:
            return self._drawn[key][1]
        labelling = draw()
        # A list, since other threads may add to the dict meanwhile.
        cells = sum(other.option.size for _, other in list(self._drawn.values()))
        if cells + labelling.option.size <= _CACHED:
            self._drawn[key] = votes, labelling  # the votes stay alive, and their id theirs
        return labelling


@dataclass(frozen=True, eq=False)
class ExampleWorlds:
    """Labellings of the collection, as a block of queries sees them.

    Parameters
    ----------
    block : ExampleBlock
    labelling : Labelling
    drawn_row : (worlds, queries) int or None
        Rows of grades that were drawn, of categories given by probabilities.
    """

    block: ExampleBlock
    labelling: Labelling
    drawn_row: Ints | None = None

    def __len__(self) -> int:
        return len(self.labelling)

    @property
    def option(self) -> NDArray[np.int32]:
        """Option of each item: (worlds, items), -1 where there is none."""
        return self.labelling.option

    def batch(self, run: int) -> Batch:
        """Input of the measures for one run."""
        collection, lists = self.block.collection, self.block.lists[run]
        in_order = len(self) < _MANY_WORLDS or lists.tied
        layout = EndToEnd(lists.offsets) if in_order else Diagonals.of(lists.offsets)
        hit = slice(None) if isinstance(layout, EndToEnd) else layout.source
        query = segment_of(lists.offsets)[hit]
        row = np.take(self.rows.T, query, axis=0)  # (hits, worlds)
        option = np.take(self.option.T, lists.entry[hit], axis=0)
        n_options = collection.grade.shape[1]
        gain = np.take(
            collection.grade.ravel(), np.maximum(row, 0) * n_options + np.maximum(option, 0)
        )
        if (option < 0).any():
            gain[option < 0] = np.nan
        first = lists.first[hit]
        return Batch(
            lists.length,
            layout,
            first,
            lists.last[hit] if lists.tied else first,
            gain.T,
            self.levels,
            collection.top_grade,
        )

    @cached_property
    def rows(self) -> NDArray[np.integer]:
        """Row of grades each query asks for in each world, -1 for none: (worlds, queries)."""
        collection, block = self.block.collection, self.block
        if self.drawn_row is not None:
            return self.drawn_row
        if collection.given is None:
            own = self.option[:, block.query_item]
            return np.where(own < len(collection.grade), own, -1)
        row = collection.given.row[block.queries, 0]
        return np.broadcast_to(row, (len(self), len(row)))

    @cached_property
    def levels(self) -> Levels:
        """How many items have each grade for each query, the query itself left out."""
        collection, row = self.block.collection, self.rows
        n_worlds = len(self)
        own = self.block.left_out
        own_option = np.where(own >= 0, self.option[:, own], -1)
        at = np.arange(n_worlds)[:, None], np.maximum(row, 0)
        own_grade = collection.grade[at[1], np.maximum(own_option, 0)]
        levels = collection.levels
        counts = []
        for level in levels.tolist():
            has_level = (collection.grade == level).T.astype(np.float64)
            of_row = self.labelling.count @ has_level  # (worlds, rows)
            counts.append(of_row[at] - ((own_option >= 0) & (own_grade == level)))
        n_queries = row.shape[1]
        return Levels(
            np.arange(n_queries + 1) * len(levels),
            np.tile(levels, n_queries),
            np.rint(np.stack(counts, axis=-1)).astype(np.int64).reshape(n_worlds, -1),
        )
