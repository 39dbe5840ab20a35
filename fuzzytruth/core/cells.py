"""Ragged tables of queries × subjects: which cells exist, and sums and means over them.

Values lie in one array, sorted by query, then subject; leading axes (systems, measures) are free.
A complete table is that array reshaped, without a copy.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np

from fuzzytruth._lazy import sparse
from fuzzytruth._typing import Array, Bools, Floats, Ints
from fuzzytruth.core.arithmetic import divide, offsets_of, segment_sum

#: tables at least this full are computed with as dense arrays
_DENSE = 0.25


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """Which (query, subject) pairs exist, sorted by query, then subject.

    Parameters
    ----------
    query : (cells,) int
    subject : (cells,) int or None
        None: there are no subjects, and a query has one cell at most.
    n_queries : int
    n_subjects : int
        1 where there are no subjects.

    Attributes
    ----------
    offsets : (queries + 1,) int
        The cells of query j are ``offsets[j]:offsets[j + 1]``.

    Examples
    --------
    >>> import numpy as np
    >>> cells, order = Cells.from_pairs(np.array([1, 0, 1]), np.array([0, 2, 2]))
    >>> cells.dense(np.array([5.0, 6.0, 7.0])[order], fill=0).tolist()
    [[0.0, 0.0, 6.0], [5.0, 0.0, 7.0]]
    """

    query: Ints
    subject: Ints | None
    n_queries: int
    n_subjects: int = 1
    offsets: Ints = field(init=False, repr=False)

    def __post_init__(self) -> None:
        sizes = np.bincount(self.query, minlength=self.n_queries)
        object.__setattr__(self, "offsets", offsets_of(sizes))

    @classmethod
    def of_queries(cls, n_queries: int) -> Cells:
        """One cell a query, without subjects."""
        return cls(np.arange(n_queries), None, n_queries)

    @classmethod
    def complete(cls, n_queries: int, n_subjects: int) -> Cells:
        """Every pair of a query and a subject."""
        query = np.repeat(np.arange(n_queries), n_subjects)
        return cls(query, np.tile(np.arange(n_subjects), n_queries), n_queries, n_subjects)

    @classmethod
    def from_pairs(
        cls,
        query: Ints,
        subject: Ints | None,
        *,
        n_queries: int | None = None,
        n_subjects: int | None = None,
    ) -> tuple[Cells, Ints]:
        """Cells of distinct pairs, and the order that sorts values given with these pairs.

        Parameters
        ----------
        query : (cells,) int
        subject : (cells,) int or None
        n_queries, n_subjects : int, optional
            By default the largest number plus 1.
        """
        order = np.lexsort((query,) if subject is None else (subject, query))
        queries = int(query.max(initial=-1)) + 1 if n_queries is None else n_queries
        if subject is None:
            return cls(query[order].astype(np.int64), None, queries), order
        subjects = int(subject.max(initial=-1)) + 1 if n_subjects is None else n_subjects
        ordered = subject[order].astype(np.int64)
        return cls(query[order].astype(np.int64), ordered, queries, subjects), order

    @classmethod
    def of_mask(cls, exists: Bools, *, subjects: bool = True) -> Cells:
        """The cells marked in a table (queries, subjects); `subjects`: whether there are any."""
        query, subject = np.nonzero(exists)
        return cls(query, subject if subjects else None, *exists.shape)

    def __len__(self) -> int:
        return len(self.query)

    @property
    def is_complete(self) -> bool:
        """Whether every pair exists."""
        return len(self) == self.n_queries * self.n_subjects

    @property
    def is_dense(self) -> bool:
        """Whether so many pairs exist that a dense table is the faster layout."""
        return len(self) >= _DENSE * self.n_queries * self.n_subjects

    @property
    def subject_codes(self) -> Ints:
        """Subject of each cell, 0 where there are no subjects: (cells,)."""
        return np.zeros(len(self), dtype=np.int64) if self.subject is None else self.subject

    @property
    def sizes(self) -> Ints:
        """Cells of each query: (queries,)."""
        return self.offsets[1:] - self.offsets[:-1]

    @property
    def subject_sizes(self) -> Ints:
        """Cells of each subject: (subjects,)."""
        return np.bincount(self.subject_codes, minlength=self.n_subjects)

    @property
    def look_nested(self) -> bool:
        """Whether no subject has two cells, of several queries."""
        return self.n_queries > 1 and int(self.subject_sizes.max(initial=0)) <= 1

    def dense(self, values: Array, *, fill: Any = np.nan) -> Array:
        """Values as a table: (..., cells) → (..., queries, subjects).

        A view where the table is complete; else with `fill` where there is no cell.
        """
        shape = (*values.shape[:-1], self.n_queries, self.n_subjects)
        if self.is_complete:
            return values.reshape(shape)
        out = np.full((*shape[:-2], shape[-2] * shape[-1]), fill, dtype=values.dtype)
        # one index array instead of two: NumPy then scatters several times as fast
        out[..., self.query * self.n_subjects + self.subject_codes] = values
        return out.reshape(shape)

    def of_dense(self, table: Array) -> Array:
        """Values of the cells of a table: (..., queries, subjects) → (..., cells)."""
        if self.is_complete:
            return table.reshape(*table.shape[:-2], len(self))
        return table[..., self.query, self.subject_codes]

    def incidence(self, values: Floats | None = None) -> Any:
        """Sparse matrix of ones, or of (cells,) values: (queries, subjects)."""
        data = np.ones(len(self)) if values is None else values
        shape = (self.n_queries, self.n_subjects)
        return sparse.csr_array((data, self.subject_codes, self.offsets), shape=shape)

    def sum_by_query(self, values: Array) -> Array:
        """Sums over the cells of each query: (..., cells) → (..., queries)."""
        if self.is_complete and self.subject is None:
            return values
        if not self.is_complete:
            return segment_sum(values, self.offsets)
        return np.asarray(self._by_subject(values).sum(axis=-2))

    def sum_by_subject(self, values: Array) -> Array:
        """Sums over the cells of each subject: (..., cells) → (..., subjects)."""
        one_incomplete_table = values.size == len(self) and not self.is_complete
        if self.is_dense and not one_incomplete_table:
            return np.asarray(self._by_subject(values).sum(axis=-1))
        return grouped_sum(values, self.subject_codes, self.n_subjects)

    def _by_subject(self, values: Array) -> Array:
        """A copy as (..., subjects, queries), 0 where there is no cell.

        NumPy sums short contiguous lines (the subjects of a query) slowly.
        """
        return np.ascontiguousarray(self.dense(values, fill=0).swapaxes(-1, -2))

    def mean_by_query(self, values: Floats) -> Floats:
        """Means over the values that each query has, NaN without any: (..., queries)."""
        if self.is_complete and self.subject is None:
            return values
        sizes = self.n_subjects if self.is_complete else self.sizes
        return _means(values, sizes, self.sum_by_query)

    def mean_by_subject(self, values: Floats) -> Floats:
        """Means over the values that each subject has, NaN without any: (..., subjects)."""
        sizes = self.n_queries if self.is_complete else self.subject_sizes
        return _means(values, sizes, self.sum_by_subject)

    def select(self, chosen: Bools) -> Cells:
        """Some of the cells (cells,), of the same queries and subjects."""
        subject = None if self.subject is None else self.subject[chosen]
        return Cells(self.query[chosen], subject, self.n_queries, self.n_subjects)

    def compressed(self) -> Cells:
        """The same cells, of those queries and subjects alone that have any, numbered anew."""
        queries, subjects = self.sizes > 0, self.subject_sizes > 0
        if queries.all() and subjects.all():
            return self
        query = np.cumsum(queries)[self.query] - 1
        subject = None if self.subject is None else np.cumsum(subjects)[self.subject] - 1
        return Cells(query, subject, int(queries.sum()), int(subjects.sum()))


def _means(values: Floats, sizes: int | Ints, sums: Callable[[Array], Array]) -> Floats:
    """Means over the values that each group has, of groups of these sizes; NaN without any."""
    missing = np.isnan(values)
    if missing.any():
        return divide(sums(np.where(missing, 0.0, values)), sums(~missing), fill=np.nan)
    if isinstance(sizes, int) and sizes:
        return sums(values) / sizes
    return divide(sums(values), sizes, fill=np.nan)


def grouped_sum(values: Array, group: Ints, n_groups: int) -> Floats:
    """Sums over the values of each group: (..., n) values and (n,) groups → (..., n_groups)."""
    n = len(group)
    flat = values.reshape(prod(values.shape[:-1]), n).astype(np.float64, copy=False)
    if len(flat) == 1:
        total: Any = np.bincount(group, flat[0], n_groups)
        return np.asarray(total).reshape(*values.shape[:-1], n_groups)
    member = sparse.csr_array((np.ones(n), group, np.arange(n + 1)), shape=(n, n_groups))
    return np.asarray((flat @ member).reshape(*values.shape[:-1], n_groups))


def grouped_mean(values: Floats, group: Ints, n_groups: int) -> Floats:
    """Means over the values that each group has, NaN without any: (..., n_groups)."""
    present = ~np.isnan(values)
    total = grouped_sum(np.where(present, values, 0.0), group, n_groups)
    return divide(total, grouped_sum(present, group, n_groups), fill=np.nan)
