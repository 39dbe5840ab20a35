"""
Curves of several systems
=========================

The curves that evaluation campaigns show: precision against recall, gain by rank, gain against
recall, each the mean over queries (and over the subjects who judged them). Bands are drawn where
they can be told apart, that is of up to four systems; `highlight` chooses them, and leaves the
others faint.
"""

import warnings

import fuzzytruth as ft
from fuzzytruth.datasets import load_clef_tar2017

warnings.simplefilter("ignore", ft.FuzzytruthWarning)  # some runs lack queries
truth, runs = load_clef_tar2017()
ft.curves(truth, runs, "IPR").plot()

# %%
# nDCG by rank of two systems, with 95% t-intervals of the mean over queries. They hold at each rank
# by itself, for each system by itself: to compare systems, use `compare`.
two = ["ecnu.run3", "waterloo.A-rank-normal"]
by_rank = ft.curves(truth, runs, "nDCG", depth=100)
by_rank.plot(highlight=two)

# %%
# The same with the range of the two subjects' own curves, which are two readings of relevance:
# included on the basis of the abstract, or of the full text.
by_rank.plot(highlight=two, over="subject")

# %%
# DCG at levels of recall. Only queries whose list reaches a level count there: curves are thin
# where they are means over fewer queries than at first.
ft.curves(truth, runs, "DCG-recall").plot()

# %%
# Precision against recall at each rank, from the first to the hundredth.
ft.curves(truth, runs, "PR", depth=100).plot(highlight=two)
