"""Runs."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl

import fuzzytruth as ft
from support.mistakes.examples import EYE, QRELS, RUN, Mistake, frame, line, run, text

MISTAKES: list[Mistake] = []
add = MISTAKES.append

# ---------------------------------------------------------------- read_runs

add(
    Mistake(
        "read_runs-pattern-without-match",
        "read_runs",
        lambda f: ft.read_runs(str(f / "runs" / "*.run")),
        (r"runs/\*\.run", "(?i)no file|nothing|not match|no match"),
        "wrong folder or ending",
    )
)
add(
    Mistake(
        "read_runs-same-name-in-two-folders",
        "read_runs",
        lambda f: ft.read_runs([run(f, "old/bm25.run"), run(f, "new/bm25.run")]),
        (r"old/bm25\.run", r"new/bm25\.run", r"\{"),
        "systems are named after files; the remedy is a dict {name: path}",
    )
)
add(
    Mistake(
        "read_runs-is-qrels",
        "read_runs",
        lambda f: ft.read_runs(text(f, "bm25.run", *QRELS)),
        (r"bm25\.run", line(1), r"\b4\b|four", "read_judgments"),
        "the qrels were given as a run",
    )
)
add(
    Mistake(
        "read_runs-item-twice",
        "read_runs",
        lambda f: ft.read_runs(
            text(f, "bm25.run", "q1 Q0 d1 1 3 t", "q1 Q0 d2 2 2 t", "q1 Q0 d1 3 1 t")
        ),
        (r"bm25\.run", "q1", "d1", line(1), line(3), r"duplicates=\W*first"),
        "passages folded to documents retrieve a document twice",
    )
)
add(
    Mistake(
        "read_runs-decimal-commas",
        "read_runs",
        lambda f: ft.read_runs(
            text(f, "bm25.csv", "qid,docno,Score", 'q1,d1,"0,93"', 'q1,d2,"0,12"')
        ),
        (r"bm25\.csv", line(2), "Score", "0,93"),
        "numbers from a spreadsheet with decimal commas",
    )
)
add(
    Mistake(
        "read_runs-truncated",
        "read_runs",
        lambda f: ft.read_runs(text(f, "dense.run", *RUN[:3], "q2 Q0 d3")),
        (r"dense\.run", line(4), r"\b3\b|three", r"\b6\b|six"),
        "the job was killed while it wrote its last line",
    )
)

# ---------------------------------------------------------------- Runs.from_frame

add(
    Mistake(
        "runs_frame-systems-in-an-unknown-column",
        "Runs.from_frame",
        lambda f: ft.Runs.from_frame(
            frame(
                "query item engine_ver score",
                ("q1", "d1", "v1", 2.0),
                ("q1", "d1", "v2", 1.0),
                index=["r1", "r2"],
            )
        ),
        ("engine_ver", "system", "columns=", "d1", "r2"),
        "two systems look like one that lists an item twice",
    )
)
add(
    Mistake(
        "runs_frame-distances",
        "Runs.from_frame",
        lambda f: ft.Runs.from_frame(
            frame("query item l2_distance", ("q1", "d1", 0.1), ("q1", "d2", 0.9))
        ),
        ("l2_distance", "score", "columns=|negat|minus"),
        "a vector database returns distances, for which small is good",
    )
)
add(
    Mistake(
        "runs_frame-spreadsheet-error",
        "Runs.from_frame",
        lambda f: ft.Runs.from_frame(
            frame("qid docno sim", ("q1", "d1", "0.5"), ("q1", "d2", "#DIV/0!"), index=[16, 17]),
            columns={"score": "sim"},
        ),
        (r"\b17\b", r"\bsim\b", "#DIV/0!"),
        "one cell of a spreadsheet is an error",
    )
)
add(
    Mistake(
        "runs_frame-systems-as-columns",
        "Runs.from_frame",
        lambda f: ft.Runs.from_frame(
            frame("query item bm25 dpr", ("q1", "d1", 9.5, 0.7), ("q1", "d2", 3.5, 0.8))
        ),
        ("bm25", "dpr", "score", "columns=|melt|systems"),
        "one score column a system, as after a pivot",
    )
)
add(
    Mistake(
        "runs_frame-lists-in-cells",
        "Runs.from_frame",
        lambda f: ft.Runs.from_frame(
            pl.DataFrame({"query": ["q1"], "item": [["d1", "d2"]], "score": [1.0]})
        ),
        ("item", r"(?i)list", "explode"),
        "one row a query, all its results in one cell",
    )
)
add(
    Mistake(
        "runs_frame-unnamed-index",
        "Runs.from_frame",
        lambda f: ft.Runs.from_frame(
            pd.DataFrame(
                {"score": [2.0, 1.0]}, index=pd.MultiIndex.from_tuples([("q1", "d1"), ("q1", "d2")])
            )
        ),
        ("(?i)index", "query", "item", "(?i)name"),
        "ids in the levels of an index that have lost their names",
    )
)

# ---------------------------------------------------------------- Runs.from_dict

add(
    Mistake(
        "runs_dict-levels-mixed",
        "Runs.from_dict",
        lambda f: ft.Runs.from_dict({"bm25": {"q1": {"d1": 2.0}}, "q2": {"d1": 1.0}}),
        ("q2", "d1", r"system\W+query\W+item\W+score"),
        "a run was merged into the dict of systems: the form must be shown",
    )
)
add(
    Mistake(
        "runs_dict-none-score",
        "Runs.from_dict",
        lambda f: ft.Runs.from_dict({"bm25": {"q1": {"d1": 2.0, "d2": None}}}),
        ("bm25", "q1", "d2", "None"),
        "the reranker gave no score",
    )
)
add(
    Mistake(
        "runs_dict-rank-and-score",
        "Runs.from_dict",
        lambda f: ft.Runs.from_dict({"bm25": {"q1": {"d1": (1, 0.9), "d2": (2, 0.4)}}}),
        ("bm25", "q1", "d1", r"\(1, 0\.9\)"),
        "a tuple where a number belongs",
    )
)
add(
    Mistake(
        "runs_dict-list-with-a-repeat",
        "Runs.from_dict",
        lambda f: ft.Runs.from_dict({"llm": {"q1": ["d1", "d2", "d1"]}}),
        ("llm", "q1", "d1", "duplicates="),
        "a language model lists a document twice",
    )
)
add(
    Mistake(
        "runs_dict-set",
        "Runs.from_dict",
        lambda f: ft.Runs.from_dict({"bm25": {"q3": {"d1", "d2"}}}),
        ("bm25", "q3", r"\bset\b", "(?i)order|list"),
        "a set has no order",
    )
)
add(
    Mistake(
        "runs_dict-matrix",
        "Runs.from_dict",
        lambda f: ft.Runs.from_dict({"clip": np.ones((2, 3))}),
        ("clip", "from_matrix"),
        "a matrix needs the names of its rows and columns",
    )
)

# ---------------------------------------------------------------- Runs.from_matrix

add(
    Mistake(
        "runs_matrix-transposed",
        "Runs.from_matrix",
        lambda f: ft.Runs.from_matrix(
            {"A": np.ones((5, 2))}, queries=["x", "y"], items=list("abcde")
        ),
        (r"\bA\b", r"5\D{1,4}2", "(?i)transpose|\\.T\\b"),
        "items in rows: both numbers fit the other way round, so say so",
    )
)
add(
    Mistake(
        "runs_matrix-nan",
        "Runs.from_matrix",
        lambda f: ft.Runs.from_matrix(
            {"A": EYE, "B": np.where(EYE == 0.3, np.nan, EYE)},
            queries=["c1", "c2", "c3"],
            items=["t1", "t2", "t3"],
        ),
        (r"\bB\b", "c2", "t3", "(?i)nan"),
        "zero vectors have no cosine; the names of row and column say which",
    )
)
add(
    Mistake(
        "runs_matrix-item-named-twice",
        "Runs.from_matrix",
        lambda f: ft.Runs.from_matrix(EYE, queries=["s1", "s2", "s3"], items=["m1", "m7", "m7"]),
        ("m7", "items", "(?i)twice|duplicate|more than once|unique"),
        "file names without their folders are not unique",
    )
)
add(
    Mistake(
        "runs_matrix-two-shapes",
        "Runs.from_matrix",
        lambda f: ft.Runs.from_matrix(
            {"A": EYE, "B": EYE[:, :2]}, queries=list("abc"), items=list("abc")
        ),
        (r"\bB\b", r"3\D{1,4}2", r"3\D{1,4}3|\b3\b.*items"),
        "the second network was run on part of the collection",
    )
)
add(
    Mistake(
        "runs_matrix-distances",
        "Runs.from_matrix",
        lambda f: ft.Runs.from_matrix({"A": 1 - EYE}, queries=list("abc"), items=list("abc")),
        (r"\bA\b", "(?i)distance", "(?i)negat|minus|-matrix|similarit"),
        "SHREC's matrices are of distances: each shape would be ranked last for itself",
        kind="warning",
    )
)
add(
    Mistake(
        "runs_matrix-stacked",
        "Runs.from_matrix",
        lambda f: ft.Runs.from_matrix(np.stack([EYE, EYE]), queries=list("abc"), items=list("abc")),
        (r"2\D{1,4}3\D{1,4}3|\b3 dimensions", r"\{"),
        "two systems in one array: the remedy is a dict {name: matrix}",
    )
)
