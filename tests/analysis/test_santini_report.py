"""The report as a whole: what it takes, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft

pytestmark = pytest.mark.filterwarnings("ignore::fuzzytruth.errors.UndefinedMeasureWarning")
FAST = {"k": 3, "n_worlds": 50, "n_resamples": 99}
TREE = {"all": ["pet", "farm"], "pet": ["dog", "cat"], "farm": ["cow", "hen"]}


def test_votes_and_taxonomies_in_any_form(votes, runs, tmp_path: Path) -> None:
    frame = votes.to_frame()[["subject", "item", "category"]]
    frame.to_csv(tmp_path / "votes.csv", index=False)
    votes.taxonomy.write(tmp_path / "tree.json")
    nested = {"all": {"pet": ["dog", "cat"], "farm": ["cow", "hen"]}}
    expected = ft.santini_report(votes, None, runs, **FAST).to_frame()
    for given, tree in [
        (frame, TREE),
        (frame, nested),
        (frame, votes.taxonomy),
        (frame, votes.taxonomy.to_networkx()),
        (tmp_path / "votes.csv", tmp_path / "tree.json"),
        (votes, ft.Taxonomy.from_children(TREE)),
    ]:
        got = ft.santini_report(given, tree, runs.to_frame(), **FAST)
        pd.testing.assert_frame_equal(got.to_frame(), expected, rtol=1e-12)


def test_mistakes_are_named(votes, runs) -> None:
    other = ft.Taxonomy.from_children({"all": ["pet"]})
    with pytest.raises(
        ft.OptionError, match=r"taxonomy: the votes have another one .*read_assignments\("
    ):
        ft.santini_report(votes, other, runs)
    with pytest.raises(ft.OptionError, match=r"taxonomy=3: must be a Taxonomy"):
        ft.santini_report(votes, 3, runs)
    with pytest.raises(ft.OptionError, match="k=0"):
        ft.santini_report(votes, None, runs, k=0)
    with pytest.raises(ft.OptionError, match="missing='none'"):
        ft.santini_report(votes, None, runs, missing="none")
    with pytest.raises(ft.OptionError, match="level=95"):
        ft.santini_report(votes, None, runs, level=95)
    with pytest.raises(ft.OptionError, match="rng='a'"):
        ft.santini_report(votes, None, runs, rng="a")
    with pytest.raises(ft.DataError, match=r"^lists: there are no rows in it"):
        ft.santini_report(votes, None, runs, lists={})
    for lists in (runs, 5):
        with pytest.raises(ft.OptionError, match=r"^lists: (these are runs|give Judgments)"):
            ft.santini_report(votes, None, runs, lists=lists)


def test_missing_votes_need_an_answer(votes, runs) -> None:
    frame = votes.to_frame().iloc[1:]
    with pytest.raises(ft.DataError, match="missing="):
        ft.santini_report(frame, TREE, runs, **FAST)
    report = ft.santini_report(frame, TREE, runs, missing="nonrelevant", **FAST)
    assert report.people.values.shape == (2, 2, 8 * 4 - 1)


def test_seed_and_generator(votes, runs) -> None:
    first, second = (ft.santini_report(votes, None, runs, rng=5, **FAST) for _ in range(2))
    pd.testing.assert_frame_equal(first.pairs(), second.pairs())
    alone = ft.evaluate(votes.by_example(), runs, ["P@3", "R@3"], n_worlds=50, rng=5)
    assert first.scores.difference("x", "y", "R@3").mean() == pytest.approx(
        alone.difference("x", "y", "R@3").mean()
    )
    ft.santini_report(votes, None, runs, rng=np.random.default_rng(1), **FAST)


def test_people_s_own_lists(votes, runs) -> None:
    """Scheme (4): one displacement for each list, then intervals over queries and subjects."""
    rng = np.random.default_rng(3)
    rows = [
        (query, subject, item, weight)
        for query in runs["x"].queries
        for subject in ("s0", "s1", "s2")
        for item, weight in zip(
            rng.permutation([f"i{j}" for j in range(8) if f"i{j}" != query])[:3],
            [1, 0.6, 0.3],
            strict=True,
        )
    ]
    lists = pd.DataFrame(rows, columns=["query", "subject", "item", "grade"])
    report = ft.santini_report(votes, None, runs, lists=lists, **FAST)
    direct = ft.evaluate(lists, runs, "WD(unseen=optimist)", worlds="subject")
    np.testing.assert_array_equal(report.displaced.values, direct.values)
    result = report.displaced_comparison
    assert result.conditions.over == ("query", "subject")
    expected = ft.compare(direct, over=("query", "subject"), n_resamples=99).to_frame()
    pd.testing.assert_frame_equal(result.to_frame(), expected)
    measures = report.individuals()["measure"].unique().tolist()
    assert measures == ["P@3", "R@3", "WD(unseen=optimist)"]
    assert "Means by one person alone" in str(report)
    assert "from the people's own lists" in str(report)


def test_intervals_over_what_there_is_two_of(votes, runs) -> None:
    lists = runs.to_frame()
    one = ft.santini_report(votes, None, lists[lists["system"] == "x"], **FAST)
    assert (one.comparison, one.over) == (None, ("query", "subject"))
    assert len(one.pairs()) == 0
    frame = votes.to_frame()
    alone = ft.santini_report(frame[frame["subject"] == "s0"], TREE, runs, **FAST)
    assert alone.over == ("query",)
    table = alone.to_frame(full=True)
    np.testing.assert_allclose(table["strong"], table["mean"])  # one person: one truth
    assert table[["std", "query_gap", "query_std"]].to_numpy().max() < 1e-12
    assert "standard deviation of" not in str(alone).partition("Both systems")[0]
    single = ft.santini_report(votes, None, lists[lists["query"] == "i0"], **FAST)
    assert single.over == ("subject",)
    assert single.comparison.conditions.over == ("subject",)
