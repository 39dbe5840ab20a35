"""Families over queries and few subjects: tables of the study."""

from __future__ import annotations

from validity.few_subjects import COMPLETE
from validity.tables import Book, Row, Target, table

_LEVEL = Target(high=0.05)
_TEXT = """\
## Few subjects: pairs that steady each other

All pairs over queries and subjects, .7 query × system + subject × system + residual. *miss*: share
of data sets of equal systems in which any pair differs significantly, by the default and by
Bonferroni of each pair's own subjects alone, which was the default before; *power*: share of pairs
of a system that is better by six standard errors of a typical pair, with systems that are not loud.
*Loud*: one system's subjects vary 5 or 15 times as much as others', which takes power from pairs
without it, too. Three pairs have their own p where that is smaller, so that they never have less
power than alone. Target of the misses: .05; beside one loud system of three subjects the error is
.05 to .07.
"""
_MORE = """\
### Baselines, cells that systems lack, unequal residuals; 8 systems, 25 queries, 3 subjects
"""
_OTHERS = """\
### Other numbers of systems and subjects
"""


def sections(book: Book) -> list[str]:
    """Text and tables."""
    main = book.of("few subjects, eight systems")
    if not main:
        return []
    usual = [row for row in main if _is_usual(row)]
    rest = [row for row in main if not _is_usual(row)]
    out = [_TEXT, _table(book, usual, ("n_queries", "effects"))]
    out += [_MORE, _table(book, rest, ("effects", "work", "baselines"))]
    if others := book.of("few subjects"):
        heads = ("systems", "n_subjects", "n_queries", "effects", "work")
        out += [_OTHERS, _table(book, others, heads)]
    return out


def _is_usual(row: Row) -> bool:
    s = row["settings"]
    return bool(s["work"] == COMPLETE and not s["baselines"] and s["effects"] in _USUAL)


_USUAL = (
    *("none", "equal", "exponential", "lognormal"),
    *("loud 5", "loud 15, others .1", "loud 15"),
)


def _table(book: Book, rows: list[Row], names: tuple[str, ...]) -> str:
    lines = []
    for row in rows:
        line = [book.show(row, "miss: default", _LEVEL), book.show(row, "miss: own subjects")]
        line += [book.show(row, f"power: {method}") for method in ("default", "own subjects")]
        lines.append([*(str(row["settings"][name]) for name in names), *line])
    heads = [name.removeprefix("n_") for name in names]
    return table([*heads, "miss", "miss, alone", "power", "power, alone"], lines)
