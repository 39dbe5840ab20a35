"""Items as queries: the truth of classifiers, whose lists are of categories."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from fuzzytruth.core.validation import whole_number
from fuzzytruth.data.by_example import check_order, largest_grades
from fuzzytruth.data.repeats import vote_checksum
from fuzzytruth.data.subtree_weights import ancestor_matrix
from fuzzytruth.errors import DataError, choice, counted
from fuzzytruth.show.answer import Printed, Result, Sentences

if TYPE_CHECKING:
    from fuzzytruth.data.votes import Votes

_RELEVANT = {
    "exact": "relevant if the vote names them",
    "subtree": "relevant if the vote names them or one below them",
}
ItemRelevance = Literal["exact", "subtree", "path", "wu-palmer", "lin"]


# No slots: cached properties need a `__dict__`.
@dataclass(frozen=True, eq=False, repr=False)
class ByItem(Result):
    """The category of each item is relevant: queries are the items, retrieved are categories.

    In a world each item has the category (or set of categories) of one of its votes, which decides
    on all categories of its list at once; items are independent. The pool of an item consists of
    the categories that some vote makes relevant. P@1 is accuracy, Success@k top-k accuracy.

    Made by `Assignments.by_item`.

    Parameters
    ----------
    votes : Assignments
    relevance : {"exact", "subtree", "path", "wu-palmer", "lin"}
        "exact": the category of the vote, or any of its set; "subtree": also those above it; else
        graded by the similarity of category and vote, of a set by its most similar category.
    digits : int or None
        Number of decimals to which similarities are rounded.

    Examples
    --------
    >>> import fuzzytruth as ft, pandas as pd
    >>> tax = ft.Taxonomy.from_children({"all": ["cat", "dog"]})
    >>> votes = ft.Assignments.from_frame(pd.DataFrame({
    ...     "subject": ["s", "t"], "item": ["a", "a"], "category": ["cat", "dog"]}), taxonomy=tax)
    >>> votes.by_item()
    ByItem(exact, Assignments(2 votes, 1 item, 2 subjects, 3 categories))
    """

    votes: Votes
    relevance: ItemRelevance = "exact"
    digits: int | None = None

    @property
    def subjects(self) -> tuple[str, ...] | None:
        """Names of the subjects who voted, in order of first appearance; None without names."""
        return self.votes.subject_names

    def __repr__(self) -> str:
        return f"ByItem({self.relevance}, {self.votes!r})"

    def _answer(self) -> Printed:
        graded = _RELEVANT.get(self.relevance, f"graded by similarity ({self.relevance})")
        return Printed.of(
            f"Items as queries: lists of categories of {counted(len(self.votes.items), 'item')}",
            Sentences.of(
                f"Categories: {graded}. In a world, each item has the category, or set of "
                "categories, of one of its votes.",
                f"Votes: {self.votes.sizes}; more: .votes",
            ),
        )

    @cached_property
    def checksum(self) -> str:
        """Checksum, whatever the order of the votes."""
        return vote_checksum(self.votes, "by_item", self.relevance, self.digits)


def make_by_item(votes: Votes, *, relevance: ItemRelevance, digits: int | None) -> ByItem:
    """Validate the options; see `Assignments.by_item`."""
    choice("relevance", relevance, get_args(ItemRelevance))
    check_order(votes, relevance)
    if votes.asked is not None:
        raise DataError(
            "by_item: subjects were asked about some categories only, so that a vote does not say "
            "which of all categories the item has; take the categories they named as their "
            "votes: Assignments.from_frame(votes.to_frame(), taxonomy=votes.taxonomy).by_item(), "
            "or score one category at a time with class_scores"
        )
    return ByItem(votes, relevance, None if digits is None else whole_number("digits", digits, 0))


def category_grades(truth: ByItem) -> Any:
    """The grade of each category for each label set: (label sets, categories), sparse, above 0."""
    from scipy.sparse import csr_array

    votes = truth.votes
    members = votes.sets.members(len(votes.taxonomy))
    if truth.relevance == "exact":
        grades = members
    elif truth.relevance == "subtree":
        grades = (members @ ancestor_matrix(votes.taxonomy)).tocsr()
        grades.data[:] = 1.0  # of several labels below the category
    else:
        similar = votes.taxonomy.similarities(kind=truth.relevance)
        best = largest_grades(members, similar)
        grades = csr_array(best if truth.digits is None else np.round(best, truth.digits))
    grades.sort_indices()
    return grades
