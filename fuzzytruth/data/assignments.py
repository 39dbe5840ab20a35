"""Assignments: the categories of a taxonomy that subjects gave to items."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.label_sets import group_ballots
from fuzzytruth.data.by_example import ByExample, Relevance, make_by_example
from fuzzytruth.data.membership import Membership, make_membership
from fuzzytruth.data.vote_columns import VoteColumns, check_one_weight, check_weights
from fuzzytruth.data.votes import Asked, Votes
from fuzzytruth.errors import DataError, counted, shown
from fuzzytruth.io.column_request import ColumnRequest, answers_of
from fuzzytruth.io.ids import encode
from fuzzytruth.io.objects import table_of
from fuzzytruth.io.origin import Locate

if TYPE_CHECKING:
    import pyarrow as pa

    from fuzzytruth.data.taxonomy.taxonomy import Taxonomy


_VOTES = ColumnRequest(("subject", "item", "category"), ("weight",), "category")
#: the columns of the categories that subjects were asked about
ASKED = ColumnRequest(("subject", "item", "category"), (), "category")


def vote_request(columns: Any, drop: Any, subjects: Any) -> ColumnRequest:
    """The columns of votes, under any of their usual names; see `Assignments.from_frame`."""
    return replace(
        _VOTES, columns=columns, answers=answers_of(None, drop, subjects, option="subjects")
    )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Assignments(Votes):
    """The categories that subjects gave to items, one ballot for each (subject, item).

    Make them with `read_assignments`, `from_frame` or `from_columns`.

    Parameters
    ----------
    taxonomy : Taxonomy
    items, subjects : Arrow arrays of strings
        Their ids, in order of first appearance.
    item, subject : (ballots,) int
        Ballots are sorted by item and subject.
    label_set : (ballots,) int
        Index into `sets`. A set has several categories where a subject gave several to one item,
        and none where the subject answered no to all that were asked.
    weight : (ballots,) float
        How much the ballot counts, above 0.
    sets : LabelSets
        Distinct sets of categories, by their codes in the taxonomy.
    asked : Asked or None
        What subjects were asked, if they saw only some of the categories.

    Examples
    --------
    >>> import fuzzytruth as ft, pandas as pd
    >>> tax = ft.Taxonomy.from_children({"all": ["people", "scenery"], "scenery": ["city"]})
    >>> votes = ft.Assignments.from_frame(pd.DataFrame({
    ...     "subject": ["ann", "bob"], "item": ["i", "i"], "category": ["city", "scenery"]}),
    ...     taxonomy=tax)
    >>> votes
    Assignments(2 votes, 1 item, 2 subjects, 4 categories)
    >>> votes.membership().probability("i", "city")
    0.5
    """

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        taxonomy: Taxonomy,
        asked: Any = None,
        columns: Mapping[str, Any] | None = None,
        drop: Any = (),
        subjects: Iterable[Any] | str = (),
    ) -> Assignments:
        """Make assignments from a table with one row a vote.

        Parameters
        ----------
        frame : table
            Of any library, as `Judgments.from_frame` takes them, with one row a vote.
            Columns subject, item, category and, optionally, weight, under any of their usual
            names. Rows of the same subject and item are categories of one ballot and must have the
            same weight.
        taxonomy : Taxonomy
            Votes may be for any of its nodes, not only for leaves.
        asked : table, optional
            Columns subject, item, category: the categories that a subject was asked about. A
            subject then counts for a category only if asked about it or one below it, and a row in
            `frame` is a yes. By default, everybody could have given any category.
        columns : mapping, optional
            Your names of columns, {name: your column}: ``{"subject": "who"}``.
        drop : answer or sequence of answers
            Answers that are none, such as "skipped"; their rows are left out.
        subjects : names of columns
            Columns that hold the categories of one subject each. An empty cell is no vote.

        Raises
        ------
        DataError
            A column is missing, a category is not in the taxonomy, a row occurs twice, a weight is
            not above 0, or a subject votes for a category without having been asked about it.
        """
        request = vote_request(columns, drop, subjects)
        votes, origin = table_of(frame, request, "votes")
        questions, origin_asked = None, None
        if asked is not None:
            questions, origin_asked = table_of(asked, ASKED, "asked")
        return cls.from_columns(
            **votes,
            taxonomy=taxonomy,
            asked=questions,
            locate=origin,
            locate_asked=origin_asked,
        )

    @classmethod
    def from_columns(
        cls,
        subject: Iterable[Any],
        item: Iterable[Any],
        category: Iterable[Any],
        *,
        taxonomy: Taxonomy,
        weight: Any = None,
        asked: dict[str, Any] | None = None,
        where: str = "votes",
        locate: Locate | None = None,
        locate_asked: Locate | None = None,
    ) -> Assignments:
        """Make assignments from columns, which are checked; see `from_frame`.

        Errors name the source, `where`, and the place of a row, which `locate` gives.
        """
        columns = {"subject": subject, "item": item, "category": category}
        votes = VoteColumns.of(columns, where, locate)
        votes.check_duplicates()
        label = votes.labels(taxonomy)
        weights = check_weights(weight, len(label), votes)
        if asked is None:
            item_code, items = encode(votes.item)
            subject_code, subjects = encode(votes.subject)
            return cls._from_codes(
                taxonomy, items, subjects, item_code, subject_code, label, weights
            )
        questions = VoteColumns.of(asked, "asked", locate_asked)
        return cls._with_asked(votes, label, weights, questions, taxonomy)

    @classmethod
    def _from_codes(
        cls,
        taxonomy: Taxonomy,
        items: pa.LargeStringArray,
        subjects: pa.LargeStringArray,
        item: NDArray[np.integer],
        subject: NDArray[np.integer],
        label: Ints,
        weight: Floats,
        asked: Asked | None = None,
    ) -> Assignments:
        """Group rows (item, subject, label), given as codes, into ballots."""
        ballots = group_ballots(item.astype(np.int64), subject.astype(np.int64), label)
        check_one_weight(ballots, item, subject, weight, items, subjects)
        return cls(
            taxonomy,
            items,
            subjects,
            ballots.item,
            ballots.subject,
            ballots.label_set,
            weight[ballots.first_row],
            ballots.sets,
            asked,
        )

    @classmethod
    def _with_asked(
        cls, votes: VoteColumns, label: Ints, weight: Floats, asked: VoteColumns, taxonomy: Taxonomy
    ) -> Assignments:
        """Group votes into ballots; whoever was asked has one, possibly empty."""
        import pyarrow as pa

        asked_label = asked.labels(taxonomy)
        item, items = encode(pa.concat_arrays([asked.item, votes.item]))
        subject, subjects = encode(pa.concat_arrays([asked.subject, votes.subject]))
        n_asked = len(asked_label)
        asked_ballots = group_ballots(
            item[:n_asked].astype(np.int64), subject[:n_asked].astype(np.int64), asked_label
        )
        pairs = (item.astype(np.int64) * len(subjects) + subject) * len(taxonomy)
        unasked = np.flatnonzero(~np.isin(pairs[n_asked:] + label, pairs[:n_asked] + asked_label))
        if len(unasked):
            raise _not_asked(votes, unasked)
        # A row without category for each asked ballot, of the weight of its votes, if it has any.
        ballot = asked_ballots.item * len(subjects) + asked_ballots.subject
        ballot_of_vote = item[n_asked:].astype(np.int64) * len(subjects) + subject[n_asked:]
        ballot_weight = np.ones(len(ballot))
        ballot_weight[np.searchsorted(ballot, ballot_of_vote)] = weight
        return cls._from_codes(
            taxonomy,
            items,
            subjects,
            np.concatenate((item[n_asked:], asked_ballots.item)),
            np.concatenate((subject[n_asked:], asked_ballots.subject)),
            np.concatenate((label, np.full(len(ballot), -1))),
            np.concatenate((weight, ballot_weight)),
            Asked(
                asked_ballots.item,
                asked_ballots.subject,
                asked_ballots.label_set,
                asked_ballots.sets,
            ),
        )

    def membership(self) -> Membership:
        """The probability that each item belongs to each category; see `Membership`."""
        return make_membership(self)

    def by_example(
        self,
        queries: Iterable[Any] | None = None,
        *,
        category: Any = None,
        relevance: Relevance = "subtree",
        digits: int | None = None,
        keep_query: bool = False,
    ) -> ByExample:
        """The truth of query by example: items of the query's category are relevant.

        See `ByExample`.

        Parameters
        ----------
        queries : ids, optional
            The queries to evaluate. By default, all that some run answers.
        category : str or dict, optional
            The category searched for: one for all queries, or ``{query: category}``. By default,
            the query is an item whose category is as uncertain as that of any other.
        relevance : {"subtree", "path", "wu-palmer", "lin"}
            "subtree": items of the query's category, or of one below it, are relevant. Otherwise,
            the grade is the similarity of the two categories in the taxonomy, from 0 to 1.
        digits : int, optional
            Number of decimals to which similarities are rounded.
        keep_query : bool
            Whether a query may be an answer to itself. By default, it is removed from its own list
            and from the relevant items.
        """
        return make_by_example(
            self,
            queries=queries,
            category=category,
            relevance=relevance,
            digits=digits,
            keep_query=keep_query,
        )


def _not_asked(votes: VoteColumns, rows: Ints) -> DataError:
    """The error of votes by subjects who were not asked about the category."""
    row = int(rows[0])
    subject, item, category = (
        shown(column[row].as_py()) for column in (votes.subject, votes.item, votes.category)
    )
    return DataError(
        f"{votes.locate(row)}: subject {subject} gives item {item} the category {category}, but "
        f"was not asked about it ({counted(len(rows), 'such row')}); add them to asked or "
        "remove the votes"
    )
