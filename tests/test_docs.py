"""The examples in docs/ must run."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent / "docs"


@pytest.mark.parametrize("name", ["taxonomies.md"])
def test_examples_run(name: str) -> None:
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    results = doctest.testfile(str(DOCS / name), module_relative=False, optionflags=flags)
    assert results.attempted > 5
    assert results.failed == 0
