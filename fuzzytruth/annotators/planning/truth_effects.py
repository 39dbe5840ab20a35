"""How much the grade of each item matters to the difference of two systems."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Array, Floats, Ints
from fuzzytruth.annotators.planning.vote_posterior import VotePosterior
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.checksums import Entropy
from fuzzytruth.core.segments import segment_of, segment_sum
from fuzzytruth.evaluation.worlds.exact_moments import chances_of_none, exact_moments
from fuzzytruth.evaluation.worlds.setting import Setting
from fuzzytruth.evaluation.worlds.simulation import score_drawn
from fuzzytruth.measures import Measure
from fuzzytruth.truth.pairs.outcomes import PairOutcomes, PairWorlds
from fuzzytruth.truth.vote_weights import as_given

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
    excess = np.einsum("iff,if->i", moments, error)
    part = (coefficient * slope).sum(axis=1) - excess
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


def truth_effects(
    posterior: VotePosterior, measure: Measure, *, n_worlds: int, entropy: Entropy
) -> TruthEffects:
    """Effects on the first run's value minus the second one's.

    Worlds are drawn by the chances of next votes, and the difference is that under the estimated
    shares; in a pair's expected vote, those of all other pairs are as in worlds.

    Parameters
    ----------
    posterior : VotePosterior
        Of two runs.
    measure : Measure
    n_worlds : int
        Drawn worlds, where effects are not known exactly.
    entropy : Entropy
    """
    votes = as_given()
    chances = np.stack((posterior.next_vote, posterior.estimate, posterior.expected_vote))
    next_vote, estimate = (posterior.aligned(chance) for chance in chances[:2])
    drawn = Setting(next_vote, "independent", votes, (measure,), n_worlds, entropy)
    exact = measure.linear or chances.shape[2] == 1
    parts: list[Part] = []
    for block in drawn.blocks:
        first, last = estimate.pool.offsets[[block.start, block.stop]].tolist()
        some, outcomes = chances[:, first:last], next_vote.outcomes(block, votes)
        if exact:
            parts.append(_exact(drawn, outcomes, some))
        else:
            parts.append(_sampled(drawn, outcomes, estimate.outcomes(block, votes), some))
    return TruthEffects(*map(np.concatenate, zip(*parts, strict=True)))


#: difference, variance, joint part, effect and error of some queries
Part = tuple[Floats, Floats, Floats, Floats, Floats]


def _difference(setting: Setting, worlds: PairWorlds, n_queries: int) -> Floats:
    """Differences of the two systems: (worlds, queries)."""
    values = score_drawn(setting, worlds, n_queries)[:, :, 0]
    return np.asarray(values[:, 0] - values[:, 1])


def _exact(setting: Setting, outcomes: PairOutcomes, chances: Floats) -> Part:
    """Of a measure that adds up what single items are worth: those, one item at a time.

    `chances` are of next votes, as estimated and of expected votes: (3, pairs, grades).
    In world r, the r-th item of every query has a certain grade, and all others the lowest.
    """
    offsets, n_queries = outcomes.block.offsets, outcomes.block.n_queries
    next_vote, estimate, expected = chances
    n_pairs, n_grades = estimate.shape
    position = np.arange(n_pairs) - np.repeat(offsets[:-1], np.diff(offsets))
    query = segment_of(offsets)
    lists = outcomes.draw(slice(0, 2), setting.entropy)
    none = np.zeros((n_pairs, 1), dtype=np.int64)
    base = _difference(setting, lists.with_codes(none), n_queries)[0]
    worth = np.zeros((n_pairs, n_grades))  # of each grade, relative to the lowest
    deepest = int(position.max(initial=-1)) + 1
    size = max(1, _CODES // max(1, n_pairs))
    for grade in range(1, n_grades):
        for start in range(0, deepest, size):
            number = np.arange(start, min(start + size, deepest))
            code = grade * (position[:, None] == number)
            value = _difference(setting, lists.with_codes(code), n_queries) - base
            here = np.flatnonzero((position >= start) & (position <= number[-1]))
            worth[here, grade] = value[position[here] - start, query[here]]
    difference = base + segment_sum((estimate * worth).sum(axis=1), offsets)
    variance = segment_sum(_variance(next_vote, worth), offsets)
    effect = _variance(expected, worth)
    return difference, variance, np.zeros(n_queries), effect, np.zeros(n_pairs)


def _variance(chance: Floats, worth: Floats) -> Floats:
    """Of what grades are worth: (pairs,)."""
    mean = (chance * worth).sum(axis=1, keepdims=True)
    return np.asarray((chance * (worth - mean) ** 2).sum(axis=1))


def _sampled(
    setting: Setting, outcomes: PairOutcomes, estimated: PairOutcomes, chances: Floats
) -> Part:
    """From drawn worlds, by regression on the grades drawn."""
    offsets, n_queries = outcomes.block.offsets, outcomes.block.n_queries
    values, codes = _drawn(setting, outcomes, n_queries)
    _, n_pairs, n_grades = chances.shape
    own, effect, error = np.zeros((3, n_pairs))
    for queries in _similar(offsets, n_grades - 1, setting.n_inner):
        found, pairs = _regressed(values[queries], codes, chances, offsets, queries)
        own[pairs], effect[pairs], error[pairs] = found
    variance = values.var(axis=1, ddof=1)
    joint = variance - segment_sum(own, offsets)
    difference = _expected(setting, estimated, n_queries)
    return difference, variance, joint, _positive(effect, offsets), np.sqrt(error)


def _drawn(setting: Setting, outcomes: PairOutcomes, n_queries: int) -> tuple[Floats, Array]:
    """Differences (queries, worlds) and grades (pairs, worlds), as places among all grades."""
    size = max(2, _CODES // max(1, outcomes.n_items) // 2 * 2)
    values, codes = [], []
    for start in range(0, setting.n_inner, size):
        worlds = outcomes.draw(slice(start, min(start + size, setting.n_inner)), setting.entropy)
        values.append(_difference(setting, worlds, n_queries))
        codes.append(worlds.codes)
    return np.ascontiguousarray(np.concatenate(values).T), np.concatenate(codes, axis=1)


def _similar(offsets: Ints, n_functions: int, n_worlds: int) -> Iterator[Ints]:
    """Queries with about equally many pairs, as many as there is memory for."""
    size = np.diff(offsets)
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
    values: Floats, codes: Array, chances: Floats, offsets: Ints, queries: Ints
) -> tuple[Floats, Ints]:
    """What the pairs of some queries explain, and which pairs these are.

    (3, pairs): effects of their next votes, effects of their expected votes, and the variances of
    the latter as estimates.
    """
    size = np.diff(offsets)[queries]
    width, n_functions = int(size.max()), chances.shape[2] - 1
    place = np.arange(width)
    taken = place < size[:, None]  # (queries, width)
    pairs = (offsets[queries][:, None] + place)[taken]
    next_vote, _, expected = chances[:, pairs]
    functions = orthonormal_steps(next_vote)
    table = np.zeros((len(queries), width, n_functions, codes.shape[1]))
    drawn = codes[pairs].astype(np.int64)[:, None, :]
    shape = len(pairs), n_functions, drawn.shape[-1]
    table[taken] = np.take_along_axis(functions, np.broadcast_to(drawn, shape), axis=2)
    found = main_effects(table.reshape(len(queries), width * n_functions, -1), values)
    coefficient, error = (x.reshape(len(queries), width, n_functions)[taken] for x in found)
    own = (coefficient**2 - error).sum(axis=-1)
    return np.stack((own, *parts_under(functions, expected, coefficient, error))), pairs


def _expected(setting: Setting, outcomes: PairOutcomes, n_queries: int) -> Floats:
    """Expected differences, from worlds where they are not known exactly: (queries,)."""
    none = chances_of_none(outcomes, setting.measures, n_queries)
    exact = exact_moments(outcomes, range(2), setting.measures, none, exclude=False)
    out: Floats = exact.mean[0, 0, 0] - exact.mean[0, 1, 0]
    if exact.known.all():
        return out
    drawn, _ = _drawn(setting, outcomes, n_queries)
    return np.where(exact.known.all(axis=(0, 1)), out, drawn.mean(axis=1))


def _positive(effect: Floats, offsets: Ints) -> Floats:
    """Effects without those below 0, by chance, with the same sum for each query."""
    kept = np.maximum(effect, 0.0)
    total = np.maximum(segment_sum(effect, offsets), 0.0)
    sums = segment_sum(kept, offsets)
    return np.asarray(kept * np.repeat(divide(total, sums), np.diff(offsets)))
