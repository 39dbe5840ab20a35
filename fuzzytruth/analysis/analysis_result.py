"""Result of `analyse`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Bools
from fuzzytruth.analysis import analysis_words
from fuzzytruth.analysis import analysis_words as analysis_table
from fuzzytruth.analysis.analysed import Analysed
from fuzzytruth.analysis.analysis_report import analysis_page
from fuzzytruth.analysis.analysis_words import best_of, columns_of, legend
from fuzzytruth.comparison.comparison_figure import Kind
from fuzzytruth.comparison.comparison_report import checksums
from fuzzytruth.comparison.report_parts import write_page
from fuzzytruth.comparison.result import Comparison
from fuzzytruth.errors import DataError, counted
from fuzzytruth.plots.frames import PlotData
from fuzzytruth.show import markdown
from fuzzytruth.show.answer import Printed, Result
from fuzzytruth.show.latex import check_paper_options, latex_table

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# The table of an analysis in LaTeX and in Markdown.


def to_latex(
    analysis: Analysed, *, digits: int, caption: str | None, label: str, bold: bool
) -> str:
    """See `Analysis.to_latex`."""
    check_paper_options(digits=digits, caption=caption, bold=bold, label=label)
    headings, rows, marks = _paper(analysis, digits, bold)
    cells = [[cell.replace("–", "--") for cell in row] for row in rows]
    return latex_table(
        pd.DataFrame(cells, columns=headings),
        caption=caption if caption is not None else caption_of(analysis, bold=bold),
        label=label,
        align="l" * len(headings),
        bold=marks,
        index=False,
    )


def to_markdown(analysis: Analysed, *, digits: int, caption: str | None, bold: bool) -> str:
    """See `Analysis.to_markdown`."""
    check_paper_options(digits=digits, caption=caption, bold=bold)
    headings, rows, marks = _paper(analysis, digits, bold)
    cells = [[markdown.escape(cell) for cell in row] for row in rows]
    text = markdown.table(headings, cells, bold=marks)
    caption = caption if caption is not None else caption_of(analysis, bold=bold)
    return f"{text}\n{markdown.escape(caption)}\n"


def _paper(
    analysis: Analysed, digits: int, bold: bool
) -> tuple[list[str], list[list[str]], Bools | None]:
    """Headings, rows and bold cells of all measures."""
    measures = analysis.scores.measures
    headings: list[str] = []
    rows: list[list[str]] = []
    best = []
    for measure in measures:
        columns = columns_of(analysis, measure, digits)
        headings = ["measure", *columns]
        rows += [[measure, *cells] for cells in zip(*columns.values(), strict=True)]
        best += best_of(analysis, measure).tolist()
    marks = np.zeros((len(rows), len(headings)), dtype=bool)
    marks[:, headings.index("mean")] = best
    return headings, rows, marks if bold else None


def caption_of(analysis: Analysed, *, bold: bool = True) -> str:
    """What the columns are."""
    scores = analysis.scores
    means = f"Means over {counted(len(scores.queries), 'query')}."
    best = ["Bold: the best system."] if bold else []
    return " ".join([means, *legend(analysis), *best])


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Analysis(Result, Analysed):
    """Data check, scores, comparisons and stability of ranks.

    Parameters
    ----------
    data : DataCheck
    scores : Scores
    rows : ScoreRows
        Means over the values that all systems have, and their intervals over queries.
    comparison : Comparison or None
        Over queries; None for a single system.
    both : Comparison or None
        Over queries and subjects (or worlds in which they are resampled); None where there are not
        several, or they are nested in queries, or queries are in clusters.
    by_subject : SubjectComparisons or None
        By each subject's judgments alone; None where there are not several, or more than 50.
    stability : RankStability or None
        Over queries, or clusters of them; None where there is no query that all systems have.
    level : float
    lazy_sources : Lazy of Sources or None
        See `sources`.
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

        Columns: measure, system, mean, lower and upper (t interval over queries, or clusters of
        them, or the bounds of the scores where they have any), beats (systems significantly worse
        over queries, separated by commas) and, where there are several subjects, beats_both (the
        same over queries and subjects, or resampled subjects); with
        ``full=True`` also rank, rank_lower, rank_upper (confidence set over queries), share_first
        (of resamples in which it is best, which is descriptive), lowest_subject and highest_subject
        (means by single subjects' judgments, each over the queries that the subject judged),
        n_queries.
        """
        return analysis_table.table_of(self, full=full)

    def report(
        self,
        path: str | Path,
        *,
        title: str | None = None,
        command: str = "",
        files: str | Path | Iterable[str | Path] = (),
    ) -> Path:
        """Write all of it as a page, in one file that needs no network.

        Verdicts, figures, tables that readers can sort, stability of ranks, what single subjects'
        judgments say, agreement of the subjects, data checks, a paragraph on methods with
        references, and what it takes to compute it again. What `print` shows has the same numbers.
        The same analysis gives the same bytes.

        Parameters
        ----------
        path : str or Path
            The file, such as report.html. An existing one is replaced.
        title : str, optional
            By default what was analysed.
        command : str
            What computes it again, to be shown.
        files : str, Path or several
            Files that it was computed from, or patterns, to be shown by name with their SHA-256.

        Returns
        -------
        Path

        Raises
        ------
        DataError
            The file cannot be written, or one of `files` cannot be read.
        OptionError
            `path` or one of `files` is no path, or the path has another ending than .html or .htm,
            or the title is no text.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> from tempfile import TemporaryDirectory
        >>> truth = {f"q{j}": {"a": 1, "b": j % 2} for j in range(4)}
        >>> runs = {"x": {q: ["a", "b"] for q in truth}, "y": {q: ["b", "a"] for q in truth}}
        >>> with TemporaryDirectory() as folder:
        ...     path = ft.analyse(truth, runs, ["RR"]).report(f"{folder}/report.html")
        ...     page = path.read_text(encoding="utf-8")
        >>> "no difference between x and y is shown on RR over queries" in page
        True
        """
        return write_page(lambda: analysis_page(self, title, command, checksums(files)), path)

    def plot(
        self,
        ax: Axes | None = None,
        *,
        kind: Kind | None = None,
        measure: str | None = None,
        **options: Any,
    ) -> Axes:
        """Draw the differences over queries by one measure; see `Comparison.plot`.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure. Nothing is shown.
        kind : {"forest", "matrix", "tiers"}, optional
            See `Comparison.plot`.
        measure : str, optional
            By default the first.
        **options
            Of the function that draws.

        Raises
        ------
        DataError
            There is one system, hence no difference.
        OptionError
            See `Comparison.plot`.

        Examples
        --------
        >>> import matplotlib; matplotlib.use("Agg")
        >>> import fuzzytruth as ft
        >>> truth = {f"q{j}": {"a": 1, "b": j % 2} for j in range(4)}
        >>> runs = {"x": {q: ["a", "b"] for q in truth}, "y": {q: ["b", "a"] for q in truth}}
        >>> ft.analyse(truth, runs, ["RR"]).plot().get_xlabel()
        'difference of RR'
        """
        return self._compared().plot(ax, kind=kind, measure=measure, **options)

    _figures: ClassVar[tuple[str, ...]] = Comparison._figures

    def _plot_data(self, figure: str, **options: Any) -> PlotData:
        """Frames of the comparison."""
        return self._compared()._plot_data(figure, **options)

    def _compared(self) -> Comparison:
        """The comparison over queries, to be drawn."""
        if self.comparison is None:
            raise DataError("plot: there is one system, hence no difference; see .scores.plot()")
        return self.comparison

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
        return to_latex(self, digits=digits, caption=caption, label=label, bold=bold)

    def to_markdown(self, *, digits: int = 3, caption: str | None = None, bold: bool = True) -> str:
        """The printed table in Markdown, and a line that explains it."""
        return to_markdown(self, digits=digits, caption=caption, bold=bold)
