"""Model judges beside people: tables of the study."""

from __future__ import annotations

from validity.alternative_annotator import ITEMS, LAYOUTS
from validity.judge_agreement import STATISTICS
from validity.tables import Book, Row, Target, table

_TEXT = """\
## The alternative annotator test

Two categories; people are right with probability .9 (the weaker half, where there is one, .7), and
the model is exactly epsilon = .2 worse than the better people, so that every win against one of
them is false. In queries of five items the model's errors within a query correlate (.4).

*False share*: mean share of false wins among the wins, which the procedure promises to be .05 at
most; target from 10 queries on. *Any false*: share of data sets with a false win, which it does not
promise. *Items*: the authors' test, which takes items as independent. *Wilcoxon*: the signed-rank
test, which they advise below 30 items; it tests medians of skewed differences, and is not offered.
*Passes*: data sets in which the model wins against half of the people or more, which beside a
weaker half it rightly may. *Coverage* of the 95 % interval of the average advantage.
"""
_AGREEMENT = """\
### Agreement of a judge with a person

Coverage of the 95 % jackknife intervals over queries of 20 to 199 items, whose grades and agreement
vary between queries. Target: .93 or more from 25 queries on.
"""
_FALSE = 0.05


def sections(book: Book) -> list[str]:
    """Text and table."""
    out = []
    if rows := book.of("alternative annotator"):
        out += [_TEXT, table(_HEADS, (_line(book, row) for row in rows))]
    if rows := book.of("judge agreement"):
        out += [_AGREEMENT, table(["queries", *STATISTICS], (_cover(book, row) for row in rows))]
    return out


_HEADS = [
    "items vary",
    "people",
    "S",
    "items",
    "false share",
    "any false",
    "passes",
    "coverage",
    "false share, items",
    "false share, Wilcoxon",
]


def _line(book: Book, row: Row) -> list[str]:
    s = row["settings"]
    enough = s["layout"] == LAYOUTS[0] or s["items"] > ITEMS[0]
    return [
        s["layout"],
        s["accuracy"],
        str(s["people"]),
        str(s["items"]),
        book.show(row, "false share: clusters", Target(high=_FALSE) if enough else None),
        book.show(row, "any false: clusters"),
        book.show(row, "pass: clusters"),
        book.show(row, "cover: advantage"),
        book.show(row, "false share: items"),
        book.show(row, "false share: Wilcoxon"),
    ]


def _cover(book: Book, row: Row) -> list[str]:
    n = row["settings"]["queries"]
    target = Target(0.93) if n >= 25 else None
    return [str(n), *(book.show(row, f"cover: {name}", target) for name in STATISTICS)]
