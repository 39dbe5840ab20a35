"""Published examples, each with the command of R that prints the number."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft


def scores_of(**columns: list[float]) -> ft.Scores:
    rows = [(name, q, v) for name, values in columns.items() for q, v in enumerate(values)]
    return ft.Scores.from_frame(pd.DataFrame(rows, columns=["system", "query", "value"]))


# Student 1908, "Cushny and Peebles": R's data set `sleep`.
SLEEP = {
    "first": [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0],
    "second": [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
}
# Hollander & Wolfe 1973: R's example of wilcox.test, Hamilton depression scale.
DEPRESSION = {
    "x": [1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30],
    "y": [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29],
}
# Hollander & Wolfe 1973: R's example of friedman.test, rounding first base.
ROUNDING = np.array(
    [
        "5.40",
        "5.50",
        "5.55",
        "5.85",
        "5.70",
        "5.75",
        "5.20",
        "5.60",
        "5.50",
        "5.55",
        "5.50",
        "5.40",
        "5.90",
        "5.85",
        "5.70",
        "5.45",
        "5.55",
        "5.60",
        "5.40",
        "5.40",
        "5.35",
        "5.45",
        "5.50",
        "5.35",
        "5.25",
        "5.15",
        "5.00",
        "5.85",
        "5.80",
        "5.70",
        "5.25",
        "5.20",
        "5.10",
        "5.65",
        "5.55",
        "5.45",
        "5.60",
        "5.35",
        "5.45",
        "5.05",
        "5.00",
        "4.95",
        "5.50",
        "5.50",
        "5.40",
        "5.45",
        "5.55",
        "5.50",
        "5.55",
        "5.55",
        "5.35",
        "5.45",
        "5.50",
        "5.55",
        "5.50",
        "5.45",
        "5.25",
        "5.65",
        "5.60",
        "5.40",
        "5.70",
        "5.65",
        "5.55",
        "6.30",
        "6.30",
        "6.25",
    ],
    dtype=float,
).reshape(22, 3)


def test_student_paired() -> None:
    # with(sleep, t.test(extra[group == 1], extra[group == 2], paired = TRUE))
    # t = -4.0621, df = 9, p-value = 0.002833; 95 percent: -2.4598858 -0.7001142; mean -1.58
    result = ft.paired_t(scores_of(**SLEEP), "first", "second")
    assert result.statistic == pytest.approx(-4.0621, abs=5e-5)
    assert result.p == pytest.approx(0.002833, abs=5e-7)
    row = ft.compare(scores_of(**SLEEP)).to_frame(full=True).iloc[0]
    assert row["difference"] == pytest.approx(-1.58)
    assert row[["lower", "upper"]].tolist() == pytest.approx([-2.4598858, -0.7001142], abs=5e-8)


def test_wilcoxon_signed_ranks() -> None:
    # wilcox.test(x, y, paired = TRUE, alternative = "greater"): V = 40, p-value = 0.01953
    result = ft.wilcoxon(scores_of(**DEPRESSION), "x", "y")
    assert result.p == pytest.approx(2 * 0.01953, abs=1e-5)


def test_friedman() -> None:
    # friedman.test(RoundingTimes): chi-squared = 11.143, df = 2, p-value = 0.003805
    names = ("round out", "narrow angle", "wide angle")
    columns = dict(zip(names, ROUNDING.T.tolist(), strict=True))
    result = ft.friedman(scores_of(**columns))
    assert result.statistic == pytest.approx(11.143, abs=5e-4)
    assert result.p == pytest.approx(0.003805, abs=5e-7)


def test_corrections() -> None:
    # p.adjust(c(0.01, 0.02, 0.03, 0.04), m) for m of "holm", "hochberg", "hommel", "BH", "BY"
    p = [0.01, 0.02, 0.03, 0.04]
    want = {
        "holm": [0.04, 0.06, 0.06, 0.06],
        "simes-hochberg": [0.04] * 4,
        "hommel": [0.04] * 4,
        "fdr_bh": [0.04] * 4,
        "fdr_by": [0.04 * 25 / 12] * 4,
    }
    for method, adjusted in want.items():
        np.testing.assert_allclose(ft.stats.adjust(p, method), adjusted, atol=1e-12)
