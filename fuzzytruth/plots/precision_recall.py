"""The picture of a `Cloud`: points, mean curve and band."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth.plots.axes import axes_or_new

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from fuzzytruth.evaluation.precision_recall_cloud import Cloud

_LEAST = 1e-4  # points that are less probable are not drawn


def draw(cloud: Cloud, ax: Axes | None, level: float) -> Axes:
    """Draw on `ax`, or in a new figure, and return the axes."""
    ax = axes_or_new(ax)
    visible = cloud.probability > _LEAST
    shade = np.sqrt(cloud.probability[visible] / cloud.probability.max())
    ax.scatter(
        cloud.recall[visible],
        cloud.precision[visible],
        s=8 + 60 * shade,
        c=[(0.12, 0.35, 0.6, alpha) for alpha in 0.08 + 0.6 * shade],
        linewidths=0,
        label="possible (recall, precision)",
    )
    mean, bands = cloud.mean_curve(), cloud.bands(level)
    ax.fill_between(
        mean["recall"],
        bands["precision_lower"],
        bands["precision_upper"],
        color="0.5",
        alpha=0.2,
        linewidth=0,
        label=f"{level:.0%} of precision at a rank",
    )
    ax.plot(mean["recall"], mean["precision"], "o-", color="C1", ms=3, label="mean curve")
    ax.set(xlabel="recall", ylabel="precision", xlim=(-0.02, 1.02), ylim=(-0.02, 1.05))
    ax.set_title(f"{cloud.system}, query {cloud.query}")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), frameon=False, fontsize="small")
    return ax
