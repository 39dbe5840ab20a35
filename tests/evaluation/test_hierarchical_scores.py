"""Hierarchical precision and recall against a walk over ballots."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from support.small_collections import FIGURE_1, categories_and_answers
from support.worlds_of_items import ballots, subtree

import fuzzytruth as ft


@pytest.mark.parametrize("seed", range(6))
def test_hierarchical_by_walking_ballots(seed: int) -> None:
    tax, frame, answers = categories_and_answers(seed)
    votes = ft.Assignments.from_frame(frame, taxonomy=tax)
    given = ballots(frame)

    def above(names: frozenset[str]) -> set[str]:
        return {n for n in tax.nodes if subtree(tax, n) & names and n != tax.root}

    micro = ft.hierarchical_scores(votes, answers).set_index("system")
    macro = ft.hierarchical_scores(votes, answers, average="macro").set_index("system")
    for system in ("a", "b"):
        called = answers[answers.system == system].set_index("item")["category"]
        shared = voted = answered = 0.0
        p, r = [], []
        for item, of in given.items():
            answer = above(frozenset({called[item]}))
            total = sum(w for w, _ in of)
            overlap = sum(w / total * len(answer & above(b)) for w, b in of)
            shared, answered = shared + overlap, answered + len(answer)
            voted += sum(w / total * len(above(b)) for w, b in of)
            p.append(overlap / len(answer) if answer else 0.0)
            r.append(
                sum(w / total * len(answer & above(b)) / len(above(b)) for w, b in of if above(b))
            )
        want = shared / answered if answered else 0.0
        assert micro.loc[system, "precision"] == pytest.approx(want, abs=1e-12)
        want = shared / voted if voted else 0.0
        assert micro.loc[system, "recall"] == pytest.approx(want, abs=1e-12)
        assert macro.loc[system, "precision"] == pytest.approx(np.mean(p), abs=1e-12)
        assert macro.loc[system, "recall"] == pytest.approx(np.mean(r), abs=1e-12)


def test_by_hand() -> None:
    """City is below scenery: the answer shares one of two categories with one of two votes."""
    tax = ft.Taxonomy.from_children(FIGURE_1)
    frame = pd.DataFrame(
        {"subject": ["s", "t"], "item": ["i", "i"], "category": ["countryside", "crowd"]}
    )
    votes = ft.Assignments.from_frame(frame, taxonomy=tax)
    scores = ft.hierarchical_scores(votes, pd.DataFrame({"item": ["i"], "category": ["city"]}))
    assert scores.values.tolist() == [["system", 1, 0.25, 0.25, 0.25]]


def test_the_root_alone_says_nothing() -> None:
    tax = ft.Taxonomy.from_children(FIGURE_1)
    frame = pd.DataFrame({"subject": ["s"], "item": ["i"], "category": ["all"]})
    votes = ft.Assignments.from_frame(frame, taxonomy=tax)
    answers = pd.DataFrame({"item": ["i"], "category": ["all"]})
    for average in ("micro", "macro"):
        scores = ft.hierarchical_scores(votes, answers, average=average)
        assert scores.values.tolist() == [["system", 1, 0, 0, 0]]


def test_errors() -> None:
    tax = ft.Taxonomy.from_children(FIGURE_1)
    asked = pd.DataFrame({"subject": ["s"], "item": ["i"], "category": ["city"]})
    votes = ft.Assignments.from_frame(asked, taxonomy=tax, asked=asked)
    with pytest.raises(ft.DataError, match="asked about some categories only"):
        ft.hierarchical_scores(votes, pd.DataFrame({"item": ["i"], "category": ["crowd"]}))
    with pytest.raises(ft.OptionError, match="average='mean'"):
        ft.hierarchical_scores(votes, asked, average="mean")
