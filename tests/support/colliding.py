"""Different ids with one 64-bit hash, made for it."""

import numpy as np

from fuzzytruth.core.checksums import _MULTIPLIER, mix

_SHARED = np.uint64(0x0123456789ABCDEF)
_PRINTABLE = np.frombuffer(bytes(range(48, 58)) + bytes(range(97, 123)), dtype=np.uint8)


def colliding_ids(n: int, *, seed: int = 0) -> list[str]:
    """Ids of 16 characters whose hashes are equal; all bytes are ASCII.

    A hash mixes the length, then eight bytes after the other, each step a bijection: the second
    eight bytes follow from the first.
    """
    rng = np.random.default_rng(seed)
    found: list[str] = []
    start = mix(np.array([16], dtype=np.uint64) + _MULTIPLIER)
    while len(found) < n:
        first = rng.choice(_PRINTABLE, (1 << 18, 8)).astype(np.uint8)
        second = (mix(start ^ first.view(np.uint64).ravel()) ^ _SHARED).view(np.uint8)
        second = second.reshape(-1, 8)
        good = ((second > 32) & (second < 127)).all(axis=1)
        both = np.concatenate((first[good], second[good]), axis=1)
        found += [row.tobytes().decode() for row in both]
    return found[:n]
