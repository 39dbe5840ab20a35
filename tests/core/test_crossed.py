"""Variance components beside textbooks, least squares, exact expectations and the sparse solve."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fuzzytruth.core import crossed as module
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.crossed import (
    QUERY,
    REPLICATE,
    SUBJECT,
    SYSTEM,
    CrossedLayout,
    EffectsLayout,
    clustered_components,
    crossed_layout,
    pseudo_values,
    variance_components,
    variance_of_mean,
)

NAMES = ("mean", "query", "subject", "residual", "variance", "df", "subject_variance", "subject_df")
# Shrout & Fleiss 1979, Psychological Bulletin 86, Table 2: six targets, four judges.
# Their Table 3: BMS = 11.24, JMS = 32.49, EMS = 1.02.
RATINGS = np.array(
    [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]],
    dtype=float,
)


def layout(present: np.ndarray) -> CrossedLayout:
    """Layout of a table of booleans (queries, subjects)."""
    return crossed_layout(Cells.of_mask(present))


def components(table: np.ndarray):
    """Components of tables (..., queries, subjects); NaN is missing in all of them."""
    of = layout(~np.isnan(table.reshape(-1, *table.shape[-2:])[0]))
    return variance_components(of.cells.of_dense(table), of)


def test_textbook_table() -> None:
    result = components(RATINGS)
    assert round(float(result.residual), 2) == 1.02
    assert round(float(4 * result.query + result.residual), 2) == 11.24
    assert round(float(6 * result.subject + result.residual), 2) == 32.49
    q, s = RATINGS.shape
    mean = RATINGS.mean()
    ms_q = s * ((RATINGS.mean(axis=1) - mean) ** 2).sum() / (q - 1)
    ms_s = q * ((RATINGS.mean(axis=0) - mean) ** 2).sum() / (s - 1)
    rest = RATINGS - RATINGS.mean(axis=1)[:, None] - RATINGS.mean(axis=0) + mean
    ms_e = (rest**2).sum() / ((q - 1) * (s - 1))
    v = (max(ms_q, ms_e) + max(ms_s, ms_e) - ms_e) / (q * s)
    df = (q * s * v) ** 2 / (ms_q**2 / (q - 1) + ms_s**2 / (s - 1))
    found = float(result.mean), float(result.variance), float(result.df)
    assert found == pytest.approx((mean, v, df), rel=1e-12)


def incomplete_mask(seed: int, shape: tuple[int, int]) -> np.ndarray:
    rng = np.random.default_rng(seed)
    while True:
        present = rng.random(shape) > 0.3
        if present.any(axis=0).all() and present.any(axis=1).all():
            return present


@pytest.mark.parametrize(("seed", "shape"), [(0, (6, 4)), (1, (4, 7))])
def test_residual_is_that_of_least_squares(seed: int, shape: tuple[int, int]) -> None:
    present = incomplete_mask(seed, shape)
    tables = np.where(present, np.random.default_rng(seed).normal(size=(3, *shape)), np.nan)
    together = components(tables)
    q, s = np.nonzero(present)
    design = np.hstack((np.eye(shape[0])[q], np.eye(shape[1])[s]))
    df = present.sum() - np.linalg.matrix_rank(design)
    assert layout(present).residual_df == df
    for number, table in enumerate(tables):
        fit, *_ = np.linalg.lstsq(design, table[present], rcond=None)
        rest = ((table[present] - design @ fit) ** 2).sum()
        assert together.residual[number] == pytest.approx(rest / df, rel=1e-9)
        alone = components(table)
        for name in NAMES:
            assert getattr(together, name)[number] == pytest.approx(float(getattr(alone, name)))


def test_components_with_missing_values_are_unbiased() -> None:
    """Each is a quadratic form; its expectation is a trace, 1 for its own component and 0 else."""
    present = incomplete_mask(0, (6, 4))
    cells = np.argwhere(present)
    n = len(cells)
    first, second = np.triu_indices(n)
    tables = np.full((len(first), *present.shape), np.nan)
    tables[:, present] = 0.0
    for cell in (first, second):
        tables[np.arange(len(first)), *cells[cell].T] += 1.0
    result = components(tables)
    q, s = cells.T
    covariances = {
        "query": (q[:, None] == q).astype(float),
        "subject": (s[:, None] == s).astype(float),
        "residual": np.eye(n),
    }
    for name in covariances:
        both = np.zeros((n, n))
        both[first, second] = both[second, first] = getattr(result, name)
        own = np.diag(both) / 4  # f(2 e_i) = 4 b_ii
        form = (both - own[:, None] - own) / 2
        np.fill_diagonal(form, own)
        for other, covariance in covariances.items():
            assert np.trace(form @ covariance) == pytest.approx(float(name == other), abs=1e-9)


@pytest.mark.parametrize("iterations", [2_000, 1])  # 1: by elimination, mostly
@given(seed=st.integers(0, 10_000))
@example(seed=1060)  # a search direction of conjugate gradients lies in the null space
@settings(max_examples=30)
def test_sparse_solve_is_the_dense_one(iterations: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    exists = rng.random((rng.integers(2, 12), rng.integers(2, 12))) < rng.uniform(0.15, 0.9)
    cells = Cells.of_mask(exists).compressed()  # some of it without connection
    if not len(cells):
        return
    values = np.random.default_rng(seed).normal(size=(2, len(cells)))
    few = crossed_layout(cells, most_dense=0)
    assert few.vectors is None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_ITERATIONS", iterations)
        dense = variance_components(values, crossed_layout(cells))
        sparse = variance_components(values, few)
    for name in NAMES:
        np.testing.assert_allclose(
            getattr(sparse, name), getattr(dense, name), rtol=1e-9, atol=1e-12, err_msg=name
        )


def test_a_long_chain_is_eliminated() -> None:
    """Subject j judged queries j and j + 1: conjugate gradients take a step for each link."""
    n = 4_000
    query = np.concatenate((np.arange(n), np.arange(n) + 1))
    cells, _ = Cells.from_pairs(query, np.tile(np.arange(n), 2))
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=n + 1), rng.normal(size=n)
    of = crossed_layout(cells)
    assert (of.parts, of.residual_df, of.vectors) == (1, 0, None)
    result = variance_components(a[cells.query] + b[cells.subject_codes], of)
    # A chain has as many parameters as cells, so that the model fits exactly.
    assert float(result.query) == pytest.approx(a.var(ddof=1), rel=0.1)
    assert float(result.subject) == pytest.approx(b.var(ddof=1), rel=0.1)


EFFECTS = (SYSTEM, QUERY, SUBJECT, SYSTEM | QUERY, SYSTEM | SUBJECT, QUERY | SUBJECT, 13)
#: yield of dyestuff, six batches of five (Davies & Goldsmith 1972; R: lme4::Dyestuff)
DYESTUFF = """
1545 1440 1440 1520 1580 1540 1555 1490 1560 1495 1595 1550 1605 1510 1560
1445 1440 1595 1465 1545 1595 1630 1515 1635 1625 1520 1455 1450 1480 1445
"""
#: strength of paste, ten batches of three casks, two assays each (R: lme4::Pastes)
PASTES = """
62.8 62.6 60.1 62.3 62.7 63.1 60 61.4 57.5 56.9 61.1 58.9 58.7 57.5 63.9 63.1 65.4 63.7 57.1 56.4
56.9 58.6 64.7 64.5 55.1 55.1 54.7 54.2 58.8 57.5 63.4 64.9 59.3 58.1 60.5 60 62.5 62.6 61 58.7
56.9 57.7 59.2 59.4 65.2 66 64.8 64.1 54.8 54.8 64 64 57.7 56.8 58.3 59.3 59.2 59.2 58.9 56.6
"""
#: Brennan 2001, Generalizability theory, chapter 7: p × (i:h) with 2, 4 and 2 items
BRENNAN = """
4 2 2 1 3 1 3 0 5 1 4 3 3 2 5 1 3 2 4 5 6 5 6 1 3 3 7 4 7 6 8 2
5 1 6 5 5 4 6 0 4 4 5 5 7 4 7 4 5 4 8 4 8 5 7 7 7 6 7 5 9 6 8 8
"""


def crossed(present: np.ndarray) -> EffectsLayout:
    """Of the values of (systems, queries, subjects) that are present."""
    t, q, s = np.nonzero(present)
    _, n_queries, n_subjects = present.shape
    codes = (t, q, s, t * n_queries + q, t * n_subjects + s, q * n_subjects + s)
    levels = (*codes, np.arange(len(t)))
    return EffectsLayout.of(dict(zip(EFFECTS, levels, strict=True)))


def estimates(layout: EffectsLayout, values: np.ndarray) -> np.ndarray:
    return np.linalg.solve(layout.expected(), layout.mean_squares(values))


def test_published_components() -> None:
    """REML of MixedModels.jl, docs, constructors; R, lme4; and Brennan's Table."""
    item, person = np.divmod(np.arange(64), 8)
    h = np.array([0, 0, 1, 1, 1, 1, 2, 2])[item]
    each = np.arange(60)
    for text, codes, expected, balanced in (
        (DYESTUFF, {SYSTEM: each[:30] // 5, 9: each[:30]}, [42.000602**2, 2451.25], True),
        (
            PASTES,
            {SYSTEM: each // 6, SYSTEM | REPLICATE: each // 2, SYSTEM | REPLICATE | QUERY: each},
            [1.6573, 8.4337, 0.6780],
            True,
        ),
        (
            BRENNAN,
            {1: person, 4: h, 12: item, 5: person * 3 + h, 13: np.arange(64)},
            [1.2014, 2.9161, 0.2946, 0.9914, 0.8429],
            False,
        ),
    ):
        of = EffectsLayout.of(codes)
        assert of.is_balanced is balanced
        found = estimates(of, np.array(text.split(), dtype=float))
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=0 if len(codes) < 3 else 5e-5)


@pytest.mark.parametrize("share", [1.0, 0.6])
def test_expected_values_are_traces(share: float) -> None:
    of = crossed(np.random.default_rng(3).random((3, 5, 4)) < share)
    same = [(code[:, None] == code).astype(float) for code in of.codes]
    means = [one / one.sum(axis=1) - 1 / of.n for one in same]  # projections on each one's levels
    forms = []
    for place, effect in enumerate(EFFECTS):
        inner = [forms[p] for p in range(place) if EFFECTS[p] & effect == EFFECTS[p]]
        forms.append(means[place] - sum(inner, np.zeros_like(means[0])))
    wanted = [[np.trace(form @ one) for one in same] for form in forms]
    np.testing.assert_allclose(of.expected() * of.df[:, None], wanted, atol=1e-9)
    y = np.random.default_rng(4).normal(size=of.n)
    squares = np.array([y @ form @ y for form in forms])
    found = of.mean_squares(np.stack((y, 2 * y))) * of.df
    np.testing.assert_allclose(found, [squares, 4 * squares], atol=1e-9)
    shifted = estimates(of, 1e3 * y + 1e6)
    np.testing.assert_allclose(shifted, 1e6 * estimates(of, y), rtol=1e-6)
    assert of.is_balanced is (share == 1)


def test_effects_that_are_confounded() -> None:
    """Every subject judged one system: subjects are their interactions with systems."""
    present = np.zeros((2, 4, 6), dtype=bool)
    present[0, :, :3] = present[1, :, 3:] = True
    assert crossed(present).confounded() == [2, 4, 5, 6]
    assert crossed(np.ones((2, 4, 6), dtype=bool)).confounded() == []


def test_variance_of_a_mean() -> None:
    """Of a complete panel: 1/Q for queries, and so on."""
    of = crossed(np.ones((3, 4, 5), dtype=bool))
    factors = variance_of_mean(of, np.full(60, 1 / 20), of.codes[0])
    np.testing.assert_allclose(factors, [1, 1 / 4, 1 / 5, 1 / 4, 1 / 5, 1 / 20, 1 / 20])
    unequal = np.where(of.codes[1] == 0, 0.7 / 5, 0.1 / 5)
    factors = variance_of_mean(of, unequal, of.codes[0])
    np.testing.assert_allclose(factors[[1, 2, 6]], [0.52, 0.2, 0.52 / 5])


# Clusters of queries in the place of queries.

CODE = np.array([0, 0, 1, 2, 2, 2, 3, 1, 3, 4])  # the last is a cluster of one


def left_out(table: np.ndarray, code: np.ndarray) -> np.ndarray:
    """Pseudo-values of each subject's mean, by leaving out one cluster at a time."""
    n = code.max() + 1
    others = np.array([table[code != c].mean(axis=0) for c in range(n)])
    return n * table.mean(axis=0) - (n - 1) * others


def squares_of(table: np.ndarray) -> list[float]:
    """Sums of squares of rows, columns and the rest, by projections."""
    rows, columns = table.shape
    mean_of = [np.full((n, n), 1 / n) for n in (rows, columns)]
    keep = [np.eye(n) - m for n, m in zip((rows, columns), mean_of, strict=True)]
    both = [(keep[0], mean_of[1]), (mean_of[0], keep[1]), (keep[0], keep[1])]
    return [float(((left @ table @ right) ** 2).sum()) for left, right in both]


def test_pseudo_values_leave_out_one_cluster() -> None:
    rng = np.random.default_rng(0)
    tables = rng.normal(size=(3, 10, 4)) + rng.normal(size=(3, 1, 4))
    cells, flat = Cells.complete(10, 4), tables.reshape(3, -1)
    found = pseudo_values(flat, cells, CODE, 5)
    np.testing.assert_allclose(found, [left_out(one, CODE) for one in tables])
    parts = clustered_components(flat, cells, CODE, 5)
    np.testing.assert_allclose(parts.mean, tables.mean(axis=(1, 2)))
    assert parts.squares.df == (4, 3, 12)
    for row, one in enumerate(tables):
        ss = squares_of(left_out(one, CODE))
        of_row = [part[row] for part in (parts.squares.query, parts.squares.subject)]
        np.testing.assert_allclose([*of_row, parts.squares.residual[row]], ss)
        q, s, e = np.divide(ss, parts.squares.df)
        assert parts.variance[row] == pytest.approx((max(q, e) + max(s, e) - e) / 20)
    alone = pseudo_values(flat, cells, np.arange(10), 10)
    np.testing.assert_allclose(alone.reshape(3, -1), flat, rtol=0, atol=1e-12)


def test_clusters_with_cells_missing_are_linearised() -> None:
    """The same as two-way cluster-robust sums, here of a matrix of influences."""
    rng = np.random.default_rng(1)
    exists = rng.random((10, 4)) < 0.7
    exists[:, 0] |= ~exists.any(axis=1)
    cells = Cells.of_mask(exists)
    values = rng.normal(size=(2, len(cells)))
    parts = clustered_components(values, cells, CODE, 5)
    member = (CODE[:, None] == np.arange(5)).astype(float)  # (queries, clusters)
    share = member.mean(axis=0)
    for row, table in enumerate(cells.dense(values)):
        by_query = np.nanmean(table, axis=1)
        weight = exists / exists.sum(axis=1, keepdims=True) / 10
        influence = np.where(exists, weight * (np.nan_to_num(table) - by_query.mean()), 0.0)
        of_cells = np.diag(4 / 5 / (1 - share)) @ member.T @ influence * 20
        found = parts.squares.query[row], parts.squares.subject[row], parts.squares.residual[row]
        np.testing.assert_allclose(found, squares_of(of_cells))
        assert parts.mean[row] == pytest.approx(by_query.mean())
    one_each = clustered_components(values, cells, np.arange(10), 10)
    same = variance_components(values, crossed_layout(cells))
    np.testing.assert_array_equal(one_each.variance, same.variance)


def test_clusters_that_nothing_connects() -> None:
    """Each subject judged a cluster of their own, or there is one cluster: df of 0."""
    cells = Cells.of_mask(np.repeat(np.eye(2, dtype=bool), 3, axis=0))
    apart = clustered_components(np.arange(6.0)[None], cells, np.repeat([0, 1], 3), 2)
    assert min(apart.squares.df[:2]) == 0
    whole = Cells.complete(3, 2)
    alone = clustered_components(np.arange(6.0)[None], whole, np.zeros(3, dtype=int), 1)
    assert (alone.squares.df[0], alone.mean[0]) == (0, 2.5)
