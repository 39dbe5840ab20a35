"""Scores of systems with several runs, from arrays, and the variance of estimates by draws."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

import fuzzytruth as ft

Tables = Mapping[str, np.ndarray]
N_DRAWS = 400_000


def tables_of_runs(
    sizes: Mapping[str, int],
    n_queries: int = 20,
    *,
    seed: int = 0,
    of_runs: float = 0.3,
    n_subjects: int = 0,
) -> dict[str, np.ndarray]:
    """Normal values (runs, queries) of each system, or (runs, queries, subjects)."""
    rng = np.random.default_rng(seed)
    people = max(n_subjects, 1)
    of_query = rng.normal(size=(1, n_queries, 1))
    out = {}
    for place, (name, n) in enumerate(sizes.items()):
        y = 0.3 * place + of_query + 0.5 * rng.normal(size=(1, n_queries, 1))
        y = y + of_runs * rng.normal(size=(n, 1, 1)) + 0.3 * rng.normal(size=(n, n_queries, people))
        if n_subjects:
            y = y + 0.2 * rng.normal(size=(1, 1, people)) + 0.2 * rng.normal(size=(n, 1, people))
        out[name] = y if n_subjects else y[..., 0]
    return out


def frame_of_runs(tables: Tables) -> pd.DataFrame:
    """One row a value that is not NaN: system, seed, query, subject (of three axes), value."""
    rows = [
        (
            name,
            str(place[0] + 1),
            *(f"{axis}{k}" for axis, k in zip("qs", place[1:], strict=False)),
            value,
        )
        for name, y in tables.items()
        for place, value in np.ndenumerate(y)
    ]
    people = ["subject"] if next(iter(tables.values())).ndim == 3 else []
    return pd.DataFrame(rows, columns=["system", "seed", "query", *people, "value"]).dropna()


def scores_of_runs(tables: Tables, **options: Any) -> ft.Scores:
    """Scores of tables of runs; options are those of `Scores.from_frame`."""
    return ft.Scores.from_frame(frame_of_runs(tables), replicates="seed", **options)


def squares_of_runs(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Sums of squares and degrees of freedom of runs, runs × queries, × subjects, × both.

    Of (runs, queries, subjects) values, by projections.
    """
    factors = [(np.eye(n) - 1 / n, np.full((n, n), 1 / n)) for n in y.shape]
    squares, df = [], []
    for of_query, of_subject in ((0, 0), (1, 0), (0, 1), (1, 1)):
        chosen = [factors[0][0], factors[1][1 - of_query], factors[2][1 - of_subject]]
        squares.append((np.einsum("rqs,ar,bq,cs->abc", y, *chosen, optimize=True) ** 2).sum())
        df.append(np.prod([np.trace(one) for one in chosen]))
    return np.array(squares), np.rint(df)


def drawn_variances(
    difference: np.ndarray,
    systems: list[tuple[np.ndarray, np.ndarray, float]],
    rng: np.random.Generator,
) -> np.ndarray:
    """Draws of the variance of a mean difference.

    `difference` is (queries,), or (queries, subjects) which are random as well; of each system sums
    of squares, their degrees of freedom and the factor of mean squares are given.
    """
    table = difference.reshape(len(difference), -1)
    q, s = table.shape
    row, column = table.mean(axis=1) - table.mean(), table.mean(axis=0) - table.mean()
    rest = table - table.mean() - row[:, None] - column

    def draw(squares: float, df: float) -> np.ndarray:
        return squares / rng.chisquare(df, N_DRAWS) if df > 0 else np.zeros(N_DRAWS)

    out = draw((row**2).sum(), q - 1) / q
    if s > 1:
        by_subject = draw((column**2).sum(), s - 1) / s
        both = draw((rest**2).sum(), (q - 1) * (s - 1)) / (q * s)
        out = np.maximum(out, both) + np.maximum(by_subject, both) - both
    for squares, df, factor in systems:
        of_run, with_query, with_subject, last = (
            draw(*one) for one in zip(squares, df, strict=True)
        )
        both = np.maximum(with_query, last) + np.maximum(with_subject, last) - last
        out = out + factor * np.maximum(of_run - both, 0)
    return np.asarray(out)


def p_of(size: float, variances: np.ndarray) -> float:
    """Two-sided p of a normal error with these variances."""
    return float(2 * stats.norm.sf(abs(size) / np.sqrt(variances)).mean())
