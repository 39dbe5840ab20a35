"""The sources' examples, as printed and as input of the library."""

from __future__ import annotations

from typing import Any

import fuzzytruth as ft

TREE = {
    "all": ["people", "scenery"],
    "people": ["single", "group", "crowd"],
    "scenery": ["city", "countryside"],
}
FIGURE_1_VOTES = ["people", "people", "crowd", "city", "city"]


def membership_of(votes: list[str], tree: dict[str, list[str]]) -> ft.Membership:
    """p(category | image) of one image, from the votes of as many subjects."""
    subjects = [f"subject {n}" for n in range(1, len(votes) + 1)]
    taxonomy = ft.Taxonomy.from_children(tree)
    items = ["fig1"] * len(votes)
    return ft.Assignments.from_columns(subjects, items, votes, taxonomy=taxonomy).membership()


def figure1_membership() -> ft.Membership:
    """p(category | image), from the five votes."""
    return membership_of(FIGURE_1_VOTES, TREE)


SUBJECT, RELEVANCE = ["a", "b", "c", "d"], [1.0, 0.8, 0.5, 0.2]
SYSTEM, ASKED_ON = ["c", "a", "x", "y"], ["d", "b", "z"]
N_IMAGES = 10


def displaced(unseen: str, **options: Any) -> ft.results.Displacement:
    """The example under one hypothesis."""
    listed = SYSTEM + ASKED_ON if unseen == "incremental" else SYSTEM
    return ft.displacement(
        SUBJECT, RELEVANCE, listed, unseen=unseen, N=N_IMAGES, ties="position", **options
    )


GAINS = [2, 2, 1, 2, 2, 1, 0, 1, 0, 1, 2, 0, 0, 0]
HIGHLY, RELEVANT, COLLECTION = 6, 11, 1814
IDEAL = [2] * HIGHLY + [1] * (RELEVANT - HIGHLY)
VECTORS = {
    "CG": ("2 4 5 7 9 10 10 11 11 12 14 14 14 14", "CG"),
    "DCG": (
        "2.0 4.0 4.63093 5.63093 6.492283 6.8791356 6.8791356 7.212469 7.212469 7.5134993 "
        "8.091629 8.091629 8.091629 8.091629",
        "DCG(dcg=jarvelin)",
    ),
    "ICG": ("2 4 6 8 10 12 13 14 15 16 17", "CG"),
    "IDCG": (
        "2.0 4.0 5.2618594 6.2618594 7.123213 7.8969183 8.253125 8.586458 8.901923 9.202953 "
        "9.492018",
        "DCG(dcg=jarvelin)",
    ),
    "NCG": (
        "1.0 1.0 0.8333333 0.875 0.9 0.8333333 0.7692308 0.78571427 0.73333335 0.75 "
        "0.8235294 0.8235294 0.8235294 0.8235294",
        "nCG",
    ),
    "NDCG": (
        "1.0 1.0 0.8800938 0.89924246 0.9114262 0.87111646 0.83351886 0.83998185 0.8102147 "
        "0.81642264 0.8524667 0.8524667 0.8524667 0.8524667",
        "nDCG(dcg=jarvelin)",
    ),
}
NCG_FRACTIONS = "2/2 4/4 5/6 7/8 9/10 10/12 10/13 11/13 11/14 12/15 14/16 14/17 14/17 14/17"


def shrec_scores(measures: list[str], gains: list[int] = GAINS) -> list[float]:
    """Measures of a list with these gains."""
    missed = [2] * (HIGHLY - gains.count(2)) + [1] * (RELEVANT - HIGHLY - gains.count(1))
    items = [f"shape {j:02}" for j in range(1, len(gains) + len(missed) + 1)]
    truth = {"query": dict(zip(items, gains + missed, strict=True))}
    run = {"list": {"query": {item: -float(j) for j, item in enumerate(items[: len(gains)])}}}
    return ft.evaluate(truth, run, measures).values.ravel().tolist()


def printed_vector(name: str) -> list[str]:
    """The numbers of a vector, as printed."""
    return VECTORS[name][0].split()


def our_vector(name: str) -> list[float]:
    """The vector computed by the library, one cut-off for each rank."""
    printed, measure = VECTORS[name]
    ranks = range(1, len(printed.split()) + 1)
    gains = IDEAL if name in ("ICG", "IDCG") else GAINS
    return shrec_scores([f"{measure}@{k}" for k in ranks], gains)


def fraction(text: str) -> float:
    """The value of a printed fraction."""
    above, _, below = text.partition("/")
    return float(above) / float(below)
