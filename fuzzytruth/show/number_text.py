"""Numbers of printed tables."""

from __future__ import annotations

import math
from collections.abc import Iterable

from fuzzytruth.errors import counted


def numbers_format(values: Iterable[float], digits: int = 4) -> str:
    """How all numbers of a column are written: `digits` decimals, or fewer if they are large.

    Powers of ten for a column of numbers that are all below 0.001, or reach a million.

    Examples
    --------
    >>> numbers_format([0.25, 1.5]), numbers_format([431.7]), numbers_format([2e-7, 0.0])
    ('.4f', '.2f', '.3e')
    """
    finite = [abs(value) for value in values if math.isfinite(value)]
    largest = max(finite, default=0.0)
    if largest >= 1e6 or 0 < largest < 1e-3:
        return f".{digits - 1}e"
    return f".{digits_for(finite, digits)}f"


def values_format(values: Iterable[float], digits: int = 4) -> str:
    """The same, but for whole numbers, which have no decimals unless they are huge.

    Examples
    --------
    >>> values_format([0, 3.0]), values_format([0, 0.5]), values_format([1e9])
    ('.0f', '.4f', '.3e')
    """
    listed = list(values)
    whole = all(float(value).is_integer() and abs(value) < 1e6 for value in listed)
    return ".0f" if whole else numbers_format(listed, digits)


def written(value: float, style: str, *, signed: bool = False) -> str:
    """A number in such a format; a dash for NaN.

    Examples
    --------
    >>> written(0.25, ".2f"), written(0.25, ".2f", signed=True), written(float("nan"), ".2f")
    ('0.25', '+0.25', '–')
    >>> written(1500, ",")
    '1,500'
    """
    if value != value:
        return "–"
    value = value if float(format(value, style).replace(",", "")) else abs(value)  # no -0.0
    return format(value, f"{'+' if signed else ''}{style}")


def written_interval(lower: float, upper: float, style: str, *, signed: bool = False) -> str:
    """An interval in brackets in such a format; a dash if an end is NaN.

    Examples
    --------
    >>> written_interval(0.25, float("inf"), ".1f", signed=True)
    '[+0.2, +inf]'
    """
    if lower != lower or upper != upper:
        return "–"
    return f"[{written(lower, style, signed=signed)}, {written(upper, style, signed=signed)}]"


def number_text(value: float, digits: int = 4) -> str:
    """A number with a fixed number of decimals; a dash for NaN.

    Examples
    --------
    >>> number_text(0.5), number_text(0.25, 1), number_text(float("nan"))
    ('0.5000', '0.2', '–')
    """
    return written(value, f".{digits}f")


def signed_text(value: float, digits: int = 4) -> str:
    """The same with its sign.

    Examples
    --------
    >>> signed_text(0.5), signed_text(-0.25, 2)
    ('+0.5000', '-0.25')
    """
    return written(value, f".{digits}f", signed=True)


def interval_text(lower: float, upper: float, digits: int = 4, *, signed: bool = False) -> str:
    """An interval in brackets; a dash if an end is NaN.

    Examples
    --------
    >>> interval_text(0.25, 0.5, 2), interval_text(-1, float("inf"), 1, signed=True)
    ('[0.25, 0.50]', '[-1.0, +inf]')
    """
    return written_interval(lower, upper, f".{digits}f", signed=signed)


def with_interval(value: float, lower: float, upper: float, digits: int = 3) -> str:
    """A number and its interval; the number alone if the interval is not known.

    Examples
    --------
    >>> with_interval(0.4, 0.25, 0.5), with_interval(0.4, float("-inf"), float("inf"))
    ('0.400 [0.250, 0.500]', '0.400 [-inf, inf]')
    """
    ends = interval_text(lower, upper, digits)
    text = number_text(value, digits)
    return text if "–" in (text, ends) else f"{text} {ends}"


def digits_for(values: Iterable[float], digits: int = 3) -> int:
    """Decimals of a column of numbers: fewer if one of them is 10 or more in size.

    Examples
    --------
    >>> digits_for([0.4, -0.2]), digits_for([0.4, 431.7]), digits_for([float("nan")])
    (3, 1, 3)
    """
    largest = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    before = len(str(int(largest)))  # digits before the point
    return max(digits - before + 1, 0)


def between_text(least: int, most: int, one: str, many: str | None = None) -> str:
    """A number of things that is not the same everywhere.

    Examples
    --------
    >>> between_text(24, 30, "query"), between_text(1, 1, "query")
    ('24 to 30 queries', '1 query')
    """
    return f"{f'{least:,} to ' if least < most else ''}{counted(most, one, many)}"


def level_text(level: float) -> str:
    """A level in per cent.

    Examples
    --------
    >>> level_text(0.95), level_text(0.999), level_text(1 - 2e-9)
    ('95 %', '99.9 %', '1 - 2e-09')
    """
    text = f"{100 * level:.6g}"
    return f"{text} %" if text != "100" or level == 1 else f"1 - {1 - level:.1g}"


def percent_text(share: float) -> str:
    """A share in whole per cent."""
    return f"{number_text(100 * share, 0)} %"
