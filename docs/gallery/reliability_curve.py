"""
How far predictions of votes hold
=================================

A model of votes is chosen by votes that were held out of its fit. It gave each of them a
probability: of the votes that it gave .9, are nine of ten so? Points below the diagonal are
promises that were not kept. The title has the scores of all models. All this is about votes; how
many of the panel's answers are true only known answers say.
"""

# %%
# Ten people who named silhouettes.
import fuzzytruth as ft
from fuzzytruth import plots

votes = ft.datasets.load_model_vs_human("silhouette").votes
fit = ft.reliability(votes, n_simulated=0)
ax = plots.reliability_curve(fit)

# %%
# How often each of them gives the panel's answer.
ax = fit.plot()
