"""Differences between groups of subjects, on arrays."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from scipy.special import comb

from fuzzytruth.core.cells import Cells
from fuzzytruth.core.crossed import crossed_layout, variance_components
from fuzzytruth.stats.group_gaps import group_gaps
from fuzzytruth.stats.observations import Contrasts, Observations, all_pairs

BOTH = ("query", "subject")


def observed(table):
    """Of a table (systems, queries, subjects); a cell exists where any system has a value."""
    table = np.asarray(table, dtype=float)
    cells = Cells.of_mask(~np.isnan(table).all(axis=0))
    return Observations(cells.of_dense(table), cells)


def tables(seed, *, systems=2, queries=9, subjects=(3, 5)):
    rng = np.random.default_rng(seed)
    query = rng.normal(size=(systems, queries, 1))
    return [
        query + rng.normal(size=(systems, 1, s)) + rng.normal(size=(systems, queries, s))
        for s in subjects
    ]


def gaps_of(given, over, pairs=None):
    groups = [observed(table) for table in given]
    return group_gaps(groups, all_pairs(len(given[0])) if pairs is None else pairs, over)


def test_over_queries_it_is_the_paired_t_of_per_query_gaps():
    first, second = tables(0)
    found = gaps_of([first, second], ("query",))
    per_query = [(table[0] - table[1]).mean(axis=1) for table in (first, second)]
    t = stats.ttest_rel(*per_query)
    lower, upper = found.estimates.interval(0.95)
    expected = t.confidence_interval(0.95)
    assert found.estimates.p_value() == pytest.approx([t.pvalue], rel=1e-12)
    assert [lower[0], upper[0]] == pytest.approx([expected.low, expected.high], rel=1e-12)
    assert found.value_a == pytest.approx([per_query[0].mean()], rel=1e-12)
    assert found.value_b == pytest.approx([per_query[1].mean()], rel=1e-12)
    assert found.by_query[:, 0] == pytest.approx(per_query[0] - per_query[1])
    assert (found.n_subjects_a.tolist(), found.n_subjects_b.tolist()) == ([3], [5])


@pytest.mark.parametrize("subjects", [(3, 5), (2, 2), (12, 4)])
def test_over_subjects_it_is_welch(subjects):
    first, second = tables(1, subjects=subjects)
    found = gaps_of([first, second], ("subject",))
    means = [(table[0] - table[1]).mean(axis=0) for table in (first, second)]
    t = stats.ttest_ind(*means, equal_var=False)
    expected = t.confidence_interval(0.9)
    lower, upper = found.estimates.interval(0.9)
    assert found.estimates.df == pytest.approx([t.df], rel=1e-10)
    assert found.estimates.p_value() == pytest.approx([t.pvalue], rel=1e-10)
    assert [lower[0], upper[0]] == pytest.approx([expected.low, expected.high], rel=1e-10)


def test_subjects_with_missing_cells_have_the_variance_of_components():
    first, second = tables(2)
    first[:, 0, 0] = np.nan
    found = gaps_of([first, second], ("subject",))
    exists = ~np.isnan(first[0])
    cells = Cells.of_mask(exists)
    values = cells.of_dense(first[0] - first[1])[None]
    parts = variance_components(values, crossed_layout(cells))
    whole = (second[0] - second[1]).mean(axis=0).var(ddof=1) / 5
    a = float(parts.subject_variance[0])
    assert found.estimates.std_error == pytest.approx([np.sqrt(a + whole)], rel=1e-10)
    df = (a + whole) ** 2 / (a**2 / parts.subject_df[0] + whole**2 / 4)
    assert found.estimates.df == pytest.approx([df], rel=1e-10)
    per_query = np.nanmean(first[0] - first[1], axis=1)
    assert found.value_a == pytest.approx([per_query.mean()], rel=1e-12)


@pytest.mark.parametrize("over", [("query",), ("subject",), BOTH])
def test_only_queries_that_both_judged_count(over):
    first, second = tables(3)
    cut = [first[:, 2:7], second[:, 2:7]]
    first[:, :2], second[:, 7:] = np.nan, np.nan
    whole, part = gaps_of([first, second], over), gaps_of(cut, over)
    assert whole.estimates.n_queries.tolist() == [5]
    for one, other in zip(
        (whole.value_a, whole.value_b, *whole.estimates.interval(0.95)),
        (part.value_a, part.value_b, *part.estimates.interval(0.95)),
        strict=True,
    ):
        assert one == pytest.approx(other, rel=1e-10)


@pytest.mark.parametrize("over", [("query",), ("subject",), BOTH])
def test_a_third_system_changes_nothing(over):
    given = tables(4, systems=3)
    given[0][2, 0, 0] = np.nan
    pairs = Contrasts(np.array([0]), np.array([1]))
    whole = gaps_of(given, over, pairs).estimates
    part = gaps_of([table[:2] for table in given], over).estimates
    assert whole.value == pytest.approx(part.value, rel=1e-12)
    assert whole.std_error == pytest.approx(part.std_error, rel=1e-12)
    assert whole.p_value() == pytest.approx(part.p_value(), rel=1e-9)


@pytest.mark.parametrize("over", [("query",), ("subject",), BOTH])
@pytest.mark.parametrize("missing", [False, True])
def test_scale_shift_and_order_change_nothing(over, missing):
    given = tables(5, systems=3, subjects=(3, 4, 2))
    if missing:
        given[0][:, 1, 0] = np.nan
        given[1][0, 2, 1] = np.nan
    plain = gaps_of(given, over)
    rng = np.random.default_rng(0)
    order = rng.permutation(9)
    moved = [7 * table[:, order][:, :, rng.permutation(table.shape[2])] + 3 for table in given]
    found = gaps_of(moved, over)
    assert found.estimates.value == pytest.approx(7 * plain.estimates.value, rel=1e-9, abs=1e-12)
    assert found.estimates.std_error == pytest.approx(7 * plain.estimates.std_error, rel=1e-9)
    assert found.estimates.p_value() == pytest.approx(plain.estimates.p_value(), rel=1e-6)


@pytest.mark.parametrize("over", [("query",), ("subject",), BOTH])
def test_groups_in_the_other_order_have_the_other_sign(over):
    given = tables(6, systems=3)
    one, other = gaps_of(given, over), gaps_of(given[::-1], over)
    assert other.estimates.value == pytest.approx(-one.estimates.value, rel=1e-12)
    assert other.estimates.p_value() == pytest.approx(one.estimates.p_value(), rel=1e-9)
    assert (other.value_a == one.value_b).all()


def test_rows_are_pairs_of_groups_and_in_them_pairs_of_systems():
    given = tables(7, systems=3, subjects=(2, 3, 4))
    found = gaps_of(given, ("query",))
    means = [table.mean(axis=2).mean(axis=1) for table in given]
    expected = [
        (means[g][i] - means[g][j]) - (means[h][i] - means[h][j])
        for g, h in ((0, 1), (0, 2), (1, 2))
        for i, j in ((0, 1), (0, 2), (1, 2))
    ]
    assert found.estimates.value == pytest.approx(expected, rel=1e-9)
    assert found.n_subjects_a.tolist() == [2] * 6 + [3] * 3
    assert found.n_subjects_b.tolist() == [3] * 3 + [4] * 6
    assert found.estimates.n_subjects.tolist() == [5] * 3 + [6] * 3 + [7] * 3


@pytest.mark.parametrize("over", [("query",), ("subject",), BOTH])
def test_rounding_is_no_gap(over):
    first = np.zeros((2, 6, 2))
    first[0], first[1] = 0.3, 0.2
    second = np.zeros((2, 6, 3))
    second[0], second[1] = 0.2, 0.1
    found = gaps_of([first, second], over).estimates
    assert found.value.tolist() == [0]
    assert [end.tolist() for end in found.interval(0.95)] == [[0], [0]]
    assert found.p_value().tolist() == [1]


@pytest.mark.parametrize(
    ("over", "p"),
    [(("query",), 2**-5.0), (("subject",), 2 / comb(5, 2)), (BOTH, 2 / comb(5, 2))],
)
def test_a_constant_gap_has_the_p_of_its_signs_or_divisions(over, p):
    found = gaps_of([np.stack([np.ones((6, 2))] * 2) * [[[2]], [[1]]], np.zeros((2, 6, 3))], over)
    assert found.estimates.value.tolist() == [1]
    assert found.estimates.std_error.tolist() == [0]
    assert found.estimates.p_value() == pytest.approx([p])
    ends = [float(end[0]) for end in found.estimates.interval(0.95)]
    assert ends == ([1, 1] if p <= 0.05 else [-np.inf, np.inf])


@pytest.mark.parametrize("over", [("subject",), BOTH])
def test_a_group_of_one_has_no_known_spread(over):
    found = gaps_of(tables(8, subjects=(1, 4)), over).estimates
    assert np.isnan(found.std_error).all()
    assert found.p_value().tolist() == [1]
    assert [end.tolist() for end in found.interval(0.95)] == [[-np.inf], [np.inf]]
    fixed = gaps_of(tables(8, subjects=(1, 4)), ("query",)).estimates
    assert (fixed.std_error > 0).all()


@pytest.mark.parametrize("over", [("query",), ("subject",), BOTH])
def test_no_query_in_common(over):
    first, second = tables(9)
    first[:, 4:], second[:, :4] = np.nan, np.nan
    found = gaps_of([first, second], over)
    values = (found.value_a, found.estimates.value, found.estimates.p_value())
    assert all(np.isnan(one).all() for one in values)
    assert found.estimates.n_queries.tolist() == [0]
    assert found.n_subjects_a.tolist() == [0]


def replicates(rng, n, queries, subjects, variances, missing):
    """n data sets at once: systems of which each is compared with a last one, of zeros."""
    of_query, of_subject = variances
    table = np.sqrt(of_query) * rng.normal(size=(n, queries, 1))
    table = table + np.sqrt(of_subject) * rng.normal(size=(n, 1, subjects))
    table = table + rng.normal(size=(n, queries, subjects))
    lost = rng.random((queries, subjects)) < missing
    lost[0], lost[:, 0] = False, False
    table[:, lost] = np.nan
    return observed(np.concatenate([table, np.where(lost, np.nan, 0.0)[None]]))


@pytest.mark.parametrize(("subjects", "missing"), [((3, 3), 0.0), ((5, 10), 0.0), ((4, 6), 0.3)])
@pytest.mark.parametrize("variances", [(0.0, 0.5), (0.5, 0.5)])
def test_intervals_over_both_cover(subjects, missing, variances):
    rng = np.random.default_rng(11)
    n = 300
    groups = [replicates(rng, n, 25, s, variances, missing) for s in subjects]
    pairs = Contrasts(np.arange(n), np.full(n, n))
    lower, upper = group_gaps(groups, pairs, BOTH).estimates.interval(0.95)
    assert ((lower <= 0) & (upper >= 0)).mean() >= 0.93


def test_subjects_without_a_common_query_tell_no_spread():
    first, second = tables(10, queries=6, subjects=(2, 3))
    first[:, :3, 0], first[:, 3:, 1] = np.nan, np.nan
    for over in (("subject",), BOTH):
        found = gaps_of([first, second], over).estimates
        assert np.isnan(found.std_error).all()
        assert found.p_value().tolist() == [1]


def test_two_subjects_with_one_common_query_by_hand():
    """No residual: the first group has no cells left for one, the second is additive."""
    first = np.array([[[0.0, np.nan], [1.0, 4.0]], [[0.0, np.nan], [0.0, 0.0]]])
    second = np.array([[[0.0, 2.0], [9.0, 11.0]], [[0.0, 0.0], [0.0, 0.0]]])
    found = gaps_of([first, second], BOTH).estimates
    between = 3**2 / 2, 2**2 / 2  # variances between subjects
    of_means = (10 / 16 * between[0], between[1] / 2)  # weights of the first: 3/4 and 1/4
    gaps = (0 - 1, 2.5 - 10)
    of_queries = (gaps[0] - gaps[1]) ** 2 / 2 - between[0] / 4  # what one subject more changes
    assert found.value == pytest.approx([sum(gaps) / 2])
    assert found.std_error**2 == pytest.approx([of_queries / 2 + sum(of_means)])
