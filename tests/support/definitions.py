"""Hold measures to their definitions: values, ties, bounds, and closed forms over worlds."""

import itertools
import math
import random
from collections.abc import Sequence

import numpy as np
import pytest

from fuzzytruth.core.arithmetic import offsets_of
from fuzzytruth.measures import Measure
from fuzzytruth.measures.guards import checked_distribution, checked_moments, scored
from fuzzytruth.truth.inputs import GradeProbabilities, ItemProbabilities, UnjudgedItems
from support.brute_force import TOP_GRADE, expected_score, orders, score
from support.building import Query, batch_of, query

GRADES = (-1.0, 0.0, 0.0, 0.5, 1.0, 1.0, 2.0, 3.0)


def random_query(rng: random.Random, worlds: int, *, tied: bool) -> Query:
    """A list of at most 8 items, some unjudged, and up to 4 judged items that it missed."""

    def grades() -> tuple[float, ...]:
        return tuple(rng.choice(GRADES) for _ in range(worlds))

    listed = [None if rng.random() < 0.3 else grades() for _ in range(rng.randrange(9))]
    ties: list[int] | None = None
    if tied:
        ties, left = [], len(listed)
        while left:
            ties.append(rng.randint(1, min(left, 4)))
            left -= ties[-1]
    return query(listed, [grades() for _ in range(rng.randrange(5))], ties)


def check(measure: Measure, queries: list[Query], worlds: int) -> None:
    """Hold the kernel against the definition, query by query and world by world."""
    batch = batch_of(*queries)
    for array in (batch.length, batch.first, batch.last, batch.gain, batch.levels.count):
        array.flags.writeable = False
    values = scored(measure, batch)
    expected = [[expected_score(measure, q, w) for q in queries] for w in range(worlds)]
    assert values.dtype == np.float64
    np.testing.assert_allclose(values, expected, rtol=1e-12, atol=1e-12, err_msg=str(measure))
    low, high = measure.range
    assert (values >= low).all()
    assert (values <= high + 1e-12).all()


def check_bounds(measure: Measure, rng: random.Random) -> None:
    """Hold bounds against all grades of at most two items that nobody judged."""
    top = getattr(measure, "gmax", None) or TOP_GRADE
    scale = sorted({top, *(grade for grade in GRADES if grade >= 0)})
    queries, outside = [], []
    while len(queries) < 25:
        listed = rng.choices([None, *scale], k=rng.randrange(1, 7))
        if listed.count(None) <= 2:
            queries.append(query(listed, rng.choices(scale, k=rng.randrange(3))))
            outside.append(rng.randrange(3 - listed.count(None)))
    ends = measure.bounds(unjudged_items(queries, outside))
    if ends is None:
        return
    for low, high, q, n in zip(*map(np.ravel, ends), queries, outside, strict=True):
        ranked, missed = [g and g[0] for g in q.ranked], [g[0] for g in q.missed]
        values = []
        for new in itertools.product(scale, repeat=ranked.count(None) + n):
            each = iter(new)
            judged = [next(each) if g is None else g for g in ranked]
            values.append(score(measure, judged, [*missed, *each]))
        ways = min(values), max(values)
        np.testing.assert_allclose((low, high), ways, atol=1e-12, err_msg=f"{measure}, {q}, {n}")


def unjudged_items(queries: Sequence[Query], outside: Sequence[int]) -> UnjudgedItems:
    width = max(len(q.ranked) for q in queries)
    padded = [[*q.ranked, *[(math.nan,)] * (width - len(q.ranked))] for q in queries]
    judged = [[g[0] for g in (*q.ranked, *q.missed) if g] for q in queries]
    return UnjudgedItems(
        np.array([[g[0] if g else math.nan for g in ranked] for ranked in padded])[None],
        np.array([[g is None for g in ranked] for ranked in padded])[None],
        np.array(outside)[None],
        np.array([len(q.ranked) for q in queries]),
        np.array(list(itertools.chain(*judged)))[None],
        offsets_of(np.array([len(grades) for grades in judged])),
        float(TOP_GRADE),
    )


#: rank -> probability to be relevant, and the probabilities of items that are not retrieved
UNCERTAIN = [
    ({1: 0.5, 3: 0.25, 4: 1.0}, [0.75, 0.1]),
    ({2: 0.3}, []),
    ({}, [0.6]),
    ({1: 0.0, 2: 0.9, 5: 0.4}, [0.2]),
]
LENGTH = 6
TIES = ((2, 3, 1), (1, 4, 1))


def grade_or_0(chances: list[list[float]], grade: float) -> GradeProbabilities:
    p = np.array([x for part in chances for x in part])
    offsets = offsets_of(np.array([len(part) for part in chances]))
    return GradeProbabilities(offsets, np.tile([[0.0], [grade]], (1, len(p))), np.stack((1 - p, p)))


def probabilities(grade: float = 1.0, ties: Sequence[int] | None = None) -> ItemProbabilities:
    """Each item of the queries has the grade or 0; `ties` are sizes of groups of tied items."""
    rank = np.array([r for ranked, _ in UNCERTAIN for r in ranked], dtype=int)
    ends = np.cumsum(ties or [1] * LENGTH)
    group = np.searchsorted(ends, rank)
    return ItemProbabilities(
        np.full(len(UNCERTAIN), LENGTH),
        np.append(0, ends)[group] + 1,
        grade_or_0([list(ranked.values()) for ranked, _ in UNCERTAIN], grade),
        grade_or_0([missed for _, missed in UNCERTAIN], grade),
        np.arange(len(rank)),
        float(TOP_GRADE),
        last=None if ties is None else ends[group],
    )


def in_every_world(
    measure: Measure,
    ranked: dict[int, float],
    missed: list[float],
    grade: float = 1.0,
    ties: Sequence[int] = (1,) * LENGTH,
) -> tuple[np.ndarray, np.ndarray]:
    """The measure's value in every world of a query, and the world's probability.

    Of tied items, the mean over all orders.
    """
    p = np.array([*ranked.values(), *missed])
    values, chances = [], []
    for drawn in itertools.product((0.0, grade), repeat=len(p)):
        at = dict(zip(ranked, drawn, strict=False))
        listed = [at.get(r) for r in range(1, LENGTH + 1)]
        of_orders = [score(measure, o, drawn[len(ranked) :]) for o in orders(listed, ties)]
        values.append(np.mean(of_orders))
        chances.append(np.where(np.array(drawn) > 0, p, 1 - p).prod())
    return np.array(values), np.array(chances)


def check_closed_forms(measure: Measure, grade: float, ties: Sequence[int] = (1,) * LENGTH) -> None:
    """Moments, also given some relevant item, and distributions, against all worlds and orders."""
    given = probabilities(grade, None if max(ties) == 1 else ties)
    possible = not measure.judged_only and grade >= (measure.threshold or 0)
    for some in (False, True) if possible else (False,):
        moments = measure.defined_moments(given) if some else checked_moments(measure, given)
        if moments is None:
            continue
        for j, (ranked, missed) in enumerate(UNCERTAIN):
            values, chance = in_every_world(measure, ranked, missed, grade, ties)
            if some:  # leave out the world of no relevant item
                chance[0] -= np.prod([1 - p for p in (*ranked.values(), *missed)])
                chance /= chance.sum()
            mean = values @ chance
            assert moments[0][j] == pytest.approx(mean, abs=1e-12), (measure, j)
            if moments[1] is not None:
                spread = (values - mean) ** 2 @ chance
                assert moments[1][j] == pytest.approx(spread, abs=1e-12), (measure, j)
    for j, uncertain in enumerate(UNCERTAIN):
        atoms = checked_distribution(measure, given.of_query(j))
        values, chance = in_every_world(measure, *uncertain, grade, ties)
        for x in np.unique(values.round(9)) if atoms is not None else ():
            expected = chance[np.abs(values - x) < 1e-8].sum()
            assert atoms[1][np.abs(atoms[0] - x) < 1e-8].sum() == pytest.approx(expected, abs=1e-12)


def hold_to_definition(measure: Measure) -> None:
    """One and three worlds of random lists and of empty ones; all orders of ties; all worlds."""
    rng = random.Random(7)
    for worlds in (1, 3):
        queries = [random_query(rng, worlds, tied=False) for _ in range(45)]
        check(measure, [*queries, query([]), query([None] * 2), query([], [(1,) * worlds])], worlds)
        if measure.expects_ties:
            check(measure, [random_query(rng, worlds, tied=True) for _ in range(8)], worlds)
    if not measure.judged_only:
        check_bounds(measure, rng)
    for grade in (1.0, 2.0):
        check_closed_forms(measure, grade)
    for ties in TIES if measure.exact_for_ties and not measure.judged_only else ():
        check_closed_forms(measure, 1.0, ties)
    assert scored(measure, batch_of()).shape[-1] == 0
    if measure.needs_relevant and measure.threshold != 0:
        assert scored(measure, batch_of(query([0, None, -1], [0]))).item() == measure.empty
