"""The reference pages of the documentation list every public name once."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest
from test_public_names import public_names

import fuzzytruth as ft

REFERENCE = Path(__file__).parent.parent / "docs" / "reference"


def listed() -> Counter[str]:
    """Names in the tables of the reference pages, with their modules."""
    out: Counter[str] = Counter()
    for page in REFERENCE.glob("*.rst"):
        module, inside = "", False
        for line in page.read_text(encoding="utf-8").splitlines():
            if found := re.match(r"\.\. currentmodule:: (.+)", line):
                module = found[1]
            if line and not line.startswith(" "):
                inside = line.startswith(".. autosummary::")
            elif inside and (found := re.fullmatch(r"   (\w+)", line)):
                out[f"{module}.{found[1]}"] += 1
    return out


def test_every_public_name_is_listed_once() -> None:
    modules = {"datasets", "measures", "plots", "stats"}
    assert all(isinstance(getattr(ft, name), ModuleType) for name in modules)
    public = {
        f"{module}.{name}"
        for module, names in public_names().items()
        for name in names
        if not (module == "fuzzytruth" and name in modules)
    }
    names = listed()
    assert set(names) == public
    assert set(names.values()) == {1}


@pytest.mark.parametrize("page", sorted(REFERENCE.glob("*.rst")), ids=lambda path: path.name)
def test_tables_make_pages(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert text.count(".. autosummary::") == text.count(":toctree: generated")
