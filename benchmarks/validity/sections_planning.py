"""Predictions of `plan`: tables of the study."""

from __future__ import annotations

from validity.crossed import SUBJECTS, VARIANCES
from validity.planning import BOTH, FAMILY
from validity.tables import Book, Target, table

_BOTH = """\
## Planning

Half-widths of intervals over queries and subjects, over those that `plan` expects from the true
variances (of queries, subjects, ε; normal effects, complete tables): of one interval, and of one of
28 comparisons. Then the share of rejections of a difference that is planned to have power .8.
Targets: .90 to 1.10; .78 to .82. S: subjects.
"""
_FAMILY = """\
### All pairs over queries

Eight equal systems; the mean half-width of `compare` (max-t), over that of Bonferroni's t, which
`plan` expects. Below 1 the plan asks for more queries than are needed. No target.
"""
_NAMES = {"ratio: one": "one", "ratio: 28 pairs": "28", "reject": "power"}
_WIDTH, _POWER = Target(0.9, 1.1), Target(0.78, 0.82)


def sections(book: Book) -> list[str]:
    """Text and tables."""
    if not book.of("planning"):
        return []
    return [
        _BOTH,
        *(_both(book, name, heading) for name, heading in _NAMES.items()),
        _families(book),
    ]


def _both(book: Book, name: str, heading: str) -> str:
    """One quantity, a row for each variance setting and number of queries."""
    lines = []
    for variances in VARIANCES:
        rows = book.of("planning", random=BOTH, variances=list(variances))
        for n in sorted({row["settings"]["n_queries"] for row in rows}):
            cells = {row["settings"]["n_subjects"]: row for row in rows if _has(row, n)}
            target = _POWER if name == "reject" else _WIDTH
            shown = [book.show(cells[s], name, target) if s in cells else "" for s in SUBJECTS]
            lines.append([heading, ", ".join(f"{v:g}" for v in variances), str(n), *shown])
    return table(["", "variances", "queries", *(f"S = {s}" for s in SUBJECTS)], lines)


def _has(row: dict[str, dict[str, int]], n_queries: int) -> bool:
    return row["settings"]["n_queries"] == n_queries


def _families(book: Book) -> str:
    lines = [
        [
            row["settings"]["effects"],
            str(row["settings"]["n_queries"]),
            book.show(row, "ratio: 28 pairs"),
        ]
        for row in book.of("planning", random=FAMILY)
    ]
    return _FAMILY + "\n" + table(["effects", "queries", "half-width"], lines)
