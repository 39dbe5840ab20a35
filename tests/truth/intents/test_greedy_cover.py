"""Greedy orders of items that cover intents, against plain loops."""

import numpy as np
import pytest
from support.intents_by_hand import gains

from fuzzytruth.truth import intents
from fuzzytruth.truth.intents import greedy_gains


def random_entries(rng: np.random.Generator, n_worlds: int):
    """Queries of up to eight items, of which each may cover some of the query's intents."""
    item, intent, offsets, n_items, n_intents = [], [], [0], 0, 0
    for _ in range(12):
        size, own = int(rng.integers(0, 9)), int(rng.integers(1, 5))
        for number in range(n_items, n_items + size):
            some = np.flatnonzero(rng.random(own) < 0.6)
            item += [number] * len(some)
            intent += (some + n_intents).tolist()
        n_items, n_intents = n_items + size, n_intents + own
        offsets.append(n_items)
    covers = rng.random((len(item), n_worlds)) < 0.7
    return covers, np.array(item), np.array(intent), np.array(offsets)


def by_hand(covers, item, intent, offsets, keep: float, depth: int) -> np.ndarray:
    out = np.zeros((depth, covers.shape[1], len(offsets) - 1))
    for w in range(covers.shape[1]):
        for q in range(len(offsets) - 1):
            left = {d: set(intent[covers[:, w] & (item == d)]) for d in range(*offsets[q : q + 2])}
            taken: list[set[int]] = []
            for rank in range(min(depth, len(left))):
                score = {d: gains([*taken, s], keep)[-1] for d, s in left.items()}
                best = next(d for d in left if score[d] >= max(score.values()) - 1e-11)
                out[rank, w, q] = score[best]
                taken.append(left.pop(best))
    return out


@pytest.mark.parametrize("keep", [0.0, 0.5, 0.7, 1.0])
@pytest.mark.parametrize("n_worlds", [1, 5])
@pytest.mark.parametrize("most", [0, 5])
def test_gains_are_those_of_plain_loops(
    keep: float, n_worlds: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intents, "MOST_INTENTS", most)  # 0: item by item
    entries = random_entries(np.random.default_rng(n_worlds), n_worlds)
    for depth in (1, 3, 9):
        got = greedy_gains(*entries, keep=keep, depth=depth)
        want = by_hand(*entries, keep, depth)
        np.testing.assert_allclose(got, want[: len(got)], atol=1e-12)
        assert not want[len(got) :].any()
    whole = greedy_gains(*entries, keep=keep, depth=None)
    np.testing.assert_array_equal(whole, got[: len(whole)])
