"""Greedy orders by kinds of items, against those item by item."""

import numpy as np
import pytest

from fuzzytruth.truth import intents
from fuzzytruth.truth.intents import gains_by_kind, greedy_gains


def test_by_hand() -> None:
    """Two queries; in the first, the second world leaves item 1 without its intent 1."""
    row, number = np.array([0, 1, 1, 2]), np.array([0, 0, 1, 0])
    covers = np.array([[1, 1], [1, 1], [1, 0], [1, 1]], dtype=bool)
    got = gains_by_kind(covers, row, number, np.array([0, 2]), keep=0.5, ranks=3)
    assert got[:, 0].T.tolist() == [[2, 0.5, 0], [1, 0.5, 0]]
    assert got[:, 1].T.tolist() == [[1, 0, 0], [1, 0, 0]]


@pytest.mark.parametrize("keep", [0.0, 0.35, 0.5, 1.0])
def test_bits_are_those_of_the_order_item_by_item(
    keep: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(0)
    n_items, n_intents = 40, 4
    item, intent = np.divmod(np.arange(6 * n_items * n_intents), n_intents)
    intent += item // n_items * n_intents
    covers = rng.random((len(item), 30)) < rng.random((len(item), 1)) ** 2
    offsets = np.arange(7) * n_items
    by_kind = greedy_gains(covers, item, intent, offsets, keep=keep, depth=None)
    monkeypatch.setattr(intents, "MOST_INTENTS", 0)
    one_by_one = greedy_gains(covers, item, intent, offsets, keep=keep, depth=None)
    np.testing.assert_array_equal(by_kind, one_by_one)
