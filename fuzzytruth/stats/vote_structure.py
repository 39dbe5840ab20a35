"""Structure of disagreement: whether it matters who gave which vote.

The hypothesis is that each unit's votes (on an item, or on an item for a query) were handed to its
voters at random. Permuting the votes of each unit over its voters keeps who voted on what, every
share of votes and hence every formula that knows memberships alone. Tests that compare a statistic
with its values under such permutations are exact, whatever is missing (Hemerik & Goeman 2018).

What kind of structure it is, draws with more held fixed tell: each subject's count of every value
(level 1: severity, favourite values), and also how often it sided with a most frequent value of the
unit (level 2). They are reached by trades between pairs of subjects (Verhelst 2008, Strona et al.
2014) and compared by parallel chains (Besag & Clifford 1989), which is exact even where they mix
slowly.

A draw is a row of *options*, one for each vote: an option is a value that some vote of a unit has.
Units without disagreement tell nothing and are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import eigsh

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.arithmetic import begins, divide
from fuzzytruth.stats.multiplicity import significant

Options = NDArray[np.int32]
Level = Literal[1, 2]

#: statistics of structure, and what each finds
STATISTICS = {
    "pairs": "any",
    "eigen": "clusters of people",
    "copies": "pairs most alike",
    "rates": "severity, favourite values",
    "majority": "siding with the majority",
}
#: subjects whose pairs are looked at: those with the most votes, which no permutation changes
MOST_SUBJECTS = 500
_DENSE = 200  # subjects up to which all eigenvalues are faster than the largest one alone
_PERMUTING = 0.3  # share of the time, about
_CELLS = 1 << 22  # numbers of a block of draws
_TOLERANCE = 1e-9  # relative; statistics this near are tied
_FILLED = 50  # cells of a table a vote, beyond which a sparse product is faster
_CACHED = 1 << 16  # votes of a block of trades
_SPARSE = 0.2  # share of a full table of votes below which pairs are looked for within units
_RANDOM_BITS = 20  # fewer would put groups in order too often
_SMALLEST = 1e-12  # variances below are those of constants


# No slots: cached properties need a `__dict__`.
@dataclass(frozen=True, eq=False)
class VotePattern:
    """Votes by unit: who voted on what, and which options each unit has.

    Parameters
    ----------
    unit, subject, option : (votes,) int
        Sorted by unit and subject; options are numbered by unit and value.
    value : (options,) int
        What an option says.
    vote : (votes,) int
        Place of each vote in what the pattern was made from.
    n_subjects, n_values : int
    """

    unit: Ints
    subject: Ints
    option: Options
    value: Ints
    vote: Ints
    n_subjects: int
    n_values: int

    @classmethod
    def of(cls, unit: Ints, subject: Ints, value: Ints, n_subjects: int) -> VotePattern:
        """The votes on units on which people disagree, one of a subject on each."""
        order = np.lexsort((subject, unit))
        unit, subject, value = unit[order], subject[order], value[order]
        n_values = int(value.max(initial=-1)) + 1
        codes, option = np.unique(unit * n_values + value, return_inverse=True)
        n_options = np.bincount(codes // max(n_values, 1))
        names = codes % max(n_values, 1)
        option = option.reshape(-1).astype(np.int32)
        return cls(unit, subject, option, names, order, n_subjects, n_values).part(n_options > 1)

    @cached_property
    def offsets(self) -> Ints:
        """(units + 1,) first vote of each unit, and the end."""
        return np.append(np.flatnonzero(begins(self.unit)), len(self.unit))

    @property
    def n_units(self) -> int:
        """Units on which people disagree."""
        return len(self.offsets) - 1

    @cached_property
    def keys(self) -> Ints:
        """(votes,) ascending: unit and subject."""
        return self.unit * self.n_subjects + self.subject

    @cached_property
    def n_voters(self) -> Ints:
        """(units,)."""
        return np.diff(self.offsets)

    @cached_property
    def unit_of_option(self) -> Ints:
        """(options,)."""
        unit = np.empty(len(self.value), np.int64)
        unit[self.option] = self.unit
        return unit

    @cached_property
    def votes_of_option(self) -> Ints:
        """(options,)."""
        return np.bincount(self.option, minlength=len(self.value))

    @cached_property
    def shares(self) -> Floats:
        """(options,) share of the unit's votes."""
        return self.votes_of_option / self.n_voters[self.unit_of_option]

    @cached_property
    def modes(self) -> Bools:
        """(options,) whether no other option of the unit has more votes."""
        first = np.flatnonzero(begins(self.unit_of_option))
        most = np.maximum.reduceat(self.votes_of_option, first) if len(first) else first
        return np.asarray(self.votes_of_option == most[self.unit_of_option])

    @cached_property
    def agreement(self) -> Floats:
        """(units,) chance that two of the unit's votes agree."""
        n, m = self.votes_of_option, self.n_voters
        same = np.bincount(self.unit_of_option, n * (n - 1.0), self.n_units)
        return same / np.maximum(m * (m - 1.0), 1.0)

    def part(self, units: Bools) -> VotePattern:
        """The votes on some units, in which options are numbered anew; `vote` stays as it is."""
        votes, kept = units[self.unit], units[self.unit_of_option]
        return VotePattern(
            (np.cumsum(units) - 1)[self.unit[votes]],
            self.subject[votes],
            (np.cumsum(kept, dtype=np.int32) - np.int32(1))[self.option[votes]],
            self.value[kept],
            self.vote[votes],
            self.n_subjects,
            self.n_values,
        )


def permuted(pattern: VotePattern, n_draws: int, rng: np.random.Generator) -> Options:
    """Each unit's votes handed to its voters at random: (draws, votes) options."""
    n = len(pattern.unit)
    start = pattern.offsets[pattern.unit]
    places, units = (
        int(x.max(initial=0)).bit_length() for x in (np.arange(n) - start, pattern.unit)
    )
    random = 62 - places - units
    keys = rng.integers(1 << random, size=(n_draws, n)) << places
    keys |= (pattern.unit << (random + places)) | (np.arange(n) - start)
    keys.sort(axis=1)  # by unit, then at random
    keys &= (1 << places) - 1
    keys += start
    return np.asarray(pattern.option[keys])


@dataclass(frozen=True, slots=True, eq=False)
class PairsOfSubjects:
    """Agreements of pairs of subjects, and what they would be by chance.

    Parameters
    ----------
    pattern : VotePattern
    subjects : (s,) int
        Whose pairs; at most `MOST_SUBJECTS`, those with the most votes.
    place : (votes,) int
        Place of each vote's subject among these; -1: not among them.
    shared, chance, variance : (s, s) float
        Units that both voted on, and expectation and variance of agreements on them; 0 on the
        diagonal.
    """

    pattern: VotePattern
    subjects: Ints
    place: Ints
    shared: Floats
    chance: Floats
    variance: Floats

    @classmethod
    def of(cls, pattern: VotePattern, *, most: int = MOST_SUBJECTS) -> PairsOfSubjects:
        """Pairs among the subjects with the most votes."""
        votes = np.bincount(pattern.subject, minlength=pattern.n_subjects)
        subjects = np.sort(np.argsort(-votes, kind="stable")[:most])
        place = np.full(pattern.n_subjects, -1)
        place[subjects] = np.arange(len(subjects))
        s, h, n = place[pattern.subject], pattern.agreement, len(subjects)
        seen = s >= 0
        shape = (pattern.n_units, n)
        on = sparse.csr_array((np.ones(seen.sum()), (pattern.unit[seen], s[seen])), shape=shape)

        def summed(weight: Floats) -> Floats:
            total = np.asarray(
                (on.T @ (sparse.dia_array((weight, 0), (len(h),) * 2) @ on)).todense()
            )
            np.fill_diagonal(total, 0.0)
            return total

        shared, variance = summed(np.ones(len(h))), summed(h * (1.0 - h))
        return cls(pattern, subjects, s, shared, summed(h), variance)

    def agreements(self, draws: Options) -> Floats:
        """Units on which both gave the same value: (draws, s, s), 0 on the diagonal."""
        n, n_options = len(self.subjects), len(self.pattern.value)
        cells = n * n_options
        if _CELLS >= cells <= _FILLED * len(self.place):
            together = self._dense(draws, n, n_options)
        else:
            together = np.stack([self._sparse(draw, n, n_options) for draw in draws])
        together[:, np.arange(n), np.arange(n)] = 0.0
        return together

    def _dense(self, draws: Options, n: int, n_options: int) -> Floats:
        together = np.empty((len(draws), n, n))
        seen = self.place >= 0
        place, size = self.place[seen], max(1, _CELLS // max(1, n * n_options))
        for first in range(0, len(draws), size):
            some = draws[first : first + size, seen]
            gave = np.zeros((len(some), n_options, n), np.float32)
            gave[np.arange(len(some))[:, None], some, place] = 1.0
            together[first : first + size] = gave.transpose(0, 2, 1) @ gave
        return together

    def _sparse(self, draw: Options, n: int, n_options: int) -> Floats:
        seen = self.place >= 0
        entries = (np.ones(seen.sum()), (draw[seen], self.place[seen]))
        gave = sparse.csr_array(entries, shape=(n_options, n))
        return np.asarray((gave.T @ gave).todense(), dtype=np.float64)

    def excess(self, draws: Options) -> Floats:
        """Agreements beyond those of two random voters of the same units: (draws, s, s)."""
        return self.agreements(draws) - self.chance

    def standardised(self, excess: Floats) -> Floats:
        """Excess in standard errors; 0 where it cannot vary."""
        return divide(excess, np.sqrt(np.where(self.variance > _SMALLEST, self.variance, 0.0)))


def statistics(
    pairs: PairsOfSubjects, draws: Options, names: Iterable[str] = STATISTICS
) -> dict[str, Floats]:
    """Statistics of structure, each (draws,), large where who voted matters.

    `pairs`: sum of squared standardised agreements; `eigen`: their largest eigenvalue; `copies`:
    the largest; `rates`: how far subjects' counts of values are from those of chance; `majority`:
    likewise how often they give a most frequent value.
    """
    pattern = pairs.pattern
    of_values = _beyond_chance(pattern, pattern.value, pattern.n_values)
    of_modes = _beyond_chance(pattern, pattern.modes.astype(np.int64), 2)
    compute: dict[str, Callable[[Floats, Options], Floats]] = {
        "pairs": lambda z, _: (z**2).sum((1, 2)) / 2.0,
        "eigen": lambda z, _: _largest_eigenvalues(z),
        "copies": lambda z, _: z.max((1, 2), initial=0.0),
        "rates": lambda _, some: of_values(some),
        "majority": lambda _, some: of_modes(some) / 2.0,  # it counts votes beside modes, too
    }
    found = {name: np.empty(len(draws)) for name in names}
    size = max(1, _CELLS // max(1, len(pairs.subjects) ** 2, len(pattern.unit)))
    for first in range(0, len(draws), size):
        block = slice(first, first + size)
        z = pairs.standardised(pairs.excess(draws[block]))
        for name, values in found.items():
            values[block] = compute[name](z, draws[block])
    return found


def _largest_eigenvalues(z: Floats) -> Floats:
    if z.shape[1] <= _DENSE:
        return cast("Floats", np.linalg.eigvalsh(z)[:, -1]) if z.size else np.zeros(len(z))
    start = np.ones(z.shape[1])
    found = (eigsh(one, k=1, which="LA", v0=start)[0][0] if one.any() else 0.0 for one in z)
    return np.fromiter(found, float, len(z))


def _beyond_chance(pattern: VotePattern, symbol: Ints, n: int) -> Callable[[Options], Floats]:
    """What tells how far subjects' counts of symbols are from those of chance: of draws, (draws,).

    Parameters
    ----------
    symbol : (options,) int
        What is counted of each option, below `n`.
    """
    shape = (pattern.n_subjects, pattern.n_units)
    voted = sparse.csr_array((np.ones(len(pattern.unit)), (pattern.subject, pattern.unit)), shape)
    cells = (pattern.unit_of_option, symbol)
    share = sparse.csr_array((pattern.shares, cells), shape=(pattern.n_units, n))
    spread = share.copy()
    spread.data = spread.data * (1.0 - spread.data)
    expected, variance = ((voted @ each).toarray().ravel() for each in (share, spread))
    precision = divide(1.0, np.where(variance > _SMALLEST, variance, 0.0))

    def of(draw: Options) -> float:
        cell = pattern.subject * n + symbol[draw]
        beyond = np.bincount(cell, minlength=len(expected)) - expected
        return float((beyond**2 * precision).sum())

    return lambda draws: np.array([of(draw) for draw in draws])


@dataclass(frozen=True, slots=True, eq=False)
class StructureTests:
    """Tests of structure by permutations, and what kind it is by conditional draws.

    Parameters
    ----------
    observed, p, p_adjusted : (statistics,) float
        In the order of `STATISTICS`.
    beyond_chance : float
        Sum over pairs of squared agreements beyond chance, less their variance.
    shares : (3,) float
        Of `pairs` beyond chance: what goes with counts of values; with siding with the majority;
        and the rest. NaN without conditional draws.
    p_levels : (2,) float
        That more than what is held fixed at levels 1 and 2 is there.
    near : (s, s) bool
        Pairs of `subjects` that agree more than the most similar pair does by chance, and at level
        2.
    subjects : (s,) int
        Whose pairs were looked at.
    """

    observed: Floats
    p: Floats
    p_adjusted: Floats
    beyond_chance: float
    shares: Floats
    p_levels: Floats
    near: Bools
    subjects: Ints


def structure_tests(
    pattern: VotePattern,
    n_permutations: int,
    n_draws: int,
    level: float,
    rng: np.random.Generator,
    *,
    also: Callable[[Options], object] | None = None,
    progress: Callable[[float], object] | None = None,
) -> StructureTests:
    """Test whether it matters who gave which vote.

    Conditional draws follow only if that is shown.

    Parameters
    ----------
    also : callable, optional
        Given each block of permutations.
    """
    pairs = PairsOfSubjects.of(pattern)
    parts = [statistics(pairs, pattern.option[None])]
    size = max(1, _CELLS // max(1, 4 * len(pattern.unit)))  # draws that fit into the cache
    for done in range(0, n_permutations, size):
        draws = permuted(pattern, min(size, n_permutations - done), rng)
        parts.append(statistics(pairs, draws))
        if also is not None:
            also(draws)
        if progress is not None:
            progress(_PERMUTING * (done + len(draws)) / n_permutations)
    table = {name: np.concatenate([part[name] for part in parts]) for name in STATISTICS}
    values = np.array([*table.values()])
    observed, null = values[:, 0], values[:, 1:]
    p, adjusted = p_values(observed, null), min_p(observed, null)
    excess = pairs.excess(pattern.option[None])
    z = pairs.standardised(excess)[0]
    shares, p_levels, near = np.full(3, np.nan), np.full(2, np.nan), np.zeros(z.shape, bool)
    if n_draws and significant(adjusted, level).any():
        own, by_chance = table["pairs"][:1], table["pairs"][1:]
        means, copies = [by_chance.mean()], [_quantile(table["copies"][1:], level)]
        for at, given in enumerate(get_args(Level)):
            draws = conditional_draws(pattern, n_draws, given, rng)
            if progress is not None:
                progress(_PERMUTING + (1 - _PERMUTING) * (at + 1) / 2)
            found = statistics(pairs, draws, ("pairs", "copies"))
            p_levels[at] = p_values(own, found["pairs"][None])[0]
            means.append(found["pairs"].mean())
            copies.append(_quantile(found["copies"], level))
        if significant(p_values(own, by_chance[None])[0], level):  # else pairs vary as by chance
            steps = np.diff([*means, own[0]])
            shares = np.clip(steps / max(own[0] - means[0], _SMALLEST), 0.0, 1.0)
        if (n_draws + 1) * (1.0 - level) >= 1.0:  # enough draws to say so
            near = z > max(copies[0], copies[2])
    return StructureTests(
        observed,
        p,
        adjusted,
        float((excess**2).sum() - pairs.variance.sum()),
        shares,
        p_levels,
        near,
        pairs.subjects,
    )


def _quantile(values: Floats, level: float) -> float:
    return float(np.quantile(values, level, method="higher"))


def enough_rounds(pattern: VotePattern) -> int:
    """Rounds of trades after which the mean of `pairs` no longer moved, on real data.

    Twice the number of subjects is not enough for few people and many values: there each trade
    has few units to exchange.
    """
    used = len(np.unique(pattern.value))
    return max(2 * min(pattern.n_subjects, MOST_SUBJECTS), 20 * min(used, 25))


def conditional_draws(
    pattern: VotePattern,
    n_draws: int,
    level: Level,
    rng: np.random.Generator,
    *,
    progress: Callable[[float], object] | None = None,
) -> Options:
    """Draws that keep each subject's count of every value: (draws, votes) options.

    Given a random schedule of rounds, all chains walk it forwards from one state, which the votes
    reach by walking it backwards: then votes and draws are exchangeable under the hypothesis.

    Parameters
    ----------
    level : {1, 2}
        2: kept apart for votes with and without the unit's majority.
    """
    n_rounds = enough_rounds(pattern)
    symbol = pattern.value if level == 1 else 2 * pattern.value + pattern.modes
    schedule = [_shared_votes(pattern, rng) for _ in range(n_rounds)]
    state = pattern.option[None].copy()
    for first, second in reversed(schedule):
        _trade(state, first, second, pattern, symbol, rng)
    draws = np.repeat(state, n_draws, axis=0)
    for done, (first, second) in enumerate(schedule, start=1):
        _trade(draws, first, second, pattern, symbol, rng)
        if progress is not None:
            progress(done / n_rounds)
    return draws


def _shared_votes(pattern: VotePattern, rng: np.random.Generator) -> tuple[Ints, Ints]:
    """Votes of disjoint random pairs of subjects on units that both voted on: (shared,) each."""
    partner = _partners(pattern, rng)[pattern.subject]
    first = np.flatnonzero(partner > pattern.subject)
    wanted = pattern.unit[first] * pattern.n_subjects + partner[first]
    place = np.minimum(np.searchsorted(pattern.keys, wanted), len(pattern.keys) - 1)
    both = pattern.keys[place] == wanted
    return first[both], place[both]


def _partners(pattern: VotePattern, rng: np.random.Generator) -> Ints:
    """(subjects,) the other of a random pair; -1: none."""
    n = pattern.n_subjects
    if len(pattern.unit) >= _SPARSE * n * pattern.n_units:
        order, alike = rng.permutation(n), np.ones(n - 1, bool)
    else:  # two random subjects hardly share a unit: pair those who do
        votes = rng.permutation(len(pattern.unit))
        subject, chosen = np.unique(pattern.subject[votes], return_index=True)
        unit = pattern.unit[votes[chosen]]
        by_unit = np.lexsort((rng.random(len(unit)), unit))
        order, alike = subject[by_unit], ~begins(unit[by_unit])[1:]
    start = np.append(True, ~alike)  # of those who may be paired with each other
    place = np.arange(len(order)) - np.flatnonzero(start)[np.cumsum(start) - 1]
    left = np.flatnonzero(alike & (place[:-1] % 2 == 0))
    partner = np.full(n, -1)
    partner[order[left]], partner[order[left + 1]] = order[left + 1], order[left]
    return partner


def _trade(
    draws: Options,
    first: Ints,
    second: Ints,
    pattern: VotePattern,
    symbol: Ints,
    rng: np.random.Generator,
) -> None:
    """Exchange votes between the subjects of each pair, in place.

    Of the units on which two subjects gave the values a and b, or b and a, as many as before are
    drawn at random where the first gives b.

    Parameters
    ----------
    draws : (draws, votes) int
    first, second : (shared,) int
        Votes of both subjects of a pair on the same unit.
    symbol : (options,) int
        Options with the same number are alike.
    """
    size = max(1, _CACHED // max(1, len(first)))
    for begin in range(0, len(draws), size):
        some = draws[begin : begin + size]
        x, y = some[:, first], some[:, second]
        draw, at = np.nonzero(x != y)
        if not len(draw):
            continue
        low, high = np.minimum(x, y)[draw, at], np.maximum(x, y)[draw, at]
        n, above = int(symbol.max()) + 1, (x > y)[draw, at]
        group = (draw * pattern.n_subjects + pattern.subject[first[at]]) * n**2
        group += symbol[low] * n + symbol[high]
        above = _shuffled_within(group, above, rng)
        some[draw, first[at]] = np.where(above, high, low)
        some[draw, second[at]] = np.where(above, low, high)


def _shuffled_within(group: Ints, flag: Bools, rng: np.random.Generator) -> Bools:
    """Flags of each group in random order, by one sort of group, random bits and place."""
    places = len(group).bit_length()
    if int(group.max()).bit_length() + places > 63 - _RANDOM_BITS:
        group = np.unique(group, return_inverse=True)[1]
    random = 63 - places - int(group.max()).bit_length()
    keys = rng.integers(1 << random, size=len(group)) << places
    keys |= group << (places + random)
    keys |= np.arange(len(group))
    keys.sort()
    place = keys & ((1 << places) - 1)
    start = np.flatnonzero(begins(keys >> (places + random)))
    sizes = np.diff(np.append(start, len(group)))
    flagged = np.repeat(start + np.add.reduceat(flag[place], start, dtype=np.int64), sizes)
    shuffled = np.empty_like(flag)
    shuffled[place] = np.arange(len(group)) < flagged
    return shuffled


def p_values(observed: Floats, draws: Floats) -> Floats:
    """Share of draws at least as large, the observed among them.

    Parameters
    ----------
    observed : (statistics,) float
    draws : (statistics, draws) float

    References
    ----------
    Phipson & Smyth 2010.
    """
    least = observed - _TOLERANCE * np.maximum(1.0, np.abs(observed))
    p = (1.0 + (~(draws < least[:, None])).sum(1)) / (draws.shape[1] + 1.0)  # NaN counts as large
    return np.where(np.isnan(observed), np.nan, p)


def min_p(observed: Floats, draws: Floats) -> Floats:
    """P-values adjusted for several statistics of the same draws: (statistics,).

    The smallest is that of all together.

    References
    ----------
    Westfall & Young 1993.
    """
    all_of = np.column_stack([observed, draws])
    all_of = np.round(all_of / np.maximum(np.abs(observed[:, None]), 1.0), 9)
    ordered = np.sort(all_of, axis=1)
    at_least = [len(o) - np.searchsorted(o, x) for o, x in zip(ordered, all_of, strict=True)]
    p = np.array(at_least) / all_of.shape[1]  # (statistics, draws + 1)
    return cast("Floats", (p.min(0) <= p[:, :1] + _SMALLEST).mean(1))
