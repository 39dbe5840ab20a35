"""Hashes depend on the bytes of a string and on nothing else."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzzytruth.core import checksums
from fuzzytruth.core.checksums import hash_strings, mix, pair_keys


def _hash(strings: list[bytes], before: bytes = b"") -> np.ndarray:
    data = np.frombuffer(before + b"".join(strings), dtype=np.uint8)
    offsets = len(before) + np.cumsum([0, *map(len, strings)])
    return hash_strings(data, offsets)


@settings(deadline=None)
@given(st.lists(st.binary(max_size=40), max_size=20), st.binary(max_size=9))
def test_equal_bytes_equal_hash_wherever_they_lie(strings: list[bytes], before: bytes) -> None:
    alone = [_hash([s])[0] for s in strings]
    np.testing.assert_array_equal(_hash(strings, before), np.array(alone, dtype=np.uint64))


def test_no_collision_among_many_near_strings() -> None:
    strings = [str(i).encode() for i in range(200_000)] + [b"a" * n for n in range(300)]
    assert len(np.unique(_hash(strings))) == len(strings)


def test_zero_bytes_and_length_matter() -> None:
    assert len(set(_hash([b"", b"\0", b"\0\0", b"a", b"a\0"]).tolist())) == 5


def test_pair_keys_differ_by_code() -> None:
    hashes = _hash([b"x", b"x"])
    keys = pair_keys(hashes, np.array([0, 1]))
    assert keys[0] != keys[1]


def _mixed(value: int) -> int:
    """`mix` in whole numbers of Python."""
    mask = 2**64 - 1
    value ^= value >> 32
    value = value * 0xD6E8FEB86659FD93 & mask
    value ^= value >> 32
    value = value * 0x9E3779B97F4A7C15 & mask
    return value ^ (value >> 32)


def _plain_hash(string: bytes) -> int:
    """The hash of one string, eight bytes at a time."""
    mask = 2**64 - 1
    out = _mixed((len(string) + 0x9E3779B97F4A7C15) & mask)
    for start in range(0, max(len(string), 1), 8):
        out = _mixed(out ^ int.from_bytes(string[start : start + 8], "little"))
    return out


@settings(deadline=None)
@given(st.lists(st.binary(max_size=40), min_size=1, max_size=20))
def test_hashes_equal_whole_numbers_of_python(strings: list[bytes]) -> None:
    assert _hash(strings).tolist() == [_plain_hash(s) for s in strings]


@pytest.mark.parametrize("block", [1, 3, 1000])
def test_blocks_do_not_matter(monkeypatch: pytest.MonkeyPatch, block: int) -> None:
    strings = [b"x" * (j % 19) + str(j).encode() for j in range(50)]
    want = _hash(strings)
    monkeypatch.setattr(checksums, "_BLOCK", block)
    np.testing.assert_array_equal(_hash(strings), want)


def test_mixing_leaves_its_argument_and_distinct_values_distinct() -> None:
    values = np.arange(100_000, dtype=np.uint64)
    mixed = mix(values)
    assert len(np.unique(mixed)) == len(values)
    assert values.tolist() == list(range(100_000))
    assert [int(v) for v in mixed[:50]] == [_mixed(j) for j in range(50)]
