"""Truths aligned with runs: what evaluation may ask of them, and what measures are given.

Importing this package registers every kind of truth with `align`. The modules of votes for
categories are imported when such a truth is given.
"""

from fuzzytruth.data.by_example import ByExample, ByItem
from fuzzytruth.data.ranking import Ties
from fuzzytruth.data.runs import Runs
from fuzzytruth.truth.pairs import aligned as _pairs
from fuzzytruth.truth.protocol import AlignedTruth, Facts, Missing, Worlds, align

__all__ = ["AlignedTruth", "Facts", "Missing", "Worlds", "align"]

_JUDGMENTS = _pairs


@align.register
def _by_example(truth: ByExample, runs: Runs, *, ties: Ties) -> AlignedTruth:
    from fuzzytruth.truth.example.aligned import align_example

    return align_example(truth, runs, ties=ties)


@align.register
def _by_item(truth: ByItem, runs: Runs, *, ties: Ties) -> AlignedTruth:
    from fuzzytruth.truth.item import align_items

    return align_items(truth, runs, ties=ties)
