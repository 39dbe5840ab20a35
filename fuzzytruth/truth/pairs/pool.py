"""The judged pairs of a query and an item, shared by all systems, subjects and worlds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._lazy import pa, pc
from fuzzytruth._typing import U64, Bools, Floats, Ints
from fuzzytruth.core.arithmetic import offsets_of, segment_of
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.checksums import pair_keys
from fuzzytruth.data.judgments import Judgments
from fuzzytruth.errors import DataError, counted
from fuzzytruth.io.columns import string_array
from fuzzytruth.io.ids import as_numpy, encode, find_items, hash_ids, hashes_apart, same_ids, take
from fuzzytruth.truth.pairs.intent_sets import IntentSets, merged_intents
from fuzzytruth.truth.protocol import cut

# Look-up of 64-bit keys among a fixed set of keys.


_STEPS = 8  # keys with the same leading bits that are looked at one by one


@dataclass(frozen=True, slots=True, eq=False)
class KeyTable:
    """Sorted 64-bit keys, found through their leading bits.

    Measured against pyarrow's dictionary encoding and `numpy.searchsorted`; the figures are in
    docs/development/dependencies.md.

    Parameters
    ----------
    key : (keys + 1,) uint64
        Ascending and distinct, with a sentinel at the end.
    entry : (keys,) int
        What each key belongs to; -1 where several entries share it.
    shared : (some,) int
        Entries that share their key with another.
    start : (2 ** bits,) int
        First key with given leading bits.
    present : (2 ** bits,) bool
        Whether any key has given leading bits.
    shift : uint64
        How far keys are shifted to leave the leading bits.
    """

    key: U64
    entry: Ints
    shared: Ints
    start: NDArray[np.int32]
    present: Bools
    shift: np.uint64

    @classmethod
    def of(cls, key: U64) -> KeyTable:
        """Index keys by enough leading bits that nearly all of them differ there."""
        bits = min(max(16, len(key).bit_length() + 2), 24)
        shift = np.uint64(64 - bits)
        entry = np.argsort(key)
        key, shared = key[entry], np.empty(0, dtype=np.int64)
        equals_next = key[1:] == key[:-1]
        if equals_next.any():
            first = np.append(True, ~equals_next)
            is_shared = ~(first & np.append(~equals_next, True))
            shared = entry[is_shared]
            key, entry = key[first], np.where(is_shared, -1, entry)[first]
        count = np.bincount((key >> shift).view(np.int64), minlength=1 << bits)
        start = np.cumsum(count) - count
        # A key above all others ends every search.
        key = np.append(key, np.uint64(0xFFFFFFFFFFFFFFFF))
        return cls(key, entry, shared, start.astype(np.int32), count > 0, shift)

    def find(self, wanted: U64) -> tuple[Ints, Ints]:
        """Places in `wanted` of the keys that the table has, and the entry of each."""
        leading = (wanted >> self.shift).view(np.int64)
        rows = np.flatnonzero(self.present[leading])
        wanted, place = wanted[rows], self.start[leading[rows]].astype(np.int64)
        behind = np.flatnonzero(self.key[place] < wanted)
        for _ in range(_STEPS if len(behind) else 0):
            place[behind] += 1
            behind = behind[self.key[place[behind]] < wanted[behind]]
        if len(behind):  # more keys share their leading bits than would by chance
            place[behind] = np.searchsorted(self.key, wanted[behind])
        # a key may equal the sentinel
        hit = np.flatnonzero((self.key[place] == wanted) & (place < len(self.entry)))
        return rows[hit], self.entry[place[hit]]


# Judged pairs of a query and an item, without their votes.


_ROWS = 1 << 16  # rows looked up at a time: their keys stay in cache
_PAIRS = 4096  # judged pairs in a block of drawn worlds, about


@dataclass(frozen=True, eq=False)
class JudgedPairs:
    """The judged items of each query.

    Parameters
    ----------
    queries : tuple of str
    offsets : (queries + 1,) int
        Where each query's pairs start in `item`.
    item : Arrow array of strings, (pairs,)
    table : KeyTable
        Keys of the pairs, by hashes of their ids.
    """

    queries: tuple[str, ...]
    offsets: Ints
    item: pa.LargeStringArray
    table: KeyTable

    @classmethod
    def of(
        cls,
        queries: tuple[str, ...],
        query_of: NDArray[np.integer],
        item: pa.LargeStringArray,
        item_hash: U64 | None = None,
    ) -> JudgedPairs:
        """Pairs in ascending order of their queries; the hashes of the items may be known."""
        item_hash = hash_ids(item) if item_hash is None else item_hash
        offsets = offsets_of(np.bincount(query_of, minlength=len(queries)))
        return cls(queries, offsets, item, KeyTable.of(pair_keys(item_hash, query_of)))

    @cached_property
    def code_of(self) -> dict[str, int]:
        """The number of each query."""
        return {query: j for j, query in enumerate(self.queries)}

    @cached_property
    def query_of(self) -> Ints:
        """The query of each pair: (pairs,)."""
        return segment_of(self.offsets)

    @cached_property
    def query_hash(self) -> U64:
        """Hashes of the ids of the queries, by which their worlds are drawn: (queries,)."""
        return hashes_apart(string_array(self.queries))

    @cached_property
    def item_hash(self) -> U64:
        """Hashes of the ids of the items, by which their worlds are drawn: (pairs,)."""
        return hashes_apart(self.item, self.table.shared)

    @cached_property
    def blocks(self) -> list[slice]:
        """Slices of whole queries with about equally many pairs."""
        return cut(self.offsets, _PAIRS)

    def codes(self, queries: tuple[str, ...]) -> NDArray[np.int32]:
        """The number of each query in this pool; the number of queries for one it lacks."""
        if queries == self.queries:
            return np.arange(len(queries), dtype=np.int32)
        lacking = len(self.queries)
        return np.array([self.code_of.get(query, lacking) for query in queries], dtype=np.int32)

    def find(
        self, item: pa.LargeStringArray, item_hash: U64, codes: NDArray[np.int32]
    ) -> tuple[Ints, Ints]:
        """Rows whose (query, item) is in the pool, and the pair of each."""
        parts = []
        for start in range(0, max(len(codes), 1), _ROWS):
            rows = slice(start, start + _ROWS)
            row, pair = self.table.find(pair_keys(item_hash[rows], codes[rows]))
            parts.append((row + start, pair))
        row, pair = (np.concatenate(part) for part in zip(*parts, strict=True))
        if len(self.table.shared):
            of_several = np.flatnonzero(pair < 0)
            pair[of_several] = self._among_shared(
                take(item, row[of_several]), codes[row[of_several]]
            )
            row, pair = row[pair >= 0], pair[pair >= 0]
        # Equal hashes are a proposal; the ids decide.
        same = same_ids(take(item, row), take(self.item, pair))
        return row[same], pair[same]

    def _among_shared(self, item: pa.LargeStringArray, codes: NDArray[np.int32]) -> Ints:
        """The pair of each query and item among those that share their key, -1 where it is none."""
        shared = self.table.shared
        names = take(self.item, shared).unique()
        place = find_items(item, names)
        known = self.query_of[shared] * len(names) + find_items(take(self.item, shared), names)
        order = np.argsort(known)
        wanted = np.where(place >= 0, codes.astype(np.int64) * len(names) + place, -1)
        at = np.minimum(np.searchsorted(known, wanted, sorter=order), len(known) - 1)
        pair = shared[order[at]]
        return np.where(known[order[at]] == wanted, pair, -1)

    def of_queries(self, queries: slice) -> tuple[slice, Ints]:
        """The pairs of some whole queries, and where each query's start among them."""
        offsets = self.offsets[queries.start : queries.stop + 1]
        return slice(int(offsets[0]), int(offsets[-1])), offsets - offsets[0]


# Votes on pairs of a query and an item, by coordinates.


@dataclass(frozen=True, slots=True, eq=False)
class PairVotes:
    """The grades that subjects gave to pairs, sorted by pair, then subject.

    Parameters
    ----------
    pair : (votes,) int
        Which pair of a query and an item is judged.
    subject : (votes,) int
        Who judged it; 0 where the truth has no subjects.
    grade : (votes,) float
    chance : (votes,) float
        Probability of each vote when one of the pair's votes is drawn.
    offsets : (pairs + 1,) int
        Where each pair's votes start.
    position : (votes,) float or None
        Place of the item in the subject's own ranking; None where the truth has none.
    weight : (votes,) float or None
        Weight of each vote on its pair, up to a common factor; a subject's votes on a pair weigh
        the same in all. None: subjects vote once.
    kind : (votes,) int or None
        Which set of grades by intent each vote is, in `IntentSets`; None: the truth has no intents.
    """

    pair: Ints
    subject: Ints
    grade: Floats
    chance: Floats
    offsets: Ints
    position: Floats | None = None
    weight: Floats | None = None
    kind: Ints | None = None

    def __len__(self) -> int:
        return len(self.pair)

    def of_pairs(self, pairs: slice) -> PairVotes:
        """The votes on some consecutive pairs, which are counted from 0."""
        offsets = self.offsets[pairs.start : pairs.stop + 1]
        rows = slice(int(offsets[0]), int(offsets[-1]))
        return PairVotes(
            self.pair[rows] - pairs.start,
            self.subject[rows],
            self.grade[rows],
            self.chance[rows],
            offsets - offsets[0],
            None if self.position is None else self.position[rows],
            None if self.weight is None else self.weight[rows],
            None if self.kind is None else self.kind[rows],
        )

    @property
    def first_of_subject(self) -> Bools:
        """Which votes are the first of their subject on their pair: (votes,)."""
        first = np.ones(len(self), dtype=bool)
        first[1:] = (np.diff(self.pair) != 0) | (np.diff(self.subject) != 0)
        return first

    def once(self) -> PairVotes:
        """The first vote of each subject on each pair."""
        first = self.first_of_subject
        if first.all():
            return self
        position = None if self.position is None else self.position[first]
        return votes_of(
            self.pair[first],
            self.subject[first],
            self.grade[first],
            n_pairs=len(self.offsets) - 1,
            position=position,
            kind=None if self.kind is None else self.kind[first],
        )


def votes_of(
    pair: Ints,
    subject: Ints,
    grade: Floats,
    *,
    n_pairs: int,
    chance: Floats | None = None,
    position: Floats | None = None,
    weight: Floats | None = None,
    kind: Ints | None = None,
) -> PairVotes:
    """Sort votes by pair and subject; by default a pair's votes are equally probable.

    Parameters
    ----------
    pair, subject : (votes,) int
        Each combination once (or with `weight`, more often), and each of the `n_pairs` pairs at
        least once (`pool_of` checks it).
    grade : (votes,) float
    n_pairs : int
    chance : (votes,) float, optional
        Probability of each vote; those of a pair sum to 1.
    position : (votes,) float, optional
        Place of the item in the subject's own ranked list, from 1.
    weight : (votes,) float, optional
        See `PairVotes`; it gives the probabilities.
    kind : (votes,) int, optional
        See `PairVotes`.
    """
    key = pair * (int(subject.max(initial=0)) + 1) + subject
    is_sorted = bool((np.diff(key) >= 0).all())
    order = np.arange(len(key)) if is_sorted else np.argsort(key, kind="stable")
    pair = pair[order]
    weight = None if weight is None else weight[order]
    if chance is None:
        each = np.ones(len(pair)) if weight is None else weight
        total: Any = np.bincount(pair, weights=each, minlength=n_pairs)
        chance = each / total[pair]
    else:
        chance = chance[order]
    return PairVotes(
        pair,
        subject[order],
        grade[order],
        chance,
        offsets_of(np.bincount(pair, minlength=n_pairs)),
        None if position is None else position[order],
        weight,
        None if kind is None else kind[order],
    )


# Judged pairs and their votes.


@dataclass(frozen=True, eq=False)
class Pool(JudgedPairs):
    """The judged items of each query, and the votes on them.

    Parameters
    ----------
    queries, offsets, item, table
        See `JudgedPairs`.
    votes : PairVotes
    subjects : tuple of str or None
        None where the truth has no subjects.
    sets : IntentSets or None
        What the votes say of intents; None where the truth has none.
    highest : float or None
        The largest grade of all judgments, of which these are a part; None: these are all.
    """

    votes: PairVotes
    subjects: tuple[str, ...] | None
    sets: IntentSets | None = None
    highest: float | None = None

    @classmethod
    def of_votes(
        cls,
        pairs: JudgedPairs,
        votes: PairVotes,
        subjects: tuple[str, ...] | None,
        sets: IntentSets | None = None,
    ) -> Pool:
        """Pairs with the votes on them, which are sorted."""
        return cls(pairs.queries, pairs.offsets, pairs.item, pairs.table, votes, subjects, sets)

    @cached_property
    def judged(self) -> PairVotes:
        """One vote of each subject on each pair it judged: the first, if it did so repeatedly."""
        return self.votes.once()

    @cached_property
    def _cells_of_votes(self) -> tuple[Cells, Ints]:
        n_queries, n_subjects = len(self.queries), len(self.subjects or ("",))
        query = self.query_of[self.votes.pair]
        if self.subjects is None:
            return Cells.of_queries(n_queries), query
        cell, of_vote = np.unique(query * n_subjects + self.votes.subject, return_inverse=True)
        return Cells(*np.divmod(cell, n_subjects), n_queries, n_subjects), of_vote.reshape(-1)

    @property
    def cells(self) -> Cells:
        """Each query and subject with votes."""
        return self._cells_of_votes[0]

    @property
    def cell_of_vote(self) -> Ints:
        """The cell of each vote: (votes,)."""
        return self._cells_of_votes[1]

    @cached_property
    def cell_of_judged(self) -> Ints:
        """The cell of each vote of `judged`."""
        if self.judged is self.votes:
            return self.cell_of_vote
        return self.cell_of_vote[self.votes.first_of_subject]

    @property
    def repeated(self) -> bool:
        """Whether some subject judged a pair several times."""
        return self.subjects is not None and self.judged is not self.votes

    @cached_property
    def uncertain(self) -> Bools:
        """Cells with several grades of one subject for the same item: (cells,)."""
        votes = self.votes
        again = ~votes.first_of_subject[1:]
        judged = votes.grade if votes.kind is None else votes.kind
        differs = np.flatnonzero(again & (np.diff(judged) != 0)) + 1
        out = np.zeros(len(self.cells), dtype=bool)
        out[self.cell_of_vote[differs]] = True
        return out

    @cached_property
    def missing(self) -> Ints:
        """Pairs of each cell's query that its subject left out: (cells,)."""
        if self.subjects is None:
            return np.zeros(len(self.cells), dtype=np.int64)
        judged = np.bincount(self.cell_of_judged, minlength=len(self.cells))
        return np.diff(self.offsets)[self.cells.query] - judged

    @cached_property
    def place_of_item(self) -> Ints:
        """Place of each pair's item among all, by descending bytes of their ids: (pairs,)."""
        order: Any = pc.sort_indices(self.item, sort_keys=[("", "descending")])
        place = np.empty(len(self.item), dtype=np.int64)
        place[as_numpy(order, np.int64)] = np.arange(len(self.item))
        return place

    @cached_property
    def top_grade(self) -> float:
        """The largest grade, 0 or more."""
        if self.highest is not None:
            return self.highest
        return float(self.votes.grade.max(initial=0.0))


def make_pool(truth: Judgments, among: tuple[str, ...] | None = None) -> Pool:
    """Group judgments by (query, item); where they are a part, by some subjects `among` others.

    An item judged for several intents has its largest grade, and votes tell intents apart.
    """
    sets, kind = None, None
    if truth.intent is not None:
        truth, sets, kind = merged_intents(truth)
    query, query_ids = encode(truth.query)
    queries = tuple(query_ids.to_pylist())
    if truth.subject is None and truth.count is None:  # which judges an item once: a row is a pair
        order = np.argsort(query, kind="stable")
        votes = _certain_or_probable(truth, order, kind)
        return pool_of(queries, query[order], take(truth.item, order), votes, None, sets=sets)
    item, item_ids = encode(truth.item)
    distinct, pair = np.unique(query.astype(np.int64) * len(item_ids) + item, return_inverse=True)
    query_of, item_of = np.divmod(distinct, len(item_ids))
    item, repeats = take(item_ids, item_of), truth.repeat is not None
    subject, subjects = _subjects(truth, among)
    options: Any = {"position": truth.position, "weight": truth.weight, "kind": kind}
    votes = votes_of(pair.reshape(-1), subject, truth.grade, n_pairs=len(distinct), **options)
    return pool_of(queries, query_of, item, votes, subjects, repeats=repeats, sets=sets)


def _subjects(
    truth: Judgments, among: tuple[str, ...] | None
) -> tuple[Ints, tuple[str, ...] | None]:
    """The code of each row's subject, and the names; None without subjects."""
    if truth.subject is None:
        return np.zeros(len(truth), dtype=np.int64), None
    subject, names = encode(truth.subject)
    own = tuple(names.to_pylist())
    if among is None or own == among:
        return subject.astype(np.int64), own
    place = {name: code for code, name in enumerate(among)}
    return np.array([place[name] for name in own], dtype=np.int64)[subject], among


def pool_of(
    queries: tuple[str, ...],
    query_of: NDArray[np.integer],
    item: pa.LargeStringArray,
    votes: PairVotes,
    subjects: tuple[str, ...] | None,
    *,
    repeats: bool = False,
    sets: IntentSets | None = None,
) -> Pool:
    """A pool of pairs.

    Parameters
    ----------
    queries : tuple of str
    query_of : (pairs,) int
        The query of each pair, in ascending order.
    item : (pairs,) str
    votes : PairVotes
        Sorted, as `votes_of` makes them; at least one for each pair.
    subjects : tuple of str or None
        Whose votes they are, one for each pair at most; None: nobody's, and the votes of a pair are
        its possible grades.
    repeats : bool
        Whether a subject may have several votes on a pair, which it gave in repeated judgments.
    sets : IntentSets, optional
        What the `kind` of votes stands for.

    Raises
    ------
    DataError
        The pairs are not in the order of their queries, a pair has no vote, or a subject has two
        votes on a pair that are no repeats.
    """
    _check_pairs(query_of, item, votes, None if repeats else subjects)
    return Pool.of_votes(JudgedPairs.of(queries, query_of, item), votes, subjects, sets)


def _check_pairs(
    query_of: NDArray[np.integer],
    item: pa.LargeStringArray,
    votes: PairVotes,
    subjects: tuple[str, ...] | None,
) -> None:
    unsorted = np.flatnonzero(query_of[1:] < query_of[:-1])
    if len(unsorted):
        raise DataError(
            f"pool_of: pair {unsorted[0] + 1} belongs to an earlier query than the pair before it; "
            "sort the pairs by query"
        )
    without = np.flatnonzero(votes.offsets[1:] == votes.offsets[:-1])
    if len(without):
        raise DataError(
            f"pool_of: {counted(len(without), 'pair has', 'pairs have')} no vote, the first "
            f"is number {without[0]} (item "
            f"{item[int(without[0])].as_py()!r}); leave them out or give them a grade"
        )
    if subjects is None:
        return
    same = (votes.pair[1:] == votes.pair[:-1]) & (votes.subject[1:] == votes.subject[:-1])
    if same.any():
        first = int(same.argmax())
        raise DataError(
            f"pool_of: subject {subjects[int(votes.subject[first])]!r} has two votes on pair "
            f"{votes.pair[first]} (item {item[int(votes.pair[first])].as_py()!r}); give one"
        )


def _certain_or_probable(truth: Judgments, order: Ints, kind: Ints | None) -> PairVotes:
    """One vote a pair; with a probability two, the second for grade 0."""
    grade, n = truth.grade[order], len(order)
    if truth.probability is None:
        position = None if truth.position is None else truth.position[order]
        pair, nobody = np.arange(n), np.zeros(n, dtype=np.int64)
        kind = None if kind is None else kind[order]
        return PairVotes(pair, nobody, grade, np.ones(n), np.arange(n + 1), position, kind=kind)
    chance = truth.probability[order]
    return PairVotes(
        np.repeat(np.arange(n), 2),
        np.zeros(2 * n, dtype=np.int64),
        np.stack((grade, np.zeros(n)), axis=1).ravel(),
        np.stack((chance, 1 - chance), axis=1).ravel(),
        2 * np.arange(n + 1),
    )
