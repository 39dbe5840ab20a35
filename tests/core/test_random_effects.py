"""Variance components by group means, against published tables and dense matrices."""

from __future__ import annotations

import numpy as np
import pytest

from fuzzytruth.core.crossed import (
    QUERY,
    REPLICATE,
    SUBJECT,
    SYSTEM,
    EffectsLayout,
    variance_of_mean,
)

EFFECTS = (SYSTEM, QUERY, SUBJECT, SYSTEM | QUERY, SYSTEM | SUBJECT, QUERY | SUBJECT, 13)
#: yield of dyestuff, six batches of five (Davies & Goldsmith 1972; R: lme4::Dyestuff)
DYESTUFF = [
    [1545, 1440, 1440, 1520, 1580],
    [1540, 1555, 1490, 1560, 1495],
    [1595, 1550, 1605, 1510, 1560],
    [1445, 1440, 1595, 1465, 1545],
    [1595, 1630, 1515, 1635, 1625],
    [1520, 1455, 1450, 1480, 1445],
]
#: strength of paste, ten batches of three casks, two assays each (R: lme4::Pastes)
PASTES = """
62.8 62.6 60.1 62.3 62.7 63.1 60 61.4 57.5 56.9 61.1 58.9 58.7 57.5 63.9 63.1 65.4 63.7 57.1 56.4
56.9 58.6 64.7 64.5 55.1 55.1 54.7 54.2 58.8 57.5 63.4 64.9 59.3 58.1 60.5 60 62.5 62.6 61 58.7
56.9 57.7 59.2 59.4 65.2 66 64.8 64.1 54.8 54.8 64 64 57.7 56.8 58.3 59.3 59.2 59.2 58.9 56.6
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


def simulated(layout: EffectsLayout, variances: np.ndarray, seed: int) -> np.ndarray:
    """Normal values with these components."""
    rng = np.random.default_rng(seed)
    return sum(
        np.sqrt(v) * rng.standard_normal(int(levels))[code]
        for v, levels, code in zip(variances, layout.n_levels, layout.codes, strict=True)
    )


def test_dyestuff() -> None:
    """Batch 42.000602², residual 2451.25: REML of MixedModels.jl, docs, constructors."""
    y = np.array(DYESTUFF, dtype=float).ravel()
    batch = np.repeat(np.arange(6), 5)
    layout = EffectsLayout.of({SYSTEM: batch, SYSTEM | REPLICATE: np.arange(30)})
    assert layout.is_balanced
    np.testing.assert_allclose(estimates(layout, y), [42.000602**2, 2451.25], rtol=1e-6)


def test_pastes() -> None:
    """Nested levels, against mean squares computed one by one."""
    y = np.array(PASTES.split(), dtype=float)
    table = y.reshape(10, 3, 2)
    within = table.var(axis=2, ddof=1).mean()
    casks = 2 * table.mean(axis=2).var(axis=1, ddof=1).mean()
    batches = 6 * table.mean(axis=(1, 2)).var(ddof=1)
    layout = EffectsLayout.of(
        {
            SYSTEM: np.repeat(np.arange(10), 6),
            SYSTEM | REPLICATE: np.repeat(np.arange(30), 2),
            SYSTEM | REPLICATE | QUERY: np.arange(60),
        }
    )
    assert layout.is_balanced
    assert layout.df.tolist() == [9, 20, 30]
    squares = np.array([batches, casks, within])
    np.testing.assert_allclose(layout.mean_squares(y), squares)
    np.testing.assert_allclose(layout.mean_squares(np.stack((y, 2 * y))), [squares, 4 * squares])
    wanted = [(batches - casks) / 6, (casks - within) / 2, within]
    np.testing.assert_allclose(estimates(layout, y), wanted)
    # R, lme4: lmer(strength ~ 1 + (1 | sample) + (1 | batch), Pastes), variances
    np.testing.assert_allclose(wanted, [1.6573, 8.4337, 0.6780], atol=5e-5)


def test_an_unbalanced_table_of_brennan() -> None:
    """Brennan 2001, Generalizability theory, chapter 7: p × (i:h) with 2, 4 and 2 items."""
    items = [
        [4, 2, 2, 1, 3, 1, 3, 0],
        [5, 1, 4, 3, 3, 2, 5, 1],
        [3, 2, 4, 5, 6, 5, 6, 1],
        [3, 3, 7, 4, 7, 6, 8, 2],
        [5, 1, 6, 5, 5, 4, 6, 0],
        [4, 4, 5, 5, 7, 4, 7, 4],
        [5, 4, 8, 4, 8, 5, 7, 7],
        [7, 6, 7, 5, 9, 6, 8, 8],
    ]
    item, person = np.divmod(np.arange(64), 8)
    h = np.array([0, 0, 1, 1, 1, 1, 2, 2])[item]
    codes = {1: person, 4: h, 12: item, 5: person * 3 + h, 13: np.arange(64)}
    layout = EffectsLayout.of(codes)
    assert not layout.is_balanced
    found = estimates(layout, np.array(items, dtype=float).ravel())
    np.testing.assert_allclose(found, [1.2014, 2.9161, 0.2946, 0.9914, 0.8429], atol=5e-5)


@pytest.mark.parametrize("share", [1.0, 0.6])
def test_expected_values_are_traces(share: float) -> None:
    present = np.random.default_rng(3).random((3, 5, 4)) < share
    layout = crossed(present)
    same = [(code[:, None] == code).astype(float) for code in layout.codes]
    means = [one / one.sum(axis=1) for one in same]  # projections on the levels of each effect
    means = [one - 1 / layout.n for one in means]
    forms = []
    for place, effect in enumerate(EFFECTS):
        inner = [forms[p] for p in range(place) if EFFECTS[p] & effect == EFFECTS[p]]
        forms.append(means[place] - sum(inner, np.zeros_like(means[0])))
    wanted = [[np.trace(form @ one) for one in same] for form in forms]
    np.testing.assert_allclose(layout.expected() * layout.df[:, None], wanted, atol=1e-9)
    y = np.random.default_rng(4).normal(size=layout.n)
    squares = [y @ form @ y for form in forms]
    np.testing.assert_allclose(layout.mean_squares(y) * layout.df, squares, atol=1e-9)
    assert layout.is_balanced is (share == 1)


def test_estimates_are_unbiased_where_values_are_missing() -> None:
    layout = crossed(np.random.default_rng(3).random((4, 8, 5)) < 0.7)
    true = np.array([0.2, 1.0, 0.1, 0.5, 0.05, 0.1, 0.3])
    found = np.array([estimates(layout, simulated(layout, true, seed)) for seed in range(800)])
    error = found.std(axis=0) / np.sqrt(len(found))
    assert (np.abs(found.mean(axis=0) - true) < 4 * error).all()


def test_shifts_and_units_do_not_matter() -> None:
    layout = crossed(np.random.default_rng(3).random((4, 8, 5)) < 0.7)
    y = simulated(layout, np.ones(7), 0)
    np.testing.assert_allclose(
        estimates(layout, 1e3 * y + 1e6), 1e6 * estimates(layout, y), rtol=1e-6
    )


def test_what_is_below_rounding_is_none() -> None:
    layout = crossed(np.ones((3, 4, 5), dtype=bool))
    additive = 0.1 * layout.codes[0] + 0.3 * layout.codes[1]
    squares = layout.mean_squares(additive)
    assert (squares > 0).tolist() == [True, True, False, False, False, False, False]
    assert not layout.mean_squares(np.full(60, 0.1)).any()


def test_effects_that_are_confounded() -> None:
    """Every subject judged one system: subjects are their interactions with systems."""
    present = np.zeros((2, 4, 6), dtype=bool)
    present[0, :, :3] = present[1, :, 3:] = True
    layout = crossed(present)
    assert layout.confounded() == [2, 4, 5, 6]
    assert crossed(np.ones((2, 4, 6), dtype=bool)).confounded() == []


def test_variance_of_a_mean() -> None:
    """Of a complete panel: 1/Q for queries, and so on."""
    layout = crossed(np.ones((3, 4, 5), dtype=bool))
    factors = variance_of_mean(layout, np.full(60, 1 / 20), layout.codes[0])
    np.testing.assert_allclose(factors, [1, 1 / 4, 1 / 5, 1 / 4, 1 / 5, 1 / 20, 1 / 20])
    unequal = np.where(layout.codes[1] == 0, 0.7 / 5, 0.1 / 5)
    factors = variance_of_mean(layout, unequal, layout.codes[0])
    np.testing.assert_allclose(factors[[1, 2, 6]], [0.52, 0.2, 0.52 / 5])
