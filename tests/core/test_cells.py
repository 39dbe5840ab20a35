"""Cells beside dense tables with NaN."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzzytruth.core.cells import Cells, grouped_mean, grouped_sum
from fuzzytruth.core.clusters import nan_mean

quick = settings(max_examples=60)


def random_cells(seed: int, share: float = 0.6) -> tuple[np.random.Generator, np.ndarray]:
    """A generator and which cells of a small table exist; rows and columns may be empty."""
    rng = np.random.default_rng(seed)
    return rng, rng.random((rng.integers(1, 7), rng.integers(1, 7))) < share


@given(seed=st.integers(0, 10_000), share=st.sampled_from([0.1, 0.6, 1.0]))
@quick
def test_sums_and_means_are_those_of_the_dense_table(seed: int, share: float) -> None:
    rng, exists = random_cells(seed, share)
    cells = Cells.of_mask(exists)
    table = np.where(exists, rng.normal(size=(3, *exists.shape)), np.nan)
    table[rng.random(table.shape) < 0.2] = np.nan  # of cells that exist, some have no value
    values = cells.of_dense(table)
    np.testing.assert_array_equal(cells.dense(values), table)
    for axis, mean, total in (
        (-1, cells.mean_by_query, cells.sum_by_query),
        (-2, cells.mean_by_subject, cells.sum_by_subject),
    ):
        expected = np.nansum(table, axis=axis)
        np.testing.assert_allclose(total(np.nan_to_num(values)), expected, atol=1e-14)
        np.testing.assert_allclose(mean(values), nan_mean(table, axis), atol=1e-14)
    np.testing.assert_array_equal(cells.sizes, exists.sum(axis=1))
    np.testing.assert_array_equal(cells.subject_sizes, exists.sum(axis=0))
    np.testing.assert_array_equal(cells.incidence().toarray(), exists)
    assert cells.is_complete == exists.all()


@given(seed=st.integers(0, 10_000))
@quick
def test_some_cells_numbers_anew_and_pairs_in_any_order(seed: int) -> None:
    rng, exists = random_cells(seed)
    cells = Cells.of_mask(exists)
    chosen = rng.random(len(cells)) < 0.5
    fewer = cells.select(chosen)
    kept = cells.dense(chosen, fill=False)
    np.testing.assert_array_equal(fewer.incidence().toarray(), kept)
    small = fewer.compressed().incidence().toarray()
    np.testing.assert_array_equal(small, kept[kept.any(axis=1)][:, kept.any(axis=0)])
    query, subject = np.nonzero(exists)
    shuffled = rng.permutation(len(query))
    sizes = {"n_queries": len(exists), "n_subjects": exists.shape[1]}
    again, order = Cells.from_pairs(query[shuffled], subject[shuffled], **sizes)
    np.testing.assert_array_equal(again.query, query)
    np.testing.assert_array_equal(again.subject, subject)
    np.testing.assert_array_equal(shuffled[order], np.arange(len(query)))


def test_queries_without_subjects() -> None:
    cells = Cells.of_queries(3)
    values = np.array([[1.0, np.nan, 3.0]])
    np.testing.assert_array_equal(cells.mean_by_query(values), values)
    assert cells.mean_by_subject(values).tolist() == [[2.0]]
    assert (cells.subject, cells.n_subjects, cells.is_complete) == (None, 1, True)
    fewer = cells.select(np.array([True, False, True]))
    np.testing.assert_array_equal(fewer.mean_by_query(values[:, [0, 2]]), values)
    cells, order = Cells.from_pairs(np.array([2, 0], dtype=np.int32), None)
    assert (cells.n_queries, cells.offsets.tolist(), order.tolist()) == (3, [0, 1, 1, 2], [1, 0])
    assert cells.query.dtype == np.int64
    cells, _ = Cells.from_pairs(np.array([0]), np.array([0]))
    assert (cells.n_queries, cells.n_subjects) == (1, 1)


@pytest.mark.parametrize("groups", [1, 3, 9])
def test_groups(groups: int) -> None:
    rng = np.random.default_rng(groups)
    values, group = rng.normal(size=(2, 2, 8)), rng.integers(groups, size=8)
    values[0, 0, :3] = np.nan
    for g in range(groups):
        of_group = values[..., group == g]
        expected = nan_mean(of_group, -1)
        np.testing.assert_allclose(grouped_mean(values, group, groups)[..., g], expected)
        total = grouped_sum(np.nan_to_num(values), group, groups)
        np.testing.assert_allclose(total[..., g], np.nansum(of_group, axis=-1), atol=1e-15)
