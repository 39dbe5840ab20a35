"""Figures of tidy frames.

Every function takes frames and an optional Matplotlib `ax`, draws on it or on a new figure, and
returns the axes. Nothing is shown or saved, and no global setting changes.
"""

from __future__ import annotations

from fuzzytruth.plots.by_rank_plot import by_rank
from fuzzytruth.plots.curves_plot import curves
from fuzzytruth.plots.distribution_plot import distribution
from fuzzytruth.plots.forest_plot import forest
from fuzzytruth.plots.means_plot import means
from fuzzytruth.plots.pairwise_matrix_plot import pairwise_matrix
from fuzzytruth.plots.precision_recall_plot import precision_recall
from fuzzytruth.plots.rank_probabilities_plot import rank_probabilities
from fuzzytruth.plots.strong_truth_plot import strong_truth
from fuzzytruth.plots.tiers_plot import tiers
from fuzzytruth.plots.tree_bars_plot import tree_bars
from fuzzytruth.plots.tree_plot import tree

__all__ = [
    "by_rank",
    "curves",
    "distribution",
    "forest",
    "means",
    "pairwise_matrix",
    "precision_recall",
    "rank_probabilities",
    "strong_truth",
    "tiers",
    "tree",
    "tree_bars",
]
