"""Settings of a comparison, and the sizes of its data."""

from __future__ import annotations

from dataclasses import dataclass

from fuzzytruth.stats.axes import Over


@dataclass(frozen=True, slots=True)
class Conditions:
    """Settings of a comparison, and the sizes of its data.

    Parameters
    ----------
    over : tuple of str
        What was random.
    correction : str
        "max-t", "permuted labels", "none", or one of statsmodels'.
    interval : {"simultaneous", "single", "unadjusted"}
    level : float
    n_resamples, tests : int
        `tests`: number of comparisons in a family.
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
