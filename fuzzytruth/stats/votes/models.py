"""Models of votes for classes: who is how reliable, and what is true if the model holds.

A unit has one true class k, and at most one other property h: how hard it is, or how much it is
guessed. Given both, subjects err independently: subject s says l with the probability
errors[s, l, k, h]. Estimates are by expectation-maximisation, with a prior of a few votes a subject
where errors are each subject's own: without it, few votes make people infallible.

============== ===================================================================================
"pooled"       one table of errors for all
"one-coin"     a probability of being right for each subject; wrong answers as everybody's
"dawid-skene"  a table of errors for each subject
"glad"         how often a subject is right depends on how hard the unit is
"clarity"      tables of errors; on units that are not clear, subjects guess by habits of their own
"rating-scale" ordered grades, subjects being more or less severe; see `stats.votes.rating_scale`
============== ===================================================================================

References
----------
Dawid, A. P. & Skene, A. M. (1979), Maximum likelihood estimation of observer error-rates using the
EM algorithm, Applied Statistics 28. Louis, T. A. (1982), Finding the observed information matrix
when using the EM algorithm, JRSS B 44. Whitehill, J. et al. (2009), Whose vote should count more,
NIPS 22 (GLAD).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from fuzzytruth._lazy import sparse, special
from fuzzytruth._typing import Bools, Floats
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.stats.votes.rating_scale import RatingScale, fit_rating_scale
from fuzzytruth.stats.votes.table import VoteTable, softmax

VoteModel = Literal["pooled", "one-coin", "dawid-skene", "glad", "clarity", "rating-scale"]
#: votes of the prior
PRIOR = 4.0
_LEAST = 1e-12  # of a probability, before its logarithm
_HALF = 0.5  # vote added to counts of all subjects together, if there is a prior
#: share of all votes below which an answer is no class, unless two agree on it, and not more on
#: another one
_RARE, _TWICE = 1e-3, 2 - 1e-9
_NEVER = -1e4  # logarithm of a probability that is 0
_DIFFICULTIES = 9  # nodes of GLAD
#: shares of guesses of "clarity", and how frequent they are at first
_GUESSED, _AT_FIRST = (0.0, 0.2, 0.45, 0.7, 0.95), (0.5, 0.2, 0.1, 0.1, 0.1)


@dataclass(frozen=True, slots=True, eq=False)
class FittedVotes:
    """Estimates of a model. States are pairs of a class and a property of the unit, or grades' θ.

    Parameters
    ----------
    model : str
    errors : (subjects, classes said, classes true, properties) float
        Probabilities; of the rating scale there are no classes but θ.
    log_prior : (states,) float
        Logarithms of their prevalence.
    states : (units, states) float
        Their probabilities, given the votes.
    log_joint : (units, states) float
    log_likelihood : float
        Of the votes, natural logarithm, without priors.
    n_iterations : int
    converged : bool
    prior : float
        Votes of the prior.
    of_class : (states, classes) float
        Probability of each class in each state.
    scale : RatingScale or None
        Severities and thresholds, by that model.
    """

    model: str
    errors: Floats
    log_prior: Floats
    states: Floats
    log_joint: Floats
    log_likelihood: float
    n_iterations: int
    converged: bool
    prior: float
    of_class: Floats
    scale: RatingScale | None = None

    @property
    def posterior(self) -> Floats:
        """Probability of each class, given the votes: (units, classes)."""
        return np.asarray(self.states @ self.of_class)

    @property
    @np.errstate(under="ignore")
    def prevalence(self) -> Floats:
        """Of each class: (classes,)."""
        share = np.exp(self.log_prior - np.logaddexp.reduce(self.log_prior))
        return np.asarray(share @ self.of_class)

    @property
    def log_errors(self) -> Floats:
        """(subjects, classes said, states)."""
        s, k = self.errors.shape[:2]
        return np.log(np.maximum(self.errors, _LEAST)).reshape(s, k, -1)

    @property
    @np.errstate(under="ignore")
    def confusion(self) -> Floats:
        """Errors over all units: (subjects, classes said, classes true)."""
        share = np.exp(self.log_prior)[:, None] * self.of_class
        share = divide(share, share.sum(axis=0))
        return np.asarray(np.exp(self.log_errors) @ share)


def fit_votes(
    votes: VoteTable,
    model: VoteModel = "dawid-skene",
    *,
    prior: float = PRIOR,
    start: Floats | None = None,
    tolerance: float = 1e-4,
    max_iterations: int = 200,
) -> FittedVotes:
    """Estimates of a model.

    Parameters
    ----------
    votes : VoteTable
    model : {"pooled", "one-coin", "dawid-skene", "glad", "clarity", "rating-scale"}
    prior : float
        Votes added to each subject's errors, spread as everybody's are; 0: maximum likelihood.
    start : (units, states) float, optional
        Probabilities to start from; by default each class's share of the votes.
    tolerance : float
        Largest change of a probability at which to stop.
    max_iterations : int
    """
    k = votes.n_classes
    if model == "rating-scale":
        how: Any = {"tolerance": tolerance, "max_iterations": max_iterations}
        return _of_scale(votes, fit_rating_scale(votes, **how), prior)
    maximise, log_share = _maximiser(model, votes.n_subjects, k, prior)
    given = votes.counts.sum(axis=0)
    most = (votes.counts >= _TWICE) & (votes.counts >= votes.counts.max(axis=1, keepdims=True))
    kept = (given >= _RARE * given.sum()) | most.any(axis=0)  # the rest are slips, and no classes
    kept |= not kept.any()
    half = kept * (_HALF if prior > 0 else 0.0)
    states = _start(votes, log_share, half, kept) if start is None else start
    likelihood, converged, iteration = -np.inf, False, 0
    log_prior = joint = errors = np.empty(0)
    transposed = votes.matrix.T.tocsr()
    while not converged and iteration < max_iterations:
        table = np.asarray(transposed @ states).reshape(votes.n_subjects, k, k, -1)
        errors, log_share = maximise(table, states)
        of_class = states.reshape(len(states), k, -1).sum(axis=(0, 2)) + half
        share = np.where(kept, np.log(np.maximum(of_class / of_class.sum(), _LEAST)), _NEVER)
        log_prior = (share[:, None] + log_share).ravel()
        log_errors = np.log(np.maximum(errors, _LEAST)).reshape(votes.n_subjects * k, -1)
        joint = np.asarray(votes.matrix @ log_errors) + log_prior
        before = states
        states, likelihood = softmax(joint)
        converged = bool(np.abs(states - before).max(initial=0.0) <= tolerance)
        iteration += 1
    of_class = np.repeat(np.eye(k), states.shape[1] // k, axis=0)
    found = errors, log_prior, states, joint, likelihood, iteration, converged, prior, of_class
    return FittedVotes(model, *found)


def _of_scale(votes: VoteTable, scale: RatingScale, prior: float) -> FittedVotes:
    """Classes are the grades that a subject of mean severity would give."""
    errors, of_class, log_weight = scale.tables()
    flat = np.log(errors).reshape(votes.n_subjects * votes.n_classes, -1)
    joint = np.asarray(votes.matrix @ flat) + log_weight
    found = scale.states, joint, scale.log_likelihood, scale.n_iterations, scale.converged
    return FittedVotes(
        "rating-scale", errors[:, :, None], log_weight, *found, prior, of_class, scale
    )


def _start(votes: VoteTable, log_share: Floats, half: Floats, kept: Bools) -> Floats:
    """Shares of the votes, drawn a little towards those of all units: (units, states)."""
    counts = votes.counts * kept
    share = counts + half * counts.sum(axis=0) / max(counts.sum(), _LEAST)
    share = divide(share, share.sum(axis=1, keepdims=True), fill=1 / votes.n_classes)
    return np.asarray((share[:, :, None] * np.exp(log_share)).reshape(len(share), -1))


#: (subjects, said, true, properties) expected votes and (units, states) → errors, log shares
Maximiser = Callable[[Floats, Floats], tuple[Floats, Floats]]


def _maximiser(model: str, s: int, k: int, prior: float) -> tuple[Maximiser, Floats]:
    """What finds errors, and logarithms of the shares of the properties at first."""
    one = np.zeros(1)
    if model == "pooled":
        return lambda table, _: (_repeated(_pooled(table.sum(axis=3)), s), one), one
    if model == "one-coin":
        return lambda table, _: (_coins(table.sum(axis=3), prior)[..., None], one), one
    if model == "dawid-skene":
        return lambda table, _: (_tables(table.sum(axis=3), prior)[..., None], one), one
    if model == "glad":
        glad = _Glad.start(s, k)
        return glad.maximise, glad.log_share
    clarity = _Clarity(prior)
    return clarity.maximise, np.log(_AT_FIRST)


def _repeated(pooled: Floats, s: int) -> Floats:
    return np.broadcast_to(pooled, (s, *pooled.shape))[..., None]


def _pooled(table: Floats) -> Floats:
    """Errors of all subjects together: (said, true), of expected votes (subjects, said, true)."""
    said = table.sum(axis=(0, 2))
    pooled = table.sum(axis=0) + _HALF * (said / max(said.sum(), _LEAST))[:, None]
    return divide(pooled, pooled.sum(axis=0), fill=1 / len(pooled))


def _wrong(pooled: Floats) -> Floats:
    """Shares of the wrong answers: (said, true), 0 where both are the same."""
    wrong = np.where(np.eye(len(pooled), dtype=bool), 0.0, pooled)
    return np.asarray(wrong / np.maximum(wrong.sum(axis=0), _LEAST))


def _coins(table: Floats, prior: float) -> Floats:
    """Errors (subjects, said, true) with one probability of being right for each subject."""
    right, total = np.einsum("skk->s", table), table.sum(axis=(1, 2))
    mean = (right.sum() + _HALF) / (total.sum() + 2 * _HALF)
    q = divide(right + prior * mean, total + prior, fill=mean)[:, None, None]
    return np.where(np.eye(table.shape[1], dtype=bool), q, (1 - q) * _wrong(_pooled(table)))


def _tables(table: Floats, prior: float) -> Floats:
    """Errors (subjects, said, true), each subject's own."""
    shrunk = table + prior * _pooled(table)
    return divide(shrunk, shrunk.sum(axis=1, keepdims=True), fill=1 / table.shape[1])


@dataclass(slots=True, eq=False)
class _Glad:
    """P(right) = logit⁻¹(a_s b(x) - log(K - 1)), b(x) = exp(σx - σ²/2), x normal.

    A unit on which b is near 0 is guessed. Parameters move by Fisher's scoring in each step.
    """

    a: Floats  # (subjects,)
    x: Floats  # (properties,)
    log_share: Floats
    chance: float
    sigma: float = 1.0
    mean: float = 1.5
    variance: float = 1.0

    @classmethod
    def start(cls, s: int, k: int) -> _Glad:
        """All subjects alike."""
        x, weight = np.polynomial.hermite_e.hermegauss(_DIFFICULTIES)
        return cls(np.full(s, 1.5), x, np.log(weight / weight.sum()), float(np.log(max(k - 1, 1))))

    def maximise(self, table: Floats, _: Floats) -> tuple[Floats, Floats]:
        right, total = np.einsum("skkh->sh", table), table.sum(axis=(1, 2))  # (subjects, h)
        for _step in range(2):
            b = self._slopes
            p = self._right(b)
            of_a = total * p * (1 - p) * b * b
            size = of_a.sum(axis=1) + 1 / self.variance
            gradient = ((right - total * p) * b).sum(axis=1) - (self.a - self.mean) / self.variance
            self.a = np.clip(self.a + np.clip(gradient / size, -1, 1), -6, 12)
            p = self._right(b)
            by_sigma = b * (self.x - self.sigma) * self.a[:, None]
            curvature = (total * p * (1 - p) * by_sigma**2).sum() + 1e-9
            step = float(((right - total * p) * by_sigma).sum() / curvature)
            self.sigma = float(np.clip(self.sigma + np.clip(step, -0.2, 0.2), 0, 2.5))
        self.mean = float(self.a.mean())
        spread = np.mean((self.a - self.mean) ** 2 + 1 / size)
        self.variance = float(np.clip(spread, 0.02, 9))
        p = self._right(self._slopes)[:, None, None, :]
        wrong = _wrong(_pooled(table.sum(axis=3)))[None, :, :, None]
        same = np.eye(table.shape[1], dtype=bool)[None, :, :, None]
        return np.where(same, p, (1 - p) * wrong), self.log_share

    @property
    def _slopes(self) -> Floats:
        return np.exp(self.sigma * self.x - self.sigma**2 / 2)

    def _right(self, slopes: Floats) -> Floats:
        return np.asarray(special.expit(self.a[:, None] * slopes - self.chance))


@dataclass(slots=True, eq=False)
class _Clarity:
    """Errors (1 - d) e_s[l, k] + d g_s[l]: a share d of a unit's votes are guesses by habit."""

    prior: float
    errors: Floats | None = None  # e: (subjects, said, true)
    habits: Floats | None = None  # g: (subjects, said)

    def maximise(self, table: Floats, states: Floats) -> tuple[Floats, Floats]:
        guessed, by_class = np.array(_GUESSED), table.sum(axis=3)
        if self.errors is None or self.habits is None:
            pooled = _pooled(by_class)
            self.errors = np.broadcast_to(pooled, by_class.shape)
            self.habits = np.broadcast_to(pooled.mean(axis=1), by_class.shape[:2])
        meant = self.errors[..., None] * (1 - guessed)
        by_habit = self.habits[:, :, None, None] * guessed
        of_meant = table * meant / np.maximum(meant + by_habit, _LEAST)
        self.errors = _tables(of_meant.sum(axis=3), self.prior)
        own = (table - of_meant).sum(axis=(2, 3))  # (subjects, said)
        habit = own.sum(axis=0) + _HALF
        shrunk = own + max(self.prior, _LEAST) * habit / habit.sum()
        self.habits = shrunk / shrunk.sum(axis=1, keepdims=True)
        share = states.reshape(len(states), table.shape[1], -1).sum(axis=(0, 1)) + 1
        mixed = self.errors[..., None] * (1 - guessed) + self.habits[:, :, None, None] * guessed
        return mixed, np.log(share / share.sum())


# How far accuracies are known.


def accuracies(votes: VoteTable, fitted: FittedVotes) -> tuple[Floats, Floats]:
    """How often each subject is right over all units, and its votes: (subjects,) each.

    The former is drawn towards everybody's by the votes of the prior, as errors are.
    """
    table = np.asarray(votes.matrix.T @ fitted.posterior)
    table = table.reshape(votes.n_subjects, votes.n_classes, -1)
    right, total = np.einsum("skk->s", table), table.sum(axis=(1, 2))
    mean = divide(np.array([right.sum()]), np.array([total.sum()]))[0]
    return divide(right + fitted.prior * mean, total + fitted.prior, fill=np.nan), total


def log_odds_errors(votes: VoteTable, fitted: FittedVotes) -> Floats:
    """Standard errors of the log odds of each accuracy, by observed information: (subjects,).

    A subject's errors are tilted: those of being right by eᵗ, relative to the others; for a single
    probability of being right t is its log odds. The information of all tilts, with the prior's
    votes, is that of known states less the covariance of the scores given the votes (Louis 1982).
    """
    n, s, k = votes.sizes
    right = np.einsum("skkh->skh", fitted.errors).reshape(s, -1)  # (subjects, states)
    of_state = np.asarray(votes.matrix.T @ fitted.states).reshape(s, k, -1).sum(axis=1)
    share = of_state / np.maximum(of_state.sum(axis=1, keepdims=True), _LEAST)
    known = (of_state + fitted.prior * share) * right * (1 - right)
    order = np.argsort(votes.unit, kind="stable")
    unit, subject, value = votes.unit[order], votes.subject[order], votes.value[order]
    ends = np.append(0, np.bincount(unit, minlength=n).cumsum())
    mean, missing = np.zeros(len(unit)), np.zeros((s, s))
    for state in range(right.shape[1]):
        p, is_right = fitted.states[unit, state], value == state * k // right.shape[1]
        score = votes.weight[order] * (is_right - right[subject, state])
        tables = [sparse.csr_array((x, subject, ends), shape=(n, s)) for x in (score, p * score)]
        missing += (tables[0].T @ tables[1]).todense()
        mean += p * score
    table = sparse.csr_array((mean, subject, ends), shape=(n, s))
    information = np.diag(known.sum(axis=1)) - missing + (table.T @ table).todense()
    value, vector = np.linalg.eigh((information + information.T) / 2)
    inverse = (vector / np.maximum(value, 0.05)) @ vector.T
    return np.sqrt(np.diag(inverse))
