"""The precision–recall cloud of one query: at each rank, how probable each point is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth._typing import Array
from fuzzytruth.core.prefixes import joint_pmfs
from fuzzytruth.data.distribution.distribution import Distribution

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Cloud:
    """Points (recall, precision) at every rank, and their probabilities.

    Parameters
    ----------
    system, query : str
    rank : (points,) int
        The probabilities of each rank sum to 1.
    recall, precision, probability : (points,) float
        Recall is 0 where no item is relevant.

    References
    ----------
    Santini, "Benchmarking without ground truth", section 4: the precision–recall curve becomes a
    cloud.
    """

    system: str
    query: str
    rank: Array
    recall: Array
    precision: Array
    probability: Array

    def __repr__(self) -> str:
        ranks = int(self.rank.max(initial=0))
        return f"Cloud({self.system}, query {self.query}: {len(self.rank):,} points, {ranks} ranks)"

    def to_frame(self) -> pd.DataFrame:
        """One row a point: rank, recall, precision, probability."""
        import pandas as pd

        return pd.DataFrame(
            {
                "rank": self.rank,
                "recall": self.recall,
                "precision": self.precision,
                "probability": self.probability,
            }
        )

    def mean_curve(self) -> pd.DataFrame:
        """Expected recall and precision at each rank."""
        import pandas as pd

        n = int(self.rank.max(initial=0)) + 1
        means = {
            name: np.bincount(self.rank, weights=values * self.probability, minlength=n)[1:]
            for name, values in (("recall", self.recall), ("precision", self.precision))
        }
        return pd.DataFrame({"rank": np.arange(1, n), **means})

    def bands(self, level: float = 0.95) -> pd.DataFrame:
        """Central intervals of recall and of precision at each rank."""
        import pandas as pd

        rows = []
        for rank in range(1, int(self.rank.max(initial=0)) + 1):
            at = self.rank == rank
            recall, precision = (
                Distribution.from_atoms(values[at], self.probability[at]).interval(level)
                for values in (self.recall, self.precision)
            )
            rows.append((rank, *recall, *precision))
        ends = ["recall_lower", "recall_upper", "precision_lower", "precision_upper"]
        return pd.DataFrame(rows, columns=["rank", *ends])

    def plot(self, ax: Axes | None = None, *, level: float = 0.95) -> Axes:
        """Draw the points, darker where more probable, the mean curve and the band of precision.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            By default in a new figure. Nothing is shown.
        level : float
            Of the band.
        """
        from fuzzytruth.plots.precision_recall import draw

        return draw(self, ax, level)


def make_cloud(components: list[tuple[float, Array, Array]], name: tuple[str, str]) -> Cloud:
    """Mix the joint laws of all components; see `RankDistributions.components`."""
    parts: dict[int, list[tuple[Array, Array, Array]]] = {}
    for weight, ranked, rest in components:
        for rank, (above, below) in enumerate(joint_pmfs(ranked, rest[rest > 0]), start=1):
            hits, others = np.nonzero(np.outer(above > 0, below > 0))
            relevant = np.maximum(hits + others, 1)
            chance = weight * above[hits] * below[others]
            parts.setdefault(rank, []).append((hits / relevant, hits / rank, chance))
    columns: list[tuple[Array, Array, Array, Array]] = []
    for rank, laws in parts.items():
        recall, precision, chance = (np.concatenate(part) for part in zip(*laws, strict=True))
        points, which = np.unique(
            np.round(np.stack((recall, precision)), 12), axis=1, return_inverse=True
        )
        total = np.bincount(which.reshape(-1), weights=chance)
        columns.append((np.full(len(total), rank), points[0], points[1], total))
    rank_of, recall, precision, chance = (
        np.concatenate(part) for part in zip(*columns, strict=True)
    )
    return Cloud(*name, rank_of, recall, precision, chance)
