"""Directions of a difference by subject: tables of the study."""

from __future__ import annotations

from validity.directions import TRUTHS
from validity.tables import Book, Row, Target, table

_DIRECTIONS = """\
## Directions of a difference by subject

One difference of two systems on 50 queries by 20 subjects: true differences of the subjects as
given, an effect that all subjects of a query share, of standard deviation .15 or .4, and errors of
.25. *Varies*: F of subjects in the crossed model. *Both ways*: the range test of Piantadosi and
Gail, which `Comparison.directions` has, and Gail and Simon's test, which takes independent subjects
and is not used: where one direction occurs alone, it claims both too often. *Too many*: either of
the two bounds (Holm over both directions of all subjects) exceeds the true number; *at least*:
their means. Targets: .055 or less where there is nothing to find; it may be less.
"""
_EXAMPLE = """\
### Query by example

P@5 of two systems on 60 items with votes of 20 people for 8 categories. People are divided between
two categories of each item; one system knows the first of them, the other what most people say. One
vote serves many queries, so that F claims that people differ where votes are independent: it is not
given for such scores. Permuting each item's votes over its voters holds its level
(`fuzzytruth.structure`). Bounds and range test are about the truths of these 20 people, which may
favour different systems by chance votes alone: no target.
"""
_F, _RANGE, _GAIL = "differs: F", "both ways: range test", "both ways: Gail and Simon"
_HOLM, _PERMUTED = "too many: Holm", "differs: votes permuted"
_BOUNDS = ("at least above", "at least below")


def sections(book: Book) -> list[str]:
    """Text and tables."""
    out = []
    if book.of("directions"):
        out += [_DIRECTIONS, _directions(book)]
    if book.of("directions by example"):
        out += [_EXAMPLE, _by_example(book)]
    return out


def _directions(book: Book) -> str:
    lines = []
    for row in book.of("directions"):
        s = row["settings"]
        head = [s["truth"], f"{s['shared']:g}", f"{s['missing']:g}"]
        names = (_F, _RANGE, _GAIL, _HOLM, *_BOUNDS)
        lines.append([*head, *(book.show(row, name, _target(row, name)) for name in names)])
    heads = ["true differences", "shared", "missing", "varies: F", "both ways: range test"]
    heads += ["both ways: Gail and Simon", "too many", "at least above 0", "at least below 0"]
    return table(heads, lines)


def _target(row: Row, name: str) -> Target | None:
    """What is built claims no more than .055 of what is not so."""
    truth = TRUTHS[row["settings"]["truth"]]
    is_null = {
        _F: truth.min() == truth.max(),
        _RANGE: not (truth.min() < 0 < truth.max()),
        _HOLM: True,
    }
    return Target(high=0.055) if is_null.get(name, False) else None


def _by_example(book: Book) -> str:
    lines = []
    for row in book.of("directions by example"):
        names = (_F, _PERMUTED, _RANGE, *_BOUNDS)
        is_null = row["settings"]["panel"] == "no structure"
        target = {_PERMUTED: Target(high=0.055)} if is_null else {}
        shown = (book.show(row, name, target.get(name)) for name in names)
        lines.append([row["settings"]["panel"], *shown])
    heads = ["panel", "varies: F", "varies: votes permuted", "both ways: range test"]
    return table([*heads, "at least above 0", "at least below 0"], lines)
