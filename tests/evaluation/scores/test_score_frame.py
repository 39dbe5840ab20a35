"""The tidy table of scores, and its order."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fuzzytruth as ft
from fuzzytruth.core.cells import Cells


@given(seed=st.integers(0, 1000), subjects=st.booleans())
@settings(max_examples=40)
def test_rows_come_by_system_query_measure_subject(seed: int, subjects: bool) -> None:
    rng = np.random.default_rng(seed)
    exists = rng.random((4, 3 if subjects else 1)) < 0.6
    cells = Cells.of_mask(exists, subjects=subjects)
    values = rng.normal(size=(2, 3, len(cells)))
    scores = ft.Scores(
        ("b", "a"),
        ("q3", "q1", "q2", "q0"),
        ("AP", "RR", "P@1"),
        values,
        cells,
        subjects=("y", "x", "z") if subjects else None,
        higher_is_better=(True,) * 3,
        lower=values - 1,
        upper=values + 1,
    )
    frame = scores.to_frame()
    table = cells.dense(values)
    expected = []
    for (i, s), (j, q), (k, m), u in itertools.product(
        enumerate(scores.systems),
        enumerate(scores.queries),
        enumerate(scores.measures),
        range(exists.shape[1]),
    ):
        if exists[j, u]:
            name = scores.subjects[u] if scores.subjects is not None else None
            expected.append((s, q, m, *([name] if subjects else []), table[i, k, j, u]))
    names = ["system", "query", "measure", *(["subject"] if subjects else []), "value"]
    assert list(frame[names].itertuples(index=False, name=None)) == expected
    np.testing.assert_array_equal(frame["lower"], frame["value"] - 1)
    np.testing.assert_array_equal(frame["upper"], frame["value"] + 1)


@pytest.mark.parametrize("storage", ["python", "pyarrow"])
def test_names_have_the_type_of_text(storage: str) -> None:
    names = ("é", "b", "c c")
    scores = ft.Scores(("x",), names, ("AP",), np.arange(3.0)[None, None], Cells.of_queries(3))
    with pd.option_context("mode.string_storage", storage):
        frame, expected = scores.to_frame(), pd.DataFrame({"query": list(names)})
    pd.testing.assert_series_equal(frame["query"], expected["query"])
    assert all(type(name) is str for name in frame["query"])
