from __future__ import annotations

import sys
from typing import Any

import pytest

from fuzzytruth.errors import MissingPackageError
from fuzzytruth.plots.axes import axes_or_new, pyplot


def test_given_axes_are_used_and_otherwise_new_ones(plt: Any) -> None:
    _, given = plt.subplots()
    assert axes_or_new(given) is given
    assert plt.get_fignums() == [1]
    assert axes_or_new(None) is not given
    assert plt.get_fignums() == [1, 2]


def test_without_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    for function in (pyplot, lambda: axes_or_new(None)):
        with pytest.raises(MissingPackageError, match=r"pip install 'fuzzytruth\[plots\]'"):
            function()
