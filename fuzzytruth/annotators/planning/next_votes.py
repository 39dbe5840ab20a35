"""Which votes, of whom on which items, would tell most about the panel's answers."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any
from warnings import catch_warnings

import numpy as np

from fuzzytruth._lazy import pd
from fuzzytruth._typing import Bools, Floats, Ints
from fuzzytruth.annotators.coefficients.agreement_metrics import unit_word
from fuzzytruth.annotators.influences.reliability import reliability
from fuzzytruth.annotators.influences.reliability_result import Reliability
from fuzzytruth.annotators.planning.vote_plans import AgreementPlan, agreement_plan
from fuzzytruth.core.validation import option_flag
from fuzzytruth.errors import FuzzytruthError, OptionError, counted, first_few, plural, shown
from fuzzytruth.io.ids import take
from fuzzytruth.show.answer import FrameColumns, Parts, Result, Sentences, printed_table
from fuzzytruth.show.number_text import percent_text
from fuzzytruth.stats.votes.models import fit_votes
from fuzzytruth.stats.votes.next_votes import information
from fuzzytruth.stats.votes.table import VoteTable

_ROWS = 20
_CUT = "the first {shown} of {rows:,}; all: .to_frame(full=True)"
_AT_RANDOM = 0.1  # share of the votes
_LEVEL = 0.95
_NEW = "somebody new"
_LOAD = 2.0  # times the mean number of votes that one subject is asked for at most


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class NextVotes(Result):
    """Votes to ask for next, where there are no systems to compare.

    Parameters
    ----------
    votes : DataFrame
        One row a vote, those that tell most first, those at random last: the item (and query),
        subject (who is to be asked; "somebody new" where everybody voted on everything), gain,
        answer (the most probable one now), probability, and at_random, whether it was chosen so.
    gain : str
        What gains are.
    model : str
    n_items, n_subjects : int
    category : str or None
    agreement : AgreementPlan or None
        What more units or people would do for agreement; None where it cannot be known.
    """

    votes: pd.DataFrame
    gain: str
    model: str
    n_items: int
    n_subjects: int
    category: str | None = None
    agreement: AgreementPlan | None = None

    def __repr__(self) -> str:
        return f"NextVotes({counted(len(self.votes), 'vote')} by {self.model})"

    _more = ".to_frame()"

    def _title(self) -> str:
        about = "the panel's answers" if self.category is None else f"the size of {self.category}"
        people = _NEW if self._of_new else counted(self.n_subjects, "subject")
        return (
            f"What to ask next about {about}: {counted(len(self.votes), 'vote')} of {people} on "
            f"{counted(self.n_items, 'item')}"
        )

    @property
    def _of_new(self) -> bool:
        return bool((self.votes["subject"] == _NEW).all())

    def _parts(self) -> Parts:
        at_random = int(self.votes["at_random"].sum())
        ids = [name for name in ("query", "item") if name in self.votes.columns]
        columns: FrameColumns = {
            **{name: name for name in ids},
            "subject": "ask",
            "gain": ("gain", ".3f"),
            "answer": "answer now",
            "probability": ("probability", ".2f"),
            "at_random": ("", lambda drawn: "at random" if drawn else "", "label")
            if self.votes["at_random"].head(_ROWS).any()
            else None,
        }
        yield printed_table(
            self.votes, columns, title="Votes that tell most", limit=_ROWS, cut=_CUT
        )
        yield Sentences.of(
            f"Gain: {self.gain}, by {self.model}.",
            f"The last {'vote is' if at_random == 1 else f'{at_random:,} votes are'} at random: "
            "after choosing by what is known, agreement and tests of the model see chosen items, "
            "and those at random keep an honest sample."
            if at_random
            else "",
            "Everybody voted on everything: gains are those of somebody new, who errs as people do "
            "on average."
            if self._of_new
            else f"Nobody is asked for more than {_LOAD:g} times the mean number of these votes.",
            self._about_agreement(),
        )

    def _about_agreement(self) -> str:
        """What twice as many units, or people, would do for the interval of agreement."""
        plan = self.agreement
        if plan is None or np.isnan(plan.of_people):
            why = "votes that vary" if plan is None else f"{plural(plan.unit)} with three votes"
            return f"What more votes would do for agreement is not known, for want of {why}."
        factors = ((1, 1), (2, 1), (1, 2))
        now, *more = (plan.predict(a * plan.n_items, b * plan.n_people) for a, b in factors)
        items, people = (percent_text(1 - one / now) for one in more)
        units = plural(plan.unit)
        return (
            f"Agreement: twice as many {units} would narrow its interval by {items}, twice as many "
            f"people by {people}; one more vote on the same {units} by people who are there does "
            "less."
        )

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """A copy of `votes`, without at_random unless `full`."""
        full = option_flag("full", full)
        return self.votes.copy() if full else self.votes.drop(columns="at_random")


def next_votes(
    votes: Any, *, category: str | None, limit: int | None, k: int, rng: Any
) -> NextVotes:
    """See `annotate_next`, without runs."""
    found = reliability(votes, n_simulated=0, level=None, rng=rng)
    return next_votes_by(found, category=category, limit=limit, k=k, rng=rng)


def next_votes_by(
    found: Reliability, *, category: str | None, limit: int | None, k: int, rng: Any
) -> NextVotes:
    """The same by a model that was fitted."""
    ratings, fit = found.ratings, found.fit
    n, s, classes = ratings.n_units, ratings.n_subjects, len(ratings.names)
    table = VoteTable.of(ratings.unit, ratings.subject, ratings.value, (n, s, classes))
    model: Any = fit.method
    weighed = fit.copies.weigh(table) if fit.once else table
    fitted = fit_votes(weighed, model, prior=fit.prior)
    if category is not None and category not in ratings.names:
        raise OptionError(
            f"category={category!r}: is no answer that anybody gave; they gave "
            f"{first_few(ratings.names, show=shown)}"
        )
    place = None if category is None else ratings.names.index(category)
    gain = information(fitted, place)  # (units, subjects)
    gain[table.unit, table.subject] = -np.inf  # who voted already is not asked again
    names = ratings.named("annotate_next")
    if not np.isfinite(gain).any():
        names = (_NEW,) * k
        mean = fitted.errors.mean(axis=0, keepdims=True)
        gain = np.repeat(information(replace(fitted, errors=mean), place), k, axis=1)
    most = k * n if limit is None else limit
    generator = np.random.default_rng(rng)
    unit, subject, chosen = _asked(gain, most, k, generator)
    best = fit.posterior.argmax(axis=1)
    ids = {name: take(column, unit).to_pylist() for name, column in ratings.units.items()}
    columns = {
        **ids,
        "subject": np.array(names, dtype=object)[subject],
        "gain": gain[unit, subject],
        "answer": np.array(ratings.names, dtype=object)[best[unit]],
        "probability": fit.posterior[unit, best[unit]],
        "at_random": ~chosen,
    }
    frame = pd.DataFrame(columns).astype({**dict.fromkeys(ids, str), "subject": str, "answer": str})
    what = "expected fall of the entropy of the item's answer, in nats"
    if category is not None:
        what = f"expected fall of the variance of how many {unit_word(ratings)}s are {category}"
    plan = None  # where agreement is not known
    with catch_warnings(action="ignore"), suppress(FuzzytruthError):
        plan = agreement_plan(ratings, None, _LEVEL)
    return NextVotes(frame, what, fit.method, n, s, category, plan)


def _asked(gain: Floats, most: int, k: int, rng: np.random.Generator) -> tuple[Ints, Ints, Bools]:
    """Units and subjects of the votes, by gain, and whether they were chosen by it: (votes,) each.

    A unit gets `k` votes at most, a subject twice the mean; one vote in ten is at random.
    """
    n, s = gain.shape
    at_random = round(_AT_RANDOM * most)
    cap = max(int(np.ceil(_LOAD * most / s)), 1)
    free, load = np.full(n, k), np.full(s, cap)
    taken: dict[tuple[int, int], bool] = {}

    def pick(pairs: Ints, count: int, *, chosen: bool) -> None:
        for unit, subject in zip(*(each.tolist() for each in np.divmod(pairs, s)), strict=True):
            if count == 0:
                break
            if free[unit] and load[subject] and (unit, subject) not in taken:
                free[unit] -= 1
                load[subject] -= 1
                taken[unit, subject] = chosen
                count -= 1

    pairs = np.flatnonzero(np.isfinite(gain))
    pick(rng.permutation(pairs), at_random, chosen=False)  # first, and so of all items alike
    pick(pairs[np.argsort(-gain.ravel()[pairs], kind="stable")], most - len(taken), chosen=True)
    unit, subject = np.array([*taken], dtype=int).reshape(-1, 2).T
    chosen = np.array([*taken.values()], dtype=bool)
    order = np.lexsort((-gain[unit, subject], ~chosen))
    return unit[order], subject[order], chosen[order]
