"""Votes for fewer, coarser categories: what is kept of a taxonomy, and where votes go in it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from fuzzytruth._typing import Ints
from fuzzytruth.core.segments import segment_of
from fuzzytruth.core.shares import GroupedBallots, distinct_sets
from fuzzytruth.core.validation import option_mapping, whole_number
from fuzzytruth.data.rooted_graph import lowest
from fuzzytruth.data.taxonomy import Taxonomy
from fuzzytruth.data.vote_shares import ancestor_matrix
from fuzzytruth.data.votes import Votes, check_taxonomy
from fuzzytruth.errors import OptionError, TaxonomyError, shown

V = TypeVar("V", bound=Votes)


def coarsened(votes: V, mapping: Any, depth: Any, keep: Any, taxonomy: Any) -> V:
    """The same votes for coarser categories; see `Assignments.coarsened`."""
    if [mapping is None and taxonomy is None, depth is None, keep is None].count(False) != 1:
        raise OptionError(
            "coarsened: give one of depth=, keep= and a mapping {category: coarser one}, which may "
            "have a taxonomy="
        )
    check_taxonomy(taxonomy)
    tree, renamed = votes.taxonomy, option_mapping("mapping", mapping)
    empty = {*map(str, renamed)} - {*map(str, renamed.values())}
    coarse = taxonomy or _pruned(tree, depth, keep, empty)
    leads = np.full(len(tree), -1)  # to a coarse category; -1: to where those above it lead
    leads[0] = 0
    alike = [name for name in coarse.nodes if name in tree]
    leads[tree.codes(alike)] = coarse.codes(alike)
    named = tree.codes(renamed, where="mapping", column="category")
    leads[named] = coarse.codes(renamed.values(), where="mapping", column="coarser category")
    _check_order(tree, coarse, leads)
    above = _all_above(tree, coarse, leads)
    out = replace(votes, taxonomy=coarse, **_moved(votes, above, coarse))
    if votes.asked is not None:
        out = replace(out, asked=replace(votes.asked, **_moved(votes.asked, above, coarse)))
    return out if votes.subjects is not None else _added_up(out)


def _pruned(tree: Taxonomy, depth: Any, keep: Any, without: set[str]) -> Taxonomy:
    """The taxonomy down to a depth, with some categories and the root, or without some."""
    if depth is not None:
        return tree.prune(max_depth=whole_number("depth", depth, 0))
    if keep is None:
        return tree.prune(without)
    kept = {0, *tree.codes(keep, where="keep").tolist()}
    return tree.prune([name for code, name in enumerate(tree.nodes) if code not in kept])


def _check_order(tree: Taxonomy, coarse: Taxonomy, leads: Ints) -> None:
    """Raise unless categories lead to the same or lower ones than those above them."""
    if leads[0]:
        raise TaxonomyError(
            f"mapping: the root {shown(tree.root)} leads to {shown(coarse.nodes[leads[0]])}; it "
            f"must lead to the root {shown(coarse.root)}"
        )
    lower, upper = segment_of(tree.ancestor_offsets), tree.ancestor_of
    both = (leads[lower] >= 0) & (leads[upper] >= 0)
    lower, upper = lower[both], upper[both]
    known = segment_of(coarse.ancestor_offsets) * len(coarse) + coarse.ancestor_of
    apart = ~np.isin(leads[lower] * len(coarse) + leads[upper], known)
    if apart.any():
        first = int(np.argmax(apart))
        a, b = int(lower[first]), int(upper[first])
        to, over = (shown(coarse.nodes[leads[c]]) for c in (a, b))
        raise TaxonomyError(
            f"mapping: {shown(tree.nodes[a])} is in {shown(tree.nodes[b])}, but {to}, to which it "
            f"leads, is not in {over}; map both so that it is"
        )


def _all_above(tree: Taxonomy, coarse: Taxonomy, leads: Ints) -> Any:
    """The coarse categories that each category is in, as its ancestors are: sparse, ones."""
    from scipy.sparse import csr_array

    named = np.flatnonzero(leads >= 0)
    shape = len(tree), len(coarse)
    image = csr_array((np.ones(len(named)), (named, leads[named])), shape=shape)
    return ancestor_matrix(tree) @ image @ ancestor_matrix(coarse)


def _moved(ballots: Votes | GroupedBallots, above: Any, coarse: Taxonomy) -> dict[str, Any]:
    """The label sets of ballots: the lowest of the coarse categories that they are in."""
    inside = (ballots.sets.members(above.shape[0]) @ above).tocsr()
    inside.sort_indices()
    cells = inside.tocoo()
    which, label = cells.row.astype(np.int64), cells.col.astype(np.int64)
    kept = lowest(coarse, which, label)
    of_set, sets = distinct_sets(which[kept], label[kept], len(ballots.sets))
    return {"label_set": of_set[ballots.label_set], "sets": sets}


def _added_up(votes: V) -> V:
    """One ballot for each item and label set, where nobody is named."""
    key, which = np.unique(votes.item * len(votes.sets) + votes.label_set, return_inverse=True)
    item, label_set = np.divmod(key, len(votes.sets))
    weight = np.bincount(which.reshape(-1), weights=votes.weight).astype(np.float64)
    nobody = np.zeros(len(key), dtype=np.int64)
    return replace(votes, item=item, subject=nobody, label_set=label_set, weight=weight)
