"""Ranked lists from matrices of scores or distances between queries and items."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from fuzzytruth import errors
from fuzzytruth._lazy import pa, pd
from fuzzytruth._typing import Ints
from fuzzytruth.data.judgments import Judgments
from fuzzytruth.data.ranking import (
    Found,
    MatrixOptions,
    Ranking,
    check_run_columns,
    make_ranking,
    rank_order,
    ranking_of_matrix,
    rankings_by_system,
    rankings_of_matrices,
    rows_of_systems,
    without_self_hits,
)
from fuzzytruth.data.similarity import Kind, NodeValues
from fuzzytruth.data.taxonomy import Taxonomy
from fuzzytruth.errors import counted, first_few, printable, shown
from fuzzytruth.io import tables
from fuzzytruth.io.columns import Locate, check_id, locate_by_row, refuse_repeats, string_array
from fuzzytruth.io.files import Source, as_path
from fuzzytruth.io.ids import encode, hash_ids, take
from fuzzytruth.io.matrices import Matrix
from fuzzytruth.io.numbers import check_columns, check_numbers
from fuzzytruth.io.table_files import table_of
from fuzzytruth.io.tables import ColumnRequest, NamedColumns, by_system, flatten, with_scores
from fuzzytruth.show.answer import Column, Parts, Result, Table
from fuzzytruth.show.answer_rows import FIRST_ROWS, first_rows_table, short_id

_ORDERS = ("score", "probability", "rank")


@dataclass(frozen=True, slots=True, eq=False)
class LabelColumns:
    """Systems, items and categories, row by row, no category twice for an item of a system.

    Parameters
    ----------
    system, item, category : Arrow arrays of strings
    order : dict of str to column
        What orders the categories of an item: columns score, probability or rank, if any.
    locate : callable
        Place of a row, for errors.
    """

    system: pa.LargeStringArray
    item: pa.LargeStringArray
    category: pa.LargeStringArray
    order: dict[str, Any]
    locate: Locate

    @classmethod
    def of(
        cls,
        given: Any,
        where: str,
        *,
        name: str = "system",
        columns: Mapping[str, Any] | None = None,
        drop: Any = (),
    ) -> LabelColumns:
        """Check the columns of a table; without a column of systems, there is one, called `name`.

        `columns` has the user's own names, and rows whose category is one of `drop` are left out.

        Raises
        ------
        DataError
            A column is missing, there is no row, or a row occurs twice.
        """
        otherwise = " with columns item, category and system"
        table, locate = table_of(given, _LABELS.given(columns, drop=drop), where, otherwise)
        ids = {key: table.get(key) for key in ("item", "category", "system")}
        checked = check_columns(ids, where, locate, empty="the table is empty")
        item, category = checked["item"], checked["category"]
        system = checked["system"] if "system" in checked else string_array([name] * len(item))
        text = "item {item} is assigned to {category} twice (first: {first}); remove one"
        refuse_repeats({"system": system, "item": item, "category": category}, locate, text)
        order = {given: table[given] for given in _ORDERS if given in table}
        return cls(system, item, category, order, locate)

    def check_ordered(self) -> None:
        """Raise if an item has several categories without an order."""
        if not self.order:
            text = (
                "item {item} has another category already (first: {first}); give a column score, "
                "probability or rank that orders the categories of an item, or keep one"
            )
            self._check_single(text)

    def _check_single(self, text: str) -> None:
        refuse_repeats({"system": self.system, "item": self.item}, self.locate, text)

    def by_system(self, tree: Taxonomy) -> Iterator[tuple[str, list[str], Ints]]:
        """Each system with its items and their categories, of which an item has one.

        Warns of pairs of a system and an item that have none, of the items that others labelled.
        """
        self._check_single("item {item} has another category already (first: {first}); keep one")
        code, (system, names) = tree.codes(self.category, where=self.locate), encode(self.system)
        n_items, lacking = len(encode(self.item)[1]), {}
        for name, rows in zip(names.to_pylist(), rows_of_systems(system, len(names)), strict=True):
            if len(rows) < 2:
                raise errors.DataError(
                    f"labels: system {shown(name)} gave a category to one item only, which is "
                    "similar to no other; give the categories of two items or more"
                )
            if len(rows) < n_items:
                lacking[name] = n_items - len(rows)
            yield name, take(self.item, rows).to_pylist(), code[rows]
        if lacking:
            each = first_few((f"{name} ({n:,})" for name, n in lacking.items()), 3, unit="system")
            missing = f"{sum(lacking.values()):,} of {counted(n_items * len(names), 'category')}"
            errors.warn(
                f"labels: {missing} are missing, of {each}; the system has no list for such an "
                "item, nor has it in any list",
                errors.LeftOutWarning,
            )


def _label_table(given: Any, name: str) -> Any:
    """The table that labels are in: of mappings, of runs that are labels, or as given."""
    if isinstance(given, (str, Path)):
        return Source.of(as_path("labels", given))
    if isinstance(given, Runs):
        return given.to_frame()[["system", "query", "item"]].set_axis(
            ["system", "item", "category"], axis=1
        )
    if isinstance(given, Mapping) and all(isinstance(label, str) for label in given.values()):
        given = {name: given}
    if not (isinstance(given, Mapping) and all(isinstance(v, Mapping) for v in given.values())):
        return given
    rows = [(system, *pair) for system, labels in given.items() for pair in labels.items()]
    names = ("system", "item", "category")
    columns = {name: [row[j] for row in rows] for j, name in enumerate(names)}
    return NamedColumns(names, columns.__getitem__, lambda row: f"{rows[row][0]}, {rows[row][1]}")


_MOST_SYSTEMS = 15  # that are printed
_ROWS = 1 << 22  # of a block of lists that are worked on at a time, about


#: the columns of runs and of labels, under any of their usual names
COLUMNS = ColumnRequest(
    ("query", "item"),
    ("score", "distance", "rank", "system"),
    "score",
    any_of=("score", "distance", "rank"),
    readers=("read_runs(path", "Runs.from_frame(frame"),
)
_OF_LABELS = ("read_runs(path", "Runs.from_labels(frame")
_LABELS = ColumnRequest(
    *(("item", "category"), ("system", *_ORDERS), "category"), readers=_OF_LABELS
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Runs(Result, Mapping[str, Ranking]):
    """Ranked lists of one or more systems: a mapping from a system's name to its `Ranking`.

    Make them with `read_runs`, `from_frame`, `from_dict`, `from_matrix` or `by_similarity`.

    Examples
    --------
    >>> Runs.from_dict({"bm25": {"q1": {"a": 2.5, "b": 1.0}}})
    Runs(1 system: bm25; 2 rows)
    """

    rankings: Mapping[str, Ranking]

    def __post_init__(self) -> None:
        # A copy, so that later changes of the caller's mapping have no effect.
        names = [check_id(name, "system", "runs") for name in self.rankings]
        rankings = dict(zip(names, self.rankings.values(), strict=True))
        if len(rankings) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            raise errors.DataError(f"runs: two systems are called {shown(twice)}; rename one")
        object.__setattr__(self, "rankings", rankings)

    def __getitem__(self, system: str) -> Ranking:
        return self.rankings[system]

    def __iter__(self) -> Iterator[str]:
        return iter(self.rankings)

    def __len__(self) -> int:
        return len(self.rankings)

    def __repr__(self) -> str:
        n_rows = sum(map(len, self.rankings.values()))
        systems = f"{counted(len(self), 'system')}: {first_few(self.rankings)}"
        return printable(f"Runs({systems}; {counted(n_rows, 'row')})")

    _more: ClassVar[str] = ".to_frame(), .systems"

    def _title(self) -> str:
        n_rows = sum(map(len, self.rankings.values()))
        return f"Runs of {counted(len(self), 'system')}: {counted(n_rows, 'retrieved item')}"

    def _parts(self) -> Parts:
        """The size of each run, and the best items of the first list."""
        listed, title = list(self.rankings.items())[:_MOST_SYSTEMS], ""
        if len(self) > _MOST_SYSTEMS:
            title = f"The first {_MOST_SYSTEMS} of {len(self):,} systems"
        columns = (
            Column.label("system", (short_id(name) for name, _ in listed)),
            Column("queries", tuple(f"{len(one.queries):,}" for _, one in listed)),
            Column("items", tuple(f"{len(one):,}" for _, one in listed)),
            Column("items a query", tuple(_lengths(one) for _, one in listed)),
        )
        yield Table(columns, title)
        for system, ranking in self.rankings.items():
            if len(ranking):
                rows = np.flatnonzero(ranking.query == ranking.query[0])
                best = rows[np.argsort(-ranking.score[rows], kind="stable")[:FIRST_ROWS]]
                first = _frame_of(system, ranking, best).drop(columns="rank")
                n_rows = sum(map(len, self.rankings.values()))
                yield first_rows_table(
                    {str(n): first[n] for n in first}, n_rows, rest=".to_frame()"
                )
                return

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems."""
        return tuple(self.rankings)

    def each_block(self, function: Callable[[Ranking], Found]) -> dict[str, list[Found]]:
        """What a function gives for each block of whole lists; see `RankedLists`."""
        return {
            system: [function(block) for block in ranking.blocks(_ROWS)]
            for system, ranking in self.rankings.items()
        }

    @property
    def queries(self) -> Mapping[str, tuple[str, ...]]:
        """Ids of the queries that each system answers."""
        return {system: ranking.queries for system, ranking in self.rankings.items()}

    @property
    def checksums(self) -> Mapping[str, str]:
        """Of each system's lists, whatever the order of their rows."""
        return {system: ranking.checksum for system, ranking in self.rankings.items()}

    @classmethod
    def from_columns(
        cls,
        query: Iterable[Any],
        item: Iterable[Any],
        *,
        score: Any = None,
        distance: Any = None,
        rank: Any = None,
        system: Iterable[Any] | None = None,
        name: str = "system",
        order_by: str = "score",
        duplicates: str = "error",
        where: str = "runs",
        locate: Locate | None = None,
    ) -> Runs:
        """Make runs from columns, which are checked; see `from_frame`.

        Errors name the source, `where`, and the place of a row, which `locate` gives.
        """
        errors.choice("order_by", order_by, ("score", "rank"))
        errors.choice("duplicates", duplicates, ("error", "first"))
        name = check_id(name, "name", where)
        locate = locate_by_row(where) if locate is None else locate
        columns = {"query": query, "item": item, "score": score, "distance": distance}
        columns |= {"rank": rank, "system": system}
        checked = check_run_columns(columns, order_by=order_by, where=where, locate=locate)
        return cls(rankings_by_system(checked, name, duplicates=duplicates, locate=locate))

    @classmethod
    def from_frame(
        cls,
        frame: Any,
        *,
        name: str = "system",
        order_by: str = "score",
        duplicates: str = "error",
        columns: Mapping[str, Any] | None = None,
    ) -> Runs:
        """Make runs from a table with one row a retrieved item.

        Parameters
        ----------
        frame : table
            Columns query, item, score (or distance: smaller is better) and, optionally, rank and
            system, under any of their usual names. Of any library, as `Judgments.from_frame` takes
            them; it is not changed.
        name : str
            Name of the system if the frame has no such column.
        order_by : {"score", "rank"}
            The column that orders a list.
        duplicates : {"error", "first"}
            Whether a list that holds an item twice is refused, or keeps the better placed one.
        columns : mapping, optional
            Your names of columns, {name: your column}: ``{"score": "cosine"}``.

        Raises
        ------
        DataError
            A column is missing, a score is not a finite number, an item is listed twice.
        OptionError
            `columns` has a name that is not read here.
        """
        otherwise = "; Runs.from_dict takes {system: {query: {item: score}}}"
        table, origin = table_of(frame, COLUMNS.given(columns), "frame", otherwise)
        return cls.from_columns(
            **table,
            name=name,
            order_by=order_by,
            duplicates=duplicates,
            where="frame",
            locate=origin,
        )

    @classmethod
    def from_labels(
        cls,
        frame: Any,
        *,
        name: str = "system",
        columns: Mapping[str, Any] | None = None,
        drop: Any = (),
    ) -> Runs:
        """Make runs from the categories that classifiers give to items: lists of categories.

        They answer `Assignments.by_item`: queries are the items. Probabilities of all categories
        are a matrix: ``Runs.from_matrix(p, queries=items, items=categories)``.

        Parameters
        ----------
        frame : table
            Columns item, category and, optionally, system, under any of their usual names. Of any
            library, as `Judgments.from_frame` takes them. Where an item has several categories, a
            column score or probability (larger is better) or rank orders them; of several such
            columns, the first in this order.
        name : str
            Name of the system if the frame has no such column.
        columns : mapping, optional
            Your names of columns, {name: your column}.
        drop : category or sequence of categories
            Categories that are none, such as "unsure"; their rows are left out.

        Raises
        ------
        DataError
            A column is missing, an item has a category twice, or several in no order.
        OptionError
            `columns` has a name that is not read here.

        Warns
        -----
        LeftOutWarning
            Rows were dropped, with their number.

        Examples
        --------
        >>> import pandas as pd
        >>> Runs.from_labels(pd.DataFrame({"item": ["a", "b"], "category": ["cat", "dog"]}))
        Runs(1 system: system; 2 rows)
        """
        return cls.of_labels(
            LabelColumns.of(
                frame, "labels", name=check_id(name, "name", "labels"), columns=columns, drop=drop
            )
        )

    @classmethod
    def from_judgments(cls, votes: Judgments, *, name: str = "system") -> Runs:
        """Make runs of the grades that subjects gave: each subject ranks items by its grades.

        A subject of model judgments becomes a system, which another truth can score. An item's
        score is its grade; equal grades are ties, which `evaluate` orders by id (``ties="trec"``)
        or averages over (``ties="expected"``). Items that a subject did not judge are not in its
        lists.

        Parameters
        ----------
        votes : Judgments
        name : str
            Name of the system if the judgments have no subjects.

        Raises
        ------
        OptionError
            These are no judgments.
        DataError
            Judgments are by intent, numbers of votes or probabilities, subjects are nested or
            judged an item repeatedly: there is not one grade for each item.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> votes = ft.Judgments.from_columns(
        ...     ["q", "q", "q"], ["a", "b", "a"], [2, 1, 0], subject=["ann", "ann", "bob"])
        >>> Runs.from_judgments(votes)
        Runs(2 systems: ann, bob; 3 rows)
        """
        errors.require("votes", votes, isinstance(votes, Judgments), "must be Judgments")
        given = {"intent": votes.intent, "count": votes.count, "repeat": votes.repeat}
        wrong = [column for column in given if given[column] is not None]
        wrong += ["probability"] if votes.probability is not None else []
        if wrong or votes.design == "nested":
            what = f"a column {wrong[0]}" if wrong else "nested subjects, who are no systems"
            raise errors.DataError(
                f"from_judgments: these judgments have {what}; a run takes one grade for each item "
                "by each subject"
            )
        return cls.from_columns(
            votes.query,
            votes.item,
            score=votes.grade,
            system=votes.subject,
            name=name,
            where="judgments",
        )

    @classmethod
    def by_similarity(
        cls,
        labels: Any,
        tree: Taxonomy,
        *,
        kind: Kind = "path",
        weights: NodeValues | None = None,
        depth: int | None = None,
        name: str = "system",
        columns: Mapping[str, Any] | None = None,
        drop: Any = (),
    ) -> Runs:
        """Make runs of the categories that classifiers give to items: lists of similar items.

        Queries are the items. The list of an item has all other items, by the similarity of the
        categories that the system gave to both, which is their score. Items of equal similarity
        tie: evaluate the lists with ``ties="expected"``, since ids would order them otherwise.

        They answer `Assignments.by_example`; for lists of categories, see `from_labels`.

        Parameters
        ----------
        labels : table, path, mapping or Runs
            One category for each system and item: columns item, category and, optionally, system,
            as in `from_labels`; ``{system: {item: category}}`` or ``{item: category}``; or what
            `from_labels` or `read_runs` made of such a table.
        tree : Taxonomy
            Has the categories.
        kind : {"path", "wu-palmer", "resnik", "lin", "jiang-conrath"}
            Similarity of two categories; see `Taxonomy.similarity`.
        weights : mapping or (nodes,) numbers, optional
            Frequencies of the categories, as in `Taxonomy.similarity`.
        depth : int, optional
            Keep the best of each list only, and all items that tie with the last of them.
        name, columns, drop
            As in `from_labels`.

        Raises
        ------
        TaxonomyError
            A category is not in the taxonomy.
        DataError
            A column is missing, a system gave an item two categories, or one item only has one.
        OptionError
            `columns` has a name that is not read here, there is no such kind, or `weights` are for
            another.

        Warns
        -----
        LeftOutWarning
            A system gave no category to an item that others labelled, with the number of such
            pairs: it has no list for it, nor has it in any list. Or rows were dropped.

        Examples
        --------
        >>> import fuzzytruth as ft
        >>> tree = ft.Taxonomy.from_nested({"all": {"animal": ["cat", "dog"], "car": {}}})
        >>> runs = Runs.by_similarity({"A": {"x": "cat", "y": "dog", "z": "car"}}, tree)
        >>> runs.to_frame().query("query == 'x'")[["item", "score"]].round(2).values.tolist()
        [['y', 0.33], ['z', 0.25]]
        """
        rule = "must be the Taxonomy of the categories"
        errors.require("tree", tree, isinstance(tree, Taxonomy), rule)
        options = MatrixOptions(exclude_self=True, larger_is_better=True, depth=depth)
        near = tree.similarities(kind, weights=weights)  # (nodes, nodes)
        name = check_id(name, "name", "labels")
        given = LabelColumns.of(
            _label_table(labels, name), "labels", name=name, columns=columns, drop=drop
        )
        rankings = {}
        for system, items, code in given.by_system(tree):
            matrix = Matrix(near[np.ix_(code, code)], items, items)
            rankings[system] = ranking_of_matrix(matrix, f"labels of {shown(system)}", options)
        return cls(rankings)

    @classmethod
    def of_labels(cls, labels: LabelColumns) -> Runs:
        """Make runs of columns that have been checked; see `from_labels`."""
        labels.check_ordered()
        by, column = next(iter(labels.order.items()), ("score", np.zeros(len(labels.item))))
        columns = {"query": labels.item, "item": labels.category, "system": labels.system}
        columns["score"] = columns[by] = check_numbers(column, by, labels.locate)
        return cls(rankings_by_system(columns, "", locate=labels.locate))

    @classmethod
    def from_dict(
        cls, runs: Mapping[Any, Any], *, name: str = "system", duplicates: str = "error"
    ) -> Runs:
        """Make runs from ``{system: {query: {item: score}}}`` or ``{query: {item: score}}``.

        The second form is one system, called `name`. A list of items instead of the innermost
        mapping is a ranking, best first; with ``duplicates="first"``, an item that it holds twice
        keeps the better place. For runs and tables by name, see `as_runs`.

        Examples
        --------
        >>> Runs.from_dict({"a": {"q": ["d2", "d1"]}, "b": {"q": {"d1": 0.3}}})
        Runs(2 systems: a, b; 3 rows)
        """
        errors.choice("duplicates", duplicates, ("error", "first"))
        rankings = {}
        for system, queries in by_system(runs, name).items():
            where = f"run {shown(system)}"
            entries = flatten(
                with_scores(queries, where, duplicates), "score", where, form=tables.FORM_OF_RUNS
            )
            queries = tuple(entries.queries.to_pylist())
            rows = Ranking(
                queries, entries.code, entries.item, entries.number, hash_ids(entries.item)
            )
            rankings[system] = make_ranking(rows, duplicates=duplicates, locate=entries.locate)
        return cls(rankings)

    @classmethod
    def from_matrix(
        cls,
        matrix: Any,
        *,
        queries: Iterable[Any] | None = None,
        items: Iterable[Any] | None = None,
        name: str = "system",
        exclude_self: bool = False,
        larger_is_better: bool | None = None,
        depth: int | None = None,
    ) -> Runs:
        """Make runs from matrices of scores or distances between all queries and all items.

        Parameters
        ----------
        matrix : (queries, items) array_like, or mapping of system to such
            Arrays and tensors (`__array__`, `__dlpack__`), lists, frames of pandas, polars or
            Arrow. Files are for `read_runs`.
        queries, items : ids of the rows and of the columns, optional
            By default the labels of a frame (its index or first column of ids); else their order.
        name : str
            Name of the system of a single matrix.
        exclude_self : bool
            Remove each query from its own list if it is one of the items.
        larger_is_better : bool, optional
            False for distances. By default, and silently if it is True, larger is better.
        depth : int, optional
            Keep the best of each list only, and all items that tie with the last of them (as 32-bit
            floats, which trec_eval compares).

        Raises
        ------
        DataError
            The shape does not fit the ids, a frame has no labels and no ids are given, an id occurs
            twice, or a cell is not a finite number.
        OptionError
            `depth` is no whole number from 1, or `name` is given with several matrices.

        Warns
        -----
        DistanceWarning
            Every query has 0 with itself and more with all other items.

        Examples
        --------
        >>> runs = Runs.from_matrix([[1, .2], [.2, 1]], queries="ab", items="ab", exclude_self=True)
        >>> len(runs["system"])
        2
        >>> two = {"A": [[1, 3, 2]], "B": [[2, 2, 2]]}
        >>> Runs.from_matrix(two, queries="q", items="abc", depth=2)
        Runs(2 systems: A, B; 5 rows)
        """
        options = MatrixOptions(queries, items, exclude_self, larger_is_better, depth)
        return cls(rankings_of_matrices(matrix, name, options))

    def to_frame(self) -> pd.DataFrame:
        """One row a retrieved item: system, query, item, rank (from 1, best first), score.

        The scores of runs read with ``order_by="rank"`` are minus the ranks.
        """
        parts = [
            _frame_of(system, ranking, *rank_order(ranking))
            for system, ranking in self.rankings.items()
        ]
        return pd.concat(parts, ignore_index=True)

    def write(self, path: str | Path) -> None:
        """Write to a file in the format given by the ending of its name.

        `.csv`, `.tsv`, `.json`, `.jsonl`, `.parquet`; `.txt`, `.run`, `.qrels`, `.trec`, `.res` or
        no ending for TREC; `.gz` of each.

        Raises
        ------
        DataError
            The file cannot be written, its ending names no format, or the format is TREC and there
            are several systems or ids with white space.
        """
        from fuzzytruth.io.writing import write_runs

        write_runs(self.to_frame(), as_path("path", path))

    def exclude_self(self) -> Runs:
        """The same lists without the item with the id of its query; items below it move up.

        Judgments are not touched. If nothing is left of a system's lists, that is a `DataError`.

        Warns
        -----
        SelfHitWarning
            Items were left out, with their number.

        Examples
        --------
        >>> Runs.from_dict({"s": {"a": ["b", "c"], "b": ["a"]}}).exclude_self()
        Runs(1 system: s; 3 rows)
        """
        return Runs(without_self_hits(self.rankings))

    def rename(self, names: Mapping[str, str]) -> Runs:
        """The same runs with new names of systems, {old name: new name}."""
        errors.require("names", names, isinstance(names, Mapping), "must be {old name: new name}")
        renamed = {names.get(old, old): ranking for old, ranking in self.rankings.items()}
        if len(renamed) != len(self.rankings):
            raise errors.OptionError(f"rename: two systems would share a name: {dict(names)}")
        return Runs(renamed)


def _lengths(ranking: Ranking) -> str:
    """The shortest and the longest list."""
    length = np.bincount(ranking.query, minlength=len(ranking.queries))
    if not len(length):
        return "–"
    least, most = int(length.min()), int(length.max())
    return f"{least:,}" if least == most else f"{least:,} to {most:,}"


def _frame_of(system: str, ranking: Ranking, rows: Ints, rank: Any = 0) -> pd.DataFrame:
    """Some rows of one system, with their ranks; see `Runs.to_frame`."""
    ids = np.array(ranking.queries, dtype=object)
    columns = {
        "system": system,
        "query": ids[ranking.query[rows]],
        "item": take(ranking.item, rows).to_pylist(),
        "rank": rank,
        "score": ranking.score[rows],
    }
    return pd.DataFrame(columns)
