"""`reliability`: how right the panel's answers are, and what is said of that and of people."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit

import fuzzytruth as ft
from fuzzytruth._typing import Floats, Ints
from fuzzytruth.stats.votes.checks import check_model
from fuzzytruth.stats.votes.copies import find_copies
from fuzzytruth.stats.votes.models import fit_votes
from fuzzytruth.stats.votes.rating_scale import fit_rating_scale, severity_errors
from fuzzytruth.stats.votes.table import VoteTable
from validity.rates import Counts, add

LEVEL = 0.95
ITEMS, GRADES = 200, 4
CROWDS = ("coin", "ds", "spam", "rare", "missing", "hard", "copies", "communities")
#: whose votes one of the models describes, and in which people err independently
TRUE = ("coin", "ds")
INDEPENDENT = ("coin", "ds", "spam", "rare", "missing", "hard")
#: people, votes an item, answers
DESIGNS = ((5, 5, 2), (10, 3, 2), (20, 5, 3), (20, 20, 2), (50, 5, 2))
SCALES = ((5, 5), (10, 3), (20, 5), (50, 20))
_MEAN, _DEVIATION = 0.75, 0.1  # of accuracies
_RARE = 0.01
_COPIED = 0.95
_SEVERITY, _VALUE, _THRESHOLDS = 0.7, 1.5, (-1.2, 0.0, 1.2)


def settings() -> Iterator[dict[str, Any]]:
    """All crowds and designs."""
    for crowd in CROWDS:
        for n_people, n_votes, n_answers in DESIGNS:
            size = {"n_people": n_people, "n_votes": n_votes, "n_answers": n_answers}
            yield {"crowd": crowd, **size}


def scale_settings() -> Iterator[dict[str, Any]]:
    """People and votes an item."""
    for n_people, n_votes in SCALES:
        yield {"n_people": n_people, "n_votes": n_votes}


@dataclass(frozen=True)
class Crowd:
    """Votes whose truth is known.

    Parameters
    ----------
    votes : VoteTable
    truth : (items,) int
    accuracy : (people,) float
        Of each one, over all items that there could be.
    common : (items,) int, optional
        What the people would say most often, if they voted without end; by default what is true.
    """

    votes: VoteTable
    truth: Ints
    accuracy: Floats
    common: Ints | None = None


def people(
    crowd: str,
    n_people: int,
    n_votes: int,
    n_answers: int,
    *,
    sets: int,
    seed: np.random.SeedSequence,
) -> Counts:
    """Gaps between probabilities and shares right, what is said of them, and coverage."""
    total: Counts = {}
    for child in seed.spawn(sets):
        rng = np.random.default_rng(child)
        drawn = simulated(crowd, n_people, n_votes, n_answers, rng)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ft.FuzzytruthWarning)
            result = ft.reliability(_assignments(drawn.votes), level=LEVEL, rng=child.spawn(1)[0])
        fit = result.fit
        _calibration(total, "chosen", _every_answer(result, n_answers), drawn.truth)
        if drawn.common is not None:
            _calibration(total, "common", _every_answer(result, n_answers), drawn.common)
        table, model = drawn.votes, fit.method
        for name, prior in (("dawid-skene", 4.0), ("likelihood", 0.0)):
            posterior = fit_votes(table, "dawid-skene", prior=prior).posterior
            _calibration(total, name, posterior, drawn.truth)
        most = table.counts >= table.counts.max(axis=1, keepdims=True)
        _calibration(total, "majority", most / most.sum(axis=1, keepdims=True), drawn.truth)
        if fit.check is not None:
            add(total, "contradicted", fit.check.p <= 1 - LEVEL + 1e-9)
            every = fit.check.p
            if fit.once:
                settings: Any = {"rng": rng, "n_simulated": 39}
                tested: Any = fit.check.model
                every = check_model(table, fit_votes(table, tested), **settings).p
            add(total, "contradicted: all votes", every <= 1 - LEVEL + 1e-9)
        _copies(total, table, model, drawn.truth)
        add(total, "copies: once", fit.once)
        known = np.isfinite(fit.lower)
        accuracy = drawn.accuracy[[int(name) for name in result.ratings.named("people")]]
        inside = (fit.lower <= accuracy) & (accuracy <= fit.upper)
        if known.any():
            add(total, "cover: accuracy", inside[known].mean())
            add(total, "width: accuracy", (fit.upper - fit.lower)[known].mean())
    return total


def _calibration(total: Counts, name: str, posterior: Floats, truth: Ints) -> None:
    """The most probable answers (ties: the share of them that are right), and what is said."""
    most = posterior >= posterior.max(axis=1, keepdims=True) - 1e-12
    right = most[np.arange(len(truth)), truth] / most.sum(axis=1)
    add(total, f"{name}: right", right.mean())
    add(total, f"{name}: gap", posterior.max(axis=1).mean() - right.mean())


def _copies(total: Counts, table: VoteTable, model: Any, truth: Ints) -> None:
    """What counting clusters of near-copies once changes, whether or not it is done unasked."""
    found = find_copies(table)
    add(total, "copies: found", found.any)
    add(total, "copies: effective", found.effective)
    right = []
    for votes in (table, found.weigh(table) if found.any else table):
        posterior = fit_votes(votes, model).posterior
        right.append((posterior.argmax(axis=1) == truth).mean())
        said = posterior.max(axis=1).mean()
    add(total, "copies: gap", said - right[1])
    add(total, "copies: change", right[1] - right[0])


def _every_answer(result: ft.results.Reliability, answers: int) -> Floats:
    """The posterior, with columns for answers that nobody gave."""
    posterior = np.zeros((len(result.fit.posterior), answers))
    posterior[:, [int(name) for name in result.ratings.names]] = result.fit.posterior
    return posterior


def _assignments(votes: VoteTable) -> ft.Assignments:
    return ft.Assignments.from_columns(
        [f"{s:02d}" for s in votes.subject],
        [f"{u:03d}" for u in votes.unit],
        [*map(str, votes.value)],
    )


def simulated(crowd: str, s: int, m: int, k: int, rng: np.random.Generator) -> Crowd:
    """Votes of `m` of `s` people on each item, for `k` answers."""
    share = np.full(k, 1 / k)
    if crowd == "rare":
        share = np.append(np.full(k - 1, (1 - _RARE) / (k - 1)), _RARE)
    truth = rng.choice(k, ITEMS, p=share)
    unit = np.repeat(np.arange(ITEMS), m)
    subject = _voters(s, m, rng)
    if crowd == "missing":  # half of the votes, but two, on items of the first class
        place = np.tile(np.arange(m), ITEMS)
        kept = (truth[unit] > 0) | (place < max(m // 2, 2))
        unit, subject = unit[kept], subject[kept]
    size = _MEAN * (1 - _MEAN) / _DEVIATION**2 - 1
    own = rng.beta(_MEAN * size, (1 - _MEAN) * size, s)
    if crowd == "ds":
        other = (1 - _MEAN) / (k - 1)
        tables = np.array(
            [
                [rng.dirichlet(8 * np.where(np.arange(k) == j, _MEAN, other)) for j in range(k)]
                for _ in range(s)
            ]
        )
        ends = tables[subject, truth[unit]].cumsum(axis=1)
        value = (rng.random(len(unit))[:, None] > ends).sum(axis=1).clip(0, k - 1)
        accuracy = np.einsum("skk,k->s", tables, share)
        return Crowd(VoteTable.of(unit, subject, value, (ITEMS, s, k)), truth, accuracy)
    p, common = own[subject], None
    if crowd == "hard":
        able, easy = rng.normal(1.8, 0.6, s), 1.5 * rng.normal(size=ITEMS)
        p = expit(able[subject] + easy[unit])
        often = expit(able[:, None] + easy).mean(axis=0)
        common = np.where(often > 1 / k, truth, (truth + 1) % k)
        x, weight = np.polynomial.hermite_e.hermegauss(41)
        own = expit(able[:, None] + 1.5 * x) @ (weight / weight.sum())
    if crowd == "spam":
        own = np.where(rng.random(s) < 0.3, 1 / k, own)
        p = own[subject]
    decoy = (truth + rng.integers(1, k, ITEMS)) % k
    value = (truth[unit] + rng.integers(1, k, len(unit))) % k
    value = np.where(rng.random(len(unit)) < p, truth[unit], value)
    if crowd == "communities":  # two in five people, on three items of ten
        member, other = rng.random(s) < 0.4, rng.random(ITEMS) < 0.3
        sees = member[subject] & other[unit] & (rng.random(len(unit)) < 0.85)
        value = np.where(sees, decoy[unit], value)
        own = np.where(member, (1 - 0.3 * 0.85) * own, own)
    if crowd == "copies":  # three in ten people, of the first of them
        copy = np.arange(s) < max(2, round(0.3 * s))
        first = np.where(rng.random(ITEMS) < own[0], truth, decoy)
        again = copy[subject] & (rng.random(len(unit)) < _COPIED)
        value = np.where(again, first[unit], value)
        own = np.where(copy, _COPIED * own[0] + (1 - _COPIED) * own, own)
    return Crowd(VoteTable.of(unit, subject, value, (ITEMS, s, k)), truth, own, common)


def _voters(s: int, m: int, rng: np.random.Generator) -> Ints:
    """`m` of `s` people for each item, one after the other."""
    return rng.permuted(np.tile(np.arange(s), (ITEMS, 1)), axis=1)[:, :m].ravel()


def severities(n_people: int, n_votes: int, *, sets: int, seed: np.random.SeedSequence) -> Counts:
    """Coverage of severities by the rating-scale model, about their mean."""
    total: Counts = {}
    z = 1.959964
    for child in seed.spawn(sets):
        rng = np.random.default_rng(child)
        severity = rng.normal(0, _SEVERITY, n_people)
        value = rng.normal(0, _VALUE, ITEMS)
        unit = np.repeat(np.arange(ITEMS), n_votes)
        subject = rng.permuted(np.tile(np.arange(n_people), (ITEMS, 1)), axis=1)[
            :, :n_votes
        ].ravel()
        steps = (value[unit] - severity[subject])[:, None] - np.array(_THRESHOLDS)
        odds = np.exp(np.concatenate([np.zeros((len(unit), 1)), steps.cumsum(axis=1)], axis=1))
        ends = odds.cumsum(axis=1) / odds.sum(axis=1, keepdims=True)
        grade = (rng.random(len(unit))[:, None] > ends).sum(axis=1)
        table = VoteTable.of(unit, subject, grade, (ITEMS, n_people, GRADES))
        fitted = fit_rating_scale(table)
        off = np.abs(fitted.severity - (severity - severity.mean()))
        error = severity_errors(table, fitted)
        add(total, "cover: severity", (off <= z * error).mean())
        add(total, "width: severity", 2 * z * error.mean())
        add(total, "correlation", np.corrcoef(fitted.severity, severity)[0, 1])
    return total
