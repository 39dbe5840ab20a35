"""Validation of numbers, texts and names given by users."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from fuzzytruth._typing import Bools, Floats
from fuzzytruth.errors import DataError, OptionError, first_few, is_among, nearest, require, shown

_SUM_TOLERANCE = 1e-9  # how far from 1 the sum of probabilities may be
#: the same for probabilities that may have been rounded to single precision
ROUNDED_SUM_TOLERANCE = 1e-6


def numbers(name: str, given: ArrayLike, *, finite: bool = False) -> Floats:
    """Numbers of any shape as doubles; none may be NaN, nor infinite if `finite`.

    Raises
    ------
    DataError
        Something is not a number; the message names the place of the first.
    """
    try:
        out = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise DataError(f"{name}={shown(given)}: must be numbers") from error
    bad = ~np.isfinite(out) if finite else np.isnan(out)
    if bad.any():
        rule = "must be finite" if finite else "must be a number"
        raise DataError(f"{_first_bad(name, out, bad)}: {rule}")
    return out


def number(name: str, given: Any) -> float:
    """One finite number."""
    out = numbers(name, given, finite=True)
    if out.ndim:
        raise DataError(f"{name}: must be one number, not an array of shape {out.shape}")
    return float(out)


def option_number(name: str, given: Any) -> float:
    """One finite number, the value of an option.

    Raises
    ------
    OptionError
        It is something else.
    """
    try:
        return number(name, given)
    except DataError as error:
        raise OptionError(f"{name}={shown(given)}: must be a finite number") from error


def probabilities(name: str, given: ArrayLike) -> Floats:
    """Probabilities of any shape as doubles in [0, 1].

    Raises
    ------
    DataError
        One is outside or NaN; the message names its place.
    """
    out = numbers(name, given)
    bad = (out < 0) | (out > 1)
    if bad.any():
        raise DataError(f"{_first_bad(name, out, bad)}: a probability must lie in [0, 1]")
    return out


def probability(name: str, given: Any) -> float:
    """One probability.

    Raises
    ------
    DataError
        It is something else.
    """
    return float(probabilities(name, number(name, given)))


def require_same_length(name: str, values: Floats, other: str, weights: Floats) -> None:
    """Raise `DataError` unless these are two lists of the same length, not empty."""
    if values.ndim != 1 or values.shape != weights.shape or not len(values):
        raise DataError(
            f"{name} {_size(values)} and {other} {_size(weights)}: must be two lists of the same "
            "length, not empty"
        )


@np.errstate(under="ignore")
def shares(
    name: str, given: Floats, reason: str = "", *, tolerance: float = _SUM_TOLERANCE
) -> Floats:
    """Probabilities divided by their sum, which must be 1 within a tolerance.

    Raises
    ------
    DataError
        One is negative, or the sum is not 1; `reason` ends that message.
    """
    bad = given < 0
    if bad.any():
        raise DataError(f"{_first_bad(name, given, bad)}: must not be negative")
    total = float(given.sum())
    if not abs(total - 1) <= tolerance:
        raise DataError(f"{name}: must add up to 1, but add up to {total:.12g}{reason}")
    return given / total


#: more than any number of queries, ranks, people or resamples
MOST = 10**12
_MOST_WORKERS = 100_000


def whole_number(name: str, given: Any, least: int | None = None, most: int | None = None) -> int:
    """A whole number, at least `least` and at most `most`.

    Raises
    ------
    OptionError
        It is something else.
    """
    is_whole = isinstance(given, (int, np.integer)) and not isinstance(given, bool)
    require(name, given, is_whole, "must be a whole number")
    value = int(given)
    require(name, value, least is None or value >= least, f"must be {least} or more")
    require(name, value, most is None or value <= most, f"must be {most or 0:,} or less")
    return value


def n_workers(n_jobs: Any) -> int:
    """A number of workers as in joblib, -1 for all cores.

    Raises
    ------
    OptionError
        It is 0, or no such number.
    """
    number_of = whole_number("n_jobs", n_jobs, -_MOST_WORKERS, _MOST_WORKERS)
    require("n_jobs", n_jobs, number_of != 0, "must be 1 or more, or -1 for all cores")
    return number_of


def between_zero_and_one(name: str, given: Any) -> float:
    """A number strictly between 0 and 1, such as a confidence level.

    Raises
    ------
    OptionError
        It is something else.
    """
    is_number = isinstance(given, (int, float, np.number)) and not isinstance(given, bool)
    require(name, given, is_number, "must be a number between 0 and 1")
    value = given.item() if isinstance(given, np.number) else given
    require(name, value, 0 < value < 1, "must lie between 0 and 1, both excluded")
    return float(value)


def ascending_pair(name: str, given: Any) -> tuple[float, float]:
    """Two finite numbers, the first less than the second.

    Raises
    ------
    OptionError
        They are something else.
    """
    pair = several(given)
    require(name, given, len(pair) == 2, "must be two numbers")
    low, high = (option_number(name, end) for end in pair)
    require(name, given, low < high, "the first must be less than the second")
    return low, high


def progress_callback(given: Any) -> None:
    """Raise unless the option `progress` is a function, or None."""
    rule = "must be a function of the finished fraction"
    require("progress", given, given is None or callable(given), rule)


def option_flag(name: str, given: Any) -> bool:
    """True or False, the value of an option.

    Raises
    ------
    OptionError
        It is something else.
    """
    require(name, given, isinstance(given, (bool, np.bool_)), "must be True or False")
    return bool(given)


def optional_text(name: str, given: Any) -> str | None:
    """A text or None; see `option_text`."""
    return None if given is None else option_text(name, given)


def option_mapping(name: str, given: Any) -> Mapping[Any, Any]:
    """A mapping, the value of an option; None is an empty one.

    Raises
    ------
    OptionError
        It is something else.
    """
    require(name, given, given is None or isinstance(given, Mapping), "must be a mapping")
    return {} if given is None else given


def option_text(name: str, given: Any) -> str:
    """A text, the value of an option.

    Raises
    ------
    OptionError
        It is something else.
    """
    if not isinstance(given, str):
        raise OptionError(f"{name}={shown(given)}: must be a text")
    return given


def _first_bad(name: str, values: Floats, bad: Bools) -> str:
    """Name, place and value of the first bad entry."""
    place = tuple(int(axis) for axis in np.argwhere(bad)[0])
    index = f"[{', '.join(map(str, place))}]" if place else ""
    return f"{name}{index} = {float(values[place]):g}"


def _size(values: Floats) -> str:
    return f"(length {len(values)})" if values.ndim == 1 else f"of shape {values.shape}"


def holds_several(given: Any) -> bool:
    """Whether something holds values; text and a single value of NumPy do not."""
    iterable = isinstance(given, Iterable) and not isinstance(given, (str, bytes))
    return iterable and getattr(given, "ndim", 1) != 0


def several(given: Any) -> list[Any]:
    """A list of what was given, one value or several."""
    return list(given) if holds_several(given) else [given]


def place_of(names: tuple[str, ...], name: str, what: str) -> int:
    """Index of a name among several.

    Raises
    ------
    OptionError
        It is not among them; the message lists the first ten.
    """
    if not is_among(name, names):
        listed = first_few(names, 10)
        near = nearest(str(name), names)
        named = f"{what}{shown(name)}" if what.endswith("=") else f"{what} {shown(name)}"
        raise OptionError(f"{named} is not among these scores{near}; they have {listed}")
    return names.index(name)


def places_of(names: tuple[str, ...], given: Any, what: str) -> list[int]:
    """Places of one name or several among `names`; of all for None.

    Raises
    ------
    OptionError
        One is not among them or comes twice, or there is none.
    """
    if given is None:
        return list(range(len(names)))
    places = [place_of(names, str(name), what) for name in several(given)]
    if not places:
        raise OptionError(f"{what}: name at least one, or none to take all")
    if len(set(places)) < len(places):
        twice = next(place for place in places if places.count(place) > 1)
        raise OptionError(f"{what}: {shown(names[twice])} comes twice; name it once")
    return places
