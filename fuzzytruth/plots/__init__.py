"""Figures of tidy frames.

Every function takes frames and an optional Matplotlib `ax`, draws on it or on a new figure, and
returns the axes. Nothing is shown or saved, and no global setting changes.
"""

from __future__ import annotations

from fuzzytruth.plots.agreement_matrix_plot import agreement_matrix
from fuzzytruth.plots.displaced_items_plot import displaced_items
from fuzzytruth.plots.displacement_plot import displacement
from fuzzytruth.plots.distribution_plot import distribution
from fuzzytruth.plots.forest_plot import forest
from fuzzytruth.plots.planning_plot import planning
from fuzzytruth.plots.precision_recall_plot import precision_recall
from fuzzytruth.plots.strong_truth_plot import strong_truth
from fuzzytruth.plots.subject_strip_plot import subject_strip
from fuzzytruth.plots.tree_plot import tree
from fuzzytruth.plots.variance_components_plot import variance_components
from fuzzytruth.plots.waterfall_plot import waterfall

__all__ = [
    "agreement_matrix",
    "displaced_items",
    "displacement",
    "distribution",
    "forest",
    "planning",
    "precision_recall",
    "strong_truth",
    "subject_strip",
    "tree",
    "variance_components",
    "waterfall",
]
