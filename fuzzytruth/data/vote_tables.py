"""The columns of tables of votes for categories, under any of their usual names."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fuzzytruth.errors import UnusedColumnWarning, shown, warn
from fuzzytruth.io.column_names import normalised
from fuzzytruth.io.column_request import ColumnRequest, answers_of
from fuzzytruth.io.origin import Origin

_VOTES = ColumnRequest(
    ("item", "category"),
    ("weight", "repeat"),
    "category",
    any_of=("subject", "count"),
    excluded=(("count", ("subject",)),),
    otherwise="; votes that name nobody are counted: Assignments.from_counts",
)
#: the columns of the categories that subjects were asked about
ASKED = ColumnRequest(("subject", "item", "category"), (), "category")


def vote_request(columns: Any, drop: Any, subjects: Any) -> ColumnRequest:
    """The columns of votes, under any of their usual names; see `Assignments.from_frame`."""
    return replace(
        _VOTES, columns=columns, answers=answers_of(None, drop, subjects, option="subjects")
    )


#: names of columns that say yes or no to a category
_ANSWERS = frozenset({"answer", "vote", "verdict", "selected", "decision", "accepted", "present"})


def report_answers(origin: Origin, where: str) -> None:
    """Warn of a column that was not used and seems to say whether the category was given."""
    answers = [name for name in origin.unused if normalised(name) in _ANSWERS]
    if answers:
        warn(
            f"{where}: not used: {shown(answers[0])}; every row counts as a vote for its category "
            f"({origin.column('category')}), so if that column says yes or no, keep the rows that "
            "say yes, and give the others as asked=",
            UnusedColumnWarning,
        )
