"""Draw the figure of README.md: which systems differ from the first one, on a sample that ships.

`python docs/pictures/readme.py [FILE]`; by default readme.png beside this script.
"""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

import matplotlib as mpl

mpl.use("agg")

import fuzzytruth as ft
from fuzzytruth.datasets import load_clef_tar2017


def main(path: Path) -> None:
    """Compare the systems of the sample as README does, and write the figure."""
    truth, runs = load_clef_tar2017()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ft.FuzzytruthWarning)
        scores = ft.evaluate(truth, runs, "AP", worlds="subject")
    ax = ft.compare(scores, baseline="amc.run").plot()
    ax.figure.savefig(path, dpi=150, metadata={"Software": None})


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else Path(__file__).with_suffix(".png"))
