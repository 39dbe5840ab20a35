"""`Comparison`: the result of `compare`, as tables, text and figures."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, get_args

from fuzzytruth._lazy import pd
from fuzzytruth.comparison import paper
from fuzzytruth.comparison.answer import comparison_answer, row_verdicts
from fuzzytruth.comparison.assumptions import assumptions
from fuzzytruth.comparison.by_subject import SubjectComparisons, by_subject
from fuzzytruth.comparison.compared import Compared
from fuzzytruth.comparison.comparison_figure import Kind, figure_data, usual_kind
from fuzzytruth.comparison.comparison_report import comparison_page
from fuzzytruth.comparison.inference import SHORT
from fuzzytruth.comparison.rank_sets import rank_sets
from fuzzytruth.comparison.report_parts import write_page
from fuzzytruth.core.validation import option_flag
from fuzzytruth.errors import choice, counted
from fuzzytruth.plots.frames import PlotData
from fuzzytruth.show.answer import Printed, Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Comparison(Result, Compared):
    """Differences of systems, each with its interval, p-values and effect sizes.

    Parameters
    ----------
    table : DataFrame
        See `to_frame`.
    means : DataFrame
        Systems × measures, over the values that all systems have (`conditions.shared`).
    lazy_beside : Lazy of DataFrame or None
        See `beside`.
    conditions : Conditions
    family : Family
        The values compared and how; `by_subject` takes them.
    scores : Scores
        Whose systems are compared.

    Examples
    --------
    >>> import pandas as pd, fuzzytruth as ft
    >>> result = ft.compare(ft.Scores.from_frame(pd.DataFrame({
    ...     "system": ["a"] * 8 + ["b"] * 8 + ["c"] * 8, "query": [*range(8)] * 3,
    ...     "value": [.1, .4, .3, .5, .2, .6, .3, .4, .3, .5, .5, .6, .5, .9, .5, .5,
    ...               .2, .3, .5, .4, .2, .6, .4, .5]})))
    >>> result
    Comparison(3 pairs, 1 measure, over queries, max-t, level 0.95: 2 significant)
    >>> print(result)  # doctest: +ELLIPSIS
    3 systems compared on value: 3 differences over 8 queries
    <BLANKLINE>
    b is significantly better than a on value over queries
    ...
    >>> result.superscripts()["value"].to_dict()
    {'a': '', 'b': 'ac', 'c': ''}
    """

    def _answer(self) -> Printed:
        return comparison_answer(self)

    def __repr__(self) -> str:
        conditions = self.conditions
        measures = counted(len(conditions.measures), "measure")
        pairs = counted(len(self.table) // len(conditions.measures), "pair")
        return (
            f"Comparison({pairs}, {measures}, over {conditions.random}, "
            f"{conditions.correction}, level {conditions.level:g}: "
            f"{int(self.table['significant'].sum()):,} significant)"
        )

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row for each pair and measure.

        Columns: measure, system_a, system_b, difference (a - b), lower, upper, p_adjusted.

        With ``full=True`` also mean_a, mean_b (over the values that both have), std_error, df (of
        std_error; over queries and subjects the interval is no t), p (not adjusted), p_permutation
        (two-sided sign flips, over queries only), significant (p_adjusted is 1 - level or less),
        min_detectable (the true difference that such intervals find with a power of 80 %; that
        Bonferroni intervals find where the correction has none), d_z (difference over the standard
        deviation of per-query differences), p_improvement (share of queries on which a is better,
        ties ½), wins, ties, losses (of a), n_queries, n_subjects, share_subjects and share_worlds
        (whose difference has the same sign; NaN without any, and of worlds under strata),
        subjects_agree and subjects_tied (how many); with ``bayesian=True`` posterior_better,
        posterior_rope, posterior_worse.
        """
        return self.table.copy() if option_flag("full", full) else self.table[SHORT].copy()

    def verdicts(self) -> list[str]:
        """One sentence for each row of `to_frame`.

        Examples
        --------
        >>> import pandas as pd, fuzzytruth as ft
        >>> scores = ft.Scores.from_frame(pd.DataFrame({
        ...     "system": list("aaaabbbb"), "query": [1, 2, 3, 4] * 2,
        ...     "value": [0.5, 0.7, 0.9, 0.8, 0.4, 0.8, 0.9, 0.6]}))
        >>> ft.compare(scores).verdicts()
        ['no difference between a and b is shown on value over queries (difference 0.05
        [-0.16, 0.26], p = 0.50; a true difference of 0.27 would have been found with
        80 % power)']
        """
        return [verdict.sentence for verdict in row_verdicts(self)]

    def by_subject(self) -> SubjectComparisons:
        """The same comparison with each subject's judgments as the truth, over queries.

        Each subject's comparisons are a family of their own; subjects must be crossed with queries.

        Raises
        ------
        OptionError
            There are no subjects, or they are nested in queries.

        Warns
        -----
        DegenerateWarning
            The spread of a subject's differences is zero or unknown.

        Examples
        --------
        >>> import pandas as pd, fuzzytruth as ft
        >>> scores = ft.Scores.from_frame(pd.DataFrame({
        ...     "system": ["a"] * 6 + ["b"] * 6, "query": [1, 2, 3] * 4,
        ...     "subject": (["ann"] * 3 + ["bob"] * 3) * 2,
        ...     "value": [.5, .7, .9, .4, .6, .7, .3, .6, .6, .5, .5, .9]}))
        >>> each = ft.compare(scores).by_subject().to_frame()
        >>> each[["subject", "difference", "p_adjusted"]].round(3).values.tolist()
        [['ann', 0.2, 0.074], ['bob', -0.067, 0.529]]
        """
        return by_subject(self)

    def tiers(self) -> pd.DataFrame:
        """Rank sets, systems among the best, and tiers, from which systems differ significantly.

        Returns
        -------
        DataFrame
            One row a measure and system, best first: measure, system, mean, tier (1 + the longest
            chain of systems of which each is significantly better than the next), among_best
            (no system is significantly better), rank_lower and rank_upper (1 + the systems that are
            significantly better, and all but those that are significantly worse: together the sets
            hold all true ranks with the level's confidence).

        Raises
        ------
        OptionError
            Not all pairs were compared, or in one direction only, or the correction does not
            control the family-wise error.

        References
        ----------
        Mogstad, Romano, Shaikh & Wilhelm 2024, Inference for ranks, Review of Economic Studies 91.

        Examples
        --------
        >>> import pandas as pd, fuzzytruth as ft
        >>> result = ft.compare(ft.Scores.from_frame(pd.DataFrame({
        ...     "system": list("aaaabbbb"), "query": [1, 2, 3, 4] * 2,
        ...     "value": [0.5, 0.7, 0.9, 0.8, 0.3, 0.6, 0.6, 0.6]})))
        >>> result.tiers()[["system", "tier", "rank_lower", "rank_upper"]].values.tolist()
        [['a', 1, 1, 1], ['b', 2, 2, 2]]
        """
        return rank_sets(self.table, self.means, self.conditions)

    @property
    def assumptions(self) -> str:
        """Estimand, null hypothesis, test and caveats, as text."""
        return assumptions(self.conditions)

    def to_latex(
        self,
        what: paper.What = "means",
        *,
        digits: int = 4,
        caption: str | None = None,
        label: str = "tab:comparison",
        bold: bool = True,
    ) -> str:
        r"""A table with caption; needs ``\usepackage{booktabs}``.

        Parameters
        ----------
        what : {"means", "differences"}
            Means with the letters of the systems beaten, or a row a pair with difference, interval
            and p.
        digits : int
            Decimals.
        caption : str, optional
            By default what the numbers are, the test, its level and what is random.
        label : str
            What ``\ref`` names.
        bold : bool
            Whether the best mean by each measure is bold.

        Examples
        --------
        >>> import pandas as pd, fuzzytruth as ft
        >>> result = ft.compare(ft.Scores.from_frame(pd.DataFrame({
        ...     "system": list("aaaabbbb"), "query": [1, 2, 3, 4] * 2,
        ...     "value": [0.5, 0.7, 0.9, 0.8, 0.3, 0.6, 0.6, 0.6]})))
        >>> print(result.to_latex(digits=2, caption="Means."))  # doctest: +ELLIPSIS
        \begin{table}[t]
        ...
        a & a & \textbf{0.73$^{b}$} \\
        ...
        """
        return paper.to_latex(self, what, digits=digits, caption=caption, label=label, bold=bold)

    def to_markdown(
        self,
        what: paper.What = "means",
        *,
        digits: int = 4,
        caption: str | None = None,
        bold: bool = True,
    ) -> str:
        """A Markdown table, and a line that explains it; parameters as of `to_latex`."""
        return paper.to_markdown(self, what, digits=digits, caption=caption, bold=bold)

    def report(self, path: str | Path, *, title: str | None = None) -> Path:
        """Write a page with what is known of the comparison, in one file that needs no network.

        Verdicts, figures and tables of systems, pairs, queries and subjects that readers can sort,
        and a paragraph on methods with references. `analyse` has a fuller one, with data checks and
        agreement. The same comparison gives the same bytes.

        Parameters
        ----------
        path : str or Path
            The file, such as report.html. An existing one is replaced.
        title : str, optional
            By default what was compared.

        Returns
        -------
        Path

        Raises
        ------
        DataError
            The file cannot be written.
        OptionError
            `path` is no path, or the path has another ending than .html or .htm,
            or the title is no text.

        Examples
        --------
        >>> import pandas as pd, fuzzytruth as ft
        >>> from tempfile import TemporaryDirectory
        >>> result = ft.compare(ft.Scores.from_frame(pd.DataFrame({
        ...     "system": list("aaaabbbb"), "query": [1, 2, 3, 4] * 2,
        ...     "value": [0.5, 0.7, 0.9, 0.8, 0.3, 0.6, 0.6, 0.6]})))
        >>> with TemporaryDirectory() as folder:
        ...     page = result.report(f"{folder}/report.html").read_text(encoding="utf-8")
        >>> "a is significantly better than b on value over queries" in page
        True
        """
        return write_page(lambda: comparison_page(self, title), path)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        kind: Kind | None = None,
        measure: str | None = None,
        **options: Any,
    ) -> Axes:
        """Draw the differences by one measure.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure. Nothing is shown.
        kind : {"forest", "matrix", "tiers"}, optional
            Every difference with its interval (`plots.forest`), systems × systems
            (`plots.pairwise_matrix`), or means with bars that join systems without significant
            differences (`plots.tiers`). By default a forest plot, but the matrix if there are more
            than 40 pairs and no single baseline.
        measure : str, optional
            By default the first.
        **options
            Of the function that draws.

        Raises
        ------
        OptionError
            The measure is not among those compared, or the comparison has no tiers (see `tiers`).

        Examples
        --------
        >>> import matplotlib; matplotlib.use("Agg")
        >>> import pandas as pd, fuzzytruth as ft
        >>> result = ft.compare(ft.Scores.from_frame(pd.DataFrame({
        ...     "system": list("aaaabbbb"), "query": [1, 2, 3, 4] * 2,
        ...     "value": [0.5, 0.7, 0.9, 0.8, 0.3, 0.6, 0.6, 0.6]})))
        >>> result.plot().get_xlabel()
        'difference of value'
        """
        from fuzzytruth import plots

        kind = usual_kind(self) if kind is None else kind
        choice("kind", kind, get_args(Kind))
        if kind == "forest":
            return plots.forest(self, ax, measure=measure, **options)
        if kind == "matrix":
            return plots.pairwise_matrix(self, ax, measure=measure, **options)
        return plots.tiers(self, ax, measure=measure, **options)

    _figures: ClassVar[tuple[str, ...]] = ("forest", "pairwise_matrix", "tiers")

    def _plot_data(self, figure: str, **options: Any) -> PlotData:
        """Frames of `plots.forest`, `plots.pairwise_matrix` or `plots.tiers`."""
        return figure_data(self, figure, **options)
