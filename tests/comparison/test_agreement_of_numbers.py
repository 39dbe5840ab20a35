"""P-values and intervals agree, and nothing depends on units, origin, order or names."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.scores_for_tests import scores_of

import fuzzytruth as ft

CASES = 350  # of each seed: with 5 to 6 pairs a case, some 12,000 comparisons in all
OVER: tuple[Any, ...] = ("query", "subject", ("query", "subject"))
CORRECTIONS = (None, "max-t", "sign-flips", "bonferroni", "sidak", "holm", "hommel", "none")


def random_values(rng: np.random.Generator, *, subjects: bool) -> np.ndarray:
    """Values with ties, identical systems, constant differences and missing cells at times."""
    k, s, n = int(rng.integers(2, 5)), int(rng.integers(1, 5)), int(rng.integers(1, 16))
    shape = (k, s, n) if subjects else (k, n)
    values = rng.normal(size=shape) * rng.choice([0.01, 1.0]) + rng.normal(
        size=(k, *[1] * (len(shape) - 1))
    )
    if subjects:
        values += rng.normal(size=(k, s, 1)) * rng.choice([0.0, 0.5])
    if rng.random() < 0.4:
        values = np.round(values, 1)
    if rng.random() < 0.15:
        values[-1] = values[0] + rng.choice([0.0, 0.3])
    if rng.random() < 0.3:
        values[rng.random(shape) < 0.25] = np.nan
    return values


def random_options(rng: np.random.Generator, values: np.ndarray) -> dict[str, Any]:
    """Options that go together."""
    over = OVER[rng.integers(3)] if values.ndim == 3 else "query"
    given: dict[str, Any] = {"over": over, "level": float(rng.choice([0.7, 0.9, 0.95, 0.99]))}
    correction = CORRECTIONS[rng.integers(len(CORRECTIONS))]
    if over == "query" or correction not in ("max-t", "sign-flips"):
        given["correction"] = correction
    two_sided = given.get("correction") == "sign-flips"
    given["alternative"] = (
        "two-sided" if two_sided else str(rng.choice(["two-sided", "greater", "less"]))
    )
    if rng.random() < 0.3:
        given["baseline"] = "sys0"
    if over == "query" and not two_sided and rng.random() < 0.3:
        queries = values.shape[-1]
        given["clusters"] = {f"q{q}": f"t{q // 2}" for q in range(queries)}
    return given


def compared(values: np.ndarray, given: dict[str, Any], **more: Any) -> ft.Comparison | None:
    """None where the scores do not go with the options."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ft.compare(scores_of(values, **more), n_resamples=99, **given)
        except (ft.DataError, ft.OptionError):
            return None


@pytest.mark.parametrize("seed", range(8))
def test_intervals_exclude_0_exactly_where_p_says_so(seed: int) -> None:
    rng = np.random.default_rng([20, seed])
    seen = 0
    for _ in range(CASES):
        values = random_values(rng, subjects=bool(rng.random() < 0.5))
        given = random_options(rng, values)
        result = compared(values, given)
        if result is None:
            continue
        table = result.to_frame(full=True)
        alpha = (1 - given["level"]) * (1 + 1e-12)
        excluded = (table["lower"] > 0) | (table["upper"] < 0)
        unadjusted = result.conditions.interval == "unadjusted"
        p = table["p"] if unadjusted else table["p_adjusted"]
        known = table["difference"].notna()
        assert (excluded[known] == (p[known] <= alpha)).all(), (given, table.T)
        assert (table["significant"] == (table["p_adjusted"] <= alpha)).all()
        assert (table["p_adjusted"][known] >= table["p"][known] * (1 - 1e-12)).all(), given
        inside = (table["lower"] <= table["difference"]) & (table["difference"] <= table["upper"])
        assert inside[known].all()
        assert table[["p", "p_adjusted", "lower", "upper"]][known].notna().all(axis=None)
        seen += len(table)
    assert seen > 600


NUMBERS = [
    "p_permutation",
    "difference",
    "lower",
    "upper",
    "std_error",
    "p",
    "p_adjusted",
    "wins",
    "ties",
]
UNITS = ["difference", "lower", "upper", "std_error"]


def table_of(values: np.ndarray, given: dict[str, Any]) -> pd.DataFrame:
    result = compared(values, given)
    assert result is not None
    table = result.to_frame(full=True)
    return table[[name for name in NUMBERS if name in table]]


@pytest.mark.parametrize(
    ("over", "correction"),
    [(over, correction) for over in OVER for correction in (None, "holm")]
    + [("query", "sign-flips")],
)
def test_units_and_origin_do_not_matter(over: Any, correction: str | None) -> None:
    given = {"over": over, "correction": correction}
    for seed in range(6):
        rng = np.random.default_rng([21, seed])
        values = np.round(rng.normal(0.5, 0.3, (4, 3, 12)), 1)
        if seed % 2:
            values[:, rng.random((3, 12)) < 0.2] = np.nan
        one = table_of(values, given)
        for unit in (10.0, 1 / 3, 1e-100, 1e100):
            other = table_of(values * unit, given)
            other[UNITS] /= unit
            pd.testing.assert_frame_equal(other, one, rtol=1e-8, atol=1e-12)
        pd.testing.assert_frame_equal(table_of(values + 7.7, given), one, rtol=1e-8, atol=1e-12)


def test_names_and_the_order_of_systems_do_not_matter() -> None:
    rng = np.random.default_rng(22)
    values = rng.normal(size=(4, 3, 14)) + np.arange(4)[:, None, None] * 0.3
    values[1, :, 12:] = np.nan
    order = [2, 0, 3, 1]
    for given in ({}, {"over": ("query", "subject")}, {"correction": "sign-flips"}):
        one, other = compared(values, given), compared(values[order], given)
        assert one is not None
        assert other is not None
        swapped = {f"sys{new}": f"sys{old}" for new, old in enumerate(order)}
        table = one.to_frame(full=True).set_index(["system_a", "system_b"])
        for row in other.to_frame(full=True).itertuples():
            a, b = swapped[row.system_a], swapped[row.system_b]
            sign = 1 if (a, b) in table.index else -1
            same = table.loc[(a, b) if sign == 1 else (b, a)]
            assert row.difference == pytest.approx(sign * same["difference"])
            lower, upper = sorted((sign * row.lower, sign * row.upper))
            assert (lower, upper) == pytest.approx((same["lower"], same["upper"]))
            assert row.p_adjusted == pytest.approx(same["p_adjusted"])


def test_the_order_of_queries_does_not_matter() -> None:
    rng = np.random.default_rng(23)
    values = rng.normal(size=(3, 4, 10))
    values[:, 1, 7] = np.nan
    order = rng.permutation(10)
    for given in (
        {},
        {"alternative": "greater"},
        {"correction": "bonferroni"},
        {"over": "subject"},
        {"over": ("query", "subject")},
    ):
        one, other = table_of(values, given), table_of(values[..., order], given)
        pd.testing.assert_frame_equal(other, one, rtol=1e-9, atol=1e-12)


def test_rounding_makes_no_winner() -> None:
    """Differences +.1, +.2, -.3 by three subjects, and a third system that lacks a cell."""
    values = np.full((3, 3, 6), 0.5)
    values[0] += np.array([0.1, 0.2, -0.3])[:, None]
    values[2, 1, 4] = np.nan
    for over in OVER:
        result = compared(values, {"over": over})
        assert result is not None
        row = result.to_frame(full=True).iloc[0]
        assert (row["difference"], row["p_adjusted"], row["significant"]) == (0.0, 1.0, False)
        assert (row["wins"], row["ties"], row["losses"]) == (0, 6, 0)
        assert row["d_z"] == 0.0
