from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from support.random_graphs import Edges, edges

from fuzzytruth.core.hierarchy import adjacency, find_cycle, topological_order, transitive_closure


def coded(pairs: Edges) -> tuple[np.ndarray, np.ndarray, int]:
    names = {name: code for code, name in enumerate(dict.fromkeys(n for p in pairs for n in p))}
    parent, child = (np.array([names[pair[end]] for pair in pairs]) for end in (0, 1))
    return parent, child, len(names)


def test_order_without_edges() -> None:
    none = np.empty(0, dtype=np.int64)
    assert topological_order(none, none, 2)[0].tolist() == [0, 1]
    assert topological_order(none, none, 0)[0].tolist() == []


def test_a_cycle_is_found_below_other_nodes() -> None:
    # 0 -> 1 -> 2 -> 3 -> 1, and 3 -> 4 below it
    parent, child = np.array([0, 1, 2, 3, 3]), np.array([1, 2, 3, 1, 4])
    order, _ = topological_order(parent, child, 5)
    assert order.tolist() == [0]
    cycle = find_cycle(parent, child, np.array([1, 2, 3, 4]), 5)
    assert cycle[0] == cycle[-1]
    assert sorted(cycle[1:]) == [1, 2, 3]
    edges_given = set(zip(parent.tolist(), child.tolist(), strict=True))
    assert set(pairwise(cycle)) <= edges_given


@settings(max_examples=50)
@given(edges())
def test_closure_is_every_walk_upwards(pairs: Edges) -> None:
    parent, child, n = coded(pairs)
    order, level = topological_order(parent, child, n)
    code = np.empty(n, dtype=np.int64)
    code[order] = np.arange(n)
    parent, child = code[parent], code[child]
    closure = transitive_closure(adjacency(child, parent, n)[0], level)
    below = closure.transposed()
    walked: list[dict[int, int]] = []
    for node in range(n):  # parents come before children
        nearest = {node: 0}
        for above in parent[child == node].tolist():
            for ancestor, distance in walked[above].items():
                nearest[ancestor] = min(distance + 1, nearest.get(ancestor, n))
        walked.append(nearest)
        assert closure[node].tolist() == sorted(nearest)
        start = closure.offsets[node]
        distances = closure.distance[start : closure.offsets[node + 1]].tolist()
        assert dict(zip(sorted(nearest), distances, strict=True)) == nearest
    for node in range(n):
        under = [other for other in range(n) if node in walked[other]]
        assert below[node].tolist() == under
        distances = below.distance[below.offsets[node] : below.offsets[node + 1]].tolist()
        assert distances == [walked[other][node] for other in under]
