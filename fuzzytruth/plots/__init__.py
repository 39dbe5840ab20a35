"""Figures of tidy frames.

Every function takes frames and an optional Matplotlib `ax`, draws on it or on a new figure, and
returns the axes. Nothing is shown or saved, and no global setting changes.

Each family of figures is one module; what they have in common is in `drawing`, and `frames` says
what results hand to them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fuzzytruth._lazy import members

if TYPE_CHECKING:
    from fuzzytruth.plots.comparison_plots import *
    from fuzzytruth.plots.curve_plots import *
    from fuzzytruth.plots.design_plots import *
    from fuzzytruth.plots.displacement_plots import *
    from fuzzytruth.plots.distribution_plot import *
    from fuzzytruth.plots.interval_plots import *
    from fuzzytruth.plots.matrix_plots import *
    from fuzzytruth.plots.query_plots import *
    from fuzzytruth.plots.tree_plots import *
else:
    __getattr__, __all__ = members(
        __name__,
        {
            "comparison_plots": "subject_strip tiers",
            "curve_plots": "by_rank curves precision_recall",
            "design_plots": "planning variance_components",
            "displacement_plots": "displaced_items displacement",
            "distribution_plot": "distribution",
            "interval_plots": "forest means",
            "matrix_plots": "agreement_matrix pairwise_matrix rank_probabilities",
            "query_plots": "strong_truth waterfall",
            "tree_plots": "tree tree_bars",
        },
    )
