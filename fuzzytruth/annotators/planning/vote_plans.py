"""Plans of votes alone: how many for a consensus, how many items and people for agreement."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fuzzytruth._lazy import pd, special
from fuzzytruth.annotators.coefficients.agreement import agreement
from fuzzytruth.annotators.coefficients.agreement_metrics import unit_word
from fuzzytruth.core.validation import between_zero_and_one, option_number
from fuzzytruth.errors import OptionError, counted, require
from fuzzytruth.show.answer import FrameColumns, Parts, Result, Sentences, printed_table
from fuzzytruth.show.number_text import level_text, number_text
from fuzzytruth.stats.votes.sizes import consensus, consensus_limit, people_variance

_MOST_VOTES = 201
_SHOWN_VOTES = (1, 3, 5, 7, 9, 15, 21)
_FACTORS = (1, 2, 4, 8)  # of the pilot's items
LEAST_RHO, MOST_RHO = 0.05, 0.2  # what is usual, where it is not known


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ConsensusPlan(Result):
    """How many votes an item needs for its majority to be right.

    Parameters
    ----------
    accuracy : float
        Probability that a vote is right.
    rho : float
        Correlation of two people's being right on one item.
    target : float
        Probability asked for.
    votes : int or None
        The least odd number of votes that reach it; None: no number does.
    limit : float
        What infinitely many votes reach.
    """

    accuracy: float
    rho: float
    target: float
    votes: int | None
    limit: float

    def __repr__(self) -> str:
        needed = "no number of votes" if self.votes is None else counted(self.votes, "vote")
        return f"ConsensusPlan({needed} for {self.target:g})"

    _more = ".to_frame()"

    def _title(self) -> str:
        return (
            f"Votes for the majority of an item to be right with probability {self.target:g}: "
            f"accuracy {self.accuracy:g}, correlation {self.rho:g}"
        )

    def _parts(self) -> Parts:
        limit = number_text(self.limit, 3)
        yield Sentences.of(
            f"{counted(self.votes, 'vote')} an item; infinitely many reach {limit}."
            if self.votes is not None
            else f"No number of votes reaches {self.target:g}: infinitely many reach {limit}, as "
            "people err on the same items. Other people, or clearer questions, help."
        )
        columns: FrameColumns = {"votes": "votes", "probability": ("majority right", ".3f")}
        yield printed_table(self.to_frame(), columns)
        yield Sentences.of(
            "Of two answers; of more, the least there can be, reached if errors agree. People are "
            "drawn anew for each item.",
            "The correlation is not known from votes alone: known answers tell, and "
            f"{LEAST_RHO:g} to {MOST_RHO:g} are usual.",
        )

    def to_frame(self) -> pd.DataFrame:
        """One row a number of votes: votes, probability that the majority is right."""
        numbers = sorted({*_SHOWN_VOTES, *([self.votes] if self.votes else [])})
        chance = [consensus(n, self.accuracy, self.rho) for n in numbers]
        return pd.DataFrame({"votes": numbers, "probability": chance})


def consensus_plan(target: Any, accuracy: Any, rho: Any) -> ConsensusPlan:
    """See `plan`."""
    require("accuracy", accuracy, accuracy is not None, "give the probability that a vote is right")
    target, accuracy = (
        between_zero_and_one(name, value)
        for name, value in (("consensus", target), ("accuracy", accuracy))
    )
    rho = option_number("rho", rho)
    require("rho", rho, 0 <= rho < 1, "must be from 0, and below 1")
    numbers = range(1, _MOST_VOTES + 1, 2)
    enough = (n for n in numbers if consensus(n, accuracy, rho) >= target)
    return ConsensusPlan(accuracy, rho, target, next(enough, None), consensus_limit(accuracy, rho))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AgreementPlan(Result):
    """How wide the interval of a coefficient of agreement would be in a larger study.

    Parameters
    ----------
    coefficient : str
    value : float
        Of the pilot.
    of_items, of_people : float
        Variances of one item and of one person; the latter NaN where the pilot does not tell.
    n_items, n_people : int
        Of the pilot.
    half_width : float
        Asked for.
    level : float
    unit : str
    """

    coefficient: str
    value: float
    of_items: float
    of_people: float
    n_items: int
    n_people: int
    half_width: float
    level: float
    unit: str

    def __repr__(self) -> str:
        return f"AgreementPlan({self.coefficient} to ±{self.half_width:g})"

    _more = ".predict(items, people), .to_frame()"

    def predict(self, items: int, people: int) -> float:
        """Half-width of the interval with so many items and people."""
        of_people = np.nan_to_num(self.of_people) / people
        return float(self._z * np.sqrt(self.of_items / items + of_people))

    @property
    def _z(self) -> float:
        return float(-special.ndtri((1 - self.level) / 2))

    def least_items(self, people: int) -> int | None:
        """The fewest items with so many people; None: more people are needed."""
        left = (self.half_width / self._z) ** 2 - np.nan_to_num(self.of_people) / people
        return int(np.ceil(self.of_items / left)) if left > 0 else None

    def _title(self) -> str:
        pilot = f"{counted(self.n_items, self.unit)} and {counted(self.n_people, 'subject')}"
        return (
            f"Plan of agreement: {self.coefficient} {number_text(self.value, 2)} in a pilot of "
            f"{pilot}, to ±{number_text(self.half_width, 3)} ({level_text(self.level)})"
        )

    def _parts(self) -> Parts:
        unit = self.unit
        columns: FrameColumns = {
            "people": "subjects",
            "items": (f"{unit}s", lambda n: "–" if n != n else f"{n:,.0f}"),
        }
        yield printed_table(
            self.to_frame(),
            columns,
            title=f"The fewest {unit}s for ±{number_text(self.half_width, 3)}",
        )
        people = (
            f"How people differ is not known, for which {unit}s need three votes, of three people: "
            f"intervals over {unit}s alone."
            if np.isnan(self.of_people)
            else f"A new {unit} with as many votes narrows the interval, and a new subject does; "
            f"more votes on chosen {unit}s would bias agreement."
        )
        yield Sentences.of(
            people, "In simulations widths came out 0.9 to 1.5 times what they were."
        )

    def _sentence(self) -> str:
        """The fewest items with so many people as now, and with more."""
        frame = self.to_frame().drop_duplicates("items").head(2)
        said = [
            (f"{items:,.0f} {self.unit}s" if items == items else f"no number of {self.unit}s")
            + f" with {people:,} subjects"
            for people, items in frame.itertuples(index=False)
        ]
        now = f"{counted(self.n_items, self.unit)} and {self.n_people:,} subjects"
        half = f"{self.coefficient} to ±{number_text(self.half_width, 3)}"
        return f"{half} takes {', or '.join(said)} (now {now})."

    def to_frame(self) -> pd.DataFrame:
        """One row a number of people: people, the fewest items (NaN: more people are needed)."""
        factors = _FACTORS[:1] if np.isnan(self.of_people) else _FACTORS
        people = [self.n_people * factor for factor in factors]
        items = [self.least_items(n) for n in people]
        return pd.DataFrame({"people": people, "items": np.array(items, dtype=float)})


def checked_half_width(given: Any) -> float | None:
    """A half-width that is asked for, if one is."""
    if given is None:
        return None
    half_width = option_number("half_width", given)
    require("half_width", half_width, half_width > 0, "must be above 0")
    return half_width


def agreement_plan(votes: Any, half_width: Any, level: float, **options: Any) -> AgreementPlan:
    """See `plan`; by default to half of the pilot's half-width over items."""
    half_width = checked_half_width(half_width)
    found = agreement(votes, over="item", level=level, **options)
    if np.isnan(found.std_error) or not found.n_subjects:
        why = "all of its votes are the same, or of too few items"
        raise OptionError(
            "plan: the agreement of this pilot is not known, as "
            + (why if found.n_subjects else "nobody is named; give votes of named people")
        )
    width = (found.upper - found.lower) / 4 if half_width is None else half_width
    mean = float(np.nanmean(1 - found.gaps))
    scale = (1 - found.value) / (1 - mean) if mean < 1 else 1.0
    ratings = found.ratings
    of_people = people_variance(ratings.unit, ratings.subject, ratings.value, scale)
    if (ratings.weight != 1).any():  # somebody judged twice
        of_people = np.nan
    sizes = found.n_units, found.n_subjects
    of_items = found.std_error**2 * found.n_units
    unit = unit_word(ratings)
    return AgreementPlan(
        found.coefficient, found.value, of_items, of_people, *sizes, width, level, unit
    )
