"""Influence of single subjects: tables of the study."""

from __future__ import annotations

from validity.tables import Book, table

_INFLUENCE = """\
## Leaving out one subject

One difference of two systems on 25 queries, with variances .5 of queries, .2 of subjects and 1 of
the rest. *Subjects*: all alike, or one of them 3 standard deviations of subjects against the
others. *Lost*: of the verdicts that are significant with all, those that are not without some
subject; *gained*: of the others, those that are without some subject. These describe, and have no
target: with few subjects, verdicts hang on single ones although all are alike. *Most influential*:
how often that is the first subject, who is the one who differs if one does (by chance, 1 / number).
"""


def sections(book: Book) -> list[str]:
    """Text and tables."""
    out = []
    if book.of("influence"):
        out += [_INFLUENCE, _influence(book)]
    return out


def _influence(book: Book) -> str:
    names = ["significant", "lost", "gained", "reversed", "most influential"]
    lines = []
    for row in book.of("influence"):
        s = row["settings"]
        head = [s["over"], s["subjects"], f"{s['difference']:g}", str(s["n_subjects"])]
        lines.append([*head, *(book.show(row, name) for name in names)])
    return table(["random", "subjects", "difference / SE", "number", *names], lines)
