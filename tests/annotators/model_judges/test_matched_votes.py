"""Kendall's tau_b of paired draws, beside SciPy."""

import numpy as np
import pytest
from scipy.stats import kendalltau

from fuzzytruth.annotators.model_judges import matched_votes as paired_orders
from fuzzytruth.annotators.model_judges.matched_votes import paired_tau_b


@pytest.mark.parametrize("block", [1, 2**22])
def test_tau_b(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    monkeypatch.setattr(paired_orders, "_BLOCK", block)
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 5, (50, 7)).astype(float), rng.integers(0, 4, (50, 7)).astype(float)
    expected = [kendalltau(a, b).statistic for a, b in zip(x, y, strict=True)]
    np.testing.assert_allclose(paired_tau_b(x, y), expected, atol=1e-14)
