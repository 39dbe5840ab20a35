"""What a `SantiniReport` consists of."""

from __future__ import annotations

from dataclasses import dataclass

from fuzzytruth.analysis.strong_truth import StrongTruth
from fuzzytruth.comparison.result import Comparison
from fuzzytruth.data.assignments import Assignments
from fuzzytruth.data.distribution.distribution import Distribution
from fuzzytruth.data.membership import Membership
from fuzzytruth.errors import OptionError, is_among, shown
from fuzzytruth.evaluation.by_rank import RankDistributions
from fuzzytruth.evaluation.scores import Scores
from fuzzytruth.stats.axes import Over


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
