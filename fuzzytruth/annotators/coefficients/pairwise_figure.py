"""What the figure of the agreement of pairs is drawn from."""

from __future__ import annotations

from fuzzytruth.annotators.coefficients.pairwise_answer import COEFFICIENTS, Pairwise
from fuzzytruth.errors import counted
from fuzzytruth.plots.frames import PlotData


def pairwise_figure(found: Pairwise, threshold: float) -> PlotData:
    """The coefficient of each pair, clusters of near-duplicates, and a title."""
    metric = f" ({found.metric})" if found.metric != "nominal" else ""
    name = COEFFICIENTS[found.coefficient] + metric
    clusters = found.duplicates(threshold)
    copies = "No near-duplicates"
    if len(clusters):
        subjects = counted(len(clusters), "near-duplicate")
        copies = f"Outlined: {subjects} in {counted(clusters['cluster'].nunique(), 'cluster')}"
    units = counted(found.n_units, "item" if found.over == "item" else "judged item")
    return PlotData(
        found.pairs[["subject_a", "subject_b", "value"]].assign(coefficient=name),
        f"{name} of pairs of {counted(len(found.subjects), 'subject')} on {units}\n"
        f"{copies} at a threshold of {threshold:g}",
        clusters,
    )
