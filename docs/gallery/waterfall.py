"""
Two systems, query by query
===========================

On which queries do two systems differ? One bar a query, the largest difference first; the dashed
line is the mean. Where the truth is uncertain, the line on each bar is the interval that holds 95 %
of the worlds, both systems being evaluated in the same ones.
"""

# %%
# Two systems on 30 systematic reviews. In each world every article takes one of its judgments, by
# its abstract or by its full text.
import warnings

import fuzzytruth as ft
from fuzzytruth.datasets import load_clef_tar2017
from fuzzytruth.errors import FuzzytruthWarning

truth, runs = load_clef_tar2017()
with warnings.catch_warnings():
    warnings.simplefilter(
        "ignore", FuzzytruthWarning
    )  # three queries that one run lacks
    scores = ft.evaluate(truth, runs, ["AP"], worlds="independent", rng=0)
each = scores.query_differences("waterloo.B-rank-normal", "ecnu.run2")
ax = each.plot()

# %%
# The numbers behind it.
print(each)
