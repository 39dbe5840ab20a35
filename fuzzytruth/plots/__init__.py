"""Figures of tidy frames.

Every function takes frames and an optional Matplotlib `ax`, draws on it or on a new figure, and
returns the axes. Nothing is shown or saved, and no global setting changes.

Each family of figures is one module; what they have in common is in `drawing`, and `frames` says
what results hand to them.
"""

from __future__ import annotations

from fuzzytruth.plots.comparison_plots import subject_strip, tiers
from fuzzytruth.plots.curve_plots import by_rank, curves, precision_recall
from fuzzytruth.plots.design_plots import planning, variance_components
from fuzzytruth.plots.displacement_plots import displaced_items, displacement
from fuzzytruth.plots.distribution_plot import distribution
from fuzzytruth.plots.interval_plots import forest, means
from fuzzytruth.plots.matrix_plots import agreement_matrix, pairwise_matrix, rank_probabilities
from fuzzytruth.plots.query_plots import strong_truth, waterfall
from fuzzytruth.plots.tree_plots import tree, tree_bars

__all__ = [
    "agreement_matrix",
    "by_rank",
    "curves",
    "displaced_items",
    "displacement",
    "distribution",
    "forest",
    "means",
    "pairwise_matrix",
    "planning",
    "precision_recall",
    "rank_probabilities",
    "strong_truth",
    "subject_strip",
    "tiers",
    "tree",
    "tree_bars",
    "variance_components",
    "waterfall",
]
