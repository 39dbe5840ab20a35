"""
Ranks over resampled queries
============================

In which share of resamples each system has each rank. Outlines are confidence sets: with 95 %
confidence they hold the true ranks of all systems. They are wider than the shares suggest, for
shares only describe the resamples, while the sets allow for all systems at once.
"""

import fuzzytruth as ft

truth, runs = ft.datasets.load_clef_tar2017()
scores = ft.evaluate(truth, runs, ["AP"], worlds="subject")
ft.rank_stability(scores).plot()
