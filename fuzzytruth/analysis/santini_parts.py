"""What a `SantiniReport` consists of."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth.comparison.result import Comparison
from fuzzytruth.data.assignments import Assignments, most_voted
from fuzzytruth.data.distribution import Distribution
from fuzzytruth.data.membership import Membership
from fuzzytruth.errors import OptionError, UnjudgedItemWarning, counted, is_among, shown, warn
from fuzzytruth.evaluation.lists.by_rank import RankDistributions
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.stats.settings import Over

# The strong ground truth: every item has the category that most subjects gave it.


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


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SantiniParts:
    """The fields of `SantiniReport`, which documents them."""

    votes: Assignments
    membership: Membership
    k: int
    level: float
    strong: StrongTruth
    strong_scores: Scores
    scores: Scores
    ranks: RankDistributions
    people: Scores | None
    displaced: Scores | None
    over: Over
    comparison: Comparison | None
    displaced_comparison: Comparison | None

    def distribution(
        self, system: str, query: str, measure: str = "P", *, category: str | None = None
    ) -> Distribution:
        """Distribution of precision ("P") or recall ("R") at k of one query.

        Mixed over the categories that the query may have, or given one of them.

        Raises
        ------
        OptionError
            There is no such system, query, measure or category.
        """
        which = self.scores.measures.index(self.measure_at_k(measure))
        law = (self.ranks.precision, self.ranks.recall)[which]
        return law(system, query, self.k, category=category)

    def measure_at_k(self, measure: str) -> str:
        """Precision ("P") or recall ("R") at k, as the scores call it."""
        known = is_among(measure, self.scores.measures)
        name = measure if known else f"{measure}@{self.k}"
        if name not in self.scores.measures:
            raise OptionError(
                f"measure={shown(measure)}: must be 'P' or 'R', precision or recall at k"
            )
        return name
