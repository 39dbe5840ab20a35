"""Class and hierarchical scores against every vote of every item."""

import itertools
from collections import defaultdict
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support.small_collections import FIGURE_1, categories_and_answers, random_graph, random_votes
from support.worlds_of_items import ballots, subtree

import fuzzytruth as ft


@pytest.mark.parametrize("seed", range(4))
def test_sets_by_enumerating_worlds(seed: int) -> None:
    tax, frame, answers = categories_and_answers(seed)
    votes = ft.Assignments.from_frame(frame, taxonomy=tax)
    given = ballots(frame)
    result = ft.classification.class_scores(votes, answers, categories=tax.nodes)
    table = result.to_frame().set_index(["system", "category"])
    for system in ("a", "b"):
        called = answers[answers.system == system].set_index("item")["category"]
        for category in tax.nodes:
            below = subtree(tax, category)
            inside = {i for i in given if called[i] in below}
            chances, values = [], []
            for drawn in itertools.product(*given.values()):
                totals = [sum(w for w, _ in b) for b in given.values()]
                chances.append(np.prod([b[0] / t for b, t in zip(drawn, totals, strict=True)]))
                true = {i for i, b in zip(given, drawn, strict=True) if b[1] & below}
                hits = len(true & inside)
                size = len(inside) + len(true)
                values.append(
                    (
                        hits / len(inside) if inside else 0.0,
                        hits / len(true) if true else 0.0,
                        2 * hits / size if size else 0.0,
                    )
                )
            laws = (
                result.precision(category, system),
                result.recall(category, system),
                result.f(category, system),
            )
            for law, column, name in zip(
                laws, np.array(values).T, ("precision", "recall", "f1"), strict=True
            ):
                want = ft.Distribution.from_atoms(column, chances)
                np.testing.assert_allclose(law.values, want.values, atol=1e-12)
                np.testing.assert_allclose(law.probabilities, want.probabilities, atol=1e-12)
                assert table.loc[(system, category), name] == pytest.approx(want.mean(), abs=1e-12)
            assert table.loc[(system, category), "n"] == len(inside)


def small() -> ft.Assignments:
    frame = pd.DataFrame({"subject": ["s", "t"], "item": ["i", "i"], "category": ["city", "crowd"]})
    return ft.Assignments.from_frame(frame, taxonomy=ft.Taxonomy.from_children(FIGURE_1))


def test_what_is_left_out_or_refused_is_said() -> None:
    answers = pd.DataFrame({"item": ["i", "unknown"], "category": ["city", "city"]})
    with pytest.warns(ft.FuzzytruthWarning, match="left out: 1 of 2 answers, on items.*'unknown'"):
        ft.classification.class_scores(
            small(), answers.rename(columns={"category": "c"}), columns={"category": "c"}
        )
    votes = pd.DataFrame({"subject": ["s"], "item": ["i"], "category": ["city"]})
    asked = ft.Assignments.from_frame(votes, taxonomy=TREE, asked=votes)
    with pytest.warns(ft.FuzzytruthWarning, match=r"nobody was asked .* for 1 of 1 assignment;"):
        ft.classification.class_scores(asked, pd.DataFrame({"item": ["i"], "category": ["crowd"]}))
    for wrong, words in (
        (answers.iloc[[1]], "answers: none of the items has votes"),
        (answers.replace("city", "citty"), r"citty.*city"),
        (answers.iloc[[0, 0]], r"row 2 .* twice \(first: answers, row 1 \(index 0\)\)"),
        (
            pd.DataFrame({"item": ["i"], "city": [0.9], "crowd": [0.1]}),
            r"\('city', 'crowd'\);.*idxmax",
        ),
    ):
        with pytest.raises(ft.FuzzytruthError, match=words):
            ft.classification.class_scores(small(), wrong)
    with pytest.raises(
        ft.errors.OptionError, match="average='mean': must be one of 'micro', 'macro'"
    ):
        ft.classification.hierarchical_scores(small(), answers.iloc[[0]], average="mean")


TREE = ft.Taxonomy.from_children(FIGURE_1)


def stands_for(tax, categories) -> set[str]:
    """The categories and all above, the root left out."""
    out, left = set(), list(categories)
    while left:
        name = left.pop()
        if name not in out and name != tax.root:
            out.add(name)
            left.extend(tax.parents(name))
    return out


def brute(tax, votes, answered):
    """(micro, macro) precision and recall of {item: categories}."""
    ballots = defaultdict(lambda: defaultdict(set))
    weight = {}
    for row in votes.itertuples():
        ballots[row.item][row.subject].add(row.category)
        weight[row.item, row.subject] = Fraction(row.weight)
    sums, shares = np.array([Fraction(0)] * 3), np.array([Fraction(0)] * 2)
    for item, categories in answered.items():
        answer = stands_for(tax, categories)
        whole = sum(weight[item, s] for s in ballots[item])
        for subject, named in ballots[item].items():
            vote, chance = stands_for(tax, named), weight[item, subject] / whole
            common = len(answer & vote)
            sums += chance * np.array([common, len(answer), len(vote)])
            shares[0] += chance * Fraction(common, len(answer)) if answer else 0
            shares[1] += chance * Fraction(common, len(vote)) if vote else 0
    micro = [sums[0] / below if below else Fraction(0) for below in sums[1:]]
    return micro, (shares / len(answered)).tolist()


def f1(precision, recall) -> float:
    return float(2 * precision * recall / (precision + recall)) if precision + recall else 0.0


@settings(max_examples=40)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_every_vote_of_every_item(seed, tree) -> None:
    rng = np.random.default_rng(seed)
    tax = random_graph(rng, tree=tree)
    votes = random_votes(rng, tax)
    # One weight a ballot: that of its last row.
    votes["weight"] = votes.groupby(["item", "subject"])["weight"].transform("last")
    items = votes["item"].unique()
    answers = {
        system: {
            item: rng.choice(tax.nodes, size=min(len(tax), 2), replace=False).tolist()
            for item in rng.permutation(items)[: rng.integers(1, len(items) + 1)].tolist()
        }
        for system in ("one", "two")
    }
    frame = pd.DataFrame(
        [(s, i, c) for s, own in answers.items() for i, named in own.items() for c in named],
        columns=["system", "item", "category"],
    )
    truth = ft.Assignments.from_frame(votes, taxonomy=tax)
    tables = [
        ft.classification.hierarchical_scores(truth, frame, average=average).set_index("system")
        for average in ("micro", "macro")
    ]
    for system, own in answers.items():
        for table, (precision, recall) in zip(tables, brute(tax, votes, own), strict=True):
            expected = [len(own), float(precision), float(recall), f1(precision, recall)]
            np.testing.assert_allclose(table.loc[system].tolist(), expected, atol=1e-12)


def votes_of(*rows) -> ft.Assignments:
    frame = pd.DataFrame(rows, columns=["subject", "item", "category"])
    return ft.Assignments.from_frame(frame, taxonomy=TREE)


def scored(truth, *rows, average="micro"):
    answers = pd.DataFrame(rows, columns=["item", "category"])
    return (
        ft.classification.hierarchical_scores(truth, answers, average=average).iloc[0, 2:].tolist()
    )


def test_by_hand() -> None:
    truth = votes_of(("s", "i", "city"), ("s", "j", "crowd"))
    assert scored(truth, ("i", "city")) == [1, 1, 1]
    assert scored(truth, ("i", "countryside")) == [0.5, 0.5, 0.5]  # scenery of two
    assert scored(truth, ("i", "scenery")) == pytest.approx([1, 0.5, 2 / 3])
    assert scored(truth, ("i", "crowd")) == [0, 0, 0]
    root = votes_of(("s", "i", "all"), ("s", "j", "city"))
    for average, answer in itertools.product(("micro", "macro"), (("i", "city"), ("j", "all"))):
        assert scored(root, answer, average=average) == [0, 0, 0]  # which says nothing
    both = (("i", "scenery"), ("j", "city"))
    assert scored(truth, *both) == pytest.approx([1 / 3, 1 / 4, 2 / 7])
    assert scored(truth, *both, average="macro") == pytest.approx([0.5, 0.25, 1 / 3])


def test_votes_without_names() -> None:
    rows = [("s", "a", "cat"), ("t", "a", "dog"), ("u", "a", "cat"), ("s", "b", "dog")]
    frame = pd.DataFrame(rows, columns=["subject", "item", "category"])
    tax = ft.Taxonomy.from_children({"all": ["pet"], "pet": ["cat", "dog"]})
    answers = pd.DataFrame({"item": ["a", "b"], "category": ["cat", "pet"]})
    want = ft.classification.hierarchical_scores(
        ft.Assignments.from_frame(frame, taxonomy=tax), answers
    )
    counts = frame.groupby(["item", "category"]).size().rename("count").reset_index()
    counted = ft.Assignments.from_counts(counts, taxonomy=tax)
    shares = counts.assign(probability=[2 / 3, 1 / 3, 1.0])[["item", "category", "probability"]]
    soft = ft.Membership.from_probabilities(shares, taxonomy=tax)
    for truth in (counted, counted.membership(), soft):
        pd.testing.assert_frame_equal(ft.classification.hierarchical_scores(truth, answers), want)
        named = ft.classification.class_scores(
            ft.Assignments.from_frame(frame, taxonomy=tax), answers
        )
        unnamed = ft.classification.class_scores(truth, answers)
        pd.testing.assert_frame_equal(unnamed.to_frame(), named.to_frame())


RNG = np.random.default_rng(2)


VOTES = ft.Assignments.from_columns(
    [*"stu"] * 60, np.repeat(np.arange(60), 3), [f"c{j}" for j in RNG.integers(0, 20, 180) // 2]
)


def answers(systems: int) -> pd.DataFrame:
    labels = [f"c{j % 10}" for j in range(60)]
    parts = [
        pd.DataFrame({"system": f"net{s}", "item": range(60), "category": labels})
        for s in range(systems)
    ]
    return pd.concat(parts)


def test_numbers_are_those_of_the_table() -> None:
    result = ft.classification.class_scores(VOTES, answers(1), categories=["c1", "c2"])
    lines = result._answer().text(80).split("\n")
    for row in result.to_frame(full=True).itertuples():
        (line,) = [line for line in lines if line.startswith(row.category)]
        want = f"{row.precision:.2f} [{row.precision_lower:.2f}, {row.precision_upper:.2f}]"
        assert want in line
        assert f"{row.f1:.2f} [{row.f1_lower:.2f}, {row.f1_upper:.2f}]" in line
    short = result.to_frame()
    assert [*short] == ["system", "category", "n", "size", "precision", "recall", "f1"]


def test_of_many_the_largest_categories() -> None:
    result = ft.classification.class_scores(VOTES, answers(3))
    text = str(result)
    assert "6 of 30 rows, those of the categories with most items" in " ".join(text.split())
    largest = result.membership.sizes()[list(result.categories)].nlargest(2).index
    assert {line.split()[1] for line in text.split("\n") if line.startswith("net")} == {*largest}
