"""
Differences between systems
===========================

Each line is the difference of two systems with its simultaneous interval: all intervals hold at
once in 95 of 100 studies. A filled marker is a significant difference, whose interval does not
reach the line at zero.
"""

import warnings

import fuzzytruth as ft
from fuzzytruth.datasets import load_clef_tar2017

warnings.simplefilter("ignore", ft.FuzzytruthWarning)  # queries that one system did not answer

truth, runs = load_clef_tar2017()
scores = ft.evaluate(truth, runs, "AP", worlds="subject")
result = ft.compare(scores, baseline="amc.run")
result.plot()
