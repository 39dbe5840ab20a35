"""Statistics that can be bootstrapped, by name or as functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.errors import DataError, OptionError, shown

#: ``statistic(values, axis)``, vectorised as NumPy's functions are
Statistic = Callable[..., Any]


def geometric_mean(values: Floats, axis: int = -1) -> Floats:
    """Geometric mean along an axis; 0 where a value is 0, NaN where one is NaN.

    Raises
    ------
    DataError
        A value is negative.

    Examples
    --------
    >>> geometric_mean(np.array([[0.25, 1.0], [0.0, 1.0]])).tolist()
    [0.5, 0.0]
    """
    from scipy import stats

    if (values < 0).any():
        raise DataError("statistic='geometric_mean': some values are negative")
    out: Floats = np.asarray(stats.gmean(values, axis=axis))
    return out


_NAMED: dict[str, Statistic] = {
    "mean": np.mean,
    "median": np.median,
    "geometric_mean": geometric_mean,
}


def named_statistic(given: str | Statistic) -> tuple[str, Statistic]:
    """Name and function of a statistic.

    Raises
    ------
    OptionError
        Neither a known name nor a function.
    """
    if isinstance(given, str) and given in _NAMED:
        return given, _NAMED[given]
    if callable(given):
        return getattr(given, "__name__", "statistic"), given
    raise OptionError(
        f"statistic={shown(given)}: must be one of {', '.join(map(repr, _NAMED))}, or a function "
        "statistic(values, axis)"
    )


def apply(statistic: Statistic, values: Floats) -> Floats:
    """Apply the statistic along the last axis: (..., units) → (...).

    Raises
    ------
    OptionError
        The statistic does not reduce that axis.
    """
    try:
        out = np.asarray(statistic(values, axis=-1), dtype=np.float64)
    except TypeError as error:
        rule = "is called as statistic(values, axis=-1), and must return numbers"
        raise OptionError(f"statistic: {rule} ({error})") from error
    if out.shape != values.shape[:-1]:
        raise OptionError(
            f"statistic: returned shape {out.shape} for values of shape {values.shape}; it must "
            "reduce its axis, as numpy.median(values, axis=axis) does"
        )
    return out
