"""Weights of subtrees against walking every vote."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_array
from support.small_collections import random_graph, random_votes
from support.worlds_of_items import ballots, subtree

import fuzzytruth as ft
from fuzzytruth.data.vote_shares import (
    ancestor_matrix,
    divide_entries,
    entries_at,
    shares_of_votes,
    subtree_weights,
)


@pytest.mark.parametrize("tree", [True, False])
@pytest.mark.parametrize("seed", range(10))
def test_weights_equal_walking_the_votes(seed: int, tree: bool) -> None:
    rng = np.random.default_rng(seed)
    tax = random_graph(rng, tree=tree)
    frame = random_votes(rng, tax)
    votes = ft.Assignments.from_frame(frame, taxonomy=tax)
    ancestors = ancestor_matrix(tax)
    below = [subtree(tax, node) for node in tax.nodes]
    np.testing.assert_array_equal(
        ancestors.toarray(), [[float(a in b) for b in below] for a in tax.nodes]
    )
    columns = (votes.item, votes.label_set, votes.weight, votes.sets)
    weights = subtree_weights(*columns, ancestors, len(votes.items))
    want = [
        [sum(w for w, labels in ballots(frame)[item] if labels & b) for b in below]
        for item in votes.items.to_pylist()
    ]
    np.testing.assert_allclose(weights.toarray(), want, rtol=1e-15)
    share, mass = shares_of_votes(votes)
    total = [sum(w for w, _ in ballots(frame)[item]) for item in votes.items.to_pylist()]
    assert mass is None
    np.testing.assert_allclose(share.toarray(), want / np.array(total)[:, None], rtol=1e-15)
    row, column = rng.integers(0, len(votes.items), 9), rng.integers(0, len(tax), 9)
    np.testing.assert_array_equal(entries_at(weights, row, column), weights.toarray()[row, column])
    assert entries_at(weights, row[:0], column[:0]).shape == (0,)


def test_division_by_sparse_denominators() -> None:
    numerator = csr_array(np.array([[1.0, 0.0, 0.0], [0.0, 3.0, 0.0]]))
    denominator = csr_array(np.array([[2.0, 5.0, 0.0], [0.0, 4.0, 0.0]]))
    quotient = divide_entries(numerator, denominator)
    np.testing.assert_array_equal(quotient.toarray(), [[0.5, 0, 0], [0, 0.75, 0]])
    assert denominator.data.tolist() == [2.0, 5.0, 4.0]
