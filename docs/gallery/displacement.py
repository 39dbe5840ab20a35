"""
Displacement of systems from each subject
=========================================

How far is a system's list from what each subject finds relevant? A dumbbell reaches from the
optimist, for whom the items that the system omits come next, to the pessimist, for whom they are
nowhere. The numbers are the quality of the displacement, 1 being the same order. Of many subjects,
densities are drawn.
"""

# %%
# One skin case, whose readers ranked conditions. Two readers in turn are taken as systems, and
# compared with each of the others.
import fuzzytruth as ft
import pandas as pd
from fuzzytruth import plots
from fuzzytruth.datasets import load_dermatology_ddx

frame = load_dermatology_ddx().to_frame()
case = frame.groupby("query").size().idxmax()  # the one with the longest lists
readers = frame[frame["query"] == case]
systems = ["reader 1", "reader 2"]
truth = ft.Judgments.from_frame(
    readers[~readers["subject"].isin(systems)], design="nested"
)
runs = ft.Runs.from_frame(
    readers[readers["subject"].isin(systems)].rename(
        columns={"subject": "system", "grade": "score"}
    )
)
measures = [
    "WD(unseen=optimist,normalised=True)",
    "WD(unseen=pessimist,N=419,normalised=True)",
    "WDQ(unseen=optimist,g=exp,rate=0.5)",
]
each = [
    ft.evaluate(truth, runs, measure)
    .to_frame()
    .set_index(["system", "subject"])["value"]
    for measure in measures
]
wide = pd.concat(
    each, axis=1, keys=["optimist", "pessimist", "quality"]
).reset_index()
ax = plots.displacement(
    wide,
    label="w as a share of the largest possible",
    title=f"Weighted displacement of two readers' lists from those of the others, case {case}",
)
