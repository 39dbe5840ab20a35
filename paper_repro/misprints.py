"""What cannot be meant as it stands in the sources, in numbers."""

from __future__ import annotations

from collections import Counter
from functools import cache

from paper_repro.misprint import Slip
from paper_repro.misprints_of_contests import (
    image_text_slips,
    nearest_neighbour_slip,
    nist_slips,
    shrec_ndcg_slips,
    shrec_slips,
)
from paper_repro.misprints_of_santini import (
    hit_slips,
    list_slips,
    mixture_slips,
    set_slips,
    specificity_slip,
    vote_slips,
)
from paper_repro.tables import Table


@cache
def slips() -> list[Slip]:
    """All of them: in the order of the sources, then words that name another quantity."""
    return [
        *set_slips(),
        *vote_slips(),
        *hit_slips(),
        *mixture_slips(),
        *list_slips(),
        *shrec_slips(),
        *shrec_ndcg_slips(),
        *nist_slips(),
        specificity_slip(),
        nearest_neighbour_slip(),
        *image_text_slips(),
    ]


def table() -> Table:
    """One row a formula."""
    return Table.of(
        ("", "where", "kind", "as it stands", "gives", "why not, or how", "computed", "gives"),
        (
            (f"c{n}", s.where, s.kind, s.printed, s.gives, s.why, s.meant, s.ours)
            for n, s in enumerate(slips(), start=1)
        ),
    )


def kinds() -> str:
    """How many there are of each kind, in words."""
    counts = Counter(slip.kind for slip in slips())
    return ", ".join(f"{kind} ({n})" for kind, n in counts.most_common())
