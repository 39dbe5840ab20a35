"""Checksums of tables."""

from __future__ import annotations

import numpy as np
import pytest

from fuzzytruth.core import checksums as sums
from fuzzytruth.core.checksums import (
    bits_of,
    checksum,
    content,
    digest,
    list_keys,
    row_keys,
    set_keys,
)

RNG = np.random.default_rng(0)
KEYS = RNG.integers(0, 2**64, 1000, dtype=np.uint64)


def test_a_checksum_ignores_the_order() -> None:
    mixed = KEYS[RNG.permutation(len(KEYS))]
    one, two = (checksum(keys.__getitem__, len(keys), ()) for keys in (KEYS, mixed))
    assert one == two
    assert checksum(KEYS.__getitem__, len(KEYS), ("about",)) != one
    assert checksum(KEYS.__getitem__, len(KEYS) - 1, ()) != one


@pytest.mark.parametrize("block", [1, 7, 999, 1000])
def test_blocks_play_no_part(block: int, monkeypatch) -> None:
    query, score = np.sort(RNG.integers(0, 30, 1000)), RNG.normal(size=1000)
    one = checksum(KEYS.__getitem__, 1000, ()), list_keys(query, 30, KEYS, score).tolist()
    monkeypatch.setattr(sums, "_BLOCK", block)
    assert (
        checksum(KEYS.__getitem__, 1000, ()),
        list_keys(query, 30, KEYS, score).tolist(),
    ) == one


def test_columns_may_not_be_exchanged() -> None:
    other = np.roll(KEYS, 1)
    assert (row_keys(KEYS, other) != row_keys(other, KEYS)).all()
    assert len(np.unique(row_keys(KEYS, other))) == 1000
    assert digest("a", "b") != digest("ab", "")


def test_sets_ignore_the_order_of_their_members() -> None:
    offsets = np.array([0, 2, 2, 5])
    keys = set_keys(KEYS[[0, 1, 2, 3, 4]], offsets)
    assert keys.tolist() == set_keys(KEYS[[1, 0, 4, 2, 3]], offsets).tolist()
    assert len(set(keys.tolist())) == 3


def test_zero_has_one_sign() -> None:
    assert bits_of(np.array([0.0])) == bits_of(np.array([-0.0]))


def test_items_with_round_scores_may_not_swap_them() -> None:
    query = np.zeros(2, dtype=np.int64)
    for _ in range(2000):
        items = RNG.integers(0, 2**64, 2, dtype=np.uint64)
        one, two = (list_keys(query, 1, items, np.array(s)) for s in ([1.0, 2.0], [2.0, 1.0]))
        assert one != two


def test_contents_are_told_apart_but_not_by_the_bits_of_nan() -> None:
    nans = np.array([0x7FF8000000000000, 0xFFF8000000000001], dtype=np.uint64).view(np.float64)
    assert content(nans[:1]) == content(nans[1:]) != content(np.array([0.0]))
    assert content(np.array(["a"])) != content(np.array(["b"]))
    assert content(None) != content(b"") != content(b"none")
    assert content(np.zeros((2, 3))) != content(np.zeros((3, 2)))
    assert content(b"a", b"bc") != content(b"ab", b"c")
