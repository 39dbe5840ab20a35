"""What measures are given of intents: the same in both layouts."""

import numpy as np
import pytest

from fuzzytruth.truth.intents import IntentHits, Intents, IntentTable, IntentWorlds, _parts

#: q1: items 0, 1 and intents 0, 1; q2: item 2, intent 2, and item 3 without any
TABLE = IntentTable(
    offsets=np.array([0, 2, 4]),
    intents=np.array([0, 2, 3]),
    item=np.array([0, 0, 1, 2]),
    intent=np.array([0, 1, 1, 2]),
    grade=np.array([[1.0, 0.0], [np.nan, 2.0], [1.0, np.nan], [3.0, 0.0]]),
)
OPTION = np.array([[0, 1, 1], [0, 0, 1], [0, 1, 0], [0, 0, 0]], dtype=np.uint8)
RANK = np.array([2, 1, 3, 0])


def intents(*, many: bool) -> Intents:
    hits = IntentHits.of(TABLE, RANK, many=many)
    return Intents(IntentWorlds(TABLE, OPTION), hits, (3, 2))


@pytest.mark.parametrize("many", [False, True])
def test_values(many: bool) -> None:
    given = intents(many=many)
    assert given.n_intents(1.0).tolist() == [[2, 1], [1, 0], [1, 1]]
    assert given.n_hits(1.0, None).tolist() == [[2, 1], [2, 0], [1, 1]]
    assert given.n_hits(1.0, 1).tolist() == [[1, 0], [1, 0], [0, 0]]
    assert given.n_covered(1.0, None).tolist() == [[2, 1], [1, 0], [1, 1]]
    discount = np.array([0.0, 1.0, 0.5])
    assert given.gain(1.0, 0.25, discount).tolist() == [[1.5, 0], [1.125, 0], [0.5, 0]]
    assert given.ideal_gain(1.0, 0.25, discount).tolist() == [[1.5, 1], [1.125, 0], [1, 1]]
    third = pytest.approx(1 / 3)
    assert given.mean_average_precision(1.0).tolist() == [[0.75, third], [1, 0], [0.5, third]]
    assert (given.longest(), given.most()) == (3, 2)


def test_lists_whose_ranks_differ_by_world() -> None:
    """Each world and query has the values that it would have alone."""
    ranks = np.array([[1, 2, 1], [1, 3, 3], [2, 3, 2]])  # of item 1, item 0 (q1) and item 2 (q2)
    whole = intents(many=True).reranked(np.array([0, 0, 1]), np.array([1, 2, 3]), ranks)
    of_worlds = [
        Intents(
            IntentWorlds(TABLE, OPTION[:, [w]]),
            IntentHits.of(TABLE, np.array([second, first, third, 0]), many=False),
            (1, 2),
        )
        for w, (first, second, third) in enumerate(ranks)
    ]
    discount = np.array([0.0, 1.0, 0.5])
    values = (
        lambda one: one.mean_average_precision(1.0),
        lambda one: one.n_hits(1.0, 1),
        lambda one: one.n_covered(1.0, 2),
        lambda one: one.gain(1.0, 0.25, discount),
    )
    for value in values:
        expected = np.concatenate([value(one) for one in of_worlds], axis=1)
        np.testing.assert_allclose(value(whole), expected, rtol=1e-14)


@pytest.mark.parametrize("many", [False, True])
def test_lists_with_other_ranks(many: bool) -> None:
    hits = np.array([2, 3, 1])  # of item 2, item 0 and item 1, in any order
    query, first = np.array([1, 0, 0]), np.array([3, 2, 1])
    moved = intents(many=many).reranked(query, first, hits)
    there = IntentHits.of(TABLE, np.array([3, 1, 2, 0]), many=many)
    expected = Intents(IntentWorlds(TABLE, OPTION), there, (3, 2))
    assert moved.mean_average_precision(1.0).tolist() == (
        expected.mean_average_precision(1.0).tolist()
    )
    assert moved.n_hits(1.0, 2).tolist() == expected.n_hits(1.0, 2).tolist()


def test_more_worlds_than_a_part_has_places_for() -> None:
    assert _parts(np.array([2, 4, 5]), 0) == [(0, 1), (1, 2), (2, 3)]
    assert _parts(np.array([2, 4, 5]), 4) == [(0, 2), (2, 3)]
