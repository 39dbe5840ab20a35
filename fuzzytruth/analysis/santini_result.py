"""Result of `santini_report`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from fuzzytruth.analysis import santini_tables as tables
from fuzzytruth.analysis.santini_answer import printed
from fuzzytruth.analysis.santini_parts import SantiniParts
from fuzzytruth.core.validation import option_flag, place_of
from fuzzytruth.errors import counted
from fuzzytruth.io.answer import Answer, Printed
from fuzzytruth.plots.frames import PlotData

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SantiniReport(SantiniParts, Answer):
    """Votes for categories and systems that rank the items, analysed as Santini's paper does.

    Parameters
    ----------
    votes : Assignments
    membership : Membership
        p(category | item), sizes and agreement (section 4).
    k : int
        Rank of precision and recall.
    level : float
        Of all intervals.
    strong : StrongTruth
        The majority category of each item, which the paper argues against (section 3).
    strong_scores : Scores
        Precision and recall at k under it: what a benchmark with one truth prints.
    scores : Scores
        Expected precision and recall over independent worlds, with their distributions.
    ranks : RankDistributions
        Distributions of both at each rank up to k, mixed over the query's categories or given one.
    people : Scores or None
        Precision and recall by each subject's own categories; None where nobody is named.
    displaced : Scores or None
        Weighted displacement from each subject's own list (section 5), where lists were given.
    over : tuple of str
        What the intervals of `to_frame` and `comparison` are over: of "query" and "subject", those
        of which there are two or more.
    comparison : Comparison or None
        Of the systems, by the subjects' own categories; None with a single system, or where nothing
        is random. Where nobody is named, of expected values over queries.
    displaced_comparison : Comparison or None
        The same by displacement: scheme (4), in which numbers are aggregated.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> votes = ft.Assignments.from_columns(
    ...     list("stu") * 4, [*"aaabbbcccddd"],
    ...     ["cat", "cat", "dog", "cat", "dog", "cat", "dog", "dog", "dog", "cat", "cat", "cat"])
    >>> runs = {"x": {"a": ["b", "d", "c"], "b": ["a", "d", "c"]},
    ...         "y": {"a": ["c", "b", "d"], "b": ["c", "a", "d"]}}
    >>> report = ft.santini_report(votes, None, runs, k=1, n_resamples=99)
    >>> report
    SantiniReport(2 systems, 2 queries, 3 subjects, P@1 and R@1)
    >>> report.pairs("a").round(3)[["measure", "better", "equal", "worse"]].values.tolist()[0]
    ['P@1', 0.444, 0.333, 0.222]
    """

    def __repr__(self) -> str:
        sizes = [counted(len(self.scores.systems), "system")]
        sizes.append(counted(len(self.scores.queries), "query"))
        if self.votes.subjects is not None:
            sizes.append(counted(len(self.votes.subjects), "subject"))
        return f"SantiniReport({', '.join(sizes)}, {' and '.join(self.scores.measures)})"

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row for each system and measure.

        Columns: system, measure, strong (mean over queries under the strong ground truth), mean
        (expected over independent worlds), std (of the mean over queries, from world to world),
        people (mean over the subjects' own truths; NaN where nobody is named), lower and upper
        (interval of `people`, or else of `mean`, over what `over` names; NaN where nothing is
        random).

        With ``full=True`` also exact (whether the mean is), query_gap and query_std (means over
        queries of the absolute difference of strong and mean of a query, and of its standard
        deviation over worlds), over, n_queries, n_subjects.
        """
        frame = tables.of_systems(self)
        return frame if option_flag("full", full) else frame[list(tables.SHORT)]

    def categories(self) -> pd.DataFrame:
        """One row a category.

        Columns: category, level (longest path from the root), size (expected number of items, (9)),
        strong_size (items whose majority category lies in its subtree), agreement (specific
        agreement, see `Membership.category_agreement`; NaN where it is unknown).
        """
        return tables.of_categories(self)

    def items(self) -> pd.DataFrame:
        """One row an item, the most disputed first.

        Columns: item, entropy (bits, of its direct shares), agreement (share of pairs of its
        subjects), category (of most votes), share (of the votes, for it), tied (categories with as
        many votes).
        """
        return tables.of_items(self)

    def distributions(
        self, queries: Iterable[str] | str | None = None, *, level: float | None = None
    ) -> pd.DataFrame:
        """Distributions of precision and recall at k, mixed and given each category of the query.

        Parameters
        ----------
        queries : ids, optional
            By default all. In large collections each query takes a while.
        level : float, optional
            Of the central intervals; by default the report's.

        Returns
        -------
        DataFrame
            One row for each system, measure, query and category: category ("" for the mixture over
            all, eqs. 13 and 14), share (its probability), strong (the value under the strong ground
            truth), mean, std, lower and upper (central interval over worlds), p_strong (the
            probability of the value `strong`) and p_below (of a smaller one).

        Raises
        ------
        OptionError
            A query is unknown.
        """
        return tables.of_distributions(self, queries, level)

    def pairs(self, query: str | None = None) -> pd.DataFrame:
        """Each pair of systems over independent worlds, both systems in the same worlds.

        Parameters
        ----------
        query : str, optional
            By default the means over queries are compared.

        Returns
        -------
        DataFrame
            One row for each measure and pair: measure, system_a, system_b, strong (difference under
            the strong ground truth), difference (of the expected values), std (over worlds),
            better, equal and worse (probabilities that a is; joint), exact (whether they are), and
            mc_error (the largest Monte Carlo standard error of the three).
        """
        return tables.of_pairs(self, query)

    def individuals(self) -> pd.DataFrame:
        """Individual comparison: one row for each system, subject and measure.

        Columns: system, subject, measure, value (mean over the subject's queries). Precision and
        recall by the subject's own categories; where lists were given, displacement from the
        subject's own lists. No rows where nobody is named.
        """
        return tables.of_individuals(self)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        system: str | None = None,
        measure: str = "P",
        queries: Iterable[str] | str | None = None,
    ) -> Axes:
        """Draw what the strong ground truth prints for each query, on the distribution it hides.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Axes to draw on; a new figure by default.
        system : str, optional
            By default the first.
        measure : {"P", "R"}
        queries : ids, optional
            By default all.

        Raises
        ------
        OptionError
            There is no such system, measure or query.
        """
        from fuzzytruth.plots import strong_truth

        asked: dict[str, Any] = {"system": system, "measure": measure, "queries": queries}
        return strong_truth(self, ax, level=self.level, **asked)

    _figures: ClassVar[tuple[str, ...]] = ("strong_truth",)

    def _plot_data(
        self,
        figure: str,
        system: str | None = None,
        measure: str = "P",
        queries: Iterable[str] | str | None = None,
    ) -> PlotData:
        """Frame of `plots.strong_truth`."""
        name = self.scores.systems[0] if system is None else system
        place_of(self.scores.systems, name, "system")
        chosen = self.measure_at_k(measure)
        frame = tables.of_distributions(self, queries, None, (name,))
        mine = frame[(frame["measure"] == chosen) & (frame["category"] == "")]
        n = counted(len(mine), "query")
        return PlotData(mine, f"{chosen} of {name}, {n}, over independent worlds")

    def _answer(self) -> Printed:
        return printed(self)
