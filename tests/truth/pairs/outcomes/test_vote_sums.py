"""Weighted votes by a loop, for dense and sparse tables."""

import numpy as np
import pytest

from fuzzytruth.truth.pairs import outcomes as module
from fuzzytruth.truth.pairs.outcomes import VoteSums


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("marked", [False, True])
@pytest.mark.parametrize("weighted", [False, True])
def test_sums_by_a_loop(
    weighted: bool, sparse: bool, marked: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_SPARSE", -1 if sparse else 10**6)
    rng = np.random.default_rng(0)
    voters = np.array([3, 8, 9, 20])
    pairs = [(v, i) for v in voters for i in range(6) for _ in range(2) if rng.random() < 0.5]
    voter, item = (np.array(part) for part in zip(*pairs, strict=True))
    which = rng.random(len(voter)) < 0.6 if marked else None
    weight = rng.integers(1, 5, len(voter)) * 1.0 if weighted else None
    sums = VoteSums.of(voter, item, 6, weight)
    matrix = sums.matrix(which)
    assert isinstance(matrix, np.ndarray) != sparse
    counts = rng.integers(0, 3, (5, 21)) * 1.0
    expected = np.zeros((5, 6))
    for number, (v, i) in enumerate(zip(voter, item, strict=True)):
        if which is None or which[number]:
            expected[:, i] += counts[:, v] * (1 if weight is None else weight[number])
    np.testing.assert_array_equal(sums.weighted(counts, matrix), expected)
