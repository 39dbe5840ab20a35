"""
Precision–recall cloud of a query
=================================

With an uncertain truth, the precision–recall curve of a query becomes a cloud: at each rank, every
possible pair of recall and precision, larger where more probable. The mean curve goes
from rank to rank; its recall never falls.

Here a network answers a silhouette with all others that it gives the same name. What the silhouette
shows is uncertain, too: ten people named five animals. One band over all would hold nearly every
precision there is, so that each of the most probable categories has a band and a mean curve of its
own: if the query is a bird, the list is very good, otherwise useless.
"""

import fuzzytruth as ft
from fuzzytruth.datasets import load_model_vs_human

data = load_model_vs_human("silhouette")
named = data.answers[data.answers["system"] == "resnet50"].set_index("item")[
    "category"
]
same = {
    query: named.index[named == named[query]].drop(query).tolist()
    for query in named.index
}

ranks = ft.by_rank(data.votes.by_example(), {"resnet50": same}, depth=20)
ranks.cloud("resnet50", "bear6").plot()
