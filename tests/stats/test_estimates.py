"""Estimates with standard errors, for each choice of what is random, beside SciPy's and by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats as scipy_stats
from support.scores_for_tests import scores_of

from fuzzytruth.core.cells import Cells
from fuzzytruth.evaluation.scores.summary import observations_of
from fuzzytruth.stats.observations import Observations, all_pairs, each_system
from fuzzytruth.stats.world_estimates import Estimates, estimate


def crossed(seed: int = 0, *, nested: bool = False) -> tuple[np.ndarray, Observations]:
    """Three systems on eight queries by five subjects."""
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(3, 8, 1)) + rng.normal(size=(3, 1, 5)) + rng.normal(size=(3, 8, 5))
    return values, Observations(values.reshape(3, -1), Cells.complete(8, 5), nested=nested)


def intervals_of(result: Estimates, level: float) -> np.ndarray:
    return np.stack(result.interval(level), axis=1)


def test_over_queries_is_students_t_of_their_means() -> None:
    values, data = crossed()
    result = estimate(data, each_system(3), ("query",))
    assert result.method == "t over queries"
    for row, table in enumerate(values):
        expected = scipy_stats.ttest_1samp(table.mean(axis=1), 0)
        assert result.p_value()[row] == pytest.approx(expected.pvalue)
        ends = expected.confidence_interval(0.9)
        assert intervals_of(result, 0.9)[row] == pytest.approx([ends.low, ends.high])
    assert result.n_queries.tolist() == [8] * 3
    assert result.n_subjects.tolist() == [5] * 3


def test_over_queries_of_pairs_is_the_paired_test() -> None:
    values = np.random.default_rng(1).normal(size=(3, 9))
    values[1, 2] = np.nan
    data = Observations(values, Cells.of_queries(9))
    result = estimate(data, all_pairs(3), ("query",))
    for row, (a, b) in enumerate(((0, 1), (0, 2), (1, 2))):
        expected = scipy_stats.ttest_rel(values[a], values[b], nan_policy="omit")
        assert result.p_value()[row] == pytest.approx(expected.pvalue)
        assert result.df[row] == expected.df
    assert result.n_queries.tolist() == [8, 9, 8]
    assert result.n_subjects.tolist() == [0] * 3


def test_over_subjects_is_students_t_of_their_means() -> None:
    values, data = crossed()
    result = estimate(data, all_pairs(3), ("subject",))
    assert result.method == "t over subjects"
    expected = scipy_stats.ttest_rel(values[0].mean(axis=0), values[2].mean(axis=0))
    assert result.p_value()[1] == pytest.approx(expected.pvalue)
    assert result.df.tolist() == [4] * 3


def test_over_both_is_the_analysis_of_variance() -> None:
    """Cornfield & Tukey's expected mean squares, and Satterthwaite's degrees of freedom."""
    values, data = crossed(3)
    result = estimate(data, each_system(3), ("query", "subject"))
    n_q, n_s = 8, 5
    for row, table in enumerate(values):
        grand, by_q, by_s = table.mean(), table.mean(axis=1), table.mean(axis=0)
        ms_q = n_s * ((by_q - grand) ** 2).sum() / (n_q - 1)
        ms_s = n_q * ((by_s - grand) ** 2).sum() / (n_s - 1)
        rest = table - by_q[:, None] - by_s + grand
        ms_e = (rest**2).sum() / ((n_q - 1) * (n_s - 1))
        assert min(ms_q, ms_s) > ms_e  # no component is negative
        variance = (ms_q + ms_s - ms_e) / (n_q * n_s)
        assert result.value[row] == pytest.approx(grand)
        assert result.std_error[row] == pytest.approx(np.sqrt(variance))
        df = (n_q * n_s * variance) ** 2 / (ms_q**2 / (n_q - 1) + ms_s**2 / (n_s - 1))
        assert result.df[row] == pytest.approx(df)


def test_missing_cells_take_components_over_subjects() -> None:
    """In a complete table both methods estimate the same mean; with a cell less, components."""
    _, data = crossed()
    lacking = data.values.copy()
    lacking[:, 7] = np.nan
    result = estimate(Observations(lacking, data.cells), each_system(3), ("subject",))
    assert result.method == "components, subjects random"
    table = lacking.reshape(3, 8, 5)
    np.testing.assert_allclose(result.value, np.nanmean(table, axis=2).mean(axis=1))
    assert (result.std_error > 0).all()


def test_a_query_without_any_value_leaves_a_complete_table() -> None:
    values, data = crossed()
    lacking = data.values.copy()
    lacking[:, 5:10] = np.nan  # the second query
    result = estimate(Observations(lacking, data.cells), each_system(3), ("subject",))
    assert result.method == "t over subjects"
    kept = np.delete(values, 1, axis=1).mean(axis=1)
    np.testing.assert_allclose(result.std_error, scipy_stats.sem(kept, axis=1))


def test_nested_subjects_are_strata() -> None:
    """Queries fixed: variances of the queries' means add up; df as Welch and Satterthwaite."""
    values, data = crossed(2, nested=True)
    result = estimate(data, each_system(3), ("subject",))
    assert result.method == "strata, subjects within queries"
    for row, table in enumerate(values):
        each = table.var(axis=1, ddof=1) / 5
        assert result.value[row] == pytest.approx(table.mean())
        assert result.std_error[row] == pytest.approx(np.sqrt(each.sum()) / 8)
        assert result.df[row] == pytest.approx(each.sum() ** 2 / (each**2 / 4).sum())
    assert result.n_subjects.tolist() == [40] * 3  # another person in another query


def test_two_strata_are_welchs_test() -> None:
    rng = np.random.default_rng(4)
    first, second = rng.normal(size=6), rng.normal(1, 3, size=9)
    cells, _ = Cells.from_pairs(np.repeat([0, 1], [6, 9]), np.r_[np.arange(6), np.arange(9)])
    values = np.concatenate((first, -second))[None]
    result = estimate(Observations(values, cells, nested=True), each_system(1), ("subject",))
    expected = scipy_stats.ttest_ind(first, second, equal_var=False)
    assert result.p_value()[0] == pytest.approx(expected.pvalue)
    assert result.df[0] == pytest.approx(expected.df)


def test_nested_subjects_come_with_their_query() -> None:
    values, data = crossed(nested=True)
    for over in (("query",), ("query", "subject")):
        result = estimate(data, each_system(3), over)
        assert result.method == "t over queries, subjects clustered by query"
        np.testing.assert_allclose(result.std_error, scipy_stats.sem(values.mean(axis=2), axis=1))


def test_one_unit_tells_no_standard_error() -> None:
    data = Observations(np.array([[0.5]]), Cells.complete(1, 1))
    for over in (("query",), ("subject",)):
        result = estimate(data, each_system(1), over)
        assert result.value.tolist() == [0.5]
        assert np.isnan(result.std_error).all()
        assert result.p_value().tolist() == [1]
        assert intervals_of(result, 0.95).tolist() == [[-np.inf, np.inf]]


def test_equal_values_have_no_error() -> None:
    data = Observations(np.full((1, 12), 0.3), Cells.complete(4, 3))
    for over in (("query",), ("subject",), ("query", "subject")):
        result = estimate(data, each_system(1), over)
        assert result.std_error.tolist() == [0]
        assert intervals_of(result, 0.95)[0] == pytest.approx([0.3, 0.3])


@pytest.mark.parametrize("shape", [(1, 1), (1, 3), (3, 1)])
def test_constant_values_of_one_unit_say_nothing(shape: tuple[int, int]) -> None:
    """The interval is infinite, so that p is 1, whatever the values: of equal systems, too."""
    values = np.full((3, *shape), 0.6)
    values[1] = 0.2
    observed = observations_of(scores_of(values), 0)
    result = estimate(observed, all_pairs(3), ("query", "subject"))
    lower, upper = result.interval(0.95)
    assert result.p_value().tolist() == [1, 1, 1]
    assert np.isneginf(lower).all()
    assert np.isposinf(upper).all()
    assert np.isnan(result.std_error).all()
    of_systems = estimate(observed, each_system(3), ("query", "subject"))
    assert np.isnan(of_systems.std_error).all()


@pytest.mark.parametrize("value", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("axis", ["query", "subject"])
def test_a_single_unit_says_nothing_whatever_is_random(
    value: float, missing: bool, axis: str
) -> None:
    values = np.full((2, 1, 4) if axis == "subject" else (2, 4, 1), value)
    if missing:
        values[:, 0, 0] = np.nan
        values[0, -1, -1] = np.nan
    observed = observations_of(scores_of(values), 0)
    for over in ((axis,), ("query", "subject")):
        for contrasts in (each_system(2), all_pairs(2)):
            result = estimate(observed, contrasts, over)  # type: ignore[arg-type]
            assert np.isnan(result.std_error).all()
            assert np.isinf(result.interval(0.95)).all()


@pytest.mark.parametrize("over", [("query",), ("subject",), ("query", "subject")])
def test_identical_systems_on_several_units_differ_by_nothing(over: Any) -> None:
    observed = observations_of(
        scores_of(np.random.default_rng(0).random((1, 2, 3)).repeat(2, 0)), 0
    )
    result = estimate(observed, all_pairs(2), over)
    assert [*result.interval(0.95), result.std_error, result.p_value()] == [0, 0, 0, 1]
