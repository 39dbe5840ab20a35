"""Part (a): Figure 1 of "Benchmarking without ground truth"."""

from __future__ import annotations

from paper_repro.examples import FIGURE_1_VOTES, TREE, figure1_membership
from paper_repro.pictures import Picture, pyplot
from paper_repro.tables import IDENTITY, PRINTS, Claim, Table, agrees, number_claim

# %% [markdown]
# ## (a) Figure 1: one image, five people, a tree
#
# Santini, "Benchmarking without ground truth", section 4: five people assign an image to
# categories of a tree. "The image of Figure 1 was classified as people by 2 subject, as crowd by
# one, and as city by two." The paper does not say which subject chose which category; only the
# counts matter. It prints a probability at each node of the tree:

# %%
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


# %% show: figure1_table()
def figure1_table() -> Table:
    """Every node of the printed tree."""
    m = figure1_membership()
    direct = m.direct("fig1")
    p = {node: m.probability("fig1", node) for node in PRINTED_FIGURE}
    return Table.of(
        ("category", "votes for it", "direct share", "printed", "p(category | image)", "agrees"),
        (
            (
                node,
                FIGURE_1_VOTES.count(node),
                direct.get(node, 0.0),
                printed,
                p[node],
                agrees(printed, p[node]),
            )
            for node, printed in PRINTED_FIGURE.items()
        ),
    )


# %% picture: figure1_drawn()
def figure1_drawn() -> Picture:
    """The paper's tree, with names and probabilities."""
    pyplot()
    m = figure1_membership()
    tax = m.taxonomy
    ax = tax.plot({node: m.probability("fig1", node) for node in tax}, number=".2g", cmap="Blues")
    return Picture(
        ax.figure,
        "The tree of Figure 1. Each box has a category and the share of the five votes that lie in "
        "its subtree; darker: more of them.",
    )


# %% [markdown]
# The paper remarks that the root always has probability 1, and that the probabilities sum, in
# general, to more than 1 (here to {{f"{sum(node_probabilities().values()):g}"}}), since a vote also
# counts for every ancestor. By (5), a parent is at least as probable as its child.


# %%
def node_probabilities() -> dict[str, float]:
    """Probability of each node for the image of Figure 1."""
    m = figure1_membership()
    return {node: m.probability("fig1", node) for node in m.taxonomy}


def figure1_claims() -> list[Claim]:
    """The paper's statements about Figure 1."""
    p = node_probabilities()
    rows = [
        number_claim(
            f"p({node}) of the image of Figure 1", f"{SANTINI_4}, Figure 1", printed, p[node]
        )
        for node, printed in PRINTED_FIGURE.items()
    ]
    total = sum(p.values())
    worst = min(p[parent] - p[child] for parent in TREE for child in TREE[parent])
    text = f"{SANTINI_4}, after (8)"
    rows += [
        number_claim("the root has always probability one", text, "1", p["all"]),
        Claim(
            "the probabilities sum to more than 1", text, PRINTS, "> 1", f"{total:.6g}", total > 1
        ),
        Claim(
            "subsethood: p(parent) ≥ p(child)",
            f"{SANTINI_4}, (5)",
            IDENTITY,
            "≥ 0",
            f"smallest difference {worst:.6g}",
            worst >= 0,
        ),
    ]
    return rows
