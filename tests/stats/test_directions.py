"""Whose truths prefer which of two systems: t by subject, Holm, the range test, F."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from fuzzytruth._typing import Floats
from fuzzytruth.core.cells import Cells
from fuzzytruth.stats.bootstrap_max_t import cluster_t
from fuzzytruth.stats.directions import Directions, directions
from fuzzytruth.stats.observations import QueryGroups


def found_of(table: Any, **options: Any) -> Directions:
    """Of a table (pairs, queries, subjects); a cell exists where any pair has a value."""
    table = np.asarray(table, dtype=float)
    cells = Cells.of_mask(~np.isnan(table).all(axis=0))
    return directions(cells.of_dense(table), cells, **options)


def drawn(seed: int, means: Floats, queries: int = 50, shared: float = 0.15) -> Floats:
    rng = np.random.default_rng(seed)
    effects = rng.normal(0, shared, (queries, 1))
    return np.asarray(means + effects + rng.normal(0, 0.25, (queries, len(means))))


def half_missing(table: Floats, seed: int) -> Floats:
    return np.where(np.random.default_rng(seed).random(table.shape) < 0.5, np.nan, table)


def by_hand(table: Floats) -> tuple[list[float], list[float], float, float]:
    """One-sided p above and below by SciPy, and p by F and the mean square of errors, by rank."""
    up, down = (
        [float(stats.ttest_1samp(x[~np.isnan(x)], 0, alternative=side).pvalue) for x in table.T]
        for side in ("greater", "less")
    )
    q, s = np.nonzero(~np.isnan(table))
    y = table[q, s]
    of_queries = np.eye(table.shape[0])[q]
    both = np.hstack([of_queries, np.eye(table.shape[1])[s]])
    rest = [y - x @ np.linalg.lstsq(x, y, rcond=None)[0] for x in (of_queries, both)]
    df = [len(y) - np.linalg.matrix_rank(x) for x in (of_queries, both)]
    squares = [float(r @ r) for r in rest]
    error = squares[1] / df[1]
    f = (squares[0] - squares[1]) / (df[0] - df[1]) / error
    return up, down, float(stats.f.sf(f, df[0] - df[1], df[1])), error


@pytest.mark.parametrize("missing", [False, True])
def test_against_other_programs(missing: bool) -> None:
    table = drawn(3, np.array([0.4, 0.1, 0.0, -0.05, -0.4]), queries=12)
    table = half_missing(table, 5) if missing else table
    up, down, f, error = by_hand(table)
    found = found_of([table], level=0.9)
    np.testing.assert_allclose(found.p[:, 0], [up, down], rtol=1e-10)
    assert found.p_differs == pytest.approx([f], rel=1e-8)
    assert found.p_both_ways == pytest.approx([min(1, 5 * max(min(up), min(down)))], rel=1e-10)
    assert found.alone.T.tolist() == [[sum(p <= 0.05 for p in side) for side in (up, down)]]
    above = below = 0
    for k, (p, side) in enumerate(sorted([(p, 0) for p in up] + [(p, 1) for p in down])):
        if p > 0.1 / (10 - k):
            break
        above, below = above + (side == 0), below + (side == 1)
    assert found.at_least.T.tolist() == [[above, below]]
    assert (above, below) == ((1, 0) if missing else (1, 1))
    ratio = stats.f.isf(f, 4, (~np.isnan(table)).sum() - 12 - 4)
    assert found.sd_subjects / found.sd_chance == pytest.approx([np.sqrt(ratio)], rel=1e-8)
    if not missing:
        assert found.sd_subjects == pytest.approx([table.mean(axis=0).std(ddof=1)], rel=1e-12)
        assert found.sd_chance == pytest.approx([np.sqrt(error / 12)], rel=1e-12)


def test_two_opposite_groups_of_ten() -> None:
    """Both bounds are the groups; the mean describes neither."""
    found = found_of([drawn(0, np.repeat([0.5, -0.5], 10), 60)])
    assert found.alone.T.tolist() == found.at_least.T.tolist() == [[10, 10]]
    assert found.shown[:, 0].tolist() == [[True] * 10 + [False] * 10, [False] * 10 + [True] * 10]
    assert found.p_both_ways[0] < 1e-9
    assert found.p_differs[0] < 1e-9
    assert found.sd_subjects == pytest.approx([0.51], abs=0.05)
    assert found.sd_chance == pytest.approx([0.25 / np.sqrt(60)], rel=0.1)


def test_pairs_with_other_cells_are_as_if_alone() -> None:
    """Also subjects with no query, or one, who count nowhere but in F."""
    one, two = (drawn(seed, np.array([0.4, 0.2, -0.3, 0.0])) for seed in (1, 2))
    two[20:, 1], two[1:, 3] = np.nan, np.nan
    three = one.copy()
    three[:, 2] = np.nan
    found = found_of([one, two, three])
    for number, table in enumerate((one, two, three)):
        alone = found_of([table[:, ~np.isnan(table).all(axis=0)]])
        for name in ("p_both_ways", "p_differs", "sd_subjects", "sd_chance", "alone", "at_least"):
            mine, its = getattr(found, name)[..., number], getattr(alone, name)[..., 0]
            np.testing.assert_allclose(mine, its, rtol=1e-10)
    assert np.isnan(found.p[:, 1, 3]).all()
    assert np.isnan(found.p[:, 2, 2]).all()
    others = found_of([two[:, :3]])
    assert found.p_both_ways[1] == pytest.approx(others.p_both_ways[0])  # three are tested
    assert np.array_equal(found.at_least[:, 1], others.at_least[:, 0])


def test_no_spread() -> None:
    """One sign on all n queries has p 2⁻ⁿ; identical systems have no direction."""
    same = np.tile([0.2, -0.1, 0.0], (10, 1))
    found = found_of([same, np.zeros((10, 3)), np.full((10, 3), 0.1)])
    np.testing.assert_allclose(found.p[:, 0], [[2**-10, 1 - 2**-10, 1], [1 - 2**-10, 2**-10, 1]])
    assert found.at_least.T.tolist() == [[1, 1], [0, 0], [3, 0]]
    assert found.p_both_ways.tolist() == pytest.approx([3 * 2**-10, 1, 1])
    np.testing.assert_array_equal(found.p_differs, [np.nan, 1, 1])  # nothing to compare with
    assert found.sd_subjects[0] == pytest.approx(same[0].std(ddof=1))


@pytest.mark.parametrize("shape", [(1, 4), (5, 1), (1, 1), (2, 2)])
def test_too_small_tables(shape: tuple[int, int]) -> None:
    found = found_of([np.random.default_rng(0).normal(size=shape)])
    assert np.isnan(found.p_differs[0]) == (min(shape) == 1)
    tested = shape[1] if shape[0] > 1 else 0
    assert (~np.isnan(found.p[0])).sum() == tested
    assert np.isnan(found.p_both_ways[0]) == (tested == 0)
    none = found_of(np.full((1, *shape), np.nan))
    assert np.isnan([*none.p_differs, *none.sd_subjects, *none.p_both_ways]).all()


def test_a_rounding_error_is_no_difference() -> None:
    tiny = np.full((6, 2), 1e-17)
    assert found_of([tiny], scale=[0.5]).p[:, 0].tolist() == [[1, 1], [1, 1]]
    assert found_of([tiny]).alone.tolist() == [[2], [0]]


def test_over_clusters_of_queries() -> None:
    table = half_missing(drawn(4, np.array([0.5, -0.4, 0.2])), 6)
    cluster = np.arange(50) // 5
    found = found_of([table], groups=QueryGroups("clusters", cluster, 10))
    for subject, own in enumerate(table.T):
        two_sided = cluster_t(own, cluster).p
        assert 2 * found.p[:, 0, subject].min() == pytest.approx(two_sided, rel=1e-10)
    assert np.isnan([*found.p_differs, *found.sd_chance]).all()


ZERO, ONE = np.zeros(20), np.r_[1.0, np.zeros(19)]
HALF, OPPOSITE = np.repeat([1.0, 0.0], 10), np.repeat([0.15, -0.15], 10)


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize(
    ("truth", "shared", "differs", "both_ways", "bounds"),
    [
        (ZERO, 0.15, 0.05, 0.0, (0.025, 0.025)),
        (ONE, 0.15, 1.0, 0.042, (1.025, 0.022)),
        (HALF, 0.4, 1.0, 0.016, (10.015, 0.02)),
        (OPPOSITE, 0.15, 1.0, 1.0, (7.2, 7.2)),
    ],
)
def test_levels_and_power(
    truth: Floats, shared: float, differs: float, both_ways: float, bounds: Any, missing: bool
) -> None:
    """Within four Monte Carlo errors of the published figures, complete; at the level, missing."""
    rng, sets = np.random.default_rng([int(10 * truth.sum()), missing]), 1000
    cells = Cells.of_mask(rng.random((50, 20)) >= 0.5 * missing)
    effects = rng.normal(0, shared, (sets, 50))[:, cells.query]
    d = truth[cells.subject_codes] + effects + rng.normal(0, 0.25, (sets, len(cells)))
    found = directions(d, cells)
    error = 4 * np.sqrt(0.05 * 0.95 / sets)
    too_many = (found.at_least > [[(truth > 0).sum()], [(truth < 0).sum()]]).any(axis=0)
    assert too_many.mean() <= 0.05 + error
    rates = (found.p_differs <= 0.05).mean(), (found.p_both_ways <= 0.05).mean()
    assert rates[0] == pytest.approx(differs, abs=error)
    if both_ways < 1:
        assert rates[1] <= 0.05 + error
    if not missing:
        assert rates[1] == pytest.approx(both_ways, abs=error)
        spread = 4 * found.at_least.std(axis=1) / np.sqrt(sets) + 0.005
        assert (np.abs(found.at_least.mean(axis=1) - bounds) <= spread).all()
