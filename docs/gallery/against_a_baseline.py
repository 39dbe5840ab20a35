"""
Systems against a baseline
==========================

Each line is the difference of a system from the baseline, with its simultaneous interval: all
intervals hold at once in 95 of 100 studies. A filled marker is a significant difference, whose
interval does not reach the line at zero.
"""

import fuzzytruth as ft
from fuzzytruth.datasets import load_clef_tar2017

truth, runs = load_clef_tar2017()
scores = ft.evaluate(truth, runs, "AP", worlds="subject")
result = ft.compare(scores, baseline="amc.run")
result.plot()
