"""Kendall's rank correlation of the grades that pairs of subjects gave."""

from __future__ import annotations

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.corated import PairDesign
from fuzzytruth.stats.pair_agreement import PairCoefficients


def contingency_tables(design: PairDesign) -> Floats:
    """How often each pair gave each two values: (pairs, values, values)."""
    k = design.n_values
    out = np.zeros(design.n_pairs * k * k)
    for votes in design.blocks():
        cell = (votes.pair * k + votes.left) * k + votes.right
        out += np.bincount(cell, votes.weight, len(out))
    return out.reshape(-1, k, k)


def tau_b_of(design: PairDesign) -> PairCoefficients:
    """Kendall's τ_b of all pairs, by their contingency tables of ascending grades.

    NaN where one of the two gave a single grade. The effect of a unit is the derivative by its
    cell's count (Brown & Benedetti 1977).
    """
    tables = contingency_tables(design)
    n = tables.sum(axis=(1, 2))
    excess = _concordance(tables)  # concordant minus discordant units, beside each cell
    score = (tables * excess).sum(axis=(1, 2))
    rows, columns = tables.sum(axis=2), tables.sum(axis=1)
    untied_rows = n**2 - (rows**2).sum(axis=1)
    untied_columns = n**2 - (columns**2).sum(axis=1)
    scale = np.sqrt(untied_rows * untied_columns)
    value = divide(score, scale, fill=np.nan)
    of_rows = divide(value, untied_rows, fill=np.nan)[:, None] * (n[:, None] - rows)
    of_columns = divide(value, untied_columns, fill=np.nan)[:, None] * (n[:, None] - columns)
    table = n[:, None, None] * (
        divide(2 * excess, scale[:, None, None], fill=np.nan)
        - of_rows[:, :, None]
        - of_columns[:, None, :]
    )
    nothing = np.zeros_like(rows)
    return PairCoefficients(value, np.ones(len(n)), np.zeros(len(n)), nothing, nothing, table)


def _concordance(tables: Floats) -> Floats:
    """Units concordant with each cell, minus those discordant with it: (pairs, k, k)."""
    shape = (tables.shape[0], tables.shape[1] + 1, tables.shape[2] + 1)
    below = np.zeros(shape)  # of both values less than
    below[:, 1:, 1:] = tables.cumsum(axis=1).cumsum(axis=2)
    all_of = below[:, -1:, -1:]
    low, high = below[:, :-1, :-1], below[:, 1:, 1:]
    after = below[:, -1:, 1:]  # columns up to this one, all rows
    lower_right = below[:, :-1, -1:] - below[:, :-1, 1:]  # rows above, columns after
    upper_left = below[:, -1:, :-1] - below[:, 1:, :-1]  # rows after, columns before
    both_after = all_of - after - below[:, 1:, -1:] + high
    out: Floats = low + both_after - lower_right - upper_left
    return out
