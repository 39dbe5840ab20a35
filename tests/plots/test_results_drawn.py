"""Results whose figures are those of others: means of systems, strips of subjects."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.drawn import labels_of, title_of
from support.results import MAKE

import fuzzytruth as ft
from fuzzytruth.errors import DataError, OptionError


def drawn(ax: Any) -> pd.DataFrame:
    """Middle and ends of the interval of each row, by its label."""
    middle, _, (bars,) = ax.containers[0].lines
    ends = np.array([bar[:, 0] for bar in bars.get_segments()])
    columns = {"middle": middle.get_xdata(), "lower": ends[:, 0], "upper": ends[:, 1]}
    return pd.DataFrame(columns, index=labels_of(ax))


def assert_draws(ax: Any, table: pd.DataFrame, name: str, middle: str) -> None:
    """The rows of a table, the largest on top."""
    rows = table.sort_values(middle, ascending=False, kind="stable")
    assert labels_of(ax) == [str(label) for label in rows[name]]
    np.testing.assert_allclose(drawn(ax), rows[[middle, "lower", "upper"]])


def test_strengths_of_a_query(plt: Any) -> None:
    columns = [[*"pppqqq"], [*"xyz"] * 2, [*"yzx"] * 2, [*"aabbaa"]]
    names = ["query", "item_a", "item_b", "preferred"]
    votes = pd.DataFrame(dict(zip(names, columns, strict=True)))
    fit = ft.bradley_terry(votes, prior=1, order_effect=False)
    ax = fit.plot(query="q")
    assert_draws(ax, fit.to_frame().query("query == 'q'"), "item", "strength")
    assert "3 items of query q from 3 comparisons Bars: 95 % intervals" in title_of(ax)
    with pytest.raises(OptionError, match="query"):
        fit.plot()


@pytest.mark.parametrize("kind", ["forest", "tiers", None])
def test_an_analysis_draws_its_comparison(kind: Any, plt: Any) -> None:
    found = MAKE["Analysis"]()
    one, two = (result.plot(kind=kind) for result in (found, found.comparison))
    assert title_of(one) == title_of(two)
    lines = [[line.get_xydata().tolist() for line in ax.lines] for ax in (one, two)]
    assert lines[0] == lines[1]
    with pytest.raises(DataError, match="one system"):
        ft.analyse(found.scores.select(systems="x")).plot()
