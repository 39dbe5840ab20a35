import numpy as np
import pytest

from fuzzytruth.stats.observations import one_sided_share, quantile_interval, two_sided_share

DRAWS = np.arange(-2.0, 97.0)[None]  # 99 draws: two below 0, one at 0


def test_shares_count_draws_and_one_more() -> None:
    assert one_sided_share(DRAWS).tolist() == [0.04]
    assert one_sided_share(-DRAWS).tolist() == [0.98]
    assert two_sided_share(DRAWS).tolist() == [0.08]
    assert two_sided_share(np.zeros((1, 5))).tolist() == [1.0]


@pytest.mark.parametrize("level", [0.5, 0.9, 0.92, 0.95, 0.99])
def test_intervals_exclude_zero_where_the_share_is_small(level: float) -> None:
    lower, upper = quantile_interval(DRAWS, level)
    excluded = bool(lower[0] > 0 or upper[0] < 0)
    assert excluded == (two_sided_share(DRAWS)[0] <= (1 - level) * (1 + 1e-12))


def test_few_draws_have_infinite_intervals() -> None:
    lower, upper = quantile_interval(np.arange(5.0)[None], 0.95)
    assert (lower[0], upper[0]) == (-np.inf, np.inf)


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
def test_intervals_and_shares_agree(level: float) -> None:
    draws = np.random.default_rng(1).normal(np.linspace(-3, 3, 50)[:, None], 1, (50, 199))
    lower, upper = quantile_interval(draws, level)
    outside = (lower > 0) | (upper < 0)
    np.testing.assert_array_equal(outside, two_sided_share(draws) <= 1 - level + 1e-12)
    assert np.isinf(upper).all() == (level == 0.999)


def test_order_statistics() -> None:
    draws = np.arange(1.0, 100.0)[None, :]  # 99 worlds
    assert [end.item() for end in quantile_interval(draws, 0.9)] == [5.0, 95.0]
    assert two_sided_share(draws).item() == 2 / 100
    assert two_sided_share(np.zeros((1, 9))).item() == 1.0
