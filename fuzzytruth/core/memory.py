"""Arrays that cannot fit into memory, refused before they are allocated."""

from __future__ import annotations

import math
import os
from pathlib import Path

from fuzzytruth.errors import OptionError

_UNITS = ("bytes", "kB", "MB", "GB", "TB", "PB")
_GROUPS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def check_fits(n_bytes: int, what: str, remedy: str) -> None:
    """Raise if as many bytes are more than this process can ever have.

    Parameters
    ----------
    n_bytes : int
    what : str
        What would be that large.
    remedy : str
        What to do instead.

    Raises
    ------
    OptionError
        They do not fit.
    """
    limit = most_bytes()
    if limit is not None and n_bytes > limit:
        raise OptionError(
            f"{what} would take {size_text(n_bytes)} ({n_bytes:,} bytes), and there are "
            f"{size_text(limit)} of memory; {remedy}"
        )


def most_bytes() -> int | None:
    """The memory of the machine, or of this process where it is limited; None: not known."""
    known = [*_of_machine(), *_of_groups(), *_of_process()]
    return min(known, default=None)


def size_text(n_bytes: int) -> str:
    """A number of bytes in words.

    Examples
    --------
    >>> size_text(999), size_text(32_000_000_000), size_text(1_500)
    ('999 bytes', '32 GB', '1.5 kB')
    """
    power = min(int(math.log10(max(n_bytes, 1)) // 3), len(_UNITS) - 1)
    return f"{n_bytes / 1000**power:.3g} {_UNITS[power]}"


def _of_machine() -> list[int]:
    try:
        return [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    except (AttributeError, OSError, ValueError):  # as on Windows
        return []


def _of_groups() -> list[int]:
    """Limits of a container."""
    texts = [Path(name).read_text() for name in _GROUPS if Path(name).is_file()]
    return [int(text) for text in texts if text.strip().isdigit()]


def _of_process() -> list[int]:
    """The limit of the address space, as `ulimit -v` sets it."""
    try:
        import resource
    except ImportError:
        return []
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return [] if limit == resource.RLIM_INFINITY else [limit]
