"""The frames to draw, alone or in a result that has them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, TypeAlias, runtime_checkable

from fuzzytruth._lazy import pd
from fuzzytruth.core.validation import option_text
from fuzzytruth.errors import DataError, OptionError, nearest, shown, shown_all

#: True: the figure's own title. A text stands in its place ("" leaves notes on what is not drawn);
#: False or None: nothing at all above the axes.
Title: TypeAlias = str | bool | None


@dataclass(frozen=True, slots=True, eq=False)
class PlotData:
    """What a figure is drawn from.

    Parameters
    ----------
    frame : DataFrame
        The rows to draw; which columns it has, the function that draws it says.
    title : str
        What is shown: measure, worlds, level and number of queries and subjects.
    beside : DataFrame, optional
        Further marks, such as one dot for each subject.
    labels : dict of str to str
        Words of axes and legends, where they depend on the result.
    """

    frame: pd.DataFrame
    title: str = ""
    beside: pd.DataFrame | None = None
    labels: dict[str, str] = field(default_factory=dict)

    def heading(self, title: Title = True, *notes: str) -> str:
        """The title, or the one given in its place, and notes, each on a line of its own."""
        return headed(self.title, title, *notes)


def headed(own: str, title: Title, *notes: str) -> str:
    """A figure's own title, or the one given in its place, and notes; nothing if turned off."""
    if title is None or title is False:
        return ""
    own = own if title is True else option_text("title", title)
    return "\n".join(filter(None, (own, *notes)))


@runtime_checkable
class HasPlotData(Protocol):
    """A result that can be drawn."""

    #: names of the functions in `plots` that can draw it
    _figures: ClassVar[tuple[str, ...]]

    def _plot_data(self, figure: str, **options: Any) -> PlotData:
        """Frames and title of one of these figures."""


def plot_data(drawn: Any, figure: str, **options: Any) -> PlotData:
    """What is to be drawn: a result's frames and title, or the given frame without title.

    Data for a figure that were made before are drawn as they are.

    Raises
    ------
    DataError
        `drawn` is neither a DataFrame nor a result with data for this figure.
    """
    if isinstance(drawn, PlotData):
        return drawn
    if isinstance(drawn, pd.DataFrame):
        return PlotData(drawn)
    if isinstance(drawn, HasPlotData):
        if figure not in drawn._figures:
            own = " or ".join(f"plots.{name}" for name in drawn._figures)
            raise DataError(f"plots.{figure} cannot draw a {type(drawn).__name__}; {own} can")
        return drawn._plot_data(figure, **options)
    raise DataError(f"plots.{figure} draws a DataFrame or a result, not {shown(drawn)}")


def check_columns(frame: Any, columns: tuple[str, ...], name: str = "frame") -> pd.DataFrame:
    """Return the frame if it has rows and all of the columns.

    Parameters
    ----------
    frame : DataFrame
    columns : tuple of str
    name : str
        Name of the argument in error messages.

    Raises
    ------
    DataError
        It is no frame, has no rows, or lacks a column.
    """
    if not isinstance(frame, pd.DataFrame):
        raise DataError(f"{name}={shown(frame)}: must be a DataFrame with columns {columns}")
    for column in columns:
        if column not in frame.columns:
            present = [str(label) for label in frame.columns]
            raise DataError(
                f"{name}: no column {column!r}{nearest(column, present)}; its columns are "
                f"{shown_all(present)}"
            )
    if not len(frame):
        raise DataError(f"{name}: has no rows, so that there is nothing to draw")
    return frame


def known_rows(frame: pd.DataFrame, *columns: str, of: str = "") -> pd.DataFrame:
    """Rows without NaN in these columns.

    Parameters
    ----------
    frame : DataFrame
    *columns : str
    of : str
        What the rows are of, such as a measure, for the error message.

    Raises
    ------
    DataError
        There are none.
    """
    known = frame.dropna(subset=list(columns))
    if not len(known):
        raise DataError(
            f"frame: {' or '.join(columns)}{f' of {of}' if of else ''} is NaN in every row, so "
            "that there is nothing to draw"
        )
    return known


def rows_of_measure(frame: pd.DataFrame, measure: str | None) -> tuple[pd.DataFrame, str]:
    """Rows of one measure, the first by default, and its name.

    Of a frame without a column measure these are all rows, and the name is empty.

    Raises
    ------
    OptionError
        The frame does not have the measure.
    """
    if "measure" not in frame.columns:
        return frame, ""
    measures = tuple(dict.fromkeys(frame["measure"]))
    if measure is not None and measure not in measures:
        known = shown_all(measures)
        raise OptionError(f"measure {shown(measure)} is not in the frame; it has {known}")
    chosen = measures[0] if measure is None else measure
    return frame[frame["measure"] == chosen], str(chosen)
