"""The ranked lists of one system: rows of query, item and score, no item twice in a list."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any, Literal, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from fuzzytruth import errors
from fuzzytruth._lazy import pa, pc
from fuzzytruth._typing import U64, Array, Bools, Floats, Ints
from fuzzytruth.core import checksums
from fuzzytruth.core.arithmetic import offsets_of
from fuzzytruth.core.checksums import total
from fuzzytruth.core.order import (
    best_first,
    by_query_and_rank,
    is_descending,
    is_grouped,
    places_in_query,
    query_starts,
    tie_bounds,
    whole_query_cuts,
)
from fuzzytruth.core.validation import option_flag
from fuzzytruth.errors import counted, first_few, shown
from fuzzytruth.io.column_names import COLUMN_ALIASES
from fuzzytruth.io.columns import Locate, check_id, column_at, located, string_array, unused_hint
from fuzzytruth.io.ids import as_arrow, as_numpy, encode, find_items, hash_ids, take
from fuzzytruth.io.matrices import Matrix, given_ids, labelled_matrix, row_blocks, with_ids
from fuzzytruth.io.numbers import check_columns, check_numbers


# No slots: cached properties need a `__dict__`.
@dataclass(frozen=True, eq=False, repr=False)
class Ranking:
    """The rows of one system as columns.

    Parameters
    ----------
    queries : tuple of str
        Ids of the queries answered.
    query : (rows,) int32
        Index into `queries`.
    item : Arrow array of strings, (rows,)
    score : (rows,) float
        Larger is better. Minus the rank where lists are ordered by rank.
    item_hash : (rows,) uint64
        Hash of each item's id.
    """

    queries: tuple[str, ...]
    query: NDArray[np.int32]
    item: pa.LargeStringArray
    score: Floats
    item_hash: U64

    def __len__(self) -> int:
        return len(self.query)

    @cached_property
    def checksum(self) -> str:
        """Equal for equal lists, whatever the order of their rows."""
        return checksums.digest(len(self), self.key_total)

    @property
    def key_total(self) -> int:
        """Sum of the keys of the lists; those of parts add up to that of the whole, modulo 2^64."""
        lists = checksums.list_keys(self.query, len(self.queries), self.item_hash, self.score)
        return total(checksums.row_keys(hash_ids(string_array(self.queries)), lists))

    def take(self, rows: Ints) -> Ranking:
        """Only these rows, in this order."""
        return self._of(rows, take(self.item, rows))

    def _of(self, rows: Ints | slice, item: pa.LargeStringArray) -> Ranking:
        numbers = self.score[rows], self.item_hash[rows]
        return Ranking(self.queries, self.query[rows], item, *numbers)

    def without(self, rows: Ints) -> Ranking:
        """All rows but these."""
        return self.take(np.delete(np.arange(len(self)), rows))

    def blocks(self, size: int) -> Iterator[Ranking]:
        """The rows in blocks of whole queries, of about `size` rows each; views, not copies.

        All rows are one block if those of some query are not contiguous.
        """
        cuts = whole_query_cuts(self.query, len(self.queries), size)
        for start, stop in itertools.pairwise(cuts.tolist()):
            yield self._of(slice(start, stop), self.item[start:stop])


def rankings_by_system(
    columns: Mapping[str, Any], name: str, *, duplicates: str = "error", locate: Locate
) -> dict[str, Ranking]:
    """Make the `Ranking` of each system from columns of `check_run_columns`; see `make_ranking`.

    Without a column system, there is one, called `name`.
    """
    codes, query_ids = encode(columns["query"])
    queries = tuple(query_ids.to_pylist())
    names, system_codes = [name], np.zeros(len(codes), dtype=np.int32)
    if "system" in columns:
        system_codes, ids = encode(columns["system"])
        names = ids.to_pylist()
    item, rank = columns["item"], columns.get("rank")
    whole = Ranking(queries, codes, item, columns["score"], hash_ids(item))
    out = {}
    for system, rows in zip(names, rows_of_systems(system_codes, len(names)), strict=True):
        part = whole.take(rows)
        used, answered = present_queries(part.query, queries)
        out[system] = make_ranking(
            replace(part, query=used, queries=answered),
            rank=None if rank is None else rank[rows],
            duplicates=duplicates,
            locate=located(locate, rows),
        )
    return out


def rows_of_systems(system_codes: NDArray[np.int32], n_systems: int) -> list[Ints]:
    """The rows of each system, ascending."""
    by_system = np.argsort(system_codes, kind="stable")
    bounds = np.searchsorted(system_codes[by_system], np.arange(n_systems + 1)).tolist()
    return [by_system[start:stop] for start, stop in itertools.pairwise(bounds)]


def make_ranking(
    ranking: Ranking, *, rank: Floats | None = None, duplicates: str = "error", locate: Locate
) -> Ranking:
    """Checked rows of one system as lists that hold no item twice.

    With `rank`, lists are ordered by it, and scores become minus the places in the lists.
    """
    codes, queries = ranking.query, ranking.queries
    row_of: Ints | None = None
    if rank is not None:
        if not (is_grouped(codes, len(queries)) and is_descending(codes, -rank)):
            row_of = np.lexsort((rank, codes))
            ranking = ranking.take(row_of)
        ranking = replace(ranking, score=-places_in_query(ranking.query).astype(np.float64))
    listed_again = list(_listed_again(ranking, better_first=duplicates == "first"))
    if not listed_again:
        return ranking
    if duplicates == "error":
        raise _duplicate_error(ranking, listed_again[0], row_of, locate)
    return ranking.without(np.array([row for _, row in listed_again]))


def _listed_again(ranking: Ranking, *, better_first: bool) -> Iterator[tuple[int, int]]:
    """Rows whose item is already in the list of their query: (row kept, row)."""
    rows = np.sort(np.concatenate([np.empty(0, np.int64), *_candidates(ranking)]))
    if better_first:
        rows = rows[np.argsort(-ranking.score[rows], kind="stable")]
    seen: dict[tuple[int, str], int] = {}
    for row in rows.tolist():  # only rows with equal hashes: usually none
        kept = seen.setdefault((int(ranking.query[row]), ranking.item[row].as_py()), row)
        if kept != row:
            yield kept, row


def present_queries(
    codes: NDArray[np.int32], queries: tuple[str, ...]
) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    """Codes and ids of those queries that occur in `codes`, out of the queries of all systems."""
    used = np.bincount(codes, minlength=len(queries)) > 0
    if used.all():
        return codes, queries
    new_code = (np.cumsum(used) - 1).astype(np.int32)
    return new_code[codes], tuple(itertools.compress(queries, used.tolist()))


_BLOCK = 1 << 12  # rows whose keys are sorted at a time, so that they stay in cache


def _candidates(ranking: Ranking) -> Iterator[Ints]:
    """Rows that share the query and the hash of the item with another row."""
    codes, hashes = ranking.query, ranking.item_hash
    cuts = whole_query_cuts(codes, len(ranking.queries), _BLOCK)
    for start, stop in itertools.pairwise(cuts.tolist()):
        yield (
            checksums.duplicate_key_rows(checksums.pair_keys(hashes[start:stop], codes[start:stop]))
            + start
        )


def _duplicate_error(
    ranking: Ranking, pair: tuple[int, int], row_of: Ints | None, locate: Locate
) -> errors.DataError:
    query = ranking.queries[ranking.query[pair[1]]]
    item = ranking.item[pair[1]].as_py()
    first, second = sorted(pair if row_of is None else row_of[list(pair)].tolist())
    hint = unused_hint(locate, "system", "names the systems")
    return errors.DataError(
        f"{column_at(locate, second, 'item')}: value {shown(item)} is listed twice for query "
        f"{shown(query)} (first: {locate(first)}); {hint}remove one, or keep "
        "the better when reading: duplicates='first'"
    )


def check_run_columns(
    columns: Mapping[str, Any], *, order_by: str, where: str, locate: Locate
) -> dict[str, Any]:
    """Checked columns query, item, score and, if given, system; rank if it orders the lists.

    Larger scores are better; they are 0 where lists are ordered by rank and there are no others.
    """
    given = {name: column for name, column in columns.items() if column is not None}
    missing = [name for name in ("query", "item") if name not in given]
    if missing:
        raise errors.DataError(f"{where}: no column for {missing[0]!r}; give the ids")
    distance = given.pop("distance", None)
    if distance is not None and "score" not in given:
        given["score"] = -check_numbers(distance, "distance", locate)
    if order_by not in given:
        accepted = COLUMN_ALIASES[order_by]
        if order_by == "score":
            accepted += COLUMN_ALIASES["distance"]
        raise errors.DataError(
            f"{where}: no column for {order_by!r}, which order_by={order_by!r} needs "
            f"(accepted: {', '.join(accepted)})"
        )
    if order_by == "score":
        given.pop("rank", None)
    checked = check_columns(given, where, locate)
    return {"score": np.zeros(len(checked["item"]))} | checked


# Ranks of a system's rows, with ties resolved as in trec_eval, in the order given, or kept.


Ties = Literal["trec", "order", "expected"]


#: first and last rank of the items with the score of each row, where these are more than one
TieRanks = tuple[Ints, Ints]


def of_rows(ties: TieRanks | None, rows: Ints | slice) -> TieRanks | None:
    """Those of some rows only."""
    return None if ties is None else (ties[0][rows], ties[1][rows])


def rank_order(ranking: Ranking) -> tuple[Ints, Ints]:
    """All rows sorted by query and rank, ties resolved as in trec_eval, and their ranks from 1."""
    rows = np.arange(len(ranking))
    first = ranks_of(ranking, ranking.query, rows, "trec")[0]
    order = by_query_and_rank(ranking.query, first)
    return order, first[order]


def ranks_of(
    ranking: Ranking, codes: NDArray[np.int32], rows: Ints, ties: Ties
) -> tuple[Ints, Ints, TieRanks | None]:
    """First and last rank, from 1, that each of `rows` can have in its list: both (rows,).

    They differ only with ``ties="expected"``, for rows of equal scores. Otherwise such rows have
    one rank each, and those of their ties come third; None where no row is tied.
    """
    score: Array = ranking.score
    if ties == "trec":
        # Scores out of range become infinite, and tie.
        with np.errstate(over="ignore", under="ignore"):
            score = score.astype(np.float32)
    place_of, order = rows, None
    if not (is_grouped(codes, len(ranking.queries)) and is_descending(codes, score)):
        order = best_first(codes, score)
        codes, score = codes[order], score[order]
        inverse = np.empty(len(order), dtype=np.int64)
        inverse[order] = np.arange(len(order))
        place_of = inverse[rows]
    starts = query_starts(codes)
    if not len(rows):
        return rows, rows, None
    start = starts[np.searchsorted(starts, place_of, side="right") - 1]
    first, last = tie_bounds(codes, score, place_of)
    tied = first is not last and bool((first != last).any())
    tie = (first - start + 1, last - start + 1) if tied else None
    if ties == "expected":
        return (*(tie or (place_of - start + 1,) * 2), None)
    if ties == "trec" and tied:
        place_of = _by_id(ranking.item, order, place_of, first, last)
    rank = place_of - start + 1
    return rank, rank, tie


def _by_id(
    item: pa.LargeStringArray, order: Ints | None, place_of: Ints, first: Ints, last: Ints
) -> Ints:
    """Resolve ties by the bytes of the ids, descending: the place of each row in the order."""
    tied = np.flatnonzero(first != last)
    run_first, which = np.unique(first[tied], return_index=True)
    size = last[tied][which] - run_first + 1
    offsets = offsets_of(size)
    run = np.repeat(np.arange(len(size)), size)
    places = np.arange(offsets[-1]) - offsets[run] + run_first[run]  # all rows of all runs
    members = places if order is None else order[places]
    table = pa.Table.from_arrays([as_arrow(run), take(item, members)], names=["run", "item"])
    by_id: Any = pc.sort_indices(table, sort_keys=[("run", "ascending"), ("item", "descending")])
    resolved = np.empty(len(places), dtype=np.int64)
    resolved[as_numpy(by_id, np.uint64)] = places
    index = offsets[np.searchsorted(run_first, first[tied])] + place_of[tied] - first[tied]
    out = place_of.copy()
    out[tied] = resolved[index]
    return out


# What evaluation asks of ranked lists, whether they are in memory or in files.


Found = TypeVar("Found")


class RankedLists(Protocol):
    """The ranked lists of one or more systems."""

    def each_block(self, function: Callable[[Ranking], Found]) -> dict[str, list[Found]]:
        """What a function gives for each block of whole lists, by system.

        All rows that a system has for a query are in one block. The function may be called by
        several threads.
        """

    @property
    def systems(self) -> tuple[str, ...]:
        """Names of the systems."""

    @property
    def queries(self) -> Mapping[str, tuple[str, ...]]:
        """Ids of the queries that each system answers."""

    @property
    def checksums(self) -> Mapping[str, str]:
        """See `Ranking.checksum`, by system."""


# Queries that find themselves: items with the id of their query.


def self_hits(ranking: Ranking) -> Ints:
    """Rows whose item has the id of its query."""
    hashes = hash_ids(string_array(ranking.queries))
    rows: Ints = np.flatnonzero(ranking.item_hash == hashes[ranking.query])
    items = take(ranking.item, rows).to_pylist()
    queries = [ranking.queries[code] for code in ranking.query[rows].tolist()]
    same = [item == query for item, query in zip(items, queries, strict=True)]
    found: Ints = rows[np.array(same, dtype=bool)]
    return found


def without_hits(ranking: Ranking) -> tuple[Ranking, int]:
    """Lists without items that have the id of their query, and the number of these."""
    rows = self_hits(ranking)
    return (ranking.without(rows), len(rows)) if len(rows) else (ranking, 0)


def without_self_hits(rankings: Mapping[str, Ranking]) -> Mapping[str, Ranking]:
    """Rankings without items that have the id of their query; see `Runs.exclude_self`.

    Raises
    ------
    DataError
        Nothing is left of a system's lists.
    """
    found = {system: without_hits(ranking) for system, ranking in rankings.items()}
    kept = {system: ranking for system, (ranking, _) in found.items()}
    report_self_hits(
        {system: n for system, (_, n) in found.items()},
        {system: len(ranking) for system, ranking in kept.items()},
    )
    return kept


def report_self_hits(number: Mapping[str, int], left: Mapping[str, int]) -> None:
    """Warn of the number of rows left out of each system's lists, beside the number of others.

    Raises
    ------
    DataError
        Nothing is left of a system's lists.
    """
    number = {system: n for system, n in number.items() if n}
    for system in number:
        if not left[system]:
            raise errors.DataError(
                f"exclude_self=True: run {shown(system)} lists nothing but queries for themselves"
            )
    if not number:
        return
    each = first_few((f"{system} ({n:,})" for system, n in number.items()), 3, unit="run")
    total = counted(sum(number.values()), "item that has", "items that have")
    errors.warn(
        f"exclude_self=True: left out {total} the id of the query, of {each}", errors.SelfHitWarning
    )


Ids = Iterable[Any] | None


@dataclass(frozen=True, slots=True, eq=False)
class MatrixOptions:
    """How matrices become ranked lists; see `Runs.from_matrix`.

    Parameters
    ----------
    queries, items : list of ids or None
        None: those that the matrix names.
    exclude_self : bool
    larger_is_better : bool or None
        None: unless the file calls it distances.
    depth : int or None
    otherwise : (ids, ids) or None
        Those of rows and of columns that have none otherwise; None: not known.
    otherwise_of : str
        The file that those are from, for messages.
    """

    queries: Ids = None
    items: Ids = None
    exclude_self: bool = False
    larger_is_better: bool | None = None
    depth: int | None = None
    otherwise: tuple[Ids, Ids] | None = None
    otherwise_of: str = ""

    def __post_init__(self) -> None:
        for axis in ("queries", "items"):
            given = getattr(self, axis)
            if given is not None:
                errors.require(axis, given, isinstance(given, Iterable), "must be a list of ids")
                object.__setattr__(self, axis, list(given))
        whole = isinstance(self.depth, (int, np.integer)) and not isinstance(self.depth, bool)
        valid = self.depth is None or (whole and int(self.depth) >= 1)
        option_flag("exclude_self", self.exclude_self)
        if self.larger_is_better is not None:
            option_flag("larger_is_better", self.larger_is_better)
        errors.require("depth", self.depth, valid, "must be a whole number from 1")

    @property
    def ids(self) -> tuple[Any, Any]:
        """Those of rows and columns that are given."""
        return self.queries, self.items

    @property
    def given(self) -> list[str]:
        """Names of the options that differ from their defaults."""
        defaults = {field.name: field.default for field in fields(self)}
        return [
            name
            for name, value in defaults.items()
            if not name.startswith("otherwise") and getattr(self, name) is not value
        ]


def rankings_of_matrices(given: Any, name: str, options: MatrixOptions) -> dict[str, Ranking]:
    """The lists of one matrix, or of each of ``{name: matrix}``; see `Runs.from_matrix`."""
    if not isinstance(given, Mapping):
        label = check_id(name, "name", "matrix")
        return {label: _ranking(given, "matrix", options)}
    errors.require("name", name, name == "system", "the keys of the dict already name the systems")
    if not given:
        raise errors.DataError("matrix: there are no matrices in it; give {name: matrix}")
    rankings = {}
    for key, matrix in given.items():
        where = f"matrix {shown(key)}"
        if isinstance(matrix, Mapping):
            raise errors.DataError(
                f"{where}: is a dict; Runs.from_dict takes {{system: {{query: {{item: score}}}}}}"
            )
        rankings[key] = _ranking(matrix, where, options)
    return rankings


def _ranking(given: Any, where: str, options: MatrixOptions) -> Ranking:
    """The lists of a matrix of any library."""
    if getattr(given, "ndim", 2) == 3:
        raise errors.DataError(
            f"{where}: must be a matrix, queries × items, but its shape is {tuple(given.shape)}; "
            "give those of several systems by name: {name: matrix}"
        )
    matrix = labelled_matrix(given, where, options.ids)
    return ranking_of_matrix(matrix, where, options)


def ranking_of_matrix(matrix: Matrix, where: str, options: MatrixOptions) -> Ranking:
    """The lists of one matrix; `where` names it in errors."""
    matrix, queries, items = _identified(matrix, where, options)
    larger = options.larger_is_better
    sign = 1.0 if (not matrix.distances if larger is None else larger) else -1.0
    columns = find_items(queries, items)  # of the queries themselves; -1: none
    if larger is None and not matrix.distances:
        _warn_of_distances(matrix.values, columns, where)
    own = columns if options.exclude_self else None
    parts = list(_listed(matrix.values, sign, own, options.depth))
    code, place, score = (np.concatenate([part[j] for part in parts]) for j in range(3))
    return Ranking(
        tuple(queries.to_pylist()), code, take(items, place), score, hash_ids(items)[place]
    )


def _identified(
    matrix: Matrix, where: str, options: MatrixOptions
) -> tuple[Matrix, pa.LargeStringArray, pa.LargeStringArray]:
    """The matrix in the order of the ids that are given, its queries and its items."""
    nouns = ("query", "item")
    queries, items = options.ids
    source = ""
    if options.otherwise is not None:
        rows, columns = options.otherwise
        if queries is None and matrix.rows is None and rows is not None:
            queries, source = list(rows), options.otherwise_of
        if items is None and matrix.columns is None and columns is not None:
            items, source = list(columns), options.otherwise_of
    given = given_ids(queries, items, nouns)
    matrix = with_ids(matrix, where, given, nouns, source=source)
    for ids, axis, lines in (
        (matrix.rows, "queries", "rows"),
        (matrix.columns, "items", "columns"),
    ):
        if ids is None:
            n_rows, n_columns = matrix.values.shape
            raise errors.DataError(
                f"{where}: is {n_rows:,} × {n_columns:,} numbers and does not name its {axis}; "
                f"give the ids of the {lines} by {axis}="
            )
    return matrix, string_array(matrix.rows or []), string_array(matrix.columns or [])


def _warn_of_distances(values: Array, own: Ints, where: str) -> None:
    """Warn if every query has 0 with itself, and more with all other items."""
    known = own >= 0
    if known.sum() < 2 or values[known, own[known]].any():
        return
    not_above_0 = ((rows, (block <= 0).sum(axis=1)) for rows, block in row_blocks(values))
    if all((n[known[rows]] == 1).all() for rows, n in not_above_0):
        errors.warn(
            f"{where}: is read as similarities, but every query has 0 with itself and more with "
            "all other items, as distances have; if they are distances, give "
            "larger_is_better=False",
            errors.DistanceWarning,
        )


def _best(scores: Array, listed: Bools | None, depth: int | None) -> Bools | None:
    """The best of the cells that are `listed`, and all that tie with the last: (rows, items).

    None stands for all cells. Ties are those of trec_eval, of 32-bit scores, which include exact
    ones, so that lists are the same up to `depth` whatever becomes of ties.
    """
    if depth is None or depth >= scores.shape[1]:
        return listed
    with np.errstate(over="ignore", under="ignore"):  # scores out of range become infinite, and tie
        key = scores.astype(np.float32)
    if listed is not None:
        key[~listed] = -np.inf
    best: Bools = key >= np.partition(key, -depth, axis=1)[:, -depth, None]
    return best if listed is None else best & listed


def _listed(
    values: Array, sign: float, own: Ints | None, depth: int | None
) -> Iterator[tuple[Array, Ints, Array]]:
    """Query, column and score of the cells in lists, block by block."""
    for rows, block in row_blocks(values):
        scores = sign * block.astype(np.float64)
        keep = None
        if own is not None:
            keep = own[rows, None] != np.arange(scores.shape[1])
        keep = _best(scores, keep, depth)
        if keep is None:
            keep = np.ones(scores.shape, dtype=bool)
        row, column = np.nonzero(keep)
        yield (row + rows.start).astype(np.int32), column, scores[keep]
