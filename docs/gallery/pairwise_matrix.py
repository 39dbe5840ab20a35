"""
Pairwise differences as a matrix
================================

The mean difference of the row's system minus the column's, both ordered by their means, the best
first. Starred bold numbers are significant after adjustment for all pairs.
"""

import fuzzytruth as ft

truth, runs = ft.datasets.load_clef_tar2017()
scores = ft.evaluate(truth, runs, ["AP"], worlds="subject")
ft.compare(scores).plot(kind="matrix")

# %%
# Of many systems, ``Comparison.plot()`` draws the matrix by default. Triangles mark significant
# cells: upwards where the row's system has the larger mean. Here 33 model judges are compared by
# how close each of their grades is to the human's, per query.

votes = ft.datasets.load_llmjudge_dl23().to_frame()
human = votes[votes["subject"] == "human"].rename(
    columns={"grade": "of_human"}
)
both = votes[votes["subject"] != "human"].merge(
    human[["query", "item", "of_human"]]
)
both["value"] = (both["grade"] - both["of_human"]).abs()
error = both.groupby(["subject", "query"])["value"].mean().reset_index()
judges = ft.Scores.from_frame(
    error.rename(columns={"subject": "system"}),
    measure="absolute error",
    higher_is_better=False,
)
ft.compare(judges, n_resamples=1999).plot()
