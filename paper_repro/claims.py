"""Every claim: printed or by hand, and computed."""

from __future__ import annotations

from functools import cache

from paper_repro.contests import contest_claims
from paper_repro.experiment import distribution_claims, list_claims, theorem_claims, world_claims
from paper_repro.figure1 import figure1_claims, graph_claims
from paper_repro.image_text import image_text_claims
from paper_repro.tables import EXAMPLE, IDENTITY, PRINTS, Claim, Table
from paper_repro.worked_lists import displacement_claims

#: heading of the column beside ours
SECOND = {PRINTS: "printed", EXAMPLE: "by hand, or expected", IDENTITY: "expected"}


@cache
def all_claims() -> list[Claim]:
    """The claims of every part."""
    return [
        *figure1_claims(),
        *graph_claims(),
        *distribution_claims(),
        *world_claims(),
        *theorem_claims(),
        *displacement_claims(),
        *list_claims(),
        *contest_claims(),
        *image_text_claims(),
    ]


def table(whose: str) -> Table:
    """The claims of one kind."""
    return Table.of(
        ("claim", "source", SECOND[whose], "ours", "agrees"),
        (
            (row.claim, row.source, row.printed, row.ours, row.agrees)
            for row in all_claims()
            if row.whose == whose
        ),
    )


def n_claims(whose: str) -> int:
    """Number of claims of one kind."""
    return sum(row.whose == whose for row in all_claims())
