"""The sums over pairs of votes that a coefficient of agreement is computed from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Bools, Floats
from fuzzytruth.annotators.coefficients.agreement_metrics import Metric, distances_by
from fuzzytruth.annotators.ratings import Ratings
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.ranked_votes import without_reranked
from fuzzytruth.core.two_margins import TwoMargins
from fuzzytruth.core.unit_votes import Paired, Removed, Sums, UnitVotes, share_of_unit
from fuzzytruth.core.value_distances import (
    Distances,
    mid_ranks,
    nominal_distances,
    squared_distances,
)
from fuzzytruth.errors import OptionError, shown
from fuzzytruth.stats.agreement import Chance, Coefficient


@dataclass(frozen=True, slots=True, eq=False)
class AgreementSums:
    """Votes under a coefficient and a metric.

    Parameters
    ----------
    pairs : Paired or TwoMargins
    chance : Chance
    metric : str
    by_rank : bool
        Whether distances are those of the mid-ranks of the votes, and change with them.
    units : (units,) bool
        Those that count.
    mean_gaps : (units,) float
        Mean distance of the pairs of votes; NaN without pairs.
    """

    pairs: Paired | TwoMargins
    chance: Chance
    metric: str
    by_rank: bool
    units: Bools
    mean_gaps: Floats

    @classmethod
    def of(
        cls, ratings: Ratings, votes: UnitVotes, coefficient: Coefficient, metric: Metric
    ) -> AgreementSums:
        """Compute the distances, and the sums over the pairs of each unit."""
        if coefficient == "ac1" and not (isinstance(metric, str) and metric == "nominal"):
            raise OptionError(
                f"metric={shown(metric)}: AC1 has no weights; take coefficient='ac2', or "
                "metric='nominal'"
            )
        alpha = coefficient == "alpha"
        name, distances = distances_by(ratings, metric, by_rank=alpha)
        by_rank = distances is None
        if distances is None:
            totals = share_of_unit(votes.n, by_vote=True) @ votes.counts
            distances = squared_distances(mid_ranks(totals))
        gwet = coefficient in ("ac1", "ac2")
        spread = nominal_distances(len(ratings.names)) if gwet else None
        all_pairs = Paired.of(votes, distances, by_vote=alpha, spread=spread)
        pairs: Paired | TwoMargins = all_pairs
        if coefficient == "cohen":
            pairs = TwoMargins.of(votes, distances, all_pairs.gaps / 2, votes.n >= 2)
        n = votes.n
        mean_gaps = divide(all_pairs.gaps, n * (n - 1), fill=np.nan)
        mean_gaps[n < 2] = np.nan
        units = n >= (2 if coefficient in ("alpha", "cohen", "percent") else 1)
        chance = _chance(coefficient, distances, len(ratings.names))
        return cls(pairs, chance, name, by_rank, units, mean_gaps)

    def all(self) -> Sums:
        """Of all votes: one group."""
        return self.pairs.all()

    def without(self, removed: Removed) -> Sums:
        """Without the votes of each group."""
        if self.by_rank and isinstance(self.pairs, Paired):
            return without_reranked(self.pairs, removed)
        return self.pairs.without(removed)

    def values(self, sums: Sums) -> Floats:
        """The coefficient: (groups,)."""
        return self.chance.value(sums)


def _chance(coefficient: Coefficient, distances: Distances, n_values: int) -> Chance:
    """What a coefficient takes for chance, among so many categories."""
    if coefficient in ("alpha", "fleiss", "cohen"):
        return Chance(coefficient)
    largest = distances.largest() or 1.0
    apart = float(distances.toward(np.ones(n_values)).sum())  # over all pairs of categories
    n_pairs = n_values * (n_values - 1)
    factor = (n_values**2 - apart / largest) / n_pairs if n_pairs else float("nan")
    return Chance(coefficient, largest, factor)
