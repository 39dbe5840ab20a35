"""Shares of votes against plain counting."""

from collections import defaultdict
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from fuzzytruth.core.shares import (
    draw_slots,
    entropy,
    make_slots,
    pair_agreement,
    resampled_shares,
    slot_shares,
    slots_by_key,
)

N_ITEMS, N_SUBJECTS = 4, 3
ballots = st.lists(
    st.tuples(
        st.integers(0, N_ITEMS - 1),
        st.integers(0, 5),
        st.integers(0, N_SUBJECTS - 1),
        st.integers(0, 4),
    ),
    max_size=14,
)
counts = st.lists(st.integers(0, 3), min_size=N_SUBJECTS, max_size=N_SUBJECTS)


def counted(votes, times=(1,) * N_SUBJECTS):
    """Share of each option of each item: {item: {option: share}}; {} if nothing has weight."""
    total = defaultdict(lambda: defaultdict(Fraction))
    for item, option, subject, weight in votes:
        total[item][option] += weight * times[subject]
    sums = {item: sum(of.values()) for item, of in total.items()}
    return {
        item: {o: w / sums[item] for o, w in of.items()} if sums[item] else {}
        for item, of in total.items()
    }


def as_dict(slots, shares):
    return {
        (item, int(o)): p
        for item, row in enumerate(zip(slots.option, shares, strict=True))
        for o, p in zip(*row, strict=True)
        if o >= 0 and p > 0
    }


def positive(shares):
    return {(i, o): float(p) for i, of in shares.items() for o, p in of.items() if p}


@settings(max_examples=100)
@given(ballots, st.lists(counts, min_size=1, max_size=3))
def test_shares_are_counted(votes, times) -> None:
    """Resampled subjects count as often as they were drawn."""
    item, option, subject, weight = np.array(votes, dtype=np.int64).reshape(-1, 4).T
    slots = make_slots(item, option, N_ITEMS)
    flat = slots.option.ravel()[slots.of_ballot] if len(votes) else np.array([])
    assert flat.tolist() == option.tolist()
    assert (slots.of_ballot // max(slots.option.shape[1], 1)).tolist() == item.tolist()
    full = slot_shares(slots, weight.astype(float))
    assert as_dict(slots, full) == pytest.approx(positive(counted(votes)))
    assert (full[slots.option < 0] == 0).all()
    if not votes:
        return
    shares = resampled_shares(slots, subject, weight.astype(float), np.array(times), full)
    for world, row in enumerate(times):
        resampled = counted(votes, row)
        for i, whole in counted(votes).items():
            if whole and not resampled[i]:
                resampled[i] = whole
        assert as_dict(slots, shares[world]) == pytest.approx(positive(resampled))


def test_draws_fall_into_the_slots() -> None:
    shares = np.array([[[0.25, 0.0, 0.75], [1.0, 0.0, 0.0]]])  # two items
    keys, streams = np.array([3, 4], np.uint64), np.zeros(1, np.uint64)
    n = 10_000
    slot = draw_slots(shares, keys, streams, slice(0, n))
    assert set(slot[1]) == {0}
    assert set(slot[0]) == {0, 2}
    assert abs((slot[0] == 0).mean() - 0.25) < 4 * np.sqrt(0.25 * 0.75 / n)
    later = draw_slots(shares, keys, streams, slice(6, n))
    np.testing.assert_array_equal(later, slot[:, 6:])
    other = np.repeat([[[0.5, 0.5, 0.0]]], 2, axis=1)
    both = draw_slots(
        np.concatenate((shares, other)), keys, np.arange(2, dtype=np.uint64), slice(0, 9)
    )
    np.testing.assert_array_equal(both[:, :9], slot[:, :9])
    assert draw_slots(np.empty((1, 2, 0)), keys, streams, slice(0, 3)).tolist() == [[0] * 3] * 2


def test_entropy_is_scipys_and_agreement_counts_pairs() -> None:
    shares = np.array([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.2, 0.3, 0.5], [0.0, 0.0, 0.0]])
    assert entropy(shares)[:3] == pytest.approx(stats.entropy(shares[:3], base=2, axis=1))
    assert (entropy(shares)[3], np.signbit(entropy(shares)[0])) == (0, False)
    votes = np.array([[3.0, 1.0], [2.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]])
    np.testing.assert_allclose(pair_agreement(votes), [3 / 6, 1, 0, np.nan, np.nan])
    # two voters, of whom one gives a third to the first slot, and the other half to each
    parts = np.array([[1 / 3, 2 / 3], [1 / 2, 1 / 2]])
    split = pair_agreement(parts.sum(axis=0)[None], (parts**2).sum(axis=0)[None])
    np.testing.assert_allclose(split, [0.5])
    assert np.isnan(pair_agreement(parts[:1], parts[:1] ** 2)).all()


def test_slots_by_key_are_the_same_options_whatever_their_numbers() -> None:
    item, option = np.array([0, 0, 1, 1, 1]), np.array([1, 0, 2, 0, 1])
    key = np.array([30, 10, 20], dtype=np.uint64)
    slots = make_slots(item, option, 2)
    ordered = np.take_along_axis(slots.option, slots_by_key(slots, key), axis=1)
    assert ordered.tolist() == [[1, 0, -1], [1, 2, 0]]
