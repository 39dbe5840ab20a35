"""
People averaged first, or last
==============================

How good is a system when people disagree about what is right? They can be averaged first: the share
of people who see a category is its probability, and precision has a distribution, here drawn as
bars with the mean as an open mark. Or they can be averaged last: each person's own truth gives one
number, a mark in that person's row, joined in the colour of the better system.
"""

# %%
# One query: other images like `bear9`, which is a bear to seven people and an elephant to two. The
# distributions have two parts, which are not about chance but about who looks.
import warnings

import fuzzytruth as ft

data = ft.datasets.load_model_vs_human("silhouette")
names = {"swag_vit_h14_in1k": "vit", "swag_regnety_128gf_in1k": "regnety"}
answers = data.answers.query("system in @names")
runs = ft.Runs.by_similarity(answers, data.votes.taxonomy).rename(names)
with warnings.catch_warnings():
    warnings.simplefilter(
        "ignore", ft.FuzzytruthWarning
    )  # recall is undefined for three people
    found = ft.santini(data.votes, runs, k=5)
ax = found.plot(query="bear9")

# %%
# The mean over all 160 queries: by each person's own truth the same network is better.
ax = found.plot()
