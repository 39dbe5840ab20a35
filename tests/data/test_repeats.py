"""Groups and weights of repeated judgments."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from fuzzytruth.data.grading import agreement_of_repeats, groups_of, groups_of_codes, repeat_weights


def texts(*values: str) -> pa.LargeStringArray:
    return pa.array(values, pa.large_string())


def test_groups() -> None:
    group = groups_of([texts("b", "a", "b", "b"), texts("x", "x", "y", "x")])
    assert (group[:, None] == group).tolist() == np.array(
        [[1, 0, 0, 1], [0, 1, 0, 0], [0, 0, 1, 0], [1, 0, 0, 1]], dtype=bool
    ).tolist()


def test_keys_of_very_many_columns_fit() -> None:
    columns = [np.arange(1000), *([np.zeros(1000, dtype=int) + 999] * 20), np.arange(1000) // 2]
    assert groups_of_codes(columns).tolist() == list(range(1000))
    assert groups_of_codes(columns[1:]).tolist() == [j // 2 for j in range(1000)]


def test_weights_are_whole_numbers() -> None:
    weight = repeat_weights([texts("a", "b", "b", "c", "c", "c")])
    assert weight.tolist() == [6, 3, 3, 2, 2, 2]


def test_weights_of_very_many_numbers_of_repeats() -> None:
    ids = [f"i{n}" for n in range(1, 41) for _ in range(n)]
    weight = repeat_weights([texts(*ids)])
    np.testing.assert_allclose(weight, [1 / n for n in range(1, 41) for _ in range(n)], rtol=1e-15)


def test_agreement_of_pairs() -> None:
    frame = agreement_of_repeats(
        texts("s", "s", "s", "t"), [texts("a", "a", "a", "a")], np.array([1.0, 1, 0, 1])
    )
    assert frame["subject"].tolist() == ["s", "t"]
    assert frame["n_pairs"].tolist() == [3, 0]
    np.testing.assert_array_equal(frame["agreement"], [1 / 3, np.nan])
