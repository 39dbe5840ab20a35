"""One and two systems over queries: tables of the study."""

from __future__ import annotations

from collections.abc import Callable

from validity.tables import Book, Row, Target, table

_TWO = """\
## Two systems

Scores of AP, P@10 and nDCG@10 as Urbano, Lima & Hanjalic (2019) simulate them: margins fitted to
real per-query scores (Beta, Beta-binomial, truncated kernel; 8 systems on 30 reviews of CLEF
eHealth TAR 2017, all ordered pairs whose τ is at most .9), joined by a Gaussian copula with the
pair's τ.

### Type I error

The second system keeps the shape of its margin but has the mean of the first. Level .05. Target: t
and sign flips within .045 to .055 from 25 queries on. Wilcoxon's test, the sign test and the
bootstrap shift test other nulls (see [comparing.md](../../guide/comparing.md)) and have no target.
Wilcoxon's test here is a variant for many data sets at once (Pratt's zeros, normal approximation);
the library's leaves zeros out and is exact where it can be.
"""
_COVER = """\
### Coverage of 95 % intervals of the difference

Pairs as fitted, whose means differ. Target of the default (t): .935 to .965 from 25 queries on,
.925 or more at 10.
"""
_POWER = "### Power\n\nShare of the same data sets in which the difference is significant.\n"
_ODD = """\
### Without a target

Coverage of t for the mean of a single (skewed) system, and errors and coverage for two systems with
the same margin and a correlation of .995.
"""
_BINARY = """\
## Scores that are 0 or 1, such as P@1

Coverage of 95 % intervals for a true share of successes, by Student's t and by Wilson's interval
(`method="wilson"`); for the difference of two equal systems and of two whose shares differ by .1,
by t; and errors of sign flips. No target: with few successes no interval has just 95 %. Rare
successes are where t fails and Wilson's interval does not.
"""
_TESTS = ["t", "sign flips", "bootstrap shift", "Wilcoxon", "sign"]
_WAYS = ["t", "percentile", "basic", "bca", "studentized"]
_SHARES = [
    "cover: t, one system",
    "cover: Wilson, one system",
    "cover: t, two equal",
    "cover: t, two that differ",
    "reject: sign flips, two equal",
]


def sections(book: Book) -> list[str]:
    """Text and tables."""
    return [*_two_systems(book), *_proportions(book)]


def _two_systems(book: Book) -> list[str]:
    def shown(
        truth: str,
        prefix: str,
        columns: list[str],
        target: Callable[[Row, str], Target | None] = lambda row, column: None,
    ) -> str:
        lines = []
        for row in book.of("two systems", truth=truth):
            line = [book.show(row, f"{prefix}: {x}", target(row, x)) for x in columns]
            lines.append([row["settings"]["measure"], str(row["settings"]["n"]), *line])
        return table(["measure", "queries", *columns], lines)

    return [
        _TWO,
        shown("null", "reject", _TESTS, _size),
        _COVER,
        shown("fitted", "cover", _WAYS, _coverage),
        _POWER,
        shown("fitted", "reject", _TESTS),
        _ODD,
        shown("fitted", "cover", ["t, one system"]),
        shown("near", "reject", _TESTS),
        shown("near", "cover", _WAYS),
    ]


def _size(row: Row, column: str) -> Target | None:
    if row["settings"]["n"] < 25 or column not in ("t", "sign flips"):
        return None
    coarse = row["settings"]["measure"] == "P@10" and column == "sign flips"
    return Target(0.045, 0.055, "P@10 has many ties, which count in full: see mid-p" * coarse)


def _coverage(row: Row, column: str) -> Target | None:
    if column != "t":
        return None
    return Target(0.935, 0.965) if row["settings"]["n"] >= 25 else Target(0.925)


def _proportions(book: Book) -> list[str]:
    lines = []
    for row in book.of("proportions"):
        s = row["settings"]
        line = [book.show(row, name) for name in _SHARES]
        lines.append([f"{s['share']:g}", str(s["n"]), *line])
    heads = ["true share", "queries", *(name.split(": ")[1] for name in _SHARES)]
    return [_BINARY, table(heads, lines)]
