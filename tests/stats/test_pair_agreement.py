"""Coefficients of pairs and their standard errors: reference libraries and brute force."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import kendalltau
from statsmodels.stats.inter_rater import cohens_kappa
from support.pair_designs import design_of

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.votes.value_distances import PairDesign
from fuzzytruth.stats.pair_agreement import (
    Coefficient,
    Spread,
    agreement_of,
    pair_counts,
    spread_of,
    tau_b_of,
)

K = 4
NOMINAL = 1 - np.eye(K)
LINEAR = np.abs(np.subtract.outer(np.arange(K), np.arange(K))) / (K - 1)
DISTANCES = {"nominal": NOMINAL, "linear": LINEAR, "quadratic": LINEAR**2}


def grades(n_units: int, n_subjects: int, seed: int = 5, missing: float = 0.0) -> Ints:
    """(units, subjects), -1 for missing."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, K, n_units)
    out = np.clip(truth[:, None] + rng.integers(-1, 2, (n_units, n_subjects)), 0, K - 1)
    out[:K, :] = np.arange(K)[:, None]  # every grade occurs
    out[rng.random(out.shape) < missing] = -1
    return out


def values_of(design: PairDesign, distance: Floats, coefficient: Coefficient) -> Floats:
    if coefficient == "tau_b":
        return tau_b_of(design).value
    return agreement_of(pair_counts(design, distance), distance, coefficient).value


def spread(design: PairDesign, distance: Floats, coefficient: Coefficient) -> Spread:
    counts = pair_counts(design, distance)
    found = (
        agreement_of(counts, distance, coefficient) if coefficient != "tau_b" else tau_b_of(design)
    )
    return spread_of(design, counts, found, distance)


@pytest.mark.parametrize("name", DISTANCES)
def test_kappa_and_its_standard_error_are_those_of_statsmodels(name: str) -> None:
    table = grades(80, 3)
    distance = DISTANCES[name]
    design = design_of(table)
    value = values_of(design, distance, "kappa")
    std_error = spread(design, distance, "kappa").std_error
    for p, (a, b) in enumerate(zip(design.first, design.second, strict=True)):
        counts = np.zeros((K, K))
        np.add.at(counts, (table[:, a], table[:, b]), 1)
        theirs = cohens_kappa(counts, weights=distance)
        assert value[p] == pytest.approx(theirs.kappa, abs=1e-12)
        # theirs has divisor n, ours n - 1
        assert std_error[p] * np.sqrt(79 / 80) == pytest.approx(theirs.std_kappa, rel=1e-10)


def test_kappa_of_cohen_1968() -> None:
    """Diagnoses of 200 patients: kappa .492; weighted .348, error .0755."""
    share = np.array([[44, 7, 9], [5, 20, 5], [1, 3, 6]])
    left, right = (axis.ravel() for axis in np.indices((3, 3)))
    rows = np.repeat(np.stack((left, right), axis=1), 2 * share.ravel(), axis=0)
    design = design_of(rows)
    distance = 1 - np.eye(3)
    assert values_of(design, distance, "kappa")[0] == pytest.approx(0.492, abs=5e-4)
    assert spread(design, distance, "kappa").std_error[0] == pytest.approx(0.051, abs=5e-4)
    weighted = np.array([[0, 1, 3], [1, 0, 6], [3, 6, 0]]) / 6
    assert values_of(design, weighted, "kappa")[0] == pytest.approx(0.348, abs=5e-4)
    assert spread(design, weighted, "kappa").std_error[0] == pytest.approx(0.0755, abs=3e-4)


def alpha(x: Ints, y: Ints, distance: Floats) -> float:
    """Krippendorff's alpha of two complete observers, by all pairs of values."""
    pool = np.concatenate((x, y))
    expected = distance[pool[:, None], pool[None, :]].sum() / (len(pool) * (len(pool) - 1))
    return float(1 - distance[x, y].mean() / expected)


@pytest.mark.parametrize("name", DISTANCES)
def test_alpha_of_the_units_that_both_judged(name: str) -> None:
    table = grades(40, 4, missing=0.2)
    design = design_of(table)
    value = values_of(design, DISTANCES[name], "alpha")
    for p, (a, b) in enumerate(zip(design.first, design.second, strict=True)):
        both = (table[:, [a, b]] >= 0).all(axis=1)
        want = alpha(table[both, a], table[both, b], DISTANCES[name])
        assert value[p] == pytest.approx(want, abs=1e-12)


def test_tau_b_is_that_of_scipy() -> None:
    table = grades(40, 4, missing=0.2)
    design = design_of(table)
    value = tau_b_of(design).value
    for p, (a, b) in enumerate(zip(design.first, design.second, strict=True)):
        both = (table[:, [a, b]] >= 0).all(axis=1)
        assert value[p] == pytest.approx(kendalltau(table[both, a], table[both, b])[0], abs=1e-12)


def jackknife(table: Ints, cluster: Ints, distance: Floats, coefficient: Coefficient) -> Floats:
    """Standard errors by leaving out one cluster after the other, around the estimate."""
    whole = values_of(design_of(table, cluster), distance, coefficient)
    g = int(cluster.max()) + 1
    without = [
        values_of(design_of(np.where((cluster == c)[:, None], -1, table)), distance, coefficient)
        for c in range(g)
    ]
    squares = ((np.array(without) - whole) ** 2).sum(axis=0)
    return np.asarray(np.sqrt((g - 1) / g * squares))


@pytest.mark.parametrize("coefficient", ["percent", "kappa", "alpha", "tau_b"])
def test_standard_errors_over_clusters_are_near_the_jackknife(coefficient: Coefficient) -> None:
    table = grades(400, 3, missing=0.1)
    cluster = np.sort(np.random.default_rng(2).integers(0, 40, 400))
    cluster = np.unique(cluster, return_inverse=True)[1].reshape(-1)
    ours = spread(design_of(table, cluster), NOMINAL, coefficient).std_error
    theirs = jackknife(table, cluster, NOMINAL, coefficient)
    # the share of equal values is linear, so that the two are the same
    rel = 1e-9 if coefficient == "percent" else 0.03
    np.testing.assert_allclose(ours, theirs, rtol=rel)


def test_standard_errors_of_means_are_the_jackknife_over_clusters() -> None:
    """Shares of equal values and means of them are linear, so that the two are the same."""
    table = grades(100, 4, missing=0.1)
    cluster = np.arange(100) % 7
    ours = spread(design_of(table, cluster), NOMINAL, "percent")
    means = []
    for left_out in [-1, *range(7)]:
        design = design_of(np.where((cluster == left_out)[:, None], -1, table))
        value = values_of(design, NOMINAL, "percent")
        ends = np.stack((design.first, design.second))
        means.append([value[(ends == s).any(axis=0)].mean() for s in range(4)])
    whole, without = np.array(means[0]), np.array(means[1:])
    want = np.sqrt(6 / 7 * ((without - whole) ** 2).sum(axis=0))
    np.testing.assert_allclose(ours.mean, whole, rtol=1e-12)
    np.testing.assert_allclose(ours.mean_std_error, want, rtol=1e-9)
    assert ours.mean_clusters.tolist() == [7] * 4


def test_means_of_subjects() -> None:
    table = grades(60, 4, missing=0.2)
    design = design_of(table)
    value = values_of(design, NOMINAL, "kappa")
    found = spread(design, NOMINAL, "kappa")
    for s in range(4):
        own = (design.first == s) | (design.second == s)
        assert found.mean[s] == pytest.approx(value[own].mean())
    # leaving out one unit after the other, refitting everything
    without = []
    for u in range(60):
        left = values_of(
            design_of(np.where(np.arange(60)[:, None] == u, -1, table)), NOMINAL, "kappa"
        )
        own = (design.first == 0) | (design.second == 0)
        without.append(left[own].mean())
    want = np.sqrt(59 / 60 * ((np.array(without) - found.mean[0]) ** 2).sum())
    assert found.mean_std_error[0] == pytest.approx(want, rel=0.03)
    assert found.partners.tolist() == [3] * 4


def test_standard_errors_of_small_distances_are_no_rounding_errors() -> None:
    design = design_of(grades(60, 3))
    large, small = (spread(design, scale * NOMINAL, "percent") for scale in (1, 1e-8))
    np.testing.assert_allclose(small.std_error, 1e-8 * large.std_error, rtol=1e-6)
    np.testing.assert_allclose(small.mean_std_error, 1e-8 * large.mean_std_error, rtol=1e-6)


def test_repeats_share_a_vote() -> None:
    """Half a vote for each of two values is a unit on which half of the agreement is seen."""
    unit, subject = np.array([0, 0, 0, 1, 1, 2, 2]), np.array([0, 0, 1, 0, 1, 0, 1])
    value, weight = np.array([0, 1, 1, 0, 0, 1, 0]), np.array([0.5, 0.5, 1, 1, 1, 1, 1])
    design = PairDesign.of(unit, subject, value, weight, np.arange(3), 2)
    distance = 1 - np.eye(2)
    counts = pair_counts(design, distance)
    assert counts.n.tolist() == [3.0]
    found = agreement_of(counts, distance, "percent")
    assert found.value.tolist() == [0.5]
    # of three units with agreement .5, 1 and 0
    error = spread_of(design, counts, found, distance).std_error[0]
    assert error == pytest.approx(np.std([0.5, 1, 0], ddof=1) / np.sqrt(3))


def test_degenerate_pairs() -> None:
    """Nothing in common, a single value, and a subject with a single value."""
    table = np.array([[0, -1, 0, 0], [1, -1, 0, 0], [1, -1, 0, 0], [0, 1, -1, -1]])
    design = design_of(table)
    value = values_of(design, 1 - np.eye(2), "kappa").reshape(-1)
    of = {(int(a), int(b)): v for a, b, v in zip(design.first, design.second, value, strict=True)}
    assert of[0, 2] == of[0, 3] == 0
    assert np.isnan(of[1, 2])
    assert np.isnan(of[2, 3])  # both gave a single value
    assert np.isnan(values_of(design, 1 - np.eye(2), "tau_b")[1])
    error = spread(design, 1 - np.eye(2), "kappa").std_error
    assert error[1] == 0  # no unit changes it
    assert np.isnan(error[0])  # of one unit
