"""Numbers of items and categories, counts of votes or probabilities, read from tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from fuzzytruth._lazy import pa
from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.shares import LabelSets
from fuzzytruth.core.validation import ROUNDED_SUM_TOLERANCE
from fuzzytruth.data.taxonomy import Taxonomy
from fuzzytruth.data.votes import Votes, check_taxonomy
from fuzzytruth.errors import DataError, LeftOutWarning, OptionError, counted, require, shown, warn
from fuzzytruth.io import matrices
from fuzzytruth.io.column_names import find_columns
from fuzzytruth.io.columns import Locate, check_ids, locate_by_row, refuse_repeats, string_array
from fuzzytruth.io.files import Source
from fuzzytruth.io.ids import encode
from fuzzytruth.io.numbers import check_counts, check_weights
from fuzzytruth.io.table_files import table_of
from fuzzytruth.io.tables import ColumnRequest, NamedColumns, is_table, named_columns

# Numbers of items and categories as they were given: tables of any library, matrices, files.


AnyVotes = TypeVar("AnyVotes", bound=Votes)


@dataclass(frozen=True, slots=True, eq=False)
class CategorySource:
    """Unchecked numbers, either in columns or as a matrix.

    Parameters
    ----------
    where : str
        Names the source in errors.
    column : str
        What the numbers are called: count or probability.
    matrix : Matrix or None
        Items × categories, with the ids that the source has.
    columns : mapping or None
        item, category and the number, one row for each pair.
    locate : callable or None
        Place of a row of the columns.
    cumulative : bool or "clip"
        Whether counts of a category include those below it; see `Assignments.from_counts`.
    """

    where: str
    column: str
    matrix: matrices.Matrix | None = None
    columns: Mapping[str, Any] | None = None
    locate: Locate | None = None
    cumulative: bool | str = False

    @classmethod
    def of(
        cls,
        given: Any,
        *,
        where: str,
        column: str,
        columns: Mapping[str, Any] | None = None,
        ids: matrices.Ids = (None, None),
    ) -> CategorySource:
        """Read a path, a table or an array.

        `columns` has the user's own names of the three columns, and `ids` those of the items and
        categories, to name cells of a matrix.

        A table is one of columns item, category and `column` if it has all three, else one of items
        × categories, as `labelled_matrix` reads them.
        """
        request = ColumnRequest(("item", "category", column), (), column, columns=columns)
        if isinstance(given, (str, Path)):
            return cls._of_file(Source.of(given), request)
        if not (is_table(given) or isinstance(given, Mapping)):
            rule = "is for a table with a column of items"
            require("columns", columns, columns is None, rule)
            return cls(where, column, matrices.labelled_matrix(given, where, ids))
        table = named_columns(given, where, request)
        try:
            found, origin = table_of(table, request, where)
        except DataError:
            if columns is not None or _names_categories(table, where):
                raise
            whole = hasattr(given, "iloc") or hasattr(given, "__arrow_c_stream__")
            return cls(
                where, column, matrices.labelled_matrix(given if whole else table, where, ids)
            )
        return cls(where, column, None, found, origin)

    @classmethod
    def _of_file(cls, source: Source, request: ColumnRequest) -> CategorySource:
        where = str(source.path)
        if matrices.holds_matrix(source):
            return cls(where, request.value, matrices.read_matrix(source))
        if source.format == "trec":
            raise DataError(
                f"{where}: holds no matrix, and has no named columns "
                f"({', '.join(request.required)}); give a file that ends in .csv, .tsv, .json, "
                ".jsonl or .parquet"
            )
        return cls(where, request.value, None, *table_of(source, request))

    def votes(
        self, kind: type[AnyVotes], taxonomy: Taxonomy | None, ids: matrices.Ids = (None, None)
    ) -> AnyVotes:
        """Votes without names; `ids` are those of rows and columns of a matrix.

        Rows and columns of a matrix without ids are numbered from 0.
        """
        if self.matrix is None:
            return self._of_columns(kind, self.columns or {}, taxonomy)
        return self._of_matrix(
            kind, matrices.with_ids(self.matrix, self.where, ids, _NOUNS), taxonomy
        )

    def _of_columns(
        self, kind: type[AnyVotes], columns: Mapping[str, Any], taxonomy: Taxonomy | None
    ) -> AnyVotes:
        locate = locate_by_row(self.where) if self.locate is None else self.locate
        ids, names = (check_ids(columns[name], name, locate) for name in _NOUNS)
        values = self._checked(columns[self.column], self.column, locate)
        lengths = {len(ids), len(names), len(values)}
        if len(lengths) > 1:
            raise DataError(f"{self.where}: columns differ in length: {sorted(lengths)}")
        text = "item {item} and category {category} occur twice (first: {first}); add up their "
        refuse_repeats({"item": ids, "category": names}, locate, f"{text}{self.column} in one row")
        if taxonomy is None:
            taxonomy = Taxonomy.flat(sorted(names.unique().to_pylist()))
        label = taxonomy.codes(names, where=locate, column="category")
        code, distinct = encode(ids)
        return self._votes(kind, taxonomy, distinct, code.astype(np.int64), label, values)

    def _of_matrix(
        self, kind: type[AnyVotes], matrix: matrices.Matrix, taxonomy: Taxonomy | None
    ) -> AnyVotes:
        values = matrix.values.astype(np.float64)
        ids, names = (
            list(map(str, range(n))) if known is None else known
            for n, known in zip(values.shape, (matrix.rows, matrix.columns), strict=True)
        )
        if taxonomy is None:
            taxonomy = Taxonomy.flat(names)
        label = taxonomy.codes(names, where=f"{self.where}, categories")
        order = np.argsort(label)

        def place(bad: int) -> str:
            row, at = divmod(bad, values.shape[1])
            return f"{self.where}, item {shown(ids[row])}, category {shown(names[at])}"

        self._checked(values.ravel(), "", place)
        item, nth = np.nonzero(values[:, order])
        value, labels = values[item, order[nth]], label[order][nth]
        return self._votes(kind, taxonomy, string_array(ids), item, labels, value)

    def _votes(
        self,
        kind: type[AnyVotes],
        taxonomy: Taxonomy,
        items: pa.LargeStringArray,
        item: Ints,
        label: Ints,
        value: Floats,
    ) -> AnyVotes:
        """A ballot for each number above 0, which is its weight; every item needs one.

        They are sorted by item and category. Probabilities must add up to 1 for each item, and then
        do so exactly.
        """
        if self.cumulative:
            item, label, value = self._own_counts(taxonomy, items, item, label, value)
        key = item * len(taxonomy) + label
        if (value == 0).any() or (np.diff(key) < 0).any():
            order = np.argsort(key, kind="stable")
            order = order[value[order] > 0]
            item, label, value = item[order], label[order], value[order]
        empty = np.flatnonzero(np.bincount(item, minlength=len(items)) == 0)
        if not len(items):
            raise DataError(f"{self.where}: there are no items in it")
        if len(empty):
            raise DataError(
                f"{self.where}: all numbers of {counted(len(empty), 'item')} are 0, the first is "
                f"{shown(items[int(empty[0])].as_py())}; leave such items out"
            )
        if self.column == "probability":
            total = np.bincount(item, weights=value, minlength=len(items))
            bad = np.flatnonzero(~(np.abs(total - 1) <= ROUNDED_SUM_TOLERANCE))
            if len(bad):
                row = int(bad[0])
                raise DataError(
                    f"{self.where}, row {row + 1} (item {shown(items[row].as_py())}): "
                    f"probabilities add up to {total[row]:.9g}, not 1 (so in "
                    f"{counted(len(bad), 'item')}); divide each row by its sum, or take "
                    "Assignments.from_counts for numbers of votes"
                )
            value = value / total[item]
        used = np.bincount(label, minlength=len(taxonomy)) > 0
        labels = np.flatnonzero(used)
        sets = LabelSets(np.arange(len(labels) + 1), labels)
        nobody, label_set = np.zeros(len(item), dtype=np.int64), (np.cumsum(used) - 1)[label]
        ballots = (item, nobody, label_set, value, sets)
        return kind(taxonomy, items, None, *ballots, are_counts=self.column == "count")

    def _own_counts(
        self, taxonomy: Taxonomy, items: pa.LargeStringArray, item: Ints, label: Ints, value: Floats
    ) -> tuple[Ints, Ints, Floats]:
        """Counts of votes that stopped at a category: its count less those of its children.

        The root may have no count.
        """
        if not taxonomy.is_tree:
            raise OptionError(
                "cumulative: a category of this taxonomy lies below two others, so that its votes "
                "would be subtracted twice; give the counts of votes that stopped at each category"
            )
        n, above = len(taxonomy), np.full(len(taxonomy), -1)
        parent, child = taxonomy.edges()
        above[child] = parent
        total = np.zeros((len(items), n))
        total[item, label] = value
        below = np.zeros_like(total)
        np.add.at(below.T, above[1:], total.T[1:])
        total[:, 0] = np.where(total[:, 0] > 0, total[:, 0], below[:, 0])
        own = total - below
        at, node = np.nonzero(own < 0)
        if len(at):
            where, name = items[int(at[0])].as_py(), taxonomy.nodes[int(node[0])]
            text = (
                f"{self.where}: {counted(len(at), 'count is', 'counts are')} less than those below "
                f"add up to; the first is of item {shown(where)}, category {shown(name)}: "
                f"{total[at[0], node[0]]:g} and {below[at[0], node[0]]:g}"
            )
            if self.cumulative != "clip":
                raise DataError(f"{text}; cumulative='clip' takes it that no vote stopped there")
            warn(f"{text}; no vote stopped there", LeftOutWarning)
        at, node = np.nonzero(own > 0)
        return at, node, own[at, node]

    def _checked(self, values: Any, name: str, place: Locate) -> Floats:
        """Counts of votes or probabilities, from 0; their `name` is empty in a matrix."""
        if self.column == "count":
            hint = "; for probabilities take Membership.from_probabilities"
            return check_counts(values, name, place, hint=hint)
        hint = "; turn scores of a network into probabilities: softmax"
        return check_weights(values, name, place, hint=hint)


def _names_categories(table: NamedColumns, where: str) -> bool:
    """Whether a table has columns of items and of categories, which are no numbers."""
    try:
        names = find_columns(table.names, ("item", "category"), (), where=where)
    except DataError:
        return False
    return isinstance(next(iter(table.values(names["category"])), None), str)


_NOUNS = ("item", "category")  # a row and a column of a matrix


def votes_of_numbers(
    kind: type[AnyVotes],
    given: Any,
    ids: tuple[Iterable[Any] | None, Iterable[Any] | None],
    taxonomy: Taxonomy | None,
    columns: Mapping[str, Any] | None,
    *,
    where: str,
    column: str,
    cumulative: bool | str = False,
) -> AnyVotes:
    """Votes without names from a matrix, a table or a file; see `CategorySource`."""
    check_taxonomy(taxonomy)
    items, categories = ids
    names = matrices.given_ids(items, categories, _NOUNS)
    source = CategorySource.of(given, where=where, column=column, columns=columns, ids=names)
    if source.matrix is None:
        rule = "the rows have one; leave it out"
        require("items", items, items is None, "the rows have an item; leave it out")
        require("categories", categories, categories is None, rule)
    return replace(source, cumulative=cumulative).votes(kind, taxonomy, names)
