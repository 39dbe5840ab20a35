"""What pages of the reference have besides the docstrings, and what in these is no rST."""

from __future__ import annotations

import functools
import inspect
import re
from collections import defaultdict
from types import ModuleType
from typing import Any

import fuzzytruth
from sphinx.application import Sphinx

# Docstrings are written for readers of the code: a magnitude, |t|, is no substitution.
_MAGNITUDE = re.compile(r"(?<![\w`|])\|(\w+)\|")


def setup(app: Sphinx) -> dict[str, Any]:
    """Change docstrings after numpydoc has read the sections."""
    app.connect("autodoc-process-docstring", _escape, priority=900)
    app.connect("autodoc-process-docstring", _name_makers, priority=901)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _escape(
    _app: Any,
    _what: Any,
    _name: Any,
    _object: Any,
    _options: Any,
    lines: list[str],
) -> None:
    lines[:] = [_MAGNITUDE.sub(r"\\|\1\\|", line) for line in lines]


def _name_makers(
    _app: Any,
    what: str,
    name: str,
    _object: Any,
    _options: Any,
    lines: list[str],
) -> None:
    """Add to a result what returns it, whose page has an example."""
    made_by = (
        makers().get(name.rpartition(".")[2], ()) if what == "class" else ()
    )
    if made_by:
        links = ", ".join(
            f":py:obj:`{short} <fuzzytruth.{short}>`" for short in made_by
        )
        lines += ["", f"Returned by: {links}.", ""]


@functools.cache
def makers() -> dict[str, tuple[str, ...]]:
    """Public functions, and methods of public classes, by the name of the class they return."""
    out: defaultdict[str, list[str]] = defaultdict(list)
    namespaces = (
        fuzzytruth.classification,
        fuzzytruth.lists,
        fuzzytruth.results,
        fuzzytruth.tests,
    )
    for public, value in sorted(_members(fuzzytruth, *namespaces).items()):
        if inspect.isfunction(value):
            for one in _returned(value).split(" | "):
                out[one].append(public)
        elif inspect.isclass(value):
            for name, method in inspect.getmembers(value, inspect.isfunction):
                if not name.startswith("_") and _returned(method) not in (
                    value.__name__,
                    "Self",
                ):
                    out[_returned(method)].append(f"{public}.{name}")
    return {name: tuple(of) for name, of in out.items()}


def _members(*modules: ModuleType) -> dict[str, Any]:
    """Public names with their values: `evaluate`, `tests.wilcoxon`."""
    return {
        f"{module.__name__}.{name}".removeprefix("fuzzytruth."): getattr(
            module, name
        )
        for module in modules
        for name in module.__all__
    }


def _returned(function: Any) -> str:
    return str(inspect.get_annotations(function).get("return", ""))
