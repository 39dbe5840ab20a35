"""Class scores against enumeration of worlds."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from support.small_collections import FIGURE_1, categories_and_answers
from support.worlds_of_items import ballots, subtree

import fuzzytruth as ft


@pytest.mark.parametrize("seed", range(8))
def test_sets_by_enumerating_worlds(seed: int) -> None:
    tax, frame, answers = categories_and_answers(seed)
    votes = ft.Assignments.from_frame(frame, taxonomy=tax)
    given = ballots(frame)
    result = ft.class_scores(votes, answers, categories=tax.nodes)
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


def test_only_exactly_so_called() -> None:
    answers = pd.DataFrame({"item": ["i"], "category": ["city"]})
    assert (
        ft.class_scores(small(), answers, categories="scenery").precision("scenery").mean() == 0.5
    )
    exact = ft.class_scores(small(), answers, categories=["scenery"], below=False)
    assert exact.precision("scenery").values.tolist() == [0.0]


def test_what_is_left_out_is_said() -> None:
    answers = pd.DataFrame({"item": ["i", "unknown"], "category": ["city", "city"]})
    with pytest.warns(ft.FuzzytruthWarning, match="left out: 1 of 2 answers, on items"):
        ft.class_scores(small(), answers)
    with pytest.raises(ft.DataError, match="answers: none of the items has votes"):
        ft.class_scores(small(), answers.iloc[[1]])
    with pytest.raises(ft.FuzzytruthError, match=r"citty.*city"):
        ft.class_scores(small(), answers.replace("city", "citty"))
    with pytest.raises(ft.DataError, match=r"row 2 .* twice \(first: answers, row 1 \(index 0\)\)"):
        ft.class_scores(small(), answers.iloc[[0, 0]])


def test_nobody_was_asked() -> None:
    tax = ft.Taxonomy.from_children(FIGURE_1)
    asked = pd.DataFrame({"subject": ["s"], "item": ["i"], "category": ["city"]})
    votes = ft.Assignments.from_frame(asked, taxonomy=tax, asked=asked)
    answers = pd.DataFrame({"item": ["i"], "category": ["crowd"]})
    with pytest.warns(ft.FuzzytruthWarning, match=r"nobody was asked .* for 1 of 1 assignment;"):
        result = ft.class_scores(votes, answers)
    assert result.precision("crowd").mean() == 0.0


def test_columns_of_probabilities_are_refused() -> None:
    tree = ft.Taxonomy.from_children({"all": ["cat", "dog"]})
    votes = ft.Assignments.from_frame(
        {"subject": ["s"], "item": ["a"], "category": ["cat"]}, taxonomy=tree
    )
    answers = {"item": ["a"], "cat": [0.9], "dog": [0.1]}
    with pytest.raises(ft.DataError, match=r"categories \('cat', 'dog'\);.*idxmax"):
        ft.class_scores(votes, pd.DataFrame(answers))
    named = pd.DataFrame({"item": ["a", "x"], "cat": ["cat", "dog"]})
    with pytest.warns(ft.errors.UnjudgedItemWarning, match="1 of 2 answers, .* votes: 'x'"):
        ft.class_scores(votes, named, columns={"category": "cat"})
