"""`align`: a truth of any kind and the runs that answered to it."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

from fuzzytruth.data.ranking import RankedLists, Ties
from fuzzytruth.errors import OptionError
from fuzzytruth.truth.protocol import AlignedTruth


@singledispatch
def align(truth: Any, runs: RankedLists, *, ties: Ties) -> AlignedTruth:
    """Find the ranks of the items that a truth is about in each run.

    Each kind of truth registers its own function with ``@align.register``.

    Parameters
    ----------
    truth : Judgments, ByExample, ByItem or a registered type
    runs : Runs
        For `Judgments` also lists that are read from files where they are needed.
    ties : {"trec", "order", "expected"}

    Raises
    ------
    OptionError
        The type of `truth` is not registered.
    """
    raise OptionError(f"truth: {type(truth).__name__} is not registered with align")
