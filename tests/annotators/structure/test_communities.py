"""Groups of people in votes, through the public door."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from support.panels import assignments, communities, experts, incomplete, independent, severe

import fuzzytruth as ft
from fuzzytruth.errors import DataError, OptionError

RNG = np.random.default_rng
FEW = {"n_permutations": 39, "n_splits": 3}


def opposite() -> np.ndarray:
    """Two groups of ten, each with a reading of its own; a tenth of the votes is random."""
    r = RNG(3)
    one = r.integers(0, 8, 60)
    other = (one + r.integers(1, 8, 60)) % 8
    votes = np.where(np.arange(20) % 2 == 0, one[:, None], other[:, None])
    return np.where(r.random(votes.shape) < 0.1, r.integers(0, 8, votes.shape), votes)


@pytest.fixture(scope="module")
def two() -> ft.results.Communities:
    return ft.communities(assignments(opposite()))


def test_two_opposite_groups_of_ten(two: ft.results.Communities) -> None:
    assert list(two.groups) == ["group 1", "group 2"]
    assert two.groups["group 1"] == tuple(f"p{s:02}" for s in range(0, 20, 2))
    assert two.groups["group 2"] == tuple(f"p{s:02}" for s in range(1, 20, 2))
    said = " ".join(str(two).split())
    assert "2 groups of 10 and 10 of 20 subjects (p = 0.005 beyond severity and majority" in said
    assert "halves of the items agree on who is where: 1.00)" in said
    assert "agree on 82 % of other items, of different groups on 3 %" in said
    assert "guessed right in 27 % from all others, in 90 % from the own group" in said
    assert two.apart == ()
    assert two.by_subject["p03"] == "group 2"


def test_tables_and_memberships_of_groups(two: ft.results.Communities) -> None:
    frame = two.to_frame()
    assert list(frame) == ["subject", "group", "own", "nearest"]
    assert (frame["own"] > 3).all()
    assert (frame["nearest"] < -3).all()
    assert set(two.to_frame(full=True)["nearest_group"]) == {"group 1", "group 2"}
    differ = two.by_category()
    assert list(differ) == ["item", "category", "group 1", "group 2", "difference"]
    assert differ["difference"].is_monotonic_decreasing
    row = differ.iloc[0]
    item, category = row["item"], row["category"]
    votes = opposite()[int(item[1:])] == int(category[1:])
    assert (votes[::2].mean(), votes[1::2].mean()) == (row["group 1"], row["group 2"])
    member = two.membership("group 1")
    assert member.probability(item, category) == pytest.approx(row["group 1"])
    with pytest.raises(OptionError, match="group=True: must be one of 'group 1', 'group 2'"):
        two.membership(group=True)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="group='group 3': must be one of 'group 1'"):
        two.membership("group 3")


@pytest.mark.parametrize(
    ("votes", "seed"), [(independent, 1), (experts, 2), (severe, 3), (experts, 4), (severe, 5)]
)
def test_no_groups_are_claimed_where_there_are_none(votes, seed: int) -> None:  # type: ignore[no-untyped-def]
    found = ft.communities(assignments(votes(RNG(seed))), **FEW)
    assert found.groups == {}
    assert re.match(r"No groups( \(p |: .*\(agreement is uneven, p )", found.verdict())
    assert "beyond severity and majority, 39 exchanges)." in found.verdict()
    assert found.to_frame(full=True)["group"].isna().all()
    with pytest.raises(DataError, match="there are no groups"):
        found.by_category()


def test_groups_beyond_the_majority_and_with_votes_missing() -> None:
    votes = incomplete(RNG(6), communities(RNG(7), (7, 5, 4)), 0.3)
    for beyond in ("chance", "majority"):
        found = ft.communities(assignments(votes), beyond=beyond, **FEW)
        assert [len(some) for some in found.groups.values()] == [7, 5, 4]
    assert found.explained < 0.1


def test_agreement_counts_items_on_which_nobody_disagrees() -> None:
    votes = opposite()
    more = ft.communities(assignments(np.vstack([votes, np.zeros((60, 20), int)])), **FEW)
    once = ft.communities(assignments(votes), **FEW)
    for name in ("within", "between", "guessed", "guessed_in_group"):
        assert getattr(more, name) == pytest.approx((1 + getattr(once, name)) / 2, abs=0.01)


def test_repeated_votes_are_one_if_all_repeat() -> None:
    votes = assignments(opposite()).to_frame().drop(columns="weight").assign(repeat=1)
    both = ft.Assignments.from_frame(pd.concat([votes, votes.assign(repeat=2)]))
    once = ft.communities(assignments(opposite()), **FEW)
    found = ft.communities(both, **FEW)
    assert found.groups == once.groups
    assert (found.within, found.guessed) == pytest.approx((once.within, once.guessed))
    some = pd.concat([votes, votes[votes["subject"] == "p00"].assign(repeat=2)])
    with pytest.raises(DataError, match="more often than others"):
        ft.communities(ft.Assignments.from_frame(some), **FEW)


def test_what_is_refused() -> None:
    votes = communities(RNG(8), (4, 4))
    with pytest.raises(DataError, match="5 subjects; groups are found among 6 to 500"):
        ft.communities(assignments(votes[:, :5]))
    with pytest.raises(
        DataError,
        match="27 items are disputed, 13 of them in one half; 40 are needed, 20 in each half",
    ):
        ft.communities(assignments(votes[:30]))
    sparse = incomplete(RNG(9), communities(RNG(8), (20, 20), n_items=200), 0.85)
    with pytest.raises(DataError, match=r"typically share [34] items"):
        ft.communities(assignments(sparse))
    with pytest.raises(DataError, match="cannot be told from counts"):
        ft.communities(ft.Assignments.from_counts(np.full((50, 2), 3)))
    nested = judgments(votes)
    with pytest.raises(DataError, match="nested in queries"):
        ft.communities(ft.Judgments.from_frame(nested, design="nested"))
    weighted = assignments(votes).to_frame().assign(weight=lambda x: 1.0 + (x["subject"] == "p01"))
    with pytest.raises(DataError, match="different weights"):
        ft.communities(ft.Assignments.from_frame(weighted))
    with pytest.raises(OptionError, match="most=1: must be 2 or more"):
        ft.communities(nested, most=1)
    with pytest.raises(OptionError, match="beyond='severity'"):
        ft.communities(nested, beyond="severity")


def judgments(votes: np.ndarray, n_queries: int = 10) -> pd.DataFrame:
    """Votes (items, people) as grades of items of queries."""
    item, who = np.nonzero(votes >= 0)
    return pd.DataFrame(
        {
            "query": [f"q{i % n_queries}" for i in item],
            "item": [f"i{i}" for i in item],
            "subject": [f"p{s:02}" for s in who],
            "grade": votes[item, who],
        }
    )


def test_queries_stay_whole_and_judge_the_groups_of_the_other_half() -> None:
    votes = communities(RNG(10), (4, 4), n_items=120, n_values=2, sure=0.9)
    votes[110:] = 0  # some queries have items on which nobody disagrees
    found = ft.communities(judgments(votes, 12), **FEW)
    assert [len(some) for some in found.groups.values()] == [4, 4]
    (first, by_second), (second, by_first) = found.crossed
    assert sorted([*first, *second]) == sorted(f"q{j}" for j in range(12))
    assert len(first) == 6
    assert by_first == by_second == found.by_subject
    with pytest.raises(OptionError, match="these votes are grades"):
        found.membership("group 1")
    assert list(found.by_category())[:3] == ["query", "item", "grade"]
    binary = ft.communities(judgments(3 * votes, 12), rel=2, **FEW)
    assert binary.groups == found.groups


def test_two_of_34_judges_stand_together_apart_from_the_others() -> None:
    frame = ft.datasets.load_llmjudge_dl23().binary(2).to_frame()
    frame["item"] = frame["query"] + " " + frame["item"]
    some = RNG(3).choice(frame["item"].unique(), 400, replace=False)
    frame = frame[frame["item"].isin(some)].assign(query="all")
    found = ft.communities(ft.Judgments.from_frame(frame), n_permutations=19)
    assert [len(one) for one in found.groups.values()] == [31, 2]
    assert found.groups["group 2"] == ("TREMA-4prompts", "TREMA-other")
    assert found.apart == ("TREMA-nuggets",)
    assert found.explained > 0.6


@pytest.mark.parametrize("experiment", ["silhouette", "edge", "sketch"])
def test_no_groups_in_psychophysics(experiment: str) -> None:
    votes = ft.datasets.load_model_vs_human(experiment).votes
    assert ft.communities(votes, n_permutations=39).groups == {}


def test_figures(two: ft.results.Communities) -> None:
    import matplotlib as mpl

    mpl.use("Agg")
    ax = two.plot()
    labels = [label.get_text() for label in ax.get_yticklabels()]
    assert {int(name[1:]) % 2 for name in labels[:10]} == {int(two.groups["group 1"][0][1:]) % 2}
    written = [text.get_text() for text in ax.texts if len(text.get_text()) == 1]
    assert written == [*"1" * 10, *"2" * 10]
    assert "2 groups of 10 and 10" in ax.get_title(loc="left") + ax.get_title()
    assert any("groups by number" in text.get_text() for text in ax.figure.findobj(mpl.text.Text))
    names = {text.get_text() for text in two.plot(kind="tree").texts}
    assert {"all subjects", "group 1", "group 2", "p00", "p19"} <= names


def judged_by_schools(n_queries: int = 12) -> tuple[ft.Judgments, dict[str, dict[str, list[str]]]]:
    """Two groups of four who want other items, and a system that serves each."""
    rng = RNG(11)
    wanted = rng.random((2, n_queries, 10)) < 0.4
    rows, runs = [], {"x": {}, "y": {}}
    for q in range(n_queries):
        for s in range(8):
            noise = rng.random(10) < 0.1
            grades = np.where(noise, ~wanted[s % 2, q], wanted[s % 2, q]).astype(int)
            rows += [(f"q{q}", f"d{i}", f"p{s}", g) for i, g in enumerate(grades)]
        for name, want in zip("xy", wanted[:, q], strict=True):
            runs[name][f"q{q}"] = [f"d{i}" for i in np.argsort(~want, kind="stable")]
    frame = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    return ft.Judgments.from_frame(frame), runs


def test_verdicts_of_communities_are_cross_fitted() -> None:
    truth, runs = judged_by_schools()
    found = ft.communities(truth, **FEW)
    assert [len(some) for some in found.groups.values()] == [4, 4]
    scores = ft.evaluate(truth, runs, ["P@3"], worlds="subject")
    result = ft.compare_groups(scores, found, n_resamples=99)
    plain = ft.compare_groups(scores, found.by_subject, n_resamples=99)
    assert (plain.found, "Cross-fitted" in result.found) == ("", True)
    assert "Cross-fitted: each half of the queries" in " ".join(str(result).split())
    pd.testing.assert_frame_equal(result.between, plain.between)  # the halves agree
    a, b = result.between[["difference_a", "difference_b"]].iloc[0]
    assert a > 0.3
    assert b < -0.3
    over = ft.compare_groups(scores, found, over="subject", n_resamples=99)
    assert over.found == "Groups were found on the same votes."
    community = ft.evaluate(truth, runs, ["P@3"], worlds="community", groups=found)
    assert community.values.mean() == pytest.approx(scores.values.mean())


def test_groups_of_each_half_judge_the_queries_of_the_other() -> None:
    truth, runs = judged_by_schools()
    found = ft.communities(truth, **FEW)
    scores = ft.evaluate(truth, runs, ["P@3"], worlds="subject")
    (first, _), (second, by_first) = found.crossed
    moved = by_first | {"p0": by_first["p1"]}  # as if one half had put p0 elsewhere
    mixed = replace(found, crossed=((first, found.by_subject), (second, moved)))
    result = ft.compare_groups(scores, mixed, n_resamples=99)
    values = scores.cells.dense(scores.values)[:, 0]  # (systems, queries, subjects)
    gaps = []
    for q, query in enumerate(scores.queries):
        of = found.by_subject if query in first else moved
        gap = values[0, q] - values[1, q]
        means = [
            gap[[j for j, s in enumerate(scores.subjects) if of[s] == name]].mean()
            for name in found.groups
        ]
        gaps.append(means[0] - means[1])
    assert result.between["difference"].iloc[0] == pytest.approx(np.mean(gaps))
    elsewhere = replace(found, crossed=((first, found.by_subject),))
    naive = ft.compare_groups(scores, elsewhere, n_resamples=99)
    assert naive.found == "Groups were found on the same votes."
