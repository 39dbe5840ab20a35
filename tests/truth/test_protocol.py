"""Both kinds of truth implement the protocol, and mixtures average their components."""

import inspect
from typing import Any

import numpy as np
import pytest
from support.small_collections import TREE, make_runs, make_votes

import fuzzytruth as ft
from fuzzytruth.truth import AlignedTruth, align
from fuzzytruth.truth.inputs import GradeProbabilities, ItemProbabilities
from fuzzytruth.truth.protocol import Mixture
from fuzzytruth.truth.vote_weights import as_given


def truths() -> list[Any]:
    tax = ft.Taxonomy.from_children(TREE)
    votes = ft.Assignments.from_frame(make_votes(0, tax), taxonomy=tax)
    return [ft.Judgments.from_dict({"a": {"b": 1, "c": 0}}), votes.by_example()]


@pytest.mark.parametrize("kind", [0, 1])
def test_every_member_of_the_protocol(kind: int) -> None:
    aligned = align(truths()[kind], ft.Runs.from_dict(make_runs(1)), ties="trec")
    members = [name for name in vars(AlignedTruth) if not name.startswith("_")]
    assert len(members) >= 8
    for name in members:
        assert hasattr(aligned, name)
        if inspect.isfunction(vars(AlignedTruth)[name]):
            ours, theirs = (
                inspect.signature(getattr(owner, name)) for owner in (type(aligned), AlignedTruth)
            )
            assert list(ours.parameters) == list(theirs.parameters), name
    blocks = aligned.blocks("independent")
    assert [q for b in blocks for q in range(b.start, b.stop)] == list(
        range(len(aligned.facts.queries))
    )
    assert len(aligned.outcomes(blocks[0], as_given())) == 1
    assert aligned.lost_votes(as_given()) == 0


def items(chance: list[float]) -> ItemProbabilities:
    n = len(chance)
    grades = GradeProbabilities(
        np.arange(n + 1),
        np.array([[1.0] * n, [0.0] * n]),
        np.array([chance, [1 - c for c in chance]]),
    )
    none = GradeProbabilities(np.zeros(n + 1, dtype=int), np.zeros((2, 0)), np.zeros((2, 0)))
    return ItemProbabilities(np.ones(n), np.ones(n, dtype=int), grades, none, np.arange(n))


def test_mixtures_weigh_their_components() -> None:
    mixture = Mixture(items([0.1, 0.5, 0.9]), np.array([0, 2, 3]), np.array([[0.25, 0.75, 1.0]]))
    assert mixture.mean(np.array([4.0, 8.0, 1.0])).tolist() == [[7.0, 1.0]]
    parts = mixture.of_query(0)
    assert [weight for weight, _ in parts] == [0.25, 0.75]
    assert [float(part.hits.at_least(1)[0]) for _, part in parts] == [0.1, 0.5]
    single = Mixture(items([0.1, 0.5]))
    assert single.mean(np.array([1.0, 2.0])).tolist() == [1, 2]
    assert [weight for weight, _ in single.of_query(1)] == [1.0]
