"""
Tiers of systems
================

Systems by their mean, the best on top. Each bar joins systems of which no two differ significantly,
by simultaneous intervals of all pairs; two systems that no bar joins differ significantly. Bars
overlap, as "no significant difference shown" is not transitive. The tier is one more than the
longest chain of systems of which each is significantly better than the next.
"""

import fuzzytruth as ft

truth, runs = ft.datasets.load_clef_tar2017()
scores = ft.evaluate(truth, runs, ["AP"], worlds="subject")
ft.compare(scores).plot(kind="tiers")
