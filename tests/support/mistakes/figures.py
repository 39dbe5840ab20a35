"""Of figures and printed tables."""

import pandas as pd

import fuzzytruth as ft
from fuzzytruth import plots
from support.mistakes.examples import scores

DRAWN = pd.DataFrame(
    [("m", "x", "y", 0.1, 0.0, 0.2, True)],
    columns=["measure", "system_a", "system_b", "difference", "lower", "upper", "significant"],
)
EDGES = pd.DataFrame({"parent": ["a"], "child": ["b"]})
HALF = ft.Distribution.from_atoms([0, 1], [0.5, 0.5])

ERRORS = {
    "subjects=[1]: must be a DataFrame": lambda: plots.forest(DRAWN, subjects=[1]),
    "n_rows=0.5: must be a whole number": lambda: plots.forest(DRAWN, n_rows=0.5),
    "order=1: must be one of": lambda: plots.forest(DRAWN, order=1),
    "order=3: must be names of systems": lambda: plots.pairwise_matrix(DRAWN, order=3),
    "measure 3 is not in the frame; it has 'm'": lambda: plots.forest(DRAWN, measure=3),
    "kind='bars': must be one of": lambda: plots.distribution(HALF, kind="bars"),
    "values=[1]: must be a mapping": lambda: plots.tree(EDGES, values=[1]),
    "limits=3: must be two numbers": lambda: ft.Taxonomy.flat(["a"]).plot(limits=3),
    "labels=['a']: must be a mapping": lambda: ft.Taxonomy.flat(["a"]).to_text(labels=["a"]),
    "data=[1]: must be a DataFrame ... 'optimist'": lambda: plots.displacement([1]),
    "caption=3: must be a text": lambda: scores("a").to_latex(caption=3),
    "digits=1000...: must be 100 or less": lambda: scores("a").to_markdown(digits=10**400),
}
