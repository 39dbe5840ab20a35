"""Prediction-powered intervals: tables of the study."""

from __future__ import annotations

from validity.tables import Book, Row, Target, table

_HEAD = """\
## A few human-judged queries, and a model's judgments of all

`prediction_powered`: 10 or 25 of 50 or 200 queries were judged by people, all by a model; rho is
the correlation of their scores. Coverage of 95 % intervals, and mean width relative to Student's t
of people alone. Targets for symmetric residuals: coverage .925 to .965 with 10 human-judged
queries, .935 to .965 with 25; at most 6 % and 2 % wider than people alone. Lognormal residuals have
no target: with them, people's own t interval fails as much. *lambda = 1* is the estimate without
power tuning: valid, and wider than people's alone where the model is poor.
"""
_RATERS = """\
### Each person judged some of the queries

Half of the variance of people's scores is between persons, who judged four queries each, or 1 to 7;
a model judged four times as many. Target with `clusters="subject"`: .925 to .965 from 10 persons
on, and at most 6 % wider than people alone, 2 % from 25 on. With 5, intervals are too wide rather
than too narrow.
"""
_REAL = """\
### Real queries

10 or 15 of the 25 queries of TREC DL 2023 (a person of NIST; 14 model judges, averaged), drawn at
random; the truth is the person's mean over all 25, hence `finite=True`. Four systems, and their six
differences. No target: these are 25 queries, whatever is drawn. `finite=True` counts also how far
the drawn queries' model scores are from all, which costs up to 8 % of width where the model adds
nothing. *As a sample*: the default intervals, which are for a population and cover the mean over
these 25 more often.
"""


def sections(book: Book) -> list[str]:
    """Text and tables."""
    if not book.of("prediction-powered"):
        return []
    return [_HEAD, _simulated(book), _RATERS, _raters(book), _REAL, _real(book)]


def _coverage_target(row: Row) -> Target | None:
    s = row["settings"]
    if s["residuals"] == "lognormal":
        return None
    return Target(0.925 if s["human"] < 25 else 0.935, 0.965)


def _width_target(row: Row) -> Target | None:
    s = row["settings"]
    if s["residuals"] == "lognormal":
        return None
    return Target(high=1.06 if s["human"] < 25 else 1.02)


def _simulated(book: Book) -> str:
    columns = [
        ("cover: powered", _coverage_target),
        ("width: powered / people", _width_target),
        ("cover: people", None),
        ("cover: powered, lambda = 1", None),
        ("width: powered / people, lambda = 1", None),
    ]
    lines = []
    for row in book.of("prediction-powered"):
        s = row["settings"]
        head = [s["residuals"], str(s["human"]), str(s["queries"]), f"{s['rho']:g}"]
        shown = (book.show(row, name, of and of(row)) for name, of in columns)
        lines.append([*head, *shown])
    heads = ["residuals", "human-judged", "of", "rho", "coverage", "width / people's"]
    return table([*heads, "people alone", "lambda = 1", "its width"], lines)


def _raters(book: Book) -> str:
    lines = []
    for row in book.of("prediction-powered, raters"):
        s = row["settings"]
        enough = s["raters"] >= 10
        target = Target(0.925, 0.965) if enough else None
        width = Target(high=1.02 if s["raters"] >= 25 else 1.06) if enough else None
        head = [str(s["raters"]), s["sizes"], f"{s['rho']:g}"]
        line = [
            book.show(row, "cover: powered", target),
            book.show(row, "width: powered / people", width),
            book.show(row, "cover: people"),
            book.show(row, "cover: powered, raters ignored"),
        ]
        lines.append([*head, *line])
    heads = ["persons", "queries each", "rho", "coverage", "width / people's", "people alone"]
    return table([*heads, "persons ignored"], lines)


def _real(book: Book) -> str:
    lines = []
    for row in book.of("prediction-powered, real"):
        s = row["settings"]
        for of in ("means", "differences"):
            names = (
                f"cover: powered, {of}",
                f"width: powered / people, {of}",
                f"cover: people, {of}",
                f"cover: as a sample, {of}",
            )
            shown = (book.show(row, name) for name in names)
            lines.append([s["measure"], str(s["human"]), of, *shown])
    heads = ["measure", "human-judged", "of", "coverage", "width / people's", "people alone"]
    return table([*heads, "as a sample"], lines)
