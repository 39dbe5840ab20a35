"""Heat maps: differences of pairs of systems, agreement of pairs of subjects, shares of ranks."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Axes, Bools, Floats, Ints
from fuzzytruth.errors import DataError, OptionError, counted, is_among, require, shown, shown_all
from fuzzytruth.plots import drawing, scheme
from fuzzytruth.plots.drawing import axes_or_new, size_of
from fuzzytruth.plots.frames import Title, check_columns, known_rows, plot_data, rows_of_measure
from fuzzytruth.plots.scheme import EDGE, SEQUENTIAL

_LEAST_SIZE = 4.5  # points of labels; where they do not fit, some are left out
_MOST_LETTERS = 30
_LEAST_LETTERS = 8  # of names that are not turned by 90 degrees
_MOST_INCHES = 8.0  # of the cells of a new figure
_CELL_INCHES = 0.42  # inches, of few cells


def heat_size(n: int, margin: float) -> float:
    """Width or height in inches of a new figure of `n` cells and margins."""
    return margin + min(n * max(_CELL_INCHES, 2.4 / n), _MOST_INCHES)


def cell_points(ax: Axes, n: int, axis: str) -> float:
    """About how wide ("x") or high ("y") one of `n` cells is, in points."""
    inches = drawing.inches_of(ax)["xy".index(axis)]
    margin = min(2.0, 0.5 * inches)  # for labels, title and colour bar
    return 72 * max(inches - margin, 0.4 * inches) / n


def _least_points(ax: Axes, values: Floats) -> float:
    """Width or height of a cell in points, whichever is smaller."""
    return min(cell_points(ax, n, axis) for n, axis in zip(values.shape, "yx", strict=True))


def heat(
    ax: Axes,
    table: pd.DataFrame,
    *,
    cmap: str,
    limits: tuple[float, float],
    label: str,
    gamma: float = 1.0,
    shown: tuple[float, float] | None = None,
    texts: Any = None,
    size: float = 0,
) -> None:
    """Draw values as coloured cells with a colour bar; NaN is grey.

    With a `gamma` below 1, small values differ more in colour. The colour bar goes over the part of
    the limits that is `shown`. Texts are written in cells in a font of that size.
    """
    import seaborn as sns
    from matplotlib.colors import PowerNorm

    values = table.to_numpy(dtype=float)
    ax.set_facecolor(scheme.FAINT)
    own: dict[str, Any] = {"mask": np.isnan(values), "cmap": cmap}
    own["norm"] = PowerNorm(gamma, *limits)
    own |= {"annot": texts, "fmt": "", "annot_kws": {"fontsize": size or size_of()}}
    own["cbar_kws"] = {"fraction": 0.05, "pad": 0.02, "aspect": 30}
    own["cbar_ax"] = drawing.bar_axes(ax)
    sns.heatmap(values, ax=ax, xticklabels=False, yticklabels=False, **own)
    fills = ax.collections[0].to_rgba(values[~np.isnan(values)])
    for text, fill in zip(list(ax.texts), fills, strict=False):
        text.set_color(scheme.ink(fill))  # seaborn's white is seen less on orange
        if not text.get_text():
            text.remove()
    bar = ax.collections[0].colorbar
    assert bar is not None
    height = cell_points(ax, len(table), "y") * len(table)
    lines = drawing.fitted(label, height, height, size_of())
    bar.set_label(lines, fontsize=size_of(), parse_math=False)
    bar.ax.tick_params(labelsize=size_of())
    bar.ax.set_ylim(shown or limits)
    _name_cells(ax, "y", table.index.tolist())
    _name_cells(ax, "x", table.columns.tolist())


def _name_cells(ax: Axes, axis: Literal["x", "y"], names: Sequence[str]) -> None:
    """Label cells; every second, third, ... only, where labels would overlap."""
    points = cell_points(ax, len(names), axis)
    size = float(np.clip(0.95 * points, _LEAST_SIZE, size_of()))
    width, height = drawing.inches_of(ax)
    most, style = drawing.letters_in(72 * width * 0.3, size), {"fontsize": size, "rotation": 0.0}
    longest = max(map(len, names))
    if axis == "x":
        most = drawing.letters_in(0.8 * points, size)
        if most < min(_LEAST_LETTERS, longest):
            most, style["rotation"] = drawing.letters_in(72 * height * 0.2, size), 90.0
    step = 1 if axis == "x" and not style["rotation"] else int(np.ceil(size / points))
    short = drawing.shown_names(names, min(most, _MOST_LETTERS))
    places = np.arange(0, len(names), step)
    drawing.name_ticks(ax, axis, (places + 0.5).tolist(), short[::step], **style)
    ax.tick_params(axis=axis, length=0, pad=2)


def _box(ax: Axes, corner: tuple[float, float], width: float, height: float, **style: Any) -> None:
    from matplotlib.patches import Rectangle

    ax.add_patch(Rectangle(corner, width, height, fill=False, **style))


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
_WELL_BELOW = 0.15  # below chance, to be marked
_HATCH = "////"
#: coefficients whose value by chance depends on the votes
_SHARES = ("percent", "share of equal values", "share of equal votes")


def agreement_matrix(
    data: Any,
    ax: Axes | None = None,
    *,
    clusters: pd.DataFrame | None = None,
    threshold: float | None = None,
    coefficient: str = "agreement",
    chance: float | None = 0.0,
    title: Title = True,
) -> Axes:
    """Draw the agreement of each two subjects as a heat map, near-duplicates outlined.

    Subjects who agree are neighbours: the order is that of a tree of average linkage, in which each
    cluster stays together. Columns have the order of the rows. Colours diverge from white, which is
    agreement by chance; where numbers do not fit, a dash marks what is well below it.

    Parameters
    ----------
    data : PairwiseAgreement, Communities or DataFrame
        A frame has one row a pair: columns subject_a, subject_b and value (NaN where it is
        undefined). Pairs without a value or a row are hatched, and counted in the title; the
        diagonal is grey.
    ax, title
        Where to draw, under which title; see `plots`.
    clusters : DataFrame, optional
        Columns cluster and subject, see `PairwiseAgreement.duplicates`; a result has its own.
    threshold : float, optional
        Of the near-duplicates of a result; by default that of `duplicates`.
    coefficient : str
        What the values are, which names the scale of colours; a result has its own.
    chance : float, optional
        The value of people who agree by chance. None: not known, so that colours are the darker
        the larger, as always for shares of equal votes unless it is above 0.

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
    numbered = "outlined" in found.labels
    table, members = _by_subjects(frame, beside, in_order=numbered)
    side = min(heat_size(len(table), 2.2), drawing.PAGE_WIDTH)
    ax = axes_or_new(ax, width=side, height=side)
    lost = _draw_agreement(
        ax, table, coefficient, None if coefficient in _SHARES and not chance else chance
    )
    said = found.labels.get("outlined", "near-duplicates, clusters by letter")
    points = _least_points(ax, table.to_numpy())
    _outline_clusters(ax, members, points, said, numbered=numbered)
    hatched = f"Hatched: {counted(lost, 'pair')} without a value" if lost else ""
    drawing.finish(ax, found.heading(title, hatched))
    return ax


def _by_subjects(
    frame: pd.DataFrame, clusters: pd.DataFrame | None, *, in_order: bool
) -> tuple[pd.DataFrame, list[Ints]]:
    """The coefficient of each two subjects, and clusters of neighbours, perhaps in their order."""
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
    if in_order:
        first = np.concatenate([order[np.isin(order, each)] for each in [*members, order]])
        order = np.array(list(dict.fromkeys(first.tolist())))
    where = np.argsort(order)
    table = pd.DataFrame(values, index=names, columns=names).iloc[order, order]
    return table, [np.sort(where[each]) for each in members if len(each) > 1]


def _draw_agreement(ax: Axes, table: pd.DataFrame, label: str, chance: float | None) -> int:
    """Colours, and numbers where there is room; returns how many pairs have no value."""
    values = table.to_numpy()
    points = _least_points(ax, values)
    lowest = min(chance or 0.0, np.floor(10 * float(np.nanmin(values))) / 10)
    own: dict[str, Any] = {"cmap": SEQUENTIAL, "limits": (lowest, 1.0), "shown": (lowest, 1.0)}
    if chance is not None:
        own |= {"cmap": scheme.DIVERGING, "limits": (2 * chance - 1.0, 1.0)}
        label += f" ({chance:g}: chance{'' if points >= _NUMBERS else '; dash: below'})"
    if points >= _NUMBERS:
        own["texts"] = table.map(lambda value: f"{value:.2f}".replace("-", "−")).to_numpy()
    heat(ax, table, label=label, **own)
    ax.set(xlabel="subject", ylabel="subject")
    missing = np.argwhere(np.isnan(values) & ~np.eye(len(values), dtype=bool)).tolist()
    for row, column in missing:
        _box(ax, (column, row), 1, 1, hatch=_HATCH, edgecolor=EDGE, linewidth=0)
    if points < _NUMBERS and chance is not None:  # as dark as what is above chance, in grey
        rows, columns = np.nonzero(values < chance - _WELL_BELOW)
        style: dict[str, Any] = {"marker": "_", "s": (0.5 * points) ** 2, "linewidths": 0.8}
        ax.scatter(columns + 0.5, rows + 0.5, c=scheme.ALL, **style)
    return len(missing) // 2


def _outline_clusters(
    ax: Axes, clusters: list[Ints], points: float, said: str, *, numbered: bool
) -> None:
    """A frame around each cluster, its name on the diagonal, in cells of so many points."""
    size = float(np.clip(0.8 * points, 3.5, size_of()))
    for number, members in enumerate(clusters):
        start, n = float(members[0]), len(members)
        letter = str(number + 1) if numbered or number > 25 else chr(ord("A") + number)
        label = said if number == 0 else f"_{number}"
        style = {"edgecolor": "white", "linewidth": 3.2, "zorder": 4, "clip_on": False}
        _box(ax, (start, start), n, n, **style)  # so that the outline is seen on dark cells
        style |= {"edgecolor": scheme.ALL, "linewidth": 1.4, "label": label}
        _box(ax, (start, start), n, n, **style)
        for member in members.tolist():
            at = member + 0.5
            ax.text(at, at, letter, ha="center", va="center", fontsize=size)


_OF_PAIRS = ("measure", "system_a", "system_b", "difference", "significant")
_LEAST_NUMBERED = 22.0  # points, of cells with numbers
_SIGNIFICANT = "significant"


def pairwise_matrix(
    data: Any,
    ax: Axes | None = None,
    *,
    measure: str | None = None,
    order: Iterable[str] | None = None,
    title: Title = True,
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
    ax, title
        Where to draw, under which title; see `plots`.
    measure : str, optional
        The first by default.
    order : sequence of str, optional
        Systems, the first on top and at the left. By default those of a `Comparison` are ordered
        by their means, the best first, and those of a frame by their mean difference from the
        others, the largest first.

    Raises
    ------
    DataError
        A column is missing, there are no rows, or no row has a difference.
    OptionError
        The frame does not have the measure, or `order` lacks a system.

    Examples
    --------
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
    rows, name = rows_of_measure(check_columns(given.frame, _OF_PAIRS), measure)
    known_rows(rows, "difference", of=name)
    if order is None and given.beside is not None:
        order = given.beside["system"]
    values, found = _square(rows, order)
    shape = values.shape
    ax = axes_or_new(ax, width=heat_size(shape[1], 2.2), height=heat_size(shape[0], 2.0))
    largest = float(np.nanmax(np.abs(values))) or 1.0
    limits, label = (-largest, largest), f"{name}: row − column"
    points = _least_points(ax, values.to_numpy())
    own: dict[str, Any] = {"cmap": scheme.DIVERGING, "limits": limits, "label": label}
    if points >= _LEAST_NUMBERED:
        own |= {"texts": _numbers(values, found, largest), "size": min(size_of(), points / 3.6)}
    heat(ax, values, **own)
    ax.set_ylabel("row")
    word = given.labels.get("marked", _SIGNIFICANT)
    if points >= _LEAST_NUMBERED:
        for text in ax.texts:
            text.set_fontweight("bold" if text.get_text().endswith("*") else "normal")
        ax.set_xlabel(f"column\n* and bold: {word}")
    else:
        _mark_pairs(ax, values.to_numpy(), found.to_numpy(), word, points)
    drawing.finish(ax, given.heading(title))
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
    ordered = _ordered_systems(values, systems, order)
    of_a, of_b = ordered, ordered
    if not set(a) & set(b) and len(rows) > 1:
        of_a, of_b = ([name for name in ordered if name in part] for part in (a, b))
    tables = (pd.DataFrame(table, index=systems, columns=systems) for table in (values, found))
    differences, significant = (table.loc[of_a, of_b] for table in tables)
    return differences, significant


def _ordered_systems(values: Floats, systems: list[str], order: Iterable[str] | None) -> list[str]:
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


def _numbers(values: pd.DataFrame, found: pd.DataFrame, largest: float) -> Any:
    """Texts of cells, those that are significant with a star."""
    digits = int(np.clip(1 - np.floor(np.log10(largest)), 0, 4))
    stars = found.map(lambda star: "*" if star else "")
    return (values.map(lambda value: drawing.signed(value, digits)) + stars).to_numpy()


def _mark_pairs(ax: Axes, values: Floats, found: Bools, word: str, points: float) -> None:
    """Triangles on significant cells, which are too small for numbers."""
    above = "significantly above" if word == _SIGNIFICANT else f"({word}) above"
    ax.set_xlabel(f"column\n▲ row {above} column, ▼ below")
    fills = ax.collections[0]
    for sign, marker in ((1, "^"), (-1, "v")):
        rows, columns = np.nonzero(found & (np.sign(values) == sign))
        inks = [scheme.ink(fill) for fill in fills.to_rgba(values[rows, columns])]
        style: dict[str, Any] = {"s": (0.42 * points) ** 2, "linewidths": 0}
        ax.scatter(columns + 0.5, rows + 0.5, marker=marker, c=inks, **style)


_OF_RANKS = ("measure", "system", "rank", "share")
_SETS = ("system", "rank_lower", "rank_upper")
_LEAST_CELL = 19.0  # points, of cells with numbers


def rank_probabilities(
    data: Any,
    ax: Axes | None = None,
    *,
    measure: str | None = None,
    systems: pd.DataFrame | None = None,
    title: Title = True,
) -> Axes:
    """Draw how often each system has each rank, and outline the confidence sets of its rank.

    Colours differ more between small shares than between large ones. Numbers are per cent, in
    cells that are large enough for them; shares below 0.5 % have none.

    Parameters
    ----------
    data : DataFrame or RankStability
        One row a measure, system and rank (from 1, the best): columns measure, system, rank,
        share (of resamples or worlds). See `RankStability.shares`.
    ax, title
        Where to draw, under which title; see `plots`.
    measure : str, optional
        The first by default.
    systems : DataFrame, optional
        The sets: columns system, rank_lower, rank_upper, optionally measure and rank, by which
        systems are then ordered; see `RankStability.systems`, which a `RankStability` has by
        default. Without it, there are no outlines, and systems are ordered by their mean rank.

    Raises
    ------
    DataError
        A column is missing, there are no rows, or no share is known.
    OptionError
        The frame does not have the measure.

    Examples
    --------
    >>> import pandas as pd
    >>> from fuzzytruth import plots
    >>> ax = plots.rank_probabilities(pd.DataFrame({
    ...     "measure": "AP", "system": ["a", "a", "b", "b"], "rank": [1, 2, 1, 2],
    ...     "share": [0.2, 0.8, 0.8, 0.2]}))
    >>> [label.get_text() for label in ax.get_yticklabels()]
    ['b', 'a']
    >>> [text.get_text() for text in ax.texts]
    ['80', '20', '20', '80']
    """
    given = plot_data(data, "rank_probabilities", measure=measure)
    rows, name = rows_of_measure(check_columns(given.frame, _OF_RANKS), measure)
    known_rows(rows, "share", of=name)
    table = rows.pivot(index="system", columns="rank", values="share").sort_index(axis=1)
    sets = _sets_of(given.beside if systems is None else systems, name)
    table = table.loc[_by_rank(table, sets)]
    height, width = table.shape
    ax = axes_or_new(ax, width=heat_size(width, 2.2), height=heat_size(height, 1.6))
    shares = table.to_numpy(dtype=float)
    written = _least_points(ax, shares) >= _LEAST_CELL
    texts = table.map(lambda share: f"{100 * share:.0f}" if share >= 0.005 else "").to_numpy()
    heat(
        ax,
        table.rename(columns="{:g}".format),
        cmap=SEQUENTIAL,
        limits=(0.0, np.ceil(round(10 * float(np.nanmax(shares)), 6)) / 10 or 1.0),
        label=given.labels.get("share", "share of resamples"),
        gamma=0.5,
        texts=texts if written else None,
        size=size_of() - 1,
    )
    if sets is not None:
        _outline_sets(ax, table, sets)
    ax.set_xlabel(f"rank by {name}" + ("; shares in %" if written else ""))
    drawing.finish(ax, given.heading(title))
    return ax


def _sets_of(systems: pd.DataFrame | None, measure: str) -> pd.DataFrame | None:
    """Confidence sets of one measure by system."""
    if systems is None:
        return None
    check_columns(systems, _SETS, "systems")
    if "measure" in systems.columns:
        systems = systems[systems["measure"] == measure]
    return systems.set_index("system")


def _by_rank(table: pd.DataFrame, sets: pd.DataFrame | None) -> list[str]:
    """The systems, the best first."""
    ranks = table.columns.to_numpy(dtype=float)
    mean = (table * ranks).sum(axis=1) / table.sum(axis=1)
    if sets is None or "rank" not in sets.columns:
        return mean.sort_values(kind="stable").index.tolist()
    known = sets["rank"].reindex(table.index)
    return table.index[np.lexsort((mean.to_numpy(), known.to_numpy()))].tolist()


def _outline_sets(ax: Axes, table: pd.DataFrame, sets: pd.DataFrame) -> None:
    """A box around the ranks of each set."""
    first = float(table.columns[0])
    linewidth = float(np.clip(0.07 * cell_points(ax, len(table), "y"), 0.3, 1.2))
    ends = sets[["rank_lower", "rank_upper"]].reindex(table.index).to_numpy(dtype=float)
    label = "confidence set of the rank"
    for place, (lower, upper) in enumerate(ends.tolist()):
        if not np.isnan(lower + upper):
            style = {"linewidth": linewidth, "clip_on": False, "label": label}
            _box(ax, (lower - first, place + 0.04), upper - lower + 1, 0.92, **style)
            label = "_"
