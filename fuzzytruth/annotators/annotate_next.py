"""`annotate_next`: which items more votes would tell most about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.annotators.annotation_order import AnnotationOrder
from fuzzytruth.annotators.ratings import Ratings, ratings_of
from fuzzytruth.annotators.truth_effects import Grades, TruthEffects, truth_effects
from fuzzytruth.annotators.vote_posterior import Prior, VotePosterior, vote_posterior
from fuzzytruth.core.randomness import entropy_of
from fuzzytruth.core.segments import segment_sum
from fuzzytruth.core.validation import option_number, whole_number
from fuzzytruth.data.conversion import as_judgments, as_runs
from fuzzytruth.data.judgments import Judgments
from fuzzytruth.data.ranks import Ties
from fuzzytruth.data.runs import Runs
from fuzzytruth.errors import (
    DataError,
    DegenerateWarning,
    MeasureError,
    OptionError,
    choice,
    counted,
    first_few,
    require,
    shown,
    warn,
)
from fuzzytruth.evaluation.grade_warnings import report_grades
from fuzzytruth.evaluation.validation import binary_truth, check_truth
from fuzzytruth.io.arrow import take
from fuzzytruth.measures import Measure, parse_measure

if TYPE_CHECKING:
    import pandas as pd

_MOST_GRADES = 12


def annotate_next(
    votes: Judgments | Any,
    runs: Runs | Any,
    measure: str | Measure | Any,
    *,
    systems: Iterable[str] | None = None,
    k: int = 1,
    prior: float | Mapping[float, float] | None = None,
    unjudged: bool = True,
    limit: int | None = None,
    rel: float | Mapping[str, float] | None = None,
    ties: Ties = "trec",
    n_worlds: int = 1000,
    rng: Any = 0,
) -> AnnotationOrder:
    """doc."""
    choice("ties", ties, get_args(Ties))
    require("unjudged", unjudged, isinstance(unjudged, bool), "must be True or False")
    k = whole_number("k", k, 1)
    n_worlds = whole_number("n_worlds", n_worlds, 16)
    limit = None if limit is None else whole_number("limit", limit, 1)
    entropy = entropy_of(rng)
    wanted = _measure_of(measure)
    truth, ratings = _ratings(votes, wanted, rel)
    checked_prior = _checked_prior(prior, ratings)
    pair = _two_systems(as_runs(runs), systems)
    posterior = vote_posterior(
        ratings, pair, ties=ties, prior=checked_prior, unjudged=unjudged, depth=wanted.depth
    )
    next_vote, estimate = (
        Grades(posterior.aligned(chance, pair, ties), chance)
        for chance in (posterior.next_vote, posterior.estimate)
    )
    check_truth(estimate.aligned, (wanted,), worlds="independent", ties=ties, missing="error")
    report_grades(truth, (wanted,))
    effects = truth_effects(next_vote, estimate, wanted, n_worlds=n_worlds, entropy=entropy)
    return _ordered(posterior, effects, pair.systems, wanted, k, limit)


def _measure_of(given: Any) -> Measure:
    """One measure that scores lists against grades."""
    if isinstance(given, (list, tuple, set)):
        raise OptionError(f"measure={shown(given)}: name one measure, such as 'AP'")
    measure = parse_measure(given)
    if measure.compares_lists or measure.needs_intents:
        what = "whole lists of subjects" if measure.compares_lists else "judgments by intent"
        raise MeasureError(
            f"{measure}: is of {what}, and the grades of single items are what is to be annotated; "
            "use a measure such as AP or nDCG@10"
        )
    return measure


def _ratings(votes: Any, measure: Measure, rel: Any) -> tuple[Judgments, Ratings]:
    """Grades of items, and who gave them."""
    truth = as_judgments(votes)
    if rel is not None:
        truth = binary_truth(truth, (measure,), rel)
    ratings = ratings_of(truth)
    if "intent" in ratings.units:
        raise DataError(
            "votes: items are judged for several intents of a query; keep one intent, or merge "
            "them first"
        )
    if len(ratings.names) > _MOST_GRADES:
        raise DataError(
            f"votes: there are {len(ratings.names)} different grades ({first_few(ratings.names)}), "
            f"and the votes for each are counted; up to {_MOST_GRADES} will do: merge them, such as "
            "by rel=, the lowest grade that is relevant"
        )
    return truth, ratings


def _two_systems(runs: Runs, systems: Any) -> Runs:
    """The two runs that are compared, the first minus the second."""
    if systems is None:
        if len(runs) != 2:
            raise OptionError(
                f"systems: name the two that are compared, systems=(a, b); the runs have "
                f"{counted(len(runs), 'system')}: {first_few(runs.systems, show=shown)}"
            )
        return runs
    listed = None if isinstance(systems, str) or not isinstance(systems, Iterable) else [*systems]
    if listed is None or len(listed) != 2 or listed[0] == listed[1]:
        raise OptionError(f"systems={shown(systems)}: must be two different names")
    for name in listed:
        if not isinstance(name, str) or name not in runs.systems:
            raise OptionError(
                f"systems: {shown(name)} is not among the runs: "
                f"{first_few(runs.systems, 20, show=shown)}"
            )
    return Runs({name: runs[name] for name in listed})


def _checked_prior(prior: Any, ratings: Ratings) -> Prior:
    """How many votes the prior is worth, or how many of each grade."""
    assert ratings.grades is not None
    if prior is None:
        return None
    if not isinstance(prior, Mapping):
        votes = option_number("prior", prior)
        require("prior", prior, votes > 0, "must be above 0, a number of votes")
        return votes
    listed = {
        option_number("prior", grade): option_number("prior", number)
        for grade, number in prior.items()
    }
    require("prior", prior, all(n > 0 for n in listed.values()), "must be votes above 0")
    lacking = [f"{grade:g}" for grade in ratings.grades.tolist() if grade not in listed]
    require("prior", prior, not lacking, f"must have votes for each grade; not {first_few(lacking)}")
    require("prior", prior, len(listed) > 1, "must have two grades or more")
    return listed


def _ordered(
    posterior: VotePosterior,
    effects: TruthEffects,
    systems: tuple[str, ...],
    measure: Measure,
    k: int,
    limit: int | None,
) -> AnnotationOrder:
    """The items by how much is expected of `k` more votes on each."""
    offsets = posterior.pairs.offsets
    n_queries = len(posterior.pairs.queries)
    variance = posterior.open_share * effects.effect / n_queries**2  # (pairs,)
    total = float(variance.sum())
    share = variance / total if total > 0 else np.zeros_like(variance)
    table = _table(posterior, effects, share, k)
    table = table if limit is None else table.head(limit)
    left = 1.0 - float(table["cumulative"].iloc[-1])
    joint = np.maximum(effects.variance - segment_sum(effects.effect, offsets), 0.0)
    joint = joint * _largest_two(posterior.open_share, offsets) / n_queries**2
    return AnnotationOrder(
        table.assign(std_error=np.sqrt(total * np.maximum(1 - table["cumulative"], 0.0))),
        (systems[0], systems[1]),
        str(measure),
        k,
        float(effects.difference.mean()),
        float(np.sqrt(total)),
        float(np.sqrt(total * max(left, 0.0))),
        float(np.sqrt(effects.variance.sum())) / n_queries,
        _over_queries(effects.difference),
        float(joint.sum() / total) if total > 0 else 0.0,
        posterior.concentration,
        n_queries,
        len(share),
        int((posterior.n_votes == 0).sum()),
    )


def _over_queries(difference: Floats) -> float:
    """Standard error of the mean over queries as a sample; NaN for a single one."""
    n = len(difference)
    return float(difference.std(ddof=1) / np.sqrt(n)) if n > 1 else float("nan")


def _largest_two(values: Floats, offsets: Floats) -> Floats:
    """Product of the two largest values of each query, 0 where there is one: (queries,)."""
    query = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    ordered = values[np.lexsort((-values, query))]
    out = np.zeros(len(offsets) - 1)
    several = np.flatnonzero(np.diff(offsets) > 1)
    first = offsets[several]
    out[several] = ordered[first] * ordered[first + 1]
    return out


def _table(
    posterior: VotePosterior, effects: TruthEffects, share: Floats, k: int
) -> pd.DataFrame:
    """One row for each item, the one with most to be gained first."""
    import pandas as pd

    pairs = posterior.pairs
    narrowing = share * posterior.narrowing(k)
    relative = np.divide(
        effects.error, effects.effect, out=np.zeros_like(share), where=effects.effect > 0
    )
    table = pd.DataFrame(
        {
            "query": np.array(pairs.queries, dtype=object)[pairs.query_of],
            "item": pairs.item.to_pylist(),
            "n_votes": posterior.n_votes,
            "grade": posterior.estimate @ posterior.grades,
            "share": share,
            "narrowing": narrowing,
            "cumulative": 0.0,
            "rank_a": posterior.rank[0],
            "rank_b": posterior.rank[1],
            "mc_error": share * relative,
        }
    )
    if (posterior.n_votes % 1 == 0).all():
        table["n_votes"] = table["n_votes"].astype(int)
    order = np.lexsort((table["item"], table["query"], -narrowing))
    table = table.iloc[order].reset_index(drop=True)
    table["cumulative"] = np.minimum(table["narrowing"].cumsum(), 1.0)
    return table
