"""Results whose figures are those of others: means of systems, strips of subjects."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.drawn import labels_of, title_of
from support.results import MAKE

import fuzzytruth as ft
from fuzzytruth.errors import DataError


def drawn(ax: Any) -> pd.DataFrame:
    """Middle and ends of the interval of each row, by its label."""
    middle, _, (bars,) = ax.containers[0].lines
    ends = np.array([bar[:, 0] for bar in bars.get_segments()])
    columns = {"middle": middle.get_xdata(), "lower": ends[:, 0], "upper": ends[:, 1]}
    return pd.DataFrame(columns, index=labels_of(ax))


@pytest.mark.parametrize("kind", ["forest", "tiers", None])
def test_an_analysis_draws_its_comparison(kind: Any, plt: Any) -> None:
    found = MAKE["Analysis"]()
    one, two = (result.plot(kind=kind) for result in (found, found.comparison))
    assert title_of(one) == title_of(two)
    lines = [[line.get_xydata().tolist() for line in ax.lines] for ax in (one, two)]
    assert lines[0] == lines[1]
    with pytest.raises(DataError, match="one system"):
        ft.analyse(found.scores.select(systems="x")).plot()
