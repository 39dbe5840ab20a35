"""docs/evidence/validity.md: the text of findings.md, with its numbers computed from the results.

A number is written as ``{{most real matrices | miss: default | n>=25}}``: a summary of some cells'
rates, the kind of cells, the name of a rate, and conditions on their settings, joined by ``&``.
Several kinds and rates are joined by ``;``. Summaries are those of `SUMMARIES`; with a 3, such as
`most3`, they have three decimals. `lowest` and `highest` are those of one cell, with its Monte
Carlo error, such as .064 ± .008.
"""

from __future__ import annotations

import operator
import re
import textwrap
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from validity.crossed import COMPLETE, MISSING
from validity.rates import rate
from validity.tables import Book, Judged, Row, mean_and_worst, sizes, table

TEMPLATE = Path(__file__).parent / "findings.md"
#: how headings, tables and lists begin, whose lines stay as they are
_AS_IS = "#|-\n"
_FIELD = re.compile(r"\{\{(.+?)\}\}", re.DOTALL)
_CONDITION = re.compile(r"(\w+)(>=|<=|!=|=)(.+)")


def _only(rates: list[float]) -> float:
    """The rate of a single cell."""
    (one,) = rates
    return one


def _mean(rates: list[float]) -> float:
    return sum(rates) / len(rates)


SUMMARIES: dict[str, Callable[[list[float]], float]] = {
    "least": min,
    "most": max,
    "mean": _mean,
    "only": _only,
}


#: those of one cell, shown with its Monte Carlo error
CELLS: dict[str, Callable[[list[tuple[float, float]]], tuple[float, float]]] = {
    "lowest": min,
    "highest": max,
}


def findings(book: Book, template: str) -> str:
    """The page; the cells of `book` have been judged."""
    number = sorted(set(sizes(book.rows)))
    blocks = {
        "summary": summary(book).rstrip(),
        "missed": missed(book.judged),
        "sizes": f"{number[0]:,} to {number[-1]:,}" if number else "no",
        "designs": f"{len(book.rows):,}",
    }
    text = _FIELD.sub(lambda match: blocks.get(match[1]) or evaluated(book, match[1]), template)
    parts = text.rstrip().split("\n\n")
    return "\n\n".join(part if part[0] in _AS_IS else fill(part) for part in parts) + "\n"


def fill(paragraph: str) -> str:
    """A paragraph in lines of some 100 letters, whatever its numbers have."""
    return textwrap.fill(paragraph, 100, break_long_words=False, break_on_hyphens=False)


def evaluated(book: Book, field: str) -> str:
    """The number that a field of the template asks for.

    Raises
    ------
    ValueError
        No cell is meant, or a summary is unknown.
    """
    how, _, wanted = " ".join(field.split()).partition(" ")
    rates = [one for part in wanted.split(";") for one in _rates(book, part)]
    if not rates:
        raise ValueError(f"no cell for {{{{{field}}}}}")
    if how in CELLS:
        return " ± ".join(_decimal(number, 3) for number in CELLS[how](rates))
    summary = SUMMARIES[how.removesuffix("3")]
    return _decimal(summary([mean for mean, _ in rates]), 3 if how.endswith("3") else 2)


def _rates(book: Book, wanted: str) -> list[tuple[float, float]]:
    """Rates with their Monte Carlo errors: kind, name and conditions."""
    kind, name, *rest = (part.strip() for part in wanted.split(" | "))
    conditions = [_CONDITION.fullmatch(one) for one in rest[0].split(" & ")] if rest else []
    return [
        rate(row["counts"][name])
        for row in book.of(kind)
        if name in row["counts"] and all(_meets(row, match) for match in conditions)
    ]


def _decimal(number: float, decimals: int) -> str:
    text = f"{number:.{decimals}f}"
    return text.replace("0.", ".", 1) if text.startswith("0") else text


_ORDER = {">=": operator.ge, "<=": operator.le}


def _meets(row: Row, match: re.Match[str] | None) -> bool:
    """Whether a setting of a cell is as a condition says: a number, or one of several texts."""
    if match is None:
        raise ValueError("a condition is written as setting=value")
    key, sign, value = match.groups()
    given = row["settings"][key]
    if sign in _ORDER:
        return bool(_ORDER[sign](given, float(value)))
    return (_text(given) in value.split(" or ")) is (sign == "=")


def _text(value: Any) -> str:
    if isinstance(value, list):
        return "/".join(map(_text, value))
    return value if isinstance(value, str) else f"{value:g}"


def missed(judged: Iterable[Judged]) -> str:
    """How many cells miss their target, and by how much, by reason."""
    every = list(judged)
    by_reason: dict[str, list[Judged]] = {}
    for one in every:
        if not one.holds:
            by_reason.setdefault(one.target.reason or "no reason known", []).append(one)
    lines = []
    for reason, cells in by_reason.items():
        worst = max(cells, key=lambda one: one.excess)
        lines.append([reason[0].upper() + reason[1:], str(len(cells)), worst.what])
    number = sum(not one.holds for one in every)
    head = f"{number} of {len(every):,} rates with a target miss it:\n\n"
    return head + table(["reason", "rates", "the worst of them"], lines).rstrip("\n")


def summary(book: Book) -> str:
    """Means and worst cells of each kind of claim."""
    normal = [
        row
        for row in _from_25(book.of("crossed", effects="normal"))
        if row["settings"]["n_subjects"] >= 3 and row["settings"]["work"] in (COMPLETE, MISSING)
    ]
    boot, tukey = "percentile bootstrap", "unpaired Tukey"
    queries, people = "25 queries", "25 queries, 3 annotators, normal effects"
    right, wrong = "right in .95", "wrong in .05"

    def line(
        claim: str, least: str, promised: str, rows: list[Row], ours: str, theirs: str
    ) -> list[str]:
        lowest = promised != wrong
        shares = [mean_and_worst(rows, name, lowest=lowest) for name in (ours, theirs)]
        return [claim, least, promised, shares[0], f"{shares[1]}, {_peer(theirs)}"]

    two = _from_25(book.of("two systems", truth="fitted"))
    real, simulated = (_from_25(book.of(kind)) for kind in ("real matrices", "synthetic"))
    clusters = book.of("clusters", effects="normal")
    several = book.of("crossed families")
    lines = [
        line("two systems", queries, right, two, "cover: t", "cover: percentile"),
        line("real systems, any pair", queries, wrong, real, "miss: default", f"miss: {boot}"),
        line(
            "their differences that are found",
            queries,
            "many",
            real,
            "power: default",
            f"power: {tukey}",
        ),
        line("simulated systems", queries, wrong, simulated, "miss: default", f"miss: {boot}"),
        line(
            "one mean, other annotators", people, right, normal, "cover: default", f"cover: {boot}"
        ),
        line(
            "all pairs, other annotators", people, wrong, several, "miss: default", f"miss: {tukey}"
        ),
        line(
            "related queries",
            "10 clusters, normal scores",
            right,
            clusters,
            "cover: default",
            _IGNORED,
        ),
    ]
    return table(["claim", "from", "promised", "default", "a peer's default"], lines)


def _peer(name: str) -> str:
    """What a peer does."""
    method = name.split(": ")[1]
    return "percentile bootstrap" if method == "percentile" else method


_IGNORED = "cover: clusters ignored"


def _from_25(rows: list[Row]) -> list[Row]:
    """Cells of 25 queries or more."""
    return [r for r in rows if r["settings"].get("n", r["settings"].get("n_queries")) >= 25]
