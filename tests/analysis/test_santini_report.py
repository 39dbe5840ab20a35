"""The report as a whole: what it takes, and what it refuses."""

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
    expected = ft.santini_report(votes, None, runs, **FAST).to_frame()
    for given, tree in [
        (frame, {"all": {"pet": ["dog", "cat"], "farm": ["cow", "hen"]}}),
        (frame, votes.taxonomy.to_networkx()),
        (tmp_path / "votes.csv", tmp_path / "tree.json"),
        (votes, ft.Taxonomy.from_children(TREE)),
    ]:
        got = ft.santini_report(given, tree, runs.to_frame(), **FAST)
        pd.testing.assert_frame_equal(got.to_frame(), expected, rtol=1e-12)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"taxonomy": {"all": ["pet"]}}, r"taxonomy: the votes have another one .*read_assignm"),
        ({"taxonomy": 3}, "taxonomy=3: must be a Taxonomy"),
        ({"k": 0}, "k=0"),
        ({"missing": "none"}, "missing='none'"),
        ({"level": 95}, "level=95"),
        ({"rng": "a"}, "rng='a'"),
        ({"lists": {}}, "^lists: there are no rows in it"),
        ({"lists": 5}, "^lists: give Judgments"),
        ({"lists": "runs"}, "^lists: these are runs"),
    ],
)
def test_mistakes(votes, runs, options, words: str) -> None:
    given = {"taxonomy": None} | options
    if given.get("lists") == "runs":
        given["lists"] = runs
    with pytest.raises(ft.FuzzytruthError, match=words):
        ft.santini_report(votes, given.pop("taxonomy"), runs, **given)


def test_missing_votes_need_an_answer(votes, runs) -> None:
    frame = votes.to_frame().iloc[1:]
    with pytest.raises(ft.DataError, match="missing="):
        ft.santini_report(frame, TREE, runs, **FAST)
    report = ft.santini_report(frame, TREE, runs, missing="nonrelevant", **FAST)
    assert report.people.values.shape == (2, 2, 8 * 4 - 1)


def test_the_seed_is_that_of_the_worlds(votes, runs) -> None:
    for seed in (lambda: np.random.default_rng(5), lambda: 5):
        first, second = (ft.santini_report(votes, None, runs, rng=seed(), **FAST) for _ in "ab")
        pd.testing.assert_frame_equal(first.pairs(), second.pairs())
    alone = ft.evaluate(votes.by_example(), runs, ["P@3", "R@3"], n_worlds=50, rng=5)
    means = [scores.difference("x", "y", "R@3").mean() for scores in (first.scores, alone)]
    assert means[0] == pytest.approx(means[1])


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
    expected = ft.compare(direct, over=("query", "subject"), n_resamples=99).to_frame()
    pd.testing.assert_frame_equal(report.displaced_comparison.to_frame(), expected)
    measures = report.individuals()["measure"].unique().tolist()
    assert measures == ["P@3", "R@3", "WD(unseen=optimist)"]
    assert "Means by one person alone" in str(report)
    assert "from the people's own lists" in str(report)


def test_intervals_over_what_there_is_two_of(votes, runs) -> None:
    lists, frame = runs.to_frame(), votes.to_frame()
    one = ft.santini_report(votes, None, lists[lists["system"] == "x"], **FAST)
    assert (one.comparison, one.over, len(one.pairs())) == (None, ("query", "subject"), 0)
    alone = ft.santini_report(frame[frame["subject"] == "s0"], TREE, runs, **FAST)
    assert alone.over == ("query",)
    table = alone.to_frame(full=True)
    np.testing.assert_allclose(table["strong"], table["mean"])  # one person: one truth
    assert table[["std", "query_gap", "query_std"]].to_numpy().max() < 1e-12
    assert "standard deviation of" not in str(alone).partition("Both systems")[0]
    single = ft.santini_report(votes, None, lists[lists["query"] == "i0"], **FAST)
    assert single.over == single.comparison.conditions.over == ("subject",)


def test_no_person_no_individuals(votes, runs) -> None:
    counts = votes.to_frame()[["item", "category"]].value_counts().reset_index()
    unnamed = ft.Assignments.from_counts(counts, taxonomy=votes.taxonomy)
    report = ft.santini_report(unnamed, None, runs, **FAST)
    assert (report.people, report.over, len(report.individuals())) == (None, ("query",), 0)
    frame = report.to_frame(full=True)
    assert frame["people"].isna().all()
    assert (frame["n_subjects"] == 0).all()
    ends = report.scores.summary()[["lower", "upper"]]
    np.testing.assert_allclose(frame[["lower", "upper"]], ends)
