"""Shares of variance components, as drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.drawn import labels_of, lines_of
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth import plots
from fuzzytruth.errors import DataError, OptionError


def widths(ax: Any) -> list[float]:
    return [patch.get_width() for patch in ax.patches]


def test_shares_in_per_cent_negative_ones_left_of_zero(plt: Any) -> None:
    frame = pd.DataFrame(
        {
            "component": ["query", "subject", "residual"],
            "of": "a single score",
            "share": [0.75, -0.125, 0.25],
            "lower": [0.5, 0.0, np.nan],
            "upper": [1.0, 0.0625, np.nan],
        }
    )
    ax = plots.variance_components(frame)
    assert labels_of(ax) == ["query", "subject", "residual"]
    assert widths(ax) == [75, -12.5, 25]
    assert lines_of(ax) == [(50, 100, 0), (0, 6.25, 1)]
    assert [text.get_text() for text in ax.texts] == ["75 %", "−12 %", "25 %"]
    ax.figure.canvas.draw()
    assert all(text.get_window_extent().x1 <= ax.bbox.x1 for text in ax.texts)
    assert len({round(text.get_window_extent().x1) for text in ax.texts}) == 1  # a column
    low, high = ax.get_xlim()
    assert low < -12.5
    assert high > 100
    assert ax.yaxis_inverted()


def test_a_result_draws_both_kinds_of_shares(plt: Any) -> None:
    values = np.random.default_rng(2).normal(0.5, 0.1, (4, 3, 8)) + np.arange(4)[:, None, None]
    found = ft.variance_components(scores_of(values))
    ax = found.plot(measure="m")
    shares = found.shares()
    names = labels_of(ax)
    for kind, container in zip(shares["of"].unique(), ax.containers, strict=True):
        rows = shares[shares["of"] == kind]
        place = [names.index(name) for name in rows["component"]]
        drawn = [container.patches[at].get_width() for at in place]
        np.testing.assert_allclose(drawn, 100 * rows["share"])
    ends = sorted((low, high) for low, high, _ in lines_of(ax))
    np.testing.assert_allclose(ends, sorted((100 * shares[["lower", "upper"]]).values.tolist()))
    assert ax.get_title(loc="left").startswith(
        "m: shares of the variance (4 systems, 8 queries, 3 subjects)\nLines: 95 % intervals"
    )


def test_errors(plt: Any) -> None:
    frame = pd.DataFrame(
        {"component": ["q"], "of": ["x"], "share": [np.nan], "lower": [0], "upper": [1]}
    )
    with pytest.raises(DataError, match="share is NaN in every row"):
        plots.variance_components(frame)
    with pytest.raises(OptionError, match="measure"):
        ft.variance_components(scores_of(np.random.default_rng(0).random((2, 5)))).plot(measure="z")
    with pytest.raises(DataError, match="no column 'of'"):
        plots.variance_components(frame.drop(columns="of"))
    assert plt.get_fignums() == []
