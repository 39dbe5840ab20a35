"""Who gives the panel's answer how often, what it is, and how far to believe it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from fuzzytruth import errors, plots
from fuzzytruth._lazy import pd
from fuzzytruth._typing import Axes, Floats
from fuzzytruth.annotators.coefficients.agreement_metrics import unit_word
from fuzzytruth.annotators.influences.influence_tables import long_table, ranks
from fuzzytruth.annotators.influences.weighted_scores import WeightedScores
from fuzzytruth.core import validation
from fuzzytruth.data.assignments import Assignments
from fuzzytruth.data.judgments import Judgments
from fuzzytruth.data.membership import Membership
from fuzzytruth.data.ratings import Ratings
from fuzzytruth.errors import counted, first_few
from fuzzytruth.evaluation.evaluate import evaluate
from fuzzytruth.io.ids import take
from fuzzytruth.plots.frames import PlotData, Title
from fuzzytruth.show.answer import FrameColumns, Parts, Result, Sentences, Table, printed_table
from fuzzytruth.show.number_text import level_text, number_text
from fuzzytruth.stats.agreement import wilson
from fuzzytruth.stats.multiplicity import significant
from fuzzytruth.stats.votes.checks import HeldOut, ModelCheck
from fuzzytruth.stats.votes.copies import Copies
from fuzzytruth.stats.votes.rating_scale import RatingScale
from fuzzytruth.stats.votes.recalibration import Recalibration

_MOST_SUBJECTS = 10
FEW_VOTES = 10  # of a subject, for an interval
_SEVERAL = 5  # clusters whose sizes are named
TELLING = 3.5  # votes of a unit, on average, from which dependence shows
_LEVEL = 0.95
_HARD = ("glad", "clarity")  # models in which items may be hard
_HARDLY = 0.2  # of the way from guessing to being always right


def _cluster_text(number: float) -> str:
    return "" if np.isnan(number) else f"{number:.0f}"


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ReliabilityFit:
    """Estimates of a model, and what follows from them.

    Parameters
    ----------
    method : str
    prior : float
        Votes added to each subject's errors.
    posterior : (units, answers) float
        Probability that an answer is the panel's.
    confusion : (subjects, answers, answers) float
        Probability of what a subject says (second axis) given the panel's answer (third).
    prevalence : (answers,) float
    share : (units, answers) float
        Of the votes.
    accuracy, lower, upper : (subjects,) float
        Share of votes that give the panel's answer, and its interval; NaN where nothing tells.
    accuracy_by : str
        The model of the accuracies.
    n_votes : (subjects,) float
    level : float or None
    converged : bool
    n_iterations : int
    copies : Copies
        Clusters of subjects who agree by more than independent errors let expect.
    once : bool
        Whether the votes of a cluster on a unit count as one.
    otherwise : float
        Mean probability of the answers if they do not, or do; NaN without clusters.
    scores : HeldOut or None
        What models say of votes held out; None where the model was given.
    check : ModelCheck or None
        Whether the votes contradict independent errors; None where it cannot be told, or was not
        asked for.
    scale : RatingScale or None
        Severities.
    gold : Recalibration or None
        By known answers.
    """

    method: str
    prior: float
    posterior: Floats
    confusion: Floats
    prevalence: Floats
    share: Floats
    accuracy: Floats
    accuracy_by: str
    lower: Floats
    upper: Floats
    n_votes: Floats
    level: float | None
    converged: bool
    n_iterations: int
    copies: Copies
    once: bool = False
    otherwise: float = np.nan
    scores: HeldOut | None = None
    check: ModelCheck | None = None
    scale: RatingScale | None = None
    gold: Recalibration | None = None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Reliability(Result):
    """How often each subject gives the panel's answer, and what that is.

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

    _more = ".subjects, .confusion(), .weights(), .to_frame(), .scores(), .plot()"

    @property
    def _what(self) -> str:
        return "grade" if self.ratings.grades is not None else "answer"

    def _title(self) -> str:
        ratings = self.ratings
        units = counted(ratings.n_units, unit_word(ratings))
        return (
            f"Reliability of {counted(ratings.n_subjects, 'subject')} by {self.fit.method}: "
            f"{counted(len(ratings.unit), 'vote')} on {units}, "
            f"{counted(len(ratings.names), self._what)}"
        )

    def _parts(self) -> Parts:
        yield Sentences.of(*self._about_answers(), self._about_guessing(), self._about_truth())
        yield Sentences.of(self._about_choice(), self._about_copies(), self._about_check())
        yield self._table()
        yield Sentences.of(self._legend())

    def _sentences(self) -> list[str]:
        """What the model says of the panel's answers, and how far to believe it."""
        about = self._about_answers()[0].replace("The", f"By the model {self.fit.method}, the", 1)
        return [about, self._about_truth(), self._about_copies(), self._about_check()]

    def _about_answers(self) -> list[str]:
        """How probable the panel's answers are, and how often they are not the commonest ones."""
        fit = self.fit
        most = fit.share.max(axis=1)
        own = np.take_along_axis(fit.share, fit.posterior.argmax(axis=1)[:, None], axis=1)[:, 0]
        other, units = int((own < most - 1e-12).sum()), unit_word(self.ratings)
        mean = number_text(fit.posterior.max(axis=1).mean(), 3)
        none = int((own == 0).sum())
        return [
            f"The most probable {self._what} of each {units} has a probability of {mean} on "
            f"average of being the panel's; the most frequent one has "
            f"{number_text(most.mean(), 3)} of the votes.",
            f"It differs from the most frequent one in {other:,} of "
            f"{counted(self.ratings.n_units, units)}"
            + (f", and one that nobody gave in {none:,}." if none else "."),
        ]

    def _about_guessing(self) -> str:
        """Whether people are hardly better than chance, so that classes may have changed places."""
        fit, chance = self.fit, 1 / len(self.ratings.names)
        right = float(np.nansum(fit.accuracy * fit.n_votes) / fit.n_votes.sum())
        if not fit.n_iterations or fit.scale or right > chance + _HARDLY * (1 - chance) - 1e-9:
            return ""
        return (
            f"People give it in {number_text(right, 2)} of their votes, hardly more often than by "
            f"guessing ({number_text(chance, 2)}): answers may have changed places."
        )

    def _about_truth(self) -> str:
        """How far the panel's answers are true."""
        gold = self.fit.gold
        if gold is None:
            return (
                "How far the panel's answer is the truth cannot be known from votes, as people "
                "share errors: gold= takes known answers of 50 to 100."
            )
        ends = wilson(gold.right * gold.n, gold.n, level=_LEVEL)
        lower, upper = (number_text(float(end), 2) for end in ends)
        items = counted(gold.n, unit_word(self.ratings))
        return (
            f"Of {items} with a known answer, {number_text(gold.right, 2)} [{lower}, {upper}] "
            f"of the panel's are true, where it is given a probability of "
            f"{number_text(gold.before, 2)}; recalibrated, out of sample, "
            f"{number_text(gold.after, 2)}."
        )

    def _about_choice(self) -> str:
        """The scores of the models."""
        if self.fit.scores is None:
            return ""
        return (
            f"Chosen by votes held out in ten folds (mean log probability of a vote): "
            f"{self._said_scores()}. It predicts people best, which is no proof of being true."
        )

    def _said_scores(self) -> str:
        """Each model's mean score, the best first."""
        rows = self.scores().sort_values("score", ascending=False, kind="stable")
        pairs = zip(rows["model"], rows["score"], strict=True)
        return ", ".join(f"{name} {number_text(score, 3)}" for name, score in pairs)

    def _about_copies(self) -> str:
        """The effective number of subjects, and what counting them so changes."""
        fit = self.fit
        if not fit.copies.any:
            return ""
        n, size = self.ratings.n_subjects, np.bincount(fit.copies.cluster)
        sizes = sorted(size[size > 1].tolist(), reverse=True)
        what = "a cluster" if len(sizes) == 1 else "clusters"
        head = (
            f"{n:,} subjects count as {fit.copies.effective:.1f}: {what} of "
            f"{first_few(sizes, _SEVERAL)} near-copies of each other"
        )
        if np.isnan(fit.otherwise):
            return f"{head}."
        other = number_text(fit.otherwise, 3)
        if fit.once:
            return (
                f"{head}. Their votes on one {unit_word(self.ratings)} count as one; if each "
                f"counts, the mean probability is {other}."
            )
        return (
            f"{head}. Each vote counts; if those of a cluster count as one, the mean probability "
            f"is {other}."
        )

    def _about_check(self) -> str:
        """Whether the votes contradict that people err independently."""
        check, fit = self.fit.check, self.fit
        if check is None or np.isnan(check.agree):
            if fit.prior <= 0 and fit.n_iterations == 0:
                return ""
            ratings, once = self.ratings, ", clusters counting as one" if fit.once else ""
            mean = len(ratings.unit) / ratings.n_units
            if fit.once:
                who = fit.copies.cluster[ratings.subject]
                mean = np.unique([ratings.unit, who], axis=1).shape[1] / ratings.n_units
            return (
                f"{number_text(mean, 1)} votes for each {unit_word(ratings)}{once}: whether people "
                "depend on each other cannot be told."
                if mean < TELLING
                else ""
            )
        agree, expected = (number_text(one, 2) for one in (check.agree, check.expected))
        pairs = f"independent errors (pairs of votes agree {agree}, expected {expected}"
        if significant(check.p, _LEVEL):
            hard = " The model allows for hard items, but not for those that most people get wrong."
            return (
                f"The votes contradict {pairs}; p = {check.p:.2g}): the probabilities are not to "
                f"be believed, though their order may be.{hard if fit.method in _HARD else ''}"
            )
        looked = f"{check.n_simulated} simulations on {counted(check.n_units, 'item')}"
        return f"The votes do not contradict {pairs}; {looked})."

    def _table(self) -> Table:
        """The subjects with the lowest and the highest accuracies, or severities."""
        table = self.subjects
        by = "severity" if self.fit.scale is not None else "accuracy"
        table = table.sort_values(by, kind="stable", na_position="first")
        n, title = len(table), f"Subjects, the lowest {by} first"
        if n > _MOST_SUBJECTS:
            half = _MOST_SUBJECTS // 2
            table = table.iloc[[*range(half), *range(n - half, n)]]
            title = f"Subjects with the lowest and the highest {by}, {len(table)} of {n:,}"
        level = self.fit.level
        interval = level_text(level) if level is not None and table["lower"].notna().any() else ""
        columns: FrameColumns = {
            "subject": "subject",
            by: (by, "+.2f" if by == "severity" else ".3f"),
            ("lower", "upper"): (interval, "+.2f" if by == "severity" else ".3f")
            if interval
            else None,
            "n_votes": ("votes", "{:,.0f}".format),
            "cluster": ("copies", _cluster_text) if self.fit.copies.any else None,
        }
        return printed_table(table, columns, title=title)

    def _legend(self) -> str:
        """What accuracies and brackets are."""
        fit = self.fit
        by = "" if fit.accuracy_by == fit.method else f" by {fit.accuracy_by}"
        text = f"Accuracy: share of votes that give the panel's {self._what}{by}"
        text += f", drawn towards everybody's as if by {fit.prior:g} votes." if fit.prior else "."
        if fit.scale is not None:
            text = "Severity: in logits, 0 on average; a severe subject gives lower grades."
        if not np.isnan(self.subjects["lower"].to_numpy(dtype=float)).all():
            short = (
                "" if fit.scale else ", too short where people share errors, or an answer is rare"
            )
            text += f" Brackets: its {level_text(fit.level or _LEVEL)} interval{short}."
        few = int((fit.n_votes < FEW_VOTES).sum())
        if few and fit.level is not None:
            who = counted(few, "subject has", "subjects have")
            text += f" {who} fewer than {FEW_VOTES} votes: too few for an interval."
        return text

    @property
    def subjects(self) -> pd.DataFrame:
        """One row a subject: subject, accuracy, lower, upper, weight (see `weights`), n_votes.

        And `cluster` of near-copies, from 1 (subjects with the same number), NaN for others. By the
        rating scale also `severity`, of which `lower` and `upper` then are.
        """
        fit = self.fit
        size = np.bincount(fit.copies.cluster)
        several = size[fit.copies.cluster] > 1
        _, number = np.unique(fit.copies.cluster[several], return_inverse=True)
        cluster = np.full(len(several), np.nan)
        cluster[several] = number + 1
        whole = fit.n_votes.astype(np.int64)
        columns = {
            "subject": list(self.ratings.named("reliability")),
            "accuracy": fit.accuracy,
            "lower": fit.lower,
            "upper": fit.upper,
            "weight": self.weights().to_numpy(),
            "n_votes": whole if (whole == fit.n_votes).all() else fit.n_votes,
            "cluster": cluster,
        }
        if fit.scale is not None:
            columns["severity"] = fit.scale.severity
        return pd.DataFrame(columns)

    def scores(self) -> pd.DataFrame:
        """One row a model that was tried: model, score, std_error, chosen.

        `score` is the mean natural logarithm of the probability of a held-out vote. Empty where
        the model was given.
        """
        found = self.fit.scores
        each = {} if found is None else found.scores
        rows = [
            (name, one.mean(), one.std(ddof=1) / np.sqrt(len(one)), name == self.fit.method)
            for name, one in each.items()
        ]
        return pd.DataFrame(rows, columns=["model", "score", "std_error", "chosen"])

    def plot(self, ax: Axes | None = None, *, title: Title = True) -> Axes:
        """Draw each subject's accuracy (or severity) with its interval; see `plots.means`.

        `plots.reliability_curve` draws how far predictions of held-out votes hold.

        Parameters
        ----------
        ax, title
            As in `plots.means`.
        """
        return plots.means(self, ax, title=title)

    _figures: ClassVar[tuple[str, ...]] = ("means", "reliability_curve")

    def _plot_data(self, figure: str, measure: str | None = None) -> PlotData:
        """Frames of `plots.means`, subjects in the place of systems, or of the curve."""
        if figure == "reliability_curve":
            return self._curve()
        what = "severity" if self.fit.scale is not None else "accuracy"
        table = self.subjects.rename(columns={"subject": "system", what: "mean"})
        labels = {"mean": what, "axis": what}
        return PlotData(table.assign(measure=what), self._title(), None, labels)

    def _curve(self) -> PlotData:
        """Shares of held-out votes by the probability that the chosen model gave them."""
        found = self.fit.scores
        if found is None:
            raise errors.DataError(
                "plots.reliability_curve: the model was given, and no votes were held out; take "
                "method='auto'"
            )
        predicted, observed, n = found.curve()
        lower, upper = wilson(np.nan_to_num(observed * n), n, level=_LEVEL)
        columns = {"predicted": predicted, "observed": observed, "lower": lower, "upper": upper}
        title = (
            f"{counted(len(found.value), 'vote')} held out in ten folds, predicted by "
            f"{self.fit.method}; mean log probability of a vote: {self._said_scores()}"
        ).replace(" -", "\xa0-")
        return PlotData(pd.DataFrame(columns | {"n_votes": n}), title)

    def confusion(self) -> pd.DataFrame:
        """Tables of errors: subject, truth, answer, probability of this answer given the truth."""
        names, people = self.ratings.names, self.ratings.named("reliability")
        rows = pd.MultiIndex.from_product(
            [people, names, names], names=["subject", "truth", "answer"]
        ).to_frame(index=False)
        by_truth = self.fit.confusion.swapaxes(1, 2)  # (subjects, truth, answer)
        return rows.astype(str).assign(probability=by_truth.ravel())

    def weights(self) -> pd.Series[float]:
        """Weight of each subject's vote, with mean 1: log((k - 1) a / (1 - a)) of its accuracy a.

        The accuracy is drawn towards everybody's by the votes of the prior, so that a few votes
        earn no extreme weight. k is the number of answers; the weight is 0 for accuracies of 1/k
        and less, and accuracies count as at most 0.999. These are the best weights of a vote if
        accuracies are known and errors independent and equally likely (Nitzan & Paroush 1982). All
        0 if nobody is better than chance.
        """
        k = max(len(self.ratings.names), 2)
        a = np.clip(self.fit.accuracy, 1 / k, 0.999)
        weight = np.log((k - 1) * a / (1 - a))
        mean = float(np.nanmean(weight))
        index = pd.Index(self.ratings.named("reliability"), name="subject")
        return pd.Series(weight / mean if mean > 0 else 0.0 * weight, index, name="weight")

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row for each unit: its ids, answer (the most probable), probability, share, n_votes.

        `probability` is that of being the panel's answer, `share` that of the votes for it: what
        the model adds is the difference. With known answers (`gold`) `truth` is the recalibrated
        probability that the panel's answer is true. The first of equally probable answers. With
        ``full=True`` one row for each unit and answer, without `truth`.
        """
        fit, ratings = self.fit, self.ratings
        k = len(ratings.names)
        n_votes = np.bincount(ratings.unit, minlength=ratings.n_units)
        if validation.option_flag("full", full):
            unit, answer = np.divmod(np.arange(ratings.n_units * k), k)
        else:
            unit, answer = np.arange(ratings.n_units), fit.posterior.argmax(axis=1)
        ids = {name: take(ids, unit).to_pylist() for name, ids in ratings.units.items()}
        columns: dict[str, Any] = {
            **ids,
            "answer": np.array(ratings.names, dtype=object)[answer],
            "probability": fit.posterior[unit, answer],
            "share": fit.share[unit, answer],
            "n_votes": n_votes[unit],
        }
        if fit.gold is not None and not full:
            columns["truth"] = fit.gold.of(columns["probability"])
        return pd.DataFrame(columns).astype({**dict.fromkeys(ids, str), "answer": str})

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
            return Judgments(query, item, np.full(len(p), grades[1]), probability=p, intent=intent)
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
