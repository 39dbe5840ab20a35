"""Several collections: tables of the study."""

from __future__ import annotations

from validity.tables import Book, Target, table

_INTERVALS = """\
## Several collections

Differences of two systems on collections of 10 to 100 queries (log-uniform), normal, of standard
deviations .2 · lognormal(.4), so that the standard error on one is .03 to .04; the true differences
vary between collections with the deviation given, and grow with the number of queries in some.
Coverage of 95 % intervals: `compare(over="collection")`, t of the mean over more collections;
another collection's difference (`predict`); the deviation between collections; and, without a
target, `strata="collection"` as a statement on more collections, which it is not. Target: .925 or
more for t, .915 or more for another collection; the deviation has none, and is the worse covered
the less normal effects are. Effects that follow the numbers of queries are the same in all data
sets with these numbers.
"""
_COUNTS = """\
### On how many collections

How often `at_least` is above the number of collections with a true difference of 3 standard errors
in its direction, which is given or that of the mean, and its mean. Target: .05 or less.
"""
_T, _NEW = Target(low=0.925), Target(low=0.915)


def sections(book: Book) -> list[str]:
    """Text and tables."""
    lines = []
    for row in book.of("collections"):
        one = row["settings"]
        deviation = f"{one['deviation']:g}".replace("0.", ".")
        lines.append(
            [
                str(one["collections"]),
                f"{deviation}, {one['effects']}",
                book.show(row, "cover: t", _T),
                book.show(row, "cover: another", _NEW),
                book.show(row, "cover: deviation"),
                book.show(row, "cover: these alone"),
            ]
        )
    heads = ["collections", "deviation", "t", "another", "deviation covered", "these alone"]
    counts = []
    for row in book.of("counts of collections"):
        one = row["settings"]
        counts.append(
            [
                str(one["collections"]),
                str(one["true"]),
                book.show(row, "wrong: direction given", Target(high=0.05)),
                book.show(row, "count: direction given"),
                book.show(row, "wrong: direction chosen", Target(high=0.05)),
                book.show(row, "count: direction chosen"),
            ]
        )
    of_counts = ["collections", "true", "wrong, given", "mean", "wrong, chosen", "mean"]
    return [_INTERVALS, table(heads, lines), _COUNTS, table(of_counts, counts)]
