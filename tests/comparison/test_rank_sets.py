"""Rank sets, tiers and the systems among the best."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.comparison.inference import better_than, tiers

RNG = np.random.default_rng(0)
VALUES = RNG.normal(np.array([0.0, 0.05, 1.0, 1.05, 2.0])[:, None], 0.4, (5, 40))


def longest_chain_above(above: np.ndarray, system: int) -> int:
    """By trying all orders of the systems."""
    best = 0
    others = [other for other in range(len(above)) if other != system]
    for size in range(1, len(above)):
        for order in permutations(others, size):
            chain = (*order, system)
            if all(above[x, y] for x, y in pairwise(chain)):
                best = max(best, size)
    return best


@settings(max_examples=60, deadline=None)
@given(st.lists(st.booleans(), min_size=10, max_size=10))
def test_tiers_are_longest_chains(flags: list[bool]) -> None:
    above = np.zeros((5, 5), dtype=bool)
    above[np.triu_indices(5, 1)] = flags  # no cycles
    expected = [1 + longest_chain_above(above, system) for system in range(5)]
    assert tiers(above).tolist() == expected


def test_systems_of_a_cycle_share_a_tier() -> None:
    above = np.zeros((5, 5), dtype=bool)
    above[0, 1] = above[1, 2] = above[2, 3] = above[3, 1] = above[3, 4] = True
    assert tiers(above).tolist() == [1, 2, 2, 2, 3]
    assert tiers(np.zeros((3, 3), dtype=bool)).tolist() == [1, 1, 1]


def test_sets_count_significant_differences() -> None:
    result = ft.compare(scores_of(VALUES))
    frame, table = result.tiers(), result.to_frame(full=True)
    assert list(frame) == [
        *("measure", "system", "mean", "tier", "among_best", "rank_lower", "rank_upper")
    ]
    for row in frame.itertuples():
        won = lost = 0
        for pair in table[table["significant"]].itertuples():
            winner, loser = pair.system_a, pair.system_b
            if pair.difference < 0:
                winner, loser = loser, winner
            won, lost = won + (winner == row.system), lost + (loser == row.system)
        assert (row.rank_lower, row.rank_upper) == (1 + lost, 5 - won)
        assert row.among_best == (lost == 0)
    assert frame["tier"].tolist() == [1, 2, 2, 3, 3]
    assert frame["system"][0] == "sys4"
    assert frame["mean"].is_monotonic_decreasing


def test_lower_may_be_better() -> None:
    up = ft.compare(scores_of(VALUES)).tiers()
    down = ft.compare(scores_of(-VALUES, higher_is_better=(False,))).tiers()
    ranks = ["system", "tier", "among_best", "rank_lower", "rank_upper"]
    assert down[ranks].equals(up[ranks])
    assert down["mean"].is_monotonic_increasing


def test_who_is_above_whom() -> None:
    result = ft.compare(scores_of(VALUES))
    above = better_than(result.to_frame(full=True), result.conditions, "m")
    assert above[4].tolist() == [True] * 4 + [False]
    assert not (above & above.T).any()


def test_ranks_take_all_pairs_in_both_directions() -> None:
    scores = scores_of(VALUES)
    for given_options in ({"baseline": "sys0"}, {"alternative": "greater"}):
        with pytest.raises(ft.OptionError, match="two-sided comparisons of all pairs"):
            ft.compare(scores, **given_options).tiers()


def test_rank_stability_has_the_same_sets() -> None:
    stable = ft.rank_stability(scores_of(VALUES), n_resamples=999).systems
    sets = ft.compare(scores_of(VALUES), n_resamples=999).tiers().set_index("system")
    for row in stable.itertuples():
        assert row.rank_lower == sets.loc[row.system, "rank_lower"]
        assert row.rank_upper == sets.loc[row.system, "rank_upper"]
