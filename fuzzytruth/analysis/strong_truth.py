"""The strong ground truth: every item has the category that most subjects gave it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth.data.assignments import Assignments
from fuzzytruth.data.plurality import most_voted
from fuzzytruth.errors import UnjudgedItemWarning, counted, warn

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class StrongTruth:
    """One category an item, as a benchmark with a single truth has it.

    Parameters
    ----------
    votes : Assignments
        A single vote an item, for its majority category.
    items : DataFrame
        One row an item: item, category, share (of the item's votes that name it) and tied (how many
        categories have as many votes; the first of the taxonomy is taken).
    """

    votes: Assignments
    items: pd.DataFrame

    @property
    def n_tied(self) -> int:
        """Items whose majority category is one of several."""
        return int((self.items["tied"] > 1).sum())


def strong_truth(votes: Assignments) -> StrongTruth:
    """The majority category of each item, which the paper's section 3 calls a strong ground truth.

    Warns
    -----
    UnjudgedItemWarning
        Nobody gave an item a category; it is left out.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> votes = ft.Assignments.from_columns(list("stu"), ["i"] * 3, ["cat", "dog", "cat"])
    >>> strong_truth(votes).items.values.tolist()
    [['i', 'cat', 0.6666666666666666, 1]]
    """
    import pandas as pd

    best = most_voted(votes)
    lacking = len(votes.items) - len(best.item)
    if lacking:
        warn(
            f"strong ground truth: left out: {counted(lacking, 'item')} to which nobody gave a "
            "category",
            UnjudgedItemWarning,
        )
    names = np.array(votes.items.to_pylist(), dtype=object)[best.item]
    categories = np.array(votes.taxonomy.nodes, dtype=object)[best.category]
    items = pd.DataFrame(
        {"item": names, "category": categories, "share": best.share, "tied": best.tied}
    )
    single = Assignments.from_columns(
        ["majority"] * len(items), names, categories, taxonomy=votes.taxonomy
    )
    return StrongTruth(single, items)
