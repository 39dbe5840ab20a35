"""`Scores.summary` and `stats.interval`: estimates with intervals, as tables."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.core.pigeonhole import resampled_means
from fuzzytruth.core.resamples import counts, drawn_units
from fuzzytruth.core.student import ends, quantile
from fuzzytruth.core.validation import between_zero_and_one, place_of
from fuzzytruth.errors import DegenerateWarning, OptionError, choice, warn
from fuzzytruth.stats.axes import Over, check_over, in_words
from fuzzytruth.stats.bootstrap import Bootstrapped, bootstrap
from fuzzytruth.stats.bootstrap import Method as BootstrapMethod
from fuzzytruth.stats.estimates import Estimates, estimate
from fuzzytruth.stats.rows import Rows, against, all_pairs, by_holes, cells, per_query, per_subject
from fuzzytruth.stats.rows import systems as each_system
from fuzzytruth.stats.settings import Purpose, Resampling
from fuzzytruth.stats.statistics import Statistic, named_statistic

if TYPE_CHECKING:
    import pandas as pd

    from fuzzytruth.evaluation.scores import Scores

Method = Literal["auto", "t", "percentile", "basic", "bca", "studentized", "pigeonhole"]


def summarise(
    scores: Scores,
    *,
    over: Iterable[str] | str,
    level: float,
    method: Method,
    statistic: str | Statistic,
    resampling: Resampling,
) -> pd.DataFrame:
    """See `Scores.summary`."""
    return _table(
        scores,
        each_system(scores),
        over=over,
        level=level,
        method=method,
        statistic=statistic,
        resampling=resampling,
    )


def _table(
    scores: Scores,
    rows: Rows,
    *,
    over: Iterable[str] | str,
    level: float,
    method: Method,
    statistic: str | Statistic,
    resampling: Resampling,
) -> pd.DataFrame:
    """One row for each of the rows and measures, those of a system or pair side by side."""
    import pandas as pd

    axes = check_over(over, scores)
    level = between_zero_and_one("level", level)
    choice("method", method, get_args(Method))
    names = np.array(scores.systems, dtype=object)
    labels = {"system": names[rows.first]}
    if rows.second is not None:
        labels = {"system_a": names[rows.first], "system_b": names[rows.second]}
    tables = []
    for m, measure in enumerate(scores.measures):
        found = intervals(
            scores, m, rows, axes, level=level, method=method, statistic=statistic, using=resampling
        )
        tables.append(pd.DataFrame({**labels, "measure": measure, **found}))
    out = pd.concat(tables, ignore_index=True)
    order = np.arange(len(out)).reshape(len(scores.measures), -1).T.ravel()
    out = out.iloc[order].reset_index(drop=True).astype(dict.fromkeys(labels, str))
    warn_unknown(int(out["std_error"].isna().sum()), axes)
    return out


def difference_intervals(
    scores: Scores,
    *,
    baseline: str | None = None,
    over: Iterable[str] | str = ("query",),
    level: float = 0.95,
    method: Method = "auto",
    statistic: str | Statistic = "mean",
    n_resamples: int = 9999,
    rng: Any = 0,
    n_jobs: int = 1,
) -> pd.DataFrame:
    """Intervals of differences by any method, not adjusted for their number.

    Estimand: the statistic of the per-query (or per-subject) differences of two systems, in the
    population that `over` names; the difference of the means if it is the mean. `compare` gives
    tests and simultaneous intervals.

    Parameters
    ----------
    scores : Scores
    baseline : str, optional
        By default all pairs.
    over, level, method, statistic, n_resamples, rng, n_jobs
        As in `Scores.summary`.

    Returns
    -------
    DataFrame
        One row a pair and measure: system_a, system_b, measure, the statistic's name, lower,
        upper, std_error, df, n_queries, n_subjects, method.

    Raises
    ------
    OptionError
        As in `Scores.summary`; there is no such baseline.

    References
    ----------
    Efron 1987 (BCa); Davison & Hinkley 1997.

    Examples
    --------
    >>> import pandas as pd, fuzzytruth as ft
    >>> scores = ft.Scores.from_frame(pd.DataFrame({
    ...     "system": list("aaabbb"), "query": [1, 2, 3] * 2,
    ...     "value": [0.5, 0.7, 0.9, 0.3, 0.6, 0.6]}))
    >>> found = ft.stats.difference_intervals(scores, statistic="median", method="bca")
    >>> found[["system_a", "system_b", "median"]].values.tolist()
    [['a', 'b', 0.2]]
    """
    base = None if baseline is None else place_of(scores.systems, baseline, "baseline")
    k = len(scores.systems)
    rows = all_pairs(k) if base is None else against(base, k)
    return _table(
        scores,
        rows,
        over=over,
        level=level,
        method=method,
        statistic=statistic,
        resampling=Resampling(n_resamples, rng, n_jobs),
    )


def intervals(
    scores: Scores,
    measure: int,
    rows: Rows,
    over: Over,
    *,
    level: float,
    method: Method = "auto",
    statistic: str | Statistic = "mean",
    using: Resampling,
) -> dict[str, Any]:
    """Columns of a table: one row for each of the rows."""
    name, function = named_statistic(statistic)
    found = estimate(scores, measure, rows, over)
    value, std_error, df, what = found.value, found.std_error, found.df, found.method
    if method == "pigeonhole":
        lower, upper, std_error, df = _pigeonhole(scores, measure, rows, over, level, using, found)
        what = "pigeonhole bootstrap, t"
    elif method in get_args(BootstrapMethod) or name != "mean":
        way: Any = "percentile" if method in ("auto", "t") else method
        if method == "t":
            raise OptionError(f"method='t': is for the mean, not for statistic={name!r}")
        boot = _bootstrapped(scores, measure, rows, over, level, way, function, using)
        value, std_error, lower, upper = boot
        df, what = np.full(len(value), np.nan), f"{way} bootstrap over {in_words(over)}"
    else:
        lower, upper = found.interval(level)
    return {
        name: value,
        "lower": lower,
        "upper": upper,
        "std_error": std_error,
        "df": df,
        "n_queries": found.n_queries,
        "n_subjects": found.n_subjects,
        "method": what,
    }


def _bootstrapped(
    scores: Scores,
    measure: int,
    rows: Rows,
    over: Over,
    level: float,
    method: BootstrapMethod,
    statistic: Statistic,
    using: Resampling,
) -> tuple[Floats, Floats, Floats, Floats]:
    """Value, standard error and ends; rows with values of the same units go together."""
    if over == ("query",):
        values, purpose = per_query(scores, measure, rows), Purpose.QUERIES
    elif over == ("subject",) and scores.design == "crossed":
        values, purpose = per_subject(scores, measure, rows), Purpose.SUBJECTS
    else:
        raise OptionError(
            f"method={method!r} over {in_words(over)}: a bootstrap takes queries or crossed "
            "subjects, one at a time; use method='auto'"
            + (" or 'pigeonhole'" if over == ("query", "subject") else "")
        )
    out = np.full((4, len(values)), np.nan)
    for units, mine in by_holes(~np.isnan(values)):
        size = max(1, using.numbers // using.n_resamples)
        for start in range(0, len(mine), size):
            lot = mine[start : start + size]
            boot: Bootstrapped = bootstrap(
                values[lot][:, units],
                statistic,
                method=method,
                level=level,
                resampling=using,
                purpose=purpose,
            )
            out[:, lot] = boot.value, boot.std_error, boot.lower, boot.upper
    return out[0], out[1], out[2], out[3]


def _pigeonhole(
    scores: Scores,
    measure: int,
    rows: Rows,
    over: Over,
    level: float,
    using: Resampling,
    found: Estimates,
) -> tuple[Floats, Floats, Floats, Floats]:
    """Ends, standard error × √(S / (S - 1)) and min(Q, S) - 1 degrees of freedom."""
    if over != ("query", "subject") or scores.design == "nested":
        raise OptionError("method='pigeonhole': is for over=('query', 'subject'), crossed")
    units = found.n_queries, found.n_subjects
    smaller = np.minimum(*units)
    spread = []
    for lot in rows.parts(scores.values[0, 0].size):
        table = cells(scores, measure, lot)
        spread.append(_pigeonhole_spread(table, using))
    std_error = np.concatenate(spread) * np.sqrt(smaller / np.maximum(smaller - 1, 1))
    std_error = np.where(smaller < 2, np.nan, np.where(found.std_error == 0, 0.0, std_error))
    df = np.maximum(smaller - 1.0, 0.0)
    return *ends(found.value, std_error, quantile(level, df)), std_error, df


def _pigeonhole_spread(table: Floats, using: Resampling) -> Floats:
    """Standard deviation over resamples: (rows, queries, subjects) → (rows,)."""
    _, queries, subjects = table.shape

    def task(seed: np.random.SeedSequence, size: int) -> Floats:
        first, second = seed.spawn(2)
        lot = max(1, using.numbers // (size * queries))
        query_counts = counts(drawn_units(first, size, queries))
        subject_counts = counts(drawn_units(second, size, subjects))
        return np.concatenate(
            [
                resampled_means(table[start : start + lot], query_counts, subject_counts)
                for start in range(0, len(table), lot)
            ]
        )

    drawn = np.concatenate(using.run(Purpose.SUBJECTS, task), axis=1)
    return np.asarray(np.nanstd(drawn, axis=1))


def warn_unknown(count: int, over: Over) -> None:
    """Say how many standard errors cannot be known."""
    if count:
        warn(
            f"{count:,} standard errors over {in_words(over)} cannot be known, for they rest on a "
            "single unit or on none, or on units that nothing connects: intervals are (-inf, inf), "
            "and NaN where there is no value",
            DegenerateWarning,
        )
