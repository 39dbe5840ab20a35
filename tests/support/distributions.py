"""Distributions for tests."""

import numpy as np
from hypothesis import strategies as st

from fuzzytruth.data.distribution import Distribution

DIE = Distribution.from_atoms(range(1, 7), [1 / 6] * 6)


def random_distribution(seed: int, atoms: int = 9) -> Distribution:
    """Normal values with Dirichlet probabilities."""
    rng = np.random.default_rng(seed)
    return Distribution.from_atoms(rng.normal(size=atoms), rng.dirichlet(np.ones(atoms)))


@st.composite
def distributions(draw: st.DrawFn) -> Distribution:
    """Any distribution of up to 12 atoms."""
    values = draw(st.lists(st.floats(-100, 100), min_size=1, max_size=12))
    counts = draw(
        st.lists(st.integers(0, 50), min_size=len(values), max_size=len(values)).filter(any)
    )
    return Distribution.from_atoms(values, np.array(counts) / sum(counts))
