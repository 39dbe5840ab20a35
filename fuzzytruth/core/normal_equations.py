"""Normal equations of one of two crossed factors, adjusted for the other.

The matrix N = D - B' E⁻¹ B of the smaller factor (D and E the numbers of cells of both factors'
levels, B which cells exist) is a graph Laplacian: singular, with one vector of its null space for
each part that no cell connects with the others.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.cells import Cells

_RANK = 1e-9
_TOLERANCE = 1e-13  # of residuals; the error of a quadratic form is of the order of its square
_ITERATIONS = 2_000


def eigenvectors(cells: Cells, exists: Any, *, by_query: bool) -> tuple[Floats, int]:
    """Eigenvectors of N over the roots of their eigenvalues (levels, rank), and number of parts.

    Here and below, `exists` are the cells as ones of a table (queries, subjects): an array or a
    sparse matrix here, a sparse matrix below.
    """
    small, size, other = _factors(cells, exists, by_query=by_query)
    if isinstance(exists, np.ndarray):
        product = (small / other[:, None]).T @ small
    else:
        product = (small.T @ small.multiply(1 / other[:, None])).toarray()
    value, vector = np.linalg.eigh(np.diag(size) - product)
    kept = value > _RANK * max(float(value.max(initial=0.0)), 1.0)
    return vector[:, kept] / np.sqrt(value[kept]), len(value) - int(kept.sum())


def n_parts(exists: Any) -> int:
    """Groups of queries and subjects that no cell connects."""
    return len(np.unique(_part_of(exists)))


def quadratic_forms(adjusted: Floats, cells: Cells, exists: Any, *, by_query: bool) -> Floats:
    """Values of x' N⁻ x for vectors x in the range of N: (..., levels) → (...,).

    By conjugate gradients, which converge in a few dozen steps where cells are scattered; where
    they do not (long chains of queries and subjects), by a sparse LU decomposition, which is then
    cheap.
    """
    from scipy.sparse.linalg import LinearOperator, cg

    small, size, other = _factors(cells, exists, by_query=by_query)
    small, transposed = small.tocsr(), small.T.tocsr()

    def product(x: Floats) -> Floats:
        out: Floats = size * x - transposed @ ((small @ x) / other)
        return out

    operator = LinearOperator((len(size), len(size)), matvec=product)
    scaling = LinearOperator(operator.shape, matvec=lambda x: x / size)
    rows = adjusted.reshape(-1, len(size))
    out = np.zeros(len(rows))
    for number, row in enumerate(rows):
        try:
            with np.errstate(divide="raise", invalid="raise"):
                solution, failed = cg(
                    operator, row, rtol=_TOLERANCE, maxiter=_ITERATIONS, M=scaling
                )
        except FloatingPointError:  # rounding led the search into the null space
            failed = True
        if failed:
            out[number:] = _by_elimination(rows[number:], cells, exists, by_query=by_query)
            break
        out[number] = row @ solution
    return out.reshape(adjusted.shape[:-1])


def _by_elimination(rows: Floats, cells: Cells, exists: Any, *, by_query: bool) -> Floats:
    """As `quadratic_forms`, by a sparse LU decomposition of the equations of both factors.

    One level of the smaller factor of each part is set to 0, which makes them regular.
    """
    from scipy.sparse import block_array, diags_array
    from scipy.sparse.linalg import splu

    small, size, other = _factors(cells, exists, by_query=by_query)
    part = _part_of(exists)
    part = part[: len(size)] if by_query else part[len(part) - len(size) :]
    free = np.setdiff1d(np.arange(len(size)), np.unique(part, return_index=True)[1])
    kept = small.tocsc()[:, free]
    both = block_array([[diags_array(other), kept], [kept.T, diags_array(size[free])]])
    right = np.zeros((both.shape[0], len(rows)))
    right[len(other) :] = rows[:, free].T
    solution = splu(both.tocsc()).solve(right)[len(other) :]
    out: Floats = (rows[:, free] * solution.T).sum(axis=-1)
    return out


def _factors(cells: Cells, exists: Any, *, by_query: bool) -> tuple[Any, Floats, Floats]:
    """B (other factor, smaller factor), and the numbers of cells of the smaller and the other."""
    sizes = cells.sizes.astype(np.float64), cells.subject_sizes.astype(np.float64)
    return (exists.T, *sizes) if by_query else (exists, *sizes[::-1])


def _part_of(exists: Any) -> Any:
    """Number of the part of each query, then of each subject: (queries + subjects,)."""
    from scipy.sparse import block_array
    from scipy.sparse.csgraph import connected_components

    both = block_array([[None, exists], [exists.T, None]])
    return connected_components(both, directed=False)[1]
