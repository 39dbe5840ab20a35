"""Items inside and outside a cut-off, side by side."""

from __future__ import annotations

import numpy as np
import pytest

from fuzzytruth.core.segments import offsets_of
from fuzzytruth.measures.exact import split_lists
from fuzzytruth.truth.item_probabilities import GradeProbabilities, ItemProbabilities


def grades(p: np.ndarray, sizes: list[int], count: np.ndarray | None = None) -> GradeProbabilities:
    grade, chance = np.tile([[0.0], [1.0]], (1, len(p))), np.stack((1 - p, p))
    return GradeProbabilities(offsets_of(np.array(sizes)), grade, chance, count)


HITS, REST = np.arange(1, 5) / 10, np.array([0.5, 0.6, 0.7, 0.8])
RANK = np.array([1, 4, 9, 2])


def items(count: np.ndarray | None = None) -> ItemProbabilities:
    hits, rest = grades(HITS, [3, 1]), grades(REST, [1, 3], count)
    return ItemProbabilities(np.array([10, 5]), RANK, hits, rest, np.arange(4))


def test_hits_beyond_the_cutoff_follow_the_rest_deepest_first() -> None:
    split = split_lists(items(), HITS, REST, RANK <= 3, RANK * 1.0)
    assert (split.p.tolist(), split.offsets.tolist()) == ([0.1, 0.4], [0, 1, 2])
    assert split.attached.tolist() == [1, 2]
    assert split.others.tolist() == [0.5, 0.3, 0.2, 0.6, 0.7, 0.8]
    assert split.others_offsets.tolist() == [0, 3, 6]
    assert split.n_judged.tolist() == [4, 4]
    everything = split_lists(items(), HITS, REST, RANK > 0)
    assert (everything.p.tolist(), everything.others.tolist()) == (HITS.tolist(), REST.tolist())


def test_counts_of_hits_are_one() -> None:
    split = split_lists(items(np.array([2.0, 3.0, 4.0, 5.0])), HITS, REST, RANK <= 3)
    assert split.count.tolist() == [2, 1, 1, 3, 4, 5]


def test_lists_of_resamples() -> None:
    both = np.stack((HITS, HITS / 2))
    split = split_lists(items(), both, REST, RANK <= 4, 1 / RANK)
    ((where, lists),) = split.groups()
    assert (where.tolist(), lists.query.tolist()) == ([0, 1, 2, 3], [0, 1, 0, 1])
    assert lists.length.tolist() == [10, 5, 10, 5]
    assert lists.inside.tolist() == [[0.1, 0.4, 0.05, 0.2], [0.2, 0, 0.1, 0]]
    assert lists.attached.tolist() == [[1, 0.5, 1, 0.5], [0.25, 0, 0.25, 0]]
    assert lists.others.tolist() == [[0.5, 0.6, 0.5, 0.6], [0.3, 0.7, 0.15, 0.7], [0, 0.8, 0, 0.8]]
    parts = list(split.groups(cells=lambda size: 1 << 22))
    assert [where.tolist() for where, _ in parts] == [[0], [1], [2], [3]]
    assert parts[3][1].inside.tolist() == [[0.2], [0]]


def test_results_go_back_to_their_queries() -> None:
    split = split_lists(items(), np.stack((HITS, HITS / 2)), REST, RANK <= 4)
    first, second = split.compute(lambda lists: (lists.inside.sum(axis=0), lists.query * 1.0))
    np.testing.assert_allclose(first, [[0.3, 0.4], [0.15, 0.2]])
    assert second.tolist() == [[0, 1], [0, 1]]


@pytest.mark.parametrize("alone", [False, True])
def test_lists_of_very_many_items_come_alone(alone: bool) -> None:
    p = np.full(2500, 0.5)
    m = ItemProbabilities(
        np.full(2, 1250),
        np.tile(np.arange(1, 1251), 2),
        grades(p, [1250, 1250]),
        grades(p[:0], [0, 0]),
        np.arange(2500),
    )
    split = split_lists(m, p, p[:0], np.ones(2500, dtype=bool))
    found = [(where.tolist(), lists.long) for where, lists in split.groups(alone=alone)]
    assert found == ([([0], True), ([1], True)] if alone else [([0, 1], False)])
