"""Designs of pairs of subjects from tables of votes."""

import numpy as np

from fuzzytruth._typing import Ints
from fuzzytruth.core.votes.value_distances import PairDesign


def design_of(table: Ints, cluster: Ints | None = None) -> PairDesign:
    """The design of (units, subjects) values, -1 for missing; each unit is its own cluster."""
    n_units, n_subjects = table.shape
    unit, subject = np.nonzero(table >= 0)
    groups = np.arange(n_units) if cluster is None else cluster
    value = table[unit, subject]
    return PairDesign.of(unit, subject, value, np.ones(len(unit)), groups, n_subjects)
