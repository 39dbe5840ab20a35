from __future__ import annotations

from math import log
from typing import Any, get_args

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from support.random_graphs import Edges, edges

import fuzzytruth as ft
from fuzzytruth.data.similarity import Kind

KINDS = get_args(Kind)
#: one path a node: c has depth 1, its children 2
TREE = ft.Taxonomy.from_children({"r": ["c", "d"], "c": ["x", "y"]})
#: counts, those below included
WEIGHTS = {"r": 8, "c": 4, "d": 4, "x": 1, "y": 2}


def steps_up(tax: ft.Taxonomy, name: str, ancestor: str) -> int:
    """Edges on the shortest way up; `distance` may go further up and down again by a short cut."""
    reached, steps = {name}, 0
    while ancestor not in reached:
        reached, steps = {above for node in reached for above in tax.parents(node)}, steps + 1
    return steps


def by_hand(tax: ft.Taxonomy, kind: str, info: dict[str, float], a: str, b: str) -> float:
    """Largest value over all common ancestors, each looked at on its own."""
    result = []
    for c in set(tax.ancestors(a, True)) & set(tax.ancestors(b, True)):
        far = steps_up(tax, a, c) + steps_up(tax, b, c)
        nodes = 2 * (tax.depth(c) + 1)
        held = info[a] + info[b]
        result.append(
            {
                "path": 1 / (1 + far),
                "wu-palmer": nodes / (far + nodes),
                "resnik": info[c],
                "lin": 2 * info[c] / held if held else 1.0,
                "jiang-conrath": 1 / (1 + held - 2 * info[c]),
            }[kind]
        )
    return max(result)


def test_by_hand_in_a_tree() -> None:
    assert TREE.similarity("x", "y") == 1 / 3
    assert TREE.similarity("x", "d") == 1 / 4
    assert TREE.similarity("x", "y", "wu-palmer") == 4 / 6
    assert TREE.similarity("c", "x", "wu-palmer") == 4 / 5
    assert TREE.similarity("x", "d", "wu-palmer") == 2 / 5
    assert TREE.similarity("x", "y", "resnik", weights=WEIGHTS) == pytest.approx(log(2))
    assert TREE.similarity("x", "x", "resnik", weights=WEIGHTS) == pytest.approx(log(8))
    assert TREE.similarity("x", "y", "lin", weights=WEIGHTS) == pytest.approx(2 / 5)
    assert TREE.similarity("x", "y", "jiang-conrath", weights=WEIGHTS) == pytest.approx(
        1 / (1 + 3 * log(2))
    )
    assert TREE.similarity("x", "d", "lin", weights=WEIGHTS) == 0
    # Seco: c has 3 of the 5 nodes at or below it, leaves have 1
    assert TREE.similarity("x", "y", "resnik") == pytest.approx(1 - log(3) / log(5))
    assert TREE.similarity("x", "x", "resnik") == 1
    assert TREE.similarity("r", "r", "resnik") == 0
    assert TREE.similarity("r", "r", "lin") == 1


@pytest.mark.parametrize("kind", KINDS)
@given(pairs=edges())
def test_matrix_pair_and_definition_agree(kind: Kind, pairs: Edges) -> None:
    tax = ft.Taxonomy.from_edges(pairs)
    by_information = kind in ("resnik", "lin", "jiang-conrath")
    counts = np.arange(1.0, len(tax) + 1)
    for weights in [None, tax.totals(counts)] if by_information else [None]:
        size = np.diff(tax.descendant_offsets)
        info = (
            1 - np.log(size) / log(len(tax)) if weights is None else -np.log(weights / weights[0])
        )
        matrix = tax.similarities(kind, weights=weights)
        named = dict(zip(tax.nodes, np.maximum(info, 0).tolist(), strict=True))
        for a in tax.nodes[::3]:
            for b in tax.nodes[::2]:
                one = tax.similarity(a, b, kind, weights=weights)
                assert matrix[tax.code(a), tax.code(b)] == one
                assert one == pytest.approx(by_hand(tax, kind, named, a, b), abs=1e-12)
        assert (matrix == matrix.T).all()
        assert (matrix >= 0).all()
        if kind != "resnik":
            assert (matrix <= 1).all()
            assert (np.diag(matrix) == 1).all()
        elif weights is None:
            assert (matrix <= 1).all()


@given(edges())
def test_distances_are_those_of_pairs(pairs: Edges) -> None:
    tax = ft.Taxonomy.from_edges(pairs)
    result = tax.distances()
    assert result.tolist() == [[tax.distance(a, b) for b in tax] for a in tax]


def test_totals_count_each_once() -> None:
    tax = ft.Taxonomy.from_children({"r": ["a", "b"], "a": ["x"], "b": ["x"]})
    assert tax.totals({"x": 3, "a": 1}).tolist() == [4, 4, 3, 3]
    assert tax.totals([1, 1, 1, 1]).tolist() == [4, 2, 2, 1]
    assert tax.totals(pd.Series({"b": 2.0})).tolist() == [2, 0, 2, 0]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (WEIGHTS | {"x": 0}, r"no weight is above 0 for 1 of 5 categories \('x'\)"),
        (WEIGHTS | {"x": -1}, "no weight is above 0"),
        (WEIGHTS | {"x": 5}, r"on 1 of 4 edges, such as 'x' \(5\) below 'c' \(4\); .*totals"),
        ({"r": 1, "c": 1}, r"weights: there is none for 3 of 5 categories \('d', 'x', 'y'\)"),
        (WEIGHTS | {"z": 1}, "weights, row 6.*'z' is not among"),
        ([1, 2], r"weights of shape \(2,\): must be \(5,\)"),
        (WEIGHTS | {"x": float("inf")}, "weights.*finite"),
    ],
)
def test_bad_weights(weights: Any, message: str) -> None:
    with pytest.raises(ft.DataError, match=message):
        TREE.similarities("lin", weights=weights)
    with pytest.raises(ft.DataError, match=message):
        TREE.similarity("x", "y", "resnik", weights=weights)


def test_bad_options() -> None:
    with pytest.raises(ft.OptionError, match="kind='leacock'"):
        TREE.similarities("leacock")  # type: ignore[arg-type]
    with pytest.raises(ft.OptionError, match="kind='path' does not use them"):
        TREE.similarity("x", "y", weights=WEIGHTS)
    wide = ft.Taxonomy.from_children({"r": range(20_000)})
    for square in (wide.similarities, wide.distances):
        with pytest.raises(ft.OptionError, match="20001 × 20001 categories would take 3 GB"):
            square()
    assert wide.similarity("3", "4") == 1 / 3
