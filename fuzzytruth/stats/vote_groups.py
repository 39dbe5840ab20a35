"""Groups of subjects who agree with each other beyond what severity and expertise explain.

Groups are made on one half of the units and proved on the other: their *modularity* there is the
number of agreements within groups beyond those of random voters of the same units, a shared unit
(Newman 2006; halves: Owen & Perry 2009). It is compared with that of draws that keep how often each
subject gave every value, and sided with a most frequent one; see `vote_structure`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.optimize import linear_sum_assignment

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.arithmetic import begins, divide
from fuzzytruth.stats.multiplicity import significant
from fuzzytruth.stats.vote_structure import Options, PairsOfSubjects, VotePattern, p_values

_CELLS = 1 << 21  # numbers of a block of draws
_SMALLEST = 1e-9  # variances below are those of constants
_AS_STABLE = 0.05  # difference of stabilities that matters little
#: least agreement of two halves on who is where, for groups to be reported
STABLE = 0.2


@dataclass(frozen=True, slots=True, eq=False)
class Affinity:
    """How much more two subjects agree in some units than they would by chance.

    Parameters
    ----------
    pairs : PairsOfSubjects
        Of the units' votes.
    votes : (votes of all units,) bool
        Which are these units'.
    number : (options of all units,) int32
        Their numbers among these units' options.
    centre, scale : (subjects, subjects) float
        What is taken from an excess of agreements, and 1 / standard error, 0 where it is constant.
    """

    pairs: PairsOfSubjects
    votes: Bools
    number: Options
    centre: Floats
    scale: Floats

    @classmethod
    def of(cls, pattern: VotePattern, units: Bools, draws: Options | None) -> Affinity:
        """That of some units; where draws are given, beyond their mean, in standard deviations."""
        votes = units[pattern.unit]
        number = np.cumsum(units[pattern.unit_of_option], dtype=np.int32) - np.int32(1)
        pairs = PairsOfSubjects.of(pattern.part(units), most=pattern.n_subjects)
        zero = np.zeros_like(pairs.shared)
        plain = cls(pairs, votes, number, zero, _inverse(pairs.variance))
        if draws is None:
            return plain
        total, square = zero, zero
        for _, excess in plain.excesses(draws):
            total, square = total + excess.sum(0), square + (excess**2).sum(0)
        mean = total / len(draws)
        return cls(pairs, votes, number, mean, _inverse(square / len(draws) - mean**2))

    def excesses(self, draws: Options) -> Iterator[tuple[slice, Floats]]:
        """Agreements beyond chance in blocks of draws: (block, subjects, subjects)."""
        size = max(1, _CELLS // max(1, self.centre.size))
        for first in range(0, len(draws), size):
            rows = slice(first, first + size)
            yield rows, self.pairs.excess(self.options(draws[rows])) - self.centre

    def options(self, draws: Options) -> Options:
        """Draws of these units alone."""
        return np.asarray(self.number[draws[:, self.votes]])


def _inverse(variance: Floats) -> Floats:
    """1 / standard error; 0 where nothing varies."""
    return divide(1.0, np.sqrt(np.where(variance > _SMALLEST, variance, 0.0)))


def random_halves(cluster: Ints, n_splits: int, rng: np.random.Generator) -> Bools:
    """Which units are in the first half, whose clusters stay together: (splits, units)."""
    _, code = np.unique(cluster, return_inverse=True)
    n = int(code.max(initial=-1)) + 1
    order = rng.permuted(np.tile(np.arange(n), (n_splits, 1)), axis=1)
    return np.asarray((order < n // 2)[:, code])


def grouped(affinity: Floats, numbers: range) -> Ints:
    """Groups of subjects by average linkage, as labels: (draws, numbers of groups, subjects).

    Parameters
    ----------
    affinity : (draws, subjects, subjects) float
    numbers : range
    """
    n_draws, n = affinity.shape[:2]
    above = affinity[(slice(None), *np.triu_indices(n, 1))]
    merged = np.array([linkage(one.max() - one, "average")[:, :2] for one in above], np.int64)
    node, new = np.arange(2 * n - 1), np.repeat(np.arange(n, 2 * n - 1), 2)
    parent = np.tile(node, (n_draws, 1))
    parent[np.arange(n_draws)[:, None], merged.reshape(n_draws, -1)] = new
    groups = np.empty((n_draws, len(numbers), n), np.int64)
    for place, k in enumerate(numbers):
        top = np.where(parent < 2 * n - k, parent, node)  # the last k - 1 merges undone
        for _ in range(n.bit_length()):
            top = np.take_along_axis(top, top, axis=1)
        groups[:, place] = top[:, :n]
    return groups


@dataclass(frozen=True, eq=False)
class CrossFit:
    """Groups that each half of the units gives, and what they are worth on the other half.

    Parameters
    ----------
    numbers : range
        Of groups.
    modularity : (draws, numbers) float
        Mean over halves; the first row is that of the votes.
    groups : (splits, 2, numbers, subjects) int
        Of the votes, by each half.
    """

    numbers: range
    modularity: Floats
    groups: Ints

    @classmethod
    def of(
        cls,
        pattern: VotePattern,
        draws: Options,
        splits: Bools,
        numbers: range,
        *,
        centred: bool,
        progress: Callable[[float], object] | None = None,
    ) -> CrossFit:
        """That of draws, the first of which are the votes.

        Parameters
        ----------
        splits : (splits, units) bool
        centred : bool
            Whether affinities are those beyond all draws'.
        """
        total, groups = np.zeros((len(draws), len(numbers))), []
        for done, split in enumerate(splits):
            halves = [
                Affinity.of(pattern, units, draws if centred else None) for units in (split, ~split)
            ]
            n_shared = sum(half.pairs.shared.sum() for half in halves)
            blocks = zip(*(half.excesses(draws) for half in halves), strict=True)
            for (rows, first), (_, second) in blocks:
                made = [
                    grouped(excess * half.scale, numbers)
                    for half, excess in zip(halves, (first, second), strict=True)
                ]
                proved = _within(second, made[0]) + _within(first, made[1])
                total[rows] += proved / max(n_shared, 1.0)
                if rows.start == 0:
                    groups.append([of_half[0] for of_half in made])
            if progress is not None:
                progress((done + 1) / len(splits))
        return cls(numbers, total / len(splits), np.array(groups))

    @cached_property
    def gain(self) -> Floats:
        """Modularity beyond the mean of votes and draws: (draws, numbers)."""
        return np.asarray(self.modularity - self.modularity.mean(0))

    @cached_property
    def p(self) -> Floats:
        """That of the votes' gain beside the largest one of each draw: (numbers,)."""
        return p_values(self.gain[0], self.gain[1:].max(1)[None])

    @cached_property
    def stability(self) -> Floats:
        """Mean adjusted Rand index between the groups of two halves: (numbers,)."""
        each = [[adjusted_rand(*both) for both in of.swapaxes(0, 1)] for of in self.groups]
        return np.asarray(np.mean(each, axis=0))

    def best(self, level: float, possible: Bools) -> int:
        """Place of the number of groups that gains most, of the most stable ones that are found.

        If none of the `possible` numbers, (numbers,), is found, that of all that gains most.
        """
        found = self.found(level) & possible
        if not found.any():
            return int(self.gain[0].argmax())
        stable = found & (self.stability >= self.stability[found].max() - _AS_STABLE)
        return int(np.where(stable, self.gain[0], -np.inf).argmax())

    def found(self, level: float) -> Bools:
        """Numbers of groups that gain, agree on the other half, and are stable: (numbers,)."""
        sure = significant(self.p, level) & (self.modularity[0] > 0.0)
        return np.asarray(sure & (self.stability >= STABLE))


def _within(excess: Floats, groups: Ints) -> Floats:
    """Sum of (draws, s, s) within each draw's groups (draws, numbers, s): (draws, numbers)."""
    same = groups[..., :, None] == groups[..., None, :]
    return np.asarray(np.einsum("dst,dkst->dk", excess, same))


@dataclass(frozen=True, slots=True, eq=False)
class VoteGroups:
    """Groups of subjects, how sure they are, and what they tell about other units.

    Parameters
    ----------
    found : bool
        Whether they are shown, and there are two groups or more of two subjects or more.
    p : float
        Chance of a gain as large where nothing but severity and siding with the majority matters.
    modularity, explained : float
        Agreements within groups beyond chance on the half that did not make the groups, a shared
        unit; and the mean of the draws'.
    stability : float
        Mean adjusted Rand index between the groups of two halves.
    group : (subjects,) int
        By all units, the largest first; singles have numbers of their own after all groups.
    n_groups : int
        Of two subjects or more.
    affinity : (subjects, subjects) float
        By all units, in standard errors.
    within, between : (agreed, shared) float
        Units on which two members of a group, or of different groups, agreed, of those that they
        shared, on the halves that did not make the groups; sums over splits.
    guessed : (by all, by own, of) float
        Votes on these units, or on those on which nobody disagrees, that equal the mode of all
        others' votes, or of the own group's others; likewise.
    first : (units,) bool
        Of the first split.
    by_half : (2, subjects) int
        Groups of the units of its first half, and of the others, by the numbers of `group`; -1:
        of none of them.
    """

    found: bool
    p: float
    modularity: float
    explained: float
    stability: float
    group: Ints
    n_groups: int
    affinity: Floats
    within: Floats
    between: Floats
    guessed: Floats
    first: Bools
    by_half: Ints


def vote_groups(
    pattern: VotePattern,
    drawn: Options,
    splits: Bools,
    alike: Floats,
    *,
    most: int = 5,
    level: float = 0.95,
    centred: bool = False,
    progress: Callable[[float], object] | None = None,
) -> VoteGroups:
    """The best number of groups, and these groups.

    Parameters
    ----------
    pattern : VotePattern
    drawn : (draws, votes) int
        By `conditional_draws` of level 2.
    splits : (splits, units) bool
        The first half of each, by `random_halves`.
    alike : (subjects, subjects) float
        Units on which nobody disagrees that two subjects share, or one voted on.
    most : int
        Groups at most.
    level : float
        A number of groups gains if p is at most ``1 - level``.
    centred : bool
        Whether groups are made of what severity and siding with the majority do not explain.
    """
    draws = np.concatenate([pattern.option[None], drawn])
    numbers = range(2, min(most, pattern.n_subjects // 2) + 1)
    fit = CrossFit.of(pattern, draws, splits, numbers, centred=centred, progress=progress)
    whole = Affinity.of(pattern, np.ones(pattern.n_units, bool), draws if centred else None)
    affinity = next(whole.excesses(draws[:1]))[1][0] * whole.scale
    ways = [_by_size(label) for label in grouped(affinity[None], numbers)[0]]
    best = fit.best(level, np.array([n > 1 for _, n in ways]))
    group, n_groups = ways[best]
    halves = fit.groups[:, :, best]  # (splits, 2, subjects)
    return VoteGroups(
        bool(fit.found(level)[best]) and n_groups > 1,
        float(fit.p[best]),
        float(fit.modularity[0, best]),
        float(fit.modularity[1:, best].mean()),
        float(fit.stability[best]),
        group,
        n_groups,
        affinity,
        *proved(pattern, splits, halves, alike),
        splits[0],
        np.array([_matched(of_half, group, n_groups) for of_half in halves[0]]),
    )


def _by_size(label: Ints) -> tuple[Ints, int]:
    """Groups numbered by size, then first subject; and the number of those of two or more."""
    _, first, which, size = np.unique(
        label, return_index=True, return_inverse=True, return_counts=True
    )
    number = np.empty_like(first)
    number[np.lexsort((first, -size))] = np.arange(len(first))
    return number[which], int((size > 1).sum())


def _table(one: Ints, other: Ints) -> Floats:
    """How many subjects two groupings share in each of their groups."""
    a, b = (np.unique(each, return_inverse=True)[1] for each in (one, other))
    size = b.max() + 1
    return np.bincount(a * size + b, minlength=(a.max() + 1) * size).reshape(-1, size).astype(float)


def adjusted_rand(one: Ints, other: Ints) -> float:
    """Agreement of two groupings: 1 where they are the same, 0 on average by chance.

    Parameters
    ----------
    one, other : (subjects,) int

    References
    ----------
    Hubert & Arabie 1985.
    """
    table = _table(one, other)
    both, a, b, all_pairs = (
        float((n * (n - 1) / 2).sum())
        for n in (table, table.sum(0), table.sum(1), np.array([table.sum()]))
    )
    expected, most = a * b / all_pairs, (a + b) / 2
    return 1.0 if most == expected else (both - expected) / (most - expected)


def _matched(label: Ints, group: Ints, n_groups: int) -> Ints:
    """Groups by the numbers of others that share most subjects with them; -1: none does."""
    which = np.unique(label, return_inverse=True)[1]
    shared = _table(which, group)[:, :n_groups]
    rows, columns = linear_sum_assignment(shared, maximize=True)
    number = np.full(len(shared), -1)
    number[rows] = np.where(shared[rows, columns] > 0, columns, -1)
    return number[which]


def proved(
    pattern: VotePattern, splits: Bools, halves: Ints, alike: Floats
) -> tuple[Floats, Floats, Floats]:
    """See `within`, `between` and `guessed` of `VoteGroups`; half of `alike` is in each half."""
    within, between, guessed = np.zeros(2), np.zeros(2), np.full(3, len(splits) * alike.trace())
    alike = alike * ~np.eye(len(alike), dtype=bool)
    for split, groups in zip(splits, halves, strict=True):
        for units, group in ((~split, groups[0]), (split, groups[1])):
            half = Affinity.of(pattern, units, None)
            agreed = half.pairs.agreements(half.options(pattern.option[None]))[0]
            both = np.stack([agreed, half.pairs.shared]) + alike / 2.0
            same = group[:, None] == group
            within += both[:, same].sum(1)
            between += both[:, ~same].sum(1)
            guessed += _guessed(half.pairs.pattern, group)
    return within, between, guessed


def _guessed(pattern: VotePattern, group: Ints) -> Floats:
    """Votes that equal the mode of all others' votes, of the own group's others; and all votes.

    Of several modes, each is guessed equally often. Where the own group's others have several, or
    gave no vote, those are guessed of which all others have most.
    """
    n_options = np.bincount(pattern.unit_of_option)[pattern.unit]
    vote = np.repeat(np.arange(len(n_options)), n_options)
    start = np.cumsum(n_options) - n_options
    first = np.flatnonzero(begins(pattern.unit_of_option))[pattern.unit]
    option = np.arange(len(vote)) - np.repeat(start - first, n_options)
    given = option == pattern.option[vote]
    label = np.unique(group, return_inverse=True)[1]
    size = int(label.max()) + 1
    cell = pattern.option * size + label[pattern.subject]
    by_group = np.bincount(cell, minlength=len(pattern.value) * size)
    by_all = pattern.votes_of_option[option] - given
    by_own = by_group[option * size + label[pattern.subject][vote]] - given
    right = []
    for votes in (by_all, by_own * (pattern.n_subjects + 1) + by_all):
        modes = votes == np.maximum.reduceat(votes, start)[vote]
        right.append(divide(np.add.reduceat(modes & given, start), np.add.reduceat(modes, start)))
    return np.array([*(each.sum() for each in right), len(pattern.unit)], float)
