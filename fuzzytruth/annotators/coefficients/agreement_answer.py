"""What is printed of agreement."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from fuzzytruth._typing import Floats
from fuzzytruth.annotators.coefficients.rated_units import (
    Over,
    in_words,
    several_queries,
    unit_word,
)
from fuzzytruth.annotators.ratings import Ratings
from fuzzytruth.errors import counted, first_few
from fuzzytruth.io.answer import Column, Printed, Sentences, Table
from fuzzytruth.io.number_text import interval_text, level_text, number_text

if TYPE_CHECKING:
    import pandas as pd

NAMES = {
    "alpha": "Krippendorff's alpha",
    "fleiss": "Fleiss' kappa",
    "cohen": "Cohen's kappa",
    "ac1": "Gwet's AC1",
    "ac2": "Gwet's AC2",
    "percent": "Share of agreeing pairs",
}
_MOST_NAMED = 3
_HARDLY = 0.05  # of the votes that a subject in the middle gave


class Found(Protocol):
    """An `Agreement`, as far as it is printed."""

    @property
    def value(self) -> float:
        """The coefficient."""
        ...

    @property
    def lower(self) -> float:
        """End of the interval."""
        ...

    @property
    def upper(self) -> float:
        """End of the interval."""
        ...

    @property
    def observed(self) -> float:
        """Disagreement."""
        ...

    @property
    def expected(self) -> float:
        """Disagreement by chance."""
        ...

    @property
    def coefficient(self) -> str:
        """Which one."""
        ...

    @property
    def metric(self) -> str:
        """Its distances."""
        ...

    @property
    def over(self) -> Over:
        """What is random."""
        ...

    @property
    def level(self) -> float:
        """Of the interval."""
        ...

    @property
    def n_units(self) -> int:
        """Items with two votes."""
        ...

    @property
    def n_subjects(self) -> int:
        """People; 0 where nobody is named."""
        ...

    @property
    def n_votes(self) -> int:
        """Votes on those items."""
        ...

    @property
    def n_left_out(self) -> int:
        """Items with one vote."""
        ...

    @property
    def outside(self) -> pd.DataFrame:
        """Grades outside the scale."""
        ...

    @property
    def alone(self) -> pd.DataFrame:
        """Grades of a single subject."""
        ...

    @property
    def ratings(self) -> Ratings:
        """The votes."""
        ...

    @property
    def gaps(self) -> Floats:
        """Mean distances by item."""
        ...


def agreement_answer(found: Found) -> Printed:
    """What `print` shows: the coefficient with its interval, and what it is of."""
    who = counted(found.n_subjects, "subject") if found.n_subjects else "no names"
    word = unit_word(found.ratings)
    sizes = f"{counted(found.n_units, word)}, {who}, {counted(found.n_votes, 'vote')}"
    columns = (
        Column.label("coefficient", [NAMES[found.coefficient]]),
        Column.label("metric", [found.metric]),
        Column("value", (number_text(found.value),)),
        Column(level_text(found.level), (interval_text(found.lower, found.upper),)),
        Column("observed", (_number(found.observed),), "extra"),
        Column("by chance", (_number(found.expected),), "extra"),
    )
    extras = "Observed, by chance: mean disagreement of pairs of votes, by the metric."
    return Printed.of(
        f"Agreement: {sizes}",
        Sentences.of(*_found(found)),
        Table(columns, extras=extras),
        Sentences.of(
            _interval(found),
            _left_out(found),
            _grades("Outside the scale, and counted as they are", found.outside),
            _grades("Given by a single subject", found.alone) if not len(found.outside) else "",
            _rarely(found.ratings),
        ),
        Sentences.of("More: .to_frame(full=True), .by_category(), .by_item(), .by_pair()"),
    )


def _found(found: Found) -> list[str]:
    """What was found, in words."""
    same = float(np.mean(found.gaps[~np.isnan(found.gaps)] == 0))
    word = unit_word(found.ratings)
    items = f"All votes agree on {100 * same:.3g} % of the {word}s."
    if np.isnan(found.value):
        return [
            "No variation: every vote is the same, agreement is 100 %, and agreement beyond chance "
            "is not defined."
        ]
    if found.observed == 0:
        return [
            f"All agree on all {word}s; the interval [1, 1] does not say how far other "
            f"{in_words(found.over)} would."
        ]
    if found.coefficient == "percent":
        share = f"{100 * found.value:.3g} %"
        agree = f"Of two votes on one {word}, {share} agree"
        if found.metric != "nominal":
            agree = f"Two votes on one {word} agree to {share}, 100 % less their mean distance"
        return [f"{agree}; agreement by chance is not taken off.", items]
    if found.value <= 0:
        return [f"Votes on one {word} disagree at least as much as expected by chance.", items]
    share = f"{100 * (1 - found.value):.3g} %"
    disagree = f"Disagreement between votes on one {word} is {share} of that expected by chance."
    return [disagree, items]


_OTHERS = {
    "item": "other items like these",
    "query": "other queries like these",
    "subject": "other subjects like these",
}


def _interval(found: Found) -> str:
    """What the interval is of."""
    if np.isnan(found.value):
        return ""
    kind = f"{level_text(found.level)} interval"
    if np.isinf(found.lower):
        return f"Brackets: {kind} over {in_words(found.over)}, which is unknown."
    who = " and ".join(_OTHERS[axis] for axis in found.over)
    fixed = "" if "subject" in found.over else "; the subjects are taken as they are"
    out = f"Brackets: {kind} for {who}, by leaving out one at a time{fixed}."
    if "item" in found.over and several_queries(found.ratings):
        out += (
            " Items of one query are taken for independent; if they vary together, the interval "
            "is too short: see over='query'."
        )
    return out


def _left_out(found: Found) -> str:
    if not found.n_left_out:
        return ""
    word = unit_word(found.ratings)
    return (
        f"{counted(found.n_left_out, f'{word} has', f'{word}s have')} a single vote, and no pairs."
    )


def _rarely(ratings: Ratings) -> str:
    """Who gave hardly any votes: slips in names, mostly, who are subjects like others here."""
    names = ratings.subjects
    if names is None:
        return ""
    counts = np.bincount(ratings.subject, minlength=ratings.n_subjects)
    few = np.flatnonzero((counts > 0) & (counts < _HARDLY * np.median(counts)))
    if not len(few):
        return ""
    rows = [(names[s], int(counts[s])) for s in few[np.argsort(counts[few], kind="stable")]]
    said = first_few(rows, _MOST_NAMED, show=lambda row: f"{row[0]} ({row[1]:,})")
    return f"Subjects with hardly any votes, perhaps slips in a name: {said}."


def _grades(what: str, table: pd.DataFrame) -> str:
    """Unusual grades with who gave them, and how often."""
    if not len(table):
        return ""
    rows = zip(table["grade"], table["subject"], table["count"], strict=True)
    said = first_few(rows, _MOST_NAMED, show=lambda row: f"{row[0]:g} by {row[1]} ({row[2]:,} ×)")
    return f"{what}: {said}."


def _number(value: float) -> str:
    """Four digits, whatever the unit of the metric."""
    return "–" if np.isnan(value) else f"{value:.4g}"
