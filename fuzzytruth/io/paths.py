"""Paths as users give them."""

from __future__ import annotations

from collections.abc import Iterable
from errno import ENAMETOOLONG
from glob import has_magic
from os import PathLike, fsencode, lstat
from pathlib import Path
from typing import Any

from fuzzytruth.errors import DataError, require


def as_path(name: str, given: Any) -> Path:
    """A path that may name a file.

    Raises
    ------
    OptionError
        It is not a path, is empty, too long, holds what no name of a file can, or is "-", which
        stands for standard input or output elsewhere.
    """
    require(name, given, isinstance(given, (str, PathLike)), "must be the path of a file")
    text = str(given)
    require(name, text, text != "", "must be the path of a file, and not empty")
    require(name, text, text != "-", "names no file here; write /dev/stdin or /dev/stdout")
    require(name, text, _can_be_a_name(text), "holds characters that no name of a file can have")
    require(name, text, not _is_too_long(text), "is longer than the name of a file can be")
    return Path(given)


def matching_files(paths: str | Path | Iterable[str | Path]) -> list[Path]:
    """The files that paths and patterns stand for, the matches of a pattern sorted.

    Raises
    ------
    DataError
        No file matches a pattern, or there is a directory.
    OptionError
        Something is no path.
    """
    files: list[Path] = []
    given: Any = paths
    if isinstance(paths, str) or not isinstance(paths, Iterable):
        given = [paths]
    for each in given:
        path = as_path("path", each)
        if path.is_dir():
            raise DataError(f"{path}: is a directory; give a file, or a pattern such as {path}/*")
        if Path(path).exists() or not has_magic(str(path)):
            files.append(Path(path))
            continue
        root = Path(path).anchor
        pattern = str(path).removeprefix(root)
        matches = sorted(m for m in Path(root or ".").glob(pattern) if not m.is_dir())
        if not matches:
            raise DataError(f"{path}: no file matches this pattern")
        files += matches
    return files


def _can_be_a_name(text: str) -> bool:
    """Whether the system can be asked for a file of this name."""
    try:
        return b"\0" not in fsencode(text)
    except UnicodeEncodeError:
        return False


def _is_too_long(text: str) -> bool:
    """Whether the system refuses to look for a file of this name."""
    try:
        lstat(text)
    except OSError as error:
        return error.errno == ENAMETOOLONG
    return False
