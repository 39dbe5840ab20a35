"""True classes and observers' errors by maximum likelihood."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.data.ratings import Ratings
from fuzzytruth.errors import MissingPackageError

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


# The same by models of crowd-kit.


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
