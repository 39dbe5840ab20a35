"""Draw the figure of docs/tutorial.md: people averaged first, or last, for one query and for all.

`python docs/pictures/two_schemes.py [FILE]`; by default two_schemes.png beside this script.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import matplotlib as mpl

mpl.use("agg")

import matplotlib.pyplot as plt

import fuzzytruth as ft


def main(path: Path) -> None:
    """Analyse the votes as the tutorial does, and write the figure."""
    data = ft.datasets.load_model_vs_human("silhouette")
    names = {"swag_vit_h14_in1k": "vit", "swag_regnety_128gf_in1k": "regnety"}
    answers = data.answers.replace({"system": names}).query("system in ['vit', 'regnety']")
    runs = ft.Runs.by_similarity(answers, data.votes.taxonomy)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ft.FuzzytruthWarning)  # recall is undefined in few queries
        found = ft.santini(data.votes, runs, k=5)
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.6, 4.4), layout="constrained")
    found.plot(left, query="bear9")
    found.plot(right)
    figure.savefig(path, dpi=150, metadata={"Software": None})


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else Path(__file__).with_suffix(".png"))
