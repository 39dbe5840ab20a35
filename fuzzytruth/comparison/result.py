"""`Comparison`: the result of `compare`, as tables, text and a plot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fuzzytruth.comparison import tables as text
from fuzzytruth.comparison import verdicts as words
from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.errors import counted
from fuzzytruth.stats.axes import in_words

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Comparison:
    """Differences of systems, each with its interval, p-values and effect sizes.

    Parameters
    ----------
    table : DataFrame
        See `to_frame`.
    means : DataFrame
        Systems × measures.
    beside : DataFrame or None
        The same differences with intervals over queries, over subjects (or worlds), and over both,
        each adjusted by Bonferroni; None where scores have neither crossed subjects nor worlds.
    conditions : Conditions

    Examples
    --------
    >>> import pandas as pd, fuzzytruth as ft
    >>> result = ft.compare(ft.Scores.from_frame(pd.DataFrame({
    ...     "system": ["a"] * 8 + ["b"] * 8 + ["c"] * 8, "query": [*range(8)] * 3,
    ...     "value": [.1, .4, .3, .5, .2, .6, .3, .4, .3, .5, .5, .6, .5, .9, .5, .5,
    ...               .2, .3, .5, .4, .2, .6, .4, .5]})))
    >>> result
    Comparison(3 pairs, 1 measure, over queries, max-t, level 0.95: 2 differ)
    >>> result.superscripts()["value"].to_dict()
    {'a': '', 'b': 'ac', 'c': ''}
    """

    table: pd.DataFrame
    means: pd.DataFrame
    beside: pd.DataFrame | None
    conditions: Conditions

    def __repr__(self) -> str:
        conditions = self.conditions
        measures = counted(len(conditions.measures), "measure")
        pairs = counted(len(self.table) // len(conditions.measures), "pair")
        return (
            f"Comparison({pairs}, {measures}, over {in_words(conditions.over)}, "
            f"{conditions.correction}, level {conditions.level:g}: "
            f"{int(self.table['significant'].sum()):,} differ)"
        )

    def to_frame(self) -> pd.DataFrame:
        """One row for each pair and measure.

        Columns: measure, system_a, system_b, mean_a, mean_b (over the values that both have),
        difference (a - b), lower, upper, std_error, df, p (of t), p_permutation (sign flips, over
        queries only), p_adjusted, significant (p_adjusted is 1 - level or less), d_z (difference
        over the standard deviation of per-query differences), p_improvement (share of queries on
        which a is better, ties ½), wins, ties, losses (of a), n_queries, n_subjects,
        share_subjects and share_worlds (whose difference has the same sign; NaN without
        any), subjects_agree (how many); with ``bayesian=True`` posterior_better, posterior_rope,
        posterior_worse.
        """
        return self.table.copy()

    def superscripts(self) -> pd.DataFrame:
        """For each system and measure, the letters of the systems that it beats.

        Letters follow the systems' order: a to z, then aa, ab and so on, separated by commas if
        there are more than 26 systems.
        """
        return text.superscripts(self.table, self.means, self.conditions)

    def verdicts(self) -> list[str]:
        """One plain sentence for each row of `to_frame`."""
        return words.verdicts(self.table, self.beside, self.conditions)

    @property
    def assumptions(self) -> str:
        """Estimand, null hypothesis, test and caveats, as text."""
        return words.assumptions(self.conditions)

    def to_latex(self) -> str:
        r"""Means with superscripts as a table with caption; needs ``\usepackage{booktabs}``."""
        return text.to_latex(self.means, self.superscripts(), self.conditions)

    def to_markdown(self) -> str:
        """Means with superscripts as a Markdown table, and a line that explains them."""
        return text.to_markdown(self.means, self.superscripts(), self.conditions)

    def plot(self, ax: Axes | None = None, *, measure: str | None = None) -> Axes:
        """Draw the differences by one measure with their intervals.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure. Nothing is shown.
        measure : str, optional
            By default the first.

        Raises
        ------
        OptionError
            The measure is not among those compared.
        MissingPackageError
            Matplotlib is not installed.
        """
        from fuzzytruth.plots import forest

        conditions = self.conditions
        note = (
            f" over {in_words(conditions.over)}\n"
            f"{conditions.level:.0%} {conditions.interval} intervals,\n"
            f"filled: adjusted p at most {1 - conditions.level:.2g}"
        )
        return forest(self.to_frame(), ax, measure=measure, note=note)
