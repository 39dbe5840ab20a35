"""Tables, and when a printed number and a computed one agree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, repr=False)
class Table:
    """Rows of text with column names, shown as Markdown."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @classmethod
    def of(cls, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Table:
        return cls(tuple(columns), tuple(tuple(map(cell, row)) for row in rows))

    def __repr__(self) -> str:
        return f"Table({len(self.rows)} rows)"

    def _repr_markdown_(self) -> str:
        lines = [self.columns, tuple("---" for _ in self.columns), *self.rows]
        return "\n".join(
            "| " + " | ".join(text.replace("|", "\\|") for text in line) + " |" for line in lines
        )


def cell(value: Any) -> str:
    """A value as text: six digits, yes or no, or unchanged."""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (float, np.floating)):
        return f"{float(value) + 0.0:.6g}"
    return str(value)


def agrees(printed: str, ours: float) -> bool:
    """Whether a number agrees with a printed one, which may end in %."""
    digits = printed.removesuffix("%").strip()
    value = ours * 100 if printed.endswith("%") else ours
    decimals = len(digits.partition(".")[2])
    unit = 10.0**-decimals if decimals else 1e-9
    return abs(value - float(digits)) < unit * (1 - 1e-9)


#: whose a claim is
PRINTS, EXAMPLE, IDENTITY = "the source prints it", "our worked example", "identity"


@dataclass(frozen=True)
class Claim:
    """One row of the tables of claims.

    Parameters
    ----------
    claim, source : str
    whose : str
        `PRINTS`: a number or statement that stands in the source. `EXAMPLE`: a number that we work
        out by hand. `IDENTITY`: holds for every input, and is checked on one.
    printed, ours : str
    agrees : bool
        Computed.
    """

    claim: str
    source: str
    whose: str
    printed: str
    ours: str
    agrees: bool


def number_claim(claim: str, source: str, printed: str, ours: float) -> Claim:
    """The claim that a printed number is ours."""
    shown = f"{ours:.6%}" if printed.endswith("%") else cell(float(ours))
    return Claim(claim, source, PRINTS, printed, shown, agrees(printed, float(ours)))
