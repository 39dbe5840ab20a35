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
from fuzzytruth.datasets import load_model_vs_human

warnings.simplefilter("ignore", ft.FuzzytruthWarning)  # recall is undefined in a few queries
data = load_model_vs_human("silhouette")
named = data.answers[data.answers["system"] == "resnet50"].set_index("item")["category"]
same = {query: named.index[named == named[query]].drop(query).tolist() for query in named.index}

report = ft.santini_report(
    data.votes, None, {"resnet50": same}, k=5, missing="nonrelevant", n_resamples=99
)
report.plot(queries=[f"{kind}{n}" for kind in ("bear", "keyboard", "oven") for n in range(1, 8)])
