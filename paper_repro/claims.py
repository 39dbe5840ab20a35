"""The last table: every claim of the sources, printed and computed."""

from __future__ import annotations

from paper_repro.contests import contest_claims
from paper_repro.experiment import experiment_claims
from paper_repro.figure1 import figure1_claims
from paper_repro.misprints import misprint_claims
from paper_repro.tables import Claim, Table
from paper_repro.worked_lists import displacement_claims

# %% [markdown]
# ## All claims
#
# The column *agrees* is computed by the rule at the top. Only the printed formulas of part (c) do
# not agree.


# %% show: claims_table()
def all_claims() -> list[Claim]:
    """The claims of every part."""
    return [
        *figure1_claims(),
        *experiment_claims(),
        *displacement_claims(),
        *contest_claims(),
        *misprint_claims(),
    ]


def claims_table() -> Table:
    """Claim, source, printed, ours, agrees."""
    return Table.of(
        ("claim", "source", "printed", "ours", "agrees"),
        ((row.claim, row.source, row.printed, row.ours, row.agrees) for row in all_claims()),
    )


# %% show: summary()
def summary() -> Table:
    """Numbers of claims."""
    rows = all_claims()
    yes = sum(row.agrees for row in rows)
    return Table.of(("claims", "agree", "do not"), [(len(rows), yes, len(rows) - yes)])
