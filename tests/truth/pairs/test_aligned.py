"""Judged pairs aligned with runs: blocks, kinds of worlds, lost votes."""

import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.truth import AlignedTruth, Worlds, align
from fuzzytruth.truth.pairs import aligned as module
from fuzzytruth.truth.pairs import pool as judged_pairs
from fuzzytruth.truth.vote_weights import resampled_subjects

RUNS = ft.Runs.from_dict({"s": {"q0": {"a": 2, "b": 1}}})


def truth(subjects: list[str] | None) -> AlignedTruth:
    n = len(subjects or "x")
    judgments = ft.Judgments.from_columns(["q0"] * n, ["a"] * n, [1] * n, subject=subjects)
    return align(judgments, RUNS, ties="trec")


@pytest.mark.parametrize(
    ("subjects", "default", "refused"),
    [
        (None, "crisp", {"subject", "population"}),
        (["ann"], "crisp", {"population"}),
        (["ann", "bob"], "independent", {"crisp"}),
    ],
)
def test_kinds_of_worlds(subjects: list[str] | None, default: str, refused: set[str]) -> None:
    aligned = truth(subjects)
    assert aligned.facts.default == default
    kinds: tuple[Worlds, ...] = ("crisp", "subject", "independent", "population")
    assert {kind for kind in kinds if aligned.facts.lacks.get(kind)} == refused


def test_probabilities_have_independent_worlds_only() -> None:
    aligned = align(ft.Judgments.from_probabilities(["q0"], ["a"], [0.5]), RUNS, ties="trec")
    assert aligned.facts.default == "independent"
    assert aligned.facts.lacks.get("independent") is None
    assert "are probabilities" in str(aligned.facts.lacks.get("crisp"))


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
def test_blocks_are_numbered_alike_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judged_pairs, "_PAIRS", 5)
    monkeypatch.setattr(module, "_VOTES", 7)
    n = 24
    query = [f"q{j // 3}" for j in range(n)]
    judgments = ft.Judgments.from_columns(query, [str(j) for j in range(n)], [1] * n)
    aligned = align(judgments, RUNS, ties="trec")
    drawn, whole = aligned.blocks("independent"), aligned.blocks("crisp")
    assert [b.stop - b.start for b in drawn] == [2, 1, 2, 2, 1]
    for blocks in (drawn, whole):
        assert [q for b in blocks for q in range(b.start, b.stop)] == list(range(8))
    scores = [ft.evaluate(judgments, RUNS, ["AP", "P@2"]).values]
    monkeypatch.undo()
    scores.append(ft.evaluate(judgments, RUNS, ["AP", "P@2"]).values)
    np.testing.assert_array_equal(*scores)


def test_lost_votes_are_counted_pair_by_pair() -> None:
    rng = np.random.default_rng(2)
    rows = [(q, d, s) for q in range(3) for d in range(4) for s in range(4) if rng.random() < 0.5]
    query, item, subject = zip(*rows, strict=True)
    judgments = ft.Judgments.from_columns(query, item, [1] * len(rows), subject=subject)
    aligned = align(judgments, ft.Runs.from_dict({"s": {"0": {"1": 1}}}), ties="trec")
    assert aligned.facts.subjects is not None
    votes = resampled_subjects(aligned.facts.subjects, 30, np.random.SeedSequence(0))
    assert votes.counts is not None
    names = list(aligned.facts.subjects)
    expected = 0
    for q, d in {(q, d) for q, d, _ in rows}:
        voters = [names.index(str(s)) for a, b, s in rows if (a, b) == (q, d)]
        expected += int((votes.counts[:, voters].sum(axis=1) == 0).sum())
    assert expected > 0
    assert aligned.lost_votes(votes) == expected


def test_systems_without_judged_items_have_an_example() -> None:
    """System x retrieved a judged item, y only others, and z answers no judged query."""
    judgments = ft.Judgments.from_columns(["q0", "q1"], ["a", "b"], [1, 1])
    lists = {
        "x": {"q0": {"a": 2, "c": 1}, "q1": {"c": 1}},
        "y": {"q0": {"b": 2}, "q1": {"a": 1}},
        "z": {"q2": {"a": 1}},
    }
    coverage = align(judgments, ft.Runs.from_dict(lists), ties="trec").facts.coverage
    assert coverage.unjudged_lists == {"y": ("b", "a")}
