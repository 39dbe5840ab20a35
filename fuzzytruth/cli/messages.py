"""Errors and warnings as one line each, on stderr."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fuzzytruth.errors import FuzzytruthWarning


def error_line(error: Exception) -> str:
    """What to say of an error before stopping."""
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename else ""
        return _line("error", where + error.strerror)
    return _line("error", error)


@contextmanager
def one_line_warnings() -> Iterator[None]:
    """Print warnings as they come, each once, without file and line of the code."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", FuzzytruthWarning)
        warnings.showwarning = _show
        yield


def _show(message: Warning | str, *_: Any, **__: Any) -> None:
    print(_line("warning", message), file=sys.stderr)


def _line(kind: str, message: object) -> str:
    return f"{kind}: " + " ".join(str(message).split())
