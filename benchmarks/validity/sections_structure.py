"""Structure of disagreement: tables of the study."""

from __future__ import annotations

from fuzzytruth.stats.vote_structure import STATISTICS
from validity.structure import NONE
from validity.tables import Book, Row, Target, table

_STRUCTURE = """\
## Structure of disagreement

Votes of 20 people on 60 items in 8 categories, or on 100 items in 2; 199 permutations of each
item's votes over its voters (`fuzzytruth.structure`). Panels: *nothing*, votes depend on the item
alone, also with votes that are missing by person and item, or by value, too, alike for all; two
groups that vote as one on 35 % of the items; three of 20 who mostly take the other reading; a taste
for the lower of two categories; a person who copies 60 % of another's votes; 5 to 55 % of random
votes. Columns: each statistic alone; *min-p*, the p-value that is printed, adjusted for all five;
and, for P@5 by example of one system, the mean over people's own truths and its spread. Targets:
.07 or less without structure.
"""
_MARGINS = """\
### Given severity, and given the majority

Yes or no on 80 items by a Rasch model of 20 people (19 draws): the test of pairs by permutations
(level 0), with each person's count of yes held fixed (level 1), and also how often each sided with
the majority (level 2). Severity alone is no structure at levels 1 and 2. Targets: .07 or less.
"""


def sections(book: Book) -> list[str]:
    """Text and tables."""
    out = []
    if book.of("structure"):
        out += [_STRUCTURE, _structure(book)]
    if book.of("structure given margins"):
        out += [_MARGINS, _margins(book)]
    return out


def _structure(book: Book) -> str:
    names = (*STATISTICS, "min-p", "mean", "spread")
    lines = []
    for row in [*book.of("no structure"), *book.of("structure")]:
        s = row["settings"]
        target = Target(high=0.07) if s["panel"] in NONE else None
        head = [s["panel"], str(s["categories"]), f"{s['missing']:g}"]
        lines.append([*head, *(book.show(row, name, target) for name in names)])
    return table(["panel", "categories", "missing", *names], lines)


def _margins(book: Book) -> str:
    lines = []
    for row in book.of("structure given margins"):
        panel = row["settings"]["panel"]
        lines.append([panel, *(book.show(row, f"level {n}", _of(row, n)) for n in range(3))])
    return table(["panel", "level 0", "level 1", "level 2"], lines)


def _of(row: Row, level: int) -> Target | None:
    alone = row["settings"]["panel"] == "severity"
    return Target(high=0.07) if alone and level else None
