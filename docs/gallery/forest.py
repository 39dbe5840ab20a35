"""
Differences with simultaneous intervals
=======================================

Every pair of eight systems for technologically assisted reviews, compared on average precision. A
bar is the simultaneous 95 % interval of a mean difference: with 95 % confidence all bars together
hold the true differences. Filled markers are significant. The two marks below each bar are the
differences with one reading of relevance alone (included after reading the abstract, or the full
text). A bar that crosses zero does not show that two systems are equal.
"""

import fuzzytruth as ft

truth, runs = ft.datasets.load_clef_tar2017()
scores = ft.evaluate(truth, runs, ["AP"], worlds="subject")
comparison = ft.compare(scores)
comparison.plot()

# %%
# Against a single baseline there is one row a system, and fewer comparisons to adjust for.

ft.compare(scores, baseline="waterloo.B-rank-normal").plot()
