"""Figures of tidy frames.

Every function takes frames and an optional Matplotlib `ax`, draws on it or on a new figure that is
as high as its rows need, and returns the axes. Nothing is shown or saved, and no global setting
changes.

Above the axes are the result's own title and notes on what is not drawn, wrapped to the width of
the figure; they give way to a title set by `Axes.set_title`. ``title="..."`` replaces the title,
``title=""`` leaves the notes alone, and ``title=False`` nothing.

On small axes title and legend become smaller, and lines of the title after its first are left out,
so that the axes keep about half of the height; rows too low to be read are not named, or not drawn
and counted. A figure of one axes without a layout gets a constrained one. Letters are at most as
large as ``rcParams["font.size"]``.

Each family of figures is one module; what they have in common is in `drawing` and `scheme`, their
colours and marks. `frames` says what results hand to them. What seaborn draws from a table of
numbers it draws: heat maps and densities of people. Intervals, curves, distributions and bars are
computed before, exactly, where seaborn would estimate them anew from the raw values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fuzzytruth._lazy import members

if TYPE_CHECKING:
    from fuzzytruth.plots.comparison_plots import subject_strip as subject_strip
    from fuzzytruth.plots.comparison_plots import tiers as tiers
    from fuzzytruth.plots.curve_plots import by_rank as by_rank
    from fuzzytruth.plots.curve_plots import curves as curves
    from fuzzytruth.plots.curve_plots import precision_recall as precision_recall
    from fuzzytruth.plots.curve_plots import reliability_curve as reliability_curve
    from fuzzytruth.plots.design_plots import planning as planning
    from fuzzytruth.plots.design_plots import variance_components as variance_components
    from fuzzytruth.plots.displacement_plots import displaced_items as displaced_items
    from fuzzytruth.plots.displacement_plots import displacement as displacement
    from fuzzytruth.plots.distribution_plot import distribution as distribution
    from fuzzytruth.plots.interval_plots import forest as forest
    from fuzzytruth.plots.interval_plots import means as means
    from fuzzytruth.plots.matrix_plots import agreement_matrix as agreement_matrix
    from fuzzytruth.plots.matrix_plots import pairwise_matrix as pairwise_matrix
    from fuzzytruth.plots.matrix_plots import rank_probabilities as rank_probabilities
    from fuzzytruth.plots.query_plots import strong_truth as strong_truth
    from fuzzytruth.plots.query_plots import two_schemes as two_schemes
    from fuzzytruth.plots.query_plots import waterfall as waterfall
    from fuzzytruth.plots.tree_plots import tree as tree
    from fuzzytruth.plots.tree_plots import tree_bars as tree_bars
else:
    __getattr__, __all__, __dir__ = members(
        __name__,
        {
            "comparison_plots": "subject_strip tiers",
            "curve_plots": "by_rank curves precision_recall reliability_curve",
            "design_plots": "planning variance_components",
            "displacement_plots": "displaced_items displacement",
            "distribution_plot": "distribution",
            "interval_plots": "forest means",
            "matrix_plots": "agreement_matrix pairwise_matrix rank_probabilities",
            "query_plots": "strong_truth two_schemes waterfall",
            "tree_plots": "tree tree_bars",
        },
    )
