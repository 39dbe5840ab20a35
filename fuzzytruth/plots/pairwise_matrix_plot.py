"""Differences of pairs of systems as a matrix of systems × systems."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Bools, Floats
from fuzzytruth.errors import OptionError, is_among, require, shown, shown_all
from fuzzytruth.plots.drawing.appearance import DIVERGING, TICK_SIZE, axes_or_new
from fuzzytruth.plots.drawing.heat import cell_points, heat, heat_size, ink_on
from fuzzytruth.plots.drawing.names import signed
from fuzzytruth.plots.drawing.text import finish
from fuzzytruth.plots.frames import check_columns, known_rows, plot_data, rows_of_measure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_COLUMNS = ("measure", "system_a", "system_b", "difference", "significant")
_LEAST_CELL = 22.0  # points, of cells with numbers
_SIGNIFICANT = "significant"


def pairwise_matrix(
    data: Any,
    ax: Axes | None = None,
    *,
    measure: str | None = None,
    order: Iterable[str] | None = None,
    title: str | None = None,
) -> Axes:
    """Draw the difference of the row's system minus the column's for every pair.

    Numbers of significant differences are bold and have a star. Where cells are too small for
    numbers, triangles mark them: upwards where the row's mean is significantly larger, downwards
    where it is smaller. Pairs without a difference are grey.

    Parameters
    ----------
    data : DataFrame or Comparison
        One row for each pair and measure: columns measure, system_a, system_b, difference,
        significant (bool); see `Comparison.to_frame`. Where no system is both a system_a and a
        system_b (comparisons with baselines), rows are the former and columns the latter.
    ax : matplotlib Axes, optional
        Axes to draw on; by default those of a new figure of at most 10 inches. They are narrowed
        by a colour bar.
    measure : str, optional
        The first by default.
    order : sequence of str, optional
        Systems, the first on top and at the left. By default those of a `Comparison` are ordered
        by their means, the best first, and those of a frame by their mean difference from the
        others, the largest first.
    title : str, optional
        By default that of the result.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    DataError
        A column is missing, there are no rows, or no row has a difference.
    OptionError
        The frame does not have the measure, or `order` lacks a system.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import pandas as pd
    >>> from fuzzytruth import plots
    >>> ax = plots.pairwise_matrix(pd.DataFrame({
    ...     "measure": "AP", "system_a": ["a", "a", "b"], "system_b": ["b", "c", "c"],
    ...     "difference": [0.04, -0.02, -0.06], "significant": [False, False, True]}))
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['c', 'a', 'b']
    >>> [text.get_text() for text in ax.texts]
    ['+.020', '+.060*', '−.020', '+.040', '−.060*', '−.040']
    """
    given = plot_data(data, "pairwise_matrix", measure=measure)
    rows, name = rows_of_measure(check_columns(given.frame, _COLUMNS), measure)
    known_rows(rows, "difference", of=name)
    if order is None and given.beside is not None:
        order = given.beside["system"]
    values, found = _square(rows, order)
    shape = values.shape
    ax = axes_or_new(ax, width=heat_size(shape[1], 2.2), height=heat_size(shape[0], 2.0))
    largest = float(np.nanmax(np.abs(values))) or 1.0
    heat(
        ax,
        values.to_numpy(),
        values.index.tolist(),
        values.columns.tolist(),
        cmap=DIVERGING,
        limits=(-largest, largest),
        label=f"{name}: row − column",
    )
    _mark(ax, values.to_numpy(), found.to_numpy(), given.labels.get("marked", _SIGNIFICANT))
    finish(ax, given.heading(title))
    return ax


def _square(rows: pd.DataFrame, order: Iterable[str] | None) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Differences (row − column), and whether they are significant, in the order of systems."""
    a, b = (list(dict.fromkeys(rows[name])) for name in ("system_a", "system_b"))
    systems = list(dict.fromkeys([*a, *b]))
    first, second = (pd.Index(systems).get_indexer(rows[n]) for n in ("system_a", "system_b"))
    values = np.full((len(systems), len(systems)), np.nan)
    found = np.zeros(values.shape, dtype=bool)
    for one, other, sign in ((first, second, 1), (second, first, -1)):
        values[one, other] = sign * rows["difference"].to_numpy(dtype=float)
        found[one, other] = rows["significant"].to_numpy(dtype=bool)
    ordered = _ordered(values, systems, order)
    of_a, of_b = ordered, ordered
    if not set(a) & set(b) and len(rows) > 1:
        of_a, of_b = ([name for name in ordered if name in part] for part in (a, b))
    tables = (pd.DataFrame(table, index=systems, columns=systems) for table in (values, found))
    differences, significant = (table.loc[of_a, of_b] for table in tables)
    return differences, significant


def _ordered(values: Floats, systems: list[str], order: Iterable[str] | None) -> list[str]:
    """The systems as ordered, by default the one that is most above the others first."""
    if order is None:
        known = ~np.isnan(values)
        means = np.where(known, values, 0).sum(axis=1) / np.maximum(known.sum(axis=1), 1)
        return [systems[place] for place in np.argsort(-means, kind="stable")]
    require("order", order, isinstance(order, Iterable), "must be names of systems")
    listed = list(order)
    missing = [name for name in systems if not is_among(name, listed)]
    if missing:
        raise OptionError(f"order={shown(listed)}: lacks {shown_all(missing)}")
    return [name for name in listed if is_among(name, systems)]


def _mark(ax: Axes, values: Floats, found: Bools, word: str) -> None:
    """Numbers in cells, or triangles on those that are significant where cells are small."""
    points = min(cell_points(ax, values.shape[1], "x"), cell_points(ax, values.shape[0], "y"))
    if points < _LEAST_CELL:
        above = "significantly above" if word == _SIGNIFICANT else f"({word}) above"
        ax.set_xlabel(f"▲ row {above} column, ▼ below")
        for sign, marker in ((1, "^"), (-1, "v")):
            rows, columns = np.nonzero(found & (np.sign(values) == sign))
            inks = [ink_on(ax, value) for value in values[rows, columns]]
            style: dict[str, Any] = {"s": (0.42 * points) ** 2, "linewidths": 0}
            ax.scatter(columns + 0.5, rows + 0.5, marker=marker, c=inks, **style)
        return
    largest = float(np.nanmax(np.abs(values)))
    digits = int(np.clip(2 - np.floor(np.log10(largest or 1.0)) - 1, 0, 4))
    size = min(TICK_SIZE, points / 3.6)
    for row, column in zip(*np.nonzero(~np.isnan(values)), strict=True):
        value, star = float(values[row, column]), found[row, column]
        text = signed(value, digits) + ("*" if star else "")
        style = {"fontsize": size, "fontweight": "bold" if star else "normal"}
        ink = ink_on(ax, value)
        ax.text(column + 0.5, row + 0.5, text, ha="center", va="center", color=ink, **style)
    ax.set_xlabel(f"* and bold: {word}")
