"""Brier and log score of a classifier's probabilities against the shares of votes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from fuzzytruth import errors
from fuzzytruth._typing import Array, Floats, Ints
from fuzzytruth.core.arithmetic import offsets_of, ragged, segment_sum
from fuzzytruth.core.cells import Cells
from fuzzytruth.core.validation import option_number, several
from fuzzytruth.data.assignments import Assignments
from fuzzytruth.data.membership import Membership
from fuzzytruth.data.votes import Votes
from fuzzytruth.errors import DataError, counted, first_few, require, shown, warn
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.io.columns import check_id
from fuzzytruth.io.matrices import given_ids, labelled_matrix, with_ids

Rule = Literal["Brier", "log score"]
_NOUNS = ("item", "category")  # a row and a column of a matrix
_TOLERANCE = 1e-3  # of sums of probabilities, which files may give with few digits
_ROUNDING = 1e-6  # of single-precision numbers between 0 and 1


def probability_scores(
    votes: Assignments | Membership,
    p: Any,
    *,
    items: Iterable[Any] | None = None,
    categories: Iterable[Any] | None = None,
    measures: Iterable[Rule] | Rule = ("Brier", "log score"),
    clip: float | None = None,
) -> Scores:
    """Brier and log score of probabilities of categories, the truth being the shares of votes.

    Each is the expected score under one vote of the item, drawn by weight: with shares s and
    probabilities p, Brier is the sum over categories k of s_k · Σ_j (p_j - 1[j = k])², from 0 to 2,
    and the log score is -Σ_k s_k ln p_k. Both are proper: p = s is best. Lower is better, and an
    item on which subjects disagree has no score of 0.

    Parameters
    ----------
    votes : Assignments or Membership
        One category a vote, each of them among `categories`.
    p : (items, categories) array_like, or mapping of system to such
        Each row sums to 1. Arrays, tensors, lists, or frames of pandas, polars or Arrow.
    items, categories : ids of the rows and of the columns, optional
        By default the labels of frames, which need not be in the same order in all of them. Labels
        of a frame that are other ids than those given are an error.
    measures : {"Brier", "log score"} or both
    clip : float, optional
        In the log score, smaller probabilities count as this one. Rows are not scaled again.

    Returns
    -------
    Scores
        The queries are the items with votes and a row, in the order of the rows.

    Raises
    ------
    DataError
        A shape does not fit, a probability is not in [0, 1], a row does not sum to 1 (within
        0.001), a vote is for no category among the columns or for several, or has probability 0
        under the log score without `clip`.

    Warns
    -----
    MissingQueryWarning
        Items with votes have no row; they are left out.
    UnjudgedItemWarning
        Rows are of items without votes; they are left out.

    References
    ----------
    Brier 1950, Verification of forecasts expressed in terms of probability; Good 1952, Rational
    decisions; Gneiting & Raftery 2007, Strictly proper scoring rules, prediction, and estimation.

    Examples
    --------
    >>> import fuzzytruth as ft, pandas as pd
    >>> tax = ft.Taxonomy.from_children({"all": ["cat", "dog"]})
    >>> votes = ft.Assignments.from_frame(pd.DataFrame({
    ...     "subject": ["s", "t"] * 2, "item": ["a", "a", "b", "b"],
    ...     "category": ["cat", "dog", "cat", "cat"]}), taxonomy=tax)
    >>> p = {"sure": [[0.9, 0.1], [0.9, 0.1]], "unsure": [[0.5, 0.5], [0.6, 0.4]]}
    >>> named = {"items": ["a", "b"], "categories": ["cat", "dog"]}
    >>> ft.classification.probability_scores(votes, p, **named).mean().round(3)
    measure  Brier  log score
    system
    sure      0.42      0.655
    unsure    0.41      0.602
    """
    names = tuple(several(measures))
    for name in names:
        errors.choice("measures", name, get_args(Rule))
    require("measures", measures, 0 < len(set(names)) == len(names), "must be distinct names")
    if clip is not None:
        clip = option_number("clip", clip)
        require("clip", clip, 0 < clip < 1, "must be above 0 and below 1")
    matrices, item_ids, category_ids = _labelled(p, items, categories)
    for system, matrix in matrices.items():
        matrices[system] = _probabilities(matrix, system, item_ids, category_ids)
    valid = isinstance(votes, (Assignments, Membership))
    require("votes", votes, valid, "must be Assignments or Membership")
    ballots = votes.votes if isinstance(votes, Membership) else votes
    targets = _Targets.of(ballots, item_ids, category_ids)
    values = np.empty((len(matrices), len(names), len(targets.row)))
    for s, (system, matrix) in enumerate(matrices.items()):
        for m, name in enumerate(names):
            if name == "Brier":
                values[s, m] = targets.brier(matrix)
            else:
                values[s, m] = targets.log_score(matrix, system, clip)
    queries = tuple(item_ids[row] for row in targets.row.tolist())
    cells = Cells.of_queries(len(queries))
    better = (False,) * len(names)
    return Scores(tuple(matrices), queries, names, values, cells, higher_is_better=better)


def _labelled(
    p: Any, items: Any, categories: Any
) -> tuple[dict[str, Floats], list[str], list[str]]:
    """The matrix of each system, and the ids of the rows and columns of all."""
    systems = p if isinstance(p, Mapping) else {"system": p}
    require("p", p, len(systems) > 0, "there is no system in it")
    given = given_ids(items, categories, _NOUNS)
    matrices: dict[str, Floats] = {}
    listed = None
    for name, one in systems.items():
        where = f"p of system {shown(name)}"
        matrix = with_ids(labelled_matrix(one, where, given), where, given, _NOUNS, listed=listed)
        given, listed = (matrix.rows, matrix.columns), "those of the first system"
        for axis, ids in zip(("items", "categories"), given, strict=True):
            if ids is None:
                raise DataError(f"p: does not name its {axis}; give {axis}=, or frames with labels")
        matrices[check_id(name, "system", "p")] = matrix.values.astype(np.float64)
    return matrices, list(given[0] or ()), list(given[1] or ())


def _probabilities(matrix: Floats, system: str, items: list[str], categories: list[str]) -> Floats:
    """A matrix whose rows are distributions."""
    where = f"p of system {shown(system)}"
    bad = np.argwhere(~((matrix >= -_ROUNDING) & (matrix <= 1 + _ROUNDING)))
    if len(bad):
        row, column = bad[0].tolist()
        raise DataError(
            f"{where}, item {shown(items[row])}, category {shown(categories[column])}: value "
            f"{matrix[row, column]:g} is no probability, from 0 to 1"
            f"{_more(len(bad), 'such value')}; turn logits into probabilities by softmax"
        )
    total = matrix.sum(axis=1)
    off = np.flatnonzero(np.abs(total - 1) > _TOLERANCE)
    if len(off):
        raise DataError(
            f"{where}, item {shown(items[off[0]])}: the row sums to {total[off[0]]:g}, not 1"
            f"{_more(len(off), 'such row')}; give all categories, or divide each row by its sum"
        )
    return np.clip(matrix, 0.0, 1.0)


def _more(count: int, what: str) -> str:
    return f" ({counted(count, what)})" if count > 1 else ""


@dataclass(frozen=True, slots=True, eq=False)
class _Targets:
    """Shares of the votes on items that have a row, end to end.

    Parameters
    ----------
    items, categories : list of str
        Of rows and columns.
    row : (queries,) int
        The row of each item with votes.
    offsets : (queries + 1,) int
        Where each item's votes start.
    vote_row, column : (votes,) int
    share : (votes,) float
        Chance of each vote; those of an item sum to 1.
    """

    items: list[str]
    categories: list[str]
    row: Ints
    offsets: Ints
    vote_row: Ints
    column: Ints
    share: Floats

    @classmethod
    def of(cls, votes: Votes, items: list[str], categories: list[str]) -> _Targets:
        """Find rows and columns of the votes, and report those without."""
        label = _single_labels(votes)
        place = {item: row for row, item in enumerate(items)}
        row_of = np.array([place.get(i, -1) for i in votes.items.to_pylist()], dtype=np.int64)
        with_row = row_of >= 0
        if not with_row.any():
            raise DataError(
                f"items: none of them has votes; items are such as {shown(items[0])}, and the "
                f"votes are on such as {shown(votes.items[0].as_py())}"
            )
        voted = set(votes.items.to_pylist())
        _report_left_out(
            [votes.items[item].as_py() for item in np.flatnonzero(~with_row).tolist()],
            [item for item in items if item not in voted],
        )
        column_of = np.full(len(votes.taxonomy), -1, dtype=np.int64)
        column_of[votes.taxonomy.codes(categories)] = np.arange(len(categories))
        ballots = offsets_of(np.bincount(votes.item, minlength=len(row_of)))
        known = np.flatnonzero(with_row)
        known = known[np.argsort(row_of[known])]
        query, ballot = ragged(ballots, known)
        column = column_of[label[ballot]]
        _check_columns(votes, label[ballot][column < 0], query[column < 0], known)
        total = np.bincount(query, weights=votes.weight[ballot])
        offsets = offsets_of(np.bincount(query, minlength=len(known)))
        row = row_of[known]
        share = votes.weight[ballot] / total[query]
        return cls(items, categories, row, offsets, row[query], column, share)

    def brier(self, matrix: Floats) -> Array:
        """Expected Brier score: (queries,)."""
        own = segment_sum(self.share * matrix[self.vote_row, self.column], self.offsets)
        score: Array = (matrix[self.row] ** 2).sum(axis=1) - 2 * own + 1
        return np.maximum(score, 0.0)  # rounding

    def log_score(self, matrix: Floats, system: str, clip: float | None) -> Array:
        """Expected log score: (queries,)."""
        chance = matrix[self.vote_row, self.column]
        zero = np.flatnonzero(chance <= 0)
        if clip is not None:
            chance = np.maximum(chance, clip)
        elif len(zero):
            vote = int(zero[0])
            raise DataError(
                f"p of system {shown(system)}, item {shown(self.items[self.vote_row[vote]])}, "
                f"category {shown(self.categories[self.column[vote]])}: probability 0, but "
                f"there are votes for it ({counted(len(zero), 'such vote')}), so that the log "
                "score is infinite; give clip=, such as clip=1e-6, or measures='Brier'"
            )
        return np.abs(segment_sum(self.share * -np.log(chance), self.offsets))  # no negative zero


def _single_labels(votes: Votes) -> Ints:
    """The category of each ballot."""
    if votes.asked is not None:
        raise DataError(
            "votes: subjects were asked about some categories only, so that their votes are not "
            "shares of one whole"
        )
    size = np.diff(votes.sets.offsets)[votes.label_set]
    several = np.flatnonzero(size != 1)
    if len(several):
        item = votes.items[int(votes.item[several[0]])].as_py()
        raise DataError(
            f"votes: a vote on item {shown(item)} is for {size[several[0]]} categories"
            f"{_more(len(several), 'such vote')}, but probabilities of categories that exclude "
            "each other are about one; give one category a vote"
        )
    return votes.sets.label[votes.sets.offsets[votes.label_set]]


def _check_columns(votes: Votes, label: Ints, query: Ints, known: Ints) -> None:
    """Raise if votes are for categories that have no column."""
    if not len(label):
        return
    names = [votes.taxonomy.nodes[c] for c in np.unique(label).tolist()]
    item = votes.items[int(known[query[0]])].as_py()
    raise DataError(
        f"categories: {counted(len(label), 'vote is', 'votes are')} for categories without a "
        f"column: {first_few(names, show=shown)} (the first on item {shown(item)}); add columns, "
        "or leave these votes out"
    )


def _report_left_out(without_row: list[str], without_votes: list[str]) -> None:
    if without_row:
        warn(
            f"left out: {counted(len(without_row), 'item')} with votes, but without a row of "
            f"probabilities: {first_few(without_row, 3, show=shown)}",
            errors.MissingQueryWarning,
        )
    if without_votes:
        warn(
            f"left out: {counted(len(without_votes), 'row')} of probabilities, of items without "
            f"votes: {first_few(without_votes, 3, show=shown)}",
            errors.UnjudgedItemWarning,
        )
