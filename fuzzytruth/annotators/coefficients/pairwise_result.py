"""What `pairwise_agreement` finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from fuzzytruth._typing import Ints
from fuzzytruth.annotators.coefficients.near_duplicates import duplicate_clusters
from fuzzytruth.annotators.coefficients.pair_distances import Metric
from fuzzytruth.annotators.coefficients.pairwise_answer import pairwise_answer
from fuzzytruth.annotators.coefficients.pairwise_figure import pairwise_figure
from fuzzytruth.core.validation import option_flag, option_number
from fuzzytruth.errors import DataError, counted, require
from fuzzytruth.io.answer import Answer, Printed
from fuzzytruth.stats.pair_agreement import Coefficient

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from fuzzytruth.plots.frames import PlotData

_SHORT = ["subject_a", "subject_b", "n_units", "value", "lower", "upper"]
_BY_SUBJECT = ["subject", "n_others", "value", "lower", "upper"]
_MOST_CELLS = 25_000_000  # of a matrix


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PairwiseAgreement(Answer):
    """Agreement of each pair of subjects.

    Parameters
    ----------
    subjects : tuple of str
    pairs : DataFrame
        One row a pair: subject_a, subject_b; n_units, which both judged; value, lower and upper of
        the coefficient (NaN where it is undefined); std_error; n_clusters, items or queries that
        intervals are over; percent, the share of units with the same value; sure_kappa and
        sure_excess, the least agreement beyond chance and beyond the panel (see `duplicates`).
        Pairs that share no unit are left out where there are more than a million pairs.
    means : DataFrame
        One row a subject, the lowest first: see `by_subject`.
    n_effective, n_effective_lower, n_effective_upper : float
        How many independent subjects these are worth, with its interval; NaN if unknown.
    n_effective_unknown : str
        Why it is unknown; "" if it is not.
    coefficient, metric : str
    over : {"item", "query"}
        What intervals are over.
    level : float
    n_units, n_clusters : int
        Units that were judged, and items or queries.
    """

    subjects: tuple[str, ...]
    pairs: pd.DataFrame
    means: pd.DataFrame
    n_effective: float
    n_effective_lower: float
    n_effective_upper: float
    n_effective_unknown: str
    coefficient: Coefficient
    metric: Metric
    over: str
    level: float
    n_units: int
    n_clusters: int

    def __repr__(self) -> str:
        return (
            f"PairwiseAgreement({self.coefficient}, {counted(len(self.subjects), 'subject')}, "
            f"{counted(len(self.pairs), 'pair')}, over {self.over}, "
            f"n_effective={self.n_effective:.4g})"
        )

    def _answer(self) -> Printed:
        return pairwise_answer(self)

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row a pair: subject_a, subject_b, n_units, value, lower, upper; `full`: all columns.

        A copy.
        """
        return self.pairs.copy() if option_flag("full", full) else self.pairs[_SHORT].copy()

    def by_subject(self, *, full: bool = False) -> pd.DataFrame:
        """Mean agreement of each subject with all others, the lowest first: who is the outlier.

        Columns subject, n_others (with whom the coefficient is defined), value, lower, upper, and
        if `full` std_error and n_clusters. Intervals are over items or queries, for these subjects;
        they do not say how others would agree with the subject.
        """
        return self.means.copy() if option_flag("full", full) else self.means[_BY_SUBJECT].copy()

    def matrix(self) -> pd.DataFrame:
        """The coefficient of each two subjects: (subjects, subjects), symmetric.

        1 on the diagonal; NaN where it is undefined or no unit is shared.

        Raises
        ------
        DataError
            There are more than 5,000 subjects.
        """
        import pandas as pd

        s = len(self.subjects)
        if s * s > _MOST_CELLS:
            raise DataError(
                f"matrix: {s:,} subjects make {s * s:,} cells; to_frame() has the pairs that "
                "share units"
            )
        first, second = self._ends()
        table = np.full((s, s), np.nan)
        table[first, second] = table[second, first] = self.pairs["value"].to_numpy()
        np.fill_diagonal(table, 1.0)
        return pd.DataFrame(table, index=list(self.subjects), columns=list(self.subjects))

    def _ends(self) -> tuple[Ints, Ints]:
        """Places of the two subjects of each pair."""
        place = {name: at for at, name in enumerate(self.subjects)}
        first, second = (self.pairs[name].map(place).to_numpy() for name in _SHORT[:2])
        return np.asarray(first, dtype=np.int64), np.asarray(second, dtype=np.int64)

    def plot(self, ax: Axes | None = None, *, threshold: float = 0.95) -> Axes:
        """Draw the coefficient of each two subjects, near-duplicates outlined.

        See `plots.agreement_matrix`.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure. Nothing is shown.
        threshold : float
            Of near-duplicates, see `duplicates`.

        Raises
        ------
        OptionError
            The threshold is out of its range.
        DataError
            There are more than 200 subjects, or no pair has a value.
        """
        from fuzzytruth.plots import agreement_matrix

        return agreement_matrix(self, ax, threshold=threshold)

    _figures: ClassVar[tuple[str, ...]] = ("agreement_matrix",)

    def _plot_data(self, figure: str, *, threshold: float = 0.95) -> PlotData:
        return pairwise_figure(self, threshold)

    def duplicates(self, threshold: float = 0.95) -> pd.DataFrame:
        """Clusters of near-duplicates: subjects who agree more than different people would.

        Two subjects are near-duplicates if two kinds of agreement surely reach the threshold, at
        the one-sided confidence `level`, over items. Both are 1 - D / E, D being the share of units
        to which the two gave different values:

        - beyond chance (`sure_kappa`): E is expected from the shares of the values that each gave,
          so that 99 % zeros are no sign of a copy;
        - beyond the panel (`sure_excess`): E is expected if both erred independently of each other
          beside what the whole panel has in common, so that experts who are nearly always right are
          no copies. It takes four subjects, up to 500; beyond these, only the first kind counts.

        Clusters are by complete linkage: every two members are near-duplicates, where single
        linkage would chain subjects that are not.

        Parameters
        ----------
        threshold : float
            Above 0, at most 1. By default two subjects must surely differ on less than a twentieth
            of the units on which independent subjects would.

        Returns
        -------
        DataFrame
            One row a subject that is in a cluster: cluster (from 1, the largest first), subject,
            percent (lowest share of equal values with another member), value (the lowest
            coefficient with another member).

        Raises
        ------
        OptionError
            The threshold is out of its range.

        Notes
        -----
        To be sure of copies that never differ takes some 54 / E units by default (E is in the list
        above): 110 where others would differ on half of the units, 540 where on one in ten. With
        fewer, lower the threshold.

        Copies of one subject beside a single other one look like excellent subjects beside a poor
        one; if they differ now and then, they are not found. The other way round, a few flawless
        subjects among very poor ones can look like copies.
        """
        import pandas as pd

        threshold = option_number("threshold", threshold)
        require("threshold", threshold, 0 < threshold <= 1, "must be above 0, and at most 1")
        first, second = self._ends()
        kappa, excess = (self.pairs[name].to_numpy() for name in ("sure_kappa", "sure_excess"))
        alike = np.fmin(kappa, excess)
        alike = np.where(np.isnan(kappa), np.nan, alike)
        rows: list[tuple[int, str, float, float]] = []
        for number, members in enumerate(duplicate_clusters(first, second, alike, threshold), 1):
            within = np.isin(first, members) & np.isin(second, members)
            for member in members.tolist():
                own = self.pairs[within & ((first == member) | (second == member))]
                least = (own["percent"].min(), own["value"].min())
                rows.append((number, self.subjects[member], *least))
        return pd.DataFrame(rows, columns=["cluster", "subject", "percent", "value"])
