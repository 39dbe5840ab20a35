"""Fixtures for tests of figures."""

from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture
def plt() -> Iterator[Any]:
    """Matplotlib's pyplot without figures."""
    import matplotlib.pyplot as plt

    plt.close("all")  # left open by other tests
    style = dict(plt.rcParams)
    yield plt
    assert dict(plt.rcParams) == style, "a figure changed Matplotlib's global style"
    plt.close("all")
