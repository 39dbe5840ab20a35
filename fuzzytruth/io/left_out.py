"""What is left out of a file, in words."""

from __future__ import annotations

import re
from collections.abc import Mapping

from fuzzytruth.errors import counted, plural


def counted_reasons(left_out: Mapping[str, int]) -> list[str]:
    """Each reason, a noun in the singular and what follows it, with how often it occurs.

    Examples
    --------
    >>> counted_reasons({"draft": 1, "region of a task": 2, "golden task": 0})
    ['1 draft', '2 regions of a task']
    """
    return [counted(n, reason, _plural(reason)) for reason, n in left_out.items() if n > 0]


def _plural(reason: str) -> str:
    """The reason with its noun in the plural."""
    noun, *rest = re.split(r"(?= without | of )", reason, maxsplit=1)
    return f"{plural(noun)}{''.join(rest)}"
