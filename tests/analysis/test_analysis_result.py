"""The result of an analysis."""

from __future__ import annotations

import pickle

import pandas as pd
from support.analysed import analysis


def test_repr_is_a_line() -> None:
    assert repr(analysis("AP")) == "Analysis(3 systems, 12 queries, 1 measure, 0 notes on the data)"


def test_two_widths() -> None:
    result = analysis("AP")
    short = ["measure", "system", "mean", "lower", "upper", "beats", "beats_both"]
    assert result.to_frame().columns.tolist() == short
    full = result.to_frame(full=True)
    assert full.columns.tolist()[: len(short)] == short
    pd.testing.assert_frame_equal(full[short], result.to_frame())


def test_it_can_be_pickled() -> None:
    result = analysis("AP")
    back = pickle.loads(pickle.dumps(result))
    pd.testing.assert_frame_equal(back.to_frame(full=True), result.to_frame(full=True))
    assert str(back) == str(result)
