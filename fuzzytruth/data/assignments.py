"""Assignments: the categories of a taxonomy that subjects gave to items; read from files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Ints
from fuzzytruth.data import assessor_files
from fuzzytruth.data.assessor_files import Files, NamedFiles, OneFile, files_of_assessors
from fuzzytruth.data.by_example import ByExample, TruthsOfVotes
from fuzzytruth.data.category_table import CategorySource, votes_of_numbers
from fuzzytruth.data.grading import Duplicates, agreement_of_repeats, rows_named
from fuzzytruth.data.membership import Membership, make_membership
from fuzzytruth.data.plurality import Plurality, Rule, coarsened, plurality_of
from fuzzytruth.data.taxonomy import Taxonomy, read_taxonomy
from fuzzytruth.data.votes import (
    VoteColumns,
    Votes,
    check_taxonomy,
    flat_taxonomy,
    group_asked_votes,
    group_votes,
)
from fuzzytruth.errors import DataError, UnjudgedItemWarning, choice, counted, require, warn
from fuzzytruth.io.column_names import report_answers
from fuzzytruth.io.columns import Columns, Locate
from fuzzytruth.io.files import Source, locate_by_number
from fuzzytruth.io.ids import encode, take
from fuzzytruth.io.numbers import check_columns
from fuzzytruth.io.table_files import table_of, table_source
from fuzzytruth.io.tables import ColumnRequest
from fuzzytruth.io.taxonomies import read_cla_edges

# The columns of tables of votes for categories, under any of their usual names.


VOTES = ColumnRequest(
    ("item", "category"),
    ("weight", "repeat"),
    "category",
    any_of=("subject", "count"),
    excluded=(("count", ("subject",)),),
    otherwise="; votes that name nobody are counted, in a column count",
    wide_as="subject",
    readers=("read_assignments(path", "Assignments.from_frame(frame"),
)


#: the columns of the categories that subjects were asked about
ASKED = ColumnRequest(("subject", "item", "category"), (), "category")


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Assignments(Votes, TruthsOfVotes):
    """The categories that subjects gave to items, one ballot for each (subject, item).

    Make them with `read_assignments`, `from_frame`, `from_columns` or `from_counts`.

    Parameters
    ----------
    taxonomy : Taxonomy
    items, subjects : Arrow arrays of strings
        Their ids, in order of first appearance. `subjects` is None where nobody is named.
    item, subject : (ballots,) int
        Ballots are sorted by item and subject, then repetition or category; `subject` is 0 where
        nobody is named.
    label_set : (ballots,) int
        Index into `sets`. A set has several categories where a subject gave several to one item,
        and none where the subject answered no to all that were asked.
    weight : (ballots,) float
        How much the ballot counts, above 0: repetitions share their subject's weight equally.
    sets : LabelSets
        Distinct sets of categories, by their codes in the taxonomy.
    asked : GroupedBallots or None
        What subjects were asked, if they saw only some of the categories.
    repeats : Repeats or None
        Which repetition each ballot is, if subjects judged items repeatedly.
    are_counts : bool
        Whether weights are numbers of votes by people without names.

    Examples
    --------
    >>> import fuzzytruth as ft, pandas as pd
    >>> tax = ft.Taxonomy.from_children({"all": ["people", "scenery"], "scenery": ["city"]})
    >>> votes = ft.Assignments.from_frame(pd.DataFrame({
    ...     "subject": ["ann", "bob"], "item": ["i", "i"], "category": ["city", "scenery"]}),
    ...     taxonomy=tax)
    >>> votes
    Assignments(2 votes, 1 item, 2 subjects, 2 categories below 2)
    >>> votes.membership().probability("i", "city")
    0.5
    """

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        taxonomy: Taxonomy | None = None,
        asked: Any = None,
        columns: Mapping[str, Any] | None = None,
        drop: Any = (),
        subjects: Iterable[Any] | str = (),
        duplicates: Duplicates = "error",
    ) -> Assignments:
        """Make assignments from a table with one row a vote.

        Parameters
        ----------
        frame : table
            Of any library, as `Judgments.from_frame` takes them. Columns subject, item, category
            and, optionally, weight and repeat, under any of their usual names. Rows of the same
            subject and item are categories of one ballot and must have the same weight. Where a
            subject judged an item several times, `repeat` says which time; each repetition is a
            ballot, and together they weigh as much as a single one. Instead of subject, a column
            count: how many people, who are not named, gave the item the category; see
            `from_counts`.
        taxonomy : Taxonomy, optional
            Votes may be for any of its nodes, not only for leaves. By default, the labels that
            occur are categories without any order, under a common root.
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
        duplicates : {"error", "first", "last", "repeat"}
            What becomes of several rows of a subject and an item: they are one ballot, and a
            category that occurs twice is an error; the first or the last row is the only vote; or
            each is a repetition, as a column repeat says.

        Raises
        ------
        DataError
            A column is missing, a category is not in the taxonomy, a row occurs twice, a weight is
            not above 0, or a subject votes for a category without having been asked about it.
        OptionError
            `columns` has a name that is not read here.

        Warns
        -----
        LeftOutWarning
            Rows were dropped, or cells are empty, with their number.
        UnusedColumnWarning
            A column is not used that seems to say yes or no, or counts beside names of subjects.
        """
        request = replace(VOTES.given(columns, drop=drop, wide=subjects), duplicates=duplicates)
        return cls._of_tables(frame, asked, request, taxonomy, "votes")

    @classmethod
    def _of_tables(
        cls, given: Any, asked: Any, request: ColumnRequest, taxonomy: Taxonomy | None, where: str
    ) -> Assignments:
        columns, origin = table_of(given, request, where)
        report_answers(origin, where)
        columns.setdefault("subject", None)
        return cls._of_columns(columns, origin, asked, request, taxonomy, where)

    @classmethod
    def _of_columns(
        cls,
        columns: Columns,
        origin: Locate,
        asked: Any,
        request: ColumnRequest,
        taxonomy: Taxonomy | None,
        where: str,
    ) -> Assignments:
        questions, place = (None, None) if asked is None else table_of(asked, ASKED, "asked")
        return cls.from_columns(
            **columns,
            taxonomy=taxonomy,
            asked=questions,
            duplicates=request.duplicates,
            where=where,
            locate=origin,
            locate_asked=place,
        )

    @classmethod
    def from_columns(
        cls,
        subject: Iterable[Any] | None,
        item: Iterable[Any],
        category: Iterable[Any],
        *,
        taxonomy: Taxonomy | None = None,
        weight: Any = None,
        count: Any = None,
        repeat: Iterable[Any] | None = None,
        asked: dict[str, Any] | None = None,
        duplicates: str = "error",
        where: str = "votes",
        locate: Locate | None = None,
        locate_asked: Locate | None = None,
    ) -> Assignments:
        """Make assignments from columns, which are checked; see `from_frame`.

        Errors name the source, `where`, and the place of a row, which `locate` gives.
        """
        check_taxonomy(taxonomy)
        choice("duplicates", duplicates, ("error", "first", "last", "repeat"))
        if count is not None:
            rule = "is for votes of single people, and these are counts; leave it out"
            require("duplicates", duplicates, duplicates == "error", rule)
            others = {"subject": subject, "weight": weight, "repeat": repeat, "asked": asked}
            given = [name for name, value in others.items() if value is not None]
            if given:
                raise DataError(
                    f"{where}: column 'count' is for votes without names, and there is "
                    f"{given[0]!r} too; leave out one of the two (a column 'weight' says how much "
                    "each subject's vote counts)"
                )
            columns = {"item": item, "category": category, "count": count}
            return CategorySource(where, "count", None, columns, locate).votes(cls, taxonomy)
        require("subject", subject, subject is not None, "give a column of subjects, or count")
        columns = {"subject": subject, "item": item, "category": category, "repeat": repeat}
        votes = VoteColumns.of(columns, where, locate)
        weights = votes.weights(weight)
        if duplicates != "error":
            votes, rows = votes.once(duplicates, where)
            weights = weights[rows]
        votes.check_duplicates()
        questions = None if asked is None else VoteColumns.of(asked, "asked", locate_asked)
        if taxonomy is None:
            taxonomy = flat_taxonomy(votes, questions)
        label = votes.labels(taxonomy)
        if questions is not None:
            if votes.repeat is not None:
                raise DataError(f"{where}: repeated votes cannot have a table of asked categories")
            return group_asked_votes(cls, votes, label, weights, questions, taxonomy)
        items, subjects = encode(votes.item), encode(votes.subject)
        repeats = None if votes.repeat is None else encode(votes.repeat)
        return group_votes(cls, taxonomy, items, subjects, label, weights, repeats=repeats)

    @classmethod
    def from_counts(
        cls,
        counts: Any,
        *,
        items: Iterable[Any] | None = None,
        categories: Iterable[Any] | None = None,
        taxonomy: Taxonomy | None = None,
        columns: Mapping[str, Any] | None = None,
        cumulative: bool | Literal["clip"] = False,
    ) -> Assignments:
        """Make assignments from numbers of votes by people who are not named.

        Shares, agreement and independent worlds are those of so many votes. What needs to know who
        voted is refused: subject and population worlds, and resampled subjects.

        Parameters
        ----------
        counts : array, table or path
            Whole numbers, items × categories; or a table, of any library, with columns item,
            category and count. The items of a table items × categories are a column "item", else
            the index of pandas, else a first column of text. Files of either are read, too:
            matrices (`.npy`, `.npz`, `.csv`, ...) and tables with named columns.
        items, categories : ids, optional
            Of the rows and columns; by default labels, else numbers from 0. They order labels.
        taxonomy : Taxonomy, optional
            By default, categories have no order.
        columns : mapping, optional
            Your names of the columns item, category and count: ``{"count": "n_people"}``.
        cumulative : bool or "clip"
            Whether the count of a category includes those below it, as in decision trees (Galaxy
            Zoo), whose categories are answers, with the answers to one further question below each.
            Votes that stopped at a category are its count less its children's; the root may have
            none. "clip": where that is below 0, no vote stopped there, and a warning counts it.

        Raises
        ------
        DataError
            A number is negative or not whole, an item has no votes, an id occurs twice, a category
            is not in the taxonomy, or a cumulative count is less than those below it add up to.
        OptionError
            `columns` has a name that is not read here, or counts are cumulative without a taxonomy,
            or in one that is no tree.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> votes = ft.Assignments.from_counts([[7, 3], [0, 10]], categories=["cat", "dog"])
        >>> votes
        Assignments(20 votes, 2 items, 2 categories, no names)
        >>> votes.membership().agreement().round(3).tolist()
        [0.533, 1.0]

        Of 10 people, 6 saw features, and 4 of these a bar:

        >>> tree = ft.Taxonomy.from_nested({"all": {"smooth": [], "features": ["bar"]}})
        >>> ft.Assignments.from_counts(
        ...     [[4, 6, 4]], categories=["smooth", "features", "bar"], taxonomy=tree,
        ...     cumulative=True).to_frame()["count"].tolist()
        [4, 2, 4]
        """
        choice("cumulative", cumulative, (False, True, "clip"))
        rule = "is for a taxonomy; give one"
        require("cumulative", cumulative, not cumulative or taxonomy is not None, rule)
        return votes_of_numbers(
            cls,
            counts,
            (items, categories),
            taxonomy,
            columns,
            where="counts",
            column="count",
            cumulative=cumulative,
        )

    def membership(self) -> Membership:
        """The probability that each item belongs to each category; see `Membership`."""
        return make_membership(self)

    def select(self, *, subjects: Iterable[str] | str) -> Assignments:
        """The votes of some subjects, on the items that they voted on.

        Parameters
        ----------
        subjects : str or iterable of str

        Raises
        ------
        DataError
            Nobody is named.
        OptionError
            A name is unknown.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> votes = ft.Assignments.from_columns(
        ...     ["ann", "bob", "ann"], ["i", "i", "j"], ["cat", "dog", "cat"])
        >>> votes.select(subjects="bob")
        Assignments(1 vote, 1 item, 1 subject, 2 categories)
        """
        names = self.named("select")
        kept = rows_named("subjects", take(names, self.subject), subjects, "votes")
        return self._taken(np.flatnonzero(kept))

    def _taken(self, kept: Ints) -> Assignments:
        """Some of the ballots, in this order, and their items and subjects."""
        (of_item, item), (of_subject, subject) = (
            np.unique(code[kept], return_inverse=True) for code in (self.item, self.subject)
        )
        asked, repeats = self.asked, self.repeats
        if asked is not None:  # a question sheet for each ballot
            asked = replace(
                asked,
                item=item,
                subject=subject,
                label_set=asked.label_set[kept],
                first_row=asked.first_row[kept],
            )
        if repeats is not None:
            repeats = replace(repeats, code=repeats.code[kept], weight=repeats.weight[kept])
        return replace(
            self,
            items=take(self.items, of_item),
            subjects=None if self.subjects is None else take(self.subjects, of_subject),
            item=item,
            subject=subject,
            label_set=self.label_set[kept],
            weight=self.weight[kept],
            asked=asked,
            repeats=repeats,
        )

    def self_agreement(self) -> pd.DataFrame:
        """Share of the pairs of a subject's repeated judgments of an item that agree.

        Two repetitions agree if they give the same set of categories.

        Returns
        -------
        DataFrame
            subject, n_pairs, agreement; NaN for a subject who repeated nothing.

        Raises
        ------
        DataError
            There are no repetitions.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> ft.Assignments.from_columns(
        ...     ["ann"] * 3, ["i"] * 3, ["cat", "cat", "dog"], repeat=[1, 2, 3]
        ... ).self_agreement().values.tolist()
        [['ann', 3, 0.3333333333333333]]
        """
        subjects = self.named("self_agreement")
        if self.repeats is None:
            raise DataError(
                "self_agreement: no subject judged an item repeatedly; name the repetitions in a "
                "column 'repeat'"
            )
        items, sets = take(self.items, self.item), self.label_set.astype(np.float64)
        return agreement_of_repeats(take(subjects, self.subject), [items], sets)

    def coarsened(
        self,
        mapping: Mapping[str, str] | None = None,
        *,
        depth: int | None = None,
        keep: Iterable[str] | None = None,
        taxonomy: Taxonomy | None = None,
    ) -> Assignments:
        """The same votes for fewer, coarser categories.

        A vote goes to the most specific of the kept categories that it lies in: one in a tree, a
        set of them in a graph. Nothing is voted anew, so that p of every kept category stays what
        it is. Subjects, repetitions, weights and what was asked stay, too.

        Parameters
        ----------
        mapping : mapping of category to category, optional
            Where categories go. One that is not named goes to its namesake in the coarse taxonomy,
            if there is one, else where the ones above it go. What lies below a category must go to
            the same as it or below, and the root to the root; p of a coarse category is then the
            share of the votes that lead to it or below.
        depth : int, optional
            Keep categories down to this depth, by the longest path from the root.
        keep : names, optional
            Keep these and the root; a Taxonomy, such as ``tax.prune(...)``, is its names, too.
        taxonomy : Taxonomy, optional
            With a mapping, or alone: the coarse one. By default that of the votes, without the
            categories that the mapping empties.

        Returns
        -------
        Assignments
            Votes for the root only, which have no opinion left, are counted in its `repr`.

        Raises
        ------
        TaxonomyError
            There is no such category, or a mapping does not keep the order; the first pair is
            named.
        OptionError
            None, or several, of `mapping`, `depth` and `keep` are given.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> tax = ft.Taxonomy.from_nested({"all": {"animal": ["cat", "dog"], "vehicle": ["car"]}})
        >>> votes = ft.Assignments.from_columns(
        ...     list("stu"), ["i"] * 3, ["cat", "dog", "car"], taxonomy=tax)
        >>> round(votes.coarsened(depth=1).membership().probability("i", "animal"), 3)
        0.667
        >>> votes.coarsened({"dog": "animal"}).taxonomy.nodes
        ('all', 'animal', 'vehicle', 'cat', 'car')
        >>> votes.coarsened(keep=["animal"])
        Assignments(3 votes, 1 item, 3 subjects, 1 category, 1 for the root only)
        """
        return coarsened(self, mapping, depth, keep, taxonomy)

    def plurality(self, *, rule: Rule = "direct") -> Plurality:
        """The strong truth of these votes: one category of each item, by their weight.

        With M the weight of an item's votes for a category or one below it:

        - "direct": the category that most votes name. It may lie in a branch that fewer voted for.
        - "top-down": from the root to the category of largest M, as long as that is more than the
          votes that name the category above it.
        - "majority": the most specific category with more than half of the votes, exact halves
          staying above. In a tree, it is the median of the votes: the sum of the path lengths to
          them is least (Goldman 1971). An inner one reads "animal: yes; which: open". In a graph,
          several such categories may be apart, and the item has all of them.

        A vote for several categories counts for each that it names, and once for each M. Of equal
        ones, the first in the order of ``taxonomy.nodes`` is taken; `tied` counts them.

        Parameters
        ----------
        rule : {"direct", "top-down", "majority"}
            Benchmarks print "direct"; under a taxonomy, "majority" contradicts no membership.

        Returns
        -------
        Plurality
            A mapping {item: category}, such as for ``scores.mean(groups=votes.plurality())``, the
            mean over categories of the mean over their items; and a truth of one subject:
            ``votes.plurality().by_example()``.

        Raises
        ------
        DataError
            There is an `asked` table, and the rule is not "direct".

        Warns
        -----
        UnjudgedItemWarning
            Nobody gave an item a category (possible with an `asked` table); it is left out.

        References
        ----------
        Goldman 1971, Optimal center location in simple networks, Transportation Science 5.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> tax = ft.Taxonomy.from_nested(
        ...     {"all": {"animal": ["dog", "bird", "cat"], "vehicle": ["car"]}})
        >>> said = ["dog", "dog", "bird", "bird", "cat", "cat", "car", "car", "car"]
        >>> votes = ft.Assignments.from_columns(range(9), ["i"] * 9, said, taxonomy=tax)
        >>> {rule: votes.plurality(rule=rule)["i"] for rule in ("direct", "top-down", "majority")}
        {'direct': 'car', 'top-down': 'dog', 'majority': 'animal'}
        """
        found = plurality_of(self, rule)
        lacking = len(self.items) - len(found)
        if lacking:
            warn(
                f"plurality: left out: {counted(lacking, 'item')} to which nobody gave a category",
                UnjudgedItemWarning,
            )
        return found


class Classified(NamedTuple):
    """A taxonomy, and the category of each item."""

    #: the categories
    taxonomy: Taxonomy
    #: item -> its category
    category_of: dict[str, str]

    def by_example(self) -> ByExample:
        """The truth of query by example: relevant are the other items of the query's category.

        Categories below the query's do not count, as in the benchmark. The items keep their order.
        ``scores.mean(groups=category_of)`` is then the mean over categories.

        Examples
        --------
        >>> tree = Taxonomy.from_children({"all": ["cat", "dog"]})
        >>> truth = Classified(tree, {"m1": "cat", "m2": "dog", "m3": "cat"}).by_example()
        >>> import fuzzytruth as ft
        >>> ft.evaluate(truth, {"x": {"m1": {"m2": 2, "m3": 1}}}, "RR").mean()
        measure   RR
        system
        x        0.5
        """
        classes = dict.fromkeys(self.category_of.values())
        return Assignments.from_columns(
            ["classification"] * len(self.category_of),
            list(self.category_of),
            list(self.category_of.values()),
            taxonomy=Taxonomy.flat(list(classes)),
            where="classification",
        ).by_example()


def read_cla(path: str | Path, *, root: str = "all") -> Classified:
    r"""Read a classification of the Princeton Shape Benchmark, with the class of each model.

    Parameters
    ----------
    path : path
        A `.cla` file, version 1.
    root : str
        Name of a category to add above all classes without a parent, if there are several. The
        benchmark's own miscellaneous class, called -1, is read like any other.

    Returns
    -------
    Classified
        A named tuple (taxonomy, category_of); `category_of` maps each model to its class.

    Raises
    ------
    DataError
        The file is not in this format, or its counts are wrong; the message names file and line.
    TaxonomyError
        A class is defined twice or before its parent, or a model is in two classes.

    References
    ----------
    Shilane, Min, Kazhdan and Funkhouser 2004.

    Examples
    --------
    >>> path = getfixture("tmp_path") / "test.cla"
    >>> _ = path.write_text("PSB 1\n2 3\n\nanimal 0 1\nm7\n\ndog animal 2\nm1\nm2\n")
    >>> tax, category_of = read_cla(path)
    >>> tax.root, category_of
    ('animal', {'m7': 'animal', 'm1': 'dog', 'm2': 'dog'})
    """
    edges, category_of = read_cla_edges(Source.of(path))
    return Classified(Taxonomy.from_given(edges, root), category_of)


def read_assignments(
    path: Files,
    *,
    taxonomy: Taxonomy | str | Path | None = None,
    asked: str | Path | None = None,
    columns: Mapping[str, Any] | None = None,
    drop: Any = (),
    subjects: Iterable[Any] | str = (),
    duplicates: Duplicates = "error",
) -> Assignments:
    r"""Read the categories that subjects gave to items; see `Assignments.from_frame`.

    Parameters
    ----------
    path : path, pattern, folder, list of paths, or dict
        `.csv`, `.tsv`, `.json` (a list of records), `.jsonl` or `.parquet`; `.gz` of each. Columns
        subject (or count), item, category and, optionally, weight and repeat have any of their
        usual names. Of several files, which may be `.cla` files, each holds the votes of one
        subject, as in `read_judgments`: ``{"ann": path, "bob": path}``.
    taxonomy : Taxonomy or path, optional
        The categories; a path is read by `read_taxonomy`. By default, the labels that occur, in no
        order.
    asked : path, optional
        Which categories each subject was asked about, if not all (subject, item, category).
    columns, drop, subjects
        Your names of columns, answers that are none, and columns that hold the categories of one
        subject each; see `Assignments.from_frame`.
    duplicates : {"error", "first", "last", "repeat"}
        Several rows of a subject and an item: categories of one ballot, none of them twice; the
        first or the last one is the only vote; or each is a repetition; see
        `Assignments.from_frame`.

    Raises
    ------
    DataError
        A file cannot be read, has no named columns, or breaks a rule; the message names the file,
        the line, the column and the value.
    OptionError
        `columns` has a name that is not read here.

    Warns
    -----
    LeftOutWarning
        Rows were dropped, or cells are empty, with their number.
    UnusedColumnWarning
        A column is not used that seems to say yes or no, or counts beside names of subjects.

    Examples
    --------
    >>> folder = getfixture("tmp_path")
    >>> _ = (folder / "tree.txt").write_text("all\n  people\n  scenery\n")
    >>> _ = (folder / "votes.csv").write_text("annotator,image,label\nann,1,people\nbob,1,all\n")
    >>> read_assignments(folder / "votes.csv", taxonomy=folder / "tree.txt")
    Assignments(2 votes, 1 item, 2 subjects, 2 categories, 1 for the root only)
    """
    categories = read_taxonomy(taxonomy) if isinstance(taxonomy, (str, Path)) else taxonomy
    questions = None if asked is None else table_source(asked, "votes", ASKED.required)
    request = replace(VOTES.given(columns, drop=drop, wide=subjects), duplicates=duplicates)
    files = files_of_assessors(path)
    if files is not None:
        return _of_assessors(files, request, categories, questions)
    votes = table_source(cast(OneFile, path), "votes", ASKED.required)
    return Assignments._of_tables(votes, questions, request, categories, str(votes.path))


def _of_assessors(
    files: NamedFiles, request: ColumnRequest, taxonomy: Taxonomy | None, asked: Source | None
) -> Assignments:
    """The votes of several files, one for each subject."""
    request = replace(request, any_of=(), optional=("subject", "count", *request.optional))

    def read(source: Source) -> tuple[Columns, Locate]:
        if source.ending == ".cla":
            category_of = read_cla_edges(source)[1]
            pairs = {"item": [*category_of], "category": [*category_of.values()]}
            whole = locate_by_number(source.path, "model")
            return check_columns(pairs, str(source.path), whole), whole
        source = table_source(source, "votes", ("item", "category"))
        columns, origin = table_of(source, request)
        report_answers(origin, str(source.path))
        checked = check_columns(columns, str(source.path), origin, empty="there are no votes in it")
        return checked, origin

    columns, place = assessor_files.joined_columns(files, read)
    return Assignments._of_columns(columns, place, asked, request, taxonomy, "votes")
