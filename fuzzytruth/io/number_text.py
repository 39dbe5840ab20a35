"""Numbers of printed tables."""

from __future__ import annotations

import math
from collections.abc import Iterable


def number_text(value: float, digits: int = 4) -> str:
    """A number with a fixed number of decimals; a dash for NaN.

    Examples
    --------
    >>> number_text(0.5), number_text(0.25, 1), number_text(float("nan"))
    ('0.5000', '0.2', '–')
    """
    return "–" if value != value else f"{value:.{digits}f}"


def signed_text(value: float, digits: int = 4) -> str:
    """The same with its sign.

    Examples
    --------
    >>> signed_text(0.5), signed_text(-0.25, 2)
    ('+0.5000', '-0.25')
    """
    return number_text(value, digits) if value != value else f"{value:+.{digits}f}"


def interval_text(lower: float, upper: float, digits: int = 4, *, signed: bool = False) -> str:
    """An interval in brackets; a dash if an end is NaN.

    Examples
    --------
    >>> interval_text(0.25, 0.5, 2), interval_text(-1, float("inf"), 1, signed=True)
    ('[0.25, 0.50]', '[-1.0, +inf]')
    """
    if lower != lower or upper != upper:
        return "–"
    text = signed_text if signed else number_text
    return f"[{text(lower, digits)}, {text(upper, digits)}]"


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
