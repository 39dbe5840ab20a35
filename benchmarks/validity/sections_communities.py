"""Groups of people in votes: tables of the study."""

from __future__ import annotations

from validity.communities import GROUPS, TRUTHS
from validity.tables import Book, Target, table

_FOUND = """\
## Communities

Votes of 20 people for 8 categories on 100 items (60 where groups are three, or strong), a tenth of
them random. Without groups: nothing but chance; expertise (from 5 to 55 % of the votes random; or
ten experts and ten guessers); severity, a taste for one of two categories; one near copy. With
groups, each with a reading of its own of every item: two weak ones (followed on 35 % of the items),
two strong, three, and a minority of three. *p*: at most .05; *found*: groups are reported, which
takes stability, too, and two groups of two people or more; by all agreement (the default), and by
`beyond="majority"`. Number, agreement with the true groups (adjusted Rand index) and stability are
means where groups are found. Targets: .055 or less without groups, but for severity as a taste for
a category of each item, and copies, which are structure beyond what is held fixed.
"""
_COMPARED = """\
### Verdicts given the group

P@5 and AP of two systems on 30 queries, 10 items each, judged by 20 people; the difference by one
group minus that by the other, t over queries. Groups are two, found by average linkage in the votes
that are compared: of all queries (naive), or each half of the queries with the groups of the other
half (cross-fitted); or known. Groups are made of agreement, which no exchange of grades changes, so
that the direction of a difference is not selected. Targets: .07 or less where groups do not matter.
"""
_ALL = ("all: p", "all: found", "all: number", "all: rand", "all: stability")
_BEYOND = ("beyond: p", "beyond: found", "beyond: number", "beyond: rand")
_WAYS = ("naive", "cross-fitted", "known")


def sections(book: Book) -> list[str]:
    """Text and tables."""
    out = []
    if rows := [row for kind in ("no communities", "communities") for row in book.of(kind)]:
        lines = []
        for row in rows:
            panel = row["settings"]["panel"]
            null = panel not in (*GROUPS, "severity", "one near copy")
            target = Target(high=0.055) if null else None
            shown = (
                book.show(row, name, target if name.endswith(("p", "found")) else None)
                for name in (*_ALL, *_BEYOND)
            )
            lines.append([panel, f"{row['settings']['missing']:g}", *shown])
        heads = ["panel", "missing", "p", "found", "number", "Rand index", "stability"]
        heads += [f"beyond majority: {name}" for name in ("p", "found", "number", "Rand index")]
        out += [_FOUND, table(heads, lines)]
    if book.of("groups compared"):
        lines = []
        for row in book.of("groups compared"):
            target = None if row["settings"]["truth"] == TRUTHS[-1] else Target(high=0.07)
            lines.append(
                [
                    row["settings"]["truth"],
                    row["settings"]["measure"],
                    *(book.show(row, f"{way}: differ", target) for way in _WAYS),
                    *(book.show(row, f"{way}: size") for way in _WAYS),
                ]
            )
        heads = ["truth", "measure", *_WAYS, *(f"size: {way}" for way in _WAYS)]
        out += [_COMPARED, table(heads, lines)]
    return out
