"""`prediction_powered`: intervals from a few human judgments and many of a model."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from fuzzytruth._typing import Floats, Ints
from fuzzytruth.annotators.powered_clusters import powered_clusters
from fuzzytruth.annotators.powered_result import PredictionPowered
from fuzzytruth.annotators.powered_rows import PoweredConditions, PoweredMean
from fuzzytruth.annotators.powered_scores import By, PoweredScores, powered_scores
from fuzzytruth.core.validation import between_zero_and_one, option_number, place_of
from fuzzytruth.errors import DegenerateWarning, OptionError, choice, counted, require, shown, warn
from fuzzytruth.evaluation.query_groups import Grouping
from fuzzytruth.stats.contrasts import Contrasts, against, all_pairs, each_system
from fuzzytruth.stats.powered_means import PoweredMeans, equivalent_units, powered_means
from fuzzytruth.truth import Missing


def prediction_powered(
    human: Any,
    model: Any,
    runs: Any = None,
    measures: Any = None,
    *,
    baseline: Iterable[str] | str | None = None,
    differences: bool = True,
    by: By = None,
    clusters: Grouping = None,
    correction: str = "bonferroni",
    finite: bool = False,
    level: float = 0.95,
    power_tuning: bool | float = True,
    unit: str = "query",
    rel: float | None = None,
    missing: Missing = "error",
) -> PredictionPowered:
    """Means and differences when people judged some queries, and a model judged all of them."""
    asked = _checked(by, correction, finite, unit, differences)
    tuning = _tuning(power_tuning)
    scores = powered_scores(human, model, runs, measures, by=by, rel=rel, missing=missing)
    cluster = powered_clusters(scores, clusters)
    if finite and cluster is not None:
        raise OptionError("clusters: with finite=True nothing is sampled but queries; give one")
    systems = scores.people.systems
    pairs = _pairs(systems, baseline) if differences else None
    judged = scores.judged
    conditions = PoweredConditions(
        systems=systems,
        measures=scores.measures,
        higher_is_better=scores.higher_is_better,
        n_human=int(judged.sum()),
        n_queries=len(judged),
        n_people=len(scores.people.subjects or ()),
        n_models=len(scores.models.subjects or ()),
        judges=scores.judges,
        level=between_zero_and_one("level", level),
        correction=asked,
        tests=0 if pairs is None else len(pairs),
        tuning=tuning,
        finite=finite,
        n_clusters=0 if cluster is None else len(np.unique(cluster[judged])),
    )
    return PredictionPowered(conditions, tuple(_rows(scores, conditions, pairs, cluster)))


def _checked(by: object, correction: object, finite: object, unit: object, pairs: object) -> str:
    """The correction; raise `OptionError` where an option has a value that it does not take."""
    choice("by", by, (None, "judge"))
    choice("correction", correction, ("bonferroni", "none"))
    for name, value in (("finite", finite), ("differences", pairs)):
        require(name, value, isinstance(value, bool), "must be True or False")
    require(
        "unit",
        unit,
        isinstance(unit, str) and unit == "query",
        "must be 'query': items of a query vary together, and most measures are not their mean; "
        "have people judge some queries whole",
    )
    return str(correction)


def _tuning(given: Any) -> float | None:
    """The weight of the model; None: tuned."""
    if isinstance(given, bool):
        return None if given else 1.0
    return option_number("power_tuning", given)


def _pairs(systems: tuple[str, ...], baseline: Any) -> Contrasts | None:
    """Differences: all pairs, or every other system minus each baseline; None of one system."""
    if baseline is None:
        return all_pairs(len(systems)) if len(systems) > 1 else None
    if not isinstance(baseline, (str, Iterable)):
        raise OptionError(f"baseline={shown(baseline)}: must be the name of a system, or several")
    named = [baseline] if isinstance(baseline, str) else list(baseline)
    places = list(dict.fromkeys(place_of(systems, name, "baseline") for name in named))
    if not 0 < len(places) < len(systems):
        raise OptionError("baseline: name some of the systems, not all; or leave it out")
    return against(places, len(systems))


def _rows(
    scores: PoweredScores,
    asked: PoweredConditions,
    pairs: Contrasts | None,
    cluster: Ints | None,
) -> Iterator[PoweredMean]:
    """Of each measure the means, then the differences; judge after judge."""
    flat = unknown = 0
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
                unknown += int(np.isnan(means.powered.std_error).sum())
        for some in of_measure:
            yield from some
    _warn_of_degenerate(flat, unknown)


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


def _warn_of_degenerate(flat: int, unknown: int) -> None:
    if flat:
        one = "mean or difference has"
        warn(
            f"{counted(flat, one, 'means and differences have')} people's interval: by the model's "
            "judgments, the human-judged queries are all alike",
            DegenerateWarning,
        )
    if unknown:
        one = "mean or difference has"
        warn(
            f"{counted(unknown, one, 'means and differences have')} an unknown spread: too few "
            "queries have a value by people's judgments",
            DegenerateWarning,
        )
