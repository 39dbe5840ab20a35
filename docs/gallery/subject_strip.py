"""
One subject at a time
=====================

Does a verdict hold for each subject? Every pair of systems has a row: the black diamond is the
difference by all subjects together, with its interval, and below it are the differences by each
subject's judgments alone. Triangles point to the side on which a subject alone finds a significant
difference, in a colour for each side, and are filled where it is significant among all subjects;
circles are not significant.
"""

# %%
# Two subjects: articles of systematic reviews were judged by their abstract and by their full text.
# Few subjects have a row each, with the interval that their judgments alone give.
import warnings

import fuzzytruth as ft
from fuzzytruth.datasets import load_clef_tar2017, load_cragc25
from fuzzytruth.errors import FuzzytruthWarning

truth, runs = load_clef_tar2017()
with warnings.catch_warnings():
    warnings.simplefilter(
        "ignore", FuzzytruthWarning
    )  # three queries that one run lacks
    scores = ft.evaluate(truth, runs, ["AP"], worlds="subject")
each = ft.compare(scores, baseline="ecnu.run2").by_subject()
ax = each.plot()

# %%
# Hundreds of crowd workers are a density; at the right are the numbers of those who find a
# significant difference. A worker who saw a single topic has no interval, hence no verdict.
with warnings.catch_warnings():
    warnings.simplefilter(
        "ignore", FuzzytruthWarning
    )  # workers with a single topic, or none
    each = ft.compare(load_cragc25(), over="subject").by_subject()
ax = each.plot(n_pairs=8)
