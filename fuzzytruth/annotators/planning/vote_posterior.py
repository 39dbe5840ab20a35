"""The truth that votes leave open, and how much the grade of each item matters to a difference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

import numpy as np

from fuzzytruth._lazy import pa, special
from fuzzytruth._typing import Array, Bools, Floats, Ints
from fuzzytruth.annotators.ratings import ShareEstimates
from fuzzytruth.core.arithmetic import divide, segment_of, segment_sum
from fuzzytruth.core.checksums import Entropy
from fuzzytruth.data.ranking import Ranking, Ties, ranks_of
from fuzzytruth.data.ratings import Ratings
from fuzzytruth.data.runs import Runs
from fuzzytruth.evaluation.worlds.setting import Setting
from fuzzytruth.evaluation.worlds.simulation import exact_moments, score_drawn
from fuzzytruth.io.ids import encode, hash_ids, take
from fuzzytruth.measures import Measure
from fuzzytruth.truth.pairs.aligned import AlignedPairs, facts_of
from fuzzytruth.truth.pairs.outcomes import PairOutcomes, PairWorlds
from fuzzytruth.truth.pairs.placement import Placement, place_runs, retrieved_elsewhere
from fuzzytruth.truth.pairs.pool import JudgedPairs, PairVotes, Pool
from fuzzytruth.truth.protocol import coverage_of
from fuzzytruth.truth.vote_weights import as_given

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
    each = alpha[:, None]
    mass = each * rows[:, 1]
    log_gamma = special.gammaln
    fit = ((log_gamma(mass + rows[:, 0]) - log_gamma(mass)) * often).sum(axis=1)
    return np.asarray(fit - ((log_gamma(each + size) - log_gamma(each)) * times).sum(axis=1))


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
    centred = features - features.mean(axis=0)
    spread = centred.std(axis=0)
    scaled = np.column_stack((np.ones(len(counts)), centred / np.where(spread > 0, spread, 1.0)))
    reached = np.cumsum(counts[:, ::-1], axis=1)[:, ::-1]  # votes for an option or a higher one
    out = np.ones(counts.shape)
    for option in range(1, counts.shape[1]):
        trials, hits = reached[:, option - 1], reached[:, option]
        weight = 1 / (1 + np.maximum(trials - 1, 0.0) * correlation)
        go_on = _logistic_fit(hits * weight, trials * weight, scaled, offsets)
        out[:, option] = out[:, option - 1] * go_on
        out[:, option - 1] *= 1 - go_on
    return out


def _logistic_fit(hits: Floats, trials: Floats, features: Floats, offsets: Ints) -> Floats:
    """Chances, by penalised maximum likelihood: (items,)."""
    size = np.diff(offsets)
    slope, group = np.zeros(features.shape[1]), np.zeros(len(size))
    ridge, spread = np.eye(len(slope)) / _PRIOR**2, 1.0  # variance of groups
    for _ in range(_ROUNDS_OF_RATES):
        for _ in range(_STEPS):  # of Newton; the groups' equations are solved by elimination
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
        spread = max(float((group**2 + inverse).mean()), 1e-4)
    return _chance(features @ slope + np.repeat(group, size))


def _chance(odds: Floats) -> Floats:
    """Chances of log-odds, never 0 or 1."""
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -30.0, 30.0))))


_ROUNDS = 3  # in which base rates and the worth of the prior are estimated in turn

#: a prior as given: None, how many votes it is worth, or votes for each grade
Prior = float | Mapping[float, float] | None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class VotePosterior(ShareEstimates):
    """What votes say of each item that was judged, or that a system retrieved.

    Parameters
    ----------
    counts, rate, worth, concentration, is_given
        See `ShareEstimates`; units are pairs, options are grades.
    runs : Runs
    pairs : JudgedPairs
        Of a query and an item.
    grades : (grades,) float
        That items may have, ascending.
    rank : (systems, pairs) int
        Rank in the list of each system; 0: not retrieved.
    placements : tuple of Placement
        The same by system.
    """

    runs: Runs
    pairs: JudgedPairs
    grades: Floats
    rank: Ints
    placements: tuple[Placement, ...]

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
    worth: float | None
    if is_given := isinstance(prior, Mapping):
        mass = np.array([prior.get(grade, 0.0) for grade in grades.tolist()])
        rate = np.broadcast_to(mass / mass.sum(), counts.shape)
        concentration = worth = float(mass.sum())
    else:
        (rate, concentration), worth = _estimated(counts, rank, pairs.offsets), prior
    return VotePosterior(
        counts=counts,
        rate=rate,
        worth=worth,
        concentration=concentration,
        is_given=is_given,
        runs=runs,
        pairs=pairs,
        grades=grades,
        rank=rank,
        placements=placements,
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
    retrieved, concentration = rank > 0, 1.0
    log = np.log(np.where(retrieved, rank, 1))
    both = log.prod(axis=0, keepdims=True)
    features = np.concatenate((retrieved, log, log**2, both)).T.astype(np.float64)
    for _ in range(_ROUNDS):
        rate = vote_rates(counts, features, offsets, 1 / (1 + concentration))
        concentration = concentration_of(counts[judged], rate[judged])
    return rate, concentration


# Main effects of independent inputs on a function of them, from draws.
#
# The function's variance is the sum of the inputs' own parts (main effects) and of what only
# several of them together explain (Hoeffding 1948; Sobol' 1993). With features that are orthonormal
# under the distribution of the inputs, an input's part is the sum of its squared coefficients, and
# the regression of the function on all features estimates these. What the regression of one half of
# the draws leaves unexplained in the other half corrects its coefficients without bias, since the
# features are known to be orthonormal; so the fit may be shrunk, and there may be more features
# than draws.


_RIDGE = 0.25  # penalty for each feature a draw has


def main_effects(features: Array, values: Floats) -> tuple[Floats, Floats]:
    """Regress values on features that have mean 0, variance 1 and no correlation.

    Unbiased coefficients, and the variance of each as an estimate: (problems, features) both.

    Parameters
    ----------
    features : (problems, features, draws) float
        0 throughout where a problem has fewer features.
    values : (problems, draws) float
        With 4 draws or more.
    """
    n = values.shape[-1]
    centred = values - values.mean(axis=-1, keepdims=True)
    halves = slice(0, n // 2), slice(n // 2, n)
    coefficient = np.zeros(features.shape[:2])
    error = np.zeros(features.shape[:2])
    for fitted, held in (halves, halves[::-1]):
        guess = _ridge(features[..., fitted], centred[:, fitted])
        some = features[..., held]
        rest = centred[:, held] - np.einsum("qk,qkw->qw", guess, some)
        rest = rest - rest.mean(axis=-1, keepdims=True)
        size = rest.shape[-1]
        step = np.einsum("qkw,qw->qk", some, rest) / size
        squares = np.einsum("qkw,qw->qk", some**2, rest**2) / size
        coefficient += (guess + step) / 2
        error += np.maximum(squares - step**2, 0.0) / (size - 1) / 4
    return coefficient, error


def _ridge(features: Array, values: Floats) -> Floats:
    """Shrunk coefficients: (problems, features)."""
    n_features, n = features.shape[1:]
    penalty = _RIDGE * n_features + 1.0
    wide = n_features > n
    rows = features.swapaxes(1, 2) if wide else features
    gram = rows @ rows.swapaxes(1, 2)
    np.einsum("qii->qi", gram)[:] += penalty
    target = values[..., None] if wide else features @ values[..., None]
    solved = np.linalg.solve(gram, target)
    return np.asarray((features @ solved if wide else solved)[..., 0])


# Orthonormal functions of a drawn grade, and what the grade is worth in them.
#
# A drawn grade is one of `n` options with probabilities p. The n - 1 functions have mean 0 and
# variance 1 under p, and are uncorrelated, so that the variance of any function of the grade is the
# sum of its squared coefficients. The g-th tells option g from all before it.


def orthonormal_steps(chance: Floats) -> Floats:
    """Values of the functions: (items, options) → (items, options - 1, options).

    A function that involves an option without a chance is 0 throughout.
    """
    n = chance.shape[-1]
    below = np.cumsum(chance, axis=-1)
    out = np.zeros((len(chance), n - 1, n))
    for g in range(1, n):
        own, before, both = chance[:, g], below[:, g - 1], below[:, g]
        taken = (own > 0) & (before > 0)
        up = np.sqrt(divide(before, own * both))
        down = np.sqrt(divide(own, before * both))
        out[:, g - 1, g] = np.where(taken, up, 0.0)
        out[:, g - 1, :g] = np.where(taken, -down, 0.0)[:, None]
    return out


def parts_under(
    functions: Floats, chance: Floats, coefficient: Floats, error: Floats
) -> tuple[Floats, Floats]:
    """Variance of a function of the grade under other probabilities, without bias, and its error.

    Parameters
    ----------
    functions : (items, options - 1, options) float
        As `orthonormal_steps` has them.
    chance : (items, options) float
        The other probabilities.
    coefficient, error : (items, options - 1) float
        Estimated coefficients, and the variance of each as an estimate.

    Returns
    -------
    part : (items,) float
        May be below 0.
    error : (items,) float
        Variance of each as an estimate; too large near 0.
    """
    mean = np.einsum("ifg,ig->if", functions, chance)
    moments = np.einsum("ifg,ig,ihg->ifh", functions, chance, functions, optimize=True)
    moments = moments - mean[:, :, None] * mean[:, None, :]
    slope = np.einsum("ifh,ih->if", moments, coefficient)
    part = (coefficient * slope).sum(axis=1) - np.einsum("iff,if->i", moments, error)
    twice = np.einsum("ifh,ih,ihf,if->i", moments, error, moments, error, optimize=True)
    linear = np.maximum((slope**2 * error).sum(axis=1) - twice, 0.0)
    return part, 4 * linear + 2 * twice


_FEATURES = 1 << 22  # numbers in memory at once
_CODES = 1 << 26  # drawn grades in memory at once


@dataclass(frozen=True, slots=True, eq=False)
class TruthEffects:
    """Effects of the grades of single items on the difference of two systems.

    Parameters
    ----------
    difference : (queries,) float
        Expected difference under the estimated shares.
    variance : (queries,) float
        Of the difference over worlds, in which every item has one vote to come.
    joint : (queries,) float
        The part of it that several pairs explain only together; estimated, may be below 0.
    effect : (pairs,) float
        Variance that each pair explains by itself, if it has an expected vote; 0 or more.
    error : (pairs,) float
        Monte Carlo error of `effect`; 0 where that is exact.
    """

    difference: Floats
    variance: Floats
    joint: Floats
    effect: Floats
    error: Floats


@dataclass(frozen=True, slots=True, eq=False)
class BlockEffects:
    """What the grades of single pairs change of the differences of some queries.

    Parameters
    ----------
    queries, pairs : slice
    offsets : (queries + 1,) int
        Where each query's pairs start.
    difference : (queries,) float
        Expected difference under the estimated shares.
    noise : (queries,) float
        Variance of it as an estimate; 0 where it is exact.
    variance : (queries,) float
        Of the difference over worlds of next votes.
    functions : (pairs, functions, grades) float
        Of a pair's grade; added up, the expected difference given the grade, but for a constant.
    coefficient, error : (pairs, functions) float
        By which they are added up, and the variance of each coefficient as an estimate.
    """

    queries: slice
    pairs: slice
    offsets: Ints
    difference: Floats
    noise: Floats
    variance: Floats
    functions: Floats
    coefficient: Floats
    error: Floats

    @property
    def worth(self) -> Floats:
        """Expected difference given each grade of a pair, but for a constant: (pairs, grades)."""
        return np.asarray(np.einsum("pf,pfg->pg", self.coefficient, self.functions))

    def noise_under(self, chance: Floats) -> Floats:
        """Variance of `worth` as an estimate, over grades: (..., pairs, grades) → (..., pairs)."""
        mean = np.einsum("pfg,...pg->...pf", self.functions, chance)
        square = np.einsum("pfg,pfg,...pg->...pf", self.functions, self.functions, chance)
        return np.asarray(((square - mean**2) * self.error).sum(axis=-1))


def truth_effects(
    posterior: VotePosterior, measure: Measure, *, n_worlds: int, entropy: Entropy
) -> TruthEffects:
    """Effects on the first run's value minus the second one's; see `block_effects`."""
    next_vote, expected = posterior.next_vote, posterior.expected_vote
    parts: list[tuple[Floats, ...]] = []
    every = np.ones(len(posterior.pairs.queries), dtype=bool)
    for of in block_effects(posterior, measure, every, n_worlds=n_worlds, entropy=entropy):
        about = of.functions, of.coefficient, of.error
        (own, _), (effect, error) = (
            parts_under(about[0], chance[of.pairs], *about[1:]) for chance in (next_vote, expected)
        )
        joint = of.variance - segment_sum(own, of.offsets) if of.error.any() else 0 * of.variance
        effect = positive(effect, of.offsets)
        parts.append((of.difference, of.variance, joint, effect, np.sqrt(error)))
    return TruthEffects(*map(np.concatenate, zip(*parts, strict=True)))


def block_effects(
    posterior: VotePosterior, measure: Measure, matters: Bools, *, n_worlds: int, entropy: Entropy
) -> Iterator[BlockEffects]:
    """Effects on the first run's value minus the second one's, some queries at a time.

    `n_worlds` are drawn, where effects are not known exactly, by the chances of next votes, and the
    difference is that under the estimated shares; in a pair's expected vote, those of all other
    pairs are as in worlds. Queries that do not matter have no coefficients and variances if these
    are sampled.
    """
    votes = as_given()
    chances = np.stack((posterior.next_vote, posterior.estimate))
    next_vote, estimate = (posterior.aligned(chance) for chance in chances)
    drawn = Setting(next_vote, "independent", votes, (measure,), n_worlds, entropy)
    exact = measure.linear or chances.shape[2] == 1
    for block in drawn.blocks:
        pairs = slice(*estimate.pool.offsets[[block.start, block.stop]].tolist())
        outcomes = next_vote.outcomes(block, votes)
        if exact:
            found = _exact(drawn, outcomes, chances[:, pairs], posterior.grades)
        else:
            estimated, some = estimate.outcomes(block, votes), matters[block]
            about = chances[0, pairs], posterior.grades, some
            found = _sampled(drawn, outcomes, estimated, *about)
        yield BlockEffects(block, pairs, outcomes.block.offsets, *found)


#: difference, its noise, variance, functions, coefficients and their errors
Found = tuple[Floats, Floats, Floats, Floats, Floats, Floats]


def _difference(setting: Setting, worlds: PairWorlds, n_queries: int) -> Floats:
    """Differences of the two systems: (worlds, queries)."""
    values = score_drawn(setting, worlds, n_queries)[:, :, 0]
    return np.asarray(values[:, 0] - values[:, 1])


def _exact(setting: Setting, outcomes: PairOutcomes, chances: Floats, grades: Floats) -> Found:
    """Of a measure that adds up what single items are worth: those, one item at a time.

    `chances` are of next votes, and as estimated: (2, pairs, grades).
    In world r, the r-th item of every query has a certain grade, and all others the lowest.
    """
    offsets, n_queries = outcomes.block.offsets, outcomes.block.n_queries
    next_vote, estimate = chances
    n_pairs, n_grades = estimate.shape
    position = np.arange(n_pairs) - np.repeat(offsets[:-1], np.diff(offsets))
    query = segment_of(offsets)
    lists = outcomes.draw(slice(0, 2), setting.entropy)
    known = np.searchsorted(grades, lists.judged.scale).tolist()  # others have no chance
    none = np.zeros((n_pairs, 1), dtype=np.int64)
    base = _difference(setting, lists.with_codes(none), n_queries)[0]
    worth = np.zeros((n_pairs, n_grades))  # of each grade, relative to the lowest
    deepest = int(position.max(initial=-1)) + 1
    size = max(1, _CODES // max(1, n_pairs))
    for nth, grade in enumerate(known[1:], start=1):
        for start in range(0, deepest, size):
            number = np.arange(start, min(start + size, deepest))
            code = nth * (position[:, None] == number)
            value = _difference(setting, lists.with_codes(code), n_queries) - base
            here = np.flatnonzero((position >= start) & (position <= number[-1]))
            worth[here, grade] = value[position[here] - start, query[here]]
    difference = base + segment_sum((estimate * worth).sum(axis=1), offsets)
    variance = segment_sum(variance_of(next_vote, worth), offsets)
    functions = np.broadcast_to(np.eye(n_grades), (n_pairs, n_grades, n_grades))
    return difference, np.zeros(n_queries), variance, functions, worth, np.zeros_like(worth)


def variance_of(chance: Floats, worth: Floats) -> Floats:
    """Of what grades are worth: (pairs,)."""
    mean = (chance * worth).sum(axis=1, keepdims=True)
    return np.asarray((chance * (worth - mean) ** 2).sum(axis=1))


def _sampled(
    setting: Setting,
    outcomes: PairOutcomes,
    estimated: PairOutcomes,
    next_vote: Floats,
    grades: Floats,
    matters: Bools,
) -> Found:
    """From drawn worlds, by regression on the grades drawn."""
    offsets, n_queries = outcomes.block.offsets, outcomes.block.n_queries
    functions, variance = orthonormal_steps(next_vote), np.zeros(n_queries)
    coefficient, error = np.zeros((2, *functions.shape[:2]))
    if matters.any():
        values, codes, scale = _drawn(setting, outcomes, n_queries)
        codes = np.searchsorted(grades, scale).astype(codes.dtype)[codes]
        variance = values.var(axis=1, ddof=1)
        for queries in _similar(offsets, functions.shape[1], setting.n_inner, matters):
            found, pairs = _regressed(values[queries], codes, functions, offsets, queries)
            coefficient[pairs], error[pairs] = found
    difference, noise = _expected(setting, estimated, n_queries)
    return difference, noise, variance, functions, coefficient, error


def _drawn(
    setting: Setting, outcomes: PairOutcomes, n_queries: int
) -> tuple[Floats, Array, Floats]:
    """Differences (queries, worlds), grades (pairs, worlds) as places in a scale, and the scale."""
    size = max(2, _CODES // max(1, outcomes.n_items) // 2 * 2)
    values, codes = [], []
    for start in range(0, setting.n_inner, size):
        worlds = outcomes.draw(slice(start, min(start + size, setting.n_inner)), setting.entropy)
        values.append(_difference(setting, worlds, n_queries))
        codes.append(worlds.codes)
    together = np.ascontiguousarray(np.concatenate(values).T), np.concatenate(codes, axis=1)
    return *together, worlds.judged.scale


def _similar(offsets: Ints, n_functions: int, n_worlds: int, matters: Bools) -> Iterator[Ints]:
    """Queries with about equally many pairs, as many as there is memory for."""
    size = np.where(matters, np.diff(offsets), 0)
    order = np.argsort(-size, kind="stable")
    order = order[size[order] > 0]
    while len(order):
        largest = int(size[order[0]])
        n = max(1, _FEATURES // (largest * max(n_functions, 1) * n_worlds))
        some = order[:n]
        some = some[2 * size[some] >= largest]
        yield some
        order = order[len(some) :]


def _regressed(
    values: Floats, codes: Array, functions: Floats, offsets: Ints, queries: Ints
) -> tuple[Floats, Ints]:
    """Coefficients of the functions of the pairs of some queries, and which pairs these are.

    (2, pairs, functions): the coefficients, and their variances as estimates.
    """
    size = np.diff(offsets)[queries]
    width, n_functions = int(size.max()), functions.shape[1]
    place = np.arange(width)
    taken = place < size[:, None]  # (queries, width)
    pairs = (offsets[queries][:, None] + place)[taken]
    table = np.zeros((len(queries), width, n_functions, codes.shape[1]))
    drawn = codes[pairs].astype(np.int64)[:, None, :]
    shape = len(pairs), n_functions, drawn.shape[-1]
    table[taken] = np.take_along_axis(functions[pairs], np.broadcast_to(drawn, shape), axis=2)
    found = main_effects(table.reshape(len(queries), width * n_functions, -1), values)
    return np.stack([x.reshape(len(queries), width, n_functions)[taken] for x in found]), pairs


def _expected(setting: Setting, outcomes: PairOutcomes, n_queries: int) -> tuple[Floats, Floats]:
    """Expected differences, from worlds where they are not known exactly, and their noise.

    (queries,) both.
    """
    exact = exact_moments(outcomes, range(2), setting.measures, n_queries, exclude=False)
    out: Floats = exact.mean[0, 0, 0] - exact.mean[0, 1, 0]
    known = exact.known.all(axis=(0, 1))
    if known.all():
        return out, np.zeros(n_queries)
    drawn, *_ = _drawn(setting, outcomes, n_queries)
    noise = drawn.var(axis=1, ddof=1) / drawn.shape[1]
    return np.where(known, out, drawn.mean(axis=1)), np.where(known, 0.0, noise)


def positive(effect: Floats, offsets: Ints) -> Floats:
    """Effects without those below 0, by chance, with the same sum for each query."""
    kept = np.maximum(effect, 0.0)
    total = np.maximum(segment_sum(effect, offsets), 0.0)
    sums = segment_sum(kept, offsets)
    return np.asarray(kept * np.repeat(divide(total, sums), np.diff(offsets)))
