"""Versions of Python, the package and its dependencies, for bug reports."""

from __future__ import annotations

import platform
import re
from contextlib import suppress

_NOT_INSTALLED = "not installed"
_UNKNOWN = "0+unknown"


def show_versions() -> None:
    """Print the versions of Python, the platform, fuzzytruth and its dependencies.

    Dependencies of extras are marked with the names of the extras. No paths are printed.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> ft.show_versions()
    Python      3...
    platform    ...
    fuzzytruth  ...
    numpy       2...
    """
    rows = [
        ("Python", platform.python_version(), ()),
        ("platform", platform.platform(), ()),
        ("fuzzytruth", installed_version("fuzzytruth"), ()),
        *((name, installed_version(name), extras) for name, extras in dependencies().items()),
    ]
    width = max(len(name) for name, _, _ in rows)
    for name, installed, extras in rows:
        note = f" ({', '.join(extras)})" if extras else ""
        print(f"{name:<{width}}  {installed}{note}")


def dependencies() -> dict[str, tuple[str, ...]]:
    """Each dependency of the package, and the extras it belongs to (none: always required).

    Empty if the package is imported without being installed.
    """
    from importlib.metadata import PackageNotFoundError, requires

    requirements: list[str] = []
    with suppress(PackageNotFoundError):
        requirements = requires("fuzzytruth") or []
    required: dict[str, tuple[str, ...]] = {}
    optional: dict[str, tuple[str, ...]] = {}
    for requirement in requirements:
        name = re.split(r"[^\w.-]", requirement, maxsplit=1)[0].lower()
        extra = re.search(r"extra == ['\"]([\w.-]+)['\"]", requirement)
        if extra is None:
            required[name] = ()
        else:
            optional[name] = (*optional.get(name, ()), extra.group(1))
    return required | {name: of for name, of in optional.items() if name not in required}


def own_version() -> str:
    """Version of this package, as written when it was built or installed; else "0+unknown"."""
    try:
        from fuzzytruth.core._version import version  # importlib.metadata takes ten times as long
    except ImportError:
        found = _of_distribution("fuzzytruth")
        return _UNKNOWN if found == _NOT_INSTALLED else found
    return str(version)


def installed_version(name: str) -> str:
    """Version of this package or of an installed distribution, or "not installed"."""
    return own_version() if name == "fuzzytruth" else _of_distribution(name)


def _of_distribution(name: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(name)
    except PackageNotFoundError:
        return _NOT_INSTALLED
