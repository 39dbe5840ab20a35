"""Preferences without finite strengths are refused, and the message says which items are why."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft

WON = "won every comparison with the other items"
LOST = "lost every comparison with the other items"


@pytest.mark.parametrize(
    ("winner", "loser", "message"),
    [
        ("a", "b", f"'a' {WON}, so that there are no finite strengths; give prior=1"),
        ("aab", "bcc", f"'a' {WON} and 'c' {LOST}, so"),
        ("abca", "bcad", f"'d' {LOST}, so"),
        ("abab", "bacc", f"'c' {LOST}, so"),
        ("abcda", "badcc", f"'a', 'b' {WON}, so"),
        ("abcd", "badc", "no comparisons connect 'a', 'b' with 'c', 'd', so"),
    ],
)
def test_no_finite_strengths(winner: str, loser: str, message: str) -> None:
    frame = pd.DataFrame({"winner": list(winner), "loser": list(loser)})
    with pytest.raises(ft.DataError, match=f"^preferences: {message}"):
        ft.bradley_terry(frame)
    assert np.isfinite(ft.bradley_terry(frame, prior=0.5).std_error).all()


def test_no_finite_strengths_in_some_queries() -> None:
    frame = pd.DataFrame({"winner": list("abxy"), "loser": list("baab"), "topic": list("1123")})
    message = (
        r"^preferences, query '2': 'x' won .* strengths \(in 2 of 3 queries\); give prior=1.*, or "
        "leave out the column 'topic' for one model of all comparisons$"
    )
    with pytest.raises(ft.DataError, match=message):
        ft.bradley_terry(frame)


def test_items_whose_ties_are_dropped_are_unconnected() -> None:
    frame = pd.DataFrame({"left": list("abc"), "right": list("baa")})
    frame["vote"] = ["left", "left", "tie"]
    with pytest.warns(ft.errors.DegenerateWarning, match="it has no finite estimate"):
        assert ft.bradley_terry(frame).strength == pytest.approx(0)
    with pytest.raises(ft.DataError, match="no comparisons connect 'a', 'b' with 'c'"):
        ft.bradley_terry(frame, ties="drop")
