"""Sums of distances over pairs, against loops over the pairs."""

from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_array

from fuzzytruth.core.shares import LabelSets
from fuzzytruth.core.votes import value_distances as module

SETS = [(), (0,), (1,), (0, 1), (0, 1, 2, 3), (2, 3), (1, 2)]


def label_sets() -> LabelSets:
    sizes = np.array([len(one) for one in SETS])
    return LabelSets(np.append(0, sizes.cumsum()), np.array([x for one in SETS for x in one]))


def masi(a: set[int], b: set[int]) -> float:
    """Passonneau 2006, equations of §3."""
    if not a | b:
        return 0.0
    factor = 1.0 if a == b else 2 / 3 if a <= b or b <= a else 1 / 3 if a & b else 0.0
    return 1 - len(a & b) / len(a | b) * factor


def closures() -> Any:
    return csr_array(np.array([[s in one for s in range(4)] for one in SETS], dtype=float))


GRADES = np.array([0.0, 0.5, 1.0, 2.0, 3.0, 5.0, 10.0])
CASES: dict[str, tuple[module.Distances, np.ndarray]] = {
    "nominal": (module.nominal_distances(7), 1.0 - np.eye(7)),
    "squared": (module.squared_distances(GRADES), np.subtract.outer(GRADES, GRADES) ** 2),
    "ratio": (
        module.ratio_distances(GRADES),
        np.array([[0 if a == b else ((a - b) / (a + b)) ** 2 for a in GRADES] for b in GRADES]),
    ),
    "linear": (module.linear_distances(GRADES), np.abs(np.subtract.outer(GRADES, GRADES))),
    "masi": (
        module.masi_distances(label_sets(), 4),
        np.array([[masi(set(a), set(b)) for a in SETS] for b in SETS]),
    ),
    "sets": (
        module.set_distances(closures()),
        np.array([[len(set(a) ^ set(b)) for a in SETS] for b in SETS], dtype=float),
    ),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize(("pair", "small_blocks"), [(0, True), (1000, False), (1000, True)])
def test_sums_over_pairs(
    name: str, small_blocks: bool, pair: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "_PAIR", pair)
    if small_blocks:
        monkeypatch.setattr(module, "_NUMBERS", 15)
        monkeypatch.setattr(module, "_ROWS", 3)
    distances, table = CASES[name]
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 3, (2, 11, 7)).astype(float)
    np.testing.assert_allclose(
        distances.between(csr_array(a), csr_array(b)), ((a @ table) * b).sum(axis=1), atol=1e-12
    )
    np.testing.assert_allclose(distances.toward(a[0]), table @ a[0], atol=1e-12)
    assert distances.largest() == pytest.approx(table.max())
    assert distances.n_values == 7
    same = csr_array(a)
    np.testing.assert_allclose(distances.between(same, same), ((a @ table) * a).sum(axis=1))


def test_published_and_exact_distances() -> None:
    """Gwet 2014, §3: 1, .6667, 0 of three categories (as `ordinal.weights` of his irrCAC).

    MASI 1 - 1/2 · 2/3: one of the pairs in the documentation of NLTK, which rounds 2/3 to .67.
    """
    np.testing.assert_allclose(1 - module.rank_gap_table(3)[0], [1, 2 / 3, 0])
    assert module.rank_gap_table(1).tolist() == [[0.0]]
    assert module.masi_distances(label_sets(), 4).columns(slice(3, 5))[3, 1] == pytest.approx(2 / 3)
    np.testing.assert_allclose(module.mid_ranks(np.array([2.0, 1.0, 1.0])), [0.25, 0.625, 0.875])
    assert module.mid_ranks(np.zeros((2, 3))).tolist() == [[0.0] * 3] * 2
    one = csr_array(np.eye(3) * 3)  # whatever the rounding
    assert module.squared_distances(np.array([0.1, 0.7, 1e6])).between(one, one).tolist() == [
        0,
        0,
        0,
    ]


def listed(design: module.PairDesign) -> list[tuple[object, ...]]:
    """(cluster, subjects, values, weight) of each pair of votes."""
    return sorted(
        (int(c), int(design.first[p]), int(design.second[p]), int(g), int(h), float(w))
        for block in design.blocks()
        for c, p, g, h, w in zip(
            block.cluster, block.pair, block.left, block.right, block.weight, strict=True
        )
    )


def test_repeated_votes_and_no_unit_in_common() -> None:
    unit, subject = np.zeros(3, dtype=int), np.array([0, 0, 1])
    weight = np.array([0.5, 0.5, 1.0])
    design = module.PairDesign.of(
        unit, subject, np.array([0, 1, 1]), weight, np.zeros(1, dtype=int), 2
    )
    assert listed(design) == [(0, 0, 1, 0, 1, 0.5), (0, 0, 1, 1, 1, 0.5)]
    two = np.arange(2)
    design = module.PairDesign.of(two, two, np.zeros(2, dtype=int), np.ones(2), two, 2)
    assert (design.n_pairs, listed(design)) == (1, [])
