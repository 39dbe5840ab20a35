"""
Variance components
===================

Where do differences between scores come from? The first bar of a component is its share in the
variance of a single score; the second its share in the error of a difference between two systems'
means, to which only components of systems contribute. Negative estimates are drawn as they are.
"""

# %%
# Eight systems, 30 systematic reviews, and articles judged at two stages of screening.
import warnings

import fuzzytruth as ft
from fuzzytruth.datasets import load_clef_tar2017
from fuzzytruth.errors import FuzzytruthWarning

truth, runs = load_clef_tar2017()
with warnings.catch_warnings():
    warnings.simplefilter(
        "ignore", FuzzytruthWarning
    )  # three queries that one run lacks
    scores = ft.evaluate(truth, runs, ["AP"], worlds="subject")
found = ft.variance_components(scores)
ax = found.plot()

# %%
# The numbers behind it.
print(found.shares().round(3).drop(columns="measure").to_string(index=False))
