"""Differences between groups of subjects, on arrays."""

from typing import Any

import numpy as np
import pytest
from scipy import stats
from scipy.special import comb

from fuzzytruth.core.cells import Cells
from fuzzytruth.core.crossed import crossed_layout, variance_components
from fuzzytruth.stats.directions import GroupGaps, group_gaps
from fuzzytruth.stats.observations import Contrasts, Observations, all_pairs

BOTH = ("query", "subject")
OVER: list[Any] = [("query",), ("subject",), BOTH]


def observed(table: Any) -> Observations:
    """Of a table (systems, queries, subjects); a cell exists where any system has a value."""
    table = np.asarray(table, dtype=float)
    cells = Cells.of_mask(~np.isnan(table).all(axis=0))
    return Observations(cells.of_dense(table), cells)


def tables(
    seed: int, *, systems: int = 2, queries: int = 9, subjects: tuple[int, ...] = (3, 5)
) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    query = rng.normal(size=(systems, queries, 1))
    return [
        query + rng.normal(size=(systems, 1, s)) + rng.normal(size=(systems, queries, s))
        for s in subjects
    ]


def gaps_of(given: list[Any], over: Any, pairs: Contrasts | None = None) -> GroupGaps:
    groups = [observed(table) for table in given]
    return group_gaps(groups, all_pairs(len(given[0])) if pairs is None else pairs, over)


def ends_of(found: GroupGaps, level: float = 0.95) -> list[float]:
    return [float(end[0]) for end in found.estimates.interval(level)]


def test_over_queries_it_is_the_paired_t_of_per_query_gaps() -> None:
    first, second = tables(0)
    found = gaps_of([first, second], ("query",))
    per_query = [(table[0] - table[1]).mean(axis=1) for table in (first, second)]
    t = stats.ttest_rel(*per_query)
    assert found.estimates.p_value() == pytest.approx([t.pvalue], rel=1e-12)
    assert ends_of(found) == pytest.approx([*t.confidence_interval(0.95)], rel=1e-12)
    assert found.value_a == pytest.approx([per_query[0].mean()], rel=1e-12)
    assert found.value_b == pytest.approx([per_query[1].mean()], rel=1e-12)
    assert found.by_query[:, 0] == pytest.approx(per_query[0] - per_query[1])
    assert (found.n_subjects_a.tolist(), found.n_subjects_b.tolist()) == ([3], [5])


@pytest.mark.parametrize("subjects", [(3, 5), (2, 2), (12, 4)])
def test_over_subjects_it_is_welch(subjects: tuple[int, int]) -> None:
    first, second = tables(1, subjects=subjects)
    found = gaps_of([first, second], ("subject",))
    t = stats.ttest_ind(*[(x[0] - x[1]).mean(axis=0) for x in (first, second)], equal_var=False)
    assert found.estimates.df == pytest.approx([t.df], rel=1e-10)
    assert found.estimates.p_value() == pytest.approx([t.pvalue], rel=1e-10)
    assert ends_of(found, 0.9) == pytest.approx([*t.confidence_interval(0.9)], rel=1e-10)


def test_subjects_with_missing_cells_have_the_variance_of_components() -> None:
    first, second = tables(2)
    first[:, 0, 0] = np.nan
    found = gaps_of([first, second], ("subject",))
    cells = Cells.of_mask(~np.isnan(first[0]))
    values = cells.of_dense(first[0] - first[1])[None]
    parts = variance_components(values, crossed_layout(cells))
    whole = (second[0] - second[1]).mean(axis=0).var(ddof=1) / 5
    a = float(parts.subject_variance[0])
    assert found.estimates.std_error == pytest.approx([np.sqrt(a + whole)], rel=1e-10)
    df = (a + whole) ** 2 / (a**2 / parts.subject_df[0] + whole**2 / 4)
    assert found.estimates.df == pytest.approx([df], rel=1e-10)
    mean = np.nanmean(first[0] - first[1], axis=1).mean()
    assert found.value_a == pytest.approx([mean], rel=1e-12)


@pytest.mark.parametrize(
    ("over", "p"),
    [(("query",), 2**-5.0), (("subject",), 2 / comb(5, 2)), (BOTH, 2 / comb(5, 2))],
)
def test_gaps_without_spread(over: Any, p: float) -> None:
    """A constant gap has the p of its signs or divisions; rounding is no gap."""
    constant = np.stack([np.full((6, 2), 2.0), np.ones((6, 2))])
    found = gaps_of([constant, np.zeros((2, 6, 3))], over)
    assert (found.estimates.value.tolist(), found.estimates.std_error.tolist()) == ([1], [0])
    assert found.estimates.p_value() == pytest.approx([p])
    assert ends_of(found) == ([1, 1] if p <= 0.05 else [-np.inf, np.inf])
    first, second = (np.tile(np.array(v)[:, None, None], (6, 2)) for v in ((0.3, 0.2), (0.2, 0.1)))
    found = gaps_of([first, second], over)
    assert (ends_of(found), found.estimates.p_value().tolist()) == ([0, 0], [1])


@pytest.mark.parametrize("over", OVER)
def test_groups_that_tell_no_spread(over: Any) -> None:
    """A group of one, no query in common, and subjects without a common query."""
    single = gaps_of(tables(8, subjects=(1, 4)), over)
    first, second = tables(10, queries=6, subjects=(2, 3))
    first[:, :3, 0], first[:, 3:, 1] = np.nan, np.nan
    for found in (single, gaps_of([first, second], over)):
        if over == ("query",):
            assert (found.estimates.std_error > 0).all()
        else:
            assert np.isnan(found.estimates.std_error).all()
            assert (found.estimates.p_value().tolist(), ends_of(found)) == ([1], [-np.inf, np.inf])
    first, second = tables(9)
    first[:, 4:], second[:, :4] = np.nan, np.nan
    found = gaps_of([first, second], over)
    values = (found.value_a, found.estimates.value, found.estimates.p_value())
    assert np.isnan(values).all()
    assert (found.estimates.n_queries.tolist(), found.n_subjects_a.tolist()) == ([0], [0])


@pytest.mark.parametrize(
    ("subjects", "missing", "variances"),
    [((3, 3), 0.0, (0.0, 0.5)), ((5, 10), 0.0, (0.5, 0.5)), ((4, 6), 0.3, (0.5, 0.5))],
)
def test_intervals_over_both_cover(subjects, missing, variances):
    """Of data sets at once: systems of which each is compared with a last one, of zeros."""
    rng, n, groups = np.random.default_rng(11), 300, []
    for s in subjects:
        table = np.sqrt(variances[0]) * rng.normal(size=(n, 25, 1)) + rng.normal(size=(n, 25, s))
        table = table + np.sqrt(variances[1]) * rng.normal(size=(n, 1, s))
        lost = rng.random((25, s)) < missing
        lost[0], lost[:, 0] = False, False
        groups.append(observed(np.where(lost, np.nan, [*table, np.zeros((25, s))])))
    pairs = Contrasts(np.arange(n), np.full(n, n))
    lower, upper = group_gaps(groups, pairs, BOTH).estimates.interval(0.95)
    assert ((lower <= 0) & (upper >= 0)).mean() >= 0.93
