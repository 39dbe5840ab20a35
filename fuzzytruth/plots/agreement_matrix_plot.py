"""Agreement of each two subjects as a heat map, near-duplicates outlined."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Floats, Ints
from fuzzytruth.errors import DataError, counted
from fuzzytruth.plots.drawing.appearance import (
    COLOURS,
    EDGE,
    PAGE_WIDTH,
    SEQUENTIAL,
    TICK_SIZE,
    axes_or_new,
)
from fuzzytruth.plots.drawing.heat import cell_points, heat, heat_size, ink_on
from fuzzytruth.plots.drawing.text import finish
from fuzzytruth.plots.frames import check_columns, known_rows, plot_data

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# The order of subjects in which those who agree are neighbours.


def by_agreement(agreement: Floats, clusters: Sequence[Ints] = ()) -> Ints:
    """Places of the subjects in the order of a tree of average linkage, clusters together.

    Parameters
    ----------
    agreement : (subjects, subjects) float
        Symmetric; NaN counts as the mean agreement.
    clusters : sequence of (members,) int
        Subjects that stay neighbours.

    Examples
    --------
    >>> near = np.array([[1, 0.1, 0.9], [0.1, 1, 0.2], [0.9, 0.2, 1]])
    >>> by_agreement(near).tolist()
    [1, 2, 0]
    """
    from scipy.cluster.hierarchy import leaves_list, linkage

    n = len(agreement)
    if n < 3:
        return np.arange(n)
    off = ~np.eye(n, dtype=bool)
    known = agreement[off & ~np.isnan(agreement)]
    filled = np.where(np.isnan(agreement), known.mean() if len(known) else 0.0, agreement)
    highest = float(filled[off].max())
    distance = highest - filled + max(highest - float(filled[off].min()), 1.0)
    for members in clusters:  # closer to one another than any others are
        distance[np.ix_(members, members)] *= 1e-3
    condensed = distance[np.triu_indices(n, 1)]
    tree = linkage(condensed, "average", optimal_ordering=n <= _MOST_ORDERED)
    return np.asarray(leaves_list(tree), dtype=np.int64)


_MOST_ORDERED = 300  # subjects; an optimal order takes their number to the third power


_MOST_SUBJECTS = 200
_NUMBERS = 22.0  # points of a cell in which a number is written
_HATCH = "////"


@dataclass(frozen=True, slots=True, eq=False)
class _Matrix:
    """Subjects in their order, the coefficient of each two, and clusters of neighbours."""

    subjects: list[Any]
    values: Floats
    clusters: list[Ints]


def agreement_matrix(
    data: Any,
    ax: Axes | None = None,
    *,
    clusters: pd.DataFrame | None = None,
    threshold: float | None = None,
    coefficient: str = "agreement",
    title: str | None = None,
) -> Axes:
    """Draw the agreement of each two subjects as a heat map, near-duplicates outlined.

    Subjects who agree are neighbours: the order is that of a tree of average linkage, in which each
    cluster stays together. Columns have the order of the rows.

    Parameters
    ----------
    data : PairwiseAgreement or DataFrame
        A frame has one row a pair: columns subject_a, subject_b and value (NaN where it is
        undefined). Pairs without a value or a row are hatched, and counted in the title; the
        diagonal is grey.
    ax : matplotlib Axes, optional
        Axes to draw on; a new figure by default.
    clusters : DataFrame, optional
        Columns cluster and subject, see `PairwiseAgreement.duplicates`; a result has its own.
    threshold : float, optional
        Of the near-duplicates of a result; by default that of `duplicates`.
    coefficient : str
        What the values are, which names the scale of colours; a result has its own.
    title : str, optional
        By default that of the result.

    Returns
    -------
    matplotlib Axes
        The colours are those of its first mesh, `ax.collections[0]`.

    Raises
    ------
    DataError
        A column is missing, there are no rows, no value is defined, or there are more than 200
        subjects.

    Examples
    --------
    >>> import matplotlib; matplotlib.use("Agg")
    >>> import pandas as pd
    >>> from fuzzytruth import plots
    >>> ax = plots.agreement_matrix(pd.DataFrame({
    ...     "subject_a": ["ann", "ann", "bob"], "subject_b": ["bob", "cat", "cat"],
    ...     "value": [0.2, 0.8, 0.3]}))
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['bob', 'cat', 'ann']
    """
    options = {} if threshold is None else {"threshold": threshold}
    found = plot_data(data, "agreement_matrix", **options)
    frame = check_columns(found.frame, ("subject_a", "subject_b", "value"))
    known_rows(frame, "value")
    if "coefficient" in frame.columns:
        coefficient = str(frame["coefficient"].iloc[0])
    beside = found.beside if clusters is None else clusters
    matrix = _matrix(frame, beside)
    n = len(matrix.subjects)
    width, height = (min(heat_size(n, margin), PAGE_WIDTH) for margin in (2.2, 1.7))
    ax = axes_or_new(ax, width=width, height=height)
    _draw(ax, matrix, coefficient)
    _outline(ax, matrix)
    finish(ax, found.heading(title, _missing(matrix)))
    return ax


def _matrix(frame: pd.DataFrame, clusters: pd.DataFrame | None) -> _Matrix:
    names = list(dict.fromkeys([*frame["subject_a"], *frame["subject_b"]]))
    if len(names) > _MOST_SUBJECTS:
        raise DataError(
            f"agreement_matrix: {len(names):,} subjects, and at most {_MOST_SUBJECTS} are legible; "
            "draw those that matter"
        )
    place = {name: at for at, name in enumerate(names)}
    first, second = (frame[end].map(place).to_numpy() for end in ("subject_a", "subject_b"))
    values = np.full((len(names), len(names)), np.nan)
    values[first, second] = values[second, first] = frame["value"].to_numpy(dtype=float)
    members: list[Ints] = []
    if clusters is not None and len(clusters):
        check_columns(clusters, ("cluster", "subject"), "clusters")
        known = clusters[clusters["subject"].isin(names)]
        members = [
            rows["subject"].map(place).to_numpy() for _, rows in known.groupby("cluster", sort=True)
        ]
    order = by_agreement(values, members)
    where = np.argsort(order)
    return _Matrix(
        [names[at] for at in order],
        values[np.ix_(order, order)],
        [np.sort(where[each]) for each in members if len(each) > 1],
    )


def _draw(ax: Axes, matrix: _Matrix, coefficient: str) -> None:
    lowest = np.floor(10 * float(np.nanmin(matrix.values))) / 10
    limits = min(0.0, lowest), 1.0  # one scale for all figures, unless two disagree by more
    heat(
        ax, matrix.values, matrix.subjects, None, cmap=SEQUENTIAL, limits=limits, label=coefficient
    )
    ax.set_xlabel("subjects in the same order")
    missing = np.isnan(matrix.values) & ~np.eye(len(matrix.subjects), dtype=bool)
    for row, column in np.argwhere(missing).tolist():
        _box(ax, (column, row), 1, hatch=_HATCH, edgecolor=EDGE, linewidth=0)
    if _cell(ax, matrix) < _NUMBERS:
        return
    for (row, column), value in np.ndenumerate(matrix.values):
        if not np.isnan(value):
            _write(
                ax,
                (column, row),
                f"{value:.2f}".replace("-", "−"),
                ink_on(ax, float(value)),
                TICK_SIZE,
            )


def _cell(ax: Axes, matrix: _Matrix) -> float:
    """Size of a cell in points."""
    return min(cell_points(ax, len(matrix.subjects), axis) for axis in "xy")


def _write(ax: Axes, cell: tuple[int, int], text: str, colour: str, size: float) -> None:
    middle = (cell[0] + 0.5, cell[1] + 0.5)
    ax.text(*middle, text, ha="center", va="center", color=colour, fontsize=size)


def _box(ax: Axes, cell: tuple[float, float], size: int, **style: Any) -> None:
    from matplotlib.patches import Rectangle

    ax.add_patch(Rectangle(cell, size, size, fill=False, **style))


def _outline(ax: Axes, matrix: _Matrix) -> None:
    """A frame around each cluster, and its letter on the diagonal."""
    size = float(np.clip(0.8 * _cell(ax, matrix), 3.5, TICK_SIZE))
    for number, members in enumerate(matrix.clusters):
        start = float(members[0])
        label = "near-duplicates, clusters by letter" if number == 0 else f"_{number}"
        style = {"edgecolor": COLOURS[1], "linewidth": 1.8, "zorder": 4, "label": label}
        _box(ax, (start, start), len(members), **style)
        for member in members.tolist():
            _write(ax, (member, member), _letter(number), "black", size)


def _missing(matrix: _Matrix) -> str:
    """How many pairs have no value."""
    n = len(matrix.subjects)
    lost = int(np.isnan(matrix.values[np.triu_indices(n, 1)]).sum())
    return f"Hatched: {counted(lost, 'pair')} without a value" if lost else ""


def _letter(number: int) -> str:
    return chr(ord("A") + number) if number < 26 else str(number + 1)
