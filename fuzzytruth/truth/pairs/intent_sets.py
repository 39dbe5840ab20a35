"""Judgments by intent: the distinct sets of grades by intent that subjects gave to items.

A subject's judgments of an item for all intents are one vote, and a world takes the whole of it. A
measure that does not know intents sees the largest grade of the set.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import U64, Array, Floats, Ints
from fuzzytruth.core.arithmetic import offsets_of, ragged, segment_of
from fuzzytruth.core.checksums import CERTAIN, thresholds, world_bits
from fuzzytruth.core.layouts import Diagonals
from fuzzytruth.data.grading import codes_of, groups_of, groups_of_codes
from fuzzytruth.data.judgments import Judgments
from fuzzytruth.errors import DataError
from fuzzytruth.io.ids import encode, take
from fuzzytruth.truth.intents import IntentHits, IntentTable, IntentWorlds

if TYPE_CHECKING:
    from fuzzytruth.truth.pairs.placement import Placement
    from fuzzytruth.truth.pairs.pool import PairVotes


@dataclass(frozen=True, slots=True, eq=False)
class IntentSets:
    """Distinct sets of grades by intent, in ascending order of their largest grades.

    Parameters
    ----------
    intents : (queries + 1,) int
        Where the intents of each query start.
    offsets : (sets + 1,) int
        Where each set starts in the arrays below.
    intent : (entries,) int
        Ascending within a set.
    grade : (entries,) float
    largest : (sets,) float
        Largest grade of each set.
    empty : int
        The set without any intent, of grade 0.
    """

    intents: Ints
    offsets: Ints
    intent: Ints
    grade: Floats
    largest: Floats
    empty: int

    def entries(self, sets: Ints) -> tuple[Ints, Ints, Floats]:
        """Index into `sets`, intent and grade of each entry of some sets."""
        owner, entry = ragged(self.offsets, sets)
        return owner, self.intent[entry], self.grade[entry]


def merged_intents(truth: Judgments) -> tuple[Judgments, IntentSets, Ints]:
    """One judgment for each query, item, subject and repeat, of the largest grade over intents.

    Returns
    -------
    truth : Judgments
        Without intents; of several rows with the largest grade, the first.
    sets : IntentSets
    kind : (rows,) int
        The set that each row stands for.

    Raises
    ------
    DataError
        The judgments are probabilities or counts, which intents do not share.
    """
    _check_votes(truth)
    ids = (truth.query, truth.item, truth.subject, truth.repeat)
    group = _by_appearance(groups_of([column for column in ids if column is not None]))
    intents, intent = _intents(truth)
    order = np.lexsort((intent, group))
    size = np.bincount(group)
    sets, kind = _distinct(intents, intent[order], truth.grade[order], size)
    rows = np.lexsort((-truth.grade, group))[offsets_of(size)[:-1]]
    merged = Judgments(
        take(truth.query, rows),
        take(truth.item, rows),
        truth.grade[rows],
        None if truth.subject is None else take(truth.subject, rows),
        None if truth.position is None else truth.position[rows],
        truth.design,
        repeat=None if truth.repeat is None else take(truth.repeat, rows),
    )
    return merged, sets, kind


def _check_votes(truth: Judgments) -> None:
    for name, column in (("probabilities", truth.probability), ("counts", truth.count)):
        if column is not None:
            raise DataError(
                f"truth: these judgments have intents and {name}; how probable an item is for "
                "any intent is not known from those of each, so leave one of the columns out"
            )


def _by_appearance(group: Ints) -> Ints:
    """The same groups, numbered in the order of their first rows."""
    first = np.unique(group, return_index=True)[1]
    number = np.empty_like(first)
    number[np.argsort(first)] = np.arange(len(first))
    return number[group]


def _intents(truth: Judgments) -> tuple[Ints, Ints]:
    """Where the intents of each query start, and the intent of each row.

    Queries in order of appearance, the intents of each by their names, so that sums over them do
    not depend on the order of the rows.
    """
    query, _ = encode(truth.query)
    code, names = encode(truth.intent)
    by_name = codes_of(np.array(names.to_pylist(), dtype=object))
    n_names = len(by_name)
    known, intent = np.unique(query.astype(np.int64) * n_names + by_name[code], return_inverse=True)
    return offsets_of(np.bincount(known // n_names)), intent.reshape(-1)


def _distinct(intents: Ints, intent: Ints, grade: Floats, size: Ints) -> tuple[IntentSets, Ints]:
    """Distinct sets among those of the given sizes, which lie end to end; the set of each."""
    size = np.append(size, 0)  # the empty set
    offsets = offsets_of(size)
    filled = np.flatnonzero(size)
    largest = np.zeros(len(size))
    largest[filled] = np.maximum.reduceat(grade, offsets[filled])
    entry = groups_of_codes([intent, codes_of(grade)]) + 1
    kind = codes_of(largest)
    for place in range(int(size.max())):  # sets that agree so far stay together
        has = np.flatnonzero(size > place)
        at_place = np.zeros(len(size), dtype=np.int64)
        at_place[has] = entry[offsets[has] + place]
        kind = codes_of(kind * (int(at_place.max(initial=0)) + 1) + at_place)
    first = np.unique(kind, return_index=True)[1]
    _, at = ragged(offsets, first)
    sets = IntentSets(
        intents, offsets_of(size[first]), intent[at], grade[at], largest[first], int(kind[-1])
    )
    return sets, kind[:-1]


# The distinct grades of each item as steps upwards, and drawing one grade for each item.


@dataclass(frozen=True, eq=False)
class GradeSteps:
    """The distinct grades each item may have, as steps upwards from the lowest.

    Parameters
    ----------
    base : (items,) float
        Lowest grade.
    level : (steps, items) float
        The grade reached by each step; infinite where an item has no more grades.
    """

    base: Floats
    level: Floats

    @cached_property
    def scale(self) -> Floats:
        """Distinct grades of all items, ascending."""
        return np.unique(np.concatenate((self.base, self.level[np.isfinite(self.level)])))

    @cached_property
    def codes(self) -> tuple[Array, Array]:
        """Place of the lowest grade in `scale`, and how many places each step goes upwards.

        (items,) and (steps, items), in the smallest type that holds one place more.
        """
        kind = np.min_scalar_type(len(self.scale))
        place = np.searchsorted(self.scale, np.concatenate((self.base[None, :], self.level)))
        rise = np.where(np.isfinite(self.level), np.diff(place, axis=0), 0)
        return place[0].astype(kind), rise.astype(kind)

    @property
    def largest_code(self) -> Array:
        """Place of the highest grade in `scale`: (items,)."""
        base, rise = self.codes
        return np.asarray(base + rise.sum(axis=0, dtype=base.dtype))


def grade_steps(votes: PairVotes) -> GradeSteps:
    """Sort the distinct grades of each item."""
    n_items = len(votes.offsets) - 1
    possible = votes.chance > 0
    pair, grade = votes.pair[possible], votes.grade[possible]
    order = np.lexsort((grade, pair))
    pair, grade = pair[order], grade[order]
    lowest = np.ones(len(pair), dtype=bool)
    lowest[1:] = pair[1:] != pair[:-1]
    rises = ~lowest
    rises[1:] &= grade[1:] > grade[:-1]
    # Which step upwards each new grade of an item is.
    number = np.cumsum(rises)
    nth = number - number[np.flatnonzero(lowest)][np.cumsum(lowest) - 1]
    level = np.full((int(nth.max(initial=0)), n_items), np.inf)
    at = np.flatnonzero(rises)
    level[nth[at] - 1, pair[at]] = grade[at]
    return GradeSteps(grade[lowest], level)


def draw_codes(
    steps: GradeSteps, tail: Floats, keys: U64, streams: U64, worlds: slice, order: Ints
) -> Array:
    """Draw one grade for each item in each world: (items, outer · worlds), as places in the scale.

    Parameters
    ----------
    steps : GradeSteps
    tail : (outer, steps, items) float
        Probability that an item's grade reaches each step.
    keys : (items,) uint64
    streams : (outer,) uint64
        Where the counters of each outer world start.
    worlds : slice
        Which worlds of each outer world, from an even number on.
    order : (items,) int
        The items in the order of the rows of the result.
    """
    n = worlds.stop - worlds.start
    tail = tail[:, :, order]
    base, rise = (part[..., order] for part in steps.codes)
    certain = base + (rise * (tail >= 1)).sum(axis=1, dtype=base.dtype)  # (outer, items)
    out = np.repeat(certain.T, n, axis=1)
    is_open = ((tail > 0) & (tail < 1)).any(axis=(0, 1))
    at = np.flatnonzero(is_open)
    if not len(at):
        return out
    unit = thresholds(tail[..., at])
    capped = bool((unit == CERTAIN).any())
    base, rise, unit = base[at], rise[:, at], unit.transpose(2, 1, 0)
    for rows, bits in world_bits(keys[order[at]], streams, worlds):
        if capped:  # the largest number is never drawn, so that chance 1 is certainty
            bits = np.minimum(bits, np.uint32(CERTAIN - 1))
        out[at[rows]] = _raised(base[rows], rise[:, rows], unit[rows], bits)
    return out


def _raised(base: Array, rise: Array, unit: NDArray[np.uint32], bits: NDArray[np.uint32]) -> Array:
    """Random bits as places in the scale: (items, outer · worlds).

    Parameters
    ----------
    base : (items,) int
    rise : (steps, items) int
    unit : (items, steps, outer) uint32
        Chance to reach each step.
    bits : (items, outer, worlds) uint32
    """
    out = np.empty(bits.shape, dtype=base.dtype)
    out[:] = base[:, None, None]
    for s, step in enumerate(rise):
        reached = (bits < unit[:, s, :, None]).view(np.uint8)
        if (step == 1).all():
            out += reached
        else:
            out += reached * step[:, None, None]
    return out.reshape(len(out), -1)


# Drawn worlds of judgments by intent: each item draws the whole set of one vote.


@dataclass(frozen=True, eq=False)
class BlockIntents:
    """The votes of a block by intent.

    The sets that a pair may have are its options, in ascending order: of two sets with different
    largest grades, the one with the larger grade is above the other. So the worlds are those that
    are drawn from the largest grades alone.

    Parameters
    ----------
    sets : IntentSets
    intents : (queries + 1,) int
        Where the intents of each query of the block start.
    steps : GradeSteps
        Of sets instead of grades.
    offsets : (queries + 1,) int
        Where the pairs of each query start.
    by_id : (pairs,) int
        The pairs of each query by descending ids of their items.
    """

    sets: IntentSets
    intents: Ints
    steps: GradeSteps
    offsets: Ints
    by_id: Ints

    @classmethod
    def of(
        cls, sets: IntentSets, intents: Ints, votes: PairVotes, offsets: Ints, place: Ints
    ) -> BlockIntents:
        """Those of the votes on some pairs, with the place of each pair's item by its id."""
        assert votes.kind is not None
        steps = grade_steps(replace(votes, grade=votes.kind.astype(np.float64)))
        return cls(sets, intents, steps, offsets, np.lexsort((place, segment_of(offsets))))

    @cached_property
    def options(self) -> Ints:
        """The set that each option of each pair is, -1 for none: (options, pairs)."""
        every = np.concatenate((self.steps.base[None, :], self.steps.level))
        return np.where(np.isfinite(every), every, -1).astype(np.int64)

    @cached_property
    def option_steps(self) -> GradeSteps:
        """The same steps, from each option to the next."""
        number = np.arange(1, len(self.options))[:, None]
        level = np.where(self.options[1:] >= 0, number, np.inf)
        return GradeSteps(np.zeros(self.options.shape[1]), level)

    def codes(self, option: Array, pair: Ints, grades: GradeSteps) -> Array:
        """Places of the largest grades of drawn options in the scale of `grades`.

        (rows, worlds) both; each row is of a pair.
        """
        place = np.searchsorted(grades.scale, self.sets.largest[self.options]).T[pair]
        return np.take_along_axis(place.astype(np.min_scalar_type(len(grades.scale))), option, 1)

    @cached_property
    def table(self) -> IntentTable:
        """The entries of all options, items being pairs in the order of `by_id`."""
        options = self.options[:, self.by_id]
        option, item = np.nonzero(options >= 0)
        owner, intent, grade = self.sets.entries(options[option, item])
        first, n = int(self.intents[0]), int(self.intents[-1] - self.intents[0])
        key = item[owner] * n + (intent - first)
        known, entry = np.unique(key, return_inverse=True)
        grades = np.full((len(known), len(options)), np.nan)
        grades[entry.reshape(-1), option[owner]] = grade
        item_of, intent_of = np.divmod(known, max(n, 1))
        return IntentTable(self.offsets, self.intents - first, item_of, intent_of, grades)

    def hits(self, placement: Placement) -> IntentHits:
        """The retrieved entries of one run."""
        rank = np.zeros(len(self.by_id), dtype=np.int64)
        rank[placement.entry] = placement.first
        return IntentHits.of(self.table, rank[self.by_id], many=True)

    def worlds(self, option: Array, layout: Diagonals) -> IntentWorlds:
        """Drawn options, (pairs, worlds), laid out as given."""
        return IntentWorlds(self.table, option[layout.place[self.by_id]])
