"""Paths as users give them."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import Any

from fuzzytruth.errors import require


def as_path(name: str, given: Any) -> Path:
    """A path that may name a file.

    Raises
    ------
    OptionError
        It is not a path, is empty, or is "-", which stands for standard input or output elsewhere.
    """
    require(name, given, isinstance(given, (str, PathLike)), "must be the path of a file")
    text = str(given)
    require(name, text, text != "", "must be the path of a file, and not empty")
    require(name, text, text != "-", "names no file here; write /dev/stdin or /dev/stdout")
    return Path(given)
