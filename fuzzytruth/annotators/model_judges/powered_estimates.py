"""Rows of a `PredictionPowered`, from the scores by people and models."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.annotators.model_judges.powered_rows import PoweredConditions, PoweredMean
from fuzzytruth.annotators.model_judges.powered_scores import PoweredScores
from fuzzytruth.errors import DegenerateWarning, counted, warn
from fuzzytruth.stats.contrasts import Contrasts, each_system
from fuzzytruth.stats.powered_means import PoweredMeans, powered_means
from fuzzytruth.stats.student_means import equivalent_units


def powered_rows(
    scores: PoweredScores,
    asked: PoweredConditions,
    pairs: Contrasts | None,
    cluster: Ints | None,
) -> Iterator[PoweredMean]:
    """Of each measure the means, then the differences; judge after judge."""
    flat = unknown = exact = 0
    n_judges, n_queries = scores.model.shape[2:]
    for measure in range(len(scores.measures)):
        of_measure: list[list[PoweredMean]] = [[] for _ in range(n_judges)]
        for contrasts in (each_system(len(asked.systems)), pairs):
            for part in () if contrasts is None else contrasts.batches(n_judges * n_queries):
                means = _estimated(scores, asked, measure, part, cluster)
                named = _named(scores, asked, measure, part, means)
                for judge, rows in enumerate(_split(named, len(part))):
                    of_measure[judge] += rows
                flat += int((means.alone & (means.n < means.n_all) & ~means.powered.known).sum())
                exact += int(means.exact.sum())
                unknown += int(np.isnan(means.powered.std_error).sum())
        for some in of_measure:
            yield from some
    _warn_of_degenerate(flat, unknown, exact)


def _split(rows: list[PoweredMean], size: int) -> Iterator[list[PoweredMean]]:
    for start in range(0, len(rows), size):
        yield rows[start : start + size]


def _estimated(
    scores: PoweredScores,
    asked: PoweredConditions,
    measure: int,
    contrasts: Contrasts,
    cluster: Ints | None,
) -> PoweredMeans:
    """Of each judge and contrast, judge after judge: (judges × contrasts,)."""
    human, model = scores.human[:, measure], scores.model[:, measure]
    sizes = [_largest(human), _largest(model)]  # (systems,)
    y = contrasts.of(human, scale=sizes[0])  # (contrasts, queries)
    f = contrasts.of(model, scale=sizes[1])  # (contrasts, judges, queries)
    # a query that people judged, but by which they have no value, is none of these queries
    f = np.where((scores.judged & np.isnan(y))[:, None], np.nan, f)
    n_judges = f.shape[1]
    scale = [np.tile(contrasts.largest(size), n_judges) for size in sizes]
    return powered_means(
        np.tile(y, (n_judges, 1)),
        f.swapaxes(0, 1).reshape(-1, f.shape[-1]),
        cluster=cluster,
        tuning=asked.tuning,
        finite=asked.finite,
        scale=(scale[0], scale[1]),
    )


def _largest(values: Floats) -> Floats:
    """Largest |value| of each system: (systems, ...) → (systems,)."""
    flat = np.abs(values).reshape(len(values), -1)
    return np.asarray(np.fmax.reduce(flat, axis=1, initial=0.0))


def _named(
    scores: PoweredScores,
    asked: PoweredConditions,
    measure: int,
    contrasts: Contrasts,
    means: PoweredMeans,
) -> list[PoweredMean]:
    """Rows of a measure."""
    tests = asked.tests if contrasts.are_pairs and asked.correction == "bonferroni" else 1
    columns = _columns(means, 1 - (1 - asked.level) / tests, asked.finite)
    p = means.powered.law.p_value(means.powered.value, "two-sided")
    # of a difference that is known without error, all queries being measured
    p = np.where(means.powered.known & (means.powered.value != 0), 0.0, p)
    p = p if contrasts.are_pairs else np.full(len(p), np.nan)
    columns |= {"p": p, "p_adjusted": np.minimum(tests * p, 1.0)}
    judges = scores.judges or (None,)
    first = contrasts.first.tolist()
    second = [None] * len(first) if contrasts.second is None else contrasts.second.tolist()
    names = [
        (judge, asked.systems[a], None if b is None else asked.systems[b])
        for judge in judges
        for a, b in zip(first, second, strict=True)
    ]
    listed = {name: values.tolist() for name, values in columns.items()}
    return [
        PoweredMean(
            measure=scores.measures[measure],
            judge=judge,
            system=system,
            minus=minus,
            **{name: values[row] for name, values in listed.items()},
        )
        for row, (judge, system, minus) in enumerate(names)
    ]


def _columns(means: PoweredMeans, level: float, finite: bool) -> dict[str, Any]:
    """Numbers of the rows: (rows,) each."""
    out: dict[str, Any] = {}
    for name, one in (
        ("", means.powered),
        ("human", means.measured),
        ("model", means.predicted),
        ("bias", means.bias),
    ):
        lower, upper = one.interval(level)
        prefix = f"{name}_" if name else ""
        out |= {name or "estimate": one.value, f"{prefix}lower": lower, f"{prefix}upper": upper}
    half = means.powered.law.half(level, "two-sided")
    alone = means.measured.law.half(level, "two-sided")
    known = np.isfinite(half) & np.isfinite(alone) & (alone > 0)
    ratio = np.full(len(half), np.nan)
    np.divide(half, alone, out=ratio, where=known)
    # clusters count as queries: as many as they have on average
    size = means.n / np.maximum(means.measured.units, 1)
    units = equivalent_units(
        np.where(known, half, np.nan),
        means.measured,
        level,
        n_all=means.n_all / np.maximum(size, 1),
        finite=finite,
    )
    extra = np.where(means.alone, 0.0, np.floor(units * size - means.n + 1e-6))
    return out | {
        "extra": np.where(known, extra, np.nan),
        "width_ratio": ratio,
        "rho": means.correlation,
        "weight": means.tuning,
        "std_error": means.powered.std_error,
        "df": means.powered.df,
        "n_human": means.n,
        "n_queries": means.n_all,
    }


def _warn_of_degenerate(flat: int, unknown: int, exact: int) -> None:
    if flat:
        one = "mean or difference has"
        warn(
            f"{counted(flat, one, 'means and differences have')} people's interval: by the model's "
            "judgments, the human-judged queries are all alike",
            DegenerateWarning,
        )
    if exact:
        one = "interval takes"
        warn(
            f"{counted(exact, one, 'intervals take')} the model for exact, since it has people's "
            "scores, or a line through them, in all human-judged queries; of scores of few values, "
            "such as Success@1, that is likely by chance, and the interval then is too narrow",
            DegenerateWarning,
        )
    if unknown:
        one = "mean or difference has"
        warn(
            f"{counted(unknown, one, 'means and differences have')} an unknown spread: too few "
            "queries have a value by people's judgments",
            DegenerateWarning,
        )
