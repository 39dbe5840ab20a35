"""Scores by people's own truths under permuted votes, against one evaluation a permutation."""

from dataclasses import replace

import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.annotators.structure.structure import PermutedScores
from fuzzytruth.evaluation.vote_patterns import pattern_of
from fuzzytruth.stats.vote_structure import permuted
from tests.support import panels

HOW = {"missing": "exclude", "ties": "expected"}


def permuted_by_hand(votes: ft.Assignments, categories: list[str]) -> ft.Assignments:
    frame = votes.to_frame()
    return ft.Assignments.from_columns(frame["subject"], frame["item"], categories)


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.UndefinedMeasureWarning")
def test_by_example() -> None:
    rng = np.random.default_rng(0)
    votes = panels.assignments(panels.incomplete(rng, rng.integers(0, 3, (12, 4)), 0.2))
    items = votes.items.to_pylist()
    scores = rng.random((12, 12)).round(1)
    runs = ft.Runs.from_matrix({"a": scores, "b": scores.T}, queries=items, items=items)
    ratings, pattern = pattern_of(votes)
    made = PermutedScores(votes.by_example(), ratings, pattern, runs, ["P@3", "R@3"], HOW)
    draws = permuted(pattern, 5, rng)
    made.add(draws)
    frame, tables = votes.to_frame(), made._tables
    rows = ratings.row[pattern.vote]
    for draw, own in zip(draws, tables[1], strict=True):
        category = frame["category"].to_numpy(dtype=object)
        names = np.array(ratings.names, dtype=object)
        category[rows] = names[pattern.value[draw]]
        truth = permuted_by_hand(votes, category.tolist()).by_example()
        by_hand = ft.evaluate(truth, runs, ["P@3", "R@3"], worlds="subject", **HOW)
        mean = by_hand.mean(by="subject")[["P@3", "R@3"]]
        for s, system in enumerate("ab"):
            wanted = mean.loc[system].loc[list(made.observed.subjects)].to_numpy()
            np.testing.assert_allclose(own[s].T, wanted)


def test_judgments() -> None:
    rng = np.random.default_rng(1)
    rows = [
        (q, i, s, int(rng.integers(3)))
        for q in "qr"
        for i in "abcde"
        for s in "xyz"
        if rng.random() < 0.9
    ]
    query, item, subject, grade = zip(*rows, strict=True)
    truth = ft.Judgments.from_columns(query, item, grade, subject=subject)
    runs = ft.Runs.from_dict({"sys": {q: dict.fromkeys("abcde", 1) | {"b": 2} for q in "qr"}})
    ratings, pattern = pattern_of(truth)
    made = PermutedScores(truth, ratings, pattern, runs, ["nDCG"], HOW)
    draws = permuted(pattern, 4, rng)
    made.add(draws)
    place = ratings.row[pattern.vote]
    for draw, own in zip(draws, made._tables[1], strict=True):
        changed = truth.grade.copy()
        changed[place] = ratings.grades[pattern.value[draw]]  # type: ignore[index]
        one = ft.evaluate(
            replace(truth, grade=changed), runs, "nDCG", worlds="subject", **HOW
        ).mean(by="subject")["nDCG"]
        names = made.observed.subjects
        np.testing.assert_allclose(own[0, 0], [one["sys", name] for name in names])


def test_a_mean_that_cannot_change_is_not_tested() -> None:
    rng = np.random.default_rng(2)
    votes = panels.assignments(rng.integers(0, 2, (30, 5)))
    classes = {"sys": {f"i{i:03}": {"c0": 1.0} for i in range(30)}}
    found = ft.structure(votes.by_item(), classes, "P@1", n_permutations=49, n_draws=0)
    assert found.means["p_own"].isna().all()
    assert found.means["own"].item() == pytest.approx(found.means["permuted"].item())
    assert 0 < found.means["p_sd"].item() <= 1
    assert "The mean of P@1 is the same whoever gave the votes" in " ".join(str(found).split())
