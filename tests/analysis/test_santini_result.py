"""The result itself: its text and its picture."""

from __future__ import annotations

import pickle

import pandas as pd
import pytest

import fuzzytruth as ft


def test_repr_and_pickle(report) -> None:
    assert repr(report) == "SantiniReport(2 systems, 8 queries, 4 subjects, P@3 and R@3)"
    again = pickle.loads(pickle.dumps(report))
    pd.testing.assert_frame_equal(again.to_frame(), report.to_frame())
    pd.testing.assert_frame_equal(again.pairs(), report.pairs())


def test_the_picture_shows_one_system_by_one_measure(report) -> None:
    import matplotlib.pyplot as plt

    ax = report.plot(system="y", measure="R")
    frame = report.distributions().query("system == 'y' and measure == 'R@3' and category == ''")
    mean, strong = ax.lines
    assert mean.get_xdata().tolist() == frame["mean"].tolist()
    assert strong.get_xdata().tolist() == frame["strong"].tolist()
    assert ax.get_title(loc="left") == "R@3 of y, 8 queries, over independent worlds"
    assert ax.get_xlabel() == "R@3"
    assert [tick.get_text() for tick in ax.get_yticklabels()] == frame["query"].tolist()
    own = plt.subplots()[1]
    assert report.plot(own, queries=["i2"]) is own
    plt.close("all")
    with pytest.raises(ft.OptionError, match="system 'z'"):
        report.plot(system="z")
    with pytest.raises(ft.OptionError, match="measure='AP'"):
        report.plot(measure="AP")
