"""Figure 1 of "Benchmarking without ground truth", and a graph that is no tree."""

from __future__ import annotations

import fuzzytruth as ft
from paper_repro import as_printed
from paper_repro.examples import FIGURE_1_VOTES, TREE, figure1_membership, membership_of
from paper_repro.tables import EXAMPLE, IDENTITY, PRINTS, Claim, Table, number_claim

PRINTED_FIGURE = {
    "all": "1",
    "people": "0.6",
    "scenery": "0.4",
    "single": "0",
    "group": "0",
    "crowd": "0.2",
    "city": "0.4",
    "countryside": "0",
}
SANTINI_4 = "Santini, section 4"
TIED_BY_HAND = ["people", "city"]  # two votes each

# a graph: the subject who chose crowd chooses what is both a crowd and a city
SHARED, PARENTS = "demonstration", ("crowd", "city")
GRAPH = TREE | {parent: [SHARED] for parent in PARENTS}
GRAPH_VOTES = [SHARED if vote == "crowd" else vote for vote in FIGURE_1_VOTES]
BOTTOM_UP_BY_HAND = {"all": 1.2, "people": 0.6, "scenery": 0.6, "crowd": 0.2, "city": 0.6}


def figure1_claims() -> list[Claim]:
    """The paper's statements about Figure 1."""
    m = figure1_membership()
    p = m.of_item("fig1")
    rows = [
        number_claim(f"p({node}) of the image of Figure 1", SANTINI_4, printed, p[node])
        for node, printed in PRINTED_FIGURE.items()
    ]
    total = sum(p.values())
    worst = min(p[parent] - p[child] for parent in TREE for child in TREE[parent])
    most = max(m.direct("fig1").values())
    tied = [node for node, share in m.direct("fig1").items() if share == most]
    text = f"{SANTINI_4}, after (8)"
    return [
        *rows,
        number_claim("the root has always probability one", text, "1", p["all"]),
        Claim("probabilities sum to more than 1", text, PRINTS, "> 1", f"{total:.6g}", total > 1),
        Claim(
            "subsethood: p(parent) ≥ p(child)",
            f"{SANTINI_4}, (5)",
            IDENTITY,
            "≥ 0",
            f"smallest difference {worst:.6g}",
            worst >= 0,
        ),
        Claim(
            "categories of Figure 1 with most votes",
            f"{SANTINI_4}, its votes",
            EXAMPLE,
            " and ".join(TIED_BY_HAND),
            " and ".join(tied),
            tied == TIED_BY_HAND,
        ),
    ]


def graph_membership() -> ft.Membership:
    """p(category | image) in the graph."""
    return membership_of(GRAPH_VOTES, GRAPH)


def bottom_up() -> dict[str, float]:
    """(8), bottom-up, of each node of the graph."""
    return {
        node: as_printed.bottom_up_probability(GRAPH_VOTES, GRAPH, node)
        for node in graph_membership().taxonomy
    }


def graph_table() -> Table:
    """Each node: the sum of (8), and the share of subjects in the subtree."""
    sums, shares = bottom_up(), graph_membership().of_item("fig1")
    rows = (
        (
            node,
            GRAPH_VOTES.count(node),
            sums[node],
            share,
            "twice" if sums[node] > share + 1e-12 else "",
        )
        for node, share in shares.items()
    )
    return Table.of(("category", "votes", "(8), bottom-up", "share of people", "counted"), rows)


def graph_claims() -> list[Claim]:
    """What the two ways of counting give."""
    sums, shares = bottom_up(), graph_membership().of_item("fig1")
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
    worst = min(shares[parent] - shares[child] for parent in GRAPH for child in GRAPH[parent])
    root = shares["all"]
    rows.append(
        Claim(
            "shares of people in a graph: the root has 1, and p(parent) ≥ p(child)",
            f"{SANTINI_4}, (5), in our graph",
            IDENTITY,
            "1, ≥ 0",
            f"root {root:g}, smallest difference {worst:.6g}",
            root == 1 and worst >= 0,
        )
    )
    return rows
