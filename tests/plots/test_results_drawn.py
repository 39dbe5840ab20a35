"""Results whose figures are those of others: means of systems, strips of subjects."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.drawn import labels_of
from support.results import MAKE

import fuzzytruth as ft
from fuzzytruth import plots
from fuzzytruth.errors import DataError, OptionError


def middles(ax: Any) -> list[float]:
    return [float(x) for x in ax.containers[0].lines[0].get_xdata()]


def ends(ax: Any) -> np.ndarray:
    return np.array([bar[:, 0] for bar in ax.containers[0].lines[2][0].get_segments()])


def test_strengths_of_a_query(plt: Any) -> None:
    votes = pd.DataFrame(
        {
            "query": [*"ppp", *"qqq"], "item_a": [*"xyz"] * 2, "item_b": [*"yzx"] * 2,
            "preferred": [*"aab", *"baa"],
        }
    )  # fmt: skip
    fit = ft.bradley_terry(votes, prior=1)
    ax = fit.plot(query="q")
    table = fit.to_frame().query("query == 'q'")
    assert labels_of(ax) == table["item"].tolist()
    np.testing.assert_allclose(middles(ax), table["strength"])
    np.testing.assert_allclose(ends(ax), table[["lower", "upper"]])
    assert "3 items of query q from 3 comparisons\nBars: 95 % intervals" in ax.get_title(loc="left")
    with pytest.raises(OptionError, match="query"):
        fit.plot()


def test_agreement_on_each_category(plt: Any) -> None:
    rng = np.random.default_rng(2)
    grades = rng.integers(0, 3, 90)
    votes = ft.Judgments.from_columns(
        ["q"] * 90, np.repeat(np.arange(30), 3).astype(str), grades, subject=["a", "b", "c"] * 30
    )
    found = ft.agreement(votes)
    table = found.by_category().sort_values("agreement", ascending=False, kind="stable")
    ax = found.plot()
    assert labels_of(ax) == [str(name) for name in table["category"]]
    np.testing.assert_allclose(middles(ax), table["agreement"])
    np.testing.assert_allclose(ends(ax), table[["lower", "upper"]])


def test_means_without_each_subject(plt: Any) -> None:
    queries, grades = [*"ppppqqqq"], [1, 0, 0, 1, 1, 1, 0, 1]
    votes = ft.Judgments.from_columns(queries, [*"aabb"] * 2, grades, subject=["ann", "bob"] * 4)
    runs = {"x": {"p": [*"ab"], "q": [*"ba"]}, "y": {"p": [*"ba"], "q": [*"ab"]}}
    found = ft.subject_influence(votes, runs, "AP")
    ax = found.plot()
    table = found.table
    assert middles(ax) == sorted(table.groupby("system")["mean"].first(), reverse=True)
    drawn = {
        line.get_label(): sorted(line.get_xdata()) for line in ax.lines if len(line.get_xdata())
    }
    for name in ("ann", "bob"):
        without = table[table["left_out"] == name]["without"]
        assert drawn[f"without {name}"] == sorted(without)
    title = ax.get_title(loc="left")
    assert title.endswith(
        "over 2 queries with all of 2 subjects and without each\nMeans alone, without intervals"
    )
    with pytest.raises(OptionError, match="measure"):
        found.plot(measure="P@5")


def test_differences_by_each_group(plt: Any) -> None:
    axes = {"system": ["a", "b"], "query": range(6), "subject": ["ann", "bob", "cy", "di"]}
    frame = pd.MultiIndex.from_product(axes.values(), names=axes).to_frame(index=False)
    frame["value"] = np.random.default_rng(1).random(len(frame))
    groups = {"ann": "experts", "bob": "experts", "cy": "crowd", "di": "crowd"}
    found = ft.compare_groups(ft.Scores.from_frame(frame), groups)
    ax = found.plot()
    assert labels_of(ax) == ["a", *found.differences["group"]]
    dots = sorted(
        float(x) for line in ax.lines if line.get_marker() in "<>o" for x in line.get_xdata()
    )
    assert dots == pytest.approx(sorted(found.differences["difference"]))
    n_found = int(found.between["significant"].sum())
    words = f"differences between groups significant: {n_found} of 1"
    assert words in ax.get_title(loc="left").replace("\n", " ")


OF_FRAMES = {"displacement"}  # draws no result


@pytest.mark.parametrize("name", MAKE)
def test_every_result_has_each_figure_or_says_which_it_has(name: str, plt: Any) -> None:
    result = MAKE[name]()
    own = getattr(result, "_figures", ())
    assert {*own} <= {*plots.__all__}
    assert hasattr(result, "plot") == bool(own)
    for figure in {*plots.__all__} - OF_FRAMES - {*own}:
        with pytest.raises(DataError) as error:
            getattr(plots, figure)(result)
        assert "\n" not in str(error.value)
        assert f"plots.{figure} " in str(error.value)
        for other in own:
            assert f"plots.{other}" in str(error.value)
    for figure in own:
        options = {"item": "a"} if name == "Membership" else {}
        ax = getattr(plots, figure)(result, **options)
        assert ax.has_data()
        plt.close("all")
