"""Differences on several collections: against draws of the χ², and rules of degenerate data."""

import numpy as np
import pytest
from scipy import stats

from fuzzytruth.core.cells import Cells
from fuzzytruth.stats.collections import CollectionDifferences
from fuzzytruth.stats.observations import Observations, QueryGroups, against, all_pairs
from fuzzytruth.stats.world_estimates import estimate


def observed(*collections: np.ndarray) -> Observations:
    """Of two systems or more, the last of which scores 0, from differences (queries, systems)."""
    tables = [np.atleast_2d(np.asarray(one, dtype=float).T) for one in collections]
    code = np.repeat(np.arange(len(tables)), [table.shape[1] for table in tables])
    values = np.concatenate(tables, axis=1)
    values = np.concatenate([values, np.zeros((1, values.shape[1]))])
    groups = QueryGroups("collections", code, len(tables))
    return Observations(values, Cells.of_queries(len(code)), groups=groups)


def drawn(n: list[int], *, tau: float = 0.05, mean: float = 0.05, seed: int = 3) -> list:
    rng = np.random.default_rng(seed)
    return [rng.normal(mean + rng.normal(0, tau), 0.2, size) for size in n]


def test_the_mean_is_students_over_collections() -> None:
    given = drawn([12, 30, 45, 20])
    fit = estimate(observed(*given), all_pairs(2), ("query",))
    means = [one.mean() for one in given]
    expected = stats.ttest_1samp(means, 0)
    assert fit.value[0] == pytest.approx(np.mean(means))
    assert fit.p_value()[0] == pytest.approx(expected.pvalue)
    assert (fit.df[0], fit.n_units[0], fit.n_queries[0]) == (3, 4, 107)
    ends = [end[0] for end in fit.interval(0.9)]
    assert ends == pytest.approx([*expected.confidence_interval(0.9)])


@pytest.mark.parametrize("n", [[10, 40], [12, 30, 45], [10, 20, 30, 40, 50], [2, 9, 30, 5]])
def test_prediction_and_deviation_follow_the_chi_squares(n: list[int]) -> None:
    given, draws = drawn(n), 200_000
    found = CollectionDifferences.of(observed(*given), all_pairs(2))
    rng, k = np.random.default_rng(1), len(n)
    d, sizes = np.array([one.mean() for one in given]), np.array(n)
    s2 = np.array([one.var(ddof=1) for one in given])
    theta = (k - 1) * d.var(ddof=1) / stats.chi2.ppf((np.arange(draws) + 0.5) / draws, k - 1)
    chi2 = rng.chisquare(sizes - 1.0, (draws, k))
    sampling = (s2 * (sizes - 1) / sizes / chi2).mean(axis=1)
    tau2 = np.maximum(theta - sampling, 0)
    variance = np.maximum(theta, sampling) / k + tau2
    half = found.on_another().law.half(0.95, "two-sided")[0]
    assert 2 * stats.norm.sf(half / np.sqrt(variance)).mean() == pytest.approx(0.05, abs=0.0015)
    value, lower, upper = (one[0] for one in found.deviations(0.9))
    assert value == pytest.approx(np.sqrt(max(d.var(ddof=1) - (s2 / sizes).mean(), 0)))
    assert upper == 0 or np.mean(np.sqrt(tau2) <= upper) == pytest.approx(0.95, abs=0.003)
    assert np.mean(np.sqrt(tau2) <= upper) >= 0.947
    assert lower == 0 or np.mean(np.sqrt(tau2) <= lower) == pytest.approx(0.05, abs=0.003)


def test_pairs_of_other_sizes_have_the_same_numbers_as_alone() -> None:
    rng = np.random.default_rng(5)
    tables = [rng.normal(0.1, 0.2, (size, 20)) for size in (9, 14, 6)]
    tables[0][:3, 4], tables[2][:, 7] = np.nan, np.nan  # of these systems
    pairs = against([20], 21)
    found = CollectionDifferences.of(observed(*tables), pairs)
    half = found.on_another().law.half(0.95, "two-sided")
    for system in (0, 4, 7, 19):
        alone = [table[:, system] for table in tables]
        one = CollectionDifferences.of(observed(*alone), all_pairs(2))
        assert one.on_another().law.half(0.95, "two-sided")[0] == pytest.approx(half[system])
        assert [x[0] for x in one.deviations(0.95)] == pytest.approx(
            [x[system] for x in found.deviations(0.95)]
        )
    assert found.between.n[7] == 2


def by_hand(p: list[float], alpha: float) -> int:
    """The largest u of which all partial conjunctions of 1 to u are rejected."""
    ordered, count = sorted(p), 0
    for place, one in enumerate(ordered):
        if (len(p) - place) * one > alpha:
            break
        count += 1
    return count


def test_the_count_is_that_of_partial_conjunctions() -> None:
    for seed in range(30):
        given = drawn([8, 15, 25, 40, 12], tau=0.1, seed=seed)
        found = CollectionDifferences.of(observed(*given), all_pairs(2))
        p = [stats.ttest_1samp(one, 0, alternative="greater").pvalue for one in given]
        assert found.at_least(0.95, "greater")[0] == by_hand(p, 0.05)
        assert found.at_least(0.95, "less")[0] == by_hand([1 - one for one in p], 0.05)
        up = np.mean([one.mean() for one in given]) >= 0
        both = p if up else [1 - one for one in p]
        assert found.at_least(0.95, "two-sided")[0] == by_hand(both, 0.025)


def test_identical_systems_on_a_collection_count_as_no_difference() -> None:
    given = [np.zeros(10), *drawn([12, 20], mean=0.3)]
    found = CollectionDifferences.of(observed(*given), all_pairs(2))
    assert (found.within.mean[0, 0], found.within.std[0, 0], found.between.n[0]) == (0, 0, 3)
    assert found.each().p_value()[0] == 1
    assert found.at_least(0.95, "greater")[0] == 2
    assert np.isfinite(found.on_another().law.half(0.95, "two-sided")[0])


def test_all_differences_alike() -> None:
    same = [np.full(n, 0.1) for n in (5, 8, 6)]
    found = CollectionDifferences.of(observed(*same), all_pairs(2))
    fit = estimate(observed(*same), all_pairs(2), ("query",))
    assert fit.p_value()[0] == 0.25  # 2^(1 - K)
    assert np.isinf(fit.interval(0.95)).all()
    assert np.isinf(found.on_another().interval(0.95)).all()
    nothing = [np.zeros(n) for n in (5, 8)]
    found = CollectionDifferences.of(observed(*nothing), all_pairs(2))
    assert [*np.ravel(found.on_another().interval(0.95))] == [0, 0]
    assert [x[0] for x in found.deviations(0.95)] == [0, 0, 0]
    assert found.at_least(0.95, "two-sided")[0] == 0


def test_a_collection_of_one_query_widens_the_prediction_and_says_nothing_alone() -> None:
    given = drawn([10, 20, 30], tau=0.2)
    one = [*given[:2], given[2][:1]]
    found = CollectionDifferences.of(observed(*one), all_pairs(2))
    assert np.isinf(found.each().interval(0.95)[1][2])
    assert found.each().p_value()[2] == 1
    assert np.isfinite(found.on_another().interval(0.95)).all()


def test_a_single_collection_with_values_tells_nothing_of_others() -> None:
    given = [np.array([0.1, 0.2, 0.4]), np.full(3, np.nan)]
    found = CollectionDifferences.of(observed(*given), all_pairs(2))
    assert np.isinf(found.on_another().interval(0.95)).all()
    assert np.isnan(np.ravel(found.deviations(0.95))).all()
