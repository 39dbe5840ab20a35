"""The effective number of subjects, on panels of which it is known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import least_squares
from scipy.stats import t as student
from support.pair_designs import design_of

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.stats.pair_agreement import EffectiveNumber, effective_number

K = 4
NOMINAL = 1 - np.eye(K)
SQUARED = np.subtract.outer(np.arange(K), np.arange(K)) ** 2 / 9.0


def panel(accuracy: list[float], n_units: int = 400, seed: int = 1) -> Ints:
    """Votes of subjects who err independently: (units, subjects)."""
    rng = np.random.default_rng(seed)
    shape = (n_units, len(accuracy))
    truth = rng.integers(0, K, (n_units, 1))
    right = rng.random(shape) < np.array(accuracy)
    return np.where(right, truth, (truth + rng.integers(1, K, shape)) % K)


def effective(
    table: Ints, distance: Floats = NOMINAL, cluster: Ints | None = None
) -> EffectiveNumber:
    return effective_number(design_of(table, cluster), distance, 0.95)


@pytest.mark.parametrize(
    "accuracy",
    [
        [0.8] * 10,
        [0.98] * 10,  # all follow the truth: that is no common error
        [0.35] * 10,
        [0.25] * 10,  # nobody knows anything
        [*np.linspace(0.5, 0.97, 10)],
        [0.98] * 7 + [0.25] * 3,
        [0.8] * 4,
    ],
)
@pytest.mark.parametrize("distance", [NOMINAL, SQUARED])
def test_independent_subjects_count_each(accuracy: list[float], distance: Floats) -> None:
    found = effective(panel(accuracy), distance)
    assert found.value == pytest.approx(len(accuracy), rel=0.03)
    assert found.upper == pytest.approx(len(accuracy), rel=1e-9)
    if max(accuracy) > 0.4:  # else there is next to nothing in common to deviate from
        assert found.lower > 0.85 * len(accuracy)


@pytest.mark.parametrize("n_units", [60, 400])
def test_hard_units_are_no_common_errors(n_units: int) -> None:
    easy, hard = panel([0.95] * 8, n_units), panel([0.4] * 8, n_units)
    mixed = np.where(np.random.default_rng(2).random((n_units, 1)) < 0.3, hard, easy)
    # of the hard units all know, for they are the same for all
    truth_differs = effective(np.vstack((easy, hard)))
    assert truth_differs.value == pytest.approx(8, rel=0.02)
    assert effective(mixed).value > 7.7


@pytest.mark.parametrize(("m", "k"), [(2, 2), (4, 3), (3, 8), (8, 2)])
@pytest.mark.parametrize("distance", [NOMINAL, SQUARED])
def test_copies_count_once(m: int, k: int, distance: Floats) -> None:
    found = effective(np.repeat(panel([0.8] * m, 1000), k, axis=1), distance)
    assert found.value == pytest.approx(m, rel=0.02)
    assert found.upper - found.lower < 0.1 * m
    unequal = np.repeat(panel([*np.linspace(0.6, 0.9, m)], 1000), k, axis=1)
    assert effective(unequal, distance).value == pytest.approx(m, rel=0.03)


@pytest.mark.parametrize("copies", [[5, 1, 1, 1, 1, 1], [4, 4, 1, 1], [2, 1, 1, 1, 1, 1, 1, 1, 1]])
def test_copies_in_different_numbers_are_near_kish(copies: list[int]) -> None:
    """Kish's effective size (sum of weights)² / sum of squared weights."""
    table = np.repeat(panel([0.8] * len(copies), 1000), copies, axis=1)
    kish = sum(copies) ** 2 / sum(k**2 for k in copies)
    assert effective(table).value == pytest.approx(kish, rel=0.12)


def test_one_other_beside_copies() -> None:
    """Four exact copies and one other are two, if there are units enough to tell."""
    table = np.repeat(panel([0.8, 0.8]), [4, 1], axis=1)
    assert effective(table).value == pytest.approx(2, abs=0.01)


def test_the_more_errors_are_shared_the_fewer() -> None:
    rng = np.random.default_rng(4)
    own = panel([0.8] * 12, 1000)
    truth_known = np.repeat(panel([0.8] * 12, 1000)[:, :4], 3, axis=1)  # of the same truth
    values = [
        effective(np.where(rng.random(own.shape) < share, truth_known, own)).value
        for share in (0, 0.3, 0.5, 0.7, 0.85, 1)
    ]
    assert values == sorted(values, reverse=True)
    assert values[0] > 11.5
    assert values[-1] == pytest.approx(4, abs=0.05)


def test_missing_votes() -> None:
    table = np.repeat(panel([0.8] * 4, 1500), 3, axis=1)
    table[np.random.default_rng(3).random(table.shape) < 0.4] = -1
    assert effective(table).value == pytest.approx(4, rel=0.05)
    independent = panel([0.8] * 10, 1500)
    independent[np.random.default_rng(3).random(independent.shape) < 0.4] = -1
    assert effective(independent).value == pytest.approx(10, rel=0.03)


def test_the_order_of_subjects_plays_no_part() -> None:
    table = np.repeat(panel([0.8, 0.7, 0.9, 0.6]), [3, 2, 2, 1], axis=1)
    order = np.random.default_rng(0).permutation(8)
    assert effective(table).value == pytest.approx(effective(table[:, order]).value, rel=1e-6)


def test_clusters_widen_the_interval() -> None:
    """Units that are the same 20 times over are no new evidence."""
    table = np.repeat(panel([0.8] * 3, 60), 2, axis=1)
    table[:, ::2] = np.where(np.random.default_rng(1).random((60, 3)) < 0.2, 0, table[:, ::2])
    many = np.repeat(table, 20, axis=0)
    cluster = np.repeat(np.arange(60), 20)
    over_items, over_clusters = effective(many), effective(many, cluster=cluster)
    width = over_items.upper - over_items.lower
    assert over_clusters.upper - over_clusters.lower > 2 * width
    once = effective(table)
    assert over_clusters.upper - over_clusters.lower == pytest.approx(
        once.upper - once.lower, rel=0.3
    )


def test_unknown_numbers_say_why() -> None:
    same = np.repeat(panel([0.8]), 5, axis=1)
    assert "nobody ever disagrees" in effective(same).why
    assert np.isnan(effective(same).value)
    assert "4 subjects" in effective(panel([0.8] * 3)).why
    one = effective(panel([0.5] * 5, 30), cluster=np.zeros(30, dtype=int))
    assert "two units" in one.why
    apart = np.full((40, 8), -1)
    for first in range(0, 8, 2):
        apart[10 * first // 2 : 10 * first // 2 + 10, first : first + 2] = [0, 1]
    assert "fewer than half" in effective(apart).why
    assert "up to 500" in effective(np.zeros((1, 501), dtype=int)).why


@pytest.mark.parametrize(("values", "why"), [(1300, "two units"), (833_334, "too many pairs")])
def test_there_is_room_for_many_values(values: int, why: str) -> None:
    """The counts of 6 pairs, for each value and both subjects, are ten million at most."""
    table = np.array([[0, 1, 2, values - 1], [0, 0, 0, 1]])
    distance = 1 - np.eye(values if values < 2000 else 1)
    assert why in effective(table, distance, np.zeros(2, dtype=int)).why


@pytest.mark.parametrize("clusters", [4, 6])
def test_intervals_are_students_over_clusters(clusters: int) -> None:
    """On the scale of the mean squared correlation, from which the number is computed."""
    table = np.repeat(panel([0.8] * 3), 2, axis=1)
    rng = np.random.default_rng(0)
    table = np.where(rng.random(table.shape) < 0.2, rng.integers(0, K, table.shape), table)
    design = design_of(table, np.arange(len(table)) % clusters)
    halves = []
    for level in (0.5, 0.9):
        found = effective_number(design, NOMINAL, level)
        ends = np.array([found.upper, found.value, found.lower])
        square = (5 / (ends - 1) - 1) / 6
        assert np.ptp(np.diff(square)) == pytest.approx(0, abs=1e-12)
        halves.append(square[2] - square[1])
    expected = student.ppf(0.95, clusters - 1) / student.ppf(0.75, clusters - 1)
    assert halves[1] / halves[0] == pytest.approx(expected)


def test_subjects_above_the_common_factor_count_as_without_error() -> None:
    """Two are always right; each of four errs on a unit of its own.

    The square of the first two's λ, fitted here by other means, is above 4/9, their own
    disagreement by chance: in the mean error they count as 0.
    """
    table = np.array([[0, 0, 0, 1, 1, 0]] * 6)
    table[[2, 3, 4, 5], [2, 0, 5, 1]] = 1
    pairs = np.sqrt([1, 8, 6])  # of the two, across, of the four
    right, other = least_squares(
        lambda x: pairs * (x[0] ** 2 - 4 / 9, x[0] * x[1] - 1 / 3, x[1] ** 2 - 1 / 6),
        [0.5, 0.5],
        xtol=1e-14,
        ftol=1e-14,
        gtol=1e-14,
    ).x
    assert right**2 > 4 / 9
    alone = np.zeros(6, dtype=int)
    expected = effective_number(design_of(table.T, alone), 1 - np.eye(2), 0.95).expected
    assert expected is not None
    mean = 4 * (1 / 2 - other**2) / 6
    np.testing.assert_allclose(expected[[0, 1]], [mean, 1 / 2 - right * other], rtol=1e-6)
    np.testing.assert_allclose(expected[-6:], 1 / 2 - other**2, rtol=1e-6)


@pytest.mark.parametrize(("blocks", "least"), [(3, 5.1), (9, 5.85)])
def test_two_who_hardly_err_are_copies_only_if_they_were_seen_to_agree(
    blocks: int, least: float
) -> None:
    """Six units as above, several times; the two have all of them in common, or one time six."""
    table = np.array([[0, 0, 0, 1, 1, 0]] * 6)
    table[[2, 3, 4, 5], [2, 0, 5, 1]] = 1
    table = np.tile(table, blocks).T
    block = np.repeat(np.arange(blocks), 6)
    assert effective(table, 1 - np.eye(2), block).value < 3.6
    cut = 1 + (blocks - 1) // 2
    table[(block > 0) & (block < cut), 0] = -1
    table[block >= cut, 1] = -1
    assert effective(table, 1 - np.eye(2), block).value > least


def test_pairs_without_a_common_unit_say_nothing() -> None:
    """Subjects 0 to 5 judge the first units, 3 to 8 the others."""
    table = panel([*np.linspace(0.6, 0.9, 9)], 1200)
    table[:600, 6:] = -1
    table[600:, :3] = -1
    assert effective(table).value == pytest.approx(9, rel=0.05)
    copies = table.copy()
    copies[:, 4] = copies[:, 3]
    assert effective(copies).value < effective(table).value - 0.5


@pytest.mark.parametrize(("accuracy", "within"), [(0.5, 0.1), (0.95, 0.25)])
@pytest.mark.parametrize("seed", range(3))
def test_a_pair_that_met_in_one_cluster_only_does_not_widen_the_interval(
    seed: int, accuracy: float, within: float
) -> None:
    table = panel([accuracy] * 4, seed=seed)
    unit = np.arange(400)
    table[(unit % 20 > 0) & (unit < 200), 0] = -1
    table[(unit % 20 > 0) & (unit >= 200), 1] = -1
    never = table.copy()
    never[unit % 20 == 0, 1] = -1
    one, other = effective(table, cluster=unit % 20), effective(never, cluster=unit % 20)
    assert one.lower == pytest.approx(other.lower, abs=within)
