"""Random bits by key and counter."""

from __future__ import annotations

import numpy as np
import pytest
from support.keyed_battery import battery

from fuzzytruth.core import checksums as module
from fuzzytruth.core.checksums import counters, keyed_bits, keys_of

SEED = (1, 2, 3, 4)
P_VALUES = battery(200, 1000)


@pytest.mark.parametrize("test", P_VALUES)
def test_uniform_and_independent(test: str) -> None:
    assert P_VALUES[test] > 0.01 / len(P_VALUES)


def test_p_values_are_spread() -> None:
    """A generator that is too even gives p-values near 1."""
    p = np.array(list(P_VALUES.values()))
    assert 0.3 < p.mean() < 0.7
    assert p.max() < 1 - 0.01 / len(p)


def splitmix(state: int) -> int:
    """The output function of SplitMix64, in Python's integers."""
    mask = 2**64 - 1
    z = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 & mask
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB & mask
    return z ^ (z >> 31)


def test_words_are_those_of_splitmix() -> None:
    """Seed 0 of the reference implementation starts with 0xE220A8397B1DCDAF."""
    ((_, bits),) = keyed_bits(np.zeros(1, np.uint64), np.arange(3, dtype=np.uint64))
    words = bits.view(np.uint64)[0].tolist()
    assert words[0] == 0xE220A8397B1DCDAF
    assert words == [splitmix(j * 0x9E3779B97F4A7C15 % 2**64) for j in (1, 2, 3)]


def test_slabs_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    keys, counter = np.arange(50, dtype=np.uint64), np.arange(20, dtype=np.uint64)
    ((rows, whole),) = keyed_bits(keys, counter)
    assert rows == slice(0, 50)
    monkeypatch.setattr(module, "_SLAB", 70)
    parts = [(some, bits.copy()) for some, bits in keyed_bits(keys, counter)]
    assert [some.stop for some, _ in parts] == [*range(3, 50, 3), 50]
    np.testing.assert_array_equal(np.concatenate([bits for _, bits in parts]), whole)


def test_keys_depend_on_every_part_and_its_place() -> None:
    a, b = np.array([5, 6], np.uint64), np.array([7, 7], np.uint64)
    keys = keys_of(SEED, a, b)
    assert len({*keys.tolist(), *keys_of(SEED, b, a).tolist(), *keys_of(SEED, a).tolist()}) == 6
    for place in range(4):
        other = tuple(9 if j == place else word for j, word in enumerate(SEED))
        assert not (keys_of(other, a, b) == keys).any()
    np.testing.assert_array_equal(keys_of(SEED, a[:1], b), keys_of(SEED, a[[0, 0]], b))


def test_streams_start_where_they_are_told() -> None:
    found = counters(np.array([0, 10], np.uint64), 3)
    assert found.tolist() == [[0, 1, 2], [10, 11, 12]]
