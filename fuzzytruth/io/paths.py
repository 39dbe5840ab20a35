"""Paths as users give them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from errno import ENAMETOOLONG
from glob import has_magic
from os import PathLike, fsencode, lstat
from pathlib import Path
from typing import Any

from fuzzytruth.errors import DataError, FuzzytruthError, counted, plural, require


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


# What is left out of a file, in words.


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


# Errors about nested records whose parts have other types than their format says.


@contextmanager
def refuse_malformed(where: str, what: str) -> Iterator[None]:
    """Turn what Python raises about a missing key or a wrong type into a `DataError`.

    Examples
    --------
    >>> with refuse_malformed("a.json, record 2", "record of Argilla"):
    ...     {"responses": None}["responses"]["q"]
    Traceback (most recent call last):
    ...
    fuzzytruth.errors.DataError: a.json, record 2: malformed record of Argilla...
    """
    try:
        yield
    except FuzzytruthError:
        raise
    except (TypeError, LookupError, AttributeError, ValueError, OverflowError) as error:
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise DataError(
            f"{where}: malformed {what} ({reason}); give the file as it was written"
        ) from None
