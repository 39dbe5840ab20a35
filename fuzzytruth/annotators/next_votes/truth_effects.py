"""How much the grade of each item matters to the difference of two systems."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from fuzzytruth._typing import Array, Floats, Ints
from fuzzytruth.core.keyed import Entropy
from fuzzytruth.core.main_effects import main_effects
from fuzzytruth.core.segments import segment_of, segment_sum
from fuzzytruth.core.vote_bases import orthonormal_steps, parts_under
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
    next_vote: Grades,
    estimate: Grades,
    expected: Floats,
    measure: Measure,
    *,
    n_worlds: int,
    entropy: Entropy,
) -> TruthEffects:
    """Effects on the first run's value minus the second one's.

    Parameters
    ----------
    next_vote, estimate : Grades
        Of the same pairs: worlds are drawn from the first, and the difference is under the second.
    expected : (pairs, grades) float
        Probabilities of the grades in a pair's expected vote; those of all other pairs are as in
        worlds.
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
            Chances(next_vote.chance[pairs], estimate.chance[pairs], expected[pairs]),
        )
        parts.append(found)
    return TruthEffects(*map(np.concatenate, zip(*parts, strict=True)))


#: difference, variance, joint part, effect and error of some queries
Part = tuple[Floats, Floats, Floats, Floats, Floats]


class Chances(NamedTuple):
    """Probabilities of the grades of some pairs: (pairs, grades) each."""

    next_vote: Floats
    estimate: Floats
    expected: Floats


def _difference(setting: Setting, worlds: PairWorlds, n_queries: int) -> Floats:
    """Differences of the two systems: (worlds, queries)."""
    values = score_drawn(setting, worlds, n_queries)[:, :, 0]
    out: Floats = values[:, 0] - values[:, 1]
    return out


def _exact(
    setting: Setting, outcomes: PairOutcomes, estimated: PairOutcomes, chances: Chances
) -> Part:
    """Of a measure that adds up what single items are worth: those, one item at a time.

    In world r, the r-th item of every query has a certain grade, and all others the lowest.
    """
    offsets, n_queries = outcomes.block.offsets, outcomes.block.n_queries
    n_pairs, n_grades = chances.estimate.shape
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
    difference = base + segment_sum((chances.estimate * worth).sum(axis=1), offsets)
    variance = segment_sum(_variance(chances.next_vote, worth), offsets)
    effect = _variance(chances.expected, worth)
    return difference, variance, np.zeros(n_queries), effect, np.zeros(n_pairs)


def _variance(chance: Floats, worth: Floats) -> Floats:
    """Of what grades are worth: (pairs,)."""
    mean = (chance * worth).sum(axis=1, keepdims=True)
    out: Floats = (chance * (worth - mean) ** 2).sum(axis=1)
    return out


def _sampled(
    setting: Setting, outcomes: PairOutcomes, estimated: PairOutcomes, chances: Chances
) -> Part:
    """From drawn worlds, by regression on the grades drawn."""
    offsets, n_queries = outcomes.block.offsets, outcomes.block.n_queries
    values, codes = _drawn(setting, outcomes, n_queries)
    n_pairs, n_grades = chances.estimate.shape
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
    values: Floats, codes: Array, chances: Chances, offsets: Ints, queries: Ints
) -> tuple[Floats, Ints]:
    """What the pairs of some queries explain, and which pairs these are.

    (3, pairs): effects of their next votes, effects of their expected votes, and the variances of
    the latter as estimates.
    """
    size = np.diff(offsets)[queries]
    width, n_functions = int(size.max()), chances.next_vote.shape[1] - 1
    place = np.arange(width)
    taken = place < size[:, None]  # (queries, width)
    pairs = (offsets[queries][:, None] + place)[taken]
    functions = orthonormal_steps(chances.next_vote[pairs])
    table = np.zeros((len(queries), width, n_functions, codes.shape[1]))
    drawn = codes[pairs].astype(np.int64)[:, None, :]
    shape = len(pairs), n_functions, drawn.shape[-1]
    table[taken] = np.take_along_axis(functions, np.broadcast_to(drawn, shape), axis=2)
    found = main_effects(table.reshape(len(queries), width * n_functions, -1), values)
    each = (len(queries), width, n_functions)
    own = found.parts.reshape(each).sum(axis=-1)[taken]
    coefficient, error = (x.reshape(each)[taken] for x in (found.coefficient, found.error))
    moved = parts_under(functions, chances.expected[pairs], coefficient, error)
    return np.stack((own, *moved)), pairs


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
