"""`compare`: which systems differ, by how much, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth.comparison.compare_warnings import warn_of_degenerate, warn_of_missing
from fuzzytruth.comparison.conditions import Conditions
from fuzzytruth.comparison.measures import measure_places
from fuzzytruth.comparison.result import Comparison
from fuzzytruth.core.validation import between_zero_and_one, option_number, place_of
from fuzzytruth.errors import DataError, OptionError, shown
from fuzzytruth.evaluation.axes import check_over, looks_nested
from fuzzytruth.evaluation.observations import observations_of
from fuzzytruth.stats.axes import Over, in_words
from fuzzytruth.stats.contrasts import against, all_pairs
from fuzzytruth.stats.effects import agreement, effects, means_of_pairs
from fuzzytruth.stats.estimates import Estimates, estimate
from fuzzytruth.stats.multiplicity import Family, Null, kind_of_interval, resolve
from fuzzytruth.stats.posterior import posterior
from fuzzytruth.stats.settings import Resampling
from fuzzytruth.stats.sign_flips import sign_flip_p
from fuzzytruth.stats.world_estimates import can_cross

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
    population that `over` names. Null hypothesis of `p` and `p_adjusted`: that mean is 0. `p` is
    from Student's paired t test; `p_permutation` is from Fisher's sign-flip test, whose null
    hypothesis is that the differences are symmetric about 0.

    Parameters
    ----------
    scores : Scores
    baseline : str, optional
        Compare every other system with this one; differences are the other minus the baseline.
    measures : str or sequence of str, optional
        In any spelling; all by default.
    over : {"query", "subject", "world"} or several
        What is random, a sample from a population; see `Scores.summary`.
    correction : str, optional
        Correction for the number of comparisons within a measure. By default "max-t" over queries
        (studentised maxima under centred sign flips, for all pairs or many to one), "bonferroni"
        over anything else, and none for a single comparison. With "none", or another of
        `stats.CORRECTIONS` than "bonferroni" and "sidak", intervals are not adjusted.
    level : float
        Confidence level of the intervals; a comparison is significant at 1 - level.
    n_resamples, rng, n_jobs
        See `stats.Resampling`.
    null : {"partial", "complete"}
        "partial": each pair's null hypothesis, whatever the other systems do. "complete": permute
        the systems' labels within queries (randomised Tukey), which controls the error only if all
        systems are alike.
    across_measures : bool
        Whether to correct for the comparisons by all measures together.
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
        There is one system only, or `null` is "complete" and values are missing.

    Warns
    -----
    MissingCellWarning
        Systems lack values that others have: each pair is compared on what both have.
    DegenerateWarning
        The spread of differences is zero or unknown.

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
    names = tuple(scores.measures[m] for m in places)
    base = None if baseline is None else place_of(scores.systems, baseline, "baseline")
    k = len(scores.systems)
    if k < 2:
        raise DataError("compare: the scores have a single system; a comparison takes two or more")
    pairs = all_pairs(k) if base is None else against(base, k)
    tests = len(pairs) * (len(places) if across_measures else 1)
    family = Family(
        names,
        tuple(observations_of(scores, m) for m in places),
        pairs,
        base,
        axes,
        resolve(correction, null, axes, tests, across_measures),
        between_zero_and_one("level", level),
        Resampling(n_resamples, rng, n_jobs),
    )
    warn_of_missing([observed.values for observed in family.observed])
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
        measures=names,
        higher_is_better=tuple(scores.higher_is_better[m] for m in places),
        n_queries=len(scores.queries),
        n_subjects=None if scores.subjects is None else len(scores.subjects),
        nested=scores.design == "nested",
        worlds=None if scores.uncertainty is None else scores.uncertainty.worlds,
        rope=_ropes(names, bayesian, rope),
    )
    table = _joined(_tables(family, conditions))
    warn_of_degenerate(table, conditions)
    means = scores.mean()[list(names)]
    return Comparison(table, means, _beside(scores, family, conditions), conditions)


def _ropes(names: tuple[str, ...], bayesian: bool, rope: Rope) -> dict[str, float] | None:
    """Width of the region for each measure; None without posteriors."""
    if not bayesian:
        if rope is not None:
            raise OptionError("rope: is for bayesian=True only")
        return None
    if isinstance(rope, Mapping):
        unknown = [name for name in rope if name not in names]
        if unknown or len(rope) < len(names):
            raise OptionError(
                f"rope={shown(dict(rope))}: must have one number for each of {', '.join(names)}"
            )
        widths = {name: option_number("rope", rope[name]) for name in names}
    else:
        widths = dict.fromkeys(names, 0.0 if rope is None else option_number("rope", rope))
    if min(widths.values()) < 0:
        raise OptionError(f"rope={shown(rope)}: must not be negative")
    return widths


def _tables(family: Family, conditions: Conditions) -> list[pd.DataFrame]:
    """One table for each measure: differences, inference, effect sizes and agreement."""
    pairs, out = family.pairs, []
    inferred = _inferred(family, conditions)
    each = zip(family.measures, family.observed, conditions.higher_is_better, inferred, strict=True)
    for name, observed, better, (estimates, table) in each:
        mean_a, mean_b = means_of_pairs(observed, pairs)
        table.insert(3, "mean_a", mean_a)
        table.insert(4, "mean_b", mean_b)
        if family.over == ("query",):
            p, _ = sign_flip_p(observed.by_query(pairs).T, family.using)
            after_p = list(table.columns).index("p") + 1
            table.insert(after_p, "p_permutation", np.where(np.isnan(estimates.value), np.nan, p))
        columns = effects(observed, pairs, higher_is_better=better)
        columns |= {"n_queries": estimates.n_queries, "n_subjects": estimates.n_subjects}
        columns |= agreement(observed, pairs, estimates.value)
        if conditions.rope is not None:
            columns |= posterior(estimates, conditions.rope[name], higher_is_better=better)
        out.append(table.assign(**columns))
    return out


def _inferred(family: Family, conditions: Conditions) -> list[tuple[Estimates, pd.DataFrame]]:
    """For each measure, the estimates and a table of differences, intervals and p-values."""
    import pandas as pd

    pairs = family.pairs
    estimates = [estimate(observed, pairs, family.over) for observed in family.observed]
    if conditions.across_measures:
        adjusted = family.adjusted(estimates)
    else:
        families = zip(family.split(), estimates, strict=True)
        adjusted = [single.adjusted([estimated])[0] for single, estimated in families]
    names = np.array(conditions.systems, dtype=object)
    assert pairs.second is not None
    out = []
    each = zip(family.measures, estimates, adjusted, strict=True)
    for measure, estimated, (lower, upper, p_adjusted) in each:
        columns: dict[str, Any] = {
            "measure": measure,
            "system_a": names[pairs.first],
            "system_b": names[pairs.second],
            "difference": estimated.value,
            "lower": lower,
            "upper": upper,
            "std_error": estimated.std_error,
            "df": estimated.df,
            "p": estimated.p_value(),
            "p_adjusted": p_adjusted,
            "significant": p_adjusted <= (1 - family.level) * (1 + 1e-12),
        }
        out.append((estimated, pd.DataFrame(columns)))
    return out


def _joined(tables: list[pd.DataFrame]) -> pd.DataFrame:
    import pandas as pd

    table = pd.concat(tables, ignore_index=True)
    return table.astype({"system_a": str, "system_b": str, "measure": str})


def _beside(scores: Scores, family: Family, conditions: Conditions) -> pd.DataFrame | None:
    """The same comparisons over each axis alone and over both, adjusted by Bonferroni."""
    if scores.subjects is not None and scores.design == "crossed" and not looks_nested(scores):
        other: Over = ("subject",)
    elif all(observed.worlds is not None for observed in family.observed):
        other = ("world",)
    else:
        return None
    tables = []
    choices: list[Over] = [("query",), other]
    if other == ("subject",) or all(can_cross(o, family.pairs) for o in family.observed):
        choices.append(("query", other[0]))
    for over in choices:
        using = replace(family, over=over, correction="bonferroni")
        for estimates, table in _inferred(using, conditions):
            table.insert(3, "over", in_words(over))
            tables.append(table.assign(method=estimates.method))
    return _joined(tables)
