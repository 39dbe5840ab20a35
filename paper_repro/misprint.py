"""What cannot be meant as it stands in our copy of a source: what it gives, and what is meant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from paper_repro.tables import cell

#: misprint: another sign or letter is meant; error: the formula does not do what the source says;
#: wording: words that name another quantity; other reading: right if read in another way;
#: our copy: unreadable, or lost in it; approximation: said to be one; comma: for a point or lost
Kind = Literal[
    "misprint", "error", "wording", "other reading", "our copy", "approximation", "comma"
]


@dataclass(frozen=True)
class Slip:
    """One formula, number or sentence.

    Parameters
    ----------
    where : str
        Source and formula.
    kind : str
        See `Kind`.
    printed, gives : str
        As it stands in our copy, and what comes of it.
    why : str
        Why it cannot be meant so, and how it can.
    refuted : bool
        Computed.
    meant, ours : str
        What is computed instead, and what comes of that.
    """

    where: str
    kind: Kind
    printed: str
    gives: str
    why: str
    refuted: bool
    meant: str
    ours: str


def show(*values: float) -> str:
    """Numbers with six digits."""
    return ", ".join(cell(float(value)) for value in values)
