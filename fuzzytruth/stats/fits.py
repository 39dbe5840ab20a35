"""Estimates of one design, with the law of their errors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.pivotal import NormalMixtures
from fuzzytruth.stats.laws import DrawnLaw, Law, MixtureLaw, StudentLaw


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Estimates of contrasts: (rows,) each.

    Parameters
    ----------
    value, std_error, df : float
        `df` are Satterthwaite's where the law is no t.
    method : str
    law : Law
    n_units : int, optional
        Units that were resampled, if they are no queries.
    """

    value: Floats
    std_error: Floats
    df: Floats
    method: str
    law: Law
    n_units: Ints | None = None


def student_fit(
    value: Floats,
    std_error: Floats,
    df: Floats,
    method: str = "t",
    *,
    pairs: bool,
    flips: Floats | None = None,
) -> Fit:
    """With errors that follow Student's t; `pairs`: of differences of two systems.

    `flips` is that of `SymmetricLaw`, by default `df`.
    """
    error = np.where(df > 0, std_error, np.nan)  # a single unit has no spread
    known = _are_known(value, error, pairs=pairs)
    law = StudentLaw(error, df if flips is None else flips, known, df)
    return Fit(value, error, df, method, law)


def mixture_fit(
    value: Floats,
    std_error: Floats,
    df: Floats,
    least_df: Floats,
    mixtures: NormalMixtures,
    method: str,
    *,
    pairs: bool,
) -> Fit:
    """With errors that follow mixtures of normal laws.

    `df` are those of the standard error, which the law does not use; `least_df` is one less than
    the number of queries or of subjects, whichever is smaller.
    """
    error = np.where(least_df > 0, std_error, np.nan)
    law = MixtureLaw(error, least_df, _are_known(value, error, pairs=pairs), mixtures)
    return Fit(value, error, df, method, law)


def drawn_fit(value: Floats, std_error: Floats, df: Floats, method: str, draws: Floats) -> Fit:
    """With draws (rows, draws) of what is estimated."""
    return Fit(value, std_error, df, method, DrawnLaw(draws))


def _are_known(value: Floats, std_error: Floats, *, pairs: bool) -> Bools:
    """Where no spread means no error: systems, and pairs of identical ones."""
    if not pairs:
        return np.asarray(std_error == 0)
    return np.asarray((std_error == 0) & (value == 0))
