"""Functions g that turn a displacement into a quality: g(0) = 1, never rising, never below 0."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.errors import OptionError, shown

Quality = Callable[[Any], Any]

#: where a function is tried before it is used: 0, and 181 points from 1e-6 to 1e12
_GRID = np.concatenate(([0.0], np.logspace(-6, 12, 181)))
_SLACK = 1e-12
_REGISTERED: dict[str, Quality] = {}


def rational(x: Floats, *, power: float = 1.0) -> Floats:
    """Santini's 1 / (1 + x)^power."""
    out: Floats = (1.0 + x) ** -power
    return out


def exponential(x: Floats, *, rate: float) -> Floats:
    """Santini's exp(-rate · x)."""
    return np.exp(-rate * x)


def quality(g: str | Quality, *, power: float | None = None, rate: float | None = None) -> Quality:
    """The function that a name stands for, or a caller's own one, which is tried out first.

    Raises
    ------
    OptionError
        The name is unknown, a parameter is not that function's, or the function is no quality.
    """
    allowed = {"rational": "power", "exp": "rate"}.get(g) if isinstance(g, str) else None
    for parameter, value in (("power", power), ("rate", rate)):
        if value is not None and parameter != allowed:
            owner = "rational" if parameter == "power" else "exp"
            raise OptionError(f"{parameter}={value!r}: belongs to g='{owner}', not to g={g!r}")
        if value is not None and not (np.isfinite(value) and value > 0):
            raise OptionError(f"{parameter}={value!r}: must be a finite number above 0")
    if g == "rational":
        return partial(rational, power=1.0 if power is None else float(power))
    if g == "exp":
        if rate is None:
            raise OptionError("g='exp': has a rate without which it means nothing; give rate=0.1")
        return partial(exponential, rate=float(rate))
    if isinstance(g, str):
        if g not in _REGISTERED:
            known = ", ".join(("rational", "exp", *_REGISTERED))
            raise OptionError(f"g={g!r}: must be one of {known}, or be registered first")
        return _REGISTERED[g]
    return checked_quality(g)


def register_quality(function: Quality, *, name: str | None = None) -> Quality:
    """Give a function g a name, under which ``WDQ(g=name)`` knows it.

    Parameters
    ----------
    function : callable
        From displacements (an array, or one number at a time) to qualities: 1 at 0, never rising
        and never below 0. It is tried out at 182 points from 0 to 1e12.
    name : str, optional
        By default the function's own. The last one registered under a name holds.

    Returns
    -------
    callable
        The function, so that this may decorate it.

    Raises
    ------
    OptionError
        The function breaks a rule, or the name is taken by the library or cannot be written.

    References
    ----------
    Santini, Benchmarking without ground truth, §5.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> _ = ft.register_quality(lambda w: 1 / (1 + (w / 10) ** 2), name="bell")
    >>> ft.displacement(["a", "b"], [1, 1], ["x", "a", "b"], ties="position", g="bell").value
    0.961...
    """
    label = str(name or getattr(function, "__name__", ""))
    if not label or any(c.isspace() or c in "()@=,<>'\"" for c in label):
        raise OptionError(f"name={label!r}: give a name without spaces, quotes and ( ) @ = , < >")
    if label in ("rational", "exp"):
        raise OptionError(f"name={label!r}: is taken by the library; choose another")
    _REGISTERED[label] = checked_quality(function)
    return function


def checked_quality(function: Quality) -> Quality:
    """The function made to take arrays, after it was tried out."""
    if not callable(function):
        raise OptionError(f"g={shown(function)}: must be a name or a function")

    def over_arrays(x: Floats) -> Floats:
        return np.broadcast_to(np.asarray(function(x), dtype=np.float64), np.shape(x))

    one_by_one = np.vectorize(function, otypes=[np.float64])
    with np.errstate(all="ignore"):
        try:
            tried, turn = over_arrays(_GRID), over_arrays
        except (TypeError, ValueError):  # it takes one number at a time
            tried, turn = one_by_one(_GRID), one_by_one
    if np.isnan(tried).any():
        raise OptionError(f"g({_GRID[np.isnan(tried)][0]:g}) is not a number")
    if abs(tried[0] - 1) > _SLACK:
        raise OptionError(f"g(0) = {tried[0]:g}: a quality is 1 where nothing is displaced")
    rises = np.flatnonzero(np.diff(tried) > _SLACK)
    if len(rises):
        at = rises[0]
        raise OptionError(
            f"g({_GRID[at]:g}) = {tried[at]:g} and g({_GRID[at + 1]:g}) = {tried[at + 1]:g}: a "
            "quality must not rise with the displacement"
        )
    if tried[-1] < -_SLACK:
        raise OptionError(f"g({_GRID[-1]:g}) = {tried[-1]:g}: a quality must not fall below 0")
    return turn
