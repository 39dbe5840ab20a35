"""`compare`: which systems differ, by how much, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth.comparison.notices import warn_degenerate, warn_missing
from fuzzytruth.comparison.result import Comparison, Conditions
from fuzzytruth.core.validation import between_zero_and_one, number, place_of
from fuzzytruth.errors import DataError, OptionError, shown
from fuzzytruth.stats.axes import Over, check_over, in_words, looks_nested
from fuzzytruth.stats.effects import agreement, effects, means_of_pairs
from fuzzytruth.stats.estimates import Estimates, estimate
from fuzzytruth.stats.families import Family, Null, kind_of_interval, resolve
from fuzzytruth.stats.flips import sign_flip_p
from fuzzytruth.stats.posterior import posterior
from fuzzytruth.stats.rows import against, all_pairs, per_query
from fuzzytruth.stats.settings import Resampling

if TYPE_CHECKING:
    import pandas as pd

    from fuzzytruth.evaluation.scores import Scores

Rope = float | Mapping[str, float] | None


def compare(
    scores: Scores,
    baseline: str | None = None,
    measures: Iterable[str] | str | None = None,
    *,
    over: Iterable[str] | str = ("query",),
    correction: str | None = None,
    level: float = 0.95,
    n_resamples: int = 9999,
    rng: Any = 0,
    null: Null = "partial",
    across_measures: bool = False,
    bayesian: bool = False,
    rope: Rope = None,
    n_jobs: int = 1,
) -> Comparison:
    """Compare all pairs of systems, or each with a baseline.

    Estimand: for each pair, the mean over queries of the difference of their values, in the
    population that `over` names. Null of each `p` and `p_adjusted`: this mean difference is 0.
    `p` is of Student's paired t; `p_permutation`, beside it, is Fisher's sign flips, whose null is
    that the differences are symmetric about 0.

    Parameters
    ----------
    scores : Scores
    baseline : str, optional
        Compare every other system with this one; differences are the other minus the baseline.
    measures : str or sequence of str, optional
        In any spelling; by default all.
    over : {"query", "subject", "world"} or several
        What another sample would bring anew; see `Scores.summary`.
    correction : str, optional
        For the many comparisons within a measure. None: over queries "max-t" (studentised maxima
        under centred sign flips, for all pairs or many to one), over anything else "bonferroni",
        and nothing for a single comparison. Or "none", or any of `stats.CORRECTIONS`; intervals
        are then unadjusted, but for "bonferroni" and "sidak".
    level : float
        Of intervals; p-values are judged at 1 - level.
    n_resamples, rng, n_jobs
        See `stats.Resampling`.
    null : {"partial", "complete"}
        "partial": each pair's null by itself, whatever the other systems do. "complete": permute
        the systems' labels within queries (randomised Tukey); holds its error only if all systems
        are alike.
    across_measures : bool
        Whether the comparisons by all measures are one family.
    bayesian : bool
        Add the posterior probabilities that the first system is better, the same within `rope`,
        or worse; see `stats.posterior` for the prior.
    rope : float or mapping of measure to float, optional
        The largest difference that does not matter, in units of the measure.

    Returns
    -------
    Comparison

    Raises
    ------
    OptionError
        A name or option is unknown, or options do not go together.
    DataError
        There is one system only, or labels are to be permuted with values missing.

    Warns
    -----
    MissingCellWarning
        Systems lack values that others have: each pair is compared on what both have.
    DegenerateWarning
        Differences without spread, or with an unknown one.

    References
    ----------
    Westfall & Young 1993, Resampling-Based Multiple Testing; Carterette 2012 (complete null);
    Urbano, Lima & Hanjalic 2019; Cohen 1988 (d_z); Benavoli et al. 2017 (posterior).

    Examples
    --------
    >>> import pandas as pd, fuzzytruth as ft
    >>> scores = ft.Scores.from_frame(pd.DataFrame({
    ...     "system": list("aaaabbbb"), "query": [1, 2, 3, 4] * 2,
    ...     "value": [0.5, 0.7, 0.9, 0.8, 0.3, 0.6, 0.6, 0.6]}))
    >>> print(ft.compare(scores).verdicts()[0])
    a beats b on value by 0.2 [0.07008, 0.3299], p = 0.01628
    """
    axes = check_over(over, scores)
    places = measure_places(scores, measures)
    base = None if baseline is None else place_of(scores.systems, baseline, "baseline")
    if len(scores.systems) < 2:
        raise DataError("compare: there is a single system; a comparison takes two or more")
    rows = all_pairs(len(scores.systems)) if base is None else against(base, len(scores.systems))
    tests = len(rows) * (len(places) if across_measures else 1)
    family = Family(
        scores,
        places,
        rows,
        base,
        axes,
        resolve(correction, null, axes, tests, across_measures),
        between_zero_and_one("level", level),
        Resampling(n_resamples, rng, n_jobs),
    )
    warn_missing(scores, places)
    ropes = _ropes(scores, places, bayesian, rope)
    tables = _tables(family, across_measures, ropes)
    table = _joined(tables)
    warn_degenerate(table, family)
    conditions = Conditions(
        over=axes,
        correction=family.correction,
        interval=kind_of_interval(family.correction, tests),
        level=family.level,
        n_resamples=n_resamples,
        tests=tests,
        across_measures=across_measures,
        baseline=baseline,
        systems=scores.systems,
        measures=tuple(scores.measures[m] for m in places),
        higher_is_better=tuple(scores.higher_is_better[m] for m in places),
        n_queries=len(scores.queries),
        n_subjects=None if scores.subjects is None else len(scores.subjects),
        nested=scores.design == "nested",
        worlds=None if scores.uncertainty is None else scores.uncertainty.worlds,
        rope=_by_name(scores, places, ropes),
    )
    means = scores.mean()[list(conditions.measures)]
    return Comparison(table, means, _beside(family, across_measures), conditions)


def measure_places(scores: Scores, measures: Iterable[str] | str | None) -> tuple[int, ...]:
    """Places of the measures named, in any spelling; of all by default."""
    if measures is None:
        return tuple(range(len(scores.measures)))
    named = [measures] if isinstance(measures, str) else list(measures)
    if not named:
        raise OptionError("measures: name at least one, or leave it out for all")
    return tuple(dict.fromkeys(scores.measure_place(str(name)) for name in named))


def _ropes(
    scores: Scores, places: tuple[int, ...], bayesian: bool, rope: Rope
) -> list[float] | None:
    """One width for each measure; None without posteriors."""
    if not bayesian:
        if rope is not None:
            raise OptionError("rope: is used with bayesian=True only")
        return None
    names = [scores.measures[m] for m in places]
    if isinstance(rope, Mapping):
        unknown = [name for name in rope if name not in names]
        if unknown or len(rope) < len(names):
            raise OptionError(
                f"rope={shown(dict(rope))}: must have one number for each of {', '.join(names)}"
            )
        widths = [number("rope", rope[name]) for name in names]
    else:
        widths = [0.0 if rope is None else number("rope", rope)] * len(names)
    if min(widths) < 0:
        raise OptionError(f"rope={shown(rope)}: must not be negative")
    return widths


def _by_name(
    scores: Scores, places: tuple[int, ...], ropes: list[float] | None
) -> dict[str, float] | None:
    if ropes is None:
        return None
    return {scores.measures[m]: width for m, width in zip(places, ropes, strict=True)}


def _tables(family: Family, across: bool, ropes: list[float] | None) -> list[pd.DataFrame]:
    """One table for each measure, with all that is known of each pair."""
    scores, rows = family.scores, family.rows
    out = []
    for place, (m, found, table) in enumerate(_inferred(family, across)):
        mean_a, mean_b = means_of_pairs(scores, m, rows)
        table.insert(3, "mean_a", mean_a)
        table.insert(4, "mean_b", mean_b)
        if family.over == ("query",):
            p, _ = sign_flip_p(per_query(scores, m, rows).T, family.using)
            after_p = list(table.columns).index("p") + 1
            table.insert(after_p, "p_permutation", np.where(np.isnan(found.value), np.nan, p))
        table = table.assign(
            **effects(scores, m, rows),
            n_queries=found.n_queries,
            n_subjects=found.n_subjects,
            **agreement(scores, m, rows, found.value),
        )
        if ropes is not None:
            better = scores.higher_is_better[m]
            table = table.assign(**posterior(found, ropes[place], higher_is_better=better))
        out.append(table)
    return out


def _inferred(family: Family, across: bool) -> list[tuple[int, Estimates, pd.DataFrame]]:
    """Each measure's place, estimates, and table of differences, intervals and p-values."""
    import pandas as pd

    scores, rows = family.scores, family.rows
    found = [estimate(scores, m, rows, family.over) for m in family.measures]
    if across:
        ends = family.adjusted(found)
    else:
        alone = [replace(family, measures=(m,)) for m in family.measures]
        ends = [one.adjusted([of])[0] for one, of in zip(alone, found, strict=True)]
    names = np.array(scores.systems, dtype=object)
    assert rows.second is not None
    out = []
    for m, of, (lower, upper, p_adjusted) in zip(family.measures, found, ends, strict=True):
        columns: dict[str, Any] = {
            "measure": scores.measures[m],
            "system_a": names[rows.first],
            "system_b": names[rows.second],
            "difference": of.value,
            "lower": lower,
            "upper": upper,
            "std_error": of.std_error,
            "df": of.df,
            "p": of.p_value(),
            "p_adjusted": p_adjusted,
            "significant": p_adjusted <= (1 - family.level) * (1 + 1e-12),
        }
        out.append((m, of, pd.DataFrame(columns)))
    return out


def _joined(tables: list[pd.DataFrame]) -> pd.DataFrame:
    import pandas as pd

    table = pd.concat(tables, ignore_index=True)
    return table.astype({"system_a": str, "system_b": str, "measure": str})


def _beside(family: Family, across: bool) -> pd.DataFrame | None:
    """The same comparisons over each axis alone and over both, adjusted by Bonferroni."""
    scores = family.scores
    if scores.subjects is not None and scores.design == "crossed" and not looks_nested(scores):
        other: Over = ("subject",)
    elif scores.uncertainty is not None and scores.subjects is None:
        other = ("world",)
    else:
        return None
    tables = []
    ways: tuple[Over, ...] = (("query",), other, ("query", other[0]))
    for over in ways:
        using = replace(family, over=over, correction="bonferroni")
        for _, found, table in _inferred(using, across):
            table.insert(3, "over", in_words(over))
            tables.append(table.assign(method=found.method))
    return _joined(tables)
