"""
What a single truth hides
=========================

A benchmark with a *strong ground truth*, in which each item has the category of most votes, prints
the crosses. Behind each is a distribution: if every item draws one of its votes, the query's score
varies over these worlds. A cross far from the mean, or at the end of a wide interval, is a score
that hangs on treating a majority as certainty.
"""

import warnings

import fuzzytruth as ft
from fuzzytruth import plots

warnings.simplefilter(
    "ignore", ft.FuzzytruthWarning
)  # recall is undefined in a few queries
data = ft.datasets.load_model_vs_human("silhouette")
answers = data.answers.query("system == 'resnet50'")
runs = ft.Runs.by_similarity(answers, data.votes.taxonomy)
found = ft.santini(data.votes, runs, k=5)
queries = [
    f"{kind}{n}" for kind in ("bear", "keyboard", "oven") for n in range(1, 8)
]
plots.strong_truth(found, queries=queries)
