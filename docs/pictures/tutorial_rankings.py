"""Make the figure of docs/tutorial_rankings.md: ``python docs/pictures/tutorial_rankings.py``."""

from __future__ import annotations

from pathlib import Path

import fuzzytruth as ft
import matplotlib as mpl

mpl.use("Agg")
truth, runs = ft.datasets.load_clef_tar2017()
scores = ft.evaluate(truth, runs, "AP", worlds="subject")
ax = ft.compare(scores, baseline="amc.run").plot()
ax.figure.savefig(
    Path(__file__).with_suffix(".png"), dpi=100, bbox_inches="tight"
)
