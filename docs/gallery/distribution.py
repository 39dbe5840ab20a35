"""
Distribution of a score
=======================

Where people disagree, a score is no number but a distribution over worlds, the possible truths.
Above the distributions of three systems are their means and central intervals. Systems are scored
in the same worlds, so that two distributions that overlap may still be of systems of which one is
better in nearly every world: that is what the distribution of the *difference* shows.
"""

import warnings

import fuzzytruth as ft
from fuzzytruth.datasets import load_clef_tar2017

warnings.simplefilter("ignore", ft.FuzzytruthWarning)  # some runs lack queries
truth, runs = load_clef_tar2017()
scores = ft.evaluate(truth, runs, ["AP", "P@10"], worlds="independent", rng=0)

three = ["amc.run", "ecnu.run2", "ecnu.run3"]
scores.plot_distributions(systems=three, interval=0.95)

# %%
# The cumulative probabilities of the same.
scores.plot_distributions(systems=three, kind="cdf")

# %%
# The difference of two of them, world by world, with a line at zero.
scores.plot_distributions(systems="ecnu.run3", against="ecnu.run2")

# %%
# A score that takes few values is drawn as lines. Lines of several systems at the same value are
# shifted sideways, so that all can be seen: the three at the right all stand for 0.6.
scores.plot_distributions(measure="P@10", query="CD008760", systems=three)
