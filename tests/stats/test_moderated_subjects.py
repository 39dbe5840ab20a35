"""Moderated mean squares of subjects against an analysis of variance and drawn χ²."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import brentq
from scipy.special import digamma, polygamma
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth._typing import Floats
from fuzzytruth.core.cells import Cells
from fuzzytruth.errors import DegenerateWarning
from fuzzytruth.stats.moderated_subjects import expected_half, steadied
from fuzzytruth.stats.observations import Observations, against, all_pairs
from fuzzytruth.stats.world_estimates import estimate

BOTH = ("query", "subject")


def values_of(k: int, q: int, s: int, seed: int, loud: float = 1.0) -> Floats:
    """(systems, queries, subjects); the last system's subjects differ `loud` times as much."""
    rng = np.random.default_rng(seed)
    of_subjects = 0.4 * rng.normal(size=(k, 1, s))
    of_subjects[-1] *= loud
    out = 0.7 * rng.normal(size=(k, q, 1)) + of_subjects + rng.normal(size=(k, q, s))
    out[0] += 1.0
    return out


def anova(d: Floats) -> tuple[float, float, float]:
    """Sums of squares of queries, subjects and the rest of a table (queries, subjects)."""
    q, s = d.shape
    of_q = s * ((d.mean(axis=1) - d.mean()) ** 2).sum()
    of_s = q * ((d.mean(axis=0) - d.mean()) ** 2).sum()
    return of_q, of_s, ((d - d.mean()) ** 2).sum() - of_q - of_s


def p_drawn(squares: tuple[float, float, float], df: tuple[float, ...], size: float) -> float:
    """P(|error| ≥ size), by 400,000 draws of the three χ²."""
    rng = np.random.default_rng(0)
    q, s, e = (part / rng.chisquare(d, 400_000) for part, d in zip(squares, df, strict=True))
    n = (df[0] + 1) * (df[2] / df[0] + 1)
    variance = (np.maximum(q - e, 0) + np.maximum(s - e, 0) + e) / n
    return float(2 * stats.norm.sf(size / np.sqrt(variance)).mean())


@pytest.mark.parametrize(("k", "s", "loud"), [(5, 3, 1.0), (5, 4, 6.0), (3, 5, 1.0)])
def test_all_pairs(k: int, s: int, loud: float) -> None:
    q = 12
    values = values_of(k, q, s, seed=k + s, loud=loud)
    pairs = list(combinations(range(k), 2))
    squares = np.array([anova(values[a] - values[b]) for a, b in pairs])
    m, df = len(pairs), s - 1
    ms = squares[:, 1] / df
    log = np.log(ms) - digamma(df / 2) + np.log(df / 2)
    shared = (k - 2) / (2 * (m - 1))
    excess = log.var(ddof=1) / (1 - shared) - polygamma(1, df / 2)
    most = (k - 2) * df / 2
    d0 = most
    if excess > 1e-4:
        half = brentq(lambda y: polygamma(1, y) - excess, 1e-6, 1e6)
        d0 = min(2 * half, most)
    limit = ms * df / stats.chi2.ppf(min(0.01, 1 / (4 * m)), df)
    prior = np.minimum(np.exp(log.mean()), limit)
    table = ft.compare(scores_of(values.swapaxes(1, 2)), over=BOTH).to_frame(full=True)
    assert table["prior_df"].tolist() == pytest.approx([d0] * m, rel=1e-9)
    guard = 1 + 1 / df**2
    of_all = (q - 1.0, float(df), (q - 1.0) * df)
    for row, (of_q, of_s, of_e), more in zip(
        table.itertuples(), squares.tolist(), prior.tolist(), strict=True
    ):
        size = abs(row.difference)
        own = p_drawn((of_q, of_s, of_e), of_all, size)
        moderated = p_drawn((of_q, of_s + d0 * more, of_e), (of_all[0], df + d0, of_all[2]), size)
        smaller = min(moderated, own) if m == 3 else moderated
        expected = min(1.0, max(m * smaller, guard * own))
        assert row.p_adjusted == pytest.approx(expected, rel=0.03, abs=1e-4)
        mean_s, mean_e = (of_s + d0 * more) / (df + d0), of_e / of_all[2]
        parts = np.maximum([of_q / of_all[0] - mean_e, mean_s - mean_e], 0)
        share = parts[1] / (parts.sum() + mean_e)
        assert row.variance_from_subjects == pytest.approx(share, rel=1e-9, abs=1e-12)
    excludes = (table["lower"] > 0) | (table["upper"] < 0)
    assert (excludes == (table["p_adjusted"] <= 0.05)).all()


def observed_of(values: Floats) -> Observations:
    cells = Cells.of_mask(np.ones(values.shape[1:], bool))
    return Observations(cells.of_dense(values), cells)


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.MissingCellWarning")
def test_intervals_agree_with_p() -> None:
    """Also with missing cells, one-sided, and by other corrections than Bonferroni's."""
    values = values_of(6, 15, 3, seed=2)
    values[0] += 1.5
    holes = values.copy()
    rng = np.random.default_rng(3)
    holes[rng.random(holes.shape) < 0.2] = np.nan
    for given in (values, holes):
        scores = scores_of(given.swapaxes(1, 2))
        for how in ({}, {"alternative": "greater"}, {"correction": "sidak"}, {"level": 0.9}):
            options: dict[str, Any] = {"over": BOTH, **how}
            table = ft.compare(scores, **options).to_frame(full=True)
            alpha = 1 - options.get("level", 0.95)
            excludes = (table["lower"] > 0) | (table["upper"] < 0)
            assert (excludes == (table["p_adjusted"] <= alpha)).all()
            assert excludes.any()
        holm = ft.compare(scores, over=BOTH, correction="holm").to_frame(full=True)
        bonferroni = ft.compare(scores, over=BOTH).to_frame(full=True)
        assert (holm["p_adjusted"] <= bonferroni["p_adjusted"] + 1e-12).all()
        guard = np.minimum(1.25 * holm["p"], 1)
        assert (holm["p_adjusted"] >= guard - 1e-12).all()


def test_nothing_is_borrowed() -> None:
    """Of two subjects, two systems, and with correction="none": each pair's own law."""
    for k, s, correction in ((5, 2, None), (5, 4, "none"), (2, 4, None)):
        values = values_of(k, 12, s, seed=4)
        table = ft.compare(
            scores_of(values.swapaxes(1, 2)), over=BOTH, correction=correction
        ).to_frame(full=True)
        assert (table["prior_df"] == 0).all()
        one = estimate(observed_of(values), all_pairs(k), BOTH)
        p = one.p_value() * (1 if correction == "none" else len(table))
        np.testing.assert_array_equal(table["p_adjusted"], np.minimum(p, 1))
        level = 0.95 if correction == "none" else 1 - 0.05 / len(table)
        np.testing.assert_array_equal(table["upper"], one.interval(level)[1])


def test_baselines_and_degenerate_pairs() -> None:
    values = values_of(6, 12, 4, seed=5)
    values[3] = values[2]  # identical
    values[4] = values[1] + 0.25  # the same difference everywhere
    law = estimate(observed_of(values), all_pairs(6), BOTH).law
    found = steadied(law, all_pairs(6))
    assert found is not None
    with pytest.warns(DegenerateWarning, match="the same difference everywhere"):
        result = ft.compare(scores_of(values.swapaxes(1, 2)), over=BOTH)
    table = result.to_frame(full=True)
    same = table[(table["system_a"] == "sys2") & (table["system_b"] == "sys3")].iloc[0]
    assert (same["difference"], same["p_adjusted"]) == (0.0, 1.0)
    assert same["upper"] == -same["lower"] > 0
    said = result.verdicts()[int(same.name)]
    assert said.startswith("sys2 and sys3 have the same m on all 12 queries (difference 0 [-")
    assert said.endswith("adjusted p = 1.00; judged by how much the other pairs vary)")
    constant = table[(table["system_a"] == "sys1") & (table["system_b"] == "sys4")].iloc[0]
    assert constant["p_adjusted"] >= (1 + 1 / 9) / 8  # signs of four subjects
    one = estimate(observed_of(values), against([0], 6), BOTH).law
    of_baseline = steadied(one, against([0], 6))
    assert of_baseline is not None
    assert 0 < of_baseline.d0 <= (6 - 2) * 3 / 2
    nobody = steadied(estimate(observed_of(values), all_pairs(6), ("query",)).law, all_pairs(6))
    assert nobody is None


def test_expected_half_widths() -> None:
    """Those of complete data with the components that were estimated."""
    values = values_of(4, 200, 40, seed=6)
    pairs = all_pairs(4)
    law = estimate(observed_of(values), pairs, BOTH).law
    few = expected_half(law, pairs, 30, 4, 1 - 0.05 / 6)
    rng = np.random.default_rng(7)
    drawn = []
    for _ in range(60):
        some = values[:, rng.integers(200, size=30)][:, :, rng.integers(40, size=4)]
        table = ft.compare(scores_of(some.swapaxes(1, 2)), over=BOTH).to_frame()
        drawn.append((table["upper"] - table["lower"]).median() / 2)
    assert np.median(few) == pytest.approx(np.median(drawn), rel=0.2)
    assert (expected_half(law, pairs, 30, 8, 1 - 0.05 / 6) < few).all()
