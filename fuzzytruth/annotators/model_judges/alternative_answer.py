"""What is printed of the alternative annotator test."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from fuzzytruth.errors import counted, first_few
from fuzzytruth.io.answer import Column, Printed, Sentences, Table, first_rows
from fuzzytruth.io.number_text import interval_text, level_text, number_text

if TYPE_CHECKING:
    import pandas as pd

MOST_ROWS = 10


class Tested(Protocol):
    """An `AlternativeAnnotator`, as far as it is printed."""

    @property
    def models(self) -> pd.DataFrame:
        """One row a model."""
        ...

    @property
    def people(self) -> pd.DataFrame:
        """One row a model and person."""
        ...

    @property
    def epsilon(self) -> float:
        """How much worse a model may be."""
        ...

    @property
    def alpha(self) -> float:
        """False discovery rate."""
        ...

    @property
    def level(self) -> float:
        """Of intervals."""
        ...

    @property
    def metric(self) -> str:
        """Closeness to the others."""
        ...

    @property
    def clusters(self) -> str | None:
        """What varies together."""
        ...

    @property
    def across_models(self) -> bool:
        """Whether all models are one family."""
        ...


def alternative_answer(result: Tested) -> Printed:
    """What `print` shows: who passes, then one row a model, the largest advantage first."""
    models, people = result.models, result.people["subject"].nunique()
    return Printed.of(
        f"Alternative annotator test of {counted(len(models), 'model')} beside "
        f"{counted(people, 'person', 'people')} (epsilon {result.epsilon:g}, {result.metric})",
        _verdict(models),
        _table(result),
        _legend(result),
        Sentences.of("More: .to_frame(), .to_frame(full=True), .people"),
    )


def _verdict(models: pd.DataFrame) -> Sentences:
    """Who passes."""
    passed = [*models.loc[models["passes"], "model"]]
    if len(models) == 1:
        word = "passes" if passed else "does not pass"
        rate, n = float(models["winning_rate"].iloc[0]), int(models["n_people"].iloc[0])
        return Sentences.of(
            f"{models['model'].iloc[0]} {word}: it wins against {round(rate * n)} of "
            f"{counted(n, 'person', 'people')}."
        )
    if not passed:
        return Sentences.of("No model passes: none wins against half of the people.")
    does = "passes" if len(passed) == 1 else "pass"
    return Sentences.of(f"{len(passed)} of {len(models)} models {does}: {first_few(passed, 3)}.")


def _table(result: Tested) -> Table:
    """Models by their advantage."""
    rows = result.models.sort_values("advantage", ascending=False, kind="stable")
    ends = zip(rows["lower"], rows["upper"], strict=True)
    wins = [
        f"{round(rate * n)} of {n}"
        for rate, n in zip(rows["winning_rate"], rows["n_people"], strict=True)
    ]
    columns = (
        Column.label("model", rows["model"]),
        Column("wins", tuple(wins)),
        Column("rate", tuple(number_text(rate, 2) for rate in rows["winning_rate"]), "extra"),
        Column("passes", tuple("yes" if ok else "no" for ok in rows["passes"]), "extra"),
        Column("advantage", tuple(number_text(value, 3) for value in rows["advantage"])),
        Column(level_text(result.level), tuple(interval_text(*pair, 3) for pair in ends)),
    )
    kept, left_out = first_rows(columns, MOST_ROWS)
    title = f"the first {MOST_ROWS} of {len(rows):,} models" if left_out else ""
    return Table(kept, title)


def _legend(result: Tested) -> Sentences:
    """What the numbers are."""
    over = "queries" if result.clusters else "items, taken as independent"
    family = "the people and models together" if result.across_models else "the people of a model"
    return Sentences.of(
        "Wins: people against whom the model is closer to the other people, or as close, on a "
        f"significantly larger share of items than the person's minus {result.epsilon:g}; it "
        "passes with half of the people or more.",
        f"Tests: Student's t over {over}; Benjamini-Yekutieli over {family}, at a false discovery "
        f"rate of {result.alpha:g}: not the chance of any false win.",
        "Advantage: share of items on which the model is closer to the other people than a person, "
        "or as close, averaged over people.",
        f"Brackets: {level_text(result.level)} intervals of the advantage over {over}, one model "
        "at a time.",
    )
