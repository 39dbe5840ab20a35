"""Coefficients of pairs of subjects, their standard errors, and how many subjects a panel is worth.

Beside reference libraries and brute force, and on panels of which the number is known.
"""

from typing import Any

import numpy as np
import pytest
from scipy.stats import kendalltau
from scipy.stats import t as student
from statsmodels.stats.inter_rater import cohens_kappa
from support.pair_designs import design_of

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.votes.value_distances import PairDesign
from fuzzytruth.stats.pair_agreement import (
    Coefficient,
    EffectiveNumber,
    Spread,
    agreement_of,
    effective_number,
    pair_counts,
    spread_of,
    tau_b_of,
)

K = 4
NOMINAL = 1 - np.eye(K)
LINEAR = np.abs(np.subtract.outer(np.arange(K), np.arange(K))) / (K - 1)
DISTANCES = {"nominal": NOMINAL, "linear": LINEAR, "quadratic": LINEAR**2}


def grades(n_units: int, n_subjects: int, missing: float = 0.0) -> Ints:
    """(units, subjects), -1 for missing."""
    rng = np.random.default_rng(5)
    truth = rng.integers(0, K, n_units)
    out = np.clip(truth[:, None] + rng.integers(-1, 2, (n_units, n_subjects)), 0, K - 1)
    out[:K, :] = np.arange(K)[:, None]  # every grade occurs
    out[rng.random(out.shape) < missing] = -1
    return out


def found_of(design: PairDesign, distance: Floats, coefficient: Coefficient) -> Any:
    if coefficient == "tau_b":
        return tau_b_of(design)
    return agreement_of(pair_counts(design, distance), distance, coefficient)


def values_of(design: PairDesign, distance: Floats, coefficient: Coefficient) -> Floats:
    return np.asarray(found_of(design, distance, coefficient).value)


def spread(design: PairDesign, distance: Floats, coefficient: Coefficient) -> Spread:
    found = found_of(design, distance, coefficient)
    return spread_of(design, pair_counts(design, distance), found, distance)


def alpha(x: Ints, y: Ints, distance: Floats) -> float:
    """Krippendorff's alpha of two complete observers, by all pairs of values."""
    pool = np.concatenate((x, y))
    expected = distance[pool[:, None], pool[None, :]].sum() / (len(pool) * (len(pool) - 1))
    return float(1 - distance[x, y].mean() / expected)


@pytest.mark.parametrize("name", DISTANCES)
def test_coefficients_are_those_of_the_units_that_both_judged(name: str) -> None:
    table, distance = grades(80, 3, missing=0.2), DISTANCES[name]
    design = design_of(table)
    kappa, error = values_of(design, distance, "kappa"), spread(design, distance, "kappa").std_error
    for p, (a, b) in enumerate(zip(design.first, design.second, strict=True)):
        x, y = table[(table[:, [a, b]] >= 0).all(axis=1)][:, [a, b]].T
        counts = np.zeros((K, K))
        np.add.at(counts, (x, y), 1)
        theirs = cohens_kappa(counts, weights=distance)
        assert kappa[p] == pytest.approx(theirs.kappa, abs=1e-12)
        n = len(x)  # theirs has divisor n, ours n - 1
        assert error[p] * np.sqrt((n - 1) / n) == pytest.approx(theirs.std_kappa, rel=1e-10)
        expected = (alpha(x, y, distance), kendalltau(x, y)[0])
        both = (values_of(design, distance, "alpha")[p], tau_b_of(design).value[p])
        assert both == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("coefficient", ["percent", "kappa", "alpha", "tau_b"])
def test_standard_errors_are_near_the_jackknife(coefficient: Coefficient) -> None:
    """Over clusters, of pairs and of the means of subjects; of linear ones they are the same."""
    table = grades(400, 3, missing=0.1)
    cluster = np.unique(np.random.default_rng(2).integers(0, 40, 400), return_inverse=True)[1]
    design = design_of(table, cluster)
    ours, g = spread(design, NOMINAL, coefficient), int(cluster.max()) + 1
    own = (design.first == 0) | (design.second == 0)
    whole = values_of(design, NOMINAL, coefficient)
    without = np.array(
        [
            values_of(design_of(np.where((cluster == c)[:, None], -1, table)), NOMINAL, coefficient)
            for c in range(g)
        ]
    )
    rel = 1e-9 if coefficient == "percent" else 0.03
    scale = (g - 1) / g
    expected = np.sqrt(scale * ((without - whole) ** 2).sum(axis=0))
    np.testing.assert_allclose(ours.std_error, expected, rtol=rel)
    means, mean = without[:, own].mean(axis=1), whole[own].mean()
    assert ours.mean[0] == pytest.approx(mean)
    expected = np.sqrt(scale * ((means - mean) ** 2).sum())
    assert ours.mean_std_error[0] == pytest.approx(expected, rel=rel)
    assert (ours.partners.tolist(), ours.mean_clusters.tolist()) == ([2] * 3, [g] * 3)
    small = spread(design, 1e-8 * NOMINAL, "percent")  # no rounding errors
    large = spread(design, NOMINAL, "percent")
    np.testing.assert_allclose(small.std_error, 1e-8 * large.std_error, rtol=1e-6)
    np.testing.assert_allclose(small.mean_std_error, 1e-8 * large.mean_std_error, rtol=1e-6)


# The effective number of subjects.


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
    ("accuracy", "distance"),
    [
        ([0.8] * 10, NOMINAL),
        ([0.98] * 10, LINEAR**2),  # all follow the truth: that is no common error
        ([0.35] * 10, NOMINAL),
        ([0.25] * 10, LINEAR**2),  # nobody knows anything
        ([*np.linspace(0.5, 0.97, 10)], LINEAR**2),
        ([0.98] * 7 + [0.25] * 3, NOMINAL),
        ([0.8] * 4, NOMINAL),
    ],
)
def test_independent_subjects_count_each(accuracy: list[float], distance: Floats) -> None:
    found = effective(panel(accuracy), distance)
    assert found.value == pytest.approx(len(accuracy), rel=0.03)
    assert found.upper == pytest.approx(len(accuracy), rel=1e-9)
    if max(accuracy) > 0.4:  # else there is next to nothing in common to deviate from
        assert found.lower > 0.85 * len(accuracy)


@pytest.mark.parametrize(
    ("m", "k", "distance"), [(2, 2, NOMINAL), (4, 3, LINEAR**2), (3, 8, NOMINAL), (8, 2, LINEAR**2)]
)
def test_copies_count_once(m: int, k: int, distance: Floats) -> None:
    found = effective(np.repeat(panel([0.8] * m, 1000), k, axis=1), distance)
    assert found.value == pytest.approx(m, rel=0.02)
    assert found.upper - found.lower < 0.1 * m
    unequal = np.repeat(panel([*np.linspace(0.6, 0.9, m)], 1000), k, axis=1)
    assert effective(unequal, distance).value == pytest.approx(m, rel=0.03)
    missing = np.repeat(panel([0.8] * m, 1500), k, axis=1)
    missing[np.random.default_rng(3).random(missing.shape) < 0.4] = -1
    assert effective(missing).value == pytest.approx(m, rel=0.05)


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


#: two subjects judge the same units, in four pairs
APART = np.where(np.kron(np.eye(4), np.ones((10, 2))) > 0, np.tile([0, 1], 4), -1)


@pytest.mark.parametrize(
    ("table", "distance", "cluster", "why"),
    [
        (np.repeat(panel([0.8]), 5, axis=1), NOMINAL, None, "nobody ever disagrees"),
        (panel([0.8] * 3), NOMINAL, None, "4 subjects"),
        (panel([0.5] * 5, 30), NOMINAL, np.zeros(30, dtype=int), "two units"),
        (APART, NOMINAL, None, "fewer than half"),
        (np.zeros((1, 501), dtype=int), NOMINAL, None, "up to 500"),
        # the counts of 6 pairs, for each value and both subjects, are ten million at most
        (
            np.array([[0, 1, 2, 1299], [0, 0, 0, 1]]),
            1 - np.eye(1300),
            np.zeros(2, int),
            "two units",
        ),
        (np.array([[0, 1, 2, 833_333], [0, 0, 0, 1]]), np.eye(1), np.zeros(2, int), "too many"),
    ],
)
def test_unknown_numbers_say_why(table, distance, cluster, why):
    found = effective(table, distance, cluster)
    assert why in found.why
    assert np.isnan(found.value)
