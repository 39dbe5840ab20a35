"""Random rooted trees and acyclic graphs, as lists of edges between names."""

import numpy as np
from hypothesis import strategies as st

Edges = list[tuple[str, str]]


def random_edges(rng: np.random.Generator, n_nodes: int, more: float = 0.0) -> Edges:
    """Edges of a tree over 0, 1, ..., and `more` times as many between other pairs, shuffled."""
    pairs = {(int(rng.integers(child)), child) for child in range(1, n_nodes)}
    for _ in range(int(more * n_nodes)):
        parent, child = sorted(rng.choice(n_nodes, size=2, replace=False).tolist())
        pairs.add((parent, child))
    names = rng.permutation(n_nodes)
    listed = sorted(pairs)
    rng.shuffle(listed)
    return [(f"n{names[parent]}", f"n{names[child]}") for parent, child in listed]


@st.composite
def edges(draw: st.DrawFn, trees_only: bool = False) -> Edges:
    """Edges of a tree or of an acyclic graph of 2 to 15 nodes."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    more = 0.0 if trees_only else draw(st.sampled_from([0.0, 0.5, 2.0]))
    return random_edges(rng, draw(st.integers(2, 15)), more)
