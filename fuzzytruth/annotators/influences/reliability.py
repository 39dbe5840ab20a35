"""`reliability`: models of who is how reliable, and of what is true if they hold."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.annotators.influences.reliability_result import Reliability, ReliabilityFit
from fuzzytruth.annotators.ratings import Ratings, ratings_of, report_rating_scales
from fuzzytruth.core import student
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.validation import between_zero_and_one, option_number, whole_number
from fuzzytruth.data.assignments import Assignments
from fuzzytruth.data.reading import as_judgments
from fuzzytruth.errors import (
    DataError,
    DegenerateWarning,
    MissingPackageError,
    OptionError,
    choice,
    counted,
    require,
    warn,
)
from fuzzytruth.stats.proportions import wilson

# Maximum likelihood of true classes and of observers' errors, by expectation–maximisation.
#
# Given the true class of a unit, observers err independently; observer s calls class k class l with
# probability errors[s, l, k]. "one-coin": with one probability of being right for each observer,
# and the other classes equally likely. Dawid & Skene 1979, Maximum likelihood estimation of
# observer error-rates using the EM algorithm, Applied Statistics 28(1), 20–28, eqs. 2.3–2.5, 2.7
# and 3.1.


_LEAST = 1e-300  # of a probability, before its logarithm


@dataclass(frozen=True, slots=True, eq=False)
class ClassVotes:
    """Votes for classes, as a sparse matrix.

    Parameters
    ----------
    matrix : sparse (units, subjects × classes)
        How often each subject called each unit each class.
    transposed : sparse (subjects × classes, units)
    n_subjects, n_classes : int
    """

    matrix: Any
    transposed: Any
    n_subjects: int
    n_classes: int

    @classmethod
    def of(
        cls, unit: Ints, subject: Ints, value: Ints, n_units: int, n_subjects: int, n_classes: int
    ) -> ClassVotes:
        """From coordinates (votes,)."""
        from scipy.sparse import csr_array

        column = subject * n_classes + value
        shape = (n_units, n_subjects * n_classes)
        matrix = csr_array((np.ones(len(unit)), (unit, column)), shape=shape)
        matrix.sum_duplicates()
        return cls(matrix, matrix.T, n_subjects, n_classes)

    def shares(self) -> Floats:
        """Share of each unit's votes that each class has: (units, classes)."""
        of_class = np.tile(np.eye(self.n_classes), (self.n_subjects, 1))
        votes = np.asarray(self.matrix @ of_class)
        return divide(votes, votes.sum(axis=1, keepdims=True))

    def right(self, posterior: Floats) -> tuple[Floats, Floats]:
        """Expected right votes of each subject, and all its votes: (subjects,) each."""
        table = self.table(posterior)
        return np.einsum("skk->s", table), table.sum(axis=(1, 2))

    def table(self, posterior: Floats) -> Floats:
        """Expected votes by what was said and what is true: (subjects, classes, classes)."""
        k = self.n_classes
        return np.asarray(self.transposed @ posterior).reshape(self.n_subjects, k, k)

    def take(self, units: Any) -> ClassVotes:
        """The votes on some units."""
        matrix = self.matrix[units]
        return ClassVotes(matrix, matrix.T, self.n_subjects, self.n_classes)


@dataclass(frozen=True, slots=True, eq=False)
class LatentClasses:
    """Estimates of true classes and of errors.

    Parameters
    ----------
    posterior : (units, classes) float
        Probability of each class, given the votes.
    prevalence : (classes,) float
    errors : (subjects, classes, classes) float
        Probability of what a subject says (second axis) given the truth (third).
    log_likelihood : float
        Of the votes, natural logarithm, without the smoothing.
    n_iterations : int
    converged : bool
        Whether the last iteration changed no posterior by more than the tolerance.
    """

    posterior: Floats
    prevalence: Floats
    errors: Floats
    log_likelihood: float
    n_iterations: int
    converged: bool


def latent_classes(
    votes: ClassVotes,
    *,
    one_coin: bool = False,
    smoothing: float = 0.0,
    start: Floats | None = None,
    tolerance: float = 1e-6,
    max_iterations: int = 1000,
) -> LatentClasses:
    """Estimates by expectation–maximisation.

    Parameters
    ----------
    votes : ClassVotes
        Repeated votes of a subject count as independent, as they do in the paper.
    one_coin : bool
        One probability of being right for each subject.
    smoothing : float
        Votes added to each subject's table for each true class, spread as all subjects' votes are;
        0: maximum likelihood.
    start : (units, classes) float, optional
        Posterior to start from; by default each class's share of the votes (eq. 3.1).
    tolerance : float
        Largest change of a posterior at which to stop.
    max_iterations : int
    """
    posterior = votes.shares() if start is None else start
    converged, iteration, likelihood = False, 0, -np.inf
    prevalence, errors = maximise(votes, posterior, smoothing, one_coin=one_coin)
    while not converged and iteration < max_iterations:
        before = posterior
        posterior, likelihood = _expect(votes, prevalence, errors)
        prevalence, errors = maximise(votes, posterior, smoothing, one_coin=one_coin)
        converged = bool(np.abs(posterior - before).max(initial=0.0) <= tolerance)
        iteration += 1
    return LatentClasses(posterior, prevalence, errors, likelihood, iteration, converged)


def maximise(
    votes: ClassVotes, posterior: Floats, smoothing: float = 0.0, *, one_coin: bool = False
) -> tuple[Floats, Floats]:
    """Prevalences and errors, given the posterior (eqs. 2.3, 2.4)."""
    k = votes.n_classes
    table = votes.table(posterior)  # (subjects, said, true)
    if smoothing > 0:
        pooled = table.sum(axis=0)
        table = table + smoothing * divide(pooled, pooled.sum(axis=0), fill=1 / k)
    if one_coin:
        right = divide(np.einsum("skk->s", table), table.sum(axis=(1, 2)), fill=1 / k)
        other = (1 - right) / max(k - 1, 1)
        errors = np.where(np.eye(k, dtype=bool), right[:, None, None], other[:, None, None])
    else:
        errors = divide(table, table.sum(axis=1, keepdims=True), fill=1 / k)
    return posterior.mean(axis=0), errors


@np.errstate(under="ignore")
def _expect(votes: ClassVotes, prevalence: Floats, errors: Floats) -> tuple[Floats, float]:
    """Posterior (eq. 2.5), and the log likelihood (eq. 2.7)."""
    s, k = votes.n_subjects, votes.n_classes
    log_errors = np.log(np.maximum(errors, _LEAST)).reshape(s * k, k)
    joint = votes.matrix @ log_errors + np.log(np.maximum(prevalence, _LEAST))
    largest = joint.max(axis=1, keepdims=True)
    scaled = np.exp(joint - largest)
    total = scaled.sum(axis=1, keepdims=True)
    return scaled / total, float((np.log(total) + largest).sum())


def jackknife_right(
    votes: ClassVotes, fitted: LatentClasses, block: Ints, n_blocks: int, **options: Any
) -> Floats:
    """Each subject's share of right votes, with each block of units left out and all fitted anew.

    Parameters
    ----------
    votes : ClassVotes
    fitted : LatentClasses
        Of all units; new fits start there.
    block : (units,) int
    n_blocks : int
    options
        Of `latent_classes`.

    Returns
    -------
    (blocks, subjects) float
        NaN where a subject has no vote left.
    """
    out = np.empty((n_blocks, votes.n_subjects))
    for number in range(n_blocks):
        stays = np.flatnonzero(block != number)
        rest = votes.take(stays)
        anew = latent_classes(rest, start=fitted.posterior[stays], **options)
        out[number] = divide(*rest.right(anew.posterior), fill=np.nan)
    return out


# Models of crowd-kit, fitted to ratings.


#: method -> class of crowd-kit
MODELS = {"glad": "GLAD", "mace": "MACE"}


def crowd_kit_posterior(ratings: Ratings, method: str) -> Floats:
    """Probability of each value of each unit by a model of crowd-kit, with its own defaults.

    (units, values).

    Raises
    ------
    MissingPackageError
        crowd-kit is not installed.
    """
    try:
        from crowdkit import aggregation
    except ImportError as error:
        raise MissingPackageError(
            f"method={method!r} needs crowd-kit; install it with: pip install "
            "'fuzzytruth[crowd-kit]', or use method='dawid-skene'"
        ) from error
    columns = {"task": ratings.unit, "worker": ratings.subject, "label": ratings.value}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # how crowd-kit calls pandas is not the caller's business
        model: Any = getattr(aggregation, MODELS[method])()
        found = model.fit_predict_proba(pd.DataFrame(columns))
    order = found.reindex(index=np.arange(ratings.n_units), columns=np.arange(len(ratings.names)))
    probability = order.to_numpy(dtype=np.float64, na_value=0.0)
    return np.asarray(probability / probability.sum(axis=1, keepdims=True))


Method = Literal["dawid-skene", "one-coin", "majority", "glad", "mace"]

_MOST_NUMBERS = 2**27  # of all tables of errors: a gigabyte
_BLOCKS = 20  # of the jackknife


def reliability(
    votes: Any,
    method: Method = "dawid-skene",
    *,
    smoothing: float = 0.0,
    level: float | None = 0.95,
    max_iterations: int = 2000,
) -> Reliability:
    """Estimate how often each subject is right, and what is true if a model holds.

    An opt-in: nothing else in the library weights votes by it. Every model here assumes that each
    unit has one true answer and that, given it, subjects err independently. Where people disagree
    for good reasons, or judges are near duplicates of each other, the model is sure of what it
    should not be sure of; compare with ``method="majority"`` and with experts' answers.

    Parameters
    ----------
    votes : Judgments, Assignments, or what `as_judgments` takes
        Votes of named subjects. Units are pairs of a query and an item (and intent), or items;
        answers are the distinct grades, or label sets.
    method : {"dawid-skene", "one-coin", "majority", "glad", "mace"}
        "dawid-skene": a table of errors for each subject, by expectation–maximisation. "one-coin":
        one probability of being right for each subject, all errors equally likely; for many
        answers, or few votes each. "majority": the most frequent answer is true (ties share).
        "glad" and "mace" are crowd-kit's, with its defaults.
    smoothing : float
        Votes added to each subject's table of "dawid-skene" for each true answer, spread as all
        subjects' votes are, so that a few votes make nobody infallible; try 3 for subjects with
        some ten votes. 0: maximum likelihood, as in the paper.
    level : float or None
        Of the intervals of accuracies; None: no intervals, which take most of the time.
    max_iterations : int

    Returns
    -------
    Reliability

    Raises
    ------
    DataError
        Nobody is named, subjects are nested in queries, or there is a single subject.
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
    Nothing ties the name of an answer to what the model makes of it: where subjects differ by habit
    rather than by error, or an answer is rare, "dawid-skene" may use it for other units than those
    that were called so. What is printed counts such units. Repeated votes of a subject on a unit
    count as independent votes, as in the paper. A subject's
    accuracy is the expected share of its votes that are right, under the model. Its interval is
    from the jackknife over 20 blocks of units (whole queries, if there are that many), everything
    being fitted anew, with Student's t on 19 degrees of freedom, and no narrower than Wilson's
    interval if the truth were known: it is about the model's estimate, and knows nothing of a model
    that is wrong. NaN: with "glad" and "mace", with ``level=None``, or
    with fewer than two blocks.

    References
    ----------
    Dawid & Skene 1979, Maximum likelihood estimation of observer error-rates using the EM
    algorithm, Applied Statistics 28. Whitehill et al. 2009 (GLAD); Hovy et al. 2013 (MACE).
    Ustalov, Pavlichenko & Tseitlin 2024, Learning from crowds with Crowd-Kit, JOSS 9.

    Examples
    --------
    >>> import pandas as pd, fuzzytruth as ft
    >>> votes = pd.DataFrame({
    ...     "query": "q", "item": [*"aaabbbcccddd"], "subject": ["ann", "bob", "cat"] * 4,
    ...     "grade": [1, 1, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0]})
    >>> fit = ft.reliability(votes, level=None)
    >>> fit.subjects[["subject", "accuracy", "n_votes"]].round(2).values.tolist()
    [['ann', 1.0, 4], ['bob', 1.0, 4], ['cat', 0.5, 4]]
    >>> fit.to_frame()[["item", "answer", "probability", "share"]].round(2).values.tolist()
    [['a', '1', 1.0, 0.67], ['b', '0', 1.0, 0.67], ['c', '1', 1.0, 1.0], ['d', '0', 1.0, 1.0]]
    """
    choice("method", method, get_args(Method))
    smoothing = option_number("smoothing", smoothing)
    require("smoothing", smoothing, 0 <= smoothing < np.inf, "must be 0 or more")
    level = None if level is None else between_zero_and_one("level", level)
    limit = whole_number("max_iterations", max_iterations, 1)
    given = votes
    if not isinstance(votes, Assignments):
        given = as_judgments(votes, argument="votes", also="Assignments, ")
    ratings = ratings_of(given)
    _check(ratings, method)
    report_rating_scales(ratings, "use votes.binary({rel})")
    table = ClassVotes.of(
        ratings.unit,
        ratings.subject,
        ratings.value,
        ratings.n_units,
        ratings.n_subjects,
        len(ratings.names),
    )
    options = {
        "one_coin": method == "one-coin",
        "smoothing": smoothing if method == "dawid-skene" else 0.0,
        "max_iterations": limit,
    }
    fitted = _fitted(ratings, table, method, options)
    if not fitted.converged:
        warn(
            f"reliability: not converged after {counted(limit, 'iteration')}; allow more with "
            "max_iterations",
            DegenerateWarning,
        )
    accuracy = divide(*table.right(fitted.posterior), fill=np.nan)
    n_votes = np.bincount(ratings.subject, minlength=ratings.n_subjects)
    lower = upper = np.full(len(accuracy), np.nan)
    if level is not None and method not in MODELS:
        half = _half_widths(ratings, table, fitted, method, level, options)
        lower, upper = _no_narrower_than_wilson(accuracy, half, n_votes, level)
    return Reliability(
        given,
        ratings,
        ReliabilityFit(
            method=method,
            posterior=fitted.posterior,
            share=table.shares(),
            prevalence=fitted.prevalence,
            errors=fitted.errors,
            accuracy=accuracy,
            lower=lower,
            upper=upper,
            n_votes=n_votes,
            level=level,
            log_likelihood=fitted.log_likelihood,
            n_iterations=fitted.n_iterations,
            converged=fitted.converged,
        ),
    )


def _check(ratings: Ratings, method: str) -> None:
    """Raise or warn where the votes cannot tell who is reliable."""
    names = ratings.named("reliability")
    if ratings.nested:
        raise DataError(
            "reliability: the subjects are nested in queries, a name being another person in "
            "another query, so that nobody judged enough to be estimated; models take crossed "
            "subjects"
        )
    if len(names) < 2:
        raise DataError(
            f"reliability: there is a single subject, {names[0]!r}; who is right shows only where "
            "several subjects judged the same"
        )
    n, k = len(names), len(ratings.names)
    if method == "dawid-skene" and n * k * k > _MOST_NUMBERS:
        raise OptionError(
            f"method='dawid-skene': a table of {k:,} × {k:,} answers for each of {n:,} subjects "
            "does not fit in memory; use method='one-coin'"
        )
    if k == 1:
        warn(
            "reliability: all votes are the same, so that nobody is seen to err", DegenerateWarning
        )
    elif n == 2 and method != "majority":
        warn(
            "reliability: there are two subjects, and their votes do not say which of the two errs "
            "where they differ; models take three or more",
            DegenerateWarning,
        )


def _fitted(
    ratings: Ratings, table: ClassVotes, method: Method, options: dict[str, Any]
) -> LatentClasses:
    """The posterior by a method, and errors that go with it."""
    if method in MODELS:
        posterior = crowd_kit_posterior(ratings, method)
    elif method == "majority":
        posterior = _plurality(table)
    else:
        return latent_classes(table, **options)
    return LatentClasses(posterior, *maximise(table, posterior), np.nan, 0, True)


def _plurality(table: ClassVotes) -> Floats:
    """1 for the most frequent class, shared by ties: (units, classes)."""
    shares = table.shares()
    most: Bools = shares >= shares.max(axis=1, keepdims=True) * (1 - 1e-12)
    return np.asarray(most / most.sum(axis=1, keepdims=True))


def _no_narrower_than_wilson(
    accuracy: Floats, half: Floats, n_votes: Ints, level: float
) -> tuple[Floats, Floats]:
    """Ends of the intervals, which are no narrower than if the truth were known."""
    right = np.clip(accuracy, 0.0, 1.0) * n_votes
    least, most = wilson(np.minimum(right, n_votes), n_votes, level=level)
    lower = np.maximum(np.minimum(accuracy - half, least), 0.0)
    upper = np.minimum(np.maximum(accuracy + half, most), 1.0)
    return lower, upper


def _half_widths(
    ratings: Ratings,
    table: ClassVotes,
    fitted: LatentClasses,
    method: Method,
    level: float,
    options: dict[str, Any],
) -> Floats:
    """Half the width of each accuracy's interval, from a jackknife over blocks: (subjects,)."""
    cluster = ratings.cluster
    if cluster is None or cluster.max(initial=-1) + 1 < _BLOCKS:
        cluster = np.arange(ratings.n_units)
    block = cluster % _BLOCKS  # neighbours apart
    n = int(block.max()) + 1
    if n < 2:
        return np.full(table.n_subjects, np.nan)
    if method == "majority":  # nothing to fit
        right = np.stack(
            [
                divide(*table.take(np.flatnonzero(block != b)).right(fitted.posterior[block != b]))
                for b in range(n)
            ]
        )
    else:
        # not to a coarser tolerance: where the iterations are slow, fits would stay near the start
        right = jackknife_right(table, fitted, block, n, **options)
    known = (~np.isnan(right)).all(axis=0)
    spread = np.sqrt((n - 1) * right.var(axis=0))  # (n - 1) / n × sum of squares
    return np.where(known, student.quantile(level, n - 1) * spread, np.nan)
