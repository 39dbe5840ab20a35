"""Result of `analyse`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fuzzytruth.analysis import analysis_paper, analysis_table, analysis_words
from fuzzytruth.analysis.analysed import Analysed
from fuzzytruth.errors import counted
from fuzzytruth.io.answer import Answer, Printed

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Analysis(Answer, Analysed):
    """Data check, scores, comparisons and stability of ranks.

    Parameters
    ----------
    data : DataCheck
    scores : Scores
    rows : ScoreRows
        Means and their intervals over queries.
    comparison : Comparison or None
        Over queries; None for a single system.
    both : Comparison or None
        Over queries and subjects (or worlds in which they are resampled); None where there are not
        several, or they are nested in queries, or queries are in clusters.
    by_subject : SubjectComparisons or None
        By each subject's judgments alone; None where there are not several, or more than 50.
    stability : RankStability or None
        Over queries.
    level : float
    """

    def __repr__(self) -> str:
        return (
            f"Analysis({counted(len(self.scores.systems), 'system')}, "
            f"{counted(len(self.scores.queries), 'query')}, "
            f"{counted(len(self.scores.measures), 'measure')}, "
            f"{counted(len(self.data.notes), 'note')} on the data)"
        )

    def _answer(self) -> Printed:
        return analysis_words.printed(self)

    def verdicts(self) -> list[str]:
        """Those of the comparison over queries; none for a single system."""
        return [] if self.comparison is None else self.comparison.verdicts()

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row for each measure and system.

        Columns: measure, system, mean, lower and upper (t interval over queries), beats
        (systems significantly worse over queries, separated by commas) and, where there are
        several subjects, beats_both (the same over queries and subjects); with
        ``full=True`` also rank, rank_lower, rank_upper (confidence set over queries), share_first
        (of resamples in which it is best, which is descriptive), lowest_subject and highest_subject
        (means by single subjects' judgments), n_queries.
        """
        return analysis_table.table_of(self, full=full)

    def to_latex(
        self,
        *,
        digits: int = 3,
        caption: str | None = None,
        label: str = "tab:analysis",
        bold: bool = True,
    ) -> str:
        r"""The printed table with caption; needs ``\usepackage{booktabs}``.

        Parameters are those of `Comparison.to_latex`.
        """
        return analysis_paper.to_latex(self, digits=digits, caption=caption, label=label, bold=bold)

    def to_markdown(self, *, digits: int = 3, caption: str | None = None, bold: bool = True) -> str:
        """The printed table in Markdown, and a line that explains it."""
        return analysis_paper.to_markdown(self, digits=digits, caption=caption, bold=bold)
