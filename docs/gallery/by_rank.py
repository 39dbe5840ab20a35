"""
Precision and recall at every cut-off
=====================================

The line is the expected precision of one query's list at each rank. The shades are nested central
intervals over worlds, the possible truths: half of the worlds are inside the strongest shade, 95%
inside the weakest. They say how uncertain the truth of *this* query is, and nothing about other
queries.
"""

import warnings

import fuzzytruth as ft
from fuzzytruth.datasets import load_clef_tar2017

warnings.simplefilter("ignore", ft.FuzzytruthWarning)  # some runs lack queries
truth, runs = load_clef_tar2017()
ranks = ft.by_rank(truth, runs, depth=50)
ranks.plot(query="CD008760", system="amc.run")

# %%
# Recall of two systems, of which the widest intervals are drawn. It is uncertain even where both
# readings of relevance agree on all retrieved items, because the number of relevant items is.
ranks.plot(
    query="CD008760",
    measure="recall",
    system=["amc.run", "waterloo.B-rank-normal"],
)

# %%
# `fan` gives the numbers.
ranks.fan(query="CD008760", system="amc.run").tail(3)
