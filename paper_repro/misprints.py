"""Part (c): the misprints of the sources, in numbers."""

from __future__ import annotations

from collections import Counter
from functools import cache

from paper_repro.examples import GAINS
from paper_repro.misprint import Misprint
from paper_repro.misprints_of_contests import contest_misprints
from paper_repro.misprints_of_santini import (
    ANSWERED,
    P_REST,
    P_RETRIEVED,
    RELEVANT_SET,
    SIZE,
    crisp_misprints,
    hit_misprints,
    list_misprints,
    mixture_misprints,
    vote_misprints,
)
from paper_repro.tables import Claim, Table

# %% [markdown]
# ## (c) Misprints
#
# Each row takes a formula, a number or a sentence as it stands in our copy of the source, puts
# small numbers in, and says what refutes it; the refutation is computed. The printed formulas are
# functions of `paper_repro.as_printed`. The inputs:
#
# - sets, (1) and (2): the answer A = {{inputs()["A"]}}, the relevant set V = {{inputs()["V"]}}
# - votes, (6) to (9), (13): those of Figure 1
# - precision and recall, (10) to (12): two retrieved images, relevant with probabilities
#   {{inputs()["retrieved"]}}, and two others with {{inputs()["rest"]}}, so that |ω| =
#   {{inputs()["size"]}}
# - lists, (16) and (17): a, b, c with relevances 1, .5, 0, ranked by the system as b, c, a; (22),
#   (23): those of part (d)
# - tiers and gains: SHREC 2006's example of {{inputs()["gains"]}} answers, part (e)
#
# **In print, or lost in the scan?** Our copy of the paper is the text layer of a PDF, in which
# signs may be lost or mistaken that are in print: it has "N m" where the sense asks for N ≫ m,
# and has lost all signs of sums and products, and the β of (22). Other letters, words
# and digits it keeps. The last column says which rows rest on those, or on the text of web pages
# ({{counts("print")}}), which on a sign that the copy keeps
# elsewhere and so is probably in print ({{counts("probably print")}}), and which may be a stroke
# lost ({{counts("cannot be told")}} of which nothing can be told, and
# {{counts("probably lost in our copy")}} that is probably lost). The contests' pages are web pages
# without scanning, but our copies lack their pictures of formulas.


# %% show: misprints_table()
@cache
def misprints() -> list[Misprint]:
    """All misprints, in the order of the sources."""
    return [
        *crisp_misprints(),
        *vote_misprints(),
        *hit_misprints(),
        *mixture_misprints(),
        *list_misprints(),
        *contest_misprints(),
    ]


def inputs() -> dict[str, str]:
    """What is put into the formulas, in words."""
    return {
        "A": f"{{{', '.join(sorted(ANSWERED))}}}",
        "V": f"{{{', '.join(sorted(RELEVANT_SET))}}}",
        "retrieved": " and ".join(f"{p:g}" for p in P_RETRIEVED),
        "rest": " and ".join(f"{p:g}" for p in P_REST),
        "size": f"{SIZE:g}",
        "gains": str(len(GAINS)),
    }


def counts(in_print: str) -> int:
    """Number of rows with this answer."""
    return Counter(row.in_print for row in misprints())[in_print]


def misprints_table() -> Table:
    """One row a formula."""
    return Table.of(
        (
            "",
            "where",
            "printed",
            "its result",
            "why it is wrong",
            "refuted",
            "computed instead",
            "ours",
            "print or lost in the scan?",
        ),
        (
            (
                f"c{number}",
                row.where,
                row.printed,
                row.gives,
                row.why,
                row.refuted,
                row.chosen,
                row.ours,
                f"{row.in_print}: {row.reason}",
            )
            for number, row in enumerate(misprints(), start=1)
        ),
    )


# %% [markdown]
# (23) is no slip: the paper says that it is an approximation. It is listed because it
# approximates a different number.


# %%
def misprint_claims() -> list[Claim]:
    """The same rows as claims, none of which agrees; each is explained by its row."""
    return [
        Claim(
            f"{row.where}: {row.printed}",
            row.source,
            row.whose,
            f"gives {row.gives}",
            row.ours,
            not row.refuted,
            f"row c{number}" if row.refuted else "",
        )
        for number, row in enumerate(misprints(), start=1)
    ]
