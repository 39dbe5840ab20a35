"""Statistics of per-query values for the bootstrap."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.errors import DataError, OptionError, shown

#: ``statistic(values, axis)``, vectorised as NumPy's own are
Statistic = Callable[..., Any]


def geometric_mean(values: Floats, axis: int = -1) -> Floats:
    """Geometric mean; 0 where a value is 0.

    Raises
    ------
    DataError
        A value is negative.
    """
    if (values < 0).any():
        raise DataError("statistic='geometric_mean': some values are negative")
    with np.errstate(divide="ignore"):
        out: Floats = np.exp(np.log(values).mean(axis=axis))
    return out


_NAMED: dict[str, Statistic] = {
    "mean": np.mean,
    "median": np.median,
    "geometric_mean": geometric_mean,
}


def named_statistic(given: str | Statistic) -> tuple[str, Statistic]:
    """A statistic's name and function.

    Raises
    ------
    OptionError
        The name is unknown, or `given` is not a function.
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
    """Apply a statistic along the last axis, and check the result.

    Raises
    ------
    OptionError
        The statistic does not reduce that axis.
    """
    out = np.asarray(statistic(values, axis=-1), dtype=np.float64)
    if out.shape != values.shape[:-1]:
        raise OptionError(
            f"statistic: gave shape {out.shape} for values of shape {values.shape}; it must reduce "
            "the axis it is given, as numpy.median(values, axis=axis) does"
        )
    return out
