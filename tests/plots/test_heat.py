"""Heat maps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.drawn import labels_of

from fuzzytruth.plots.matrix_plots import heat, heat_size, ink_on


@pytest.mark.parametrize("named", [False, True])
def test_cells_have_their_values_and_nan_none(plt: Any, named: bool) -> None:
    _, ax = plt.subplots()
    table = pd.DataFrame({"a": [0.0, 0.5], "b": [np.nan, 1.0]}, index=["x", "y"])
    heat(ax, table, cmap="Blues", limits=(0.0, 1.0), label="share", named_columns=named)
    drawn = ax.collections[0].get_array()
    assert drawn.mask.tolist() == [[False, True], [False, False]]
    assert drawn.filled(9).tolist() == [[0.0, 9.0], [0.5, 1.0]]
    assert labels_of(ax) == ["x", "y"]
    assert [t.get_text() for t in ax.get_xticklabels()] == (["a", "b"] if named else [])
    assert (ink_on(ax, 0.0), ink_on(ax, 1.0)) == ("black", "white")


def test_figures_grow_up_to_a_limit() -> None:
    assert heat_size(10, 1.0) == pytest.approx(5.2)
    assert heat_size(500, 1.0) == 9.0
