"""What is printed of a model of reliability."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from fuzzytruth.annotators.coefficients.rated_units import unit_word
from fuzzytruth.annotators.influences.weighted_scores import ASSUMES
from fuzzytruth.errors import counted
from fuzzytruth.io.answer import Column, Printed, Sentences, Table
from fuzzytruth.io.number_text import interval_text, level_text, number_text

if TYPE_CHECKING:
    import pandas as pd

    from fuzzytruth.annotators.ratings import Ratings

_MOST_SUBJECTS = 12
_FEW_VOTES = 10


class Fitted(Protocol):
    """A `Reliability`, as far as it is printed."""

    @property
    def ratings(self) -> Ratings:
        """The votes."""
        ...

    @property
    def fit(self) -> Any:
        """The estimates."""
        ...

    @property
    def subjects(self) -> pd.DataFrame:
        """Accuracies."""
        ...


def reliability_answer(result: Fitted) -> Printed:
    """What `print` shows: how sure the model is, then subjects, the least surely right first."""
    fit, ratings = result.fit, result.ratings
    best = fit.posterior.max(axis=1)
    most = fit.share.max(axis=1)
    # the model's answer is another one than that (or one of those) with most votes
    own = np.take_along_axis(fit.share, fit.posterior.argmax(axis=1)[:, None], axis=1)[:, 0]
    other = int((own < most - 1e-12).sum())
    what = "grade" if ratings.grades is not None else "answer"
    return Printed.of(
        f"Reliability of {counted(ratings.n_subjects, 'subject')} by {fit.method}: "
        f"{counted(len(ratings.unit), 'vote')} on {counted(ratings.n_units, unit_word(ratings))}, "
        f"{counted(len(ratings.names), what)}",
        Sentences.of(
            f"If the model holds, the most probable {what} has a mean probability of "
            f"{number_text(best.mean(), 3)}; the most frequent one has "
            f"{number_text(most.mean(), 3)} of the votes.",
            f"It is another one than most votes are for in {other:,} of "
            f"{counted(ratings.n_units, unit_word(ratings))}"
            + (f", and one that nobody gave in {int((own == 0).sum()):,}." if other else "."),
        ),
        _subjects(result),
        Sentences.of(_legend(fit, unit_word(ratings)), ASSUMES),
        Sentences.of(
            "More: .subjects, .confusion(), .weights(), .to_frame(), "
            + (".judgments(), .compare(runs, measures)" if what == "grade" else ".membership()")
        ),
    )


def _subjects(result: Fitted) -> Table:
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
    columns = [
        Column.label("subject", table["subject"]),
        Column("accuracy", tuple(number_text(value, 3) for value in table["accuracy"])),
    ]
    if table["lower"].notna().any():
        ends = zip(table["lower"], table["upper"], strict=True)
        level = level_text(result.fit.level)
        columns.append(Column(level, tuple(interval_text(*pair, 3) for pair in ends)))
    columns += [
        Column("weight", tuple(number_text(value, 2) for value in table["weight"])),
        Column("votes", tuple(f"{number:,}" for number in table["n_votes"])),
    ]
    return Table(tuple(columns), title)


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
