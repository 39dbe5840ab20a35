"""Order of the figures in the gallery: by question, from verdicts to planning."""

from __future__ import annotations

#: scripts of docs/gallery without their ending; others follow by name
ORDER = (
    "against_a_baseline",
    "forest",
    "pairwise_matrix",
    "tiers",
    "rank_probabilities",
    "means",
    "subject_strip",
    "waterfall",
    "curves",
    "by_rank",
    "precision_recall",
    "distribution",
    "two_schemes",
    "strong_truth",
    "tree",
    "tree_bars",
    "displacement",
    "displaced_items",
    "agreement_matrix",
    "reliability_curve",
    "variance_components",
    "planning",
)


class ByQuestion:
    """Sort key of sphinx-gallery.

    Parameters
    ----------
    folder : str
        Folder of the scripts; all have their place in the same list.
    """

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def __call__(self, name: str) -> tuple[int, str]:
        """Key of one script."""
        stem = name.removesuffix(".py")
        return (ORDER.index(stem) if stem in ORDER else len(ORDER), stem)
