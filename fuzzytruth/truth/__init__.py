"""Truths aligned with runs: what evaluation may ask of them, and what measures are given.

Importing this package registers every kind of truth with `align`.
"""

from fuzzytruth.truth.align import align
from fuzzytruth.truth.example import aligned as _example
from fuzzytruth.truth.item import aligned as _item
from fuzzytruth.truth.pairs import aligned as _pairs
from fuzzytruth.truth.protocol import AlignedTruth, Missing, Worlds

__all__ = ["AlignedTruth", "Missing", "Worlds", "align"]

_KINDS = (_pairs, _example, _item)
