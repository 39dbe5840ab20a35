"""Tables of rates with targets, and the list of those that miss theirs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from validity.rates import Counts, rate

#: one cell: kind, settings and counts
Row = dict[str, Any]


@dataclass(frozen=True)
class Target:
    """A range that a rate must lie in, ± 2 MCSE, and why it may not where that is known."""

    low: float = 0.0
    high: float = 1.0
    reason: str = ""

    def holds(self, mean: float, error: float) -> bool:
        """Whether a rate with its MCSE is within."""
        return self.low - 2 * error <= mean <= self.high + 2 * error


@dataclass(frozen=True)
class Judged:
    """A rate with a target."""

    what: str
    mean: float
    error: float
    target: Target

    @property
    def holds(self) -> bool:
        """Whether it is within its target."""
        return self.target.holds(self.mean, self.error)

    @property
    def excess(self) -> float:
        """How far it is outside of its target."""
        return max(self.target.low - self.mean, self.mean - self.target.high)


@dataclass
class Book:
    """All cells, and what was judged so far."""

    rows: list[Row]
    judged: list[Judged] = field(default_factory=list)

    def of(self, kind: str, **wanted: Any) -> list[Row]:
        """Cells of a kind with these settings."""
        return [
            row
            for row in self.rows
            if row["kind"] == kind and all(row["settings"][k] == v for k, v in wanted.items())
        ]

    def show(self, row: Row, name: str, target: Target | None = None) -> str:
        """As .051 (7); bold if it misses its target; empty if there is none."""
        counts: Counts = row["counts"]
        if name not in counts:
            return ""
        mean, error = rate(counts[name])
        text = shown(mean, error)
        if target is None:
            return text
        given = ", ".join(f"{key} {_setting(value)}" for key, value in row["settings"].items())
        one = Judged(f"{row['kind']}: {name} is {text} ({given})", mean, error, target)
        self.judged.append(one)
        return text if one.holds else f"**{text}**"


def _setting(value: Any) -> str:
    return " / ".join(f"{v:g}" for v in value) if isinstance(value, list) else str(value)


def shown(mean: float, error: float) -> str:
    """As .051 (7), numbers above 1 as 10.051 (7)."""
    text = f"{mean:.3f}"
    return (text.replace("0.", ".", 1) if abs(mean) < 1 else text) + f" ({round(error * 1e3)})"


def table(heads: Iterable[str], lines: Iterable[list[str]]) -> str:
    """Markdown; columns that are empty throughout are left out."""
    first = list(heads)
    body = list(lines)
    kept = [i for i, _ in enumerate(first) if any(line[i] for line in body)]
    rows = [first, ["---"] * len(first), *body]
    return "\n".join(_line([row[i] for i in kept]) for row in rows) + "\n"


def _line(row: list[str]) -> str:
    return "| " + " | ".join(row) + " |"


def mean_and_worst(rows: Iterable[Row], name: str, *, lowest: bool = False) -> str:
    """As .04 (.06): the mean rate of some cells, and the least favourable one; or a dash."""
    rates = [rate(row["counts"][name])[0] for row in rows if name in row["counts"]]
    if not rates:
        return "–"
    worst = min(rates) if lowest else max(rates)
    return f"{_short(sum(rates) / len(rates))} ({_short(worst)})"


def _short(share: float) -> str:
    return f"{share:.2f}".removeprefix("0")


def sizes(rows: Iterable[Row]) -> Iterator[int]:
    """Data sets of each cell."""
    for row in rows:
        yield max(n for _, _, n in row["counts"].values())
