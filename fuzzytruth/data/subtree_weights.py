"""Weights of votes for categories and all categories below them, as sparse arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.label_sets import LabelSets

if TYPE_CHECKING:
    from fuzzytruth.data.taxonomy.taxonomy import Taxonomy
    from fuzzytruth.data.votes import Votes


def ancestor_matrix(taxonomy: Taxonomy) -> Any:
    """Each category's ancestors and itself, as a sparse array of ones: (categories, categories)."""
    from scipy.sparse import csr_array

    ones = np.ones(len(taxonomy.ancestor_of))
    n = len(taxonomy)
    return csr_array((ones, taxonomy.ancestor_of, taxonomy.ancestor_offsets), shape=(n, n))


def csr_of_ones(row: Ints, n_rows: int) -> Any:
    """A sparse array that adds up entries by their row: (rows, entries)."""
    from scipy.sparse import csr_array

    return csr_array((np.ones(len(row)), (row, np.arange(len(row)))), shape=(n_rows, len(row)))


def subtree_weights(
    item: Ints, label_set: Ints, weight: Floats, sets: LabelSets, ancestors: Any, n_items: int
) -> Any:
    """Weight of each item's ballots with a label in each subtree: (items, categories), sparse."""
    from scipy.sparse import csr_array

    reached = sets.members(ancestors.shape[0]) @ ancestors  # (sets, categories)
    reached.data[:] = 1.0  # a ballot counts once, however many of its labels lie in the subtree
    of_sets = csr_array((weight, (item, label_set)), shape=(n_items, len(sets)))
    weights = (of_sets @ reached).tocsr()
    weights.sort_indices()
    return weights


def vote_shares(votes: Votes) -> tuple[Any, Any]:
    """Share of each item's votes in each subtree, and its denominator: (items, categories), sparse.

    The denominator is the weight of those asked; None: of all votes of the item.
    """
    ancestors, n_items = ancestor_matrix(votes.taxonomy), len(votes.items)
    share = subtree_weights(
        votes.item, votes.label_set, votes.weight, votes.sets, ancestors, n_items
    )
    if votes.asked is None:
        total = np.bincount(votes.item, weights=votes.weight, minlength=n_items)
        share.data /= np.repeat(total, np.diff(share.indptr))
        return share, None
    asked = votes.asked
    # Asked ballots are those of the votes, in the same order, and have their weights.
    mass = subtree_weights(
        asked.item, asked.label_set, votes.weight, asked.sets, ancestors, n_items
    )
    return divide_entries(share, mass), mass


def entries_at(table: Any, row: Ints, column: Ints) -> Floats:
    """The entries of a sparse array at some cells: (cells,)."""
    if not len(row):
        return np.empty(0)
    return np.asarray(table.tocsr()[row, column], dtype=np.float64).ravel()


def divide_entries(numerator: Any, denominator: Any) -> Any:
    """Divide sparse arrays entry by entry; the denominator is above 0 where the numerator is."""
    inverse = denominator.copy()
    inverse.data = 1.0 / inverse.data
    quotient = (numerator * inverse).tocsr()  # entry by entry
    quotient.sort_indices()
    return quotient
