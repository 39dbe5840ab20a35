"""Means on shared values, rank sets, tiers, and pairs as they are shown."""

from itertools import pairwise, permutations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.scores_for_tests import scores_of
from support.shown_pairs import shown_pairs

import fuzzytruth as ft
from fuzzytruth.comparison.conditions import Shared
from fuzzytruth.comparison.inference import better_than, tiers, turned

NAN = np.nan
RNG = np.random.default_rng(0)
VALUES = RNG.normal(np.array([0.0, 0.05, 1.0, 1.05, 2.0])[:, None], 0.4, (5, 40))
SUBJECTS = np.random.default_rng(3).normal(0.5, 0.1, (4, 3, 9))


def longest_chain_above(above: np.ndarray, system: int) -> int:
    """By trying all orders of the systems."""
    others = [other for other in range(len(above)) if other != system]
    return max(
        size
        for size in range(len(above))
        for order in permutations(others, size)
        if all(above[x, y] for x, y in pairwise((*order, system)))
    )


def test_tiers_are_longest_chains() -> None:
    for _ in range(40):
        above = np.triu(RNG.random((5, 5)) < 0.4, 1)  # no cycles
        expected = [1 + longest_chain_above(above, system) for system in range(5)]
        assert tiers(above).tolist() == expected
    cycle = np.zeros((5, 5), dtype=bool)
    cycle[[0, 1, 2, 3, 3], [1, 2, 3, 1, 4]] = True
    assert tiers(cycle).tolist() == [1, 2, 2, 2, 3]


def test_sets_count_significant_differences() -> None:
    result = ft.compare(scores_of(VALUES), n_resamples=999)
    frame = result.tiers()
    names = ["system", "tier", "among_best", "rank_lower", "rank_upper"]
    assert list(frame) == ["measure", "system", "mean", *names[1:]]
    found = result.table[result.table["significant"]]
    first = found["difference"] > 0
    winners = found["system_a"].where(first, found["system_b"])
    losers = found["system_b"].where(first, found["system_a"])
    for row in frame.itertuples():
        won, lost = (winners == row.system).sum(), (losers == row.system).sum()
        assert (row.rank_lower, row.rank_upper, row.among_best) == (1 + lost, 5 - won, lost == 0)
    assert frame["tier"].tolist() == [1, 2, 2, 3, 3]
    assert frame["system"][0] == "sys4"
    assert frame["mean"].is_monotonic_decreasing
    above = better_than(result.table, result.conditions, "m")
    assert above[4].tolist() == [True] * 4 + [False]
    assert not (above & above.T).any()
    scores = scores_of(-VALUES, higher_is_better=(False,))
    down = ft.compare(scores, n_resamples=999).tiers()
    assert down[names].equals(frame[names])
    assert down["mean"].is_monotonic_increasing
    stable = ft.rank_stability(scores_of(VALUES), n_resamples=999).systems.set_index("system")
    ends = ["rank_lower", "rank_upper"]
    assert stable.loc[frame["system"], ends].to_numpy().tolist() == frame[ends].to_numpy().tolist()


@pytest.mark.parametrize("options", [{"baseline": "sys0"}, {"alternative": "greater"}])
def test_ranks_take_all_pairs_in_both_directions(options: dict[str, Any]) -> None:
    result = ft.compare(scores_of(VALUES), n_resamples=99, **options)
    with pytest.raises(ft.errors.OptionError, match="two-sided comparisons of all pairs"):
        result.tiers()
    pd.testing.assert_frame_equal(turned(result.table, result.conditions), result.table)


def test_every_column_is_turned() -> None:
    result = ft.compare(scores_of(SUBJECTS), bayesian=True, rope=0.01)
    out = turned(result.table, result.conditions)
    assert (out["difference"] >= 0).all()
    assert 0 < (result.table["difference"] < 0).sum() < len(out)
    names = ["system_a", "system_b", "difference", "lower", "upper", "wins", "losses"]
    for row, shown in zip(out.itertuples(), shown_pairs(result), strict=True):
        assert [getattr(row, name) for name in names] == [getattr(shown, name) for name in names]
    np.testing.assert_allclose(out["mean_a"] - out["mean_b"], out["difference"])
    np.testing.assert_allclose(out["d_z"], result.table["d_z"].abs())
    better = result.table["difference"] > 0
    kept, other = result.table["posterior_better"], result.table["posterior_worse"]
    np.testing.assert_array_equal(out["posterior_better"], kept.where(better, other))
    each = result.by_subject()
    out = turned(each.table, each.conditions, result.table)  # one order for all subjects
    pairs = {(row.system_a, row.system_b) for row in shown_pairs(result)}
    assert {*zip(out["system_a"], out["system_b"], strict=True)} == pairs
    assert len(out) == 3 * len(pairs)
    assert (out["difference"] < 0).any()


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.FuzzytruthWarning")
class TestMeansOnSharedValues:
    def test_no_query_of_all_systems(self) -> None:
        values = [[1.0, 2, NAN, NAN], [2.0, NAN, 4, 4], [NAN, 1, 1, 2]]
        result = ft.compare(scores_of(values))
        assert result.means["m"].tolist() == pytest.approx([1.5, 10 / 3, 4 / 3])
        assert result.conditions.shared == (Shared(0, 0),)
        assert "m over each system's own" in result.assumptions
