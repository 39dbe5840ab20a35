"""Judgments."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl

import fuzzytruth as ft
from support.mistakes.examples import (
    RUN,
    Mistake,
    frame,
    line,
    text,
)

MISTAKES: list[Mistake] = []
add = MISTAKES.append

# ---------------------------------------------------------------- read_judgments

add(
    Mistake(
        "read_judgments-people-in-an-unknown-column",
        "read_judgments",
        lambda f: ft.read_judgments(
            text(f, "votes.csv", "query,item,reviewer_code,grade", "q1,d1,ann,1", "q1,d1,bob,0")
        ),
        (
            r"votes\.csv",
            line(3),
            "reviewer_code",
            "subject",
            "columns=",
            r"(?s)\A(?!.*(?:delete|remove|drop_duplicates))",
        ),
        "two people look like a duplicate; the advice must never be to delete one of them",
    )
)
add(
    Mistake(
        "read_judgments-words-without-grades",
        "read_judgments",
        lambda f: ft.read_judgments(
            text(f, "votes.tsv", "query\titem\tRating", "q1\td1\tnot_relevant", "q1\td2\trelevant")
        ),
        (r"votes\.tsv", line(2), "Rating", "not_relevant", "grades="),
        "an annotation tool exports words; which number each one is only the user knows",
    )
)
add(
    Mistake(
        "read_judgments-word-that-grades-lacks",
        "read_judgments",
        lambda f: ft.read_judgments(
            text(
                f, "votes.csv", "query,item,rating", "q1,d1,relevant", "q1,d2,no", "q1,d3,partially"
            ),
            grades={"relevant": 2, "no": 0},
        ),
        (r"votes\.csv", line(4), "rating", "partially", "grades"),
        "a third answer was forgotten in grades=",
    )
)
add(
    Mistake(
        "read_judgments-non-answer-among-numbers",
        "read_judgments",
        lambda f: ft.read_judgments(
            text(f, "votes.csv", "query,item,annotator,rating", "q1,d1,ann,3", "q1,d1,bob,skipped")
        ),
        (r"votes\.csv", line(3), "rating", "skipped", "drop="),
        "an annotator pressed Skip, which is no grade",
    )
)
add(
    Mistake(
        "read_judgments-is-a-run",
        "read_judgments",
        lambda f: ft.read_judgments(text(f, "qrels.txt", *RUN)),
        (r"qrels\.txt", line(1), r"\b6\b|six", "read_runs"),
        "the paths of qrels and run were mixed up",
    )
)
add(
    Mistake(
        "read_judgments-subject-that-is-no-column",
        "read_judgments",
        lambda f: ft.read_judgments(
            text(f, "wide.csv", "query,item,ann,bob", "q1,d1,1,0"), subjects=["ann", "bobby"]
        ),
        (r"wide\.csv", "bobby", r"\bbob\b", "subjects"),
        "a misspelt person in a wide table",
    )
)
add(
    Mistake(
        "read_judgments-wide-without-subjects",
        "read_judgments",
        lambda f: ft.read_judgments(
            text(f, "wide.csv", "query,item,ann,bob", "q1,d1,1,0", "q1,d2,1,1")
        ),
        (r"wide\.csv", "ann", "bob", "subjects="),
        "one column a person and no word that these are people",
    )
)
add(
    Mistake(
        "read_judgments-semicolons",
        "read_judgments",
        lambda f: ft.read_judgments(text(f, "excel.csv", "topic_no;docno;rating", "q1;d1;1")),
        (
            r"excel\.csv",
            "'topic_no', 'docno', 'rating'",
            "query",
            r"columns=\{'query': 'topic_no'\}",
        ),
        "semicolons, as Excel writes them in some countries, are read: what remains is a name",
    )
)

# ---------------------------------------------------------------- Judgments.from_frame

add(
    Mistake(
        "judgments_frame-columns-the-wrong-way-round",
        "Judgments.from_frame",
        lambda f: ft.Judgments.from_frame(
            frame("topic_nr item grade", ("q1", "d1", 1)), columns={"topic_nr": "query"}
        ),
        ("columns", r"query\W{1,6}topic_nr"),
        "columns= as in DataFrame.rename; the message shows {'query': 'topic_nr'}",
    )
)
add(
    Mistake(
        "judgments_frame-nan-grade",
        "Judgments.from_frame",
        lambda f: ft.Judgments.from_frame(
            pd.DataFrame(
                {"query": ["q1", "q1"], "item": ["d1", "d2"], "Rating (0-3)": [1, np.nan]},
                index=["r10", "r11"],
            ),
            columns={"grade": "Rating (0-3)"},
        ),
        ("r11", r"Rating \(0-3\)", "(?i)nan|missing|empty", "drop"),
        "an unanswered row; its own label and column name are what can be looked up",
    )
)
add(
    Mistake(
        "judgments_frame-unused-people",
        "Judgments.from_frame",
        lambda f: ft.Judgments.from_frame(
            frame(
                "query item assessor_nick grade",
                ("q1", "d1", "ann", 1),
                ("q1", "d2", "bob", 0),
                ("q2", "d1", "ann", 1),
                ("q2", "d2", "bob", 1),
            )
        ),
        ("assessor_nick", "subject", "columns="),
        "a column that names people was not used, and nothing else would tell",
        kind="warning",
    )
)
add(
    Mistake(
        "judgments_frame-two-grade-columns",
        "Judgments.from_frame",
        lambda f: ft.Judgments.from_frame(frame("query item relevance rating", ("q1", "d1", 1, 4))),
        ("relevance", "rating", "columns="),
        "topical relevance and overall rating in one table: neither may be picked silently",
        kind="warning",
    )
)
add(
    Mistake(
        "judgments_frame-nameless-annotator",
        "Judgments.from_frame",
        lambda f: ft.Judgments.from_frame(
            frame(
                "query item worker_id grade",
                ("q1", "d1", "w1", 1),
                ("q1", "d1", None, 0),
                index=["r6", "r7"],
            )
        ),
        ("r7", "worker_id"),
        "the export lost one worker's name",
    )
)
add(
    Mistake(
        "judgments_frame-retest",
        "Judgments.from_frame",
        lambda f: ft.Judgments.from_frame(
            frame(
                "query item annotator session grade",
                ("q1", "d1", "ann", "monday", 1),
                ("q1", "d1", "ann", "friday", 0),
                index=["r1", "r2"],
            )
        ),
        ("ann", "q1", "d1", "r1", "r2", "repeat"),
        "the same person judged again, on purpose",
    )
)
add(
    Mistake(
        "judgments_frame-yes-and-no-in-polars",
        "Judgments.from_frame",
        lambda f: ft.Judgments.from_frame(
            pl.DataFrame({"query": ["q1", "q1"], "item": ["d1", "d2"], "is_rel": ["yes", "no"]}),
            columns={"grade": "is_rel"},
        ),
        ("is_rel", "yes", "grades=", "(?i)row"),
        "polars frames have no row labels, but positions",
    )
)
add(
    Mistake(
        "judgments_frame-drop-spelt-differently",
        "Judgments.from_frame",
        lambda f: ft.Judgments.from_frame(
            frame(
                "query item grade",
                ("q1", "d1", "1"),
                ("q1", "d2", "don't know"),
                index=["r1", "r2"],
            ),
            drop=["dont know"],
        ),
        ("r2", "don't know", "drop", r"nearest: 'dont know'"),
        "drop= and the data differ by an apostrophe",
    )
)

# ---------------------------------------------------------------- Judgments.from_dict

add(
    Mistake(
        "judgments_dict-words",
        "Judgments.from_dict",
        lambda f: ft.Judgments.from_dict({"q1": {"d1": "relevant", "d2": "not relevant"}}),
        ("q1", "d1", "relevant", "grades="),
        "words of an annotation guideline as values",
    )
)
add(
    Mistake(
        "judgments_dict-none",
        "Judgments.from_dict",
        lambda f: ft.Judgments.from_dict({"q1": {"d1": 1}, "q7": {"d4": None}}),
        ("q7", "d4", "None"),
        "None for an item that was not judged; it must be left out",
    )
)
add(
    Mistake(
        "judgments_dict-bare-item",
        "Judgments.from_dict",
        lambda f: ft.Judgments.from_dict({"q1": {"d1": 1}, "q2": "d5"}),
        ("q2", "d5", r"grade"),
        "one relevant item a query, without a grade: a text must not be read letter by letter",
    )
)
add(
    Mistake(
        "judgments_dict-tuple-keys",
        "Judgments.from_dict",
        lambda f: ft.Judgments.from_dict({("q1", "d1"): 1, ("q1", "d2"): 0}),
        ("q1.*d1", r"query\W+item\W+grade"),
        "the dict of a groupby: the form {query: {item: grade}} must be shown",
    )
)
add(
    Mistake(
        "judgments_dict-subjects-outside",
        "Judgments.from_dict",
        lambda f: ft.Judgments.from_dict({"ann": {"q1": {"d1": 1}}, "bob": {"q1": {"d1": 0}}}),
        ("ann", "q1", "subject", "from_frame"),
        "a level of people around the judgments",
    )
)
add(
    Mistake(
        "judgments_dict-1-and-text-1",
        "Judgments.from_dict",
        lambda f: ft.Judgments.from_dict({"q1": {101: 1, "101": 0}}),
        ("q1", "101", "(?i)twice|duplicate|both|same"),
        "a number and its text are the same id in every format",
    )
)
