"""Query by example: the truth of "find items like this one", from uncertain categories."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from fuzzytruth import errors
from fuzzytruth._lazy import sparse
from fuzzytruth._typing import Floats
from fuzzytruth.core import validation
from fuzzytruth.errors import counted, first_few, shown
from fuzzytruth.io.columns import check_id, check_ids
from fuzzytruth.show.answer import Parts, Result, Sentences

if TYPE_CHECKING:
    from fuzzytruth.data.taxonomy import Taxonomy
    from fuzzytruth.data.votes import Votes


# The categories that queries by example search for, as users give them.


#: a category, or the probability of each of several, by name
Category = str | Mapping[str, float]


def check_category(
    taxonomy: Taxonomy, category: Any
) -> tuple[str | dict[str, Category] | None, list[str]]:
    """The category for all queries or for each, and all names in it, which must be known."""
    if category is None:
        return None, []
    if isinstance(category, str):
        taxonomy.codes([category])
        return category, [category]
    if not isinstance(category, Mapping):
        raise errors.OptionError(
            f"category={category!r}: give a category, a dict {{query: category}}, or nothing"
        )
    if not category:
        raise errors.OptionError("category: the dict is empty")
    queries = _names(category, "query", "category")
    given = zip(queries, category.values(), strict=True)
    chosen = {query: _of_query(query, value) for query, value in given}
    names = [name for one in chosen.values() for name, _ in chances(one)]
    taxonomy.codes(names)
    return chosen, names


def _names(given: Mapping[Any, Any], what: str, where: str) -> list[str]:
    """The keys of a dict as ids, none of them twice."""
    names = [check_id(key, what, where) for key in given]
    _check_once(where, names)
    return names


def _check_once(where: str, ids: Sequence[str]) -> None:
    """Raise if one of several ids is listed twice."""
    if len(set(ids)) < len(ids):
        twice = next(one for one, n in Counter(ids).items() if n > 1)
        raise errors.DataError(f"{where}: {shown(twice)} is listed twice; remove one")


def _of_query(query: str, given: Any) -> Category:
    """One category, or probabilities above 0 that add up to 1, sorted by name."""
    where = f"category of query {shown(query)}"
    if not isinstance(given, Mapping):
        return check_id(given, "category", "category")
    if not given:
        raise errors.OptionError(f"{where}: the dict is empty; give {{category: share}}")
    names = _names(given, "category", where)
    part = validation.shares(
        where,
        validation.numbers(where, list(given.values()), finite=True),
        tolerance=validation.ROUNDED_SUM_TOLERANCE,
    )
    kept = sorted((name, p) for name, p in zip(names, part.tolist(), strict=True) if p > 0)
    return kept[0][0] if len(kept) == 1 else dict(kept)


def chances(category: Category) -> list[tuple[str, float]]:
    """Each category that a query may search for, and its probability."""
    return [(category, 1.0)] if isinstance(category, str) else list(category.items())


_RELEVANT = {"subtree": "relevant if they have that category or one below it"}
Relevance = Literal["subtree", "path", "wu-palmer", "lin"]


# No slots: cached properties need a `__dict__`.
@dataclass(frozen=True, eq=False, repr=False)
class ByExample(Result):
    """Items of the query's category, or of one below it, are relevant to the query.

    In a world every item, and so every query that is an item, has the category (or set of
    categories) of one of its votes: one labelling of the items serves all queries. Given the
    query's category, items are independent; the law of total probability mixes over the query's
    categories with the *direct* shares of its votes.

    Parameters
    ----------
    votes : Assignments
    queries : tuple of str or None
        None: all that some run answers.
    collection : tuple of str or None
        The items that can be retrieved; None: all with votes.
    category : str, dict or None
        The category searched for, by all queries or by each, or its probabilities; None: the
        query's own.
    relevance : {"subtree", "path", "wu-palmer", "lin"}
        Binary, or graded by the similarity of two categories; two sets of categories are as
        similar as their most similar pair.
    digits : int or None
        Number of decimals to which similarities are rounded.
    keep_query : bool
        Whether a query that is an item may be an answer to itself. By default, it is removed from
        its list, the collection and the relevant items.

    References
    ----------
    Santini, "Benchmarking without ground truth", section 4: eqs. (10) to (12) for a given
    category, (13) and (14) with direct shares for the query's own.
    """

    votes: Votes
    queries: tuple[str, ...] | None = None
    category: str | Mapping[str, Category] | None = None
    relevance: Relevance = "subtree"
    digits: int | None = None
    keep_query: bool = False
    collection: tuple[str, ...] | None = None

    @property
    def subjects(self) -> tuple[str, ...] | None:
        """Names of the subjects who voted, in order of first appearance; None: nobody is named.

        A category with probabilities is nobody's, so that there are no subjects either.
        """
        return None if self.random_category else self.votes.subject_names

    @property
    def random_category(self) -> bool:
        """Whether the category that some query asks for is given by probabilities."""
        given = self.category.values() if isinstance(self.category, Mapping) else ()
        return any(isinstance(category, Mapping) for category in given)

    def __repr__(self) -> str:
        asked = "own category" if self.category is None else "given category"
        n = "all answered queries"
        if self.queries is not None:
            n = counted(len(self.queries), "query")
        within = ""
        if self.collection is not None:
            within = f", collection of {counted(len(self.collection), 'item')}"
        return f"ByExample({n}{within}, {asked}, {self.relevance}, {self.votes!r})"

    def _title(self) -> str:
        return "Query by example: items like the query are relevant"

    def _parts(self) -> Parts:
        n = "all that are answered" if self.queries is None else f"{len(self.queries):,}"
        asked = "its own, as uncertain as its votes"
        if self.category is not None:
            asked = self.category if isinstance(self.category, str) else "given for each query"
        within = "all items with votes"
        if self.collection is not None:
            within = counted(len(self.collection), "item")
        itself = "may be" if self.keep_query else "is never"
        graded = _RELEVANT.get(self.relevance, f"graded by similarity ({self.relevance})")
        yield Sentences.of(
            f"Queries: {n}. A query {itself} an answer to itself.",
            f"Category of a query: {asked}. Items: {graded}.",
            f"Collection: {within}.",
            f"Votes: {self.votes.sizes}; more: .votes",
        )

    @cached_property
    def checksum(self) -> str:
        """Checksum, whatever the order of the votes."""
        from fuzzytruth.data.votes import vote_checksum

        category = self.category
        asked = sorted(category.items()) if isinstance(category, Mapping) else category
        queries = None if self.queries is None else sorted(self.queries)
        options: tuple[object, ...] = (self.relevance, self.digits, self.keep_query)
        if self.collection is not None:
            options += (repr(sorted(self.collection)),)
        return vote_checksum(self.votes, repr(asked), repr(queries), *options)


def check_order(votes: Votes, relevance: str) -> None:
    """Raise if categories are to be compared, and all of them lie directly below the root."""
    compares = relevance not in ("subtree", "exact")
    if compares and len(votes.taxonomy) > 2 and int(votes.taxonomy.level.max()) < 2:
        raise errors.OptionError(
            f"relevance={relevance!r}: in this taxonomy, any two categories are equally similar, "
            "for all are directly below the root; give votes with a taxonomy of several levels, or "
            "relevance='subtree'"
        )


def _distinct_ids(name: str, given: Iterable[Any] | None) -> tuple[str, ...] | None:
    """Checked ids, at least one and none twice."""
    if given is None:
        return None
    if isinstance(given, str):
        given = [given]
    ids = tuple(check_ids(given, name, "by_example").to_pylist())
    _check_once(name, ids)
    if not ids:
        raise errors.DataError(f"{name}: there are none")
    return ids


def _check_collection(votes: Votes, ids: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """The same ids; warn of those without votes."""
    if ids is None:
        return None
    voted = set(votes.items.to_pylist())
    without = [item for item in ids if item not in voted]
    if len(without) == len(ids):
        raise errors.DataError(
            f"collection: none of {counted(len(ids), 'item')} has votes, such as "
            f"{shown(ids[0])}; votes are on items such as {shown(votes.items[0].as_py())}"
        )
    if without:
        errors.warn(
            f"no votes on {len(without):,} of {counted(len(ids), 'item')} of the collection, which "
            f"count as not relevant: {first_few(without)}",
            errors.UnjudgedItemWarning,
        )
    return ids


def grades(truth: ByExample) -> Floats:
    """The grade of an item's label set for a query's: (label sets, label sets), query first."""
    votes = truth.votes
    members = votes.sets.members(len(votes.taxonomy))
    table = _between_categories(truth)
    return _best(members, members, table, truth.digits)


def grades_of_categories(truth: ByExample, categories: list[str]) -> Floats:
    """The grade of an item's label set for a category searched for: (categories, label sets)."""
    votes = truth.votes
    codes = votes.taxonomy.codes(categories)
    n = len(votes.taxonomy)
    searched = sparse.csr_array(
        (np.ones(len(codes)), codes, np.arange(len(codes) + 1)), shape=(len(codes), n)
    )
    return _best(searched, votes.sets.members(n), _between_categories(truth), truth.digits)


def _between_categories(truth: ByExample) -> Any:
    """The grade of an item's category for a query's: (categories, categories), query first."""
    from fuzzytruth.data.vote_shares import ancestor_matrix

    taxonomy = truth.votes.taxonomy
    if truth.relevance == "subtree":
        return ancestor_matrix(taxonomy).T
    return taxonomy.similarities(kind=truth.relevance)


def _best(rows: Any, columns: Any, table: Any, digits: int | None) -> Floats:
    """The largest grade between the members of two sets, for all pairs of sets."""
    if hasattr(table, "tocsr"):  # binary
        any_pair: Floats = ((rows @ table @ columns.T) > 0).astype(np.float64).toarray()
        return any_pair
    # Largest over the members of the row's set, then over those of the column's.
    first = largest_grades(rows, table)
    out = largest_grades(columns, first.T).T
    return out if digits is None else np.round(out, digits)


def largest_grades(members: Any, table: Floats) -> Floats:
    """The elementwise maximum of the table's rows over each set's members; 0 for an empty set."""
    out = np.zeros((members.shape[0], table.shape[1]))
    filled = np.flatnonzero(np.diff(members.indptr))
    if len(filled):
        out[filled] = np.maximum.reduceat(
            table[members.indices], members.indptr[filled].astype(np.int64), axis=0
        )
    return out


_OF_CATEGORY = {
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
    ByItem(exact, Assignments(2 votes, 1 item, 2 subjects, 2 categories))
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

    def _title(self) -> str:
        return f"Items as queries: lists of categories of {counted(len(self.votes.items), 'item')}"

    def _parts(self) -> Parts:
        graded = _OF_CATEGORY.get(self.relevance, f"graded by similarity ({self.relevance})")
        yield Sentences.of(
            f"Categories: {graded}. In a world, each item has the category, or set of categories, "
            "of one of its votes.",
            f"Votes: {self.votes.sizes}; more: .votes",
        )

    @cached_property
    def checksum(self) -> str:
        """Checksum, whatever the order of the votes."""
        from fuzzytruth.data.votes import vote_checksum

        return vote_checksum(self.votes, "by_item", self.relevance, self.digits)


class TruthsOfVotes:
    """What votes are as a truth; `Assignments` and `Membership` inherit it."""

    __slots__ = ()

    @property
    def _given_votes(self) -> Any:
        """The votes, or those of a membership."""
        return getattr(self, "votes", self)

    def by_example(
        self,
        queries: Iterable[Any] | None = None,
        *,
        collection: Iterable[Any] | None = None,
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
        collection : ids, optional
            The items that can be retrieved. Votes on other items say which category such a query
            has, and count for nothing else. By default, all items with votes.
        category : str or dict, optional
            The category searched for: one for all queries, or ``{query: category}``. By default,
            the query is an item whose category is as uncertain as that of any other. A dict may
            also give the probability of each category, ``{query: {category: share}}``; they add up
            to 1, have no subjects, and are independent of the votes.
        relevance : {"subtree", "path", "wu-palmer", "lin"}
            "subtree": items of the query's category, or of one below it, are relevant. Otherwise,
            the grade is the similarity of the two categories in the taxonomy, from 0 to 1.
        digits : int, optional
            Number of decimals to which similarities are rounded.
        keep_query : bool
            Whether a query may be an answer to itself. By default, it is removed from its own list
            and from the relevant items.

        Warns
        -----
        UnjudgedItemWarning
            Items of the collection have no votes; they are not relevant.
        """
        votes = self._given_votes
        errors.choice("relevance", relevance, get_args(Relevance))
        check_order(votes, relevance)
        ids = _distinct_ids("queries", queries)
        given, names = check_category(votes.taxonomy, category)
        if category is None and votes.asked is not None:
            raise errors.DataError(
                "by_example: subjects were asked about some categories only, so that a query's own "
                "category has no distribution; ask for one: by_example(category=...)"
            )
        if votes.asked is not None and (relevance != "subtree" or len(set(names)) > 1):
            raise errors.OptionError(
                "by_example: where subjects were asked about some categories only, p is known for "
                "one category at a time; ask for a single one, with relevance='subtree'"
            )
        decimals = None if digits is None else validation.whole_number("digits", digits, 0)
        within = _check_collection(votes, _distinct_ids("collection", collection))
        own = validation.option_flag("keep_query", keep_query)
        return ByExample(votes, ids, given, relevance, decimals, own, within)

    def by_item(self, *, relevance: ItemRelevance = "exact", digits: int | None = None) -> ByItem:
        """The truth of classifiers: queries are the items, and categories are retrieved.

        See `ByItem`.

        Parameters
        ----------
        relevance : {"exact", "subtree", "path", "wu-palmer", "lin"}
            "exact": right is the category of the vote, or any of its set. "subtree": those above
            it are right, too. Otherwise, the grade is the similarity of category and vote in the
            taxonomy, from 0 to 1.
        digits : int, optional
            Number of decimals to which similarities are rounded.

        Raises
        ------
        DataError
            The votes have an `asked` table.

        Examples
        --------
        >>> import fuzzytruth as ft, pandas as pd
        >>> tax = ft.Taxonomy.from_children({"all": ["cat", "dog"]})
        >>> votes = ft.Assignments.from_frame(pd.DataFrame({
        ...     "subject": ["s", "t"] * 2, "item": ["a", "a", "b", "b"],
        ...     "category": ["cat", "cat", "cat", "dog"]}), taxonomy=tax)
        >>> labels = pd.DataFrame({"item": ["a", "b"], "category": ["cat", "cat"]})
        >>> ft.evaluate(votes.by_item(), labels, "P@1", rng=0).mean().iloc[0, 0].item()
        0.75
        """
        votes = self._given_votes
        errors.choice("relevance", relevance, get_args(ItemRelevance))
        check_order(votes, relevance)
        if votes.asked is not None:
            raise errors.DataError(
                "by_item: subjects were asked about some categories only, so that a vote does not "
                "say which of all categories the item has; take the categories they named as their "
                "votes: Assignments.from_frame(votes.to_frame(), taxonomy=votes.taxonomy)"
                ".by_item(), or score one category at a time with class_scores"
            )
        return ByItem(
            votes,
            relevance,
            None if digits is None else validation.whole_number("digits", digits, 0),
        )


def category_grades(truth: ByItem) -> Any:
    """The grade of each category for each label set: (label sets, categories), sparse, above 0."""
    from fuzzytruth.data.vote_shares import ancestor_matrix

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
        grades = sparse.csr_array(best if truth.digits is None else np.round(best, truth.digits))
    grades.sort_indices()
    return grades
