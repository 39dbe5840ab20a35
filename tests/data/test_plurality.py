"""Strong truths by three rules, against walks along the tree, path lengths and published counts."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.small_collections import random_graph, random_votes

import fuzzytruth as ft
from fuzzytruth.data.plurality import Rule, rules_sentence

Ballots = list[tuple[set[str], float]]
PETS = ft.Taxonomy.from_nested(
    {"all": {"animal": ["dog", "bird", "cat"], "vehicle": ["car"]}}
)  # fmt: skip


def drawn(seed: int, *, tree: bool, several: bool = True) -> tuple[ft.Assignments, Any]:
    """Votes, and the label sets and weights of each item."""
    rng = np.random.default_rng(seed)
    tax = random_graph(rng, tree=tree)
    rows = random_votes(rng, tax)
    if not several:
        rows = rows.drop_duplicates(["subject", "item"])
    ballots: dict[str, Ballots] = {}
    for (item, _), ballot in rows.groupby(["item", "subject"], sort=False):
        ballots.setdefault(str(item), []).append(
            (set(ballot["category"]), ballot["weight"].iloc[0])
        )
    return ft.Assignments.from_frame(rows, taxonomy=tax), ballots


def named(ballots: Ballots, category: str) -> float:
    return sum(weight for labels, weight in ballots if category in labels)


def mass(tax: ft.Taxonomy, ballots: Ballots, category: str) -> float:
    below = set(tax.descendants(category, include_self=True))
    return sum(weight for labels, weight in ballots if labels & below)


def top_down(tax: ft.Taxonomy, ballots: Ballots) -> tuple[str, int]:
    at, tied = tax.root, 1
    while True:
        options = {at: named(ballots, at)} | {
            child: mass(tax, ballots, child) for child in tax.children(at)
        }
        best = [name for name, weight in options.items() if weight == max(options.values())]
        tied = max(tied, len(best))
        if best[0] == at:
            return at, tied
        at = best[0]


def majority(tax: ft.Taxonomy, ballots: Ballots) -> set[str]:
    half = sum(weight for _, weight in ballots) / 2
    high = {c for c in tax.nodes if mass(tax, ballots, c) > half}
    return {c for c in high if not high & set(tax.descendants(c))}


def fewer_voted_for(tax: ft.Taxonomy, ballots: Ballots, category: str) -> bool:
    """Somewhere above the category, a branch without it has more votes than those with it."""
    path = {*tax.ancestors(category), category}
    for fork in path - {category}:
        on = [mass(tax, ballots, c) for c in tax.children(fork) if c in path]
        off = [mass(tax, ballots, c) for c in tax.children(fork) if c not in path]
        if max(off, default=0) > max(on):
            return True
    return False


@pytest.mark.parametrize("seed", range(60))
def test_all_rules_by_their_definitions(seed: int) -> None:
    votes, ballots = drawn(seed, tree=bool(seed % 2))
    tax = votes.taxonomy
    rules: tuple[Rule, ...] = ("direct", "top-down", "majority")
    found = {rule: votes.plurality(rule=rule) for rule in rules}
    fewer = 0
    for row, (item, of) in enumerate(ballots.items()):
        total = sum(weight for _, weight in of)
        most = max(named(of, c) for c in tax.nodes)
        best = [c for c in tax.nodes if named(of, c) == most]
        assert found["direct"][item] == best[0]
        assert found["direct"].tied[row] == len(best)
        assert found["direct"].share[row] == pytest.approx(most / total)
        fewer += fewer_voted_for(tax, of, best[0])
        assert (found["top-down"][item], found["top-down"].tied[row]) == top_down(tax, of)
        assert found["top-down"].share[row] == mass(tax, of, found["top-down"][item]) / total
        high = found["majority"][item]
        assert {high} if isinstance(high, str) else set(high) == majority(tax, of)
        least = min(mass(tax, of, c) for c in majority(tax, of))
        assert found["majority"].share[row] == pytest.approx(least / total)
    if tax.level[-1] > 1:
        of_all = (
            f"{fewer} of {ft.errors.counted(len(ballots), 'item')} {'lie' if fewer != 1 else ''}"
        )
        assert of_all in rules_sentence(votes)


@pytest.mark.parametrize("seed", range(40))
def test_in_trees_the_majority_is_the_median(seed: int) -> None:
    votes, ballots = drawn(seed, tree=True, several=False)
    tax, strong = votes.taxonomy, votes.plurality(rule="majority")
    for item, of in ballots.items():
        lengths = {
            c: sum(weight * tax.distance(c, label) for (label,), weight in of) for c in tax.nodes
        }
        assert lengths[strong[item]] == pytest.approx(min(lengths.values()))


def test_rules_part_and_an_inner_category_is_read_in_words() -> None:
    said = ["dog"] * 2 + ["bird"] * 2 + ["cat"] * 2 + ["car"] * 3
    votes = ft.Assignments.from_columns(range(9), ["i"] * 9, said, taxonomy=PETS)
    assert votes.plurality() == {"i": "car"}
    down, middle = votes.plurality(rule="top-down"), votes.plurality(rule="majority")
    assert (down, down.tied.tolist(), down.share.tolist()) == ({"i": "dog"}, [3], [2 / 9])
    assert middle.to_frame().values.tolist() == [
        ["i", "animal", 6 / 9, 1, "animal: yes; which: open"]
    ]
    assert "1 of 1 item lies in a branch that fewer voted for; 1 of 1 item has no leaf" in str(
        votes.plurality()
    ).replace("\n  ", " ")
    two = ft.Assignments.from_columns("st", ["i"] * 2, ["dog", "bird"], taxonomy=PETS)
    assert two.plurality(rule="majority")["i"] == "animal"  # of an exact half, neither
    assert two.plurality(rule="top-down")["i"] == "dog"


def test_repeats_and_counts_weigh_as_their_people() -> None:
    rows = [("s", "dog", 1), ("s", "dog", 2), ("s", "bird", 3), ("t", "bird", 1), ("u", "dog", 1)]
    subject, category, repeat = zip(*rows, strict=True)
    votes = ft.Assignments.from_columns(
        subject, ["i"] * 5, category, repeat=repeat, taxonomy=PETS
    )  # fmt: skip
    for rule in ("direct", "top-down", "majority"):
        assert votes.plurality(rule=rule) == {"i": "dog"}
        assert votes.plurality(rule=rule).share.tolist() == pytest.approx([5 / 9])
    counts = pd.DataFrame({"item": "i", "category": ["dog", "cat", "car"], "count": [2, 2, 3]})
    without = ft.Assignments.from_frame(counts, taxonomy=PETS)
    assert without.plurality() == {"i": "car"}
    assert without.plurality(rule="majority") == {"i": "animal"}


def test_a_set_of_categories_in_a_graph() -> None:
    tax = ft.Taxonomy.from_parents(
        {"wet": "all", "food": "all", "fish": ["wet", "food"], "ship": "wet", "bread": "food"}
    )
    votes = ft.Assignments.from_columns(
        list("stuvw"), ["i"] * 5, ["fish", "fish", "ship", "bread", "all"], taxonomy=tax
    )
    strong = votes.plurality(rule="majority")
    assert strong["i"] == ("wet", "food")
    assert strong.to_frame()["reading"].tolist() == ["wet, food: yes; which: open"]
    kept = {name for name, p in strong.votes.membership().of_item("i").items() if p == 1}
    assert kept == {"all", "wet", "food"}


@pytest.mark.parametrize(
    ("images", "apart", "fewer", "inner"), [("silhouette", 4, 4, 30), ("cue-conflict", 33, 32, 216)]
)
def test_real_votes(images: str, apart: int, fewer: int, inner: int) -> None:
    """Counts of the study of rules: .025, .025, .19 of 160; .026, .025, .17 of 1,280."""
    votes = ft.datasets.load_model_vs_human(images).votes
    direct, down = votes.plurality(), votes.plurality(rule="top-down")
    assert sum(direct[item] != down[item] for item in direct) == apart
    n = f"{len(direct):,} items"
    assert rules_sentence(votes, "majority").endswith(
        f"By direct mode, {fewer} of {n} lie in a branch that fewer voted for; {inner} of {n} have "
        "no leaf with more than half of the votes."
    )


def test_a_truth_of_one_subject() -> None:
    data = ft.datasets.load_model_vs_human("silhouette")
    strong = data.votes.plurality(rule="majority")
    scores = ft.evaluate(strong.by_item(), data.answers, "P@1")
    right = data.answers.groupby("system")["item"].agg(len) * 0
    for row in data.answers.itertuples():
        right[row.system] += row.category == strong[row.item]
    np.testing.assert_allclose(scores.mean()["P@1"], right[list(scores.systems)] / 160)
    assert strong.by_example().subjects == ("strong truth",)


def test_only_direct_where_questions_differ() -> None:
    votes = ft.datasets.load_imagenet_dogs().votes
    assert rules_sentence(votes) == "Strong truth: direct mode (the category that most votes name)."
    with pytest.raises(
        ft.errors.DataError, match=r"^rule='majority': subjects were asked about some"
    ):
        votes.plurality(rule="majority")
    with pytest.raises(ft.errors.OptionError, match="rule='mode': must be one of"):
        votes.plurality(rule="mode")  # type: ignore[arg-type]
