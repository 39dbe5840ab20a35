"""Each measure against its definition in plain loops, and ties against all their orders."""

from __future__ import annotations

import dataclasses
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.brute_force import expected_score
from support.building import Query, batch_of, query
from support.variants import VARIANTS

from fuzzytruth.measures import Measure, names, parse_measure, registry
from fuzzytruth.measures.guards import scored

MEASURES = [parse_measure(text) for text in VARIANTS]
TIED = [m for m in MEASURES if m.expects_ties]
GRADES = (-1.0, 0.0, 0.0, 0.5, 1.0, 1.0, 2.0, 3.0)


def random_query(rng: random.Random, worlds: int, *, tied: bool) -> Query:
    def grades() -> tuple[float, ...]:
        return tuple(rng.choice(GRADES) for _ in range(worlds))

    ranked = [None if rng.random() < 0.3 else grades() for _ in range(rng.randrange(9))]
    ties: list[int] | None = None
    if tied:
        ties, left = [], len(ranked)
        while left:
            ties.append(rng.randint(1, min(left, 4)))
            left -= ties[-1]
    return query(ranked, [grades() for _ in range(rng.randrange(5))], ties)


def check(measure: Measure, queries: list[Query], worlds: int) -> None:
    values = scored(measure, batch_of(*queries))
    expected = [[expected_score(measure, q, w) for q in queries] for w in range(worlds)]
    assert values.dtype == np.float64
    np.testing.assert_allclose(values, expected, rtol=1e-12, atol=1e-12, err_msg=str(measure))


def test_every_measure_of_the_library_is_tried() -> None:
    """Those that compare lists take no batch, and those of intents more; they have own tests."""
    classes = {n: registry.lookup(n)[0] for n in names()}
    own = {n for n, c in classes.items() if c.__module__.startswith("fuzzytruth.")}
    others = {n for n, c in classes.items() if c.compares_lists or c.needs_intents}
    assert own - others == {m.name for m in MEASURES}


@pytest.mark.parametrize("measure", MEASURES, ids=str)
def test_random_lists(measure: Measure) -> None:
    rng = random.Random(7)
    for worlds in (1, 3):
        queries = [random_query(rng, worlds, tied=False) for _ in range(60)]
        queries += [query([]), query([None, None]), query([], [(1.0,) * worlds])]
        check(measure, queries, worlds)


@pytest.mark.parametrize("measure", TIED, ids=str)
def test_expectation_over_ties_is_the_mean_over_orders(measure: Measure) -> None:
    rng = random.Random(11)
    for worlds in (1, 2):
        check(measure, [random_query(rng, worlds, tied=True) for _ in range(12)], worlds)


grade = st.sampled_from(sorted(set(GRADES)))
lists = st.builds(
    query, st.lists(st.one_of(st.none(), grade), max_size=8), st.lists(grade, max_size=4)
)


@settings(max_examples=150)
@given(st.lists(lists, min_size=1, max_size=4), st.sampled_from(MEASURES))
def test_any_lists(queries: list[Query], measure: Measure) -> None:
    check(measure, queries, 1)


@settings(max_examples=100)
@given(st.data())
def test_any_ties(data: st.DataObject) -> None:
    ranked = data.draw(st.lists(st.one_of(st.none(), grade), max_size=7))
    ties, left = [], len(ranked)
    while left:
        ties.append(data.draw(st.integers(1, min(left, 4))))
        left -= ties[-1]
    measure = data.draw(st.sampled_from(TIED))
    check(measure, [query(ranked, data.draw(st.lists(grade, max_size=3)), ties)], 1)


def test_one_large_tie() -> None:
    """Against sampled orders: 400 tied items, 12 of them relevant."""
    grades = [1.0] * 12 + [0.0] * 300 + [None] * 88
    rng = np.random.default_rng(3)
    batch = batch_of(query(grades, ties=[400]))
    places = np.sort(rng.permuted(np.tile(np.arange(400), (20_000, 1)), axis=1)[:, :12], axis=1)
    sampled = {
        "RR": 1 / (places[:, 0] + 1),
        "RR@50": np.where(places[:, 0] < 50, 1 / (places[:, 0] + 1), 0),
        "Success@50": places[:, 0] < 50,
        "AP": (np.arange(1, 13) / (places + 1)).mean(axis=1),
        "P@50": (places < 50).sum(axis=1) / 50,
    }
    for text, values in sampled.items():
        error = 5 * values.std() / np.sqrt(len(values))
        assert abs(parse_measure(text).score(batch).item() - values.mean()) < error, text


def test_a_tie_of_millions() -> None:
    """Keys of (first, size, count) no longer fit in 64 bits; the values are known anyway."""
    huge = 2_200_000
    small = batch_of(query([1.0], ties=[1]))
    batch = dataclasses.replace(small, length=np.array([huge]), last=np.array([huge]))
    harmonic_number = np.log(huge) + 0.5772156649015329 + 0.5 / huge
    for text, expected in {
        "RR": harmonic_number / huge,
        "AP": harmonic_number / huge,
        "Success@1000": 1000 / huge,
    }.items():
        assert parse_measure(text).score(batch).item() == pytest.approx(expected, rel=1e-9), text
