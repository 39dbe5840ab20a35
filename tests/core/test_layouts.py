"""Segments end to end and as jagged diagonals, against loops over the segments."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fuzzytruth.core import layouts as module
from fuzzytruth.core.arithmetic import offsets_of
from fuzzytruth.core.layouts import Diagonals, EndToEnd

sizes = st.lists(st.integers(0, 5), min_size=1, max_size=6)
N_WORLDS = 3


def example(size: list[int], seed: int = 0):
    """Both layouts, marks and numbers of worlds laid out end to end."""
    offsets = offsets_of(np.array(size))
    rng = np.random.default_rng(seed)
    marks, values = rng.random((N_WORLDS, offsets[-1])) < 0.5, rng.random((N_WORLDS, offsets[-1]))
    return EndToEnd(offsets), Diagonals.of(offsets), marks, values


def contiguous(values):
    """As drawn worlds are: contiguous along worlds."""
    return np.ascontiguousarray(values.T).T


@settings(max_examples=80)
@given(sizes)
def test_sums_and_products_by_loops(size: list[int]) -> None:
    flat, jagged, marks, values = example(size)
    divisor = np.arange(1, values.shape[1] + 1) * 1.0
    by_segment, source = np.arange(len(size)), jagged.source
    for layout, order in ((flat, slice(None)), (jagged, source)):
        m, v = contiguous(marks[:, order]), contiguous(values[:, order])
        d, place = divisor[order], slice(None) if layout is flat else jagged.place
        found = {
            "sum": [layout.sum(m), layout.sum(v), layout.sum(m * 3) / 3],
            "weighted": [layout.weighted(v, d), layout.weighted(m, d)],
            "ratios": layout.sum_of_ratios(m, d),
            "largest": layout.largest(v),
            "running": layout.running(m)[:, place],
            "of_numbers": layout.running(m * 2)[:, place],
            "accumulated": layout.accumulated(v)[:, place],
            "before": layout.product_before(v)[:, place],
        }
        for w in range(N_WORLDS):
            for q, (a, b) in enumerate(zip(flat.offsets[:-1], flat.offsets[1:], strict=True)):
                m, v, d, inside = marks[w, a:b], values[w, a:b], divisor[a:b], slice(a, b)
                sums = [x[w, q] for x in found["sum"]]
                assert sums == pytest.approx([m.sum(), v.sum(), m.sum()], rel=1e-14)
                weighted = [x[w, q] for x in found["weighted"]]
                assert weighted == pytest.approx([(v * d).sum(), (m * d).sum()], rel=1e-14)
                assert found["ratios"][w, q] == pytest.approx((np.cumsum(m) * m / d).sum())
                assert found["largest"][w, q] == max(v, default=0)
                assert found["running"][w, inside].tolist() == np.cumsum(m).tolist()
                assert found["of_numbers"][w, inside].tolist() == (2 * np.cumsum(m)).tolist()
                np.testing.assert_allclose(found["accumulated"][w, inside], np.cumsum(v))
                before = np.concatenate(([1.0], np.cumprod(v)))[: len(v)]
                np.testing.assert_allclose(found["before"][w, inside], before)
        assert layout.repeated(by_segment)[place].tolist() == np.repeat(by_segment, size).tolist()
        by_world = np.stack([by_segment, by_segment + 9, by_segment - 9])
        np.testing.assert_array_equal(
            layout.repeated(by_world)[:, place], np.repeat(by_world, size, axis=1)
        )


@pytest.mark.parametrize("most", [1, 2, 7, module._MOST_ADDED])
def test_counts_beyond_eight_and_32_bits(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A run of marks is counted in 8 bits, some positions at a time."""
    monkeypatch.setattr(module, "_MOST_ADDED", most)
    size = [600, 3, 511, 0, 255]
    _, jagged, marks, _ = example(size)
    marks[:] = True
    assert jagged.sum(contiguous(marks)).tolist() == [size] * N_WORLDS
    assert jagged.running(contiguous(marks)).max() == 600
    counts, offsets = np.full((1, 3), 2**31), np.array([0, 3])
    for layout in (EndToEnd(offsets), Diagonals.of(offsets)):
        assert layout.running(counts).tolist() == [[2**31, 2 * 2**31, 3 * 2**31]]


def test_a_segment_has_the_same_bits_beside_others() -> None:
    rng = np.random.default_rng(1)
    values, divisor = rng.random((50, 65)), rng.random(65)
    both, alone = Diagonals.of(np.array([0, 25, 65])), Diagonals.of(np.array([0, 40]))
    results = []
    for layout, columns in ((both, both.source), (alone, np.arange(25, 65))):
        of_layout = contiguous(values[:, columns])
        results.append(
            [
                layout.sum(of_layout)[:, -1],
                layout.weighted(of_layout, divisor[columns])[:, -1],
                layout.sum_of_ratios(contiguous(of_layout < 0.4), divisor[columns])[:, -1],
            ]
        )
    np.testing.assert_array_equal(*results)
