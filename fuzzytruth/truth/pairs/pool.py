"""The judged pairs of a query and an item, shared by all systems, subjects and worlds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import Bools, Ints
from fuzzytruth.core.cells import Cells
from fuzzytruth.data.judgments import Judgments
from fuzzytruth.errors import DataError, counted
from fuzzytruth.io.columns import as_numpy, encode, hash_ids, take
from fuzzytruth.truth.pairs.intent_sets import IntentSets, merged_intents
from fuzzytruth.truth.pairs.judged_pairs import JudgedPairs
from fuzzytruth.truth.pairs.votes import PairVotes, votes_of

if TYPE_CHECKING:
    import pyarrow as pa


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
        cells = Cells(*np.divmod(cell, n_subjects), n_queries, n_subjects)
        return cells, of_vote.reshape(-1)

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
        import pyarrow.compute as pc

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


@dataclass(frozen=True, slots=True)
class AllJudgments:
    """What is known of all judgments where a pool has those of some queries.

    Parameters
    ----------
    subjects : tuple of str or None
    highest : float
        The largest grade, 0 or more.
    """

    subjects: tuple[str, ...] | None
    highest: float


def make_pool(truth: Judgments, of: AllJudgments | None = None) -> Pool:
    """Group judgments by (query, item).

    An item judged for several intents has its largest grade, and votes tell intents apart. Where
    the judgments are a part `of` others, subjects are all of theirs.
    """
    pool = _grouped(truth, None if of is None else of.subjects)
    return pool if of is None else replace(pool, highest=of.highest)


def _grouped(truth: Judgments, among: tuple[str, ...] | None) -> Pool:
    """The pool of judgments by some subjects `among` others."""
    sets, kind = None, None
    if truth.intent is not None:
        truth, sets, kind = merged_intents(truth)
    query, query_ids = encode(truth.query)
    queries = tuple(query_ids.to_pylist())
    if (
        truth.subject is None and truth.count is None
    ):  # a single truth judges an item once: every row is a pair
        order = np.argsort(query, kind="stable")
        votes = _certain_or_probable(truth, order)
        if kind is not None:
            votes = replace(votes, kind=kind[order])
        return pool_of(queries, query[order], take(truth.item, order), votes, None, sets=sets)
    item, item_ids = encode(truth.item)
    key = query.astype(np.int64) * len(item_ids) + item
    pairs, pair = np.unique(key, return_inverse=True)
    query_of, item_of = np.divmod(pairs, len(item_ids))
    subject, subjects = _subjects(truth, among)
    votes = votes_of(
        pair.reshape(-1),
        subject,
        truth.grade,
        n_pairs=len(pairs),
        position=truth.position,
        weight=truth.weight,
        kind=kind,
    )
    item, repeats = take(item_ids, item_of), truth.repeat is not None
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
    pairs = JudgedPairs.of(queries, query_of, item, hash_ids(item))
    return Pool.of_votes(pairs, votes, subjects, sets)


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


def _certain_or_probable(truth: Judgments, order: Ints) -> PairVotes:
    """One vote a pair; with a probability two, the second for grade 0."""
    grade, n = truth.grade[order], len(order)
    if truth.probability is None:
        position = None if truth.position is None else truth.position[order]
        pair, nobody = np.arange(n), np.zeros(n, dtype=np.int64)
        return PairVotes(pair, nobody, grade, np.ones(n), np.arange(n + 1), position)
    chance = truth.probability[order]
    return PairVotes(
        np.repeat(np.arange(n), 2),
        np.zeros(2 * n, dtype=np.int64),
        np.stack((grade, np.zeros(n)), axis=1).ravel(),
        np.stack((chance, 1 - chance), axis=1).ravel(),
        2 * np.arange(n + 1),
    )
