"""Printed texts beside what they must say."""

from __future__ import annotations

import doctest
from typing import Any

_CHECKER = doctest.OutputChecker()


def flat(text: Any) -> str:
    """What is printed, on one line."""
    return " ".join(str(text).split())


def says(text: str, expected: str) -> bool:
    """Whether a text is the expected one, in which "..." stands for any words."""
    return _CHECKER.check_output(f"{expected}\n", f"{text}\n", doctest.ELLIPSIS)
