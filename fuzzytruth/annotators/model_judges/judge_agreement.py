"""`judge_agreement`: which model judge agrees best with people."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from fuzzytruth._lazy import pa, pd
from fuzzytruth._typing import Bools, Floats
from fuzzytruth.annotators.model_judges.judge_result import (
    BIAS,
    KAPPA,
    WEIGHTED,
    By,
    JudgeAgreement,
    JudgeValues,
    judge_values,
    mean_intervals,
)
from fuzzytruth.annotators.model_judges.matched_votes import (
    MODEL,
    PERSON,
    MatchedVotes,
    binary_both,
    match_votes,
    with_name,
)
from fuzzytruth.comparison.compare import compare
from fuzzytruth.comparison.result import Comparison
from fuzzytruth.core.arithmetic import ROUNDING, divide
from fuzzytruth.core.clusters import nan_mean
from fuzzytruth.core.validation import between_zero_and_one
from fuzzytruth.data.grading import groups_of
from fuzzytruth.data.judgments import Judgments
from fuzzytruth.data.reading import as_runs
from fuzzytruth.errors import (
    DataError,
    DegenerateWarning,
    LeftOutWarning,
    OptionError,
    ScaleWarning,
    choice,
    counted,
    first_few,
    warn,
)
from fuzzytruth.evaluation.evaluate import evaluate
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.io.ids import take
from fuzzytruth.stats.bootstrap import query_bootstrap
from fuzzytruth.stats.settings import Resampling

if TYPE_CHECKING:
    from fuzzytruth.truth import Missing


# Kendall's τ_b of two orders that vary together, draw by draw.
#
# References
# ----------
# Kendall, M. G. (1945), The treatment of ties in ranking problems, Biometrika 33.


_BLOCK = 2**22  # signs of a block of draws


def paired_tau_b(first: Floats, second: Floats) -> Floats:
    """τ_b of two orders in each draw: (draws, systems) each → (draws,); NaN where all is tied.

    Values that differ by rounding errors tie.

    Examples
    --------
    >>> paired_tau_b(np.array([[1.0, 2, 3]]), np.array([[1.0, 3, 2]])).round(3).tolist()
    [0.333]
    """
    draws, k = first.shape
    one, two = np.triu_indices(k, 1)
    size = max(1, _BLOCK // max(len(one), 1))
    out = np.full(draws, np.nan)
    scales = [float(np.abs(values).max(initial=0.0)) for values in (first, second)]
    for start in range(0, draws, size):
        part = slice(start, start + size)
        x, y = (
            _signs(values[part][:, one] - values[part][:, two], scale)
            for values, scale in zip((first, second), scales, strict=True)
        )
        agree = np.einsum("dp,dp->d", x, y)
        untied = np.einsum("dp,dp->d", x, x) * np.einsum("dp,dp->d", y, y)
        out[part] = divide(agree, np.sqrt(untied), fill=np.nan)
    return out


def _signs(gaps: Floats, scale: float) -> NDArray[np.float64]:
    return np.where(np.abs(gaps) <= ROUNDING * scale, 0.0, np.sign(gaps))


# The order of systems under a model judge's grades, beside that under people's.


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


def judge_agreement(
    human: Any,
    model: Any,
    runs: Any = None,
    measures: Any = "nDCG@10",
    *,
    by: By = "kappa",
    level: float = 0.95,
    clusters: Literal["query"] | None = "query",
    missing: Missing = "error",
    rel: float | Mapping[str, float] | None = None,
    n_resamples: int = 9999,
    rng: Any = 0,
) -> JudgeAgreement:
    """Agreement of model judges with people, unit by unit and on the order of systems.

    Where several people judged a unit, a judge is held against one of them drawn at random: its
    agreement is the mean over the people, and each unit counts once.

    Parameters
    ----------
    human : Judgments, Assignments, or what `as_judgments` takes
        Votes of one or several people. Judgments without subjects are those of one person.
    model : the same
        Votes of one or several judges. Judgments without subjects are those of one judge, "model".
        Units that people did not judge play no part.
    runs : Runs, or what `as_runs` takes, optional
        Systems that are scored by the judgments of both, on the items that both judged. To rank
        systems that other judges' grades make, take ``Runs.from_judgments(votes)``.
    measures : measure or sequence of measures
        For `runs`.
    by : {"agreement", "kappa", "weighted_kappa"}
        What judges are compared by. The share of equal votes rewards a judge that always gives the
        most frequent value; κ corrects for that; weighted κ, of grades only, also counts how far
        off a grade is.
    level : float
        Of intervals, and of the statement about the best judges.
    clusters : {"query", None}
        What varies together. By default the units of a query; None takes all units as independent,
        as they are taken where there are no queries or only one.
    missing : {"error", "nonrelevant", "exclude", "pooled"}
        For `runs`: judgments that a judge or a person left out; see `evaluate`.
    rel : number or mapping of subject to number, optional
        The lowest grade that is relevant, one for all or each person's and judge's own where
        scales differ: grades become 1 from there on, else 0.
    n_resamples, rng
        See `stats.Resampling`.

    Returns
    -------
    JudgeAgreement
        Judges are **among the best** unless another one is significantly better, by all pairs of
        differences over the units that all of them judged (moderated bootstrap max-t over queries,
        see `compare`). Three
        columns of `judges` say whether a judge adds something, each with confidence `level` for
        all judges together (Bonferroni): above_chance, κ is above 0; above_constant, agreement is
        above that of always giving the people's most frequent value; below_people, agreement by
        `by` is below that of one person with another, both on units that several people judged.

    Raises
    ------
    DataError
        People and judges judged nothing in common, somebody judged a unit repeatedly, or `by` does
        not go with the votes.
    OptionError
        An option has a value that it does not take.

    Warns
    -----
    ScaleWarning
        Grades of some people or models keep to a shorter scale than those of the others, or never
        reach `rel`.
    LeftOutWarning
        People judged units that no judge did; or judges judged different units, and are compared on
        those that all of them judged (not at all if these are of a single query).
    DegenerateWarning
        A judge's κ is not defined, both sides giving one and the same value throughout, or would
        not be without one of the queries, so that it has no interval; it is not compared.

    References
    ----------
    Cohen 1960 and 1968 (κ, weighted κ); Efron & Stein 1981 (jackknife); Mogstad, Romano, Shaikh &
    Wilhelm 2024 (rank sets); Faggioli et al. 2023, Perspectives on LLMs for relevance judgment.

    Examples
    --------
    >>> import fuzzytruth as ft
    >>> votes = ft.datasets.load_llmjudge_dl23()
    >>> result = ft.judge_agreement(
    ...     votes.select(subjects="human"), votes.select(subjects=["Olz-gpt4o", "TREMA-CoT"]))
    >>> result.to_frame()[["judge", "kappa", "lower", "upper", "bias"]].round(3).values.tolist()
    [['Olz-gpt4o', 0.262, 0.148, 0.377, -0.121], ['TREMA-CoT', 0.196, 0.129, 0.263, 0.143]]
    """
    choice("by", by, get_args(By))
    choice("clusters", clusters, ("query", None))
    level = between_zero_and_one("level", level)
    using = Resampling(n_resamples, rng)
    human, model = binary_both(human, model, rel)
    votes = match_votes(human, model, "judge_agreement", distances=by == WEIGHTED)
    if by == WEIGHTED and votes.grades is None:
        raise DataError("by='weighted_kappa': these votes are categories; take 'kappa'")
    by_query = clusters == "query" and votes.cluster is not None and votes.n_clusters > 1
    values = judge_values(votes, by_query=by_query)
    judges = _table(votes, values, level)
    scores = values.scores(votes.judges, tuple(n for n in values.statistics if n != BIAS))
    compared, n_compared = _compared_scores(votes, scores, by_query=by_query)
    comparison = None if compared is None else _comparison(compared, values, by, level, using)
    _add_ranks(judges, comparison, by)
    _add_checks(judges, values, by, level)
    people = None
    if values.of_people is not None:
        people = dict(zip(values.statistics, values.of_people.tolist(), strict=True))
        people.pop(BIAS, None)
    orders = None
    if runs is not None:
        orders = system_orders(
            human, model, runs, measures, missing=missing, level=level, using=using
        )
    return JudgeAgreement(
        judges,
        orders,
        people,
        scores,
        comparison,
        by,
        level,
        values.constant,
        "queries" if by_query else "items",
        len(values.clusters),
        n_compared,
    )


def _table(votes: MatchedVotes, values: JudgeValues, level: float) -> pd.DataFrame:
    """Statistics of each judge, with intervals."""
    columns: dict[str, Any] = {"judge": list(votes.judges)}
    for place, name in enumerate(values.statistics):
        _, lower, upper = mean_intervals(values.values[:, place], level)
        estimate = values.estimates[:, place]
        columns |= {name: estimate, f"{name}_lower": lower, f"{name}_upper": upper}
    columns["n_units"] = values.n_units
    outside = np.zeros(len(votes.models.who), dtype=bool)
    if votes.grades is not None:
        given = votes.grades[votes.people.value]
        theirs = votes.grades[votes.models.value]
        outside = (theirs < given.min()) | (theirs > given.max())
    columns["n_outside"] = np.bincount(votes.models.who[outside], minlength=len(votes.judges))
    return pd.DataFrame(columns)


def _compared_scores(
    votes: MatchedVotes, scores: Scores, *, by_query: bool
) -> tuple[Scores | None, int | None]:
    """Scores on the units that all judges judged, and how many these are (None: all).

    A judge that leaves out what is hard would seem better by its own units.
    """
    n_judges = len(votes.judges)
    shared: Bools = np.bincount(votes.models.unit, minlength=votes.n_units) == n_judges
    n_shared = int(shared.sum())
    if n_shared == votes.n_units or n_judges == 1:
        return scores, None
    n_units = np.bincount(votes.models.who, minlength=n_judges)
    fewest = int(n_units.argmin())
    which = (
        f"{n_shared:,} of {counted(votes.n_units, 'unit')} "
        f"(the fewest: {votes.judges[fewest]!r}, {n_units[fewest]:,})"
    )
    both = votes.restrict(shared) if n_shared else None
    if both is None or (both.n_clusters if by_query else n_shared) < 2:
        warn(
            f"judge_agreement: judges are not compared, since all of them judged only {which}",
            LeftOutWarning,
        )
        return None, n_shared
    warn(
        f"judge_agreement: judges are compared on what all of them judged, {which}", LeftOutWarning
    )
    values = judge_values(both, by_query=by_query)
    return values.scores(votes.judges, scores.measures), n_shared


def _comparison(
    scores: Scores, values: JudgeValues, by: By, level: float, using: Resampling
) -> Comparison | None:
    """All pairs of the judges whose statistic is defined."""
    place = scores.measures.index(by)
    known = np.any(np.isfinite(scores.values[:, place]), axis=1).tolist()
    lost = [name for name, ok in zip(scores.systems, known, strict=True) if not ok]
    defined = np.isfinite(values.estimates[:, values.statistics.index(by)])
    never = [name for name, ok in zip(scores.systems, defined.tolist(), strict=True) if not ok]
    if never:
        warn(
            f"judge_agreement: {by} of {counted(len(never), 'judge')} is not defined, who gave one "
            f"value, as people did: {first_few(never)}",
            DegenerateWarning,
        )
    partly = [name for name in lost if name not in never]
    if partly:
        warn(
            f"judge_agreement: {by} of {counted(len(partly), 'judge')} is not compared, not being "
            f"defined without some query, or on what all judged: {first_few(partly)}",
            DegenerateWarning,
        )
    if sum(known) < 2:
        return None
    kept = [name for name in scores.systems if name not in lost]
    return compare(
        scores.select(systems=kept, measures=by),
        level=level,
        n_resamples=using.n_resamples,
        rng=using.rng,
    )


def _add_ranks(judges: pd.DataFrame, comparison: Comparison | None, by: By) -> None:
    """Add which judges are among the best, and their rank sets."""
    if comparison is None:
        defined = judges[by].notna()
        judges["among_best"] = defined
        judges["rank_lower"] = judges["rank_upper"] = np.where(defined, 1.0, np.nan)
        return
    tiers = comparison.tiers().set_index("system").reindex(judges["judge"])
    best = {*tiers.index[tiers["among_best"].fillna(value=False).astype(bool)]}
    judges["among_best"] = [name in best for name in judges["judge"]]
    for name in ("rank_lower", "rank_upper"):
        judges[name] = tiers[name].to_numpy()


def _add_checks(judges: pd.DataFrame, values: JudgeValues, by: By, level: float) -> None:
    """Add whether judges are above chance, above a constant judge, and below people."""
    together = 1 - (1 - level) / len(judges)
    of = {name: values.values[:, place] for place, name in enumerate(values.statistics)}
    judges["above_chance"] = _above_zero(of[KAPPA], together)
    judges["above_constant"] = _above_zero(values.above_constant, together)
    behind = values.behind_people[:, values.statistics.index(by)]
    judges["below_people"] = _above_zero(behind, together)


def _above_zero(values: Floats, level: float) -> Bools:
    """Whether the whole interval of each mean is above 0."""
    lower = mean_intervals(values, level)[1]
    return np.asarray(lower > 0)
