"""One misprint: what is printed, what it gives, and whether it is in print."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from paper_repro.tables import cell

#: whether a mistake is in print, or may be of our copy, the text of a PDF or of a page
Where = Literal["print", "probably print", "cannot be told", "probably lost in our copy"]


@dataclass(frozen=True)
class Misprint:
    """One formula, number or sentence that cannot be meant as it stands.

    Parameters
    ----------
    where : str
        Source and formula.
    printed : str
        As it stands in our copy.
    gives : str
        What comes of it.
    why : str
        Why that is wrong.
    refuted : bool
        Computed.
    chosen, ours : str
        What is computed instead, and what comes of that.
    whose : str
        `PRINTS`: numbers of the source contradict it. `EXAMPLE`: numbers of ours do.
    in_print : str
        See `Where`.
    reason : str
        Why we think so.
    """

    where: str
    printed: str
    gives: str
    why: str
    refuted: bool
    chosen: str
    ours: str
    whose: str
    in_print: Where
    reason: str

    @property
    def source(self) -> str:
        """The source's name."""
        first, *others = self.where.split()
        if first == "SHREC":
            return f"{first} {others[0]}"
        return {"NIST": "NIST", "E-measure": "SHREC 2019 and NIST"}.get(first, "Santini")


def show(*values: float) -> str:
    """Numbers with six digits."""
    return ", ".join(cell(float(value)) for value in values)
