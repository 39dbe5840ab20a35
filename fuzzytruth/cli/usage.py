"""What is wrong with a command, in Typer's words where they are plain."""

from __future__ import annotations

import re
from io import StringIO
from typing import Any

import typer

from fuzzytruth.errors import nearest, shown

#: an unknown option, a missing argument; Typer exports one of its subclasses only
UsageError: type[Exception] = typer.BadParameter.__mro__[1]

#: words of the library that checks values for Typer -> what is wrong
_RULES = {
    re.compile(r"Input should be a valid integer.*"): "must be a whole number",
    re.compile(r"Input should be a valid number.*"): "must be a number",
}
_CHOICE = re.compile(r"'([^']*)' is not one of (.*)\.")


def usage_text(error: Any) -> str:
    """The lines that report a `UsageError`."""
    lines = StringIO()
    error.show(lines)
    text = lines.getvalue().rstrip("\n").replace("Value error, ", "")
    for wrong, rule in _RULES.items():
        text = wrong.sub((rule + _given(error)).replace("\\", r"\\"), text)
    return _CHOICE.sub(_with_nearest, text)


def _given(error: Any) -> str:
    """The value that was refused, if the cause of the error names it."""
    errors = getattr(error.__cause__, "errors", None)
    return f", not {shown(errors()[0]['input'])}" if callable(errors) else ""


def _with_nearest(choice: re.Match[str]) -> str:
    """A wrong choice with those that it may have meant."""
    return choice[0].removesuffix(".") + nearest(choice[1], re.findall(r"'([^']*)'", choice[2]))
