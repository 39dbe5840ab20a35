"""The order of systems under a model judge's grades, beside that under people's."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from fuzzytruth._typing import Bools, Floats
from fuzzytruth.annotators.model_judges.matched_votes import MODEL, PERSON, with_name
from fuzzytruth.comparison.compare import compare
from fuzzytruth.core.paired_orders import paired_tau_b
from fuzzytruth.core.samples import nan_mean
from fuzzytruth.data.conversion import as_runs
from fuzzytruth.data.judgments import Judgments
from fuzzytruth.data.repeats import groups_of
from fuzzytruth.errors import DataError, OptionError, ScaleWarning
from fuzzytruth.evaluation.evaluate import evaluate
from fuzzytruth.evaluation.scores import Scores
from fuzzytruth.io.arrow import take
from fuzzytruth.stats.bootstrap_means import query_bootstrap
from fuzzytruth.stats.settings import Resampling

if TYPE_CHECKING:
    import pandas as pd


def system_orders(
    human: Any,
    model: Any,
    runs: Any,
    measures: Any,
    *,
    missing: Any,
    level: float,
    using: Resampling,
) -> pd.DataFrame:
    """One row a judge and measure: how the judge orders the systems; see `JudgeAgreement`.

    Raises
    ------
    OptionError
        The votes are no judgments.
    DataError
        There is one system, or a judge lacks a query that people judged.
    """
    import pandas as pd

    people, models = with_name(human, PERSON, "human"), with_name(model, MODEL, "model")
    if not (isinstance(people, Judgments) and isinstance(models, Judgments)):
        raise OptionError("runs: are scored by judgments of items for queries; these are no such")
    people, models = _shared_rows(people, models)
    systems = as_runs(runs)
    if len(systems) < 2:
        raise DataError(f"runs: {systems!r} holds one system; an order takes two or more")
    options: dict[str, Any] = {"worlds": "subject", "missing": missing}
    with warnings.catch_warnings():  # scales are compared beforehand, of both together
        warnings.simplefilter("ignore", ScaleWarning)
        ours = evaluate(people, systems, measures, **options)
        theirs = evaluate(models, systems, measures, **options)
    decided = compare(ours, n_resamples=using.n_resamples, rng=using.rng, level=level).to_frame(
        full=True
    )
    rows = []
    for m, name in enumerate(ours.measures):
        by_people = ours.cells.mean_by_query(ours.values[:, m])  # (systems, queries)
        by_judge = _by_judge(theirs, m, ours.queries)  # (judges, systems, queries)
        table = decided[(decided["measure"] == name) & decided["significant"]]
        rows += _rows(name, by_people, by_judge, theirs, table, level, using)
    return pd.DataFrame(rows)


def _shared_rows(people: Judgments, models: Judgments) -> tuple[Judgments, Judgments]:
    """Judgments of the same items: those of models that people judged, and the other way round."""
    import pyarrow as pa

    names = ("query", "item", "intent")
    ours, theirs = people.present(names), models.present(names)
    key = groups_of([pa.concat_arrays([ours[name], theirs[name]]) for name in ours])
    one, two = key[: len(people)], key[len(people) :]
    kept = (np.isin(one, two), np.isin(two, one))
    return _some(people, kept[0]), _some(models, kept[1])


def _some(votes: Judgments, kept: Bools) -> Judgments:
    """Some rows."""
    rows = np.flatnonzero(kept)
    ids: Iterable[str] = ("query", "item", "subject", "intent")
    taken = {name: take(getattr(votes, name), rows) for name in votes.present(tuple(ids))}
    return replace(votes, **taken, grade=votes.grade[rows], position=None)


def _by_judge(scores: Scores, measure: int, queries: tuple[str, ...]) -> Floats:
    """Values of systems by each judge, queries in this order: (judges, systems, queries)."""
    subjects = scores.subjects or ()
    place = {query: number for number, query in enumerate(scores.queries)}
    dense = scores.cells.dense(scores.values[:, measure])  # (systems, queries, judges)
    chosen = dense[:, [place[query] for query in queries]]
    lacking = np.isnan(chosen).all(axis=0)
    if lacking.any():
        who = subjects[int(np.argwhere(lacking)[0, 1])]
        raise DataError(
            f"model: {who!r} did not judge every query that people judged; orders of systems are "
            "compared on the same queries"
        )
    return np.moveaxis(chosen, 2, 0)


def _rows(
    measure: str,
    by_people: Floats,
    by_judge: Floats,
    scores: Scores,
    decided: pd.DataFrame,
    level: float,
    using: Resampling,
) -> list[dict[str, Any]]:
    """One row a judge, of one measure."""
    place = {name: number for number, name in enumerate(scores.systems)}
    first = np.array([place[name] for name in decided["system_a"]], dtype=np.intp)
    second = np.array([place[name] for name in decided["system_b"]], dtype=np.intp)
    sign = np.sign(decided["difference"].to_numpy())
    k, queries = by_people.shape
    means = nan_mean(by_people, axis=1)
    drawn = query_bootstrap(np.concatenate((by_people[None], by_judge)).reshape(-1, queries), using)
    drawn = drawn.reshape(len(drawn), -1, k)
    tail = (1 - level) / 2
    out = []
    for judge, name in enumerate(scores.subjects or ()):
        own = nan_mean(by_judge[judge], axis=1)
        tau = float(paired_tau_b(means[None], own[None])[0])
        draws = paired_tau_b(drawn[:, 0], drawn[:, judge + 1])
        known = draws[~np.isnan(draws)]
        lower, upper = np.quantile(known, [tail, 1 - tail]) if len(known) else (np.nan, np.nan)
        reversed_ = int((np.sign(own[first] - own[second]) * sign < 0).sum())
        out.append(
            {
                "judge": name,
                "measure": measure,
                "tau_b": tau,
                "lower": float(lower),
                "upper": float(upper),
                "n_significant": len(decided),
                "n_reversed": reversed_,
                "share_reversed": reversed_ / len(decided) if len(decided) else np.nan,
            }
        )
    return out
