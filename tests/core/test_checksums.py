"""Checksums of tables, hashes of strings, and random bits by key and counter."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.keyed_battery import battery

from fuzzytruth.core import checksums as module
from fuzzytruth.core.checksums import (
    checksum,
    content,
    counters,
    hash_strings,
    keyed_bits,
    keys_of,
    list_keys,
    mix,
    row_keys,
    set_keys,
)

RNG = np.random.default_rng(0)
KEYS = RNG.integers(0, 2**64, 1000, dtype=np.uint64)
SEED = (1, 2, 3, 4)
MASK = 2**64 - 1


def test_a_checksum_ignores_the_order() -> None:
    mixed = KEYS[RNG.permutation(len(KEYS))]
    one, two = (checksum(keys.__getitem__, len(keys), ()) for keys in (KEYS, mixed))
    assert one == two
    assert checksum(KEYS.__getitem__, len(KEYS), ("about",)) != one
    assert checksum(KEYS.__getitem__, len(KEYS) - 1, ()) != one


@pytest.mark.parametrize("block", [1, 7, 999, 1000])
def test_blocks_play_no_part(block: int, monkeypatch) -> None:
    query, score = np.sort(RNG.integers(0, 30, 1000)), RNG.normal(size=1000)
    strings = [b"x" * (j % 19) + str(j).encode() for j in range(50)]

    def results() -> tuple[object, ...]:
        lists = list_keys(query, 30, KEYS, score).tolist()
        return checksum(KEYS.__getitem__, 1000, ()), lists, hashed(strings).tolist()

    whole = results()
    monkeypatch.setattr(module, "_BLOCK", block)
    assert results() == whole


def test_columns_may_not_be_exchanged_but_members_of_sets_may() -> None:
    other = np.roll(KEYS, 1)
    assert (row_keys(KEYS, other) != row_keys(other, KEYS)).all()
    assert len(np.unique(row_keys(KEYS, other))) == 1000
    assert module.digest("a", "b") != module.digest("ab", "")
    offsets = np.array([0, 2, 2, 5])
    keys = set_keys(KEYS[[0, 1, 2, 3, 4]], offsets)
    assert keys.tolist() == set_keys(KEYS[[1, 0, 4, 2, 3]], offsets).tolist()
    assert len(set(keys.tolist())) == 3
    assert module.bits_of(np.array([0.0])) == module.bits_of(np.array([-0.0]))
    query = np.zeros(2, dtype=np.int64)  # items with round scores may not swap them
    for _ in range(500):
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


def test_hashes_and_mixed_numbers_differ() -> None:
    strings = [str(i).encode() for i in range(50_000)] + [b"\0" * n for n in range(300)]
    assert len(np.unique(hashed(strings))) == len(strings)
    keys = module.pair_keys(hashed([b"x", b"x"]), np.array([0, 1]))
    assert keys[0] != keys[1]
    values = np.arange(50_000, dtype=np.uint64)
    mixed = mix(values)
    assert len(np.unique(mixed)) == len(values)
    assert values.tolist() == list(range(50_000))
    assert [int(v) for v in mixed[:50]] == [mixed_by_python(j) for j in range(50)]


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


def test_keys_depend_on_every_part_and_its_place() -> None:
    a, b = np.array([5, 6], np.uint64), np.array([7, 7], np.uint64)
    keys = keys_of(SEED, a, b)
    assert len({*keys.tolist(), *keys_of(SEED, b, a).tolist(), *keys_of(SEED, a).tolist()}) == 6
    for place in range(4):
        other = tuple(9 if j == place else word for j, word in enumerate(SEED))
        assert not (keys_of(other, a, b) == keys).any()
    np.testing.assert_array_equal(keys_of(SEED, a[:1], b), keys_of(SEED, a[[0, 0]], b))
    streams = counters(np.array([0, 10], np.uint64), 3)
    assert streams.tolist() == [[0, 1, 2], [10, 11, 12]]
