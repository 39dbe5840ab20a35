"""The truth that votes leave open: shares of votes on each item, and how well they are known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.annotators.ratings import Ratings
from fuzzytruth.data.ranking import Ranking
from fuzzytruth.data.ranks import Ties, ranks_of
from fuzzytruth.data.runs import Runs
from fuzzytruth.io.arrow import take
from fuzzytruth.io.ids import encode, hash_ids
from fuzzytruth.stats.vote_prior import concentration_of
from fuzzytruth.stats.vote_rates import vote_rates
from fuzzytruth.truth.coverage import coverage_of
from fuzzytruth.truth.pairs.aligned import AlignedPairs
from fuzzytruth.truth.pairs.judged_pairs import JudgedPairs
from fuzzytruth.truth.pairs.placement import Placement, place_runs, retrieved_elsewhere
from fuzzytruth.truth.pairs.pool import Pool
from fuzzytruth.truth.pairs.votes import PairVotes

if TYPE_CHECKING:
    import pyarrow as pa

_ROUNDS = 3  # in which base rates and the worth of the prior are estimated in turn

#: How many votes a base rate is worth where there are none. As a guess at one item, it is worth
#: more, but its errors are much the same from item to item, and add up.
_WORTH_OF_RATE = 0.5

#: a prior as given: None, how many votes it is worth, or votes for each grade
Prior = float | Mapping[float, float] | None


@dataclass(frozen=True, eq=False)
class VotePosterior:
    """What votes say of each item that was judged, or that a system retrieved.

    Parameters
    ----------
    pairs : JudgedPairs
        Of a query and an item.
    grades : (grades,) float
        That items may have, ascending.
    counts : (pairs, grades) float
        Votes.
    rate : (pairs, grades) float
        Base rate of each grade: expected shares before any vote.
    rank : (systems, pairs) int
        Rank in the list of each system; 0: not retrieved.
    placements : tuple of Placement
        The same by system.
    worth : float or None
        How many votes the base rates count as, in estimates; None: they stand in for the votes of
        items that have none, and count for nothing else.
    concentration : float
        How closely items keep to their base rates: shares of votes on an item vary as if they were
        of this number of votes, drawn by the base rates.
    is_given : bool
        Whether base rates and concentration were given, so that this is an exact posterior.
    """

    pairs: JudgedPairs
    grades: Floats
    counts: Floats
    rate: Floats
    rank: Ints
    placements: tuple[Placement, ...]
    worth: float | None
    concentration: float
    is_given: bool

    @cached_property
    def n_votes(self) -> Floats:
        """Number of votes on each pair: (pairs,)."""
        return np.asarray(self.counts.sum(axis=1))

    @property
    def estimate(self) -> Floats:
        """Estimated share of each grade: (pairs, grades)."""
        worth = (self.n_votes == 0).astype(float) if self.worth is None else self.worth
        return self._shares(worth)

    @property
    def next_vote(self) -> Floats:
        """Probability of each grade in the next vote, which is not always the estimate.

        (pairs, grades)
        """
        return self._shares(self.concentration)

    @property
    def expected_vote(self) -> Floats:
        """Probability of each grade in a vote, by all but the votes on the item itself.

        What is chosen by this is not chosen for the votes it happened to get, so that its share of
        votes stays unbiased. An exact posterior needs no such care. (pairs, grades)
        """
        return self.next_vote if self.is_given else self.rate

    def _shares(self, worth: float | Floats) -> Floats:
        weight = np.broadcast_to(worth, self.n_votes.shape)[:, None]
        out: Floats = (weight * self.rate + self.counts) / (weight + self.n_votes[:, None])
        return out

    def variance(self, k: int) -> Floats:
        """Of the estimated shares after `k` more votes, relative to `expected_vote`: (pairs,)."""
        seen = self.concentration + (self.n_votes if self.is_given else 0.0)
        of_votes = seen / (seen + 1)  # the rest of a vote's variance is between items
        n = (self.worth or 0.0) + self.n_votes + k
        out: Floats = of_votes / np.where(n > 0, n, 1.0)
        return np.where(n > 0, out, 1 / _WORTH_OF_RATE)

    def narrowing(self, k: int) -> Floats:
        """Share of that variance which `k` more votes are expected to remove: (pairs,)."""
        return 1 - self.variance(k) / self.variance(0)

    def at_level(self, rel: float) -> VotePosterior:
        """The same, grades being told apart only by whether they are `rel` or more."""
        starts = np.unique([0, np.searchsorted(self.grades, rel)])
        starts = starts[starts < len(self.grades)]
        counts, rate = (np.add.reduceat(x, starts, axis=1) for x in (self.counts, self.rate))
        return replace(self, grades=self.grades[starts], counts=counts, rate=rate)

    def aligned(self, chance: Floats, runs: Runs, ties: Ties) -> AlignedPairs:
        """A truth in which grades have these probabilities, (pairs, grades), aligned with runs."""
        n_pairs, n_grades = chance.shape
        votes = PairVotes(
            np.repeat(np.arange(n_pairs), n_grades),
            np.zeros(chance.size, dtype=np.int64),
            np.tile(self.grades, n_pairs),
            chance.ravel(),
            n_grades * np.arange(n_pairs + 1),
        )
        pool = Pool.of_votes(self.pairs, votes, None)
        coverage = coverage_of(self.pairs.queries, runs)
        return AlignedPairs(
            pool,
            runs.systems,
            self.placements,
            "crossed",
            "probabilities",
            coverage,
            partial(retrieved_elsewhere, pool, runs),
        )


def vote_posterior(
    ratings: Ratings,
    runs: Runs,
    *,
    ties: Ties,
    prior: Prior,
    unjudged: bool,
    depth: int | None,
) -> VotePosterior:
    """The posterior of judged pairs, and of unjudged ones that a system retrieved.

    Parameters
    ----------
    ratings : Ratings
        With grades, of units (query, item).
    runs : Runs
    ties : {"trec", "order", "expected"}
    prior : float, mapping of grade to votes, or None
    unjudged : bool
        Whether unjudged pairs are part of it.
    depth : int or None
        Last rank to which they are.
    """
    assert ratings.grades is not None
    judged, of_unit = _judged_pairs(ratings)
    pairs, place = judged, np.arange(len(judged.item))
    if unjudged:
        pairs, place = _with_unjudged(judged, runs, ties, depth)
    placements = place_runs(pairs, runs, ties)
    grades = _scale(ratings.grades, prior)
    counts = np.zeros((len(pairs.item), len(grades)))
    code = np.searchsorted(grades, ratings.grades)
    np.add.at(counts, (place[of_unit[ratings.unit]], code[ratings.value]), ratings.weight)
    rank = _ranks(placements, len(pairs.item))
    if isinstance(prior, Mapping):
        mass = np.array([prior.get(grade, 0.0) for grade in grades.tolist()])
        rate = np.broadcast_to(mass / mass.sum(), counts.shape)
        n = float(mass.sum())
        return VotePosterior(pairs, grades, counts, rate, rank, placements, n, n, True)
    rate, concentration = _estimated(counts, rank, pairs.offsets)
    return VotePosterior(pairs, grades, counts, rate, rank, placements, prior, concentration, False)


def _judged_pairs(ratings: Ratings) -> tuple[JudgedPairs, Ints]:
    """The judged pairs, and which one each unit is."""
    query, names = encode(ratings.units["query"])
    order = np.argsort(query, kind="stable")
    of_unit = np.empty(len(order), dtype=np.int64)
    of_unit[order] = np.arange(len(order))
    item = take(ratings.units["item"], order)
    return JudgedPairs.of(tuple(names.to_pylist()), query[order], item, hash_ids(item)), of_unit


def _with_unjudged(
    judged: JudgedPairs, runs: Runs, ties: Ties, depth: int | None
) -> tuple[JudgedPairs, Ints]:
    """The judged and the retrieved pairs, and which of them each judged one is."""
    import pyarrow as pa

    found = list(_unjudged(judged, runs, ties, depth))
    query = np.concatenate([judged.query_of, *(codes for codes, _ in found)])
    item = pa.concat_arrays([judged.item, *(items for _, items in found)])
    codes, names = encode(item)
    _, first = np.unique(query * len(names) + codes, return_index=True)
    first.sort()  # the judged ones come first
    order = first[np.argsort(query[first], kind="stable")]
    place = np.empty(len(query), dtype=np.int64)
    place[order] = np.arange(len(order))
    items = take(item, order)
    pairs = JudgedPairs.of(judged.queries, query[order], items, hash_ids(items))
    return pairs, place[: len(judged.item)]


def _unjudged(
    judged: JudgedPairs, runs: Runs, ties: Ties, depth: int | None
) -> Iterator[tuple[Ints, pa.LargeStringArray]]:
    """Queries and items of retrieved pairs that nobody judged, some lists at a time."""
    n_queries = len(judged.queries)

    def of_block(block: Ranking) -> tuple[Ints, pa.LargeStringArray]:
        codes = judged.codes(block.queries)[block.query]
        is_open = codes < n_queries
        is_open[judged.find(block.item, block.item_hash, codes)[0]] = False
        rows = np.flatnonzero(is_open)
        if depth is not None:
            rows = rows[ranks_of(block, codes, rows, ties)[0] <= depth]
        return codes[rows].astype(np.int64), take(block.item, rows)

    return chain.from_iterable(runs.each_block(of_block).values())


def _scale(given: Floats, prior: Prior) -> Floats:
    """All grades, ascending: 0 is one, where no vote is lower."""
    grades = set(given.tolist())
    if isinstance(prior, Mapping):
        grades |= set(prior)
    if min(grades) > 0:
        grades.add(0.0)
    return np.array(sorted(grades))


def _ranks(placements: tuple[Placement, ...], n_pairs: int) -> Ints:
    """Rank of each pair in each list, 0 where it is in none: (systems, pairs)."""
    rank = np.zeros((len(placements), n_pairs), dtype=np.int64)
    for s, placement in enumerate(placements):
        rank[s, placement.entry] = placement.first
    return rank


def _estimated(counts: Floats, rank: Ints, offsets: Ints) -> tuple[Floats, float]:
    """Base rates, (pairs, grades), and the concentration of the shares about them."""
    judged = counts.any(axis=1)
    features, concentration = _features(rank), 1.0
    for _ in range(_ROUNDS):
        rate = vote_rates(counts, features, offsets, 1 / (1 + concentration))
        concentration = concentration_of(counts[judged], rate[judged])
    return rate, concentration


def _features(rank: Ints) -> Floats:
    """What the ranks of pairs say beforehand: (pairs, features)."""
    retrieved = rank > 0
    log = np.log(np.where(retrieved, rank, 1))
    both = log.prod(axis=0, keepdims=True)
    return np.concatenate((retrieved, log, log**2, both)).T.astype(np.float64)
