"""Scores by people's own truths, when each unit's votes were handed to its voters at random."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from fuzzytruth._lazy import pa, pd
from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.cells import grouped_mean
from fuzzytruth.core.clusters import nan_mean
from fuzzytruth.data.assignments import Assignments
from fuzzytruth.data.by_example import ByExample, ByItem
from fuzzytruth.data.judgments import Judgments, taken
from fuzzytruth.data.ratings import Ratings
from fuzzytruth.data.runs import Runs
from fuzzytruth.errors import FuzzytruthWarning, OptionError
from fuzzytruth.evaluation.evaluate import evaluate
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.io.ids import encode, take
from fuzzytruth.stats.vote_structure import Options, VotePattern, min_p, p_values

Truth = Judgments | ByExample | ByItem
_ROWS = 200_000  # judgments of the truths that are evaluated together
_CONSTANT = 1e-9  # standard deviation over permutations of a mean that does not vary


# No slots: cached properties need a `__dict__`.
@dataclass(frozen=True, eq=False)
class PermutedScores:
    """Means by each person's own truth, observed and for permuted votes.

    Parameters
    ----------
    truth : Judgments, ByExample or ByItem
    ratings : Ratings
        Of its votes.
    pattern : VotePattern
    runs : Runs
    measures : sequence of str
    options : mapping
        Of `evaluate`.
    most : int
        Permutations that are evaluated.
    """

    truth: Truth
    ratings: Ratings
    pattern: VotePattern
    runs: Runs
    measures: Any
    options: Mapping[str, Any]
    most: int = 10**9
    _permuted: list[tuple[Floats, Floats]] = field(default_factory=list)

    @cached_property
    def observed(self) -> Scores:
        """By each person's own truth."""
        return self._scores(self.truth)

    def add(self, draws: Options) -> None:
        """Evaluate permutations, (draws, votes), as many as `most` in all."""
        draws = draws[: self.most - sum(len(people) for _, people in self._permuted)]
        rows = self.ratings.row[self.pattern.vote]
        source = np.empty(len(self.pattern.value), np.int64)  # a row that has the option
        source[self.pattern.option] = rows
        size = max(1, _ROWS // len(self.ratings.row))
        for first in range(0, len(draws), size):
            some = draws[first : first + size]
            every = np.arange(len(self.ratings.row))
            gives = np.tile(every, (len(some), 1))  # (draws, rows): whose value each row has
            gives[:, rows] = source[some]
            with warnings.catch_warnings():  # the observed scores have warned
                warnings.simplefilter("ignore", FuzzytruthWarning)
                scores = self._scores(_permuted(self.truth, gives))
            self._permuted.append(self._means(scores, len(some)))

    def _scores(self, truth: Truth) -> Scores:
        return evaluate(truth, self.runs, self.measures, worlds="subject", **self.options)

    def _means(self, scores: Scores, n_draws: int) -> tuple[Floats, Floats]:
        """Mean over queries, and of each person: (draws, systems, measures[, people])."""
        people = self.observed.subjects or ()
        place = {name: at for at, name in enumerate(people)}
        copy = [name.rpartition(_MARK) for name in scores.subjects or ()]
        draw, person = np.array([(int(draw), place[name]) for name, _, draw in copy]).T
        cells, n_queries = scores.cells, len(scores.queries)

        def by(group: Ints, n: int) -> Floats:  # (draws, systems, measures, n)
            means = grouped_mean(scores.values, group, n_draws * n)
            return np.moveaxis(means.reshape(*means.shape[:2], n_draws, n), 2, 0)

        draw, person = draw[cells.subject_codes], person[cells.subject_codes]
        of_queries = nan_mean(by(draw * n_queries + cells.query, n_queries), -1)
        return of_queries, by(draw * len(people) + person, len(people))

    @cached_property
    def _tables(self) -> tuple[Floats, Floats]:
        """Means by person, observed (systems, measures, people) and permuted (draws, ...)."""
        own = self.observed.cells.mean_by_subject(self.observed.values)
        return own, np.concatenate([people for _, people in self._permuted])

    def means(self) -> pd.DataFrame:
        """One row for each system and measure: the people's own mean and its spread.

        Columns: system, measure, own (mean over queries of the people's scores), permuted (the same
        on average over permutations), p_own (two-sided; NaN where the mean is the same whoever gave
        the votes), p_own_adjusted (for all rows), sd (over people), sd_permuted, p_sd (of more
        spread).
        """
        scores, (own, permuted) = self.observed, self._tables
        keys = [scores.systems, tuple(map(str, scores.measures))]
        index = pd.MultiIndex.from_product(keys, names=["system", "measure"])
        by_query = scores.cells.mean_by_query(scores.values)
        mean, means = nan_mean(by_query, -1).ravel(), [each for each, _ in self._permuted]
        null = np.concatenate(means).reshape(len(permuted), -1)
        away = np.vstack([mean, null])
        away, varies = np.abs(away - away.mean(0)).T, null.std(0) > _CONSTANT
        p, adjusted = np.full((2, len(mean)), np.nan)
        if varies.any():
            observed = away[varies, 0], away[varies, 1:]
            p[varies], adjusted[varies] = p_values(*observed), min_p(*observed)
        columns = {"own": mean, "permuted": null.mean(0), "p_own": p, "p_own_adjusted": adjusted}
        return _spreads(own, permuted, index.to_frame(index=False).assign(**columns))

    def differences(self) -> pd.DataFrame:
        """One row for each measure and pair of systems: the spread of the difference over people.

        Columns: measure, system_a, system_b, sd, sd_permuted, p_sd; p_adjusted is for all pairs
        and measures together.
        """
        scores, (own, permuted) = self.observed, self._tables
        pairs = list(combinations(range(len(scores.systems)), 2))
        if not pairs:
            return pd.DataFrame()
        a, b = np.array(pairs).T
        rows = [
            (str(m), scores.systems[i], scores.systems[j])
            for i, j in pairs
            for m in scores.measures
        ]
        keys = pd.DataFrame(rows, columns=["measure", "system_a", "system_b"])
        return _spreads(own[a] - own[b], permuted[:, a] - permuted[:, b], keys, adjusted=True)


def _spreads(
    own: Floats, permuted: Floats, keys: pd.DataFrame, *, adjusted: bool = False
) -> pd.DataFrame:
    """Standard deviations over people, of values (..., people) and (draws, ..., people)."""
    sd = np.nanstd(own, axis=-1, ddof=1).ravel()
    null = np.nanstd(permuted, axis=-1, ddof=1).reshape(len(permuted), -1)
    keys["sd"], keys["sd_permuted"] = sd, np.sqrt((null**2).mean(0))
    keys["p_sd"] = p_values(sd, null.T)
    if adjusted:
        keys["p_adjusted"] = min_p(sd, null.T)
    return keys


_MARK = "\t"  # before the number of the draw in a copy's name


def _permuted(truth: Truth, gives: Ints) -> Truth:
    """The truth whose subjects are the people of every draw, with values of other rows.

    Parameters
    ----------
    gives : (draws, rows) int
        The row whose value each row has.
    """
    if isinstance(truth, Judgments):
        return _permuted_judgments(truth, gives)
    votes = _permuted_votes(truth.votes, gives)  # type: ignore[arg-type]
    return replace(truth, votes=votes)


def _permuted_judgments(truth: Judgments, gives: Ints) -> Judgments:
    n_draws, n = gives.shape
    codes, names = encode(truth.subject)
    copies = _copies(names.to_pylist(), n_draws)
    subject = (np.arange(n_draws)[:, None] * len(names) + codes).ravel()
    rows = np.tile(np.arange(n), n_draws)
    return taken(truth, rows, grade=truth.grade[gives.ravel()], subject=take(copies, subject))


def _permuted_votes(votes: Assignments, gives: Ints) -> Assignments:
    n_draws, n = gives.shape
    names = votes.subject_names or ()
    subject = (np.arange(n_draws)[:, None] * len(names) + votes.subject).ravel()
    item = np.tile(votes.item, n_draws)
    order = np.lexsort((subject, item))
    row = np.tile(np.arange(n), n_draws)[order]
    item, subject = item[order], subject[order]
    asked = votes.asked
    if asked is not None:
        asked = replace(
            asked, item=item, subject=subject, label_set=asked.label_set[row], first_row=order
        )
    return replace(
        votes,
        subjects=_copies(names, n_draws),
        item=item,
        subject=subject,
        label_set=votes.label_set[gives.ravel()[order]],
        weight=votes.weight[row],
        asked=asked,
    )


def _copies(names: Any, n_draws: int) -> pa.LargeStringArray:
    """Names of the people of each draw."""
    copies = [f"{name}{_MARK}{draw}" for draw in range(n_draws) for name in names]
    return pa.array(copies, pa.large_string())


def check_single_votes(ratings: Ratings) -> None:
    """Raise if own truths are uncertain, by repeated votes, or names are no people."""
    if ratings.nested:
        raise OptionError(
            "runs: own truths are of people who judge several queries, and these are nested in "
            "queries; leave out runs and measures"
        )
    if (ratings.weight != 1).any():
        raise OptionError(
            "runs: own truths of people with repeated votes are not permuted; leave out runs and "
            "measures, or give one vote of each person on each item"
        )
