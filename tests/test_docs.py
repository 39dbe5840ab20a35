"""The examples in docs/ must run."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent / "docs"


@pytest.mark.parametrize("name", ["taxonomies.md"])
def test_examples_run(name: str) -> None:
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    results = doctest.testfile(str(DOCS / name), module_relative=False, optionflags=flags)
    assert results.attempted > 5
    assert results.failed == 0


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.MissingCellWarning")
@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.UndefinedMeasureWarning")
@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.MissingQueryWarning")
@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.DegenerateWarning")
@pytest.mark.parametrize("name", ["categories.md", "comparing.md"])
def test_blocks_run(name: str) -> None:
    text = (DOCS / name).read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert len(blocks) > 3
    exec(compile("\n".join(blocks), name, "exec"), {})
