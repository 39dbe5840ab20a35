"""Axes, marks, names, titles and legends that all figures share; `scheme` has their colours.

Names, titles and labels stay inside the figure, whatever names systems have: a constrained layout
makes room for labels of rows, but clips wide titles and labels of axes, which are broken into lines
of the width that there will be. Of more lines than a figure has room for, some are left out.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, combinations, pairwise, zip_longest
from typing import TYPE_CHECKING, Any, Literal
from weakref import WeakSet

import numpy as np

from fuzzytruth.errors import FontWarning, OptionError, counted, printable, shown, warn

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.text import Text
    from matplotlib.transforms import Transform


_SIZES = {"tick": 8.0, "label": 9.0, "title": 9.0}  # points; tick: of names, cells and legends


def size_of(of: Literal["tick", "label", "title"] = "tick") -> float:
    """Size in points, at most the user's own ``rcParams["font.size"]``."""
    import matplotlib as mpl

    return min(_SIZES[of], float(mpl.rcParams["font.size"]))


# Axes to draw on, and figures as files.


COLUMN_WIDTH = 3.4  # inches, of a column of a two-column paper
PAGE_WIDTH = 6.4  # inches, of a new figure that is not stated otherwise


def check_axes(ax: object) -> None:
    """Raise OptionError unless these are axes, or None for new ones."""
    from matplotlib.axes import Axes

    if ax is not None and not isinstance(ax, Axes):
        raise OptionError(
            f"ax={shown(ax)}: give one Axes of Matplotlib; options go by name, such as measure='AP'"
        )


def axes_or_new(
    ax: Axes | None, *, width: float = PAGE_WIDTH, height: float = PAGE_WIDTH * 0.62
) -> Axes:
    """The given axes, or those of a new figure of that size in inches, with small numbers at ticks.

    A new figure has a constrained layout, so that labels of any length are inside it; so has that
    of given axes which are alone in a figure without a layout.

    Raises
    ------
    OptionError
        `ax` is something else.
    """
    check_axes(ax)
    if ax is None:
        import matplotlib.pyplot as plt

        ax = plt.subplots(figsize=(width, height), layout="constrained")[1]
    else:
        lay_out(ax)
    ax.tick_params(labelsize=size_of())
    return ax


_given: WeakSet[Axes] = WeakSet()  # axes that are as small as they are


def bar_axes(ax: Axes) -> Axes | None:
    """Axes of a colour bar beside given ones, which any layout takes; None: seaborn's for new."""
    return ax.inset_axes((1.03, 0, 0.04, 1)) if ax in _given else None


def lay_out(ax: Axes) -> None:
    """Let labels of given axes be inside their figure, if they are alone in it."""
    check_axes(ax)
    _given.add(ax)
    figure = ax.get_figure(root=True)
    if _is_alone(ax) and figure is not None and figure.get_layout_engine() is None:
        figure.set_layout_engine("constrained")


# Marks, and entries of legends that stand for no single mark.


def draw_marks(
    ax: Axes, x: Any, y: Any, marker: Any, colour: str, size: float, fill: str = "", **style: Any
) -> Any:
    """Draw marks without a line, filled with their own colour unless another is given."""
    style |= {"color": colour, "markerfacecolor": fill or colour, "markersize": size}
    return ax.plot(x, y, linestyle="none", marker=marker, **style)[0]


def draw_densities(
    ax: Axes, values: Any, places: Any, colour: str | None, height: float, **more: Any
) -> None:
    """Draw how the values of many lie at each place, as a shape so high."""
    import seaborn as sns

    gaps = np.diff(np.unique(places))
    width = height / (gaps.min() if len(gaps) else 1.0)  # seaborn's is a share of the gap
    style: dict[str, Any] = {"inner": None, "cut": 0, "linewidth": 0.5, "linecolor": colour}
    style |= {"density_norm": "width", "saturation": 1, "native_scale": True, "orient": "y"}
    sns.violinplot(
        x=np.asarray(values), y=np.asarray(places), color=colour, width=width, ax=ax, **style | more
    )


def name_shade(ax: Axes, label: str, colour: str, opacity: float) -> None:
    """Add an entry to the legend for an area of that shade."""
    style: dict[str, Any] = {"linewidth": 8, "solid_capstyle": "butt"}
    ax.plot([], [], color=colour, alpha=opacity, label=label, **style)


# Names, titles, labels and legends.


_LETTER = 0.56  # mean width of a letter, in font sizes
_PIXELS = 1.05  # by which letters of whole pixels may be wider, 100 to an inch
LEAST = 7  # letters of a name that is cut
_BETWEEN_WORDS = " ._-/"


def shown_names(names: Iterable[object], width: int) -> list[str]:
    """Names of about `width` characters, cut in the middle where they are longer.

    Control characters and letters that the font lacks are escaped. Names that would look alike
    keep what tells them apart; where this is not enough, all are cut less.

    Examples
    --------
    >>> shown_names(["bm25", "a_long_name_of_run_1", "a_long_name_of_run_2"], 9)
    ['bm25', 'a_long…_1', 'a_long…_2']
    >>> shown_names(["same_start_bm25_same_end", "same_start_tfidf_same_end"], 9)
    ['…bm25…end', '…tfid…end']
    >>> shown_names(["waterloo.A-rank-normal", "waterloo.B-rank-normal"], 19)
    ['waterloo.A-…-normal', 'waterloo.B-…-normal']
    """
    whole = drawable(map(str, names))
    unique = list(dict.fromkeys(whole))
    for size in range(max(width, LEAST), max(map(len, whole), default=0), 2):
        cut = {name: _cut(name, size) for name in unique}
        alike = [name for name in unique if [*cut.values()].count(cut[name]) > 1]
        for first, second in combinations(alike, 2):
            if cut[first] == _cut(second, size):
                start = next(
                    n for n, two in enumerate(zip_longest(first, second)) if len({*two}) > 1
                )
                cut |= {name: _cut_around(name, start, size) for name in (first, second)}
        if len(set(cut.values())) == len(unique):
            return [cut[name] for name in whole]
    return whole


def _cut(name: str, width: int) -> str:
    """The start and the end of a long name, which begins with a whole word if it can."""
    if len(name) <= width:
        return name
    end = (width - 1) // 2
    words = [at for at, letter in enumerate(name[-end:]) if letter in _BETWEEN_WORDS]
    if words and words[0] <= end // 2:
        end -= words[0]
    return f"{name[: width - 1 - end]}…{name[-end:]}"


def _cut_around(name: str, start: int, width: int) -> str:
    """The word with letter `start`, and what follows."""
    word = max(name.rfind(letter, 0, start) for letter in _BETWEEN_WORDS) + 1
    begin = word if start - word < width // 2 else start
    return f"…{_cut(name[begin:], width - 1)}"


def entry(name: str) -> str:
    """A name as an entry of legends, from which Matplotlib drops those that begin with "_".

    Examples
    --------
    >>> entry("bm25"), entry("_bm25")
    ('bm25', ' _bm25')
    """
    return f" {name}" if name.startswith("_") else name


def pair_names(
    first: Iterable[object], second: Iterable[object], width: int, *, high: bool = False
) -> list[str]:
    r"""Differences of two systems as names of rows, of about `width` characters.

    Where these do not hold two names and rows are `high`, the names are below each other.

    Examples
    --------
    >>> pair_names(["bm25", "bm25"], ["tfidf", "dense"], 20)
    ['bm25 − tfidf', 'bm25 − dense']
    >>> pair_names(["bm25"], ["tfidf"], 11, high=True)
    ['bm25 −\ntfidf']
    """
    a, b = list(first), list(second)
    longest = max((len(f"{x} − {y}") for x, y in zip(a, b, strict=True)), default=0)
    between = " −\n" if high and longest > width else " − "
    both = shown_names([*a, *b], width - 2 if between[-1] == "\n" else width // 2 - 1)
    pairs = zip(both[: len(a)], both[len(a) :], strict=True)
    return [f"{one}{between}{two}" for one, two in pairs]


def letters_in(points: float, size: float | None = None) -> int:
    """About how many letters of a font size fit into a width in points."""
    return max(int(points / (_LETTER * (size or size_of()))), 1)


def drawable(texts: Iterable[str]) -> list[str]:
    r"""Texts that can be drawn: control characters are escaped, and letters that the font lacks.

    Matplotlib would draw one and the same box for all such letters. Text of an SVG file that stays
    text (``svg.fonttype: none``) is left as it is: the browser has further fonts.

    Warns
    -----
    FontWarning
        With the number of texts that have such letters.
    """
    out = [printable(text) for text in texts]
    lacking = _not_in_font({letter for text in out for letter in text if letter > "\x7f"})
    if lacking:
        codes = {ord(letter): letter.encode("unicode_escape").decode("ascii") for letter in lacking}
        n_changed = len({text for text in out if not lacking.isdisjoint(text)})
        warn(
            f"{counted(n_changed, 'name')} of a figure with letters that its font lacks, which are "
            f"shown as codes ({codes[ord(min(lacking))]}); a font that has them is chosen by "
            "matplotlib.rcParams['font.family']",
            FontWarning,
        )
        out = [text.translate(codes) for text in out]
    return out


def _not_in_font(letters: set[str]) -> set[str]:
    """Those letters that no font of Matplotlib's settings has."""
    if not letters:
        return letters
    import matplotlib as mpl
    from matplotlib.font_manager import FontProperties, findfont, get_font

    if mpl.rcParams["svg.fonttype"] == "none":
        return set()
    for family in mpl.rcParams["font.family"]:
        known = get_font(findfont(FontProperties(family=[family]))).get_charmap()
        letters = {letter for letter in letters if ord(letter) not in known}
    return letters


def percent(share: float) -> str:
    """A level or share in per cent.

    Examples
    --------
    >>> percent(0.95), percent(0.999)
    ('95 %', '99.9 %')
    """
    return f"{100 * share:.4g} %"


def signed(value: float, digits: int) -> str:
    """A signed number for a narrow cell, without a zero before the point.

    Examples
    --------
    >>> signed(0.25, 2), signed(-1.5, 1), signed(-0.001, 2)
    ('+.25', '−1.5', '.00')
    """
    text = format(value, f"+.{digits}f")
    if not float(text):
        text = text[1:]
    start, point, end = text.partition(".")
    short = f"{start[:-1]}.{end}" if point and start.lstrip("+-") == "0" else text
    return short.replace("-", "−")


_EDGE = 0.015  # of the figure, left of titles and legends
_AXES_SHARE = 0.775  # of a figure's width and height that new axes have, by Matplotlib's default
_BESIDE = 0.6  # of the width of axes and their labels, for a title where there are others
_AROUND = 1.5  # inches of a figure's height for title, labels and legend
_SMALLEST = 5.0  # points, of labels of many rows
_LONGEST = 40  # letters of a label
_LONGEST_ENTRY = 50  # letters of an entry of a legend
_PAD = 6.0  # points between labels and axes, and at the margins
_HANDLE = 2.8  # font sizes, of a legend's marks
_BETWEEN = 1.2  # font sizes, of its columns
_LINE = 1.3  # font sizes, from a line to the next one
_HIGHEST_TITLE, _HIGHEST_LABEL = 0.36, 0.18  # of the figure's height
_LEAST_SHARE = 0.42  # of the height, that given axes keep
_SHARES = (1.0, 0.8, 0.65, 0.55, 0.48, 0.4, 0.32, 0.24)  # of the width, that an entry may take
_SMALL = 6.0  # points, of their title and legend if there is little room
_PLAIN: dict[str, Any] = {"parse_math": False}  # "$" is a dollar
_NO_BREAK = "\u00a0"
#: what stays on one line: 30 queries, 95 %, p ≤ 0.05
_TOGETHER = re.compile(
    r"\b\w+ [<≤=≥>] [-+]?[\d.]+|[▲▼] \w+|(?<=\d) (?=(?!(?:of|to|and|or|in)\b)[^\W\d]|%)"
)


def finish(
    ax: Axes, text: str, *, handles: Sequence[Any] | None = None, at_least: int = 1, note: str = ""
) -> None:
    """Set the title, break labels of axes into lines, and put a legend below them.

    Given axes keep nearly half of their height: otherwise the legend and then the title become
    smaller, and lines of the title after the first are left out.

    Parameters
    ----------
    text : str
        The title; its lines stay apart.
    handles : sequence of artists, optional
        Of the legend; by default those that have labels.
    at_least : int
        The least number of entries for which there is a legend.
    note : str
        What is not drawn, as the last line of the title says; below the axes without a title.
    """
    width, height = inches_of(ax)
    if note and not text and ax in _given:
        ax.set_xlabel(f"{ax.get_xlabel()}\n{note}")
    _fit_label(ax.xaxis, width_left(ax), height)
    handles = ax.get_legend_handles_labels()[0] if handles is None else handles
    handles = handles if len(handles) >= at_least else ()
    least = _LEAST_SHARE * 72 * height if ax in _given else -np.inf
    taken = draw_legend(ax, handles)
    if height_left(ax, taken + title(ax, text)) < least:
        taken = draw_legend(ax, handles, small=True)
    left = height_left(ax, taken)
    left -= title(ax, text, left - least, kept=2 if note else 1)
    _fit_label(ax.yaxis, left, width)


def _fit_label(axis: Any, length: float, across: float) -> None:
    """Break the label of an axis into lines of a length in points, across so many inches."""
    label = axis.get_label()
    lines = fitted(label.get_text(), length, 72 * _HIGHEST_LABEL * across, size_of("label"))
    label.set(text=lines, fontsize=size_of("label"), **_PLAIN)


def title(ax: Axes, text: str, room: float = np.inf, *, kept: int = 1) -> float:
    """Put a title above the axes, wrapped to the figure's width, or to theirs beside others.

    It gives way to a title in the centre, as `Axes.set_title` puts there, before or afterwards.
    Returns its height; where that would be more than the room in points, it is `shortened`.
    """
    if not text:
        return 0.0
    alone = _is_alone(ax)
    width, height = inches_of(ax)
    length = 72 * width * (1 - 3 * _EDGE if alone else _BESIDE)
    highest = 72 * _HIGHEST_TITLE * height
    lines, size = shortened(text, length, (min(room, highest), highest), kept)
    drawn = ax.set_title(lines, loc="left", fontsize=size, **_PLAIN)
    if alone:
        drawn.set_transform(_from_edge(ax, ax.title.get_transform()))
        drawn.set_x(_EDGE)
    give_way(ax, drawn)
    return _height_of(lines, size) if drawn.get_text() else 0.0


def shortened(
    text: str, length: float, highest: tuple[float, float], kept: int = 1
) -> tuple[str, float]:
    """A title in lines of a length in points, and its size, which is smaller if it is too high.

    Lines after its first are left out, and only what is higher than the second height is cut; with
    `kept` 2 its last line stays, too.
    """
    parts, size = text.split("\n"), size_of("title")
    fewer = [parts[:1] + parts[n:] for n in range(1, max(len(parts) + 2 - kept, 2))]
    for some in (parts, *fewer):
        lines = fitted("\n".join(some), length, np.inf, size)
        if _height_of(lines, size) <= highest[0]:
            return lines, size
        size = min(size, _SMALL)
    return fitted("\n".join(fewer[-1]), length, highest[1], size), size


def _height_of(text: str, size: float) -> float:
    return _LINE * size * (text.count("\n") + 1)


def give_way(ax: Axes, drawn: Text) -> None:
    """Take a title of ours away where there is, or will be, one in the centre."""

    def clear(centre: Any) -> None:
        if centre.get_text():
            drawn.set_text("")

    clear(ax.title)
    ax.title.add_callback(clear)


def draw_legend(ax: Axes, handles: Sequence[Any], *, small: bool = False) -> float:
    """Put a legend below the axes, in as many columns as fit; long names are cut, words wrapped.

    A small one is as low as it can be. Returns the height in points that it takes from the axes.
    """
    if not handles:
        return 0.0
    alone = _is_alone(ax)
    room = 72 * inches_of(ax)[0] * (1 - 2 * _EDGE if alone else _BESIDE)
    size = min(size_of(), _SMALL) if small else size_of()
    labels = [str(handle.get_label()) for handle in handles]
    lines = [share * room - _HANDLE * size for share in (_SHARES if small else (1.0,))]
    tried = [_entries(labels, line, size, 3 if small else 2) for line in lines]
    names = min(tried, key=lambda names: ("".join(names).count("…"), _columns(names, room, size)))
    below = moved(ax, ax.transAxes, up=-_below(ax))
    style: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (_EDGE if alone else 0.0, 0.0)}
    style |= {"bbox_transform": _from_edge(ax, below) if alone else below, "frameon": False}
    style |= {"fontsize": size, "labelspacing": 0.25 if small else 0.5}
    style |= {"ncols": _columns(names, room, size)[1], "columnspacing": _BETWEEN}
    style |= {"borderpad": 0, "borderaxespad": 0}
    legend = ax.legend(handles=list(handles), labels=names, **style)
    for label in legend.get_texts():
        label.set(**_PLAIN)
    return float(legend.get_window_extent().height * _point(ax))


def _entries(labels: list[str], line: float, size: float, n_lines: int) -> list[str]:
    """Entries of a legend in lines of at most so many points: names are cut, words wrapped."""
    longest = min(letters_in(line, size), _LONGEST_ENTRY)
    short = shown_names(labels, longest)
    while longest > LEAST and max(width_of(name, size) for name in short) > line:
        longest -= 2
        short = shown_names(labels, longest)
    return [
        fitted(label if " " in label.strip() else name, line, (_LINE * n_lines + 0.1) * size, size)
        for label, name in zip(labels, short, strict=True)
    ]


def _columns(names: list[str], room: float, size: float) -> tuple[int, int]:
    """Lines and columns, as many as fit; entries go down each, the first ones longer by one."""
    wide = {name: max(width_of(part, size) for part in name.split("\n")) for name in names}
    for n in range(len(names), 0, -1):
        long, extra = divmod(len(names), n)
        ends = accumulate((long + (j < extra) for j in range(n)), initial=0)
        parts = [names[first:last] for first, last in pairwise(ends)]
        widths = [max(wide[name] for name in part) + _HANDLE * size for part in parts]
        if n == 1 or sum(widths) + (n - 1) * _BETWEEN * size <= room:
            break
    return max("\n".join(part).count("\n") for part in parts), n


def _below(ax: Axes) -> float:
    """Points below the axes that ticks and label take."""
    label = ax.get_xlabel()
    texts = [text for text in ax.get_xticklabels() if text.get_text()]
    ticks = max((text.get_window_extent().height for text in texts), default=0.0) * _point(ax)
    lines = label.count("\n") + 1 if label else 0
    return ticks + (16.0 if texts else 8.0) + 1.3 * size_of("label") * lines


def name_ticks(
    ax: Axes, axis: str, places: Sequence[float], names: Sequence[str], **style: Any
) -> None:
    """Label places of an axis ("x" or "y") with names, which are not parsed as mathematics."""
    setter = ax.set_xticks if axis == "x" else ax.set_yticks
    setter(places, list(names), **_PLAIN, **style)


def name_rows(
    ax: Axes,
    places: Sequence[float],
    names: Iterable[object] | Callable[[int], list[str]],
    *,
    rows: float | None = None,
    share: float = 0.4,
) -> None:
    """Label rows, smaller where many share the height of the axes; then every second, third, ...

    Parameters
    ----------
    names : iterable, or callable
        The names, or what gives those of a length in letters.
    rows : float, optional
        How many rows the height of the axes has room for; by default as many as are named.
    share : float
        Of the width that labels may take.
    """
    points = row_points(ax, len(places) if rows is None else rows)
    size = float(np.clip(0.95 * points, _SMALLEST, size_of()))
    most = letters_in(72 * share * inches_of(ax)[0], size)
    most = min(most, _LONGEST)
    shown_ones = names(most) if callable(names) else shown_names(names, most)
    size = min(size, points / 2.3) if any("\n" in name for name in shown_ones) else size
    step = int(np.ceil(0.95 * _SMALLEST / points))
    shown_ones = [name if at % step == 0 else "" for at, name in enumerate(shown_ones)]
    name_ticks(ax, "y", places, shown_ones, fontsize=size, linespacing=1.1)
    ax.tick_params(axis="y", length=0)


def name_right(
    ax: Axes, places: Sequence[float], texts: Sequence[object], *, more: float = 0, rows: int = 0
) -> None:
    """Write a column right of the axes, a text at each place."""
    size = min(size_of() - 1 + more, 0.95 * row_points(ax, rows or len(places)))
    style: dict[str, Any] = {"textcoords": "offset points", "va": "center", "fontsize": size}
    style |= {"xycoords": ax.get_yaxis_transform(), "annotation_clip": False, "linespacing": 0.9}
    for place, text in zip(places, texts, strict=True):
        ax.annotate(str(text), (1, place), (4, 0), **style)


def most_rows(ax: Axes | None, n_lines: int = 1) -> int:
    """How many rows with names of so many lines are legible on given axes; new ones have room."""
    least = _SMALLEST * (2.3 if n_lines > 1 else 1 / 0.95)
    check_axes(ax)
    return sys.maxsize if ax is None else max(int(row_points(ax, 1) / least), 1)


def row_points(ax: Axes, n_rows: float) -> float:
    """About how high each of so many rows is, in points."""
    height = inches_of(ax)[1]
    return 72 * max(height - _AROUND, 0.4 * height) / max(n_rows, 1)


def moved(ax: Axes, transform: Transform, *, right: float = 0, up: float = 0) -> Transform:
    """The transform of what is drawn so many points away."""
    from matplotlib.transforms import ScaledTranslation

    figure = ax.get_figure(root=True)
    assert figure is not None
    return transform + ScaledTranslation(right / 72, up / 72, figure.dpi_scale_trans)


def inches_of(ax: Axes) -> tuple[float, float]:
    """Width and height in inches that there are for axes and their labels."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    if _is_alone(ax):
        width, height = figure.get_size_inches()
        return float(width), float(height)
    width, height = box_points(ax)
    return width / 72 / _AXES_SHARE, height / 72 / _AXES_SHARE


def room_points(ax: Axes) -> tuple[float, float]:
    """Width and height in points of given axes without labels."""
    lay_out(ax)
    figure = ax.get_figure(root=True)
    if figure is None or figure.get_layout_engine() is None:
        return box_points(ax)
    width, height = inches_of(ax)
    return 72 * width - _PAD, 72 * height - _PAD


def box_points(ax: Axes) -> tuple[float, float]:
    """Width and height of the axes in points, before their figure makes room for labels."""
    box = ax.get_window_extent()
    return float(box.width * _point(ax)), float(box.height * _point(ax))


def width_left(ax: Axes) -> float:
    """Width in points that the axes will have beside the labels of their rows."""
    figure = ax.get_figure(root=True)
    if figure is None or figure.get_layout_engine() is None:
        return box_points(ax)[0]
    texts = [label for label in ax.get_yticklabels() if label.get_text()]
    widest = max((text.get_window_extent().width for text in texts), default=0.0) * _point(ax)
    label = ax.get_ylabel()
    widest += size_of("label") * (1.6 + 1.3 * label.count("\n")) if label else 0.0
    return float(max(72 * inches_of(ax)[0] - widest - 2 * _PAD, 30.0))


def height_left(ax: Axes, taken: float) -> float:
    """Height in points that the axes will have where title and legend take so many."""
    figure = ax.get_figure(root=True)
    if figure is None or figure.get_layout_engine() is None:
        return box_points(ax)[1]
    return float(max(72 * inches_of(ax)[1] - taken - _below(ax) - 2 * _PAD, 30.0))


def fitted(text: str, length: float, across: float, size: float) -> str:
    """The text in lines of at most a length, and no more of them than fit across, in points.

    Its own lines stay apart. Where there are too many, the middle of the longest is left out.
    """
    parts = [_wrapped(line, length, size) for line in drawable(text.split("\n"))]
    while sum(map(len, parts)) * _LINE * size > across:
        longest = max(parts, key=len)
        if len(longest) <= 2:
            break
        middle = len(longest) // 2
        del longest[middle]
        longest[middle - 1] = f"{longest[middle - 1].removesuffix('…')}…"
    return "\n".join(line for part in parts for line in part)


def _wrapped(text: str, points: float, size: float) -> list[str]:
    """Lines of at most a width in points; a wider word has a line of its own, and is cut.

    Numbers stay with what they count and are compared with. Matplotlib's own wrapping takes one
    word a line while a layout puts titles above the figure.
    """
    glued = _TOGETHER.sub(lambda found: found[0].replace(" ", _NO_BREAK), text)
    lines: list[str] = []
    for word in glued.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, size) <= points:
            lines[-1] = longer
        else:
            lines.append(cut_to(word, points, size))
    return [line.replace(_NO_BREAK, " ") for line in lines]


def cut_to(name: str, points: float, size: float) -> str:
    """A name, cut where it is wider than so many points."""
    shown, n_letters = name, len(name)
    while (width := width_of(shown, size)) > points and n_letters > LEAST:
        n_letters = max(min(int(len(shown) * points / width), n_letters - 1), LEAST)
        shown = shown_names([name], n_letters)[0]
    return shown


def width_of(text: str, size: float) -> float:
    """Width of a text in points, at most: pictures have letters of whole pixels."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextToPath

    font = FontProperties(size=size)
    return _PIXELS * float(TextToPath().get_text_width_height_descent(text, font, ismath=False)[0])


def _is_alone(ax: Axes) -> bool:
    """Whether these are the only axes of their figure, so that a title may begin at its edge."""
    spec = ax.get_subplotspec()
    return spec is not None and spec.get_gridspec().get_geometry() == (1, 1)


def _from_edge(ax: Axes, vertical: Transform) -> Transform:
    """Horizontally from the left edge of the figure."""
    from matplotlib.transforms import blended_transform_factory

    figure = ax.get_figure()
    assert figure is not None
    return blended_transform_factory(figure.transSubfigure, vertical)


def _point(ax: Axes) -> float:
    """Points in a pixel."""
    figure = ax.get_figure(root=True)
    return 72 / figure.dpi if figure is not None else 1.0
