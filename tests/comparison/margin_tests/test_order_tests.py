"""Dominance, superiority over possible truths, and Friedman's test."""

import pickle

import numpy as np
import pandas as pd
import pytest
from scipy import stats as scipy_stats
from support.scores_for_tests import scores_of
from support.texts import is_stored

import fuzzytruth as ft

PAIR = ("sys0", "sys1")
# Demšar 2006, JMLR 7, Table 6: AUC of four variants of C4.5 on 14 data sets.
DEMSAR = """
.763 .599 .954 .628 .882 .936 .661 .583 .775 1.000 .940 .619 .972 .957
.768 .591 .971 .661 .888 .931 .668 .583 .838 1.000 .962 .666 .981 .978
.771 .590 .968 .654 .886 .916 .609 .563 .866 1.000 .965 .614 .9751 .946
.798 .569 .967 .657 .898 .931 .685 .625 .875 1.000 .962 .669 .975 .970
"""
# Hollander & Wolfe 1973: R's example of friedman.test, rounding first base.
ROUNDING = """
5.40 5.85 5.20 5.55 5.90 5.45 5.40 5.45 5.25 5.85 5.25 5.65 5.60 5.05 5.50 5.45 5.55 5.45 5.50
5.65 5.70 6.30
5.50 5.70 5.60 5.50 5.85 5.55 5.40 5.50 5.15 5.80 5.20 5.55 5.35 5.00 5.50 5.55 5.55 5.50 5.45
5.60 5.65 6.30
5.55 5.75 5.50 5.40 5.70 5.60 5.35 5.35 5.00 5.70 5.10 5.45 5.45 4.95 5.40 5.50 5.35 5.55 5.25
5.40 5.55 6.25
"""


def table(text: str, systems: int) -> np.ndarray:
    return np.array(text.split(), dtype=float).reshape(systems, -1)


def test_published_examples_of_friedmans_test() -> None:
    result = ft.tests.friedman(scores_of(table(DEMSAR, 4)))
    # Demšar: average ranks 3.143, 2.000, 2.893, 1.964; chi-squared 9.28 without ties' correction.
    assert result.mean_ranks.round(3).tolist() == [3.143, 2.0, 2.893, 1.964]
    assert (result.n, result.df) == (14, 3)
    # beyond the critical difference at .10, not at .05
    assert 0.05 < result.post_hoc["p_adjusted"][0] < 0.10
    # friedman.test(RoundingTimes): chi-squared = 11.143, df = 2, p-value = 0.003805
    result = ft.tests.friedman(scores_of(table(ROUNDING, 3)))
    assert result.statistic == pytest.approx(11.143, abs=5e-4)
    assert result.p == pytest.approx(0.003805, abs=5e-7)


def test_friedmans_test() -> None:
    values = np.random.default_rng(0).normal(size=(5, 20)) + np.arange(5)[:, None] * 0.3
    result = ft.tests.friedman(scores_of(values), post_hoc="holm")
    expected = scipy_stats.friedmanchisquare(*values)
    assert (result.statistic, result.p) == pytest.approx((expected.statistic, expected.pvalue))
    z = abs(result.post_hoc["difference"]) / np.sqrt(5 * 6 / (6 * 20))
    p = ft.stats.adjust(2 * scipy_stats.norm.sf(z), "holm")
    np.testing.assert_allclose(result.post_hoc["p_adjusted"], p)
    lower = ft.tests.friedman(scores_of(values, higher_is_better=(False,)))
    assert lower.mean_ranks.tolist() == pytest.approx((6 - result.mean_ranks).tolist())
    same = ft.tests.friedman(scores_of(np.ones((3, 4))))
    assert (same.p, same.post_hoc["p_adjusted"].tolist()) == (1.0, [1.0] * 3)
    with pytest.raises(ft.errors.OptionError, match="three systems"):
        ft.tests.friedman(scores_of(np.ones((2, 4))))
    values[0, 2] = np.nan
    assert ft.tests.friedman(scores_of(values)).n == 19
    assert pickle.loads(pickle.dumps(result)).p == result.p
    frame = result.to_frame()
    assert list(frame) == ["system", "mean_rank", "statistic", "df", "p", "n"]
    assert is_stored("friedman", f"{result!r}\n\n{result._answer().text(80)}")
    many = ft.tests.friedman(scores_of(np.random.default_rng(0).random((30, 5))))
    assert is_stored("friedman, many", many._answer().text(80))


def test_dominance() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        a, b = rng.integers(0, 5, (2, 8)) / 4
        result = ft.tests.dominance(scores_of([a, b]), *PAIR, n_resamples=99)
        gap = np.array([(a >= x).mean() - (b >= x).mean() for x in np.unique([a, b])])
        assert result.lead == pytest.approx(max(gap.max(), 0))
        assert result.behind == pytest.approx(max(-gap.min(), 0))
        assert result.dominates == (gap.min() >= -1e-12 and gap.max() > 1e-12)
    result = ft.tests.dominance(
        scores_of([[0.1, 0.2], [0.3, 0.4]], higher_is_better=(False,)), *PAIR
    )
    assert (result.dominates, result.lead, result.behind) == (True, 1.0, 0.0)
    assert result.test.test == "stochastic dominance"
    assert pickle.loads(pickle.dumps(result)).lead == result.lead
    row = result.to_frame().iloc[0].to_dict()
    names = {"system": "sys0", "other": "sys1", "measure": "m", "dominates": True}
    assert row == names | {"lead": 1.0, "behind": 0.0, "p": result.test.p, "n": 2}
    assert is_stored("dominance", f"{result!r}\n\n{result._answer().text(80)}")
    same = ft.tests.dominance(scores_of([a, a]), *PAIR)
    assert (same.dominates, same.lead, same.behind, same.test.p) == (False, 0.0, 0.0, 1.0)
    assert is_stored("dominance, same", f"{same!r}\n\n{same._answer().text(80)}")


def test_superiority_is_joint_over_worlds() -> None:
    rows = [
        ("q", item, subject, grade)
        for item, grades in (("a", (1, 0)), ("b", (1, 0)), ("c", (1, 1)), ("d", (0, 0)))
        for subject, grade in zip("xy", grades, strict=True)
    ]
    votes = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    runs = {"A": {"q": ["a", "c"]}, "B": {"q": ["b", "d"]}}
    scores = ft.evaluate(votes, runs, ["P@2"], worlds="independent", n_worlds=4000, rng=0)
    result = ft.tests.superiority(scores, "A", "B")
    # A has 1 + Bernoulli(½), B Bernoulli(½): A is better unless it has 1 and B has 1.
    assert result.better == pytest.approx(0.75, abs=4 * np.sqrt(0.75 * 0.25 / 4000))
    assert (result.equal, result.worse) == (pytest.approx(1 - result.better), 0)
    frame = result.to_frame()
    assert list(frame)[3:] == ["better", "equal", "worse", "mean", "std"]
    assert frame["mean"][0] == pytest.approx(0.5, abs=0.02)
    assert is_stored("superiority", f"{result!r}\n\n{result._answer().text(80)}")
    with pytest.raises(ft.errors.OptionError, match="worlds='independent'"):
        ft.tests.superiority(scores_of(np.ones((2, 3))), *PAIR)
