"""Near copies: tables of the study."""

from __future__ import annotations

from validity.near_copies import RULES, SIZES
from validity.tables import Book, Target, table

_COPIES = """\
## Near copies

Six systems, two of which are copies of the first that differ from it on so many queries on average:
by 1, by .1, by the reciprocal ranks of an item one place up, or by .01 with one in ten of .5. The
copies are better, or differ up and down alike. A pair that differs on fewer than a quarter of the
queries, 5 to 12.5, is judged by how much the other pairs vary (*default*); *own*: all by their own
variance; *20*: on fewer than a quarter, 5 to 20; *quarter*: without an upper limit. Misses of any
of the simultaneous intervals, and power of copies and first system. Target of the default: .055.

The rule holds where copies differ by as much on each query, at some cost of power. It cannot help
where the difference lies on few of the queries on which copies differ at all, which a sample may
lack. An upper limit of 20 misses less in one design, one in ten of .5, and no less in the others.
"""
_WITHOUT = """\
### Families without near copies

Six systems of unequal deviations, one of them better, or real ones any two of which differ on half
of the collection's queries or more: shares of pairs with the same verdict, and of data sets with
all verdicts the same, by default and where each pair is judged by its own variance. Target: .999.
"""
_REASON = "copies that differ much on few of the queries on which they differ at all"
_NAMES = {"default": "default", "own variance": "own", "at most 20": "20", "a quarter": "quarter"}


def sections(book: Book) -> list[str]:
    """Text and tables."""
    lines = []
    for sizes in SIZES:
        reason = _REASON if len(set(SIZES[sizes][0])) > 1 else ""
        for row in book.of("near copies", sizes=sizes):
            s = row["settings"]
            misses = [book.show(row, "miss: default", Target(high=0.055, reason=reason))]
            misses += [book.show(row, f"miss: {name}") for name in RULES]
            powers = [book.show(row, f"power: {name}") for name in _NAMES]
            lines.append([sizes, s["truth"], str(s["n"]), str(s["differ"]), *misses, *powers])
    if not lines:
        return []
    heads = ["differences", "copies", "queries", "differ on"]
    of_rules = [f"{what}, {name}" for what in ("miss", "power") for name in _NAMES.values()]
    same = [
        [
            row["settings"]["source"],
            str(row["settings"]["n"]),
            book.show(row, "same verdict", Target(low=0.999)),
            book.show(row, "all verdicts the same"),
        ]
        for row in book.of("no near copies")
    ]
    names = ["systems", "queries", "same verdict", "all the same"]
    return [_COPIES, table([*heads, *of_rules], lines), _WITHOUT, table(names, same)]
