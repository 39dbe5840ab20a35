"""
Planning curves
===============

How many queries and subjects does a collection need? Each curve is the expected half-width of
intervals of a difference between two systems with so many subjects; the dashed line is the target,
the star the cheapest design that meets it, and the band what the pilot leaves open.
"""

# %%
# The pilot: six kinds of answers to 65 topics, compared by crowd workers.
import warnings

import fuzzytruth as ft
from fuzzytruth.datasets import load_cragc25
from fuzzytruth.errors import MissingCellWarning

options = {"subjects": [2, 3, 5, 10, 20], "over": "query"}
with warnings.catch_warnings():
    warnings.simplefilter(
        "ignore", MissingCellWarning
    )  # nobody compared all answers to a topic
    narrow = ft.plan(load_cragc25(), half_width=0.1, **options)
    powerful = ft.plan(load_cragc25(), difference=0.15, **options)
ax = narrow.plot()

# %%
# The power to find a difference of 0.15, from the same pilot.
ax = powerful.plot()
