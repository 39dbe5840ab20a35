"""Similarity of categories, by hand and by definition, and values of categories."""

from math import log
from typing import Any, get_args

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from support.random_graphs import Edges, edges
from support.small_taxonomies import FIGURE

import fuzzytruth as ft
from fuzzytruth.data.similarity import Kind, values_of_all, values_of_some

KINDS = get_args(Kind)
#: one path a node: c has depth 1, its children 2
TREE = ft.Taxonomy.from_children({"r": ["c", "d"], "c": ["x", "y"]})
#: counts, those below included
WEIGHTS: Any = {"r": 8, "c": 4, "d": 4, "x": 1, "y": 2}


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
        values = {
            "path": 1 / (1 + far),
            "wu-palmer": nodes / (far + nodes),
            "resnik": info[c],
            "lin": 2 * info[c] / held if held else 1.0,
            "jiang-conrath": 1 / (1 + held - 2 * info[c]),
        }
        result.append(values[kind])
    return max(result)


def test_by_hand_in_a_tree() -> None:
    for pair, kind, weights, want in (
        *(("xy", "path", None, 1 / 3), ("xd", "path", None, 1 / 4)),
        *(("xy", "wu-palmer", None, 4 / 6), ("cx", "wu-palmer", None, 4 / 5)),
        *(("xd", "wu-palmer", None, 2 / 5), ("xy", "resnik", WEIGHTS, log(2))),
        *(("xx", "resnik", WEIGHTS, log(8)), ("xy", "lin", WEIGHTS, 2 / 5)),
        *(("xy", "jiang-conrath", WEIGHTS, 1 / (1 + 3 * log(2))), ("xd", "lin", WEIGHTS, 0)),
        ("xy", "lin", {**WEIGHTS, "x": 4}, 2 / 3),
        # Seco: c has 3 of the 5 nodes at or below it, leaves have 1
        *(("xy", "resnik", None, 1 - log(3) / log(5)), ("xx", "resnik", None, 1)),
        *(("rr", "resnik", None, 0), ("rr", "lin", None, 1)),
    ):
        assert TREE.similarity(*pair, kind, weights=weights) == pytest.approx(want)  # type: ignore[arg-type]


@settings(max_examples=8)
@given(edges())
def test_matrix_pair_and_definition_agree(pairs: Edges) -> None:
    tax = ft.Taxonomy.from_edges(pairs)
    assert tax.distances().tolist() == [[tax.distance(a, b) for b in tax] for a in tax]
    counts = tax.totals(np.arange(1.0, len(tax) + 1))
    size = np.diff(tax.descendant_offsets)
    for kind in KINDS:
        by_information = kind in ("resnik", "lin", "jiang-conrath")
        for weights in [None, counts] if by_information else [None]:
            of_size = 1 - np.log(size) / log(len(tax))
            info = of_size if weights is None else -np.log(weights / weights[0])
            named = dict(zip(tax.nodes, np.maximum(info, 0).tolist(), strict=True))
            matrix = tax.similarities(kind, weights=weights)
            for a in tax.nodes[::3]:
                for b in tax.nodes[::2]:
                    one = tax.similarity(a, b, kind, weights=weights)
                    assert matrix[tax.code(a), tax.code(b)] == one
                    assert one == pytest.approx(by_hand(tax, kind, named, a, b), abs=1e-12)
            assert (matrix == matrix.T).all()
            assert (matrix >= 0).all()
            if kind != "resnik":
                assert (np.diag(matrix) == 1).all()
            if kind != "resnik" or weights is None:
                assert (matrix <= 1).all()


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
    with pytest.raises(ft.errors.DataError, match=message):
        TREE.similarities("lin", weights=weights)
    with pytest.raises(ft.errors.DataError, match=message):
        TREE.similarity("x", "y", "resnik", weights=weights)


def test_bad_options() -> None:
    with pytest.raises(ft.errors.OptionError, match="kind='leacock'"):
        TREE.similarities("leacock")  # type: ignore[arg-type]
    with pytest.raises(ft.errors.OptionError, match="kind='path' does not use them"):
        TREE.similarity("x", "y", weights=WEIGHTS)
    wide = ft.Taxonomy.from_children({"r": range(20_000)})
    for square in (wide.similarities, wide.distances):
        with pytest.raises(ft.errors.OptionError, match="20001 × 20001 categories would take 3 GB"):
            square()
    assert wide.similarity("3", "4") == 1 / 3


def test_values_by_name_and_by_position() -> None:
    named = dict(zip(FIGURE, range(8), strict=True))
    assert values_of_some(FIGURE, {"people": 1, "all": 2}, "x") == {"people": 1.0, "all": 2.0}
    assert values_of_some(FIGURE, np.arange(8), "x") == named
    assert values_of_some(FIGURE, pd.Series({"all": 1.0}), "x") == {"all": 1.0}
    assert values_of_all(FIGURE, named, "x").tolist() == [*range(8)]
    for given_, message in (
        ({"cat": 1}, r"x, row 1.*'cat' is not among"),
        ([1, 2, 3], r"x of shape \(3,\): must be \(8,\)"),
        (
            {"people": 1, "all": 2},
            r"none for 6 of 8 categories \('scenery', .*'city', and 1 m",
        ),
        ({"all": float("nan")}, "^x.*finite"),
        ([*range(7), float("nan")], "^x.*finite"),
    ):
        with pytest.raises(ft.errors.DataError, match=message):
            values_of_all(FIGURE, given_, "x")
    with pytest.raises(ft.errors.DataError, match=r"x.*finite"):
        values_of_some(FIGURE, {"all": float("inf")}, "x")
