"""A gate that is asked more than once: its level at each attempt, or at each look."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any, Self

import numpy as np

from fuzzytruth._lazy import special
from fuzzytruth.core.validation import MOST, several, whole_number
from fuzzytruth.errors import LevelWarning, OptionError, first_few, shown, warn
from fuzzytruth.show.number_text import level_text
from fuzzytruth.stats.settings import Over, in_words

#: attempts on the same queries beyond which these should be renewed
MANY_ATTEMPTS = 20
_MOST_LOOKS, _CLOSEST = 100, 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeats:
    """How often a gate is asked; by default once.

    Parameters
    ----------
    attempts : int or None
        Planned number of candidates on the same queries.
    attempt : int or None
        Which candidate this is, their number not being planned.
    looks : tuple of int
        Numbers of queries, or clusters, at which one looks; the last is the plan.
    n : int
        The number of queries, or clusters, at this look.
    """

    attempts: int | None = None
    attempt: int | None = None
    looks: tuple[int, ...] = ()
    n: int = 0

    @classmethod
    def of(cls, attempts: Any, attempt: Any, looks: Any) -> Self:
        """From the options of a gate.

        Raises
        ------
        OptionError
            More than one is given, or one has a value that it does not take.

        Warns
        -----
        LevelWarning
            There are many attempts.
        """
        options = {"attempts": attempts, "attempt": attempt, "looks": looks}
        given = {name: value for name, value in options.items() if value is not None}
        if len(given) > 1:
            raise OptionError(
                f"{', '.join(given)}: give one of these; attempts are of several systems on the "
                "same queries, looks at one system while queries arrive"
            )
        if looks is not None:
            return cls(looks=_checked(looks))
        for name, value in given.items():
            if whole_number(name, value, 1, MOST) > MANY_ATTEMPTS:
                warn(
                    f"{name}={value}: after {MANY_ATTEMPTS} attempts on the same queries, levels "
                    "are too strict to rely on Student's t, and systems are tuned to them; renew "
                    "the queries",
                    LevelWarning,
                )
        return cls(attempts=attempts, attempt=attempt)

    def refuse_subjects(self, over: Over) -> None:
        """Raise if there are looks, and more than queries is random.

        Raises
        ------
        OptionError
            So it is.
        """
        if self.looks and over != ("query",):
            raise OptionError(
                f"looks={list(self.looks)}: queries arrive from look to look, and other samples do "
                f"not, but here {in_words(over)} are random; use over='query', or attempts="
            )

    def at(self, n: int, unit: str) -> Self:
        """The look at so many queries or clusters.

        Raises
        ------
        OptionError
            No look is planned there, or another measure is at another look.
        """
        if not self.looks:
            return self
        if self.n not in (0, n):
            raise OptionError(
                f"looks: measures have values of {self.n:,} and of {n:,} {unit}; look at one "
                "number of them, or at one measure"
            )
        if n in self.looks:
            return replace(self, n=n)
        later = [look for look in self.looks if look > n]
        plan = first_few(self.looks, 10)
        if not later:
            raise OptionError(
                f"looks={plan}: there are {n:,} {unit}, more than the plan of {self.looks[-1]:,}; "
                "take the first ones in the order in which they came"
            )
        raise OptionError(
            f"looks={plan}: there are {n:,} {unit}, which is no look; the next one is at "
            f"{later[0]:,}, or name all numbers at which you looked or will look"
        )

    def level(self, level: float) -> float:
        """That of the test, if `level` is that of all attempts or looks."""
        if self.attempts is not None:
            return 1 - (1 - level) / self.attempts
        if self.attempt is not None:
            return 1 - (1 - level) / (self.attempt * (self.attempt + 1))
        if not self.n:
            return level
        shares = tuple(look / self.looks[-1] for look in self.looks)
        return 1 - largest_p(shares, 1 - level)[self.looks.index(self.n)]

    def level_text(self, level: float) -> str:
        """The level of the test in per cent, its error with two digits."""
        used = self.level(level)
        if used == level:
            return level_text(level)
        return level_text(round(used, 1 - math.floor(math.log10(1 - used))))

    @property
    def next_look(self) -> int | None:
        """The next number of queries; None at the last one, and without looks."""
        return next((look for look in self.looks if look > self.n), None)

    def said(self, verdict: str, level: float, unit: str) -> str:
        """A verdict with the attempt or look that it is of."""
        if self.looks:
            at = f"{self.n:,} of {self.looks[-1]:,} {unit}"
            if verdict.endswith("yet"):
                return f"{verdict}, {at}; look again at {self.next_look:,}"
            return f"{verdict} at {at}"
        if self.attempt is self.attempts is None:
            return verdict
        of_test, whole = self.level_text(level), level_text(level)
        if self.attempts is not None:
            return f"{verdict}, one of {self.attempts} attempts (level {of_test}, {whole} over all)"
        return (
            f"{verdict} at attempt {self.attempt} (level {of_test} of a budget of {whole} over all "
            "attempts)"
        )


def _checked(looks: Any) -> tuple[int, ...]:
    """Numbers of queries at which one looks.

    Raises
    ------
    OptionError
        They do not ascend, are too close or too many, or one is no number of queries.
    """
    numbers = tuple(whole_number("looks", each, 2, MOST) for each in several(looks))
    ascend = all(a < b for a, b in pairwise(numbers))
    if not numbers or not ascend or len(numbers) > _MOST_LOOKS:
        raise OptionError(
            f"looks={shown(looks)}: must be ascending numbers of queries, at most {_MOST_LOOKS}, "
            "the last of them the plan, such as 40, 80, 120, 200"
        )
    if any((b - a) * _CLOSEST < numbers[-1] for a, b in pairwise(numbers)):
        raise OptionError(
            f"looks={shown(looks)}: two are less than a thousandth of the plan apart; leave one out"
        )
    return numbers


# How small p has to be at each look at data that grow, for one error over all looks.

#: standard deviations below which nothing is integrated
_REACH = 8.0
#: Gauss–Legendre quadrature of panels as wide as so many of the smaller neighbouring step
_NODE, _WEIGHT = np.polynomial.legendre.leggauss(16)
_PANEL = 3.0
#: what a look spends at least, for the boundary to be finite
_LEAST = 1e-15


@lru_cache(maxsize=256)
def largest_p(shares: tuple[float, ...], alpha: float) -> tuple[float, ...]:
    """The largest one-sided p that is significant at each look.

    Parameters
    ----------
    shares : tuple of float
        Ascending, of the data that are planned; the last look is at 1, or before it.
    alpha : float
        One-sided error over all looks up to share 1, below ½.

    Returns
    -------
    tuple of float

    Notes
    -----
    The sum of the data is taken for a Brownian motion. `node` and `mass` carry its distribution
    where no boundary was crossed yet, from one look to the next, by Gauss–Legendre quadrature.

    Examples
    --------
    >>> [round(p, 5) for p in largest_p((0.2, 0.4, 0.6, 0.8, 1.0), 0.025)]
    [0.0, 0.00039, 0.00368, 0.01102, 0.02113]
    """
    from scipy.optimize import brentq

    z = special.ndtri(1 - alpha / 2)
    node, mass = np.zeros(1), np.ones(1)
    before, spent, out = 0.0, 0.0, []
    for share, gap in zip(shares, np.diff([*shares, 2.0]), strict=True):
        step, spread = np.sqrt(share - before), np.sqrt(share)
        spent_now, end = 2 * special.ndtr(-z / spread), _REACH * spread
        more = max(spent_now - spent, _LEAST)

        def crossed_beyond(bound: float, of: tuple[Any, ...] = (node, mass, step, more)) -> float:
            return float(of[1] @ special.ndtr((of[0] - bound) / of[2]) - of[3])

        bound = float(brentq(crossed_beyond, -end, end))
        width = bound + end
        panels = int(np.ceil(width / (_PANEL * min(step, np.sqrt(gap)))))
        half = width / panels / 2
        now = (half * (2 * np.arange(panels)[:, None] + 1 + _NODE) - end).ravel()
        from_each = np.exp(-(((now[:, None] - node) / step) ** 2) / 2)
        mass = from_each @ mass * np.tile(_WEIGHT, panels) * (half / (step * np.sqrt(2 * np.pi)))
        node, before, spent = now, share, spent_now
        out.append(float(special.ndtr(-bound / spread)))
    return tuple(out)
