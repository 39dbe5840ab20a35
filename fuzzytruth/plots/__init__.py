"""Figures of tidy frames.

Every function takes frames and an optional Matplotlib `ax`, draws on it or on a new figure, and
returns the axes. Nothing is shown or saved, and no global setting changes.

Each figure is one module `..._plot`; what they have in common is in `drawing`, and `frames` says
what results hand to them.
"""

from __future__ import annotations

from fuzzytruth.plots.agreement_matrix_plot import agreement_matrix
from fuzzytruth.plots.by_rank_plot import by_rank
from fuzzytruth.plots.curves_plot import curves
from fuzzytruth.plots.displaced_items_plot import displaced_items
from fuzzytruth.plots.displacement_plot import displacement
from fuzzytruth.plots.distribution_plot import distribution
from fuzzytruth.plots.forest_plot import forest
from fuzzytruth.plots.means_plot import means
from fuzzytruth.plots.pairwise_matrix_plot import pairwise_matrix
from fuzzytruth.plots.planning_plot import planning
from fuzzytruth.plots.precision_recall_plot import precision_recall
from fuzzytruth.plots.rank_probabilities_plot import rank_probabilities
from fuzzytruth.plots.strong_truth_plot import strong_truth
from fuzzytruth.plots.subject_strip_plot import subject_strip
from fuzzytruth.plots.tiers_plot import tiers
from fuzzytruth.plots.tree_bars_plot import tree_bars
from fuzzytruth.plots.tree_plot import tree
from fuzzytruth.plots.variance_components_plot import variance_components
from fuzzytruth.plots.waterfall_plot import waterfall

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
