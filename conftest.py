"""For all tests, the examples in docstrings among them."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import matplotlib
import pytest

matplotlib.use("Agg")  # no windows

collect_ignore_glob = ["tests/first_tasks/*"]  # what a newcomer types; tests/test_first_tasks.py


@pytest.fixture(autouse=True)
def _closed_figures() -> Iterator[None]:
    """Close what was drawn: Matplotlib warns when more than twenty figures are open."""
    yield
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        pyplot.close("all")
