"""What is printed of an analysis: one screen."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest
from support.analysed import analysis

import fuzzytruth as ft


@pytest.mark.parametrize("width", [60, 80])
@pytest.mark.parametrize("measures", [("AP",), ("AP", "P@3")])
def test_one_screen(width: int, measures: tuple[str, ...]) -> None:
    lines = analysis(*measures)._answer().text(width).split("\n")
    assert max(map(len, lines)) <= width
    assert len(lines) <= 50


def test_what_is_said() -> None:
    result = analysis("AP", "P@3")
    text = re.sub(r"\s+", " ", result._answer().text(80))
    assert text.startswith(
        "Analysis of 3 systems by AP and P@3 Data: 3 systems, 12 queries, 3 subj"
    )
    for measure in ("AP", "P@3"):
        for part in (result.comparison, result.both):
            table = part.table[part.table["measure"] == measure]
            over = part.conditions.random
            assert (
                f"{measure}: {table['significant'].sum()} of 3 differences significant over {over}"
                in text
            )
        each = result.by_subject.table
        each = each[each["measure"] == measure]
        counts = each.groupby("subject")["significant"].sum()
        named = ", ".join(f"{count} ({name})" for name, count in counts.items())
        assert f"{measure}: significant by one subject's judgments alone, of 3: {named}" in text
    assert "Brackets: 95 % t intervals over queries, the subjects being fixed." in text
    assert "both: the same over queries and subjects, by generalised pivotal test" in text
    assert "ranks: simultaneous 95 % confidence sets over queries." in text


def test_few_pairs_have_verdicts() -> None:
    result = ft.analyse(analysis("AP").scores.select(systems=["good", "bad"]), n_resamples=99)
    text = re.sub(r"\s+", " ", str(result))
    assert "good is significantly better than bad on AP over queries; same direction" in text


def test_many_systems_are_cut_and_it_is_said() -> None:
    rng = np.random.default_rng(2)
    rows = [(f"s{s:02}", q, 0.01 * s + rng.random()) for s in range(30) for q in range(6)]
    scores = ft.Scores.from_frame(pd.DataFrame(rows, columns=["system", "query", "value"]))
    result = ft.analyse(scores, n_resamples=99)
    lines = result._answer().text(80).split("\n")
    assert len(lines) < 45
    shown = [line for line in lines if re.search(r"\bs\d\d\b.*\[", line)]
    means = scores.mean()["value"].nlargest(12)
    assert [re.search(r"s\d\d", line)[0] for line in shown] == list(means.index)
    assert any("Shown: the best 12 of 30 systems" in line for line in lines)
