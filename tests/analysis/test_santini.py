"""The analysis as a whole: what it takes, what it leaves out, and what it refuses."""

import re
import warnings
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.drawn import labels_of

import fuzzytruth as ft
from fuzzytruth.analysis.analysis_report import santini_page
from fuzzytruth.annotators.structure.communities import communities

pytestmark = [
    pytest.mark.filterwarnings(f"ignore::fuzzytruth.errors.{name}")
    for name in ("UndefinedMeasureWarning", "TieWarning")
]
FAST = {"k": 3, "n_worlds": 50, "n_resamples": 99, "n_permutations": 9}
TREE = {"all": ["pet", "farm"], "pet": ["dog", "cat"], "farm": ["cow", "hen"]}
COLUMNS = ["subject", "item", "category"]


def flat(found: ft.results.Santini) -> str:
    return " ".join(str(found).split())


def crowd(n_people: int, n_items: int = 24) -> pd.DataFrame:
    """People who see one of three kinds, mostly the same."""
    rng = np.random.default_rng(5)
    kind = np.where(rng.random((n_people, n_items)) < 0.7, np.arange(n_items) % 3, 9)
    kind = np.where(kind == 9, rng.integers(0, 3, kind.shape), kind)
    rows = [
        (f"s{s:03}", f"i{j:02}", f"c{kind[s, j]}") for s in range(n_people) for j in range(n_items)
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def lists_of(n_items: int = 24, n_queries: int = 6) -> ft.Runs:
    rng = np.random.default_rng(6)
    return ft.Runs.from_dict(
        {
            name: {
                f"i{q:02}": {
                    f"i{j:02}": float((j - q) % 3 == 0) + rng.normal(0, noise)
                    for j in range(n_items)
                    if j != q
                }
                for q in range(n_queries)
            }
            for name, noise in (("x", 0.3), ("y", 1.0))
        }
    )


def test_votes_and_taxonomies_in_any_form(votes, runs, tmp_path: Path) -> None:
    frame = votes.to_frame()[COLUMNS]
    frame.to_csv(tmp_path / "votes.csv", index=False)
    votes.taxonomy.write(tmp_path / "tree.json")
    expected = ft.santini(votes, runs, **FAST).to_frame()
    assert [*expected] == [
        *("system", "measure", "one_truth", "memberships", "world_low", "world_high"),
        "people",
    ]
    for given, tree in [
        (frame, {"all": {"pet": ["dog", "cat"], "farm": ["cow", "hen"]}}),
        (frame, votes.taxonomy.to_networkx()),
        (tmp_path / "votes.csv", tmp_path / "tree.json"),
        (votes, ft.Taxonomy.from_children(TREE)),
    ]:
        got = ft.santini(given, runs.to_frame(), taxonomy=tree, **FAST)
        pd.testing.assert_frame_equal(got.to_frame(), expected, rtol=1e-12)


def test_categories_of_systems_become_lists_by_similarity(votes) -> None:
    rng = np.random.default_rng(2)
    rows = [(s, f"i{j}", c) for s in "xy" for j, c in enumerate(rng.choice(["dog", "cow"], 8))]
    labels = pd.DataFrame(rows, columns=["system", "item", "category"])
    direct = ft.santini(votes, ft.Runs.by_similarity(labels, votes.taxonomy), **FAST)
    assert ft.santini(votes, labels, **FAST).to_frame().equals(direct.to_frame())
    assert (direct.ties, direct.n_lists, direct.n_decided) == ("expected", 16, 16)


LIST = pd.DataFrame({"query": "i0", "subject": "s0", "item": ["i1", "i2"], "grade": [1.0, 0.5]})


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"taxonomy": {"all": ["pet"]}}, r"taxonomy: the votes have another one .*read_assignm"),
        ({"taxonomy": 3}, "taxonomy=3: must be a Taxonomy"),
        ({"k": 0}, "k=0"),
        ({"missing": "none"}, "missing='none'"),
        ({"ties": "random"}, "ties='random'"),
        ({"rule": "mode"}, "rule='mode'"),
        ({"level": 95}, "level=95"),
        ({"rng": "a"}, "rng='a'"),
        ({"lists": {}}, "^lists: there are no rows in it"),
        ({"lists": 5}, "^lists: give Judgments"),
        ({"lists": "runs"}, "^lists: these are runs"),
        ({"progress": 3}, "progress=3"),
        ({"lists": LIST.drop(columns="subject")}, "^lists: nobody is named .* a column that names"),
        ({"lists": LIST.assign(query="other")}, "^lists: run 'x' and the judgments have no query"),
    ],
)
def test_mistakes(votes, runs, options: dict[str, Any], words: str) -> None:
    if isinstance(options.get("lists"), str):
        options = {"lists": runs}
    with pytest.raises(ft.FuzzytruthError, match=words):
        ft.santini(votes, runs, **options)


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.FuzzytruthWarning")
def test_undefined_measures_say_by_which_truth() -> None:
    """The only item of its category is a query without relevant items, by each truth."""
    rows = [(s, item, "dog" if item == "z" else "cat") for s in "st" for item in "vwxyz"]
    votes = pd.DataFrame([*rows, ("u", "z", "cow")], columns=COLUMNS)
    runs = {"x": {"z": [*"vwxy"], "v": [*"wxyz"]}, "y": {"z": [*"yxwv"], "v": [*"zyxw"]}}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        ft.santini(votes, runs, **FAST)
    said = [str(one.message) for one in caught if "no relevant item" in str(one.message)]
    starts = {text.partition(": ")[0]: text for text in said}
    assert [*starts] == ["by memberships", "by own truths", "by one truth"]
    assert "1 of 2 queries (z)" in starts["by one truth"]


@pytest.mark.parametrize("n_people", [2, 12])
def test_missing_votes_are_left_out_and_counted(n_people: int) -> None:
    """Whoever did not see an item is asked about the others: by one person's truth, by hand."""
    frame, runs = crowd(n_people, 12), lists_of(12, 4)
    gone = [3, 20, *([77, 99, 110] if n_people > 9 else [])]
    found = ft.santini(frame.drop(index=gone), runs, **FAST)
    assert f"{len(gone)} votes are missing: left out of that person's lists." in flat(found)
    said = frame.drop(index=gone)
    table = runs.to_frame().sort_values("score", ascending=False)
    wanted = {}
    for (system, query), rows in table.groupby(["system", "query"]):
        for who, own in said.groupby("subject"):
            kinds = dict(zip(own["item"], own["category"], strict=True))
            if query in kinds:
                top = [kinds[item] for item in rows["item"] if item in kinds][:3]
                wanted[system, query, who] = np.mean([kind == kinds[query] for kind in top])
    rows = found.people.to_frame().query("measure == 'P@3'").dropna(subset="value")
    got = rows.set_index(["system", "query", "subject"])["value"].to_dict()
    assert got == pytest.approx(wanted)
    with pytest.raises(ft.errors.DataError, match="missing="):
        ft.santini(frame.drop(index=gone), runs, missing="error", **FAST)


def test_missing_votes_as_not_relevant(votes, runs) -> None:
    assert "missing" not in flat(ft.santini(votes, runs, **FAST))
    some = votes.to_frame()[COLUMNS].drop(index=5)
    found = ft.santini(some, runs, taxonomy=TREE, missing="nonrelevant", **FAST)
    assert "1 vote is missing: not relevant." in flat(found)
    assert found.people.provenance.n_missing == 1


def tied_runs() -> dict[str, dict[str, dict[str, float]]]:
    """Scores of few values, so that many lists are tied somewhere."""
    rng = np.random.default_rng(11)
    return {
        name: {
            f"i{q}": {f"i{j}": float(rng.integers(0, 4)) for j in range(8) if j != q}
            for q in range(8)
        }
        for name in ("x", "y")
    }


def test_lists_whose_first_items_ties_decide_are_counted(votes) -> None:
    runs = tied_runs()
    for k in (3, 8):
        n = sum(
            len(scores) > k and scores[k - 1] == scores[k]
            for lists in runs.values()
            for scores in (sorted(one.values(), reverse=True) for one in lists.values())
        )
        found = ft.santini(votes, runs, **FAST | {"k": k})
        assert (found.n_lists, found.n_decided) == (16, n)
        assert 0 < n < 16 if k == 3 else n == 0
        line = f"Ties decide which items are the first {k} in {n} of 16 lists; the mean over all"
        assert (line in flat(found)) == (n > 0)
    said = flat(ft.santini(votes, runs, ties="trec", **FAST))
    assert "Ties decide which items are the first 3 in" in said
    assert "; the id decides." in said


def test_a_rank_beyond_the_items_is_refused(votes, runs) -> None:
    with pytest.raises(ft.errors.OptionError, match="k=11: must be at most the number of items, 8"):
        ft.santini(votes, runs, k=11)


def test_the_one_truth_says_for_how_many_items_the_tree_decides() -> None:
    votes = pd.DataFrame(
        [("s", "a", "x"), ("t", "a", "y"), ("s", "b", "x"), ("t", "b", "x")], columns=COLUMNS
    )
    found = flat(ft.santini(votes, {"r": {"a": ["b"], "b": ["a"]}}, **FAST | {"k": 1}))
    assert (
        "the strong truth: for 1 of 2 items the first of equally good categories, in the order of "
        "the tree. Memberships"
    ) in found


def test_expected_ties_do_not_depend_on_the_ids(votes) -> None:
    """Items that are renamed to the opposite order of ids give the same numbers and verdicts."""
    names = {f"i{j}": f"i{9 - j}" for j in range(8)}
    other = {
        system: {names[q]: {names[i]: s for i, s in one.items()} for q, one in lists.items()}
        for system, lists in tied_runs().items()
    }
    frame = votes.to_frame()[COLUMNS]
    renamed = frame.assign(item=frame["item"].map(names))
    shown = {}
    for ties in ("expected", "trec"):
        one, two = (
            ft.santini(v, r, taxonomy=TREE, ties=ties, **FAST | {"n_worlds": 2000})
            for v, r in ((frame, tied_runs()), (renamed, other))
        )
        gaps = [
            np.abs(a.mean() - b.mean()).to_numpy().max()
            for a, b in (
                (one.people, two.people),
                (one.strong_scores, two.strong_scores),
                (one.scores, two.scores),
            )
        ]
        verdicts = [each.comparison._verdict_lines(9).lines for each in (one, two)]
        shown[ties] = [gaps[0] < 1e-12, gaps[1] < 1e-12, gaps[2] < 1e-12]
        assert (verdicts[0] == verdicts[1]) == (ties == "expected")
    assert shown == {"expected": [True] * 3, "trec": [False] * 3}


def test_the_seed_is_that_of_the_worlds(votes, runs) -> None:
    for seed in (lambda: np.random.default_rng(5), lambda: 5):
        first, second = (ft.santini(votes, runs, rng=seed(), **FAST) for _ in "ab")
        pd.testing.assert_frame_equal(first.pairs(), second.pairs())
    how = {"n_worlds": 50, "rng": 5, "ties": "expected"}
    alone = ft.evaluate(votes.by_example(), runs, ["P@3", "R@3"], **how)
    means = [scores.difference("x", "y", "R@3").mean() for scores in (first.scores, alone)]
    assert means[0] == pytest.approx(means[1])


def own_lists(runs: ft.Runs) -> pd.DataFrame:
    """Of three people, three items for each query."""
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
    return pd.DataFrame(rows, columns=["query", "subject", "item", "grade"])


DISPLACED = ["WD(unseen=optimist)", "WD(unseen=pessimist,N=8)", "WD(unseen=incremental)", "WDQ"]


def test_people_s_own_lists(votes, runs) -> None:
    """Scheme (4): one displacement for each list, then intervals over queries and subjects."""
    lists = own_lists(runs)
    found = ft.santini(votes, runs, lists=lists, **FAST)
    direct = ft.evaluate(lists, runs, DISPLACED, worlds="subject")
    np.testing.assert_array_equal(found.displaced.values, direct.values)
    expected = ft.compare(direct, over=("query", "subject"), n_resamples=99).to_frame()
    pd.testing.assert_frame_equal(found.displaced_comparison.to_frame(), expected)
    measures = found.individuals()["measure"].unique().tolist()
    assert measures == ["P@3", "R@3", *direct.measures]
    assert "By the people's own ranked lists: no difference between x and y is" in flat(found)
    assert "weighted displacement" not in " ".join(found.left_out)
    one = ft.santini(votes, runs, lists=lists, list_measures="WD(unseen=pessimist,N=20)", **FAST)
    assert one.displaced.measures == ("WD(unseen=pessimist,N=20)",)


def test_displacement_that_does_not_fit_is_left_out(votes, runs) -> None:
    """A system that ranks less than all items: N is unknown to the incremental user."""
    lists, frame = own_lists(runs), runs.to_frame()
    short = frame.groupby(["system", "query"]).head(2)
    found = ft.santini(votes, short, lists=lists, **FAST)
    with pytest.raises(ft.errors.DataError) as error:
        ft.evaluate(lists, short, DISPLACED[2], worlds="subject")
    assert f"Left out: {DISPLACED[2]}, for {error.value}." in found.left_out
    assert [name.partition(",g")[0] for name in found.displaced.measures] == [
        *DISPLACED[:2],
        "WDQ(unseen=optimist",
    ]


def test_intervals_over_what_there_is_two_of(votes, runs) -> None:
    lists, frame = runs.to_frame(), votes.to_frame()[COLUMNS]
    one = ft.santini(votes, lists[lists["system"] == "x"], **FAST)
    assert (one.comparison, one.over, len(one.pairs())) == (None, ("query", "subject"), 0)
    assert one.best_two() is None
    assert "Left out: comparisons, for there is one system." in one.left_out
    own = one.people.mean(by="subject")["P@3"]
    assert all(f"{who} {value:.3f}" in flat(one) for (_, who), value in own.items())
    single = ft.santini(votes, lists[lists["query"] == "i0"], **FAST)
    assert single.over == single.comparison.conditions.over == ("subject",)
    alone = ft.santini(
        frame[frame["subject"] == "s0"], lists[lists["query"] == "i0"], taxonomy=TREE, **FAST
    )
    assert (alone.comparison, alone.over) == (None, ())
    assert any("neither two queries nor two people" in line for line in alone.left_out)


def test_one_person_is_one_truth(votes, runs) -> None:
    frame = votes.to_frame()[COLUMNS]
    alone = ft.santini(frame[frame["subject"] == "s0"], runs, taxonomy=TREE, **FAST)
    assert (alone.over, alone.people, alone.structure) == (("query",), None, None)
    table = alone.to_frame(full=True)
    np.testing.assert_allclose(table["one_truth"], table["memberships"])
    assert table[["std", "query_gap", "query_std"]].to_numpy().max() < 1e-12
    line = "Left out: each person's own truth, structure and communities, for there is one person."
    assert alone.left_out[0] == line
    assert "All votes agree on 8 of 8 items. Strong truth" in flat(alone)
    with pytest.raises(ft.errors.OptionError, match="n_permutations=0"):
        ft.santini(frame[frame["subject"] == "s0"], runs, **FAST | {"n_permutations": 0})


def test_no_person_no_individuals(votes, runs) -> None:
    counts = votes.to_frame()[["item", "category"]].value_counts().reset_index()
    unnamed = ft.Assignments.from_counts(counts, taxonomy=votes.taxonomy)
    found = ft.santini(unnamed, runs, **FAST)
    assert (found.people, found.over, len(found.individuals())) == (None, ("query",), 0)
    assert (found.structure, found.communities, len(found.parting("x", "y"))) == (None, None, 0)
    frame = found.to_frame(full=True)
    assert frame["people"].isna().all()
    assert (frame["n_subjects"] == 0).all()
    ends = found.scores.summary()[["lower", "upper"]]
    np.testing.assert_allclose(frame[["lower", "upper"]], ends)
    said = flat(found)
    assert "for nobody is named; memberships are all that is known." in said
    assert "own truths" not in said
    assert labels_of(found.plot()) == labels_of(found.plot(query="i2")) == ["averaged first"]


def test_structure_is_left_out_of_weighted_votes(votes, runs) -> None:
    """Else as many permutations are named as were made."""
    frame = votes.to_frame()[COLUMNS]
    weighted = frame.assign(weight=np.arange(len(frame)) % 2 + 1.0)
    found = ft.santini(weighted, runs, taxonomy=TREE, **FAST)
    why = "votes: they have different weights, and structure is about who gave which vote, each "
    why += "counting alike; leave the weights out."
    assert [*found.left_out[1:]] == [f"Left out: {x}, {why}" for x in ("structure", "communities")]
    assert found.comparison.conditions.n_permutations == 0
    few = ft.santini(votes, runs, **FAST).comparison.conditions
    assert "known from 9 permutations of each item's votes" in few.shared_items


def test_why_there_are_no_communities() -> None:
    """What `communities` cannot say of few people or items is left out; nothing else is."""
    for n_people in (5, 8):
        found = ft.santini(crowd(n_people), lists_of(), **FAST)
        (line,) = (one for one in found.left_out if one.startswith("Left out: communities, "))
        with pytest.raises(ft.errors.DataError) as error:
            communities(ft.Assignments.from_frame(crowd(n_people)))
        assert line == f"Left out: communities, {str(error.value).removeprefix('communities: ')}."
        assert found.communities is None
        assert found.structure.n_subjects == n_people


def opposite_groups() -> ft.results.Santini:
    """Each system serves ten of twenty people."""
    items = [f"i{j:02}" for j in range(30)]
    kinds = {"x": [j // 10 for j in range(30)], "y": [j % 3 for j in range(30)]}
    rows = [
        (f"s{s:02}", item, f"c{kinds['x' if s < 10 else 'y'][j]}")
        for s in range(20)
        for j, item in enumerate(items)
    ]
    runs = {
        name: {
            query: {item: float(kind[i] == kind[q]) for i, item in enumerate(items) if i != q}
            for q, query in enumerate(items)
        }
        for name, kind in kinds.items()
    }
    votes = pd.DataFrame(rows, columns=COLUMNS)
    return ft.santini(votes, runs, **FAST | {"k": 5, "n_permutations": 39})


def test_two_opposite_groups(drawn) -> None:
    """Memberships hide them; screen and page say that own truths part, and for how many."""
    found = opposite_groups()
    said = flat(found)
    assert found.structure.shown
    assert "Is disagreement structural? Yes: who gave which vote matters" in said
    own = found.people.mean(by="subject")["P@5"].unstack("system")
    gap = (own["x"] - own["y"]).tolist()
    assert min(gap[:10]) > 0.5
    assert max(gap[10:]) < -0.5
    means = found.to_frame().query("measure == 'P@5'")
    assert (means["people"] - means["memberships"]).min() > 0.09  # what the formulas miss
    assert "With each item's votes exchanged between people, the mean P@5 by own truths" in said
    assert re.search(r"[xy] is better for 10 of the people, [xy] for 10\.", said)
    (verdict, *_) = (one for one in santini_page(found, None).sections if one.name == "answer")
    lines = [line for part in verdict.parts for line in getattr(part, "lines", ())]
    for text in (said, " ".join(" ".join(lines).split())):
        assert (
            "P@5: the people's truths part. Significant for 20 of 20 alone over queries, in" in text
        )
        assert "R@5: the people's truths part." in text
        assert re.search(
            r"[xy] is better for at least 10 of them and [xy] for at least 10 \(simultaneous",
            text,
        )
        assert re.search(r"sd over people 0\.75, by chance 0\.\d+\) describes neither group", text)
        assert "By people's own truths" not in text  # which would say it twice
    assert "permutations)." in said.partition("With each item's votes exchanged")[2]


def test_groups_of_people_are_shown(drawn) -> None:
    """Seven and five people with kinds of their own, and some noise."""
    rng = np.random.default_rng(1)
    kinds = rng.integers(0, 4, (2, 60))
    rows = [
        (f"s{s:02}", f"i{j:02}", f"c{kind if rng.random() < 0.8 else rng.integers(0, 4)}")
        for s in range(12)
        for j, kind in enumerate(kinds[int(s >= 7)])
    ]
    votes = pd.DataFrame(rows, columns=COLUMNS)
    found = ft.santini(votes, lists_of(60, 3), **FAST | {"n_permutations": 39})
    assert sorted(map(len, found.communities.groups.values())) == [5, 7]
    group = found.communities.by_subject
    assert all(group.get(a) != group.get(b) or a not in group for a, b in found.structure.copies)
    said = flat(found)
    assert "Do people form communities? 2 groups of 7 and 5 of 12 subjects (p = 0.025" in said
    assert "group 2: s07, s08, s09, s10, s11" in said
    assert not any("communities" in line for line in found.left_out)
    (section,) = (one for one in santini_page(found, None).sections if one.name == "communities")
    assert section.parts[0].lines == (found.communities.verdict(),)
    assert drawn["communities"].title == found.communities._plot_data("agreement_matrix").title


def test_directions_of_one_group(found) -> None:
    """Lower bounds of `Comparison.directions`; none, where none is shown."""
    alike = ft.santini(crowd(9), lists_of(24, 12), **FAST)
    bounds = []
    for result in (found, alike):
        table = result.comparison.directions().query("measure == 'P@3'").iloc[0]
        n = {table["system_a"]: table["at_least_a"], table["system_b"]: table["at_least_b"]}
        bounds.append((n["x"], n["y"]))
        people, said = len(result.people.subjects), flat(result)
        line = (
            f"x is better for at least {n['x']} of {people} people; y is not shown to be "
            "better for any"
            if max(n.values())
            else "neither x nor y is shown to be better for anybody"
        )
        assert f"By people's own truths (P@3), {line} (simultaneous 95 %)." in said
        spread = result.structure.differences.query("measure == 'P@3'").iloc[0]
        assert "The spread of the difference on P@3 over people" in said
        by_chance = f"(sd {spread['sd']:.3f}, by chance {spread['sd_permuted']:.3f}) may be"
        assert by_chance in said
        assert f", {result.structure.n_scored} permutations." in said.partition(by_chance)[2]
    assert bounds[0] == (0, 0)
    assert bounds[1][0] > 0 == bounds[1][1]


def shares(told: list[float]) -> Iterator[bool]:
    return (one < two for one, two in pairwise(told))


def test_progress_and_warnings(votes, runs) -> None:
    told: list[float] = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = ft.santini(votes, runs, progress=told.append, **FAST)
        found.distributions("i0")
        print(found)
    assert all(shares(told))
    assert told[-1] == 1
    where = [warning for warning in caught if issubclass(warning.category, ft.FuzzytruthWarning)]
    assert len(where) == len({str(warning.message) for warning in where})  # nothing twice
