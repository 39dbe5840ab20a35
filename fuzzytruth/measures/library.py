"""Where the library's measures are defined; a module is imported when one of its is asked for.

Names and other spellings are read from the heads of the classes, so that a measure is named there
alone.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from pathlib import Path

_HERE = Path(__file__).parent
_HEAD = re.compile(r"^@define\((.*?)^class (\w+)", re.DOTALL | re.MULTILINE)
_HEADS = [
    (f"{__package__}.{path.stem}", head[1], head[2])
    for path in sorted(_HERE.glob("*.py"))
    for head in _HEAD.finditer(path.read_text(encoding="utf-8"))
]
#: module of each measure of the library, by name
MODULE_OF = {name: module for module, _, name in _HEADS}


def define_measure(spelling: str) -> None:
    """Import the measures with this word, in lower case, in their heads."""
    if not MODULE_OF:  # installed without sources
        define_all()
    for module, aliases, name in _HEADS:
        if spelling in re.findall(r"\w+", f"{aliases} {name}".lower()):
            importlib.import_module(module)


def define_all() -> None:
    """Import all measures."""
    modules = (f"{__package__}.{each.name}" for each in pkgutil.iter_modules([str(_HERE)]))
    for module in dict.fromkeys(MODULE_OF.values()) or modules:
        importlib.import_module(module)
