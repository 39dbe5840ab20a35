"""Text for Markdown."""

from __future__ import annotations

import re

from fuzzytruth.errors import printable

_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_SPECIAL = re.compile(r"([\\`*_|\[\]~$])|([&<>])")


def escape(text: str) -> str:
    r"""Text as Markdown prints it, within a cell of a table too; control characters as in errors.

    Examples
    --------
    >>> print(escape("run_1 | <b>"))
    run\_1 \| &lt;b&gt;
    """
    return _SPECIAL.sub(
        lambda found: "\\" + found[1] if found[1] else _ENTITIES[found[2]], printable(text)
    )
