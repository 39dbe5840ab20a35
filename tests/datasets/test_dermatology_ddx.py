"""Readers of skin cases against each other, and the numbers of docs/guide/displacement.md."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from support.scores_for_tests import dense

import fuzzytruth as ft
from fuzzytruth.datasets import load_dermatology_ddx

PAGE = Path(__file__).parents[2] / "docs" / "guide" / "displacement.md"


@pytest.fixture(scope="module")
def page():
    """What the page's code leaves behind."""
    code = re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    names = {}
    exec("\n".join(code), names)
    return names


def test_the_sample_is_nested_and_partial():
    lists = load_dermatology_ddx()
    frame = lists.to_frame()
    assert lists.design == "nested"
    assert len(lists.queries) == 1947
    assert frame["item"].nunique() == 274
    sizes = frame.groupby(["query", "subject"]).size()
    assert (len(sizes), sizes.min(), sizes.max()) == (9602, 1, 7)
    assert sorted(frame["grade"].unique()) == [1 / 4, 1 / 3, 1 / 2, 1]


def test_numbers_of_the_page(page):
    by_case, pairs = page["by_case"], page["pairs"]
    assert by_case.shape == (1922, 7)
    assert len(pairs) == 7 * 45916
    means = by_case.mean()[page["wanted"]].tolist()
    assert means[:4] == pytest.approx([0.975478, 281.907804, 0.432824, 0.452109], abs=1e-6)
    assert means[4:] == pytest.approx([0.545, 0.417, 0.434], abs=5e-4)
    error = (by_case.std() / np.sqrt(len(by_case)))[page["wanted"]]
    assert error.tolist()[:4] == pytest.approx([0.01919, 4.1392, 0.00734, 0.00674], abs=1e-4)
    taus = by_case.corr(method="kendall").loc[page["wanted"][4:]].abs()
    normalised = taus["WD(unseen=optimist,normalised=True)"]
    plain_w = taus["WD(unseen=optimist)"]
    assert normalised.tolist() == pytest.approx([0.93, 0.90, 0.91], abs=0.005)
    assert plain_w.tolist() == pytest.approx([0.73, 0.68, 0.69], abs=0.005)
    w = pairs[pairs["measure"] == "WD(unseen=pessimist,N=419)"]
    assert (w["value"] == 0).mean() == pytest.approx(0.3535, abs=1e-4)
    nothing = w.groupby("query")["value"].max() == 0
    assert nothing.mean() == pytest.approx(0.0593, abs=1e-4)


def plain(mine, other, size):
    """Optimist and pessimist w, by walking through the groups of `other`."""
    place, low, high = 1, 0.0, 0.0
    missing = len(mine)
    for grade, group in sorted(other.items(), reverse=True):
        last = place + len(group) - 1
        for item in group:
            if item in mine:
                rank = mine.index(item) + 1
                far = max(place - rank, rank - last, 0)
                low, high = low + grade * far, high + grade * far
            else:
                missing += 1
                low += grade * max(place - missing, missing - last, 0)
                high += grade * size
        place = last + 1
    return low, high


def test_every_pair_in_plain_python(page):
    frame = page["frame"]
    lists = {
        key: dict(zip(g["item"], g["grade"], strict=True))
        for key, g in frame.groupby(["query", "subject"])
    }
    table = page["pairs"].pivot(
        index=["query", "system", "subject"], columns="measure", values="value"
    )
    expected = []
    for query, system, subject in table.index:
        by_bytes = sorted(lists[query, system].items(), key=lambda x: x[0].encode(), reverse=True)
        mine = [item for item, _ in sorted(by_bytes, key=lambda x: -x[1])]
        other: dict[float, list[str]] = {}
        for item, grade in lists[query, subject].items():
            other.setdefault(grade, []).append(item)
        expected.append(plain(mine, other, 419))
    got = table[["WD(unseen=optimist)", "WD(unseen=pessimist,N=419)"]].to_numpy()
    np.testing.assert_allclose(got, expected, rtol=1e-12, atol=1e-12)


def test_hypotheses_bracket_each_other(page):
    frame = page["frame"]
    cases = frame["query"].unique()[:200]
    frame = frame[frame["query"].isin(cases)]
    mine = frame[frame["subject"] == "reader 2"]
    others = frame[(frame["subject"] != "reader 2") & frame["query"].isin(mine["query"])]
    runs = ft.Runs.from_frame(mine.rename(columns={"grade": "score"}), name="reader 2")
    names = ["optimist", "pessimist-tail", "worst", "pessimist"]
    wanted = [f"WD(unseen={name},N=419)" for name in names]
    scores = ft.evaluate(ft.Judgments.from_frame(others, design="nested"), runs, wanted)
    low, tail, high, _ = dense(scores)[0]
    present = scores.cells.incidence().toarray().T > 0
    assert (low <= tail + 1e-12)[present].all()
    assert (tail <= high + 1e-12)[present].all()
    normalised = [m.replace("N=419", "N=419,normalised=True") for m in wanted]
    values = dense(ft.evaluate(ft.Judgments.from_frame(others, design="nested"), runs, normalised))
    assert np.nanmax(values) <= 1 + 1e-12
    assert pd.isna(values[:, :, ~present]).all()
