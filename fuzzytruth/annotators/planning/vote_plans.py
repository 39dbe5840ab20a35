"""Plans of votes alone: how many for a consensus, how many items and people for agreement."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal
from warnings import catch_warnings

import numpy as np

from fuzzytruth._lazy import pd, special
from fuzzytruth.annotators.coefficients import agreement_metrics
from fuzzytruth.annotators.coefficients.agreement import agreement
from fuzzytruth.annotators.ratings import ratings_of
from fuzzytruth.core.validation import between_zero_and_one, option_flag, option_number
from fuzzytruth.data.ratings import Ratings
from fuzzytruth.errors import OptionError, counted, plural, require
from fuzzytruth.show.answer import FrameColumns, Parts, Result, Sentences, printed_table
from fuzzytruth.show.number_text import level_text, number_text
from fuzzytruth.stats.votes.sizes import consensus, consensus_limit, people_variance

MOST_VOTES = 201
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
            else f"It takes more than {MOST_VOTES} votes an item; infinitely many reach {limit}."
            if self.limit > self.target
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

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row a number of votes: votes, probability that the majority is right.

        `full` is for symmetry with other results: there is nothing more.
        """
        option_flag("full", full)
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
    numbers = range(1, MOST_VOTES + 1, 2)
    enough = (n for n in numbers if consensus(n, accuracy, rho) >= target)
    return ConsensusPlan(accuracy, rho, target, next(enough, None), consensus_limit(accuracy, rho))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class AgreementPlan(Result):
    """How wide the interval of a coefficient of agreement would be in a larger study.

    Parameters
    ----------
    coefficient, metric : str
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
    metric: str
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

    @property
    def now(self) -> float:
        """Half-width of the pilot's interval, over items and people where these are known."""
        return self.predict(self.n_items, self.n_people)

    def least_items(self, people: int) -> int | None:
        """The fewest items with so many people; None: more people are needed."""
        left = (self.half_width / self._z) ** 2 - np.nan_to_num(self.of_people) / people
        return int(np.ceil(self.of_items / left)) if left > 0 else None

    def _title(self) -> str:
        pilot = f"{counted(self.n_items, self.unit)} and {counted(self.n_people, 'subject')}"
        value, half = number_text(self.value, 2), number_text(self.half_width, 3)
        return (
            f"Plan of agreement: {self.coefficient} ({self.metric}) {value} in a pilot of {pilot}, "
            f"to ±{half} ({level_text(self.level)})"
        )

    def _parts(self) -> Parts:
        unit, units = self.unit, plural(self.unit)
        columns: FrameColumns = {
            "people": "subjects",
            "items": (f"{units}", lambda n: "–" if pd.isna(n) else f"{n:,}"),
        }
        frame, known = self.to_frame(full=True), not np.isnan(self.of_people)
        over = f"{units} and subjects" if known else f"{units}"
        yield Sentences.of(f"Now ±{number_text(self.now, 3)}, over {over}.")
        yield printed_table(
            frame, columns, title=f"The fewest {units} for ±{number_text(self.half_width, 3)}"
        )
        most, _, floor = frame.iloc[-1]
        few = (
            f"–: no number of {units} is enough with so few subjects; with {most:,.0f} the "
            f"narrowest is ±{number_text(floor, 3)}."
        )
        people = (
            f"How people differ is not known, for which {units} need three votes, of three people: "
            f"intervals over {units} alone."
            if not known
            else f"A new {unit} with as many votes narrows the interval, and a new subject does; "
            f"more votes on chosen {units} would bias agreement."
            if self.of_people
            else "No differences between people show in this pilot, so that all rows are the same: "
            f"a new {unit} with as many votes narrows the interval, and a new subject does not; "
            f"more votes on chosen {units} would bias agreement."
        )
        yield Sentences.of(
            few if frame["items"].isna().any() else "",
            people,
            "In simulations widths came out 0.9 to 1.5 times what they were.",
        )

    def _sentence(self) -> str:
        """The fewest items with so many people as now, and with more."""
        frame, units = self.to_frame(), plural(self.unit)
        enough = frame.dropna().drop_duplicates("items").head(2).itertuples(index=False)
        said = [f"{items:,} {units} with {people:,} subjects" for people, items in enough]
        said = said or [f"more than {frame['people'].max():,} subjects"]
        now = f"{counted(self.n_items, self.unit)}, {self.n_people:,} subjects"
        half = f"{self.coefficient} to ±{number_text(self.half_width, 3)}"
        return f"{half} takes {', or '.join(said)} (now {now}, ±{number_text(self.now, 3)})."

    def to_frame(self, *, full: bool = False) -> pd.DataFrame:
        """One row a number of people: people, the fewest items (NA: more people are needed).

        Parameters
        ----------
        full : bool
            Also floor, the half-width with infinitely many items.
        """
        factors = _FACTORS[:1] if np.isnan(self.of_people) else _FACTORS
        people = [self.n_people * factor for factor in factors]
        items = [self.least_items(n) for n in people]
        frame = pd.DataFrame({"people": people, "items": pd.array(items, dtype="Int64")})
        floor = self._z * np.sqrt(np.nan_to_num(self.of_people) / frame["people"])
        return frame.assign(floor=floor) if option_flag("full", full) else frame


def checked_half_width(given: Any) -> float | None:
    """A half-width that is asked for, if one is."""
    if given is None:
        return None
    half_width = option_number("half_width", given)
    require("half_width", half_width, half_width > 0, "must be above 0")
    return half_width


def usual_metric(ratings: Ratings) -> Literal["nominal", "ordinal", "interval", "masi"]:
    """How far two votes differ, where nobody says: by the order of grades, of many by the size."""
    if ratings.sets is not None and (np.diff(ratings.sets.offsets) > 1).any():
        return "masi"
    return "interval" if ratings.are_measured else agreement_metrics.metric_of(ratings)


def agreement_plan(votes: Any, half_width: Any, level: float) -> AgreementPlan:
    """See `plan`; by default to half of the pilot's half-width."""
    half_width = checked_half_width(half_width)
    ratings = ratings_of(votes)
    metric = usual_metric(ratings)
    over = agreement_metrics.default_axis(ratings)
    found = agreement(ratings, metric=metric, over=over, level=level)
    if np.isnan(found.std_error) or not found.n_subjects:
        why = "all of its votes are the same, or of too few items"
        raise OptionError(
            "plan: the agreement of this pilot is not known, as "
            + (why if found.n_subjects else "nobody is named; give votes of named people")
        )
    mean = float(np.nanmean(1 - found.gaps))
    scale = (1 - found.value) / (1 - mean) if mean < 1 else 1.0
    of_people = people_variance(ratings.unit, ratings.subject, ratings.value, scale)
    if (ratings.weight != 1).any():  # somebody judged twice
        of_people = np.nan
    if metric != "nominal" and not np.isnan(of_people):  # that was of equal and unequal votes
        with catch_warnings(action="ignore"):
            both = agreement(ratings, metric=metric, over=(over, "subject"), level=level)
        of_people = max(both.std_error**2 - found.std_error**2, 0.0) * found.n_subjects
    n, unit = found.n_units, agreement_metrics.unit_word(ratings)
    if over == "query":
        n, unit = agreement_metrics.n_queries(ratings), "query"
    sizes, of_items = (n, found.n_subjects), found.std_error**2 * n
    plan = AgreementPlan(
        found.coefficient, metric, found.value, of_items, of_people, *sizes, np.nan, level, unit
    )
    return replace(plan, half_width=plan.now / 2 if half_width is None else half_width)
