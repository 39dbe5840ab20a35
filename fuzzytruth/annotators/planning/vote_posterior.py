"""The truth that votes leave open: shares of votes on each item, and how well they are known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain

import numpy as np

from fuzzytruth._lazy import pa
from fuzzytruth._typing import Array, Floats, Ints
from fuzzytruth.annotators.ratings import Ratings
from fuzzytruth.core.segments import segment_sum
from fuzzytruth.data.ranking import Ranking, Ties, ranks_of
from fuzzytruth.data.runs import Runs
from fuzzytruth.io.ids import encode, hash_ids, take
from fuzzytruth.truth.pairs.aligned import AlignedPairs, facts_of
from fuzzytruth.truth.pairs.placement import Placement, place_runs, retrieved_elsewhere
from fuzzytruth.truth.pairs.pool import JudgedPairs, PairVotes, Pool
from fuzzytruth.truth.protocol import coverage_of

# How many votes a prior for the votes on an item is worth, by the votes on all items.
#
# An item's votes are drawn from shares of its own, which follow a Dirichlet distribution: its mean
# is the base rate of each option, its concentration says how many votes it is worth. The
# concentration is 1 / rho - 1, where rho is the correlation of two votes on one item (the
# intraclass correlation).


_GRID = 48  # values of the correlation, twice: all, and those that the votes leave possible
_NEGLIGIBLE = -30.0  # log-likelihood, relative to the largest, of what is not possible


def concentration_of(counts: Floats, rate: Floats) -> float:
    """How many votes a prior with such rates is worth, by the votes on all items.

    The posterior mean of the correlation of two votes on an item, under a uniform prior; it is 1/2
    where no item has two votes, and never 0 or 1.

    Parameters
    ----------
    counts, rate : (items, options) float

    References
    ----------
    Mosimann 1962 (Dirichlet-multinomial); Griffiths 1973 (maximum likelihood of its two-option
    form).
    """
    size, times = np.unique(counts.sum(axis=1), return_counts=True)
    given = np.stack((counts, np.broadcast_to(rate, counts.shape)), axis=-1).reshape(-1, 2)
    rows, often = np.unique(given[given[:, 0] > 0], axis=0, return_counts=True)
    least, most = 0.0, 1.0
    for _ in range(2):
        step = (most - least) / _GRID
        rho = least + step * (np.arange(_GRID) + 0.5)
        fit = _log_likelihood(1 / rho - 1, rows, often, size, times)
        fit -= fit.max()
        possible = rho[fit > _NEGLIGIBLE]
        least, most = float(possible[0]) - step / 2, float(possible[-1]) + step / 2
    chance = np.exp(fit)
    return 1 / float((rho * chance).sum() / chance.sum()) - 1


def _log_likelihood(alpha: Floats, rows: Floats, often: Ints, size: Floats, times: Ints) -> Floats:
    """Of each concentration: distinct (votes, rate) of options, and distinct numbers of votes."""
    from scipy.special import gammaln

    each = alpha[:, None]
    mass = each * rows[:, 1]
    fit = ((gammaln(mass + rows[:, 0]) - gammaln(mass)) * often).sum(axis=1)
    out: Floats = fit - ((gammaln(each + size) - gammaln(each)) * times).sum(axis=1)
    return out


# Base rates of votes by what is known of an item beforehand, by logistic regression.
#
# Of grades in ascending order, the chance to go on from each to the next one is a logistic function
# of the item's features and of its group (continuation ratios; Fienberg 1980). Groups have effects
# of their own, which are drawn from a normal distribution whose variance is estimated.


_PRIOR = 5.0  # standard deviation of coefficients, on the scale of log-odds
_STEPS = 12  # of Newton, in each round
_ROUNDS_OF_RATES = 6  # of estimates of the variance of groups
_FURTHEST = 4.0  # how far a coefficient may go in a step


def vote_rates(counts: Floats, features: Floats, offsets: Ints, correlation: float) -> Floats:
    """Expected shares of each option: (items, options), above 0.

    Parameters
    ----------
    counts : (items, options) float
        Votes for each option, in ascending order; none for items that nobody judged.
    features : (items, features) float
    offsets : (groups + 1,) int
        Where the items of each group start.
    correlation : float
        Of two votes on an item: n votes weigh as n / (1 + (n - 1) · correlation).
    """
    scaled = np.column_stack((np.ones(len(counts)), _standardised(features)))
    reached = np.cumsum(counts[:, ::-1], axis=1)[:, ::-1]  # votes for an option or a higher one
    out = np.ones(counts.shape)
    for option in range(1, counts.shape[1]):
        trials, hits = reached[:, option - 1], reached[:, option]
        weight = 1 / (1 + np.maximum(trials - 1, 0.0) * correlation)
        go_on = _logistic_fit(hits * weight, trials * weight, scaled, offsets)
        out[:, option] = out[:, option - 1] * go_on
        out[:, option - 1] *= 1 - go_on
    return out


def _standardised(features: Floats) -> Floats:
    """Mean 0 and standard deviation 1; 0 where nothing varies."""
    centred = features - features.mean(axis=0)
    spread = centred.std(axis=0)
    out: Floats = centred / np.where(spread > 0, spread, 1.0)
    return out


def _logistic_fit(hits: Floats, trials: Floats, features: Floats, offsets: Ints) -> Floats:
    """Chances, by penalised maximum likelihood: (items,)."""
    size = np.diff(offsets)
    slope, group, error = np.zeros(features.shape[1]), np.zeros(len(size)), np.ones(len(size))
    spread = 1.0  # variance of groups
    for _ in range(_ROUNDS_OF_RATES):
        slope, group, error = _newton(hits, trials, features, offsets, slope, group, spread)
        spread = max(float((group**2 + error).mean()), 1e-4)
    return _chance(features @ slope + np.repeat(group, size))


def _chance(odds: Floats) -> Floats:
    """Chances of log-odds, never 0 or 1."""
    out: Floats = 1 / (1 + np.exp(-np.clip(odds, -30.0, 30.0)))
    return out


def _newton(
    hits: Floats,
    trials: Floats,
    features: Floats,
    offsets: Ints,
    slope: Floats,
    group: Floats,
    spread: float,
) -> tuple[Floats, Floats, Floats]:
    """Coefficients of features and of groups, and the variance of each group's, by Newton steps.

    The groups' equations are solved by elimination.
    """
    size, ridge = np.diff(offsets), np.eye(len(slope)) / _PRIOR**2
    for _ in range(_STEPS):
        chance = _chance(features @ slope + np.repeat(group, size))
        weight, rest = trials * chance * (1 - chance), hits - trials * chance
        down = features.T @ rest - slope / _PRIOR**2
        of_group = segment_sum(rest, offsets) - group / spread
        inverse = 1 / (segment_sum(weight, offsets) + 1 / spread)
        shared = segment_sum(features.T * weight, offsets)  # (features, groups)
        matrix = (features.T * weight) @ features + ridge - (shared * inverse) @ shared.T
        step = np.linalg.solve(matrix, down - shared @ (inverse * of_group))
        step_of_group = inverse * (of_group - shared.T @ step)
        largest = max(np.abs(step).max(initial=0.0), np.abs(step_of_group).max(initial=0.0))
        factor = min(1.0, _FURTHEST / max(largest, 1e-300))
        slope, group = slope + factor * step, group + factor * step_of_group
        if largest < 1e-10:
            break
    return slope, group, inverse


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
    runs : Runs
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

    runs: Runs
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

    def aligned(self, chance: Floats) -> AlignedPairs:
        """A truth in which grades have these probabilities, (pairs, grades), all above 0."""
        n_pairs, n_grades = chance.shape
        votes = PairVotes(
            np.repeat(np.arange(n_pairs), n_grades),
            np.zeros(chance.size, dtype=np.int64),
            np.tile(self.grades, n_pairs),
            chance.ravel(),
            n_grades * np.arange(n_pairs + 1),
        )
        pool = Pool.of_votes(self.pairs, votes, None)
        coverage = coverage_of(self.pairs.queries, self.runs)
        facts = facts_of(pool, self.runs.systems, coverage, "crossed", "probabilities")
        elsewhere = partial(retrieved_elsewhere, pool, self.runs)
        return AlignedPairs(facts, self.placements, pool, elsewhere)


def vote_posterior(
    ratings: Ratings, runs: Runs, *, ties: Ties, prior: Prior, unjudged: bool, depth: int | None
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
    query, names = encode(ratings.units["query"])
    pairs, place = _sorted_pairs(tuple(names.to_pylist()), query, ratings.units["item"])
    if unjudged:
        pairs, moved = _with_unjudged(pairs, runs, ties, depth)
        place = moved[place]
    placements = place_runs(pairs, runs, ties)
    grades = _scale(ratings.grades, prior)
    counts = np.zeros((len(pairs.item), len(grades)))
    code = np.searchsorted(grades, ratings.grades)
    np.add.at(counts, (place[ratings.unit], code[ratings.value]), ratings.weight)
    rank = _ranks(placements, len(pairs.item))
    if isinstance(prior, Mapping):
        mass = np.array([prior.get(grade, 0.0) for grade in grades.tolist()])
        rate = np.broadcast_to(mass / mass.sum(), counts.shape)
        n = float(mass.sum())
        return VotePosterior(runs, pairs, grades, counts, rate, rank, placements, n, n, True)
    rate, concentration = _estimated(counts, rank, pairs.offsets)
    return VotePosterior(
        runs, pairs, grades, counts, rate, rank, placements, prior, concentration, False
    )


def _sorted_pairs(
    queries: tuple[str, ...], query: Array, item: pa.LargeStringArray
) -> tuple[JudgedPairs, Ints]:
    """Pairs by query, and where each one now is."""
    order = np.argsort(query, kind="stable")
    items = take(item, order)
    return JudgedPairs.of(queries, query[order], items, hash_ids(items)), np.argsort(order)


def _with_unjudged(
    judged: JudgedPairs, runs: Runs, ties: Ties, depth: int | None
) -> tuple[JudgedPairs, Ints]:
    """The judged and the retrieved pairs, and which of them each judged one is."""
    found = list(_unjudged(judged, runs, ties, depth))
    query = np.concatenate([judged.query_of, *(codes for codes, _ in found)])
    item = pa.concat_arrays([judged.item, *(items for _, items in found)])
    codes, names = encode(item)
    _, first = np.unique(query * len(names) + codes, return_index=True)
    first.sort()  # the judged ones come first
    pairs, place = _sorted_pairs(judged.queries, query[first], take(item, first))
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
