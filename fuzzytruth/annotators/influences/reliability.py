"""`reliability`: models of who is how reliable, and of what is true if they hold."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from fuzzytruth import errors
from fuzzytruth._lazy import pd, special
from fuzzytruth._typing import Floats
from fuzzytruth.annotators.influences import reliability_result
from fuzzytruth.annotators.ratings import ratings_of, report_rating_scales
from fuzzytruth.core import validation
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.randomness import entropy_of
from fuzzytruth.data.pseudonyms import Names, named_as
from fuzzytruth.data.ratings import MOST_GRADES, Ratings
from fuzzytruth.data.votes_without_queries import as_votes
from fuzzytruth.errors import choice, counted, first_few, require, shown, warn
from fuzzytruth.io.files import Source, as_path
from fuzzytruth.io.table_files import table_of
from fuzzytruth.io.tables import ColumnRequest
from fuzzytruth.stats.votes import checks
from fuzzytruth.stats.votes.copies import Copies, find_copies
from fuzzytruth.stats.votes.models import (
    PRIOR,
    FittedVotes,
    VoteModel,
    accuracies,
    fit_votes,
    log_odds_errors,
)
from fuzzytruth.stats.votes.rating_scale import severity_errors
from fuzzytruth.stats.votes.recalibration import Recalibration, recalibrated
from fuzzytruth.stats.votes.table import VoteTable

Method = Literal[
    "auto",
    "dawid-skene",
    "one-coin",
    "pooled",
    "glad",
    "clarity",
    "rating-scale",
    "shares",
    "majority",
    "mace",
]
Once = Literal["auto", "once", "all"]
_MOST_NUMBERS = 2**27  # of all tables of errors: a gigabyte
_TABLES = {"dawid-skene": 1, "glad": 9, "clarity": 5}  # numbers a class said and true
_FOLDED = 20_000  # votes of the units by which models are chosen
_CHECKED, _CHECKED_VOTES = 400, 5000  # units by which a model is checked, and their votes
_KNOWN = 2  # votes of a unit, on average, from which accuracies show
_LEAST_GOLD = 10
_OF_ALL = ("pooled", "clarity")  # models in which little is of one subject


def reliability(
    votes: Any,
    method: Method = "auto",
    *,
    prior: float = PRIOR,
    copies: Once = "auto",
    gold: Any = None,
    names: Names = "show",
    level: float | None = 0.95,
    n_simulated: int = 39,
    max_iterations: int = 1000,
    rng: Any = 0,
    n_jobs: int = 1,
) -> reliability_result.Reliability:
    """Estimate how often each subject gives the panel's answer, and what that answer is.

    An opt-in: nothing else in the library weights votes by it. What a model of votes finds is what
    these people would agree on; how far that is the truth is not in the votes, as people share
    errors and severity. Answers that are known (`gold`) tell.

    Parameters
    ----------
    votes : Judgments, Assignments, or what `as_judgments` takes
        Votes of named subjects. Units are pairs of a query and an item (and intent), or items;
        answers are the distinct grades, or label sets. Of a table without queries, words are votes
        for categories, and numbers grades of one query.
    method : str
        "auto" chooses, among the first five (and "rating-scale" for three grades or more), the
        model that gives votes held out in ten folds the highest probability.

        - "pooled": one table of errors for all subjects; "one-coin": a probability of being right
          for each; "dawid-skene": a table of errors for each; "glad": items are more or less hard;
          "clarity": tables of errors, and habits by which people guess on unclear items.
        - "rating-scale": ordered grades, people being more or less severe; the panel's answer is
          the grade that a person of mean severity gives.
        - "shares": of the votes. "majority": the most frequent answer (ties share).
          "mace": crowd-kit's, with its defaults.
    prior : float
        Votes added to each subject's errors, spread as everybody's are, so that a few votes make
        nobody infallible. 0: maximum likelihood, which is surer than it should be.
    copies : {"auto", "once", "all"}
        Whether the votes of subjects who agree by more than independent errors let expect count
        as one on an item. "auto": unless votes that are held out are then predicted worse.
    gold : mapping of item to answer, table or path, optional
        Known answers of some items (50 to 100): columns item (and query) and grade or category.
        They say how often the panel's answers are true, and recalibrate probabilities.
    names : {"show", "hide"}
        "hide" calls people P01, P02, ..., in an order that does not give them away.
    level : float or None
        Of intervals; None: no intervals.
    n_simulated : int
        Simulations of votes of people who err independently, with which the votes are compared; 0:
        they are not.
    max_iterations : int
    rng : int, SeedSequence, Generator or None
        Source of the folds and simulations.
    n_jobs : int
        Workers, as in joblib.

    Returns
    -------
    Reliability

    Raises
    ------
    DataError
        Nobody is named, subjects are nested in queries, or there is a single subject; there are
        more than 20 different numbers, and no method is given; or no, or too few, items of `gold`
        were voted on.
    OptionError
        An option is out of range, or the tables of errors would not fit in memory.
    MissingPackageError
        crowd-kit is not installed.

    Warns
    -----
    ScaleWarning
        Grades of some subjects keep to a shorter scale than those of the others.
    DegenerateWarning
        There are two subjects, of whom the votes do not say who is wrong; all votes are equal; or
        the iterations did not converge.

    Notes
    -----
    A subject's accuracy is the share of its votes that give the panel's answer, drawn towards
    everybody's by the votes of the prior. Its interval is from the observed information of its log
    odds, of subjects with 10 votes or more on items of two votes or more on average. It is too
    short where people share errors. Severities have intervals likewise.

    Whether the votes contradict independent errors is tested by simulating "one-coin" or
    "dawid-skene", whichever predicts held-out votes better ("rating-scale": itself), on 400 items
    (and 5,000 votes) at most; with three votes an item, nothing tells. "glad" and "clarity" allow
    for items on which people guess; items that most people get wrong leave the same votes, so that
    it is tested whichever model was chosen. Accuracies are also by that model if the chosen one is
    "pooled" or "clarity".

    Near-copies are sought before any model: of subjects who err independently, the correlations of
    votes are products of one reliability each, be they strict or lenient; subjects whose votes
    correlate by much more are near-copies. Above 20,000 votes a sample of whole items chooses the
    model.

    References
    ----------
    Dawid & Skene 1979, Maximum likelihood estimation of observer error-rates using the EM
    algorithm, Applied Statistics 28. Whitehill et al. 2009 (GLAD); Andrich 1978 (rating scale);
    Hovy et al. 2013 (MACE). Ustalov, Pavlichenko & Tseitlin 2024, Learning from crowds with
    Crowd-Kit, JOSS 9.

    Examples
    --------
    >>> import pandas as pd, fuzzytruth as ft
    >>> votes = pd.DataFrame({
    ...     "query": "q", "item": [*"aaabbbcccddd"], "subject": ["ann", "bob", "cat"] * 4,
    ...     "grade": [1, 1, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0]})
    >>> fit = ft.reliability(votes, "one-coin")
    >>> fit.subjects[["subject", "accuracy", "n_votes"]].round(2).values.tolist()
    [['ann', 0.9, 4], ['bob', 0.9, 4], ['cat', 0.67, 4]]
    >>> fit.to_frame()[["item", "answer", "probability", "share"]].round(2).values.tolist()
    [['a', '1', 0.97, 0.67], ['b', '0', 0.97, 0.67], ['c', '1', 0.99, 1.0], ['d', '0', 0.99, 1.0]]
    """
    choice("method", method, get_args(Method))
    choice("copies", copies, get_args(Once))
    prior = validation.option_number("prior", prior)
    require("prior", prior, 0 <= prior < np.inf, "must be 0 or more")
    level = None if level is None else validation.between_zero_and_one("level", level)
    validation.whole_number("n_simulated", n_simulated, 0)
    limit = validation.whole_number("max_iterations", max_iterations, 1)
    given, _ = named_as(as_votes(votes), names)
    ratings = ratings_of(given)
    _check(ratings, method)
    report_rating_scales(ratings, "use votes.binary({rel})")
    sizes = ratings.n_units, ratings.n_subjects, len(ratings.names)
    table = VoteTable.of(ratings.unit, ratings.subject, ratings.value, sizes)
    seeds = np.random.SeedSequence(entropy_of(rng)).spawn(5)
    asked = _Asked(method, prior, copies, level, n_simulated, limit, n_jobs, seeds)
    fit = _fitted(ratings, table, asked)
    if not fit.converged:
        warn(
            f"reliability: not converged after {counted(limit, 'iteration')}; allow more, "
            f"max_iterations={4 * limit}",
            errors.DegenerateWarning,
        )
    if gold is not None:
        fit = replace(fit, gold=_against(gold, ratings, fit))
    return reliability_result.Reliability(given, ratings, fit)


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """Options of `reliability`."""

    method: Method
    prior: float
    copies: Once
    level: float | None
    n_simulated: int
    max_iterations: int
    n_jobs: int
    seeds: list[np.random.SeedSequence]

    def rng(self, use: int) -> np.random.Generator:
        """For folds, whole clusters' folds, simulations, samples, one vote of a cluster."""
        return np.random.default_rng(self.seeds[use])


def _check(ratings: Ratings, method: str) -> None:
    """Raise or warn where the votes cannot tell who is reliable."""
    names = ratings.named("reliability")
    if ratings.nested:
        raise errors.DataError(
            "reliability: the subjects are nested in queries, a name being another person in "
            "another query, so that nobody judged enough to be estimated; models take crossed "
            "subjects"
        )
    if len(names) < 2:
        raise errors.DataError(
            f"reliability: there is a single subject, {names[0]!r}; who is right shows only where "
            "several subjects judged the same"
        )
    n, k = len(names), len(ratings.names)
    if method == "auto" and ratings.are_measured:
        raise errors.DataError(
            f"reliability: {k:,} different numbers are measurements, and models are of answers; "
            f"round them to at most {MOST_GRADES} grades"
        )
    simple = method in ("majority", "shares", "mace")
    if n * k * k * (0 if simple else _TABLES.get(method, 1)) > _MOST_NUMBERS:
        raise errors.OptionError(
            f"method={method!r}: a table of {k:,} × {k:,} answers for each of {n:,} subjects "
            "does not fit in memory; use method='shares', or coarser answers"
        )
    if method == "rating-scale" and (ratings.grades is None or k < 2):
        raise errors.OptionError("method='rating-scale': is for grades, of which there are several")
    if k == 1:
        warn(
            "reliability: all votes are the same, so that nobody is seen to err",
            errors.DegenerateWarning,
        )
    elif n == 2 and method not in ("majority", "shares"):
        warn(
            "reliability: there are two subjects, and their votes do not say which of the two errs "
            "where they differ; models take three or more",
            errors.DegenerateWarning,
        )


def _fitted(ratings: Ratings, table: VoteTable, asked: _Asked) -> reliability_result.ReliabilityFit:
    """The model, chosen and checked, and what follows from it."""
    if asked.method in ("majority", "shares", "mace"):
        return _without_model(ratings, table, asked)
    found = find_copies(table)
    scores: checks.HeldOut | None = None
    model: Any = asked.method
    tested = model
    if model not in (*checks.INDEPENDENT, "rating-scale"):
        models = candidates(ratings) if model == "auto" else checks.INDEPENDENT
        sample = checks.sampled_units(table, _FOLDED, asked.rng(3))
        settings: Any = {"prior": asked.prior, "n_jobs": asked.n_jobs}
        tried = checks.held_out(sample, models, rng=asked.rng(0), **settings)
        if model == "auto":
            scores, model = tried, tried.chosen
        tested = model if model == "rating-scale" else tried.independent
    how: Any = {"prior": asked.prior, "max_iterations": asked.max_iterations}
    every = fit_votes(table, model, **how)
    once = fit_votes(found.weigh(table), model, **how) if found.any else every
    counted_once = found.any and _count_once(table, found, model, asked)
    fitted = once if counted_once else every
    other = every if counted_once else once
    votes = found.weigh(table) if counted_once else table
    each = fit_votes(votes, tested, **how) if model in _OF_ALL else fitted
    accuracy, n_votes = accuracies(table, each)
    lower, upper = _intervals(votes, each, accuracy, n_votes, asked.level)
    return reliability_result.ReliabilityFit(
        method=model,
        prior=asked.prior,
        posterior=fitted.posterior,
        confusion=fitted.confusion,
        prevalence=fitted.prevalence,
        share=_shares(table),
        accuracy=accuracy,
        accuracy_by=each.model,
        lower=lower,
        upper=upper,
        n_votes=n_votes,
        level=asked.level,
        converged=fitted.converged,
        n_iterations=fitted.n_iterations,
        scores=scores,
        copies=found,
        once=counted_once,
        otherwise=float(other.posterior.max(axis=1).mean()) if found.any else np.nan,
        check=_checked(table, found if counted_once else None, tested, asked),
        scale=fitted.scale,
    )


def candidates(ratings: Ratings) -> list[VoteModel]:
    """Models to choose from: those whose tables fit in memory, and the rating scale of grades."""
    n, k = ratings.n_subjects, len(ratings.names)
    fits = [m for m in checks.CANDIDATES if n * k * k * _TABLES.get(m, 1) <= _MOST_NUMBERS]
    return [*fits, "rating-scale"] if ratings.grades is not None and k > 2 else fits


def _count_once(table: VoteTable, found: Copies, model: VoteModel, asked: _Asked) -> bool:
    """Whether clusters' votes on a unit count as one: unless votes are then predicted worse.

    A cluster's votes on a unit are held out together, and count as one.
    """
    if asked.copies != "auto":
        return asked.copies == "once"
    sample = checks.sampled_units(table, _FOLDED, asked.rng(3))
    weighed = found.weigh(sample)
    settings: Any = {"prior": asked.prior, "group": found.cluster, "n_jobs": asked.n_jobs}
    every, once = (
        checks.held_out(votes, [model], rng=asked.rng(1), **settings).scores[model]
        for votes in (sample, weighed)
    )
    return bool((once - every) @ weighed.weight > 0)


def _checked(
    votes: VoteTable, once: Copies | None, model: VoteModel, asked: _Asked
) -> checks.ModelCheck | None:
    """Whether the votes contradict a model; None where that is not asked for, or not to be told.

    By one vote of each cluster of copies, if they count `once`.
    """
    if once is not None:
        votes = once.one_each(votes, asked.rng(4))
    if not asked.n_simulated or len(votes.unit) < reliability_result.TELLING * votes.n_units:
        return None
    rng = asked.rng(2)
    size = len(votes.unit) / votes.n_units
    sample = checks.sampled_units(votes, min(round(_CHECKED * size), _CHECKED_VOTES), rng)
    fitted = fit_votes(sample, model, prior=asked.prior)
    settings: Any = {"n_simulated": asked.n_simulated, "n_jobs": asked.n_jobs}
    return checks.check_model(sample, fitted, rng=rng, **settings)


def _intervals(
    votes: VoteTable, fitted: FittedVotes, accuracy: Floats, n_votes: Floats, level: float | None
) -> tuple[Floats, Floats]:
    """Ends of the intervals of accuracies, or severities; NaN where nothing tells."""
    unknown = np.full(len(accuracy), np.nan)
    telling = len(votes.unit) >= _KNOWN * votes.n_units
    if level is None or not telling or fitted.prior <= 0:
        return unknown, unknown
    z, few = -special.ndtri((1 - level) / 2), np.asarray(n_votes < reliability_result.FEW_VOTES)
    if fitted.scale is not None:
        half, middle = z * severity_errors(votes, fitted.scale), fitted.scale.severity
        lower, upper = middle - half, middle + half
    else:
        half = z * log_odds_errors(votes, fitted)
        middle = special.logit(np.clip(accuracy, 1e-9, 1 - 1e-9))
        lower, upper = special.expit(middle - half), special.expit(middle + half)
    return np.where(few, np.nan, lower), np.where(few, np.nan, upper)


def _shares(table: VoteTable) -> Floats:
    counts = table.counts
    return np.asarray(counts / counts.sum(axis=1, keepdims=True))


def _without_model(
    ratings: Ratings, table: VoteTable, asked: _Asked
) -> reliability_result.ReliabilityFit:
    """Shares of votes, majorities, or crowd-kit's posterior, and errors that go with them."""
    shares = _shares(table)
    posterior = shares
    if asked.method == "majority":
        most = shares >= shares.max(axis=1, keepdims=True) * (1 - 1e-12)
        posterior = np.asarray(most / most.sum(axis=1, keepdims=True))  # shared by ties
    elif asked.method == "mace":
        posterior = _crowd_kit(ratings)
    k = table.n_classes
    said = np.asarray(table.matrix.T @ posterior).reshape(table.n_subjects, k, k)
    total = said.sum(axis=(1, 2))
    unknown = np.full(table.n_subjects, np.nan)
    return reliability_result.ReliabilityFit(
        method=asked.method,
        prior=0.0,
        posterior=posterior,
        confusion=divide(said, said.sum(axis=1, keepdims=True), fill=1 / k),
        prevalence=posterior.mean(axis=0),
        share=shares,
        accuracy=divide(np.einsum("skk->s", said), total, fill=np.nan),
        accuracy_by=asked.method,
        lower=unknown,
        upper=unknown,
        n_votes=total,
        level=asked.level,
        converged=True,
        n_iterations=0,
        copies=find_copies(table),
    )


def _crowd_kit(ratings: Ratings) -> Floats:
    """Probability of each value of each unit by crowd-kit's MACE, with its own defaults.

    (units, values).

    Raises
    ------
    MissingPackageError
        crowd-kit is not installed.
    """
    try:
        from crowdkit import aggregation
    except ImportError as error:
        raise errors.MissingPackageError(
            "method='mace' needs crowd-kit; install it with: pip install 'fuzzytruth[crowd-kit]', "
            "or use method='auto'"
        ) from error
    columns = {"task": ratings.unit, "worker": ratings.subject, "label": ratings.value}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # how crowd-kit calls pandas is not the caller's business
        found = aggregation.MACE().fit_predict_proba(pd.DataFrame(columns))
    order = found.reindex(index=np.arange(ratings.n_units), columns=np.arange(len(ratings.names)))
    probability = order.to_numpy(dtype=np.float64, na_value=0.0)
    return np.asarray(probability / probability.sum(axis=1, keepdims=True))


# Known answers.


def _against(gold: Any, ratings: Ratings, fit: reliability_result.ReliabilityFit) -> Recalibration:
    """How often the panel's answers are the known ones."""
    known = _known_answers(gold, ratings)
    ids = {name: column.to_pylist() for name, column in ratings.units.items()}
    keys = list(zip(*(ids[name] for name in ("query", "item") if name in ids), strict=True))
    items = [key[-1] for key in keys]
    truth = [known.get(key, known.get((item,))) for key, item in zip(keys, items, strict=True)]
    voted = np.array([one is not None for one in truth])
    unknown = {str(one) for one in truth if one is not None} - {*ratings.names}
    if unknown:
        told = f"gold: nobody gave {first_few(sorted(unknown), show=shown)}; they gave "
        told += first_few(ratings.names, show=shown)
        if unknown.issuperset(str(one) for one in truth if one is not None):
            raise errors.DataError(told)
        warn(f"{told}; the panel is wrong there", errors.LabelWarning)
    if voted.sum() < _LEAST_GOLD:
        raise errors.DataError(
            f"gold: {counted(int(voted.sum()), 'item')} of {len(known):,} were voted on, and "
            f"{_LEAST_GOLD} at least are needed; 50 to 100 tell how far to trust an answer; items "
            f"are called as {shown(items[0])} in the votes, and "
            f"{shown(next(iter(known))[-1])} in gold"
        )
    best = fit.posterior.argmax(axis=1)[voted]
    right = np.array([ratings.names[j] for j in best]) == np.array(truth, dtype=object)[voted]
    return recalibrated(fit.posterior.max(axis=1)[voted], right.astype(np.float64))


def _known_answers(gold: Any, ratings: Ratings) -> dict[tuple[str, ...], str]:
    """(query, item) or (item,) -> answer, as the ratings name it."""
    pairs: list[tuple[Any, Any]]
    if isinstance(gold, Mapping):
        pairs = [(key if isinstance(key, tuple) else (key,), value) for key, value in gold.items()]
    else:
        answer = "category" if ratings.grades is None else "grade"
        request = ColumnRequest(("item", answer), ("query",), answer)
        given = Source.of(as_path("gold", gold)) if isinstance(gold, (str, Path)) else gold
        columns, _ = table_of(given, request, "gold")
        keys = zip(*(columns[name] for name in ("query", "item") if name in columns), strict=True)
        pairs = list(zip(keys, columns[answer], strict=True))
    out: dict[tuple[str, ...], str] = {}
    for key, value in pairs:
        named = str(value)
        if ratings.grades is not None:
            with suppress(ValueError, TypeError):  # else an answer that nobody gave
                named = f"{float(value):g}"
        item = tuple(map(str, key))
        if out.setdefault(item, named) != named:
            raise errors.DataError(
                f"gold: {shown(item[-1])} has two answers, {shown(out[item])} and {shown(named)}; "
                "give each item one, which is known to be true"
            )
    return out
