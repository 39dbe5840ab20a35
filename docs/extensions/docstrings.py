"""Docstrings are written for readers of the code: a magnitude, |t|, is no substitution of rST."""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

_MAGNITUDE = re.compile(r"(?<![\w`|])\|(\w+)\|")


def setup(app: Sphinx) -> dict[str, Any]:
    """Escape magnitudes after numpydoc has read the sections."""
    app.connect("autodoc-process-docstring", _escape, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def _escape(
    _app: Any, _what: Any, _name: Any, _object: Any, _options: Any, lines: list[str]
) -> None:
    lines[:] = [_MAGNITUDE.sub(r"\\|\1\\|", line) for line in lines]
