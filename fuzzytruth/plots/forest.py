"""The picture of a `Comparison`: differences and their intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fuzzytruth.core.validation import place_of
from fuzzytruth.plots.axes import pyplot
from fuzzytruth.stats.axes import in_words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from fuzzytruth.comparison.result import Comparison


def draw(comparison: Comparison, ax: Axes | None, measure: str | None) -> Axes:
    """See `Comparison.plot`."""
    plt = pyplot()
    conditions = comparison.conditions
    which = 0 if measure is None else place_of(conditions.measures, measure, "measure")
    table = comparison.table[comparison.table["measure"] == conditions.measures[which]]
    table = table[table["difference"].notna()]
    if ax is None:
        _, ax = plt.subplots(figsize=(6.4, 1.2 + 0.25 * len(table)), layout="constrained")
    place = np.arange(len(table))[::-1]
    for significant, fill in ((True, "full"), (False, "none")):
        mine = (table["significant"] == significant).to_numpy()
        some = table[mine]
        ends = np.stack((some["difference"] - some["lower"], some["upper"] - some["difference"]))
        bars = np.where(np.isfinite(ends), ends, 0.0)
        ax.errorbar(some["difference"], place[mine], xerr=bars, fmt="o", color="C0", fillstyle=fill)
    ax.axvline(0, color="0.6", linewidth=1, zorder=0)
    ax.set_yticks(place, (table["system_a"] + " − " + table["system_b"]).to_list())
    ax.set_xlabel(
        f"difference of {conditions.measures[which]} over {in_words(conditions.over)}\n"
        f"{conditions.level:.0%} {conditions.interval} intervals,\n"
        f"filled: adjusted p at most {1 - conditions.level:.2g}"
    )
    return ax
