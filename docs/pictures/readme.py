"""Draw the figure of README.md: people averaged first, or last, on one query and on all.

`python docs/pictures/readme.py [FILE]`; by default readme.png beside this script.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import matplotlib as mpl

mpl.use("agg")

import fuzzytruth as ft
import matplotlib.pyplot as plt

NAMES = {"swag_vit_h14_in1k": "vit", "swag_regnety_128gf_in1k": "regnety"}


def main(path: Path) -> None:
    """Analyse the silhouettes as README does, and draw both schemes."""
    data = ft.datasets.load_model_vs_human("silhouette")
    answers = data.answers[data.answers["system"].isin(NAMES)]
    runs = ft.Runs.by_similarity(answers, data.votes.taxonomy).rename(NAMES)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ft.FuzzytruthWarning)
        found = ft.santini(
            data.votes, runs, k=5, n_permutations=9, n_resamples=99
        )
    figure, axes = plt.subplots(1, 2, figsize=(7.6, 3.7), layout="constrained")
    found.plot(axes[0], query="bear9")
    found.plot(axes[1])
    axes[1].set_yticks([])
    figure.savefig(path, dpi=150, metadata={"Software": None})


if __name__ == "__main__":
    main(
        Path(sys.argv[1])
        if sys.argv[1:]
        else Path(__file__).with_suffix(".png")
    )
