"""Models of votes, chosen and contradicted by the votes themselves.

The choice is by votes that were held out of the fit. Whether subjects err independently is tested
by a parametric bootstrap of a model in which they do: votes drawn from it, on the same units by the
same people, and fitted anew. Both are about votes, and neither about what is true.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from fuzzytruth._lazy import sparse
from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.core.workers import in_parallel
from fuzzytruth.stats.votes.models import FittedVotes, VoteModel, fit_votes
from fuzzytruth.stats.votes.table import VoteTable, softmax

#: models to choose from, the simplest first
CANDIDATES: tuple[VoteModel, ...] = ("pooled", "one-coin", "dawid-skene", "glad", "clarity")
#: those by which subjects err independently, each in a way of its own
INDEPENDENT: tuple[VoteModel, ...] = ("one-coin", "dawid-skene")
_FOLDS = 10
_LOOSE, _ROUNDS = 1e-3, 100  # tolerance and iterations of fits that are many
_LEAST = 1e-9
_WEIGHTS = (2, 1)  # of the two statistics of the check
_POWERS = 30  # of a matrix, for its eigenvalue


def sampled_units(votes: VoteTable, most: int, rng: np.random.Generator) -> VoteTable:
    """Whole units, as many as have `most` votes together at most; all of them if they do."""
    if len(votes.unit) <= most:
        return votes
    return votes.of_units(some_units(votes.unit, votes.n_units, most, rng))


def some_units(unit: Ints, n_units: int, most: int, rng: np.random.Generator) -> Ints:
    """Units at random, ascending, as many as have `most` votes together at most, and one at least.

    `unit` is that of each vote.
    """
    order = rng.permutation(n_units)
    sizes = np.bincount(unit, minlength=n_units)[order]
    n = max(int(np.searchsorted(sizes.cumsum(), most, side="right")), 1)
    return np.sort(order[:n])


@dataclass(frozen=True, slots=True, eq=False)
class HeldOut:
    """What models say of votes that they were not fitted to.

    Parameters
    ----------
    scores : dict of str to (votes,) float
        Natural logarithm of the probability of each vote, by model.
    expected : (votes, classes) float
        Probability of each class, by the chosen model.
    value : (votes,) int
        What was said.
    """

    scores: dict[str, Floats]
    expected: Floats
    value: Ints

    @property
    def chosen(self) -> VoteModel:
        """The model with the largest mean score."""
        return cast(VoteModel, _best(self.scores))

    @property
    def independent(self) -> VoteModel:
        """The same, among those by which subjects err independently."""
        return cast(VoteModel, _best({name: self.scores[name] for name in INDEPENDENT}))

    def curve(self, bins: int = 10) -> Floats:
        """Predicted and observed shares of votes, and their number, in bins: (3, bins).

        Of the classes that are most probable, by their probability; NaN without votes.
        """
        most = self.expected.argmax(axis=1)
        probability = self.expected.max(axis=1)
        said = (self.value == most).astype(np.float64)
        place = np.minimum((probability * bins).astype(np.int64), bins - 1)
        n = np.bincount(place, minlength=bins).astype(np.float64)
        sums = [np.bincount(place, one, bins) for one in (probability, said)]
        return np.array([*(divide(one, n, fill=np.nan) for one in sums), n])


def held_out(
    votes: VoteTable,
    models: Sequence[VoteModel],
    *,
    prior: float,
    rng: np.random.Generator,
    group: Ints | None = None,
    n_jobs: int = 1,
) -> HeldOut:
    """Scores of votes held out in ten folds, which all models share.

    Parameters
    ----------
    group : (subjects,) int, optional
        Subjects whose votes on a unit are held out together, as they copy each other.
    """
    group = np.arange(votes.n_subjects) if group is None else group  # repeated votes together
    key = np.unique(votes.by_unit(group), return_inverse=True)[1]
    fold = rng.integers(0, _FOLDS, int(key.max(initial=0)) + 1)[key]
    tasks = [(votes, fold == number, model, prior) for model in models for number in range(_FOLDS)]
    parts = in_parallel(_of_fold, tasks, n_jobs, prefer="threads")
    predicted: dict[str, Floats] = {}
    for (_, out, model, _), part in zip(tasks, parts, strict=True):
        table = predicted.setdefault(model, np.zeros((len(votes.unit), votes.n_classes)))
        table[out] = part
    at = np.arange(len(votes.unit))
    scores = {
        name: np.log(np.maximum(table[at, votes.value], _LEAST))
        for name, table in predicted.items()
    }
    return HeldOut(scores, predicted[_best(scores)], votes.value)


def _best(scores: dict[str, Floats]) -> str:
    return max(scores, key=lambda name: scores[name].sum())


def _of_fold(votes: VoteTable, out: Bools, model: VoteModel, prior: float) -> Floats:
    """Probabilities of the votes that are left out: (left out, classes)."""
    how: Any = {"prior": prior, "tolerance": _LOOSE, "max_iterations": _ROUNDS}
    fitted = fit_votes(votes.take(~out), model, **how)
    s, k = votes.n_subjects, votes.n_classes
    errors = fitted.errors.reshape(s, k, -1)[votes.subject[out]]
    return np.asarray(np.einsum("vz,vlz->vl", fitted.states[votes.unit[out]], errors))


# Whether the votes contradict a model.


@dataclass(frozen=True, slots=True, eq=False)
class ModelCheck:
    """Whether votes contradict a model, and by how much.

    Parameters
    ----------
    model : str
        By which the errors of subjects are independent, given what is true of the unit.
    p : float
        Of the model being true.
    agree, expected : float
        Share of pairs of votes on a unit that agree, and what the model expects of them, given the
        unit's other votes; NaN where there are none.
    n_simulated, n_units : int
        Simulations, and units that were looked at.
    """

    model: str
    p: float
    agree: float
    expected: float
    n_simulated: int
    n_units: int


def check_model(
    votes: VoteTable,
    fitted: FittedVotes,
    *,
    rng: np.random.Generator,
    n_simulated: int = 39,
    n_jobs: int = 1,
) -> ModelCheck:
    """Compare the votes with votes that are drawn from a model fitted to them.

    Two statistics: whether all pairs of votes on a unit agree more often than the unit's other
    votes let expect; and how much some subjects agree with each other by more than that (the
    largest eigenvalue of the matrix of what is above it, by pairs of subjects). Each is
    standardised over the simulations and the data, and their weighted sums are compared.
    """
    own, agree, expected = _statistics(votes, fitted)
    tasks = [(votes, fitted, seed) for seed in rng.spawn(n_simulated)]
    every = np.array([own, *in_parallel(_simulated, tasks, n_jobs, prefer="threads")])
    spread = every.std(axis=0)
    standard = (every - every.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    total = standard @ np.array(_WEIGHTS)
    reached = int((total[1:] >= total[0] - 1e-9).sum())
    p = (1 + reached) / (n_simulated + 1)
    return ModelCheck(fitted.model, p, agree, expected, n_simulated, votes.n_units)


def _simulated(votes: VoteTable, fitted: FittedVotes, rng: np.random.Generator) -> Floats:
    """Statistics of votes drawn from the model, which is fitted to them."""
    share = np.exp(fitted.log_prior - np.logaddexp.reduce(fitted.log_prior))
    state = rng.choice(len(share), votes.n_units, p=share / share.sum())
    k = votes.n_classes
    errors = fitted.errors.reshape(votes.n_subjects, k, -1)
    chance = errors[votes.subject, :, state[votes.unit]]
    ends = chance.cumsum(axis=1) / chance.sum(axis=1, keepdims=True)
    value = (rng.random(len(votes.unit))[:, None] > ends).sum(axis=1).clip(0, k - 1)
    again = votes.revoted(value)
    model: Any = fitted.model
    how: Any = {"prior": fitted.prior, "tolerance": _LOOSE, "max_iterations": _ROUNDS}
    return _statistics(again, fit_votes(again, model, **how))[0]


def _statistics(votes: VoteTable, fitted: FittedVotes) -> tuple[Floats, float, float]:
    """The two statistics; the share of pairs that agree, and that expected."""
    first, second = pairs_within(votes.unit, votes.n_units)
    two = votes.subject[first] != votes.subject[second]
    first, second = first[two], second[two]
    if not len(first):
        return np.zeros(2), np.nan, np.nan
    errors = np.exp(fitted.log_errors)  # (subjects, said, states)
    own = fitted.log_errors[votes.subject, votes.value] * votes.weight[:, None]  # (votes, states)
    a, b, n = votes.subject[first], votes.subject[second], votes.n_subjects
    pair = np.minimum(a, b).astype(np.int64) * n + np.maximum(a, b)
    kinds, place = np.unique(pair, return_inverse=True)
    same = np.zeros((len(kinds), errors.shape[2]))  # (pairs of subjects, states)
    for value in range(votes.n_classes):
        same += errors[kinds // n, value] * errors[kinds % n, value]
    others, _ = softmax(fitted.log_joint[votes.unit[first]] - own[first] - own[second])
    expected = np.einsum("pz,pz->p", others, same[place]).clip(1e-4, 1 - 1e-4)
    agree = (votes.value[first] == votes.value[second]).astype(np.float64)
    excess = agree - expected
    variance = np.bincount(place, expected * (1 - expected), len(kinds))
    z = np.bincount(place, excess, len(kinds)) / np.sqrt(variance + 0.5)
    total = np.bincount(votes.unit[first], excess, votes.n_units)
    every = total.sum() / np.sqrt((total**2).sum() + _LEAST)
    found = [every, _largest_root(kinds // n, kinds % n, np.maximum(z, 0), n)]
    return np.array(found), float(agree.mean()), float(expected.mean())


def _largest_root(row: Ints, column: Ints, value: Floats, n: int) -> float:
    """The largest eigenvalue, nearly, of a symmetric matrix (n, n) of numbers of 0 or more.

    From the numbers above its diagonal, which is 0.
    """
    upper = sparse.csr_array((value, (row, column)), shape=(n, n))
    matrix, vector = upper + upper.T, np.ones(n)
    for _ in range(_POWERS):
        vector = matrix @ (vector / max(float(np.linalg.norm(vector)), _LEAST))
    return float(np.linalg.norm(vector))


def pairs_within(unit: Ints, n_units: int) -> tuple[Ints, Ints]:
    """Places of all pairs of votes on one unit: (pairs,) each."""
    order, sizes = np.argsort(unit, kind="stable"), np.bincount(unit, minlength=n_units)
    starts = sizes.cumsum() - sizes
    first, second = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for size in np.unique(sizes[sizes > 1]).tolist():
        at = starts[sizes == size]
        left, right = np.triu_indices(size, 1)
        first.append((at[:, None] + left).ravel())
        second.append((at[:, None] + right).ravel())
    return order[np.concatenate(first)], order[np.concatenate(second)]
