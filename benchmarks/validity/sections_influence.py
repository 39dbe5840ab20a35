"""Influence of single subjects and reliability models, in docs/evidence/validity.md."""

from __future__ import annotations

from validity.tables import Book, Target, table

_INFLUENCE = """\
## Leaving out one subject

One difference of two systems on 25 queries, with variances .5 of queries, .2 of subjects and 1 of
the rest. *Subjects*: all alike, or one of them 3 standard deviations of subjects against the
others. *Lost*: of the verdicts that are significant with all, those that are not without some
subject; *gained*: of the others, those that are without some subject. These describe, and have no
target: with few subjects, verdicts hang on single ones although all are alike. *Most influential*:
how often that is the first subject, who is the one who differs if one does (by chance, 1 / number).
"""
_RELIABILITY = """\
## A model of reliability

Dawid and Skene's model for five subjects who are right in .9, .8, .75, .7 and .6, and near copies
of the last one (98 % the same answers), which the model does not allow for. Coverage of the 95 %
intervals of the five accuracies, target .92 or more from 400 units on; the share of units in which
the most probable answer is right, what the model says it is, and that of the majority.
"""


def sections(book: Book) -> list[str]:
    """Text and tables."""
    out = []
    if book.of("influence"):
        out += [_INFLUENCE, _influence(book)]
    if book.of("reliability"):
        out += [_RELIABILITY, _reliability(book)]
    return out


def _influence(book: Book) -> str:
    names = ["significant", "lost", "gained", "reversed", "most influential"]
    lines = []
    for row in book.of("influence"):
        s = row["settings"]
        head = [s["over"], s["subjects"], f"{s['difference']:g}", str(s["n_subjects"])]
        lines.append([*head, *(book.show(row, name) for name in names)])
    return table(["random", "subjects", "difference / SE", "number", *names], lines)


def _reliability(book: Book) -> str:
    names = ["model: right", "model: says", "majority: right"]
    lines = []
    for row in book.of("reliability"):
        s = row["settings"]
        target = Target(0.92) if s["copies"] == 0 and s["units"] >= 400 else None
        line = [book.show(row, "cover: accuracy", target)]
        lines.append(
            [str(s["copies"]), str(s["units"]), *line, *(book.show(row, n) for n in names)]
        )
    heads = ["copies", "units", "coverage", "right", "says the model", "majority right"]
    return table(heads, lines)
