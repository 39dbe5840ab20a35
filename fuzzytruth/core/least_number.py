"""The least of many ordered numbers that is enough."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf, isfinite, log


def least_enough(numbers: Sequence[int], excess: Callable[[int], float]) -> int | None:
    """The first of ascending positive numbers at which `excess` is 0 or less; None if none is.

    `excess` falls from each number to the next. It is interpolated over the logarithm of the
    numbers, every other step halves their logarithms instead, and the answer is exact: its excess
    is 0 or less, and that of the number before is not.

    Examples
    --------
    >>> least_enough(range(1, 1000), lambda n: 100 - n * n), least_enough([1, 2], lambda n: 1)
    (10, None)
    """
    low, high = -1, len(numbers) - 1  # what is before the first is not enough
    if high < 0:
        return None
    at_high = excess(numbers[high])
    if not at_high <= 0:
        return None
    at_low, halve = inf, False
    while high - low > 1:
        share = 0.5
        if not halve and isfinite(at_low) and isfinite(at_high):
            share = at_low / (at_low - at_high)
        middle = _between(numbers, low, high, share)
        value = excess(numbers[middle])
        if value <= 0:
            high, at_high = middle, value
        else:
            low, at_low = middle, value
        halve = not halve
    return numbers[high]


def _between(numbers: Sequence[int], low: int, high: int, share: float) -> int:
    """Index about so far between two others, by the logarithm of the numbers."""
    first, last = log(numbers[max(low, 0)]), log(numbers[high])
    wanted = first + share * (last - first)
    left, right = low + 1, high - 1
    while left < right:
        middle = (left + right) // 2
        if log(numbers[middle]) < wanted:
            left = middle + 1
        else:
            right = middle
    return left
