"""Part (a), continued: a rooted acyclic graph instead of a tree."""

from __future__ import annotations

import pandas as pd

import fuzzytruth as ft
from paper_repro import as_printed
from paper_repro.examples import FIGURE_1_VOTES, TREE
from paper_repro.pictures import Picture, pyplot
from paper_repro.tables import EXAMPLE, IDENTITY, Claim, Table

# %% [markdown]
# ### A graph that is no tree
#
# "The more complicated case in which the taxonomy is an acyclic graph can be tackled with
# techniques similar to those presented here." Not with (8) as it is: let Figure 1's tree have one
# more category, {{SHARED}}, which is both a {{" and a ".join(PARENTS)}}, and let the subject who
# chose crowd choose it instead (this example is ours). Summed up "from the bottom up", its vote
# reaches the root by both ways and counts twice. The share of subjects whose category lies in the
# subtree, which is the same as (8) in a tree, counts each subject once.

# %%
SHARED, PARENTS = "demonstration", ("crowd", "city")
GRAPH = TREE | {parent: [SHARED] for parent in PARENTS}
GRAPH_VOTES = [SHARED if vote == "crowd" else vote for vote in FIGURE_1_VOTES]
BOTTOM_UP_BY_HAND = {"all": 1.2, "people": 0.6, "scenery": 0.6, "crowd": 0.2, "city": 0.6}


def graph_membership() -> ft.Membership:
    """p(category | image) in the graph."""
    frame = pd.DataFrame(
        {
            "subject": [f"subject {n}" for n in range(1, 6)],
            "item": "fig1",
            "category": GRAPH_VOTES,
        }
    )
    return ft.Assignments.from_frame(frame, taxonomy=ft.Taxonomy.from_children(GRAPH)).membership()


def double_counted() -> dict[str, float]:
    """(8), bottom-up, of each node of the graph."""
    return {
        node: as_printed.bottom_up_probability(GRAPH_VOTES, GRAPH, node)
        for node in graph_membership().taxonomy
    }


# %% show: graph_table()
def graph_table() -> Table:
    """Each node: the sum of (8), and the share of subjects in the subtree."""
    m, sums = graph_membership(), double_counted()
    rows = []
    for node in m.taxonomy:
        share = m.probability("fig1", node)
        twice = "counted twice" if abs(sums[node] - share) > 1e-12 else ""
        rows.append((node, GRAPH_VOTES.count(node), sums[node], share, twice))
    return Table.of(
        ("category", "votes for it", "(8), bottom-up", "share in the subtree", ""), rows
    )


# %% picture: graph_drawn()
def graph_drawn() -> Picture:
    """The graph, with the share of subjects in each subtree."""
    pyplot()
    m = graph_membership()
    shares = {node: m.probability("fig1", node) for node in m.taxonomy}
    names = {
        node: f"{node} (not {total:g})" if abs(total - shares[node]) > 1e-12 else node
        for node, total in double_counted().items()
    }
    ax = m.taxonomy.plot(shares, labels=names, cmap="Blues")
    return Picture(
        ax.figure,
        f"A rooted acyclic graph: {SHARED} is below both {' and '.join(PARENTS)} (the second edge "
        "is dashed). Each box has the share of the five subjects whose category lies in its "
        'subtree; "not" shows the sum of (8) where it differs.',
    )


# %%
def graph_claims() -> list[Claim]:
    """What the two ways of counting give."""
    sums, m = double_counted(), graph_membership()
    rows = [
        Claim(
            f"(8), bottom-up, of {node} in a graph",
            "our graph, by hand",
            EXAMPLE,
            f"{by_hand:g}",
            f"{sums[node]:.6g}",
            abs(sums[node] - by_hand) < 1e-12,
        )
        for node, by_hand in BOTTOM_UP_BY_HAND.items()
    ]
    worst = min(
        m.probability("fig1", parent) - m.probability("fig1", child)
        for parent, children in GRAPH.items()
        for child in children
    )
    root = m.probability("fig1", "all")
    shown = f"root {root:g}, smallest difference {worst:.6g}"
    rows.append(
        Claim(
            "subtree shares in a graph: the root has 1, and p(parent) ≥ p(child)",
            "Santini, section 4, (5), in our graph",
            IDENTITY,
            "1, ≥ 0",
            shown,
            root == 1 and worst >= 0,
        )
    )
    return rows
