"""
One system's list beside one subject's
======================================

The rows are the items of a subject's list, best first. A circle is an item's place in that list, a
square its place in the system's, and the line between them how far it moved. Tied items may have
any of the places that a grey bar covers; the circle is at the one nearest to the square. An open
square is an assumed place: the system did not list the item. The numbers on the right, places ×
relevance, add up to the weighted displacement w.
"""

# %%
# Dermatologists listed the conditions that they thought possible in a skin case. The list of one of
# them is the truth here, and that of another stands for a system's.
import fuzzytruth as ft
from fuzzytruth.datasets import load_dermatology_ddx

readers = load_dermatology_ddx().to_frame()
case = (
    readers.groupby("query").size().idxmax()
)  # the one with the longest lists
lists = dict(list(readers[readers["query"] == case].groupby("subject")))


def best_first(name):
    """Conditions and relevances of a reader's list."""
    rows = lists[name].sort_values("grade", ascending=False, kind="stable")
    return rows["item"].tolist(), rows["grade"].tolist()


items, relevances = best_first("reader 10")
system, _ = best_first("reader 9")
ax = ft.displacement(items, relevances, system).plot()

# %%
# Above, conditions that the system did not list are assumed to come next (the optimist's view). The
# pessimist takes them to be nowhere among the 419 conditions that readers chose from.
ax = ft.displacement(
    items, relevances, system, unseen="pessimist", N=419
).plot()
