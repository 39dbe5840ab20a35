"""Options and checks that WD and `displacement` share."""

from __future__ import annotations

import numpy as np
import pytest

from fuzzytruth.errors import DataError, OptionError
from fuzzytruth.measures.weighted_displacement import DisplacementRules, GivenLists

ITEMS = "abcde"


def lists(relevance, position=None) -> GivenLists:
    return GivenLists(
        np.array([0, 3, 5]),
        np.array(relevance),
        None if position is None else np.array(position, dtype=float),
        lambda j: f"list {j}",
        ITEMS.__getitem__,
    )


GOOD = lists([1.0, 0.5, 0.5, 0.25, 0.0])
RANK, LENGTH = np.array([2, 0, 1, 0, 0]), np.array([4, 1])


def test_ties_and_order() -> None:
    arranged = DisplacementRules().arrange(GOOD)
    assert arranged.ranked.first.tolist() == [1, 2, 2, 1, 2]
    assert arranged.ranked.last.tolist() == [1, 3, 3, 1, 2]
    by_place = lists([1.0, 0.5, 0.5, 0.25, 0.5], [1, 2, 3, 1, 2])
    with pytest.raises(DataError, match=r"list 1: relevance rises from 0.25 of item .d. to 0.5 of"):
        DisplacementRules().arrange(by_place)
    arranged = DisplacementRules(order="sort").arrange(by_place)
    assert arranged.rows.tolist() == [0, 1, 2, 4, 3]
    assert arranged.ranked.first.tolist() == [1, 2, 3, 1, 2]
    arranged = DisplacementRules(order="sort", ties="interval").arrange(by_place)
    assert arranged.ranked.last.tolist() == [1, 3, 3, 1, 2]


def test_values_by_hand() -> None:
    rules = DisplacementRules(unseen="pessimist", N=10)
    displaced = rules.displace(rules.arrange(GOOD), RANK, LENGTH)
    assert displaced.displacements().tolist() == [1, 10, 1, 10, 10]
    assert displaced.assumed_ranks().tolist() == [2, 0, 1, 0, 0]
    assert displaced.largest().tolist() == [20, 2.5]
    displaced = DisplacementRules().displace(rules.arrange(GOOD), RANK, LENGTH)
    assert displaced.assumed_ranks().tolist() == [2, 5, 1, 2, 3]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"unseen": "best"}, "unseen='best': must be one of 'optimist'"),
        ({"ties": "none"}, "ties='none': must be one of None, 'interval', 'position'"),
        ({"order": "keep"}, "order='keep': must be one of 'error', 'sort'"),
        ({"normalised": 3}, "normalised=3: must be one of True, False"),
        ({"N": 0}, "N=0: the size of the collection must be a whole number from 1"),
        ({"N": True}, "N=True: the size"),
    ],
)
def test_bad_options(options, message) -> None:
    with pytest.raises(OptionError, match=message):
        DisplacementRules(**options)


def test_what_lists_lack() -> None:
    with pytest.raises(OptionError, match="unseen='worst': needs N"):
        DisplacementRules(unseen="worst").require_size()
    DisplacementRules().require_size()
    with pytest.raises(OptionError, match="ties='position': these lists have no positions"):
        DisplacementRules(ties="position").arrange(GOOD)
    with pytest.raises(DataError, match=r"list 1, item 'd': relevance 1.5 is outside \[0, 1\]"):
        DisplacementRules().arrange(lists([1.0, 0.5, 0.5, 1.5, 0.0]))
    rules = DisplacementRules(unseen="worst", N=4)
    with pytest.raises(DataError, match="list 0: N=4: the system lists 4 items and the subject 1 "):
        rules.displace(rules.arrange(GOOD), RANK, LENGTH)
    rules = DisplacementRules(unseen="incremental")
    with pytest.raises(DataError, match=r"list 0: .* without 1 of .* such as 'b' .2 such"):
        rules.displace(rules.arrange(GOOD), RANK, LENGTH)
