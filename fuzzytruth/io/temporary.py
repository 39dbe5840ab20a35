"""Temporary files and folders, removed whatever stops the process, but for a kill."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_EXISTING: set[Path] = set()


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A folder that is removed at the end with all that it holds."""
    with removed(Path(tempfile.mkdtemp(prefix="fuzzytruth-"))) as folder:
        yield folder


@contextmanager
def removed(path: Path) -> Iterator[Path]:
    """Remove a file or folder at the end, if it is still there."""
    _EXISTING.add(path)
    try:
        yield path
    finally:
        _remove(path)
        _EXISTING.discard(path)


def remove_all() -> None:
    """Remove all that exist, for a process that ends at once."""
    for path in _EXISTING.copy():
        _remove(path)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)
