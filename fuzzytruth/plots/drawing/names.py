"""Names and numbers as the texts of figures."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, zip_longest

from fuzzytruth.errors import FontWarning, counted, printable, warn
from fuzzytruth.plots.drawing.appearance import TICK_SIZE

_LETTER = 0.56  # mean width of a letter, in font sizes
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
    ['sa…_bm25…', 'sa…_tfid…']
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
    """The first letters, and the word with letter `start`, on to the end if that fits."""
    n_first = max(width // 3 - 1, 1)
    word = max(name.rfind(letter, 0, start) for letter in _BETWEEN_WORDS)
    start = word + 1 if start - word <= width // 3 else start
    rest = name[max(start - 1, 0) :]
    if 0 < width - 1 - len(rest) <= n_first:
        return f"{name[: width - 1 - len(rest)]}…{rest}"
    begin = max(start - 1, n_first + 1)
    end = begin + width - n_first - 2
    return f"{name[:n_first]}…{name[begin:end]}{'…' if end < len(name) else ''}"


def entry(name: str) -> str:
    """A name as an entry of legends, from which Matplotlib drops those that begin with "_".

    Examples
    --------
    >>> entry("bm25"), entry("_bm25")
    ('bm25', ' _bm25')
    """
    return f" {name}" if name.startswith("_") else name


def pair_names(first: Iterable[object], second: Iterable[object], width: int) -> list[str]:
    """Differences of two systems as names of rows, of about `width` characters.

    Examples
    --------
    >>> pair_names(["bm25", "bm25"], ["tfidf", "dense"], 20)
    ['bm25 − tfidf', 'bm25 − dense']
    """
    a, b = list(first), list(second)
    both = shown_names([*a, *b], width // 2 - 1)
    return [f"{one} − {two}" for one, two in zip(both[: len(a)], both[len(a) :], strict=True)]


def letters_in(points: float, size: float = TICK_SIZE) -> int:
    """About how many letters of a font size fit into a width in points."""
    return max(int(points / (_LETTER * size)), 1)


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
