"""Checksums of tables: sums of 64-bit keys of the rows, whatever their order.

They tell tables apart that differ by accident; nobody is kept from making two that agree.
"""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import U64, Array, Floats, Ints
from fuzzytruth.core.hashing import mix

_START = np.uint64(0x243F6A8885A308D3)  # first digits of π, for a pattern without zeros
_STEP = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)
_BLOCK = 1 << 16  # rows at a time, so that they stay in cache


def row_keys(columns: list[U64]) -> U64:
    """One key for each row of some columns: (rows,)."""
    keys = np.full(len(columns[0]), _START)
    for column in columns:
        keys = mix((keys ^ column) * _STEP)
    return keys


def bits_of(values: Floats) -> U64:
    """Numbers as keys; 0 and -0 are the same."""
    bits: U64 = (np.asarray(values, dtype=np.float64) + 0.0).view(np.uint64)
    return bits


def in_order(keys: U64) -> U64:
    """Keys that depend on the place of each row, too."""
    return mix(keys + np.arange(1, len(keys) + 1, dtype=np.uint64) * _STEP)


def total(keys: U64) -> str:
    """Checksum of rows, whatever their order: 16 hexadecimal digits."""
    summed = np.add.reduce(keys, initial=np.uint64(len(keys)))
    return f"{int(mix(np.array([summed]))[0]):016x}"


def set_keys(keys: U64, offsets: Ints) -> U64:
    """Key of each set of rows ``offsets[j]:offsets[j + 1]``, whatever their order."""
    sums = np.concatenate((np.zeros(1, np.uint64), np.cumsum(keys, dtype=np.uint64)))
    return mix(sums[offsets[1:]] - sums[offsets[:-1]])


def list_keys(query: Array, n_queries: int, item_hash: U64, score: Floats) -> U64:
    """Key of each query's list of items with scores, whatever the order of its rows: (queries,).

    Sums of products of an item's hash and its folded score, 1.5 ns a row grouped by query.
    """
    out = np.zeros(n_queries, dtype=np.uint64)
    bits = np.ascontiguousarray(score, dtype=np.float64).view(np.uint64)
    for start in range(0, len(query), _BLOCK):
        rows = slice(start, start + _BLOCK)
        keys = bits[rows] >> _HALF  # low bits of round numbers are zeros, which a product loses
        keys ^= bits[rows]
        keys ^= _START
        keys *= item_hash[rows]
        codes = query[rows]
        first = np.flatnonzero(codes[1:] != codes[:-1]) + 1
        first = np.concatenate((np.zeros(1, first.dtype), first))
        np.add.at(out, codes[first], np.add.reduceat(keys, first))
    return mix(out)
