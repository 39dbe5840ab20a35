"""Assignments: what they accept, what they refuse, and what comes back."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.small_collections import DAG, FIGURE_1, make_votes, random_votes
from support.worlds_of_items import ballots

import fuzzytruth as ft
from fuzzytruth.errors import UnjudgedItemWarning, UnusedColumnWarning

TAX = ft.Taxonomy.from_children(FIGURE_1)
COLUMNS = ["subject", "item", "category"]
WEIGHTED = [*COLUMNS, "weight"]
FLAT = [("s", "i", "dog"), ("t", "i", "cat"), ("t", "j", "dog")]


def frame(*rows: tuple[object, ...], columns: list[str] = COLUMNS) -> pd.DataFrame:
    return pd.DataFrame(list(rows), columns=columns)


@pytest.mark.parametrize("seed", range(3))
def test_ballots_equal_grouping_of_rows(seed: int) -> None:
    rows = random_votes(np.random.default_rng(seed), TAX)
    votes = ft.Assignments.from_frame(rows.sample(frac=1, random_state=seed), taxonomy=TAX)
    items, names = votes.items.to_pylist(), votes.set_names()
    got: dict[str, list[tuple[float, frozenset[str]]]] = {}
    for item, label_set, weight in zip(votes.item, votes.label_set, votes.weight, strict=True):
        name = names[label_set]
        categories = frozenset([name] if isinstance(name, str) else name)
        got.setdefault(items[item], []).append((float(weight), categories))
    want = ballots(rows)
    for of_item in (*got.values(), *want.values()):
        of_item.sort(key=lambda ballot: (ballot[0], sorted(ballot[1])))
    assert got == want
    pairs = list(zip(votes.item.tolist(), votes.subject.tolist(), strict=True))
    assert pairs == sorted(pairs)
    back = votes.to_frame().sort_values(COLUMNS).reset_index(drop=True)
    rows = rows.sort_values(COLUMNS).reset_index(drop=True)
    pd.testing.assert_frame_equal(back, rows, check_dtype=False)


def test_labels_without_a_taxonomy() -> None:
    votes = ft.Assignments.from_frame(frame(*FLAT))
    assert votes.taxonomy == ft.Taxonomy.flat(["cat", "dog"])
    assert votes.membership().direct("i") == {"cat": 0.5, "dog": 0.5}
    again = ft.Assignments.from_columns(*zip(*FLAT, strict=True))
    assert again.taxonomy == votes.taxonomy
    questions = frame(*FLAT, ("s", "j", "ant"))
    asked = ft.Assignments.from_frame(frame(*FLAT), asked=questions)
    assert asked.taxonomy.nodes == ("all", "ant", "cat", "dog")
    root = ft.Assignments.from_frame(frame(("s", "i", "all"), ("s", "j", "(all)"))).taxonomy.root
    assert root == "((all))"


def test_a_column_of_counts() -> None:
    rows = frame(
        ("i", "dog", 2), ("i", "cat", 1), ("j", "dog", 4), columns=["item", "category", "count"]
    )
    votes = ft.Assignments.from_frame(rows)
    assert repr(votes) == "Assignments(7 votes, 2 items, 2 categories, no names)"
    assert len(votes) == 7
    want = ft.Assignments.from_counts([[1, 2], [0, 4]], items=["i", "j"], categories=["cat", "dog"])
    pd.testing.assert_frame_equal(votes.to_frame(), want.to_frame())
    again = ft.Assignments.from_frame(votes.to_frame())
    pd.testing.assert_frame_equal(again.to_frame(), want.to_frame())
    people = [(f"{i}{c}{k}", i, c) for i, c, n in rows.to_numpy() for k in range(n)]
    named = ft.Assignments.from_frame(frame(*people))
    for measure in ("agreement", "entropy", "category_agreement"):
        got, each = (getattr(v.membership(), measure)() for v in (votes, named))
        pd.testing.assert_series_equal(got, each)


def row_of(**change: Any) -> pd.DataFrame:
    row = {"subject": "s", "item": "i", "category": "people", "weight": 1.0}
    return pd.DataFrame([row | change, row | {"subject": "t"}])


TWICE = frame(("s", "i", "city"), ("s", "i", "city"))
DIFFER = frame(("s", "i", "city", 1.0), ("s", "i", "crowd", 2.0), columns=WEIGHTED)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (row_of(category="peple"), r"peple.*people"),
        (row_of(category=None), r"row 1 \(index 0\), column 'category': the id is missing"),
        (row_of(weight=-1.0), r"row 1 \(index 0\), column 'weight': value -1 must be above 0"),
        (row_of(weight=float("nan")), "not a finite number"),
        (row_of(item=""), "the id is empty"),
        (TWICE, r"row 2 \(index 1\): .*'city' twice \(first: votes, row 1 \(index 0\)\)"),
        (
            TWICE,
            r"the repetition in a column 'repeat'; or say which counts: duplicates='first' ",
        ),
        (TWICE.assign(repeat=1), r"'city' twice in repeat '1' \(first: votes, row 1"),
        (TWICE.assign(repeat=[1, 2], weight=[1, 2]), "different weights"),
        (DIFFER, r"different weights \(2 and 1\)"),
        (TWICE.iloc[:0], "no votes"),
        (TWICE.drop(columns="category"), r"^votes: no column for 'category'"),
        (TWICE[["item", "category"]], "no column for 'subject' or 'count'"),
    ],
)
def test_votes_that_are_refused(given: pd.DataFrame, message: str) -> None:
    with pytest.raises(ft.FuzzytruthError, match=message):
        ft.Assignments.from_frame(given, taxonomy=TAX)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"subject": ["s"]}, "^votes: column 'count' is for votes without names, and there is"),
        ({"weight": [1]}, "and there is 'weight' too; leave out one of the two"),
        ({"count": [1.5]}, "'count': value 1.5 is not a number of people"),
        ({"count": [-1]}, "^votes, row 1, column 'count': value -1 is not a number"),
        ({"count": [0]}, "^votes: all numbers of 1 item are 0"),
        ({"count": None}, "^subject=None: give a column of subjects, or count$"),
        ({"count": [1, 2]}, r"^votes: columns differ in length: \[1, 2\]$"),
        (
            {"subject": ["s", "t"], "count": None},
            r"^votes: columns differ in length: {'subject': 2, 'i",
        ),
    ],
)
def test_counts_that_are_refused(columns: dict[str, Any], message: str) -> None:
    given = {"subject": None, "item": ["i"], "category": ["a"], "count": [1]} | columns
    with pytest.raises(ft.FuzzytruthError, match=message):
        ft.Assignments.from_columns(**given)


def test_what_cannot_be_answered() -> None:
    counts, named = ft.Assignments.from_counts([[2, 1]]), ft.Assignments.from_frame(frame(*FLAT))
    soft = ft.Membership.from_probabilities([[0.5, 0.5]])
    repeated = TWICE.assign(repeat=[1, 2])
    assert len(ft.Assignments.from_frame(repeated)) == 2
    for ask, message in (
        (lambda: counts.categorisation("ann"), "^categorisation: these are counts of votes with"),
        (lambda: counts.membership().resampled(), "^resampled: these are counts of votes without"),
        (lambda: soft.resampled(), "^resampled: these are probabilities without names"),
        (lambda: soft.agreement(), "^agreement: probabilities do not say how many people"),
        (lambda: soft.category_agreement(), "do not say how many people voted"),
        (lambda: counts.self_agreement(), "^self_agreement: these are counts of votes without"),
        (
            lambda: named.self_agreement(),
            r"name the repetitions in a column 'repeat'$",
        ),
        (lambda: named.membership().probability("x", "dog"), "nobody voted on item 'x'"),
        (
            lambda: ft.Assignments.from_frame(repeated, asked=TWICE.iloc[:1]),
            "repeated votes cannot have a table of asked",
        ),
        (lambda: ft.Assignments.from_frame(TWICE, asked=3), r"^asked=3: must be a DataFrame"),  # type: ignore[arg-type]
    ):
        with pytest.raises(ft.FuzzytruthError, match=message):
            ask()


def test_repetitions_share_the_weight_of_their_subject() -> None:
    names = [*WEIGHTED, "repeat"]
    rows = [("s", "i", "a", 2.0, "x"), ("s", "i", "b", 2.0, "x"), ("s", "i", "a", 2.0, "y")]
    rows += [("s", "i", "a", 2.0, "z"), ("t", "i", "b", 1.0, "x"), ("s", "j", "b", 1.0, "y")]
    given = frame(*rows, columns=names)
    votes = ft.Assignments.from_frame(given.sample(frac=1, random_state=0))
    assert repr(votes).endswith("2 categories, with repeats)")
    direct = {"a": 4 / 9, ("a", "b"): 2 / 9, "b": 3 / 9}
    assert votes.membership().direct("i") == pytest.approx(direct)
    got, want = (t.sort_values(names).reset_index(drop=True) for t in (votes.to_frame(), given))
    pd.testing.assert_frame_equal(got, want, check_dtype=False)
    assert votes.categorisation("t") == {"i": "b"}
    with pytest.raises(ft.errors.DataError, match=r"subject 's' judged item 'i' repeatedly"):
        votes.categorisation("s")


@pytest.mark.parametrize("seed", range(3))
def test_plurality_is_the_largest_weight(seed: int) -> None:
    tax = ft.Taxonomy.from_children(DAG)
    rows = make_votes(seed, tax, weights=True, several=True)
    total = rows.groupby(["item", "category"])["weight"].sum()
    want = {}
    for item, weights in total.groupby("item"):
        of = weights.droplevel("item")
        want[item] = min(of.index[of == of.max()], key=tax.nodes.index)
    votes = ft.Assignments.from_frame(rows.sample(frac=1, random_state=seed), taxonomy=tax)
    assert votes.plurality() == want


def test_ties_of_the_plurality_and_items_without_one() -> None:
    tax = ft.Taxonomy.from_children({"all": ["dog", "cat", "cow"]})
    given = ["cat", "dog", "dog", "cat", "cow", "cow", "dog", "cow"]
    for subjects in ("stuv", "vuts"):
        votes = ft.Assignments.from_columns([*subjects] * 2, [*"iiiijjjj"], given, taxonomy=tax)
        best = votes.plurality()
        assert (best.share.tolist(), best.tied.tolist()) == ([0.5, 0.75], [2, 1])
        assert best == {"i": "dog", "j": "cow"}
    asked = frame(("s", "i", "dog"), ("s", "j", "dog"))
    votes = ft.Assignments.from_frame(asked.iloc[:1], taxonomy=tax, asked=asked)
    with pytest.warns(UnjudgedItemWarning, match=r"^plurality: left out: 1 item to which nobody"):
        assert votes.plurality() == {"i": "dog"}


def test_columns_that_are_not_used() -> None:
    rows = pd.DataFrame({"image": ["i", "i"], "label": ["cat", "dog"], "rater": ["ann", "bob"]})
    message = r"^votes: not used: 'answer'; every row counts .* category \('label'\)"
    with pytest.warns(UnusedColumnWarning, match=message):
        ft.Assignments.from_frame(rows.assign(answer=["yes", "no"]))
    with pytest.warns(UnusedColumnWarning, match=r"not used: 'count', as there is 'rater'"):
        votes = ft.Assignments.from_frame(rows.assign(count=2))
    assert votes.subject_names == ("ann", "bob")
    with pytest.raises(ft.FuzzytruthError, match="count"):
        ft.Assignments.from_frame(rows.assign(n=2), columns={"count": "n"})


class TestFiles:
    def test_the_taxonomy_and_who_was_asked_may_be_files(self, tmp_path: Path) -> None:
        path = tmp_path / "votes.csv"
        TAX.write(tmp_path / "tax.txt")
        frame(*FLAT).replace({"dog": "city", "cat": "crowd"}).assign(weight=2).to_csv(path)
        votes = ft.read_assignments(path, taxonomy=tmp_path / "tax.txt", asked=path)
        assert votes.taxonomy == TAX
        assert votes.weight.tolist() == [2, 2, 2]
        assert votes.asked is not None
        with pytest.raises(
            ft.errors.DataError, match=r"\.txt: votes need named columns \(subject, item,"
        ):
            ft.read_assignments(tmp_path / "tax.txt", taxonomy=TAX)

    @pytest.mark.parametrize(
        ("votes", "asked", "message"),
        [
            ("s,i,c", "s,i,c", r"votes\.csv, line 3, column 'category': .*'c'"),
            ("s,i,crowd", "s,i,c", r"asked\.csv, line 3, column 'category': .*'c'"),
            ("s,i,city", "s,i,all", r"votes\.csv, line 3: .* twice \(first: .*votes\.csv, line 2"),
            ("u,i,city", "s,i,all", r"votes\.csv, line 3: subject 'u' gives .* was not asked"),
        ],
    )
    def test_errors_name_the_line(
        self, tmp_path: Path, votes: str, asked: str, message: str
    ) -> None:
        paths = tmp_path / "votes.csv", tmp_path / "asked.csv"
        for path, line in zip(paths, (votes, asked), strict=True):
            path.write_text(f"subject,item,category\ns,i,city\n{line}\n")
        with pytest.raises(ft.errors.DataError, match=message):
            ft.read_assignments(paths[0], taxonomy=TAX, asked=paths[1])


def test_duplicates_of_votes() -> None:
    rows = [("ann", "i", "cat"), ("bob", "i", "cat"), ("ann", "i", "dog"), ("bob", "j", "dog")]
    frame = pd.DataFrame(rows, columns=["subject", "item", "category"])
    both = ft.Assignments.from_frame(frame)
    assert both.categorisation("ann") == {"i": ("cat", "dog")}
    for how, category in (("first", "cat"), ("last", "dog")):
        with pytest.warns(ft.errors.LeftOutWarning, match=f"votes: 1 row of 4 .*the {how} is kept"):
            votes = ft.Assignments.from_frame(frame.assign(weight=[1, 2, 3, 4]), duplicates=how)
        assert votes.categorisation("ann") == {"i": category}
        assert votes.weight.tolist() == ([1, 2, 4] if how == "first" else [2, 3, 4])
    again = ft.Assignments.from_frame(pd.concat([frame, frame[:1]]), duplicates="repeat")
    assert again.self_agreement()["n_pairs"].tolist() == [3, 0]
    assert again.weight.sum() == pytest.approx(3)
    counts = frame.drop(columns="subject").assign(count=1)[1:]
    for table, how, message in (
        (pd.concat([frame, frame[:1]]), "error", "or say which counts: duplicates='first'"),
        (frame, "mean", "duplicates='mean': must be one of 'error', 'first', 'last', 'repeat'"),
        (counts, "last", "is for votes of single people, and these are counts"),
        (frame.assign(repeat="r"), "repeat", "there is a column 'repeat' already"),
    ):
        with pytest.raises(ft.FuzzytruthError, match=message):
            ft.Assignments.from_frame(table, duplicates=how)
