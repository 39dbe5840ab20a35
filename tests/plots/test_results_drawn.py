"""Results whose figures are those of others: means of systems, strips of subjects."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.drawn import curves_of, labels_of, title_of
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


def test_agreement_on_each_category(plt: Any) -> None:
    grades = np.random.default_rng(2).integers(0, 3, 90)
    items = np.repeat(np.arange(30), 3).astype(str)
    votes = ft.Judgments.from_columns(["q"] * 90, items, grades, subject=["a", "b", "c"] * 30)
    found = ft.agreement(votes)
    assert_draws(found.plot(), found.by_category(), "category", "agreement")


def test_means_without_each_subject(plt: Any) -> None:
    queries, grades = [*"ppppqqqq"], [1, 0, 0, 1, 1, 1, 0, 1]
    votes = ft.Judgments.from_columns(queries, [*"aabb"] * 2, grades, subject=["ann", "bob"] * 4)
    runs = {"x": {"p": [*"ab"], "q": [*"ba"]}, "y": {"p": [*"ba"], "q": [*"ab"]}}
    found = ft.subject_influence(votes, runs, "AP")
    ax, table = found.plot(), found.table
    means = sorted(table.groupby("system")["mean"].first(), reverse=True)
    assert drawn(ax)["middle"].tolist() == means
    for name in ("ann", "bob"):
        without = table[table["left_out"] == name]["without"]
        assert sorted(x for x, _ in curves_of(ax)[f"without {name}"]) == sorted(without)
    words = "over 2 queries with all of 2 subjects and without each Means alone, without intervals"
    assert title_of(ax).endswith(words)
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
    dots = [float(x) for line in ax.lines if line.get_marker() in "<>o" for x in line.get_xdata()]
    assert sorted(dots) == pytest.approx(sorted(found.differences["difference"]))
    n_found = int(found.between["significant"].sum())
    assert f"differences between groups significant: {n_found} of 1" in title_of(ax)


def votes_on_items(names: str, *, n: int = 60, seed: int = 0) -> ft.Judgments:
    """Grades that are mostly those of everybody, by people of one letter each."""
    rng = np.random.default_rng(seed)
    true = np.random.default_rng(9).integers(0, 2, n)
    grades = [np.where(rng.random(n) < 0.2, 1 - true, true) for _ in names]
    query, item = np.arange(n) // 4, np.arange(n).astype(str)
    columns = (np.tile(query, len(names)), np.tile(item, len(names)), np.concatenate(grades))
    return ft.Judgments.from_columns(*columns, subject=np.repeat([*names], n))


def test_model_judges_beside_people(plt: Any) -> None:
    people, models = votes_on_items("abc"), votes_on_items("xyz", seed=1)
    found = ft.judge_agreement(people, models, n_resamples=99)
    ax = found.plot()
    rows, one = drawn(ax), found.people["kappa"]
    assert rows.index.tolist() != sorted(rows.index)
    assert rows.loc["one person with another", "middle"] == one
    judges = found.to_frame().set_index("judge")[["kappa", "lower", "upper"]]
    np.testing.assert_allclose(rows.loc[judges.index], judges)
    assert title_of(ax).startswith("Kappa of 3 model judges with people Bars: 95 %")
    alone = ft.judge_agreement(votes_on_items("a"), models, n_resamples=99)
    assert sorted(labels_of(alone.plot())) == ["x", "y", "z"]
    found = ft.alternative_annotator(people, votes_on_items("xy", seed=1))
    ax = found.plot()
    assert_draws(ax, found.models, "model", "advantage")
    shares = found.people.set_index(["subject", "model"])["person_share"]
    for name in "abc":
        places = {labels_of(ax)[round(y - 0.27)]: x for x, y in curves_of(ax)[name]}
        assert places == shares[name].to_dict()


@pytest.mark.parametrize("kind", ["forest", "tiers", None])
def test_an_analysis_draws_its_comparison(kind: Any, plt: Any) -> None:
    found = MAKE["Analysis"]()
    one, two = (result.plot(kind=kind) for result in (found, found.comparison))
    assert title_of(one) == title_of(two)
    lines = [[line.get_xydata().tolist() for line in ax.lines] for ax in (one, two)]
    assert lines[0] == lines[1]
    with pytest.raises(DataError, match="one system"):
        ft.analyse(found.scores.select(systems="x")).plot()
