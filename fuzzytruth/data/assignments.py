"""Assignments: which category of a taxonomy each subject gave to each item."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.label_sets import LabelSets, gather
from fuzzytruth.core.segments import ragged
from fuzzytruth.data.vote_rows import Rows, check_one_weight, weights_of
from fuzzytruth.errors import DataError, OptionError, shown
from fuzzytruth.io.arrow import take
from fuzzytruth.io.column_names import columns_of, find_columns
from fuzzytruth.io.columns import Locate
from fuzzytruth.io.ids import encode

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

    from fuzzytruth.data.by_example import ByExample, Relevance
    from fuzzytruth.data.membership import Membership
    from fuzzytruth.data.taxonomy.taxonomy import Taxonomy


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """Which categories each subject was asked about.

    Parameters
    ----------
    item, subject, label_set : (ballots,) int
        As in `Assignments`; the label sets are those that were shown.
    sets : LabelSets
    """

    item: Ints
    subject: Ints
    label_set: Ints
    sets: LabelSets


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Assignments:
    """The categories that subjects gave to items, one ballot for each (subject, item).

    Make one with `from_frame` or `from_columns`.

    Parameters
    ----------
    taxonomy : Taxonomy
    items, subjects : Arrow arrays of strings
        Their ids, in order of first appearance.
    item, subject : (ballots,) int
        Ballots are sorted by item and subject.
    label_set : (ballots,) int
        Which of `sets` the ballot gives; a set has several categories where a subject gave
        several to one item, and none where the subject said no to all asked ones.
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

    taxonomy: Taxonomy
    items: pa.LargeStringArray
    subjects: pa.LargeStringArray
    item: Ints
    subject: Ints
    label_set: Ints
    weight: Floats
    sets: LabelSets
    asked: Asked | None = None

    def __len__(self) -> int:
        return len(self.item)

    def __repr__(self) -> str:
        def count(n: int, what: str) -> str:
            return f"{n:,} {what}{'' if n == 1 else 's'}"

        asked = ", only some asked" if self.asked is not None else ""
        categories = len(self.taxonomy)
        return (
            f"Assignments({count(len(self), 'vote')}, {count(len(self.items), 'item')}, "
            f"{count(len(self.subjects), 'subject')}, {categories:,} "
            f"categor{'y' if categories == 1 else 'ies'}{asked})"
        )

    @classmethod
    def from_frame(
        cls, frame: pd.DataFrame, *, taxonomy: Taxonomy, asked: pd.DataFrame | None = None
    ) -> Assignments:
        """Make assignments from a frame with one row a vote.

        Parameters
        ----------
        frame : DataFrame
            Columns subject, item, category and, optionally, weight, under any of their usual
            names. Several rows of one subject and item are several categories of one ballot; they
            must have one weight.
        taxonomy : Taxonomy
            Any of its nodes may be a category, not only leaves.
        asked : DataFrame, optional
            Columns subject, item, category: which categories a subject was asked about. A subject
            then counts for a category only if asked about it or one below it, and votes yes by a
            row in `frame`. By default everybody could have given any category.

        Raises
        ------
        DataError
            A column is missing, a category is not in the taxonomy, a row occurs twice, a weight is
            not above 0, or a subject votes for a category he or she was not asked about.
        """
        names = find_columns(
            columns_of(frame, "frame"),
            ("subject", "item", "category"),
            ("weight",),
            where="votes",
        )
        columns: dict[str, Any] = {name: frame[column] for name, column in names.items()}
        shown_to = None
        if asked is not None:
            given = find_columns(
                columns_of(asked, "asked"), ("subject", "item", "category"), (), where="asked"
            )
            shown_to = {name: asked[column] for name, column in given.items()}
        return cls.from_columns(**columns, taxonomy=taxonomy, asked=shown_to)

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
        """Make assignments from columns; see `from_frame`.

        Errors name the source, `where`, and the place in it that `locate` gives for a row.
        """
        columns = {"subject": subject, "item": item, "category": category}
        votes = Rows.of(columns, where, locate)
        votes.check_repeats()
        label = votes.labels(taxonomy)
        weights = weights_of(weight, len(label), votes)
        if asked is None:
            item_code, items = encode(votes.item)
            subject_code, subjects = encode(votes.subject)
            return cls._of(taxonomy, items, subjects, item_code, subject_code, label, weights)
        questions = Rows.of(asked, "asked", locate_asked)
        return cls._asked(votes, label, weights, questions, taxonomy)

    @classmethod
    def _of(
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
        found = gather(item.astype(np.int64), subject.astype(np.int64), label)
        check_one_weight(found, item, subject, weight, items, subjects)
        return cls(
            taxonomy,
            items,
            subjects,
            found.item,
            found.subject,
            found.label_set,
            weight[found.first_row],
            found.sets,
            asked,
        )

    @classmethod
    def _asked(
        cls, votes: Rows, label: Ints, weight: Floats, asked: Rows, taxonomy: Taxonomy
    ) -> Assignments:
        """Whoever was asked has a ballot, if an empty one."""
        import pyarrow as pa

        asked_label = asked.labels(taxonomy)
        item, items = encode(pa.concat_arrays([asked.item, votes.item]))
        subject, subjects = encode(pa.concat_arrays([asked.subject, votes.subject]))
        n_asked = len(asked_label)
        shown_to = gather(
            item[:n_asked].astype(np.int64), subject[:n_asked].astype(np.int64), asked_label
        )
        pairs = (item.astype(np.int64) * len(subjects) + subject) * len(taxonomy)
        unasked = np.flatnonzero(~np.isin(pairs[n_asked:] + label, pairs[:n_asked] + asked_label))
        if len(unasked):
            row = int(unasked[0])
            raise DataError(
                f"{votes.locate(row)}: subject {shown(votes.subject[row].as_py())} gives "
                f"item {shown(votes.item[row].as_py())} the category "
                f"{shown(taxonomy.nodes[label[row]])}, but was not asked about it ({len(unasked):,}"
                " such rows); add them to asked or remove the votes"
            )
        # A row without category for each ballot: it weighs what the votes of the ballot weigh.
        ballot = shown_to.item * len(subjects) + shown_to.subject
        voted = item[n_asked:].astype(np.int64) * len(subjects) + subject[n_asked:]
        own_weight = np.ones(len(ballot))
        own_weight[np.searchsorted(ballot, voted)] = weight
        return cls._of(
            taxonomy,
            items,
            subjects,
            np.concatenate((item[n_asked:], shown_to.item)),
            np.concatenate((subject[n_asked:], shown_to.subject)),
            np.concatenate((label, np.full(len(ballot), -1))),
            np.concatenate((weight, own_weight)),
            Asked(shown_to.item, shown_to.subject, shown_to.label_set, shown_to.sets),
        )

    def membership(self) -> Membership:
        """How probably each item belongs to each category; see `Membership`."""
        from fuzzytruth.data.membership import make_membership

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
        """The truth of query by example: relevant is what belongs to the query's category.

        See `ByExample`, which this makes.

        Parameters
        ----------
        queries : ids, optional
            Queries of the evaluation. By default every item that some run answers.
        category : str or dict, optional
            The category asked for: one for all queries, or ``{query: category}``. By default the
            query is an item whose category is uncertain like any other's.
        relevance : {"subtree", "path", "wu-palmer", "lin"}
            Relevant are items of the query's category or one below it; or the grade is the
            similarity of the two categories in the taxonomy, from 0 to 1.
        digits : int, optional
            Round similarities to so many decimals.
        keep_query : bool
            Whether the query may answer itself. By default it is taken out of its own list and of
            the relevant items.
        """
        from fuzzytruth.data.by_example import make_by_example

        return make_by_example(
            self,
            queries=queries,
            category=category,
            relevance=relevance,
            digits=digits,
            keep_query=keep_query,
        )

    def categorisation(self, subject: str) -> dict[str, Any]:
        """One subject's own, crisp truth: {item: category}, or tuples of several categories.

        Raises
        ------
        OptionError
            There is no such subject.
        """
        names = self.subjects.to_pylist()
        if subject not in names:
            known = ", ".join(names[:10]) + (", ..." if len(names) > 10 else "")
            raise OptionError(f"subject {subject!r} is not among the subjects: {known}")
        rows = np.flatnonzero(self.subject == names.index(subject))
        items = take(self.items, self.item[rows]).to_pylist()
        categories = self.set_names()
        return {i: categories[s] for i, s in zip(items, self.label_set[rows].tolist(), strict=True)}

    def set_names(self) -> list[Any]:
        """The name of each label set: its category, or the tuple of them if not just one."""
        nodes, sets = self.taxonomy.nodes, self.sets
        bounds = zip(sets.offsets[:-1].tolist(), sets.offsets[1:].tolist(), strict=True)
        members = [tuple(nodes[c] for c in sets.label[a:b].tolist()) for a, b in bounds]
        return [m[0] if len(m) == 1 else m for m in members]

    def to_frame(self) -> pd.DataFrame:
        """One row a vote: subject, item, category, weight."""
        import pandas as pd

        ballot, member = ragged(self.sets.offsets, self.label_set)
        label = self.sets.label[member]
        return pd.DataFrame(
            {
                "subject": take(self.subjects, self.subject[ballot]).to_pylist(),
                "item": take(self.items, self.item[ballot]).to_pylist(),
                "category": np.array(self.taxonomy.nodes, dtype=object)[label],
                "weight": self.weight[ballot],
            }
        )
