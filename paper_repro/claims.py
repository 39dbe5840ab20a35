"""The last tables: every claim of the sources, printed and computed."""

from __future__ import annotations

from functools import cache

from paper_repro.contests import contest_claims
from paper_repro.experiment import experiment_claims
from paper_repro.figure1 import figure1_claims
from paper_repro.graph import graph_claims
from paper_repro.misprints import misprint_claims
from paper_repro.own_votes import report_claims
from paper_repro.scheme4 import scheme4_claims
from paper_repro.strong import strong_claims
from paper_repro.systems import system_claims
from paper_repro.tables import EXAMPLE, IDENTITY, PRINTS, Claim, Table
from paper_repro.worked_lists import displacement_claims

# %% [markdown]
# ## All claims
#
# The column *agrees* is computed by the rule at the top; "no, see" names the row of part (c) that
# explains why. Three kinds of claims are kept apart, for they say different things about us:
#
# - *the source prints it*: a number or a statement of the paper or of a contest's page
# - *our worked example*: what we worked out by hand, or put into a printed formula
# - *identity*: what holds for every input, checked on one
#
# ### What the sources print


# %% show: printed_claims()
@cache
def all_claims() -> list[Claim]:
    """The claims of every part."""
    return [
        *figure1_claims(),
        *graph_claims(),
        *experiment_claims(),
        *strong_claims(),
        *system_claims(),
        *displacement_claims(),
        *scheme4_claims(),
        *contest_claims(),
        *report_claims(),
        *misprint_claims(),
    ]


def claims_table(whose: str) -> Table:
    """The claims of one kind: claim, source, printed, ours, agrees."""
    rows = [row for row in all_claims() if row.whose == whose]
    return Table.of(
        ("claim", "source", SECOND[whose], "ours", "agrees"),
        ((row.claim, row.source, row.printed, row.ours, verdict(row)) for row in rows),
    )


def printed_claims() -> Table:
    """What stands in the sources."""
    return claims_table(PRINTS)


def verdict(row: Claim) -> str:
    """Yes, or no and where that is explained."""
    return "yes" if row.agrees else f"no, see {row.why}" if row.why else "no"


# %% [markdown]
# ### Our worked examples


# %% show: example_claims()
def example_claims() -> Table:
    """What we worked out by hand."""
    return claims_table(EXAMPLE)


# %% [markdown]
# ### Identities


# %% show: identity_claims()
def identity_claims() -> Table:
    """What holds for every input."""
    return claims_table(IDENTITY)


# %% [markdown]
# ### How many there are


# %% show: summary()
def summary() -> Table:
    """Numbers of claims, by kind and together."""
    kinds = {kind: [row for row in all_claims() if row.whose == kind] for kind in KINDS}
    kinds["all"] = all_claims()
    return Table.of(
        ("whose", "claims", "agree", "explained", "neither"),
        (
            (
                kind,
                len(rows),
                sum(row.agrees for row in rows),
                sum(row.settled and not row.agrees for row in rows),
                sum(not row.settled for row in rows),
            )
            for kind, rows in kinds.items()
        ),
    )


KINDS = (PRINTS, EXAMPLE, IDENTITY)
#: heading of the column beside ours
SECOND = {
    PRINTS: "printed, or what it gives",
    EXAMPLE: "by hand, or what is printed gives",
    IDENTITY: "expected",
}
