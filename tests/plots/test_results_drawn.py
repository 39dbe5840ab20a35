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
    fit = ft.bradley_terry(votes, prior=1, order_effect=False)
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


def votes_on_items(names: str, *, n: int = 60, seed: int = 0) -> ft.Judgments:
    """Grades that are mostly those of everybody, by people of one letter each."""
    rng = np.random.default_rng(seed)
    true = np.random.default_rng(9).integers(0, 2, n)
    grades = [np.where(rng.random(n) < 0.2, 1 - true, true) for _ in names]
    query, item = np.arange(n) // 4, np.arange(n).astype(str)
    columns = (np.tile(query, len(names)), np.tile(item, len(names)), np.concatenate(grades))
    return ft.Judgments.from_columns(*columns, subject=np.repeat([*names], n))


def test_agreement_of_judges_and_of_people(plt: Any) -> None:
    found = ft.judge_agreement(votes_on_items("abc"), votes_on_items("xyz", seed=1), n_resamples=99)
    assert found.people is not None
    ax = found.plot()
    rows = found.to_frame()
    drawn = dict(zip(labels_of(ax), zip(middles(ax), ends(ax), strict=True), strict=True))
    assert [*drawn] != sorted(drawn)
    for judge, kappa, low, high in rows[["judge", "kappa", "lower", "upper"]].values.tolist():
        assert drawn[judge][0] == kappa
        np.testing.assert_allclose(drawn[judge][1], [low, high])
    assert drawn.pop("one person with another")[0] == found.people["kappa"]
    assert sorted(drawn) == ["x", "y", "z"]
    assert ax.get_title(loc="left").startswith("Kappa of 3 model judges with people\nBars: 95 %")
    plt.close("all")
    alone = ft.judge_agreement(votes_on_items("a"), votes_on_items("xyz", seed=1), n_resamples=99)
    assert sorted(labels_of(alone.plot())) == ["x", "y", "z"]


def test_advantage_of_models_beside_people(plt: Any) -> None:
    found = ft.alternative_annotator(votes_on_items("abc"), votes_on_items("xy", seed=1))
    ax = found.plot()
    models = found.models.sort_values("advantage", ascending=False, kind="stable")
    assert labels_of(ax) == [*models["model"]]
    np.testing.assert_allclose(middles(ax), models["advantage"])
    np.testing.assert_allclose(ends(ax), models[["lower", "upper"]])
    people = found.people.set_index(["subject", "model"])["person_share"]
    for name in "abc":
        (line,) = [line for line in ax.lines if line.get_label() == name]
        places = {labels_of(ax)[round(y - 0.27)]: x for x, y in line.get_xydata()}
        assert places == people[name].to_dict()


@pytest.mark.parametrize("kind", ["forest", "matrix", "tiers", None])
def test_an_analysis_draws_its_comparison(kind: Any, plt: Any) -> None:
    found = ft.analyse(MAKE["Analysis"]().scores, n_resamples=99)
    assert found.comparison is not None
    measure = found.scores.measures[-1]
    one, two = (
        found.plot(kind=kind, measure=measure),
        found.comparison.plot(kind=kind, measure=measure),
    )
    assert one.get_title(loc="left") == two.get_title(loc="left")
    assert [line.get_xydata().tolist() for line in one.lines] == [
        line.get_xydata().tolist() for line in two.lines
    ]


def test_an_analysis_of_one_system_has_no_difference_to_draw() -> None:
    found = ft.analyse(MAKE["Analysis"]().scores.select(systems="x"))
    with pytest.raises(DataError, match="one system"):
        found.plot()


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
