"""Quality functions g of a displacement: g(0) = 1, non-increasing, non-negative."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.errors import OptionError, shown

Quality = Callable[[Any], Any]

#: points at which a user's function is checked: 0, and 181 points from 1e-6 to 1e12
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
    """Quality function by name, or the caller's own one after a check.

    Parameters
    ----------
    g : {"rational", "exp"}, registered name or callable
    power, rate : float, optional
        Parameter of "rational" (1 by default) and of "exp" (required).

    Raises
    ------
    OptionError
        The name is unknown, a parameter does not belong to g, or the function breaks a rule.

    Examples
    --------
    >>> quality("exp", rate=0.1)(np.array([0.0, 10.0])).round(3).tolist()
    [1.0, 0.368]
    """
    allowed = {"rational": "power", "exp": "rate"}.get(g) if isinstance(g, str) else None
    for parameter, value in (("power", power), ("rate", rate)):
        if value is not None and parameter != allowed:
            owner = "rational" if parameter == "power" else "exp"
            raise OptionError(f"{parameter}={value!r}: belongs to g='{owner}', not to g={g!r}")
        if value is not None and not (np.isfinite(value) and value > 0):
            raise OptionError(f"{parameter}={value!r}: must be a finite number above 0")
    if isinstance(g, str) and g == "rational":
        return partial(rational, power=1.0 if power is None else float(power))
    if isinstance(g, str) and g == "exp":
        if rate is None:
            raise OptionError("g='exp': needs a rate; give rate=0.1")
        return partial(exponential, rate=float(rate))
    if isinstance(g, str):
        if g not in _REGISTERED:
            known = ", ".join(("rational", "exp", *_REGISTERED))
            raise OptionError(f"g={g!r}: must be one of {known}; register other functions first")
        return _REGISTERED[g]
    return checked_quality(g)


def register_quality(function: Quality, *, name: str | None = None) -> Quality:
    """Register a quality function, so that ``WDQ(g=name)`` and ``displacement`` accept its name.

    Parameters
    ----------
    function : callable
        From displacements (an array, or one number at a time) to qualities: 1 at 0,
        non-increasing and non-negative. It is checked at 182 points from 0 to 1e12.
    name : str, optional
        By default the function's own. A name may be registered again.

    Returns
    -------
    callable
        The function, so that `register_quality` may be used as a decorator.

    Raises
    ------
    OptionError
        The function breaks a rule, the name belongs to the library, or it has characters that
        the spelling of measures does not allow.

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
        raise OptionError(f"name={label!r}: taken by the library; choose another")
    _REGISTERED[label] = checked_quality(function)
    return function


def checked_quality(function: Quality) -> Quality:
    """The function, made to accept arrays, after a check of the rules."""
    if not callable(function):
        raise OptionError(f"g={shown(function)}: must be a name or a function")

    def over_arrays(x: Floats) -> Floats:
        return np.broadcast_to(np.asarray(function(x), dtype=np.float64), np.shape(x))

    one_by_one = np.vectorize(function, otypes=[np.float64])
    with np.errstate(all="ignore"):
        try:
            values, vectorised = over_arrays(_GRID), over_arrays
        except (TypeError, ValueError):  # it accepts one number at a time
            values, vectorised = one_by_one(_GRID), one_by_one
    if np.isnan(values).any():
        raise OptionError(f"g({_GRID[np.isnan(values)][0]:g}) is not a number")
    if abs(values[0] - 1) > _SLACK:
        raise OptionError(
            f"g(0) = {values[0]:g}: must be 1, the quality where nothing is displaced"
        )
    rises = np.flatnonzero(np.diff(values) > _SLACK)
    if len(rises):
        at = rises[0]
        raise OptionError(
            f"g({_GRID[at]:g}) = {values[at]:g} and g({_GRID[at + 1]:g}) = {values[at + 1]:g}: a "
            "quality must not rise with the displacement"
        )
    if values[-1] < -_SLACK:
        raise OptionError(f"g({_GRID[-1]:g}) = {values[-1]:g}: a quality must not fall below 0")
    return vectorised
