"""Checksums of tables, hashes of strings, and random bits by key and counter."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.keyed_battery import battery

from fuzzytruth.core import checksums as module
from fuzzytruth.core.checksums import (
    content,
    hash_strings,
    keyed_bits,
)

MASK = 2**64 - 1


def test_contents_are_told_apart_but_not_by_the_bits_of_nan() -> None:
    nans = np.array([0x7FF8000000000000, 0xFFF8000000000001], dtype=np.uint64).view(np.float64)
    assert content(nans[:1]) == content(nans[1:]) != content(np.array([0.0]))
    assert content(np.array(["a"])) != content(np.array(["b"]))
    assert content(None) != content(b"") != content(b"none")
    assert content(np.zeros((2, 3))) != content(np.zeros((3, 2)))
    assert content(b"a", b"bc") != content(b"ab", b"c")


def hashed(strings: list[bytes], before: bytes = b"") -> np.ndarray:
    data = np.frombuffer(before + b"".join(strings), dtype=np.uint8)
    return hash_strings(data, len(before) + np.cumsum([0, *map(len, strings)]))


def mixed_by_python(value: int) -> int:
    value ^= value >> 32
    value = value * 0xD6E8FEB86659FD93 & MASK
    value ^= value >> 32
    value = value * 0x9E3779B97F4A7C15 & MASK
    return value ^ (value >> 32)


def hashed_by_python(string: bytes) -> int:
    """The hash of one string, eight bytes at a time."""
    out = mixed_by_python((len(string) + 0x9E3779B97F4A7C15) & MASK)
    for start in range(0, max(len(string), 1), 8):
        out = mixed_by_python(out ^ int.from_bytes(string[start : start + 8], "little"))
    return out


@settings(max_examples=60)
@given(st.lists(st.binary(max_size=40), max_size=20), st.binary(max_size=9))
def test_hashes_equal_whole_numbers_of_python_wherever_they_lie(strings, before) -> None:
    assert hashed(strings, before).tolist() == [hashed_by_python(s) for s in strings]


def test_keyed_bits_are_uniform_and_independent() -> None:
    p_values = battery(200, 500)
    p = np.array(list(p_values.values()))
    assert p.min() > 0.01 / len(p), p_values
    assert 0.3 < p.mean() < 0.7  # a generator that is too even gives p-values near 1
    assert p.max() < 1 - 0.01 / len(p)


def test_words_are_those_of_splitmix() -> None:
    """Seed 0 of the reference implementation starts with 0xE220A8397B1DCDAF."""

    def splitmix(state: int) -> int:
        z = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 & MASK
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB & MASK
        return z ^ (z >> 31)

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
