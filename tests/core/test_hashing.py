"""Hashes depend on the bytes of a string and on nothing else."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fuzzytruth.core.hashing import hash_strings, pair_keys


def _hash(strings: list[bytes], before: bytes = b"") -> np.ndarray:
    data = np.frombuffer(before + b"".join(strings), dtype=np.uint8)
    offsets = len(before) + np.cumsum([0, *map(len, strings)])
    return hash_strings(data, offsets)


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
