"""`structure`: whether it matters who gave which vote."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from fuzzytruth._lazy import pa, pd
from fuzzytruth._typing import Floats, Ints
from fuzzytruth.annotators.coefficients.agreement_metrics import unit_word
from fuzzytruth.comparison.verdicts import named_p
from fuzzytruth.core import validation
from fuzzytruth.core.cells import grouped_mean
from fuzzytruth.core.clusters import nan_mean
from fuzzytruth.core.randomness import generator
from fuzzytruth.data.assignments import Assignments
from fuzzytruth.data.by_example import ByExample, ByItem
from fuzzytruth.data.judgments import Judgments, taken
from fuzzytruth.data.ranking import Ties
from fuzzytruth.data.ratings import Ratings
from fuzzytruth.data.reading import as_runs
from fuzzytruth.data.runs import Runs
from fuzzytruth.data.votes_without_queries import as_votes
from fuzzytruth.errors import FuzzytruthWarning, OptionError, counted, first_few
from fuzzytruth.evaluation.evaluate import evaluate
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.evaluation.validation import binary_truth, floored
from fuzzytruth.evaluation.vote_patterns import pair_agreement, pair_variation, pattern_of
from fuzzytruth.io.ids import encode, take
from fuzzytruth.measures import Measure, parse_measures
from fuzzytruth.show.answer import Parts, Result, Sentences, printed_table
from fuzzytruth.show.number_text import number_text, percent_text
from fuzzytruth.stats import vote_structure
from fuzzytruth.stats.multiplicity import significant
from fuzzytruth.stats.vote_structure import STATISTICS, min_p, p_values, structure_tests
from fuzzytruth.truth import Missing

_FEW = 20  # disputed units, below which little can be found
_MOST_PAIRS = 3
_MOST_COPIES = 2  # of one person
_SPREAD = ["sd", "sd_permuted", "p_sd"]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Structure(Result):
    """Whether it matters who gave which vote, in what way, and for which scores.

    Parameters
    ----------
    tests : DataFrame
        One row for each statistic: statistic, finds (what it is for), value, p, p_adjusted (for all
        five together).
    p : float
        The smallest adjusted p-value: that of any structure. 1 where nobody disagrees.
    agreement : float
        Share of their common units on which two people agree, over all pairs of votes.
    variation : float
        Standard deviation over pairs of people of how often they agree, beyond chance.
    severity, majority, rest : float
        Shares of the variation of pairs, from 0 to 1: what goes with how often each person gives
        each value; what else goes with siding with the majority; and what with neither. In this
        order: the first takes what it can. NaN where structure of pairs is not shown.
    p_rest : float
        That there is structure beyond severity and majority. NaN where structure is not shown.
    copies : tuple of (str, str)
        Pairs of people who agree more than any pair does by chance, severity and majority
        considered: near copies, or members of one group. One who agrees so with more than two
        others is in a group, and not listed.
    means, differences : DataFrame or None
        Scores of the runs by people's own truths beside those for permuted votes; see `structure`.
    n_subjects, n_units, n_votes, n_disputed : int
        Units are items, or items of a query; disputed are those on which votes differ.
    n_permutations, n_scored, n_draws : int
        Permutations; those with which runs were evaluated; draws for severity and majority.
    level : float
    unit : str
        What a unit is called.
    graded : bool
        Whether votes are grades.
    """

    tests: pd.DataFrame
    p: float
    agreement: float
    variation: float
    severity: float
    majority: float
    rest: float
    p_rest: float
    copies: tuple[tuple[str, str], ...]
    means: pd.DataFrame | None
    differences: pd.DataFrame | None
    n_subjects: int
    n_units: int
    n_votes: int
    n_disputed: int
    n_permutations: int
    n_scored: int
    n_draws: int
    level: float
    unit: str
    graded: bool

    @property
    def shown(self) -> bool:
        """Whether structure is shown, at the level."""
        return bool(significant(self.p, self.level))

    def _title(self) -> str:
        sizes = [(self.n_subjects, "subject"), (self.n_units, self.unit), (self.n_votes, "vote")]
        counts = ", ".join(counted(n, one) for n, one in sizes)
        return f"Is disagreement structural? {counts}, {self.n_disputed:,} {self.unit}s disputed"

    def __repr__(self) -> str:
        said = "shown" if self.shown else "not shown"
        return f"Structure({said}, {named_p('p', self.p)}, {counted(self.n_subjects, 'subject')})"

    def _parts(self) -> Parts:
        yield Sentences.of(self.verdict(), kind="lead")
        few = 0 < self.n_disputed < _FEW
        yield Sentences.of(
            *self.sentences(),
            f"With fewer than {_FEW} disputed {self.unit}s, little can be found." if few else "",
        )
        if self.means is not None:
            yield from self._own(self.means)
        yield "More: .tests, .means, .differences"

    def verdict(self) -> str:
        """The answer, in a sentence."""
        if not self.n_disputed:
            return "Nobody disagrees."
        how = f"{self.n_permutations:,} permutations of each {self.unit}'s votes"
        how = f"{named_p('p', self.p)}, {how}"
        if not self.shown:
            return f"Not shown ({how}): these votes do not contradict independent worlds."
        return (
            f"Yes: who gave which vote matters ({how}). Memberships alone do not say what a person "
            "gets."
        )

    def sentences(self) -> list[str]:
        """How large it is, and of what kind."""
        if math.isnan(self.agreement):
            return []
        agree = f"Two people agree on {percent_text(self.agreement)} of {self.unit}s"
        if not self.shown:
            return [f"{agree}."] if self.n_disputed else []
        found = significant(self.tests["p_adjusted"].to_numpy(), self.level)
        said = [f"{agree}; what is found: {', '.join(self.tests['finds'].to_numpy()[found])}."]
        if not math.isnan(self.severity):
            points = number_text(100 * self.variation, 0)
            said = [f"{agree}; from pair to pair this varies by ±{points} points beyond chance."]
            some = "grade higher" if self.graded else "have favourite categories"
            draws = counted(self.n_draws, "draw")
            rest = f"neither ({named_p('p', self.p_rest)} beyond both, {draws})"
            said.append(
                f"Of that, {percent_text(self.severity)} is severity (some {some}), "
                f"{percent_text(self.majority)} siding more or less with the majority, "
                f"{percent_text(self.rest)} {rest}."
            )
        if self.copies:
            pairs = first_few([f"{a} and {b}" for a, b in self.copies], _MOST_PAIRS)
            said.append(
                f"Most alike beyond severity and majority: {pairs} (near copies, or of one group); "
                "see pairwise_agreement."
            )
        return said

    def _own(self, means: pd.DataFrame) -> Parts:
        """Scores by people's own truths, beside those for permuted votes."""
        constant = means["p_own"].isna().groupby(means["measure"]).transform("all")
        fixed = means.loc[constant, "measure"].unique()
        yield printed_table(
            means,
            {
                "system": "system",
                "measure": "measure",
                "own": ("own truths", ".3f"),
                "permuted": ("permuted", ".3f"),
                "p_own_adjusted": ("p", lambda p: "–" if math.isnan(p) else number_text(p, 3)),
                "sd": ("sd of people", ".3f"),
                "sd_permuted": ("sd permuted", ".3f"),
                "p_sd": ("p of sd", lambda p: number_text(p, 3)),
            },
            title="By each person's own truth, and with each "
            f"{self.unit}'s votes exchanged between people, {counted(self.n_scored, 'time')}",
        )
        pairs = self.differences
        if pairs is not None and len(pairs):
            yield printed_table(
                pairs,
                {
                    ("system_a", "system_b"): ("a, b", "{}, {}".format, "label"),
                    "measure": "measure",
                    "sd": ("sd of people", ".3f"),
                    "sd_permuted": ("sd permuted", ".3f"),
                    "p_adjusted": ("p", lambda p: number_text(p, 3)),
                },
                title="How the difference varies over people (p adjusted for all rows)",
                limit=_ROWS,
            )
        yield Sentences.of(
            f"The mean of {first_few(list(fixed))} is the same whoever gave the votes: only its "
            "spread over people is tested."
            if len(fixed)
            else "",
            "Where own truths and permuted votes differ, evaluate with worlds='subject' or "
            "worlds='population'."
            if significant(means["p_own_adjusted"].to_numpy(), self.level).any()
            else "",
        )

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row for each system and measure (`means`), or without runs for each test (`tests`).

        All columns if `full`; else those of `means` without the spread over people.
        """
        frame = self.tests if self.means is None else self.means
        if validation.option_flag("full", full):
            return frame.copy()
        return frame.drop(columns=_SPREAD, errors="ignore")


_ROWS = 12


def structure(
    votes: Any,
    runs: Any = None,
    measures: Iterable[str | Measure] | str | Measure | None = None,
    *,
    n_permutations: int = 999,
    n_scored: int = 199,
    n_draws: int = 99,
    level: float = 0.95,
    rel: float | Mapping[str, float] | None = None,
    missing: Missing = "exclude",
    ties: Ties = "expected",
    rng: Any = 0,
    progress: Callable[[float], object] | None = None,
) -> Structure:
    """Test whether it matters who gave which vote.

    Memberships, and all that follows from them, take people's votes for independent of each other:
    each unit's votes could be exchanged between those who voted on it. If they could, people would
    differ by chance alone. If not, what a person gets by the own votes is not what memberships
    say: people may be severe, or expert, or near-copies of each other, or form communities.

    Each unit's votes are permuted over its voters, and five statistics compared with their values
    then; p-values are exact, whatever votes are missing and however many. Structure is nearly
    always found where many people judged many items; how large it is says more than p.

    Parameters
    ----------
    votes : Judgments, Assignments, ByExample, ByItem
        Or what `as_judgments` takes; of named subjects. Assignments are taken by example where
        there are runs.
    runs : Runs, optional
        Or what `as_runs` takes. Their scores by each person's own truth are then tested, too:
        the mean over people, and its spread.
    measures : measure or sequence of measures, optional
        For `runs`.
    n_permutations : int
        Permutations of the votes; p is at least 1 / (n_permutations + 1).
    n_scored : int
        How many of the permutations the runs are evaluated with, which takes longest.
    n_draws : int
        Draws that keep how often each person gives each value (and sides with the majority), for
        shares of severity and majority; 0: none.
    level : float
        Structure is shown if p is at most 1 - level.
    rel : number or mapping of subject to number, optional
        The lowest grade that is relevant; makes grades 0 and 1, as in `evaluate`. Negative grades
        below it are 0, too.
    missing : {"error", "nonrelevant", "exclude", "pooled"}
        How missing judgments count in scores of `runs`; see `evaluate`.
    ties : {"trec", "order", "expected"}
        Order of items with equal scores; see `evaluate`.
    rng : int, SeedSequence or Generator
    progress : callable, optional
        Progress callback, given the finished fraction.

    Returns
    -------
    Structure
        `means` has one row for each system and measure: system, measure, own (mean over queries of
        the scores by people's own truths, as `evaluate` gives it), permuted (the same, on average
        over permutations), p_own (two-sided; NaN where it is the same whoever gave the votes),
        p_own_adjusted (for all rows), sd (over people), sd_permuted, p_sd (one-sided).
        `differences` has one for each measure and pair of systems: measure, system_a, system_b, sd,
        sd_permuted, p_sd, p_adjusted (for all rows).

    Raises
    ------
    DataError
        Nobody is named, there is a single subject, or named votes have different weights.
    OptionError
        Runs without measures, or the reverse; or runs, and people who voted repeatedly on a unit,
        or are nested in queries.

    Notes
    -----
    With more than 500 subjects, statistics of pairs are of the 500 with most votes.

    References
    ----------
    Hemerik & Goeman 2018 (exact permutation tests); Westfall & Young 1993 (adjusted p); Besag &
    Clifford 1989 (parallel chains); Verhelst 2008, Strona et al. 2014 (trades).

    Examples
    --------
    Two opposite groups of three:

    >>> import fuzzytruth as ft
    >>> says = {"a": "xxyyxyxyyx" * 3, "b": "yyxxyxyxxy" * 3}
    >>> rows = [(s, f"i{i}", says[s[0]][i]) for s in ["a1", "a2", "a3", "b1", "b2", "b3"]
    ...         for i in range(30)]
    >>> votes = ft.Assignments.from_columns(*zip(*rows))
    >>> found = ft.structure(votes, n_permutations=99, n_draws=19)
    >>> found
    Structure(shown, p = 0.02, 6 subjects)
    >>> round(found.agreement, 2)
    0.4
    """
    validation.progress_callback(progress)
    validation.whole_number("n_permutations", n_permutations, 1, validation.MOST)
    validation.whole_number("n_scored", n_scored, 1, validation.MOST)
    validation.whole_number("n_draws", n_draws, 0, validation.MOST)
    level = validation.between_zero_and_one("level", level)
    if (runs is None) != (measures is None):
        given, other = ("measures", "runs") if runs is None else ("runs", "measures")
        raise OptionError(f"{given}: is for scores of runs; give {other}=, too, or leave it out")
    truth = votes
    if not isinstance(votes, (ByExample, ByItem)):
        truth = as_votes(votes, also="Assignments, ByExample, ByItem, ")
    if rel is not None:
        wanted = () if measures is None else parse_measures(measures)
        truth = floored(binary_truth(truth, wanted, rel))
    ratings, pattern = pattern_of(truth)
    scores = None
    if runs is not None:
        check_single_votes(ratings)
        if isinstance(truth, Assignments):
            truth = truth.by_example()
        how = {"missing": missing, "ties": ties}
        scores = PermutedScores(truth, ratings, pattern, as_runs(runs), measures, how, n_scored)
    found = structure_tests(
        pattern,
        n_permutations,
        n_draws,
        level,
        generator(rng),
        also=None if scores is None else scores.add,
        progress=progress,
    )
    names = ratings.subjects or ()
    alone = found.near.sum(0) <= _MOST_COPIES
    near = np.argwhere(np.triu(found.near & alone & alone[:, None]))
    return Structure(
        tests=pd.DataFrame(
            {
                "statistic": list(STATISTICS),
                "finds": list(STATISTICS.values()),
                "value": found.observed,
                "p": found.p,
                "p_adjusted": found.p_adjusted,
            }
        ),
        p=float(found.p_adjusted.min()),
        agreement=pair_agreement(ratings),
        variation=pair_variation(ratings, found),
        severity=float(found.shares[0]),
        majority=float(found.shares[1]),
        rest=float(found.shares[2]),
        p_rest=float(found.p_levels[1]),
        copies=tuple((names[found.subjects[s]], names[found.subjects[t]]) for s, t in near),
        means=None if scores is None else scores.means(),
        differences=None if scores is None else scores.differences(),
        n_subjects=len(names),
        n_units=ratings.n_units,
        n_votes=len(ratings.unit),
        n_disputed=len(np.unique(ratings.unit[pattern.vote])),
        n_permutations=n_permutations,
        n_scored=0 if scores is None else min(n_scored, n_permutations),
        n_draws=n_draws,
        level=level,
        unit=unit_word(ratings),
        graded=ratings.grades is not None,
    )


# Scores by people's own truths, when each unit's votes were handed to its voters at random.

Truth = Judgments | ByExample | ByItem
_AT_ONCE = 200_000  # judgments of the truths that are evaluated together
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
    pattern: vote_structure.VotePattern
    runs: Runs
    measures: Any
    options: Mapping[str, Any]
    most: int = 10**9
    _permuted: list[tuple[Floats, Floats]] = field(default_factory=list)

    @cached_property
    def observed(self) -> Scores:
        """By each person's own truth."""
        return self._scores(self.truth)

    def add(self, draws: vote_structure.Options) -> None:
        """Evaluate permutations, (draws, votes), as many as `most` in all."""
        draws = draws[: self.most - sum(len(people) for _, people in self._permuted)]
        rows = self.ratings.row[self.pattern.vote]
        source = np.empty(len(self.pattern.value), np.int64)  # a row that has the option
        source[self.pattern.option] = rows
        size = max(1, _AT_ONCE // len(self.ratings.row))
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
