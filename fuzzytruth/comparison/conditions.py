"""Under which conditions systems were compared."""

from __future__ import annotations

from dataclasses import dataclass

from fuzzytruth.stats.axes import Over


@dataclass(frozen=True, slots=True)
class Conditions:
    """Under which conditions systems were compared.

    Parameters
    ----------
    over : tuple of str
        What was random.
    correction : str
        "max-t", "permuted labels", "none", or one of statsmodels'.
    interval : {"simultaneous", "single", "unadjusted"}
    level : float
    n_resamples, tests : int
        `tests` is the size of a family of comparisons.
    across_measures : bool
    baseline : str or None
    systems, measures : tuple of str
    higher_is_better : tuple of bool
        For each of `measures`.
    n_queries : int
    n_subjects : int or None
    nested : bool
    worlds : str or None
    rope : dict or None
    """

    over: Over
    correction: str
    interval: str
    level: float
    n_resamples: int
    tests: int
    across_measures: bool
    baseline: str | None
    systems: tuple[str, ...]
    measures: tuple[str, ...]
    higher_is_better: tuple[bool, ...]
    n_queries: int
    n_subjects: int | None = None
    nested: bool = False
    worlds: str | None = None
    rope: dict[str, float] | None = None
