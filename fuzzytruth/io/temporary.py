"""Temporary files and folders, removed whatever stops the process, but for a kill.

What a process left that was killed, or ended by SIGTERM, is removed later by another of this host.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_EXISTING: set[Path] = set()
_SPACE_OF_IDS = Path("/proc/self/ns/pid")  # containers of one host may number their processes alike


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """A folder that is removed at the end with all that it holds."""
    prefix = own_prefix(Path(tempfile.gettempdir()), "fuzzytruth-")
    with removed(Path(tempfile.mkdtemp(prefix=prefix))) as folder:
        yield folder


def own_prefix(folder: Path, start: str) -> str:
    """How temporary names of this process start in a folder, where those of ended ones are removed.

    These are names with the same start and host, and the id of a process that no longer runs.
    """
    host = f"{start}{_host()}."
    left = re.compile(rf"{re.escape(host)}(\d+)\.\w+", re.ASCII)
    with suppress(OSError):  # one may write to a folder that one may not list
        for path in folder.glob(f"{host}*"):
            match = left.fullmatch(path.name)
            if match is not None and _has_ended(int(match[1])):
                with suppress(OSError):
                    _remove(path)
    return f"{host}{os.getpid()}."


def _host() -> str:
    """The host, or the container, as part of a name."""
    try:
        space = str(_SPACE_OF_IDS.readlink())
    except OSError:
        space = ""
    return re.sub(r"[^\w-]+", "-", f"{platform.node()}-{space}", flags=re.ASCII).strip("-")


def _has_ended(process: int) -> bool:
    """Whether no process has this id; False if that cannot be told."""
    if os.name != "posix":  # there, `os.kill` would end it
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        pass
    return False


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
