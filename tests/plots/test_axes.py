from __future__ import annotations

from typing import Any

import pytest

from fuzzytruth.errors import OptionError
from fuzzytruth.plots.drawing import axes_or_new


def test_given_axes_are_used_and_otherwise_new_ones(plt: Any) -> None:
    _, given = plt.subplots()
    assert axes_or_new(given) is given
    assert plt.get_fignums() == [1]
    new = axes_or_new(None, width=3, height=2)
    assert new is not given
    assert plt.get_fignums() == [1, 2]
    assert new.figure.get_size_inches().tolist() == [3, 2]


def test_other_things_are_no_axes(plt: Any) -> None:
    figure, several = plt.subplots(2)
    for wrong in ("AP", figure, several):
        with pytest.raises(OptionError, match="give one Axes of Matplotlib; options go by name"):
            axes_or_new(wrong)
