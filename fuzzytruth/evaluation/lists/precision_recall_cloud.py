"""The precision–recall cloud of a query: the joint distribution of both at each rank."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Array
from fuzzytruth.core.lists.relevant_counts import joint_pmfs
from fuzzytruth.data.distribution import Distribution
from fuzzytruth.errors import OptionError, counted, printable, shown
from fuzzytruth.plots.frames import PlotData
from fuzzytruth.show.answer import FrameColumns, Parts, Result, printed_table
from fuzzytruth.show.answer_rows import few_ranks
from fuzzytruth.show.number_text import level_text, with_interval

if TYPE_CHECKING:
    from matplotlib.axes import Axes


LEVEL = 0.95  # of printed intervals
#: what the numbers and brackets of printed distributions are
LEGEND = (
    f"Expected values. Brackets: the central interval that holds {level_text(LEVEL)} of the worlds "
    "of this query's uncertain truth; they say nothing about other queries or people."
)


def _law_text(law: Distribution) -> str:
    return with_interval(law.mean(), *law.interval(LEVEL))


#: how columns of distributions are printed
LAWS: FrameColumns = {name: (name, _law_text) for name in ("precision", "recall")}


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Cloud(Result):
    """Joint distribution of recall and precision at every rank.

    Parameters
    ----------
    system, query : str
    rank : (points,) int
        From 1, ascending.
    recall, precision : (points,) float
        In [0, 1]; recall is 0 where no item is relevant.
    probability : (points,) float
        Sums to 1 at each rank.
    category : str
        Given that the query has this category; empty: over all it may have.
    share : float
        Probability of that category.
    parts : tuple of Cloud
        The clouds given each category that the query may have, of which this one is the mixture;
        empty where the query has no category.

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
    category: str = ""
    share: float = 1.0
    parts: tuple[Cloud, ...] = ()

    _more: ClassVar[str] = ".to_frame(), .mean_curve(), .bands(), .plot()"
    _figures: ClassVar[tuple[str, ...]] = ("precision_recall",)

    @property
    def _list(self) -> str:
        return f"{self.system}, query {self.query}{self.category and f' given {self.category}'}"

    @property
    def _size(self) -> str:
        counts = f"{counted(len(self.rank), 'point')}, {counted(self._n_ranks, 'rank')}"
        return f"{self._list}: {counts}"

    def __repr__(self) -> str:
        return printable(f"Cloud({self._size})")

    def _title(self) -> str:
        return f"Precision and recall together: {self._size}"

    def _parts(self) -> Parts:
        """Expected precision and recall at a few ranks, with intervals."""
        ranks = few_ranks(self._n_ranks, 8)
        both = {"precision": self.precision, "recall": self.recall}
        laws = {name: [self._law(x, rank) for rank in ranks] for name, x in both.items()}
        frame = pd.DataFrame({"rank": ranks, **laws})
        return [printed_table(frame, {"rank": "rank", **LAWS}), LEGEND]

    def _law(self, values: Array, rank: int) -> Distribution:
        """Distribution of recall, or precision, at a rank."""
        at = self.rank == rank
        return Distribution.from_atoms(values[at], self.probability[at])

    @property
    def _n_ranks(self) -> int:
        return int(self.rank.max(initial=0))

    def to_frame(self) -> pd.DataFrame:
        """One row for each point: rank, recall, precision, probability."""
        names = ("rank", "recall", "precision", "probability")
        return pd.DataFrame({name: getattr(self, name) for name in names})

    def mean_curve(self) -> pd.DataFrame:
        """Expected recall and precision at each rank: columns rank, recall, precision.

        Expectations at one rank, over the same worlds at all ranks: recall never falls.
        """
        n = self._n_ranks + 1
        means: dict[str, Array] = {
            name: np.bincount(self.rank, weights=values * self.probability, minlength=n)[1:]
            for name, values in (("recall", self.recall), ("precision", self.precision))
        }
        means["recall"] = np.maximum.accumulate(means["recall"])  # rounding
        return pd.DataFrame({"rank": np.arange(1, n), **means})

    def bands(self, level: float = 0.95) -> pd.DataFrame:
        """Central intervals of recall and of precision at each rank.

        Columns: rank, recall_lower, recall_upper, precision_lower, precision_upper.
        """
        both = (self.recall, self.precision)
        rows = [
            (rank, *(end for values in both for end in self._law(values, rank).interval(level)))
            for rank in range(1, self._n_ranks + 1)
        ]
        ends = ["recall_lower", "recall_upper", "precision_lower", "precision_upper"]
        return pd.DataFrame(rows, columns=["rank", *ends])

    def by_category(self, level: float = 0.95) -> pd.DataFrame:
        """Mean curve and band of precision given each category that the query may have.

        Columns: category, share (its probability), rank, recall and precision (expected, given the
        category), precision_lower and precision_upper. No rows where the query has no category.
        """
        columns = ["category", "share", "rank", "recall", "precision"]
        columns += ["precision_lower", "precision_upper"]
        if not self.parts:
            return pd.DataFrame(columns=columns)
        each = [part._curve(part.category, part.share, level) for part in self.parts]
        return pd.concat(each, ignore_index=True)[columns]

    def _curve(self, category: str, share: float, level: float) -> pd.DataFrame:
        """Mean curve and bands, with columns category and share."""
        curve = pd.concat([self.mean_curve(), self.bands(level).drop(columns="rank")], axis=1)
        curve.insert(0, "share", share)
        curve.insert(0, "category", category)
        return curve

    def plot(
        self, ax: Axes | None = None, *, level: float = 0.95, by_category: bool | None = None
    ) -> Axes:
        """Draw the points, darker where more probable, the mean curve and bands of precision.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes to draw on; a new figure by default.
        level : float
            Level of the bands.
        by_category : bool, optional
            Whether there is a band and a mean curve for each category that the query may have,
            or one band over all. A band over categories that differ much holds nearly every
            precision there is. By default, where there are several categories.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        OptionError
            ``by_category=True`` and the query has no category.
        """
        from fuzzytruth.plots import precision_recall

        return precision_recall(self, ax, level=level, by_category=by_category)

    def _plot_data(
        self, figure: str, level: float = 0.95, by_category: bool | None = None
    ) -> PlotData:
        """Points, and curves with bands, of `plots.precision_recall`."""
        if by_category and not self.parts:
            raise OptionError(
                f"by_category=True: query {shown(self.query)} has no category; only queries by "
                "example have"
            )
        curves = self._curve("", 1.0, level)
        if len(self.parts) > 1 if by_category is None else by_category:
            curves = pd.concat([curves, self.by_category(level)], ignore_index=True)
        title = f"{self._list}, ranks 1 to {self._n_ranks:,}, over independent worlds"
        return PlotData(self.to_frame(), title, curves)


def make_cloud(
    components: list[tuple[float, Array, Array]],
    name: tuple[str, str],
    categories: tuple[str, ...] = (),
) -> Cloud:
    """Mix the joint distributions of all components.

    Parameters
    ----------
    components : list
        Weight of each, probability of relevance of the items at ranks 1 to depth, and of all
        others; see `RankDistributions.components`.
    name : (str, str)
        System and query.
    categories : tuple of str
        The category of each component, if they have one.
    """
    points = [_points(ranked, rest) for _, ranked, rest in components]
    weights = [weight for weight, _, _ in components]
    parts = tuple(
        Cloud(*name, *_merged([one], [1.0]), category=category, share=weight)
        for category, one, weight in zip(categories, points, weights, strict=False)
    )
    return Cloud(*name, *_merged(points, weights), parts=parts)


#: rank, recall, precision and probability of some points: (points,) each
Points = tuple[Array, Array, Array, Array]


def _points(ranked: Array, rest: Array) -> Points:
    """The joint distribution of recall and precision at every rank, of independent items."""
    columns: list[Points] = []
    for rank, (hit_pmf, rest_pmf) in enumerate(joint_pmfs(ranked, rest[rest > 0]), start=1):
        hits, others = np.nonzero(np.outer(hit_pmf > 0, rest_pmf > 0))
        n_relevant = np.maximum(hits + others, 1)
        probability = hit_pmf[hits] * rest_pmf[others]
        columns.append((np.full(len(hits), rank), hits / n_relevant, hits / rank, probability))
    rank_of, recall, precision, chance = map(np.concatenate, zip(*columns, strict=True))
    return rank_of, recall, precision, chance


def _merged(parts: list[Points], weights: list[float]) -> Points:
    """A mixture of points, each (rank, recall, precision) once, in this order."""
    rank, recall, precision = (
        np.concatenate([part[column] for part in parts]) for column in range(3)
    )
    chance = np.concatenate([weight * part[3] for part, weight in zip(parts, weights, strict=True)])
    place = np.stack((rank, np.round(recall, 12), np.round(precision, 12)))
    points, which = np.unique(place, axis=1, return_inverse=True)
    total = np.bincount(which.reshape(-1), weights=chance)
    return points[0].astype(np.int64), points[1], points[2], total
