"""`reliability`: models of who is how reliable, and of what is true if they hold."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal, get_args

import numpy as np

from fuzzytruth import errors
from fuzzytruth._lazy import pd
from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.annotators.coefficients.agreement_metrics import unit_word
from fuzzytruth.annotators.influences import latent_classes
from fuzzytruth.annotators.influences.influence_tables import long_table, ranks
from fuzzytruth.annotators.ratings import ratings_of, report_rating_scales
from fuzzytruth.core import student, validation
from fuzzytruth.core.arithmetic import divide
from fuzzytruth.data.assignments import Assignments
from fuzzytruth.data.judgments import Judgments
from fuzzytruth.data.membership import Membership
from fuzzytruth.data.ratings import Ratings
from fuzzytruth.data.votes_without_queries import as_votes
from fuzzytruth.errors import choice, counted, first_few, require, warn
from fuzzytruth.evaluation.evaluate import evaluate
from fuzzytruth.io.ids import take
from fuzzytruth.show.answer import FrameColumns, Printed, Result, Sentences, Table, printed_table
from fuzzytruth.show.number_text import level_text, number_text, numbers_format
from fuzzytruth.stats.agreement import wilson

# Models of crowd-kit, fitted to ratings.


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
        answers are the distinct grades, or label sets. Of a table without queries, words are votes
        for categories, and numbers grades of one query.
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
    smoothing = validation.option_number("smoothing", smoothing)
    require("smoothing", smoothing, 0 <= smoothing < np.inf, "must be 0 or more")
    level = None if level is None else validation.between_zero_and_one("level", level)
    limit = validation.whole_number("max_iterations", max_iterations, 1)
    given = as_votes(votes)
    ratings = ratings_of(given)
    _check(ratings, method)
    report_rating_scales(ratings, "use votes.binary({rel})")
    table = latent_classes.ClassVotes.of(
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
            errors.DegenerateWarning,
        )
    accuracy = divide(*table.right(fitted.posterior), fill=np.nan)
    n_votes = np.bincount(ratings.subject, minlength=ratings.n_subjects)
    lower = upper = np.full(len(accuracy), np.nan)
    if level is not None and method not in latent_classes.MODELS:
        half = _half_widths(ratings, table, fitted, method, level, options)
        # no narrower than if the truth were known
        right = np.minimum(np.clip(accuracy, 0.0, 1.0) * n_votes, n_votes)
        least, most = wilson(right, n_votes, level=level)
        lower = np.maximum(np.minimum(accuracy - half, least), 0.0)
        upper = np.minimum(np.maximum(accuracy + half, most), 1.0)
    fit = ReliabilityFit(
        **{field.name: getattr(fitted, field.name) for field in fields(fitted)},
        method=method,
        share=table.shares(),
        accuracy=accuracy,
        lower=lower,
        upper=upper,
        n_votes=n_votes,
        level=level,
    )
    return Reliability(given, ratings, fit)


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
    if method == "dawid-skene" and n * k * k > _MOST_NUMBERS:
        raise errors.OptionError(
            f"method='dawid-skene': a table of {k:,} × {k:,} answers for each of {n:,} subjects "
            "does not fit in memory; use method='one-coin'"
        )
    if k == 1:
        warn(
            "reliability: all votes are the same, so that nobody is seen to err",
            errors.DegenerateWarning,
        )
    elif n == 2 and method != "majority":
        warn(
            "reliability: there are two subjects, and their votes do not say which of the two errs "
            "where they differ; models take three or more",
            errors.DegenerateWarning,
        )


def _fitted(
    ratings: Ratings, table: latent_classes.ClassVotes, method: Method, options: dict[str, Any]
) -> latent_classes.LatentClasses:
    """The posterior by a method, and errors that go with it."""
    if method in latent_classes.MODELS:
        posterior = latent_classes.crowd_kit_posterior(ratings, method)
    elif method == "majority":
        shares = table.shares()
        most: Bools = shares >= shares.max(axis=1, keepdims=True) * (1 - 1e-12)
        posterior = np.asarray(most / most.sum(axis=1, keepdims=True))  # shared by ties
    else:
        return latent_classes.latent_classes(table, **options)
    return latent_classes.LatentClasses(
        posterior, *latent_classes.maximise(table, posterior), np.nan, 0, True
    )


def _half_widths(
    ratings: Ratings,
    table: latent_classes.ClassVotes,
    fitted: latent_classes.LatentClasses,
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
        right = latent_classes.jackknife_right(table, fitted, block, n, **options)
    known = (~np.isnan(right)).all(axis=0)
    spread = np.sqrt((n - 1) * right.var(axis=0))  # (n - 1) / n × sum of squares
    return np.where(known, student.quantile(level, n - 1) * spread, np.nan)


# What is printed of a model of reliability.


_MOST_SUBJECTS = 12
_FEW_VOTES = 10


def _subjects(result: Reliability) -> Table:
    """The subjects with the lowest and the highest intervals; without intervals, weights."""
    table = result.subjects
    by, of = ("lower", "lower end") if table["lower"].notna().any() else ("weight", "weight")
    table = table.sort_values([by, "accuracy"], kind="stable", na_position="first")
    n, title = len(table), f"Subjects, the lowest {of} first"
    if n > _MOST_SUBJECTS:  # not those of whom nothing is known
        table, half = table[table[by].notna()], _MOST_SUBJECTS // 2
        kept = [*range(len(table))]
        table = table.iloc[kept if len(kept) <= _MOST_SUBJECTS else [*kept[:half], *kept[-half:]]]
        title = f"Subjects with the lowest and the highest {of}, {len(table)} of {n:,}"
    level = result.fit.level
    known = table["lower"].notna().any()
    columns: FrameColumns = {
        "subject": "subject",
        "accuracy": ("accuracy", ".3f"),
        ("lower", "upper"): (level_text(level), ".3f") if level is not None and known else None,
        "weight": ("weight", ".2f"),
        "n_votes": ("votes", ","),
    }
    return printed_table(table, columns, title=title)


def _legend(fit: Any, word: str) -> str:
    """What accuracies and brackets are."""
    text = "Accuracy: expected share of right votes, if the model holds."
    if not np.isnan(fit.lower).all():
        text += f" Brackets: its {level_text(fit.level)} interval, a jackknife over {word}s."
    if fit.n_votes.min() < _FEW_VOTES:
        few = counted(int((fit.n_votes < _FEW_VOTES).sum()), "subject has", "subjects have")
        text += f" {few} fewer than {_FEW_VOTES} votes, which say little."
    return (
        f"{text} Weight: of a vote, by the accuracy of who gave it, shrunk as if by four votes to "
        "everybody's; 1 on average. How often the model's answers are true cannot be known from "
        "votes: compare some with experts' answers."
    )


_PRIOR_VOTES = 4


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ReliabilityFit(latent_classes.LatentClasses):
    """Estimates of a model: true classes and errors, and what follows from them.

    Parameters
    ----------
    method : str
    share : (units, answers) float
        Of the votes.
    accuracy, lower, upper : (subjects,) float
        Expected share of right votes, and its interval.
    n_votes : (subjects,) int
    level : float or None
    """

    method: str
    share: Floats
    accuracy: Floats
    lower: Floats
    upper: Floats
    n_votes: Ints
    level: float | None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Reliability(Result):
    """How often each subject is right, and what is true if the model holds.

    Parameters
    ----------
    votes : Judgments or Assignments
    ratings : Ratings
        The same by coordinates.
    fit : ReliabilityFit
        The estimates, as arrays.
    """

    votes: Judgments | Assignments
    ratings: Ratings
    fit: ReliabilityFit

    def __repr__(self) -> str:
        return (
            f"Reliability({self.fit.method}: {counted(self.ratings.n_subjects, 'subject')}, "
            f"{counted(self.ratings.n_units, 'unit')}, "
            f"{counted(len(self.ratings.names), 'answer')})"
        )

    def _answer(self) -> Printed:
        fit, ratings = self.fit, self.ratings
        best = fit.posterior.max(axis=1)
        most = fit.share.max(axis=1)
        # the model's answer is another one than that (or one of those) with most votes
        own = np.take_along_axis(fit.share, fit.posterior.argmax(axis=1)[:, None], axis=1)[:, 0]
        other = int((own < most - 1e-12).sum())
        units = counted(ratings.n_units, unit_word(ratings))
        what = "grade" if ratings.grades is not None else "answer"
        return Printed.of(
            f"Reliability of {counted(ratings.n_subjects, 'subject')} by {fit.method}: "
            f"{counted(len(ratings.unit), 'vote')} on {units}, "
            f"{counted(len(ratings.names), what)}",
            Sentences.of(
                f"If the model holds, the most probable {what} has a mean probability of "
                f"{number_text(best.mean(), 3)}; the most frequent one has "
                f"{number_text(most.mean(), 3)} of the votes.",
                f"It is another one than most votes are for in {other:,} of {units}"
                + (f", and one that nobody gave in {int((own == 0).sum()):,}." if other else "."),
            ),
            _subjects(self),
            Sentences.of(_legend(fit, unit_word(ratings)), ASSUMES),
            Sentences.of(
                "More: .subjects, .confusion(), .weights(), .to_frame(), "
                + (".judgments(), .compare(runs, measures)" if what == "grade" else ".membership()")
            ),
        )

    @property
    def subjects(self) -> pd.DataFrame:
        """One row a subject: subject, accuracy, lower, upper, weight (see `weights`), n_votes."""
        fit = self.fit
        return pd.DataFrame(
            {
                "subject": list(self.ratings.named("reliability")),
                "accuracy": fit.accuracy,
                "lower": fit.lower,
                "upper": fit.upper,
                "weight": self.weights().to_numpy(),
                "n_votes": fit.n_votes,
            }
        )

    def confusion(self) -> pd.DataFrame:
        """Tables of errors: subject, truth, answer, probability of this answer given the truth."""
        names, people = self.ratings.names, self.ratings.named("reliability")
        rows = pd.MultiIndex.from_product(
            [people, names, names], names=["subject", "truth", "answer"]
        ).to_frame(index=False)
        by_truth = self.fit.errors.swapaxes(1, 2)  # (subjects, truth, answer)
        return rows.astype(str).assign(probability=by_truth.ravel())

    def weights(self) -> pd.Series[float]:
        """Weight of each subject's vote, with mean 1: log((k - 1) a / (1 - a)) of its accuracy a.

        The accuracy is shrunk: as if the subject had cast four more votes, of everybody's mean
        accuracy, so that a few votes earn no extreme weight. k is the number of answers; the weight
        is 0 for accuracies of 1/k and less, and accuracies count as at most 0.999. These are the
        best weights of a vote if accuracies are known and errors independent and equally likely
        (Nitzan & Paroush 1982). All 0 if nobody is better than chance.
        """
        k = max(len(self.ratings.names), 2)
        n, right = self.fit.n_votes, self.fit.n_votes * self.fit.accuracy
        shrunk = (right + _PRIOR_VOTES * np.nansum(right) / n.sum()) / (n + _PRIOR_VOTES)
        a = np.clip(shrunk, 1 / k, 0.999)
        weight = np.log((k - 1) * a / (1 - a))
        mean = float(np.nanmean(weight))
        index = pd.Index(self.ratings.named("reliability"), name="subject")
        return pd.Series(weight / mean if mean > 0 else 0.0 * weight, index, name="weight")

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row for each unit: its ids, answer (the most probable), probability, share, n_votes.

        `share` is that of the votes for the same answer: what the model adds is the difference. The
        first of equally probable answers. With ``full=True`` one row for each unit and answer.
        """
        fit, ratings = self.fit, self.ratings
        k = len(ratings.names)
        n_votes = np.bincount(ratings.unit, minlength=ratings.n_units)
        if validation.option_flag("full", full):
            unit, answer = np.divmod(np.arange(ratings.n_units * k), k)
        else:
            unit, answer = np.arange(ratings.n_units), fit.posterior.argmax(axis=1)
        ids = {name: take(ids, unit).to_pylist() for name, ids in ratings.units.items()}
        return pd.DataFrame(
            {
                **ids,
                "answer": np.array(ratings.names, dtype=object)[answer],
                "probability": fit.posterior[unit, answer],
                "share": fit.share[unit, answer],
                "n_votes": n_votes[unit],
            }
        ).astype({**dict.fromkeys(ids, str), "answer": str})

    def judgments(self, *, rel: float | None = None) -> Judgments:
        """The posterior as judgments for `evaluate`, under ``worlds="independent"``.

        Parameters
        ----------
        rel : float, optional
            Give the probability that the grade is `rel` or more, as grades 1 and 0.

        Returns
        -------
        Judgments
            With a probability where the grades are 0 and one other (or `rel` is given), which can
            be written to a file; else with a row for each grade of an item, whose probability is
            its count.

        Raises
        ------
        OptionError
            The votes are categories; take `membership`.
        """
        ratings = self.ratings
        if ratings.grades is None:
            raise errors.OptionError(
                "judgments: these votes are categories, not grades; take membership()"
            )
        ids, posterior = ratings.units, self.fit.posterior
        query, item, intent = ids["query"], ids["item"], ids.get("intent")
        grades = ratings.grades
        if rel is not None:
            posterior = posterior @ (grades >= validation.option_number("rel", rel))[:, None]
            grades = np.array([0.0, 1.0])
        elif len(grades) == 2 and grades[0] == 0:
            posterior = posterior[:, 1:]
        if posterior.shape[1] == 1 and len(grades) == 2:
            p = np.clip(posterior[:, 0], 0.0, 1.0)
            grade = np.full(len(p), grades[1])
            return Judgments(query, item, grade, probability=p, intent=intent)
        unit, value = np.nonzero(posterior)
        intent = None if intent is None else take(intent, unit)
        return Judgments(
            take(query, unit),
            take(item, unit),
            grades[value],
            intent=intent,
            count=posterior[unit, value],
        )

    def membership(self) -> Membership:
        """The posterior as the probability that each item belongs to each category.

        Raises
        ------
        OptionError
            The votes are grades, or sets of several categories, or differ in what was asked.
        """
        votes, ratings = self.votes, self.ratings
        if not isinstance(votes, Assignments) or ratings.sets is None:
            raise errors.OptionError("membership: these votes are grades; take judgments()")
        if votes.asked is not None or not all(isinstance(n, str) for n in votes.set_names()):
            raise errors.OptionError(
                "membership: votes are sets of categories, or items were asked about different "
                "ones; of a posterior there is to_frame(full=True) only"
            )
        return Membership.from_probabilities(
            self.fit.posterior,
            items=ratings.units["item"].to_pylist(),
            categories=ratings.names,
            taxonomy=votes.taxonomy,
        )

    def compare(self, runs: Any, measures: Any, **options: Any) -> WeightedScores:
        """Scores of systems under the posterior beside those under the votes as they are.

        Parameters
        ----------
        runs : Runs, or what `as_runs` takes
        measures : measure or sequence of measures
        options
            Of `evaluate`, other than `worlds`, which are independent.

        Raises
        ------
        OptionError
            The votes are categories, or `worlds` is given.
        """
        if "worlds" in options:
            raise errors.OptionError("worlds: are independent here; leave it out")
        posterior = self.judgments()
        plain = evaluate(self.votes, runs, measures, worlds="independent", **options)
        weighted = evaluate(posterior, runs, measures, worlds="independent", **options)
        up = np.where(plain.higher_is_better, 1.0, -1.0)
        before, after = (one.mean().to_numpy(dtype=float) for one in (plain, weighted))
        scale = np.fmax(np.abs(before), np.abs(after)).max(axis=0)
        columns = {
            "unweighted": before,
            "weighted": after,
            "change": after - before,
            "rank": ranks(up * before, scale),
            "rank_weighted": ranks(up * after, scale),
        }
        keys = {"measure": plain.measures, "system": plain.systems}
        table = long_table(keys, {name: values.T for name, values in columns.items()})
        return WeightedScores(table, self.fit.method)


_MOST_ROWS = 20
ASSUMES = (
    "The model assumes one true answer for each item, and errors that are independent between "
    "subjects given it. It sharpens: people who disagree for good reasons are taken to err, and "
    "near-duplicate judges count as independent evidence."
)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class WeightedScores(Result):
    """Means of systems under the votes, and under a model of who is reliable.

    Parameters
    ----------
    table : DataFrame
        See `to_frame`.
    method : str
    """

    table: pd.DataFrame
    method: str

    @property
    def order_changes(self) -> bool:
        """Whether any rank differs."""
        return bool((self.table["rank"] != self.table["rank_weighted"]).any())

    def __repr__(self) -> str:
        systems = counted(self.table["system"].nunique(), "system")
        order = "changes" if self.order_changes else "stays"
        return f"WeightedScores({self.method}: {systems}, the order {order})"

    def to_frame(self) -> pd.DataFrame:
        """One row for each measure and system.

        Columns: measure, system, unweighted and weighted (means over queries of expected values
        over independent worlds), change (weighted - unweighted), rank (unweighted), rank_weighted.
        """
        return self.table.copy()

    def _answer(self) -> Printed:
        table = self.table
        names = [*dict.fromkeys(table["measure"])]
        shown = table.sort_values("rank", kind="stable")
        shown = shown.sort_values(
            "measure", key=lambda column: column.map(names.index), kind="stable"
        )
        style = numbers_format([*table["unweighted"], *table["weighted"]])
        columns: FrameColumns = {
            "measure": "measure" if len(names) > 1 else None,
            "system": "system",
            "unweighted": ("unweighted", style),
            "weighted": ("weighted", style),
            "change": ("change", f"+{style}"),
            "rank": ("rank", "{:g}".format),
            "rank_weighted": ("weighted", "{:g}".format),
        }
        moved = table[table["rank"] != table["rank_weighted"]]
        changes = f"{len(moved):,} of {counted(len(table), 'rank')} change" + (
            f": {first_few(moved['system'].drop_duplicates(), 4)}" if len(moved) else ""
        )
        return Printed.of(
            f"Means of {counted(table['system'].nunique(), 'system')} by {first_few(names, 3)}, "
            f"unweighted and weighted by {self.method}",
            Sentences.of(f"Under the model {changes}."),
            printed_table(shown, columns, limit=_MOST_ROWS),
            Sentences.of(
                "Means over queries of expected values: each item's truth is drawn from its votes "
                "(unweighted), or from the model's posterior (weighted).",
                ASSUMES,
            ),
        )
