"""What is printed of memberships of items in categories."""

from __future__ import annotations

from typing import Any

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.data.votes import Votes
from fuzzytruth.errors import counted
from fuzzytruth.io.answer import Column, Printed, Sentences, Table
from fuzzytruth.io.answer_rows import short_id

MOST_ITEMS = 8
MOST_CATEGORIES = 8
_OF_AN_ITEM = 3  # categories


def membership_answer(votes: Votes, share: Any, entropy: Floats | None) -> Printed:
    """What `print` shows: the most disputed items, and the sizes of categories.

    Parameters
    ----------
    votes : Votes
    share : sparse array, (items, categories)
    entropy : (items,) float or None
        Of the votes on each item; None where these are not shares of one whole.
    """
    n_items, n_categories = share.shape
    return Printed.of(
        f"p(category | item) of {counted(n_items, 'item')} and "
        f"{counted(n_categories, 'category')}: {_whose(votes)}",
        _items(votes, share, entropy),
        _sizes(votes, share),
        Sentences.of(
            "p: the share of the item's votes for the category or one below it. Expected items: "
            "the sum of p over the items. The root is left out.",
            "More: .to_frame(tidy=True), .of_item(item), .sizes(), .entropy(), .agreement()",
        ),
    )


def _whose(votes: Votes) -> str:
    """What p is made of."""
    if votes.subjects is not None:
        return f"{counted(len(votes), 'vote')} by {counted(len(votes.subjects), 'subject')}"
    return counted(len(votes), "vote") if votes.are_counts else "probabilities as given"


def of_which(votes: Votes, row: int) -> str:
    """What p of one item, by its row, is made of: "shares of 10 votes"."""
    of_item = votes.item == row
    if votes.subjects is not None:
        return f"shares of {counted(int(of_item.sum()), 'vote')}"
    if not votes.are_counts:
        return "probabilities as given"
    n = float(votes.weight[of_item].sum())
    return f"shares of {n:,.10g} {'vote' if n == 1 else 'votes'}"


def _items(votes: Votes, share: Any, entropy: Floats | None) -> Table:
    """The items of the largest entropy, or the first, with their most probable categories."""
    n = share.shape[0]
    which = np.arange(min(n, MOST_ITEMS))
    title = f"The first {len(which)} of {counted(n, 'item')}"
    columns = []
    if entropy is not None:
        which = np.argsort(-entropy, kind="stable")[:MOST_ITEMS]
        title = f"The {len(which)} most disputed of {counted(n, 'item')}"
        columns = [Column("entropy (bits)", tuple(f"{value:.2f}" for value in entropy[which]))]
    rows = which.tolist()
    return Table(
        (
            Column.label("item", (short_id(votes.items[row].as_py()) for row in rows)),
            Column.label("p of its categories", (_categories(votes, share, row) for row in rows)),
            *columns,
        ),
        title,
    )


def _categories(votes: Votes, share: Any, row: int) -> str:
    """The most probable categories of an item, but for the root."""
    start, stop = share.indptr[row : row + 2]
    code, p = share.indices[start:stop], share.data[start:stop]
    order = np.lexsort((code, -p))
    order = order[code[order] != 0]
    nodes = votes.taxonomy.nodes
    named = [f"{short_id(nodes[code[j]])} {p[j]:.2f}" for j in order[:_OF_AN_ITEM]]
    if len(order) > _OF_AN_ITEM:
        named.append(f"{len(order) - _OF_AN_ITEM:,} more")
    return ", ".join(named) or "none"


def _sizes(votes: Votes, share: Any) -> Table | None:
    """The largest categories by the expected number of items."""
    size = np.asarray(share.sum(axis=0)).ravel()
    order = np.argsort(-size[1:], kind="stable")[:MOST_CATEGORIES] + 1
    n = len(size) - 1
    if not n:
        return None
    title = f"The {MOST_CATEGORIES} largest of {n:,} categories" if n > MOST_CATEGORIES else ""
    return Table(
        (
            Column.label("category", (short_id(votes.taxonomy.nodes[c]) for c in order)),
            Column("expected items", tuple(f"{size[c]:,.1f}" for c in order)),
        ),
        title,
    )
