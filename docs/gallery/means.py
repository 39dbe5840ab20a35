"""
Means with intervals
====================

The mean of each system over queries, with its 95 % interval, and the mean by each subject's
judgments alone. Intervals of single systems do not say which systems differ: for that, look at
intervals of differences.
"""

import fuzzytruth as ft

truth, runs = ft.datasets.load_clef_tar2017()
scores = ft.evaluate(truth, runs, ["AP", "nDCG@10"], worlds="subject")
scores.plot(by="subject")

# %%
# Several measures in one figure. Systems are ordered by the first.

scores.plot(measure=["AP", "nDCG@10"])
