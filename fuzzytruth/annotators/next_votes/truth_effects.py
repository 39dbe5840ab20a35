"""How much the grade of each item matters to the difference of two systems."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Array, Floats, Ints
from fuzzytruth.core.keyed import Entropy
from fuzzytruth.core.main_effects import main_effects
from fuzzytruth.core.segments import segment_of, segment_sum
from fuzzytruth.core.vote_bases import orthonormal_steps
from fuzzytruth.evaluation.exact_moments import chances_of_none, exact_moments
from fuzzytruth.evaluation.setting import Setting
from fuzzytruth.evaluation.simulation import score_drawn
from fuzzytruth.measures import Measure
from fuzzytruth.truth.pairs.aligned import AlignedPairs
from fuzzytruth.truth.pairs.outcomes import PairOutcomes
from fuzzytruth.truth.pairs.worlds import PairWorlds
from fuzzytruth.truth.vote_weights import as_given

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
    effect : (pairs,) float
        The part of its query's variance that each pair explains by itself; 0 or more.
    error : (pairs,) float
        Monte Carlo error of `effect`; 0 where that is exact.
    """

    difference: Floats
    variance: Floats
    effect: Floats
    error: Floats


@dataclass(frozen=True, slots=True, eq=False)
class Grades:
    """Probabilities of the grades of all pairs.

    Parameters
    ----------
    aligned : AlignedPairs
        With two runs.
    chance : (pairs, grades) float
        The probabilities in it, all above 0.
    """

    aligned: AlignedPairs
    chance: Floats


def truth_effects(
    next_vote: Grades, estimate: Grades, measure: Measure, *, n_worlds: int, entropy: Entropy
) -> TruthEffects:
    """Effects on the first run's value minus the second one's.

    Parameters
    ----------
    next_vote, estimate : Grades
        Of the same pairs: worlds are drawn from the first, and the difference is under the second.
    measure : Measure
    n_worlds : int
        Drawn worlds, where effects are not known exactly.
    entropy : Entropy
    """
    votes, only = as_given(), (measure,)
    drawn = Setting(next_vote.aligned, "independent", votes, only, n_worlds, entropy)
    one_grade = next_vote.chance.shape[1] == 1
    of_block = _exact if measure.linear or one_grade else _sampled
    parts = []
    for block in drawn.blocks:
        first, last = estimate.aligned.pool.offsets[[block.start, block.stop]].tolist()
        pairs = slice(first, last)
        found = of_block(
            drawn,
            next_vote.aligned.outcomes(block, votes),
            estimate.aligned.outcomes(block, votes),
            next_vote.chance[pairs],
            estimate.chance[pairs],
        )
        parts.append(found)
    return TruthEffects(*map(np.concatenate, zip(*parts, strict=True)))


#: difference, variance, effect and error of some queries
Part = tuple[Floats, Floats, Floats, Floats]


def _difference(setting: Setting, worlds: PairWorlds, n_queries: int) -> Floats:
    """Differences of the two systems: (worlds, queries)."""
    values = score_drawn(setting, worlds, n_queries)[:, :, 0]
    out: Floats = values[:, 0] - values[:, 1]
    return out


def _exact(
    setting: Setting,
    outcomes: PairOutcomes,
    estimated: PairOutcomes,
    chance: Floats,
    estimate: Floats,
) -> Part:
    """Of a measure that adds up what single items are worth: those, one item at a time.

    In world r, the r-th item of every query has a certain grade, and all others the lowest.
    """
    offsets, n_queries = outcomes.block.offsets, outcomes.block.n_queries
    position = np.arange(len(chance)) - np.repeat(offsets[:-1], np.diff(offsets))
    query = segment_of(offsets)
    lists = outcomes.draw(slice(0, 2), setting.entropy)
    none = np.zeros((len(chance), 1), dtype=np.int64)
    base = _difference(setting, lists.with_codes(none), n_queries)[0]
    worth = np.zeros(chance.shape)  # of each grade, relative to the lowest
    deepest = int(position.max(initial=-1)) + 1
    size = max(1, _CODES // max(1, len(chance)))
    for grade in range(1, chance.shape[1]):
        for start in range(0, deepest, size):
            number = np.arange(start, min(start + size, deepest))
            code = grade * (position[:, None] == number)
            value = _difference(setting, lists.with_codes(code), n_queries) - base
            here = np.flatnonzero((position >= start) & (position <= number[-1]))
            worth[here, grade] = value[position[here] - start, query[here]]
    mean = (chance * worth).sum(axis=1)
    effect = (chance * (worth - mean[:, None]) ** 2).sum(axis=1)
    difference = base + segment_sum((estimate * worth).sum(axis=1), offsets)
    return difference, segment_sum(effect, offsets), effect, np.zeros(len(effect))


def _sampled(
    setting: Setting,
    outcomes: PairOutcomes,
    estimated: PairOutcomes,
    chance: Floats,
    estimate: Floats,
) -> Part:
    """From drawn worlds, by regression on the grades drawn."""
    offsets, n_queries = outcomes.block.offsets, outcomes.block.n_queries
    values, codes = _drawn(setting, outcomes, n_queries)
    effect, error = np.zeros(len(chance)), np.zeros(len(chance))
    for queries in _similar(offsets, chance.shape[1] - 1, setting.n_inner):
        effects, errors, pairs = _regressed(values[queries], codes, chance, offsets, queries)
        effect[pairs], error[pairs] = effects, errors
    effect = _positive(effect, offsets)
    difference = _expected(setting, estimated, n_queries)
    return difference, values.var(axis=1, ddof=1), effect, np.sqrt(error)


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
    values: Floats, codes: Array, chance: Floats, offsets: Ints, queries: Ints
) -> tuple[Floats, Floats, Ints]:
    """Effects of the pairs of some queries, the variance of each as an estimate, and the pairs."""
    size = np.diff(offsets)[queries]
    width, n_functions = int(size.max()), chance.shape[1] - 1
    place = np.arange(width)
    taken = place < size[:, None]  # (queries, width)
    pairs = (offsets[queries][:, None] + place)[taken]
    functions = orthonormal_steps(chance[pairs])
    table = np.zeros((len(queries), width, n_functions, codes.shape[1]))
    drawn = codes[pairs].astype(np.int64)[:, None, :]
    shape = len(pairs), n_functions, drawn.shape[-1]
    table[taken] = np.take_along_axis(functions, np.broadcast_to(drawn, shape), axis=2)
    found = main_effects(table.reshape(len(queries), width * n_functions, -1), values)
    each = (len(queries), width, n_functions)
    effect = found.parts.reshape(each).sum(axis=-1)
    error = found.errors_of_parts.reshape(each).sum(axis=-1)
    return effect[taken], error[taken], pairs


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
    factor = np.divide(total, sums, out=np.zeros_like(total), where=sums > 0)
    out: Floats = kept * np.repeat(factor, np.diff(offsets))
    return out
