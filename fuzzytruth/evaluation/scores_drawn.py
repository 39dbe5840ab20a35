"""Figures of scores: the part of `Scores` that draws means."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from fuzzytruth.evaluation.scores_of_tables import ScoresOfTables

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from fuzzytruth.plots.frames import PlotData


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ScoresDrawn(ScoresOfTables):
    """Scores as figures."""

    def plot(
        self,
        ax: Axes | None = None,
        *,
        measure: Iterable[str] | str | None = None,
        over: Iterable[str] | str | None = None,
        by: Literal["subject"] | None = None,
        level: float = 0.95,
    ) -> Axes:
        """Draw the mean of each system with its interval, the best on top.

        Under ``unjudged="bounds"`` also the range that judging the unjudged items could give. See
        `plots.means`.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default in a new figure. Nothing is shown.
        measure : str or sequence of str, optional
            By default the first. Several differ in colour and marker.
        over : {"query", "subject", "world"} or several, optional
            What intervals are over, as in `summary`; by default queries, if there are two or more.
        by : {"subject"}, optional
            Draw each subject's mean, too.
        level : float
            Of the intervals.

        Raises
        ------
        OptionError
            There is no such measure, the scores lack an axis, or subjects are asked for where
            there are none or with several measures.

        Examples
        --------
        >>> import matplotlib; matplotlib.use("Agg")
        >>> import fuzzytruth as ft
        >>> runs = {"x": {"q": ["a"]}, "y": {"q": ["b", "a"]}}
        >>> ax = ft.evaluate({"q": {"a": 1}}, runs, ["AP"]).plot()
        >>> ax.lines[0].get_xdata().tolist()
        [1.0, 0.5]
        """
        from fuzzytruth.plots import means

        return means(self, ax, measure=measure, over=over, by=by, level=level)

    _figures: ClassVar[tuple[str, ...]] = ("means",)

    def _plot_data(self, figure: str, **options: Any) -> PlotData:
        """Frames of `plots.means`."""
        from fuzzytruth.evaluation.score_figure import means_data

        return means_data(self, **options)
