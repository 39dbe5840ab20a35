"""`analyse`: data check, scores, comparisons and stability of ranks as one result."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

from fuzzytruth.analysis.analysis_result import Analysis
from fuzzytruth.analysis.data_check import Sources, check_data, check_sources, is_judged
from fuzzytruth.comparison.by_subject import SubjectComparisons
from fuzzytruth.comparison.compare import compare
from fuzzytruth.comparison.inference import on_shared_values
from fuzzytruth.comparison.rank_stability import rank_stability
from fuzzytruth.comparison.result import Comparison
from fuzzytruth.core.lazy import Lazy
from fuzzytruth.core.validation import between_zero_and_one
from fuzzytruth.data.reading import as_runs
from fuzzytruth.errors import FuzzytruthWarning, OptionError, shown
from fuzzytruth.evaluation.evaluate import evaluate
from fuzzytruth.evaluation.scores.score_rows import score_rows
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.evaluation.scores.summary import Grouping
from fuzzytruth.evaluation.validation import as_truth
from fuzzytruth.measures import Measure, parse_measures

JUDGED = "Judged@10"
MOST_SUBJECTS = 50  # by each of whom systems are compared


def analyse(
    truth: Any,
    runs: Any = None,
    measures: Iterable[str | Measure | Any] | str | Measure | Any = None,
    *,
    baseline: Iterable[str] | str | None = None,
    worlds: str | None = None,
    clusters: Grouping = None,
    level: float = 0.95,
    n_resamples: int = 9999,
    rng: Any = 0,
    n_jobs: int = 1,
    **options: Any,
) -> Analysis:
    """Everything that a careful reader asks of an evaluation, as one result.

    It checks the data, scores the systems, compares them over queries and, where there are several
    subjects, over queries and subjects and by each subject alone, and says how stable their ranks
    are.

    Parameters
    ----------
    truth : Judgments, ByExample, ByItem, Scores, ...
        As `evaluate` takes it; or scores, with neither `runs` nor options of `evaluate`.
    runs : Runs, ...
        As `evaluate` takes them.
    measures : str, Measure or sequence of those
        As `evaluate` takes them; of scores, all by default. ``Judged@k`` among them goes to the
        data check and is not compared, unless nothing else is asked for.
    baseline : str or sequence of str, optional
        As in `compare`.
    worlds : {"crisp", "subject", "independent", "population"}, optional
        By default each subject's truth in turn where there are several subjects, which lets them be
        random; else as in `evaluate`.
    clusters : mapping of query to cluster, or str, optional
        As in `compare`.
    level : float
        Of all intervals and rank sets.
    n_resamples, rng, n_jobs
        See `stats.Resampling`; `rng` is also of the worlds.
    **options
        Other options of `evaluate`: `ties`, `undefined`, `missing`, `rel`, `n_worlds`, ...

    Returns
    -------
    Analysis
        `data`, `scores`, `comparison` (over queries), `both` (over queries and subjects),
        `by_subject` and `stability`; the last four are None where there is nothing to compare.
        Where systems lack values that others have, means and ranks are over those that all have.
        Warnings of the evaluation are notes of `data`, and are not raised.

    Raises
    ------
    OptionError, DataError, MeasureError
        As `evaluate` and `compare`.

    References
    ----------
    See `compare` and `rank_stability`.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> truth = {f"q{j}": {"a": 1, "b": j % 2} for j in range(4)}
    >>> runs = {"x": {q: ["a", "b"] for q in truth}, "y": {q: ["b", "a"] for q in truth}}
    >>> result = ft.analyse(truth, runs, ["P@1", "RR"])
    >>> result.to_frame()[["measure", "system", "mean", "beats"]].values.tolist()
    [['P@1', 'x', 1.0, ''], ['P@1', 'y', 0.5, ''], ['RR', 'x', 1.0, ''], ['RR', 'y', 0.75, '']]
    """
    noted: list[str] = []
    sources: Lazy[Sources | None] = Lazy.of(None)
    if isinstance(truth, Scores):
        scores = _given_scores(truth, runs, measures, options)
    else:
        settings = {"worlds": worlds, "rng": rng, "n_jobs": n_jobs, **options}
        scores, noted, sources = _evaluated(truth, runs, measures, settings)
    return analysis_of(
        scores,
        noted,
        baseline=baseline,
        clusters=clusters,
        level=level,
        n_resamples=n_resamples,
        rng=rng,
        n_jobs=n_jobs,
        sources=sources,
    )


def analysis_of(
    scores: Scores,
    noted: Iterable[str],
    *,
    sources: Lazy[Sources | None],
    baseline: Iterable[str] | str | None = None,
    clusters: Grouping = None,
    **using: Any,
) -> Analysis:
    """The analysis of scores: warnings of their evaluation are `noted`."""
    level = between_zero_and_one("level", using["level"])
    compared = [name for name in scores.measures if not is_judged(name)]
    data = check_data(scores, noted)
    if 0 < len(compared) < len(scores.measures):
        scores = scores.select(measures=compared)
    rows = score_rows(on_shared_values(scores), level=level, clusters=clusters)
    if len(scores.systems) < 2:
        return Analysis(data, scores, rows, None, None, None, None, level, sources)
    with warnings.catch_warnings():  # unknown intervals and missing values show in the result
        warnings.simplefilter("ignore", FuzzytruthWarning)
        comparison = compare(scores, baseline, clusters=clusters, **using)
        both = _over_both(scores, baseline, clusters, using)
        have_ranks = all(one.queries for one in comparison.conditions.shared)
        stability = rank_stability(scores, clusters=clusters, **using) if have_ranks else None
        each = _by_subject(comparison)
    return Analysis(data, scores, rows, comparison, both, each, stability, level, sources)


def _given_scores(scores: Scores, runs: Any, measures: Any, options: dict[str, Any]) -> Scores:
    """Scores as they are given, of some measures."""
    if runs is not None or options:
        named = ", ".join((["runs"] if runs is not None else []) + sorted(options))
        raise OptionError(f"{named}: is for judgments and runs, and these are scores already")
    return scores if measures is None else scores.select(measures=measures)


def _evaluated(
    truth: Any, runs: Any, measures: Any, settings: dict[str, Any]
) -> tuple[Scores, list[str], Lazy[Sources | None]]:
    """Scores of a truth and runs, with the share of judged items; warnings; check of the data."""
    if runs is None or measures is None:
        raise OptionError(
            f"runs={shown(runs)}, measures={shown(measures)}: give both, or scores as the first"
        )
    wanted = parse_measures(measures)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        truth, runs = as_truth(truth), as_runs(runs)
        if settings["worlds"] is None and len(getattr(truth, "subjects", None) or ()) > 1:
            settings["worlds"] = "subject"
        scores = evaluate(truth, runs, with_judged(wanted), **settings)
    ours = [one for one in caught if issubclass(one.category, FuzzytruthWarning)]
    for other in caught:
        if other not in ours:
            warnings.warn_explicit(other.message, other.category, other.filename, other.lineno)
    noted = list(dict.fromkeys(str(one.message) for one in ours))
    return scores, noted, Lazy(lambda: check_sources(truth, runs))


def with_judged(measures: tuple[Measure, ...]) -> tuple[Measure, ...]:
    """Measures, and the share of judged items for the data check where items are judged."""
    if any(m.compares_lists for m in measures) or all(is_judged(str(m)) for m in measures):
        return measures
    return (*measures, *(m for m in parse_measures(JUDGED) if m not in measures))


def _by_subject(comparison: Comparison) -> SubjectComparisons | None:
    """The comparison by each subject alone, where there are several, and not a crowd."""
    conditions = comparison.conditions
    several = 1 < (conditions.n_subjects or 0) <= MOST_SUBJECTS
    return comparison.by_subject() if several and not conditions.nested else None


def _over_both(
    scores: Scores, baseline: Iterable[str] | str | None, clusters: Grouping, using: dict[str, Any]
) -> Comparison | None:
    """The comparison over queries and people, where there are several and the data allow it."""
    over = scores._over_people
    if over is None or clusters is not None:
        return None
    if "world" in over and scores._why_not_crossed is not None:
        return None
    return compare(scores, baseline, over=over, **using)
