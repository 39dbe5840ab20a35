"""Variance components: tables of the study."""

from __future__ import annotations

from collections.abc import Iterable

from validity.components import COMPLETE, MISSING, NAMES, REAL_NAMES, SYSTEMS, VARIANCES
from validity.real_matrices import NAMES as NAMES_OF
from validity.tables import Book, Row, Target, table

_COMPONENTS = """\
## Variance components

{systems} systems, so many queries, S subjects; variances: {variances}. Coverage of
95 % intervals of each component by `variance_components`, target .935 to .965 for query,
system:query and residual in complete tables of normal effects. System and subject have as many
degrees of freedom as there are systems and subjects, less one: their intervals are right and wide.
"""
_SKEWED = """\
### Exponential effects, or 30 % of the values missing: no target

Where single queries or systems stand out (exponential effects have skewness 2 and excess kurtosis
6), intervals take fewer degrees of freedom, and are still too short.
"""
_REAL = """\
### Real systems: no target

Samples of 8 systems and 12 queries without replacement; the truth is that of the collection, so
that coverage may be somewhat too high. *Normal* takes the degrees of freedom of normal effects; the
default takes fewer where the data say so.
"""
_COEFFICIENTS = """\
### Generalizability coefficients and shares

Coverage in the same data sets. No target: where a component is close to 0 the intervals are wider
than they need be.
"""
_OF_PANEL = ("relative", "absolute", "share of queries", "share of subjects")
_OF_PANEL += ("share of query:subject", "disagreement")
_TARGET = Target(0.935, 0.965)
_JUDGED = ("query", "system:query", "residual")


def sections(book: Book) -> list[str]:
    """Text and tables."""
    normal = book.of("components", effects="normal", work=COMPLETE)
    if not normal:
        return []
    variances = ", ".join(f"{n} {v:g}" for n, v in zip(NAMES, VARIANCES, strict=True))
    others = book.of("components", effects="exponential")
    others += book.of("components", work=MISSING)
    return [
        _COMPONENTS.format(systems=SYSTEMS, variances=variances),
        _coverage(book, normal, NAMES, _JUDGED),
        _SKEWED,
        _coverage(book, others, NAMES),
        _COEFFICIENTS,
        _coverage(book, [*normal, *others], _OF_PANEL),
        _REAL,
        _real(book),
    ]


def _real(book: Book) -> str:
    ways = [f"{way}, {name}" for name in REAL_NAMES for way in ("default", "normal")]
    lines = []
    for row in book.of("real components"):
        head = [NAMES_OF[row["settings"]["collection"]], row["settings"]["measure"]]
        lines.append([*head, *(book.show(row, f"cover: {way}") for way in ways)])
    heads = [way.replace("residual", "system:query") for way in ways]
    return table(["collection", "measure", *heads], lines)


def _coverage(
    book: Book, rows: Iterable[Row], names: tuple[str, ...], judged: tuple[str, ...] = ()
) -> str:
    lines = []
    for row in rows:
        s = row["settings"]
        shown = [
            book.show(row, f"cover: {name}", _TARGET if name in judged else None) for name in names
        ]
        lines.append([s["effects"], s["work"], str(s["n_queries"]), str(s["n_subjects"]), *shown])
    return table(["effects", "work", "queries", "S", *names], lines)
