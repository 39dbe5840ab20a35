"""The sentence on the best system, on the screen and on the page."""

from __future__ import annotations

import html
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft


def scores(means: dict[str, dict[str, float]]) -> ft.Scores:
    rng = np.random.default_rng(0)
    rows = [
        pd.DataFrame(
            {
                "system": system,
                "query": range(30),
                "measure": measure,
                "value": np.clip(mean + 0.1 * rng.standard_normal(30), 0, 1),
            }
        )
        for system, by in means.items()
        for measure, mean in by.items()
    ]
    return ft.Scores.from_frame(pd.concat(rows))


BOTH = {"x": {"AP": 0.7, "RR": 0.7}, "y": {"AP": 0.4, "RR": 0.4}, "z": {"AP": 0.3, "RR": 0.3}}
ONE = BOTH | {"y": {"AP": 0.4, "RR": 0.67}}
NONE = BOTH | {"y": {"AP": 0.4, "RR": 0.8}}
WON = "x is best on both measures: significantly better than all others"


@pytest.mark.parametrize(
    ("means", "expected"),
    [
        (BOTH, f"{WON} over queries."),
        (ONE, f"{WON} on AP over queries; not shown to be better than y on RR."),
        (NONE, ""),
        ({"x": {"AP": 0.7}, "y": {"AP": 0.3}},
         "x is best on AP: significantly better than y over queries."),
        ({"x": {"AP": 0.5}, "y": {"AP": 0.49}}, ""),
        ({"x": {"AP": 0.5}}, ""),
    ],
)  # fmt: skip
def test_page_and_screen_say_the_same(
    means: dict[str, dict[str, float]], expected: str, tmp_path: Path
) -> None:
    found = ft.analyse(scores(means), n_resamples=999)
    assert found._winner() == expected
    assert ("is best on" in str(found)) == bool(expected)
    if expected:  # above all else
        assert str(found).split("\n\n")[1].split() == expected.split()
    page = found.report(tmp_path / "a.html").read_text("utf-8")
    leads = re.findall(r'<p class="lead">(.*?)</p>', page)
    assert [html.unescape(lead) for lead in leads] == ([expected] if expected else [])


def test_not_of_pairs_with_a_baseline_alone() -> None:
    assert ft.analyse(scores(BOTH), baseline="y", n_resamples=999)._winner() == ""


def test_columns_are_explained_below_their_table(tmp_path: Path) -> None:
    page = ft.analyse(scores(BOTH), n_resamples=999).report(tmp_path / "a.html").read_text("utf-8")
    notes = re.findall(r'<p class="note">(.*?)</p>', page)
    explained = [
        "letter: stands for the system under beats.",
        "beats: the systems significantly worse over queries.",
    ]
    assert [note for note in notes if note in explained] == explained * 2
