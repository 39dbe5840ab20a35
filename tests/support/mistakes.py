"""Plausible mistakes of users, and what the one message about each must contain.

Written from the documentation alone, by someone who had not read the code. `call(folder)` makes its own
small files in `folder` and makes the mistake; where `reader` begins with "cli" it returns the arguments of
the command instead. Each of `names` is a regular expression that `re.search` must find in the message.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl

import fuzzytruth as ft


@dataclass(frozen=True)
class Mistake:
    id: str
    reader: str
    call: Callable[[Path], object]
    names: tuple[str, ...]
    why: str
    kind: str = "error"  # or "warning"


# ---------------------------------------------------------------- small files, frames and truths


def text(folder: Path, name: str, *lines: str, encoding: str = "utf-8") -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(("\n".join(lines) + "\n").encode(encoding))
    return path


def data(folder: Path, name: str, value: object) -> Path:
    return text(folder, name, json.dumps(value))


def jsonl(folder: Path, name: str, *rows: object) -> Path:
    return text(folder, name, *map(json.dumps, rows))


def npy(folder: Path, name: str, matrix: object) -> Path:
    path = folder / name
    np.save(path, np.asarray(matrix))
    return path


def frame(columns: str, *rows: tuple, index: Sequence[object] | None = None) -> pd.DataFrame:
    return pd.DataFrame(list(rows), columns=columns.split(), index=index)


def line(n: int) -> str:
    """`line 3`, `lines 2 and 3`, `lines 2, 3` or `file:3`."""
    return rf"(?:\bline\s|\blines\s(?:\d+(?:,\s|\sand\s|,\sand\s))*|:){n}\b"


QRELS = ("q1 0 d1 1", "q1 0 d2 0", "q2 0 d1 1", "q2 0 d3 0")
RUN = ("q1 Q0 d1 1 2.0 tag", "q1 Q0 d2 2 1.0 tag", "q2 Q0 d1 1 2.0 tag", "q2 Q0 d3 2 1.0 tag")
TREE = ("all", "  people", "    group", "    crowd", "  scenery", "    city", "    sea")
TRUTH = {"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 1, "d3": 0}}
RUNS = {"sys": {"q1": {"d1": 2.0, "d2": 1.0}, "q2": {"d1": 2.0, "d3": 1.0}}}
EYE = np.array([[1.0, 0.2, 0.1], [0.2, 1.0, 0.3], [0.1, 0.3, 1.0]])
SHARES = np.array([[0.7, 0.3], [0.4, 0.6]])
ITEM_RUN = {"sys": {"i1": ["i2", "i3"], "i2": ["i3", "i1"], "i3": ["i2", "i1"]}}
LABEL_RUN = {"net": {"i1": ["city", "sea"], "i2": ["sea", "crowd"], "i3": ["crowd", "city"]}}


def qrels(folder: Path) -> str:
    return str(text(folder, "qrels.txt", *QRELS))


def run(folder: Path, name: str = "a.run") -> str:
    return str(text(folder, name, *RUN))


def tree():
    return ft.Taxonomy.from_children(
        {"all": ["people", "scenery"], "people": ["group", "crowd"], "scenery": ["city", "sea"]}
    )


LABELS = frame(
    "subject item category",
    *[("ann", "i1", "city"), ("bob", "i1", "city"), ("ann", "i2", "sea"), ("bob", "i2", "city")],
    *[("ann", "i3", "crowd"), ("bob", "i3", "crowd")],
)


def labels():
    return ft.Assignments.from_frame(LABELS, taxonomy=tree())


def flat():
    return ft.Assignments.from_frame(LABELS)


def two(rows: Sequence[tuple[str, str, str, float]]):
    """Judgments by named subjects."""
    return ft.Judgments.from_frame(frame("query item subject grade", *rows))


BOTH = [
    *[
        ("q1", "d1", "ann", 4),
        ("q1", "d2", "ann", 0),
        ("q2", "d1", "ann", 5),
        ("q2", "d3", "ann", 1),
    ],
    *[
        ("q1", "d1", "bob", 4),
        ("q1", "d2", "bob", 1),
        ("q2", "d1", "bob", 5),
        ("q2", "d3", "bob", 0),
    ],
]


def table(*systems: str, n: int = 6) -> pd.DataFrame:
    rows = [
        (s, f"q{q}", "AP", ((3 * i + 5 * q) % 7) / 7)
        for i, s in enumerate(systems)
        for q in range(1, n + 1)
    ]
    return frame("system query measure value", *rows)


def scores(*systems: str, n: int = 6):
    return ft.Scores.from_frame(table(*systems, n=n))


def table_csv(folder: Path, name: str, *systems: str) -> str:
    return str(text(folder, name, table(*systems).to_csv(index=False).strip()))


def duels(*rows: tuple, index: Sequence[object] | None = None) -> pd.DataFrame:
    return frame("left right winner", *rows, index=index)


def inspect_log(*samples: dict, status: str = "success", n: int | None = None) -> dict:
    """A log of inspect_ai, as JSON."""
    dataset = {"name": "gpqa", "samples": len(samples) if n is None else n}
    model = {"task": "gpqa", "model": "openai/gpt-4o", "dataset": dataset}
    return {"version": 2, "status": status, "eval": model, "samples": list(samples)}


def sample(name: str, value: object = "C") -> dict:
    return {
        "id": name,
        "epoch": 1,
        "target": "A",
        "scores": {"choice": {"value": value, "answer": "A"}},
    }


def lm_eval(doc: int, **others: object) -> dict:
    """A line of samples_*.jsonl of lm-evaluation-harness."""
    return {
        "doc_id": doc,
        "doc": {"q": "?"},
        "target": "A",
        "filtered_resps": ["A"],
        "acc": 1.0,
    } | others


def image_text_arguments(truth: Path, *matrices: object) -> list[str]:
    return ["image-text", *map(str, matrices), "--image-of-text", str(truth)]


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

# ---------------------------------------------------------------- read_assignments

add(
    Mistake(
        "read_assignments-misspelt-category",
        "read_assignments",
        lambda f: ft.read_assignments(
            text(f, "votes.csv", "subject,item,category", "ann,i1,city", "bob,i1,ctiy"),
            taxonomy=text(f, "tree.txt", *TREE),
        ),
        (r"votes\.csv", line(3), "ctiy", r"\bcity\b"),
        "typed by hand: the nearest category helps",
    )
)
add(
    Mistake(
        "read_assignments-unknown-item-column",
        "read_assignments",
        lambda f: ft.read_assignments(
            text(f, "votes.csv", "rater,photo_nr,category", "ann,i1,city")
        ),
        (r"votes\.csv", "item", "photo_nr", "columns="),
        "the form's own name for the thing that was labelled",
    )
)
add(
    Mistake(
        "read_assignments-several-in-a-cell",
        "read_assignments",
        lambda f: ft.read_assignments(
            text(f, "votes.csv", "subject,item,category", "ann,i1,city", "bob,i2,city;sea"),
            taxonomy=text(f, "tree.txt", *TREE),
        ),
        (r"votes\.csv", line(3), "city;sea", "(?i)row|line for each|split|separate"),
        "check boxes joined by semicolons (Google Forms, MTurk)",
    )
)
add(
    Mistake(
        "read_assignments-label-studio-two-questions",
        "read_assignments",
        lambda f: ft.read_assignments(
            data(
                f,
                "project.json",
                [
                    {
                        "id": 12,
                        "data": {"image": "a.jpg"},
                        "annotations": [
                            {
                                "completed_by": 3,
                                "result": [
                                    {
                                        "from_name": "scene",
                                        "to_name": "image",
                                        "type": "choices",
                                        "value": {"choices": ["city"]},
                                    },
                                    {
                                        "from_name": "quality",
                                        "to_name": "image",
                                        "type": "choices",
                                        "value": {"choices": ["blurred"]},
                                    },
                                ],
                            }
                        ],
                    }
                ],
            )
        ),
        (r"project\.json", "scene", "quality", "columns="),
        "two questions in one project must not become one set of categories",
    )
)
add(
    Mistake(
        "read_assignments-label-studio-skipped",
        "read_assignments",
        lambda f: ft.read_assignments(
            data(
                f,
                "project.json",
                [
                    {
                        "id": 12,
                        "data": {"image": "a.jpg"},
                        "annotations": [
                            {"completed_by": 3, "was_cancelled": True, "result": []},
                            {
                                "completed_by": 4,
                                "was_cancelled": False,
                                "result": [
                                    {
                                        "from_name": "scene",
                                        "to_name": "image",
                                        "type": "choices",
                                        "value": {"choices": ["city"]},
                                    }
                                ],
                            },
                        ],
                    }
                ],
            )
        ),
        (r"project\.json", r"\b1\b|one", "(?i)cancelled|skipped"),
        "non-answers are left out, and counted",
        kind="warning",
    )
)
add(
    Mistake(
        "read_assignments-prodigy-without-people",
        "read_assignments",
        lambda f: ft.read_assignments(
            jsonl(
                f,
                "prodigy.jsonl",
                {"image": "a.jpg", "label": "city", "answer": "accept"},
                {"image": "a.jpg", "label": "sea", "answer": "accept"},
            )
        ),
        (r"prodigy\.jsonl", "subject", "columns=|from_counts"),
        "recorded without named sessions: two people must not become one with a set",
    )
)

# ---------------------------------------------------------------- Assignments.from_frame

add(
    Mistake(
        "assignments_frame-capitals",
        "Assignments.from_frame",
        lambda f: ft.Assignments.from_frame(
            frame(
                "subject item category",
                ("ann", "i1", "city"),
                ("bob", "i1", "City"),
                index=["r1", "r2"],
            ),
            taxonomy=tree(),
        ),
        ("r2", r"\bCity\b", r"\bcity\b"),
        "the form shows names with capitals",
    )
)
add(
    Mistake(
        "assignments_frame-trailing-blank",
        "Assignments.from_frame",
        lambda f: ft.Assignments.from_frame(
            frame("subject item category", ("ann", "i1", "city"), index=["r1"]).replace(
                "city", "city "
            ),
            taxonomy=tree(),
        ),
        ("r1", r"['\"]city ['\"]", r"['\"]city['\"]"),
        "a blank that only quotes make visible",
    )
)
add(
    Mistake(
        "assignments_frame-nobody",
        "Assignments.from_frame",
        lambda f: ft.Assignments.from_frame(
            frame("item category", ("i1", "city"), ("i1", "sea"), ("i1", "city")), taxonomy=tree()
        ),
        ("subject", "columns=", "from_counts"),
        "votes without names are counts",
    )
)
add(
    Mistake(
        "assignments_frame-class-numbers",
        "Assignments.from_frame",
        lambda f: ft.Assignments.from_frame(
            frame("subject item label", ("ann", "i1", 3), ("bob", "i1", 5), index=["r1", "r2"]),
            taxonomy=tree(),
        ),
        ("r1", "label", r"\b3\b", "taxonomy", "(?i)name"),
        "class numbers of a data set against a taxonomy of names",
    )
)
add(
    Mistake(
        "assignments_frame-dict-as-taxonomy",
        "Assignments.from_frame",
        lambda f: ft.Assignments.from_frame(LABELS, taxonomy={"all": ["city", "sea", "crowd"]}),
        ("taxonomy", "dict", "from_children"),
        "a dict has several meanings (children or parents)",
    )
)
add(
    Mistake(
        "assignments_frame-negative-weight",
        "Assignments.from_frame",
        lambda f: ft.Assignments.from_frame(
            frame(
                "subject item category weight",
                ("ann", "i1", "city", 1.0),
                ("bob", "i1", "sea", -1.0),
                index=["r1", "r2"],
            ),
            taxonomy=tree(),
        ),
        ("r2", "weight", r"-1"),
        "-1 as a code for unsure",
    )
)

# ---------------------------------------------------------------- Assignments.from_counts

add(
    Mistake(
        "from_counts-shares",
        "Assignments.from_counts",
        lambda f: ft.Assignments.from_counts(
            SHARES, items=["i1", "i2"], categories=["city", "sea"]
        ),
        (r"0\.7", "i1", "city", "from_probabilities"),
        "soft labels are no counts: how many voted is unknown",
    )
)
add(
    Mistake(
        "from_counts-negative",
        "Assignments.from_counts",
        lambda f: ft.Assignments.from_counts(
            np.array([[3, 1], [-1, 4]]), items=["i1", "i2"], categories=["city", "sea"]
        ),
        ("-1", "i2", "city"),
        "-1 as a code for not asked",
    )
)
add(
    Mistake(
        "from_counts-item-without-votes",
        "Assignments.from_counts",
        lambda f: ft.Assignments.from_counts(
            np.array([[3, 1], [0, 0]]), items=["i1", "i8"], categories=["city", "sea"]
        ),
        ("i8", r"(?i)no votes|without votes|\b0\b"),
        "nobody voted: nothing is known of the item, and 0/0 is near",
    )
)
add(
    Mistake(
        "from_counts-no-column-of-counts",
        "Assignments.from_counts",
        lambda f: ft.Assignments.from_counts(
            frame("item category n_people", ("i1", "city", 3), ("i1", "sea", 1))
        ),
        ("count", "n_people", "columns="),
        "the column has a name of its own",
    )
)
add(
    Mistake(
        "from_counts-subject-worlds",
        "Assignments.from_counts",
        lambda f: ft.evaluate(
            ft.Assignments.from_counts(
                np.array([[3, 1], [1, 3], [4, 0]]),
                items=["i1", "i2", "i3"],
                categories=["city", "sea"],
            ).by_example(),
            ITEM_RUN,
            ["P@1"],
            worlds="subject",
        ),
        ("subject", "(?i)count", "independent"),
        "counts do not say who voted: no subject's truth can be formed",
    )
)
add(
    Mistake(
        "from_counts-population-worlds",
        "Assignments.from_counts",
        lambda f: ft.evaluate(
            ft.Assignments.from_counts(
                frame("item category count", ("i1", "city", 3), ("i2", "city", 2), ("i3", "sea", 4))
            ).by_example(),
            ITEM_RUN,
            ["P@1"],
            worlds="population",
        ),
        ("population", "(?i)count", "independent"),
        "people without names cannot be resampled",
    )
)

# ---------------------------------------------------------------- Membership.from_probabilities

add(
    Mistake(
        "from_probabilities-sum",
        "Membership.from_probabilities",
        lambda f: ft.Membership.from_probabilities(
            np.array([[0.7, 0.3], [0.4, 0.4]]), items=["i1", "i2"], categories=["city", "sea"]
        ),
        ("i2", r"0\.8", r"\b1\b"),
        "a column was left out, so that the shares of an item do not sum to 1",
    )
)
add(
    Mistake(
        "from_probabilities-logits",
        "Membership.from_probabilities",
        lambda f: ft.Membership.from_probabilities(
            np.array([[4.2, -1.3], [-0.5, 2.0]]), items=["i1", "i2"], categories=["city", "sea"]
        ),
        ("i1", r"4\.2|-1\.3", "(?i)softmax"),
        "outputs of a network before the softmax",
    )
)
add(
    Mistake(
        "from_probabilities-percent",
        "Membership.from_probabilities",
        lambda f: ft.Membership.from_probabilities(
            np.array([[70.0, 30.0], [40.0, 60.0]]), items=["i1", "i2"], categories=["city", "sea"]
        ),
        ("i1", r"\b100\b|\b70\b", "(?i)percent|divide|/ ?100"),
        "percentages",
    )
)
add(
    Mistake(
        "from_probabilities-counts",
        "Membership.from_probabilities",
        lambda f: ft.Membership.from_probabilities(
            np.array([[7, 3], [4, 6]]), items=["i1", "i2"], categories=["city", "sea"]
        ),
        ("i1", r"\b7\b|\b10\b", "from_counts"),
        "CIFAR-10H gives counts beside the probabilities",
    )
)
add(
    Mistake(
        "from_probabilities-transposed",
        "Membership.from_probabilities",
        lambda f: ft.Membership.from_probabilities(
            np.full((2, 3), 0.5), items=["i1", "i2", "i3"], categories=["city", "sea"]
        ),
        (r"2\D{1,4}3", r"(?i)transpose|\.T\b|items in rows|3\D{1,4}2"),
        "categories in rows",
    )
)
add(
    Mistake(
        "from_probabilities-category-twice",
        "Membership.from_probabilities",
        lambda f: ft.Membership.from_probabilities(
            SHARES, items=["i1", "i2"], categories=["crane", "crane"]
        ),
        ("crane", "categories", "(?i)twice|duplicate|more than once|unique"),
        "ImageNet has two classes called crane (and two called maillot)",
    )
)

# ---------------------------------------------------------------- by_example

add(
    Mistake(
        "by_example-photographs-without-category",
        "by_example",
        lambda f: ft.evaluate(
            labels().by_example(collection=["i1", "i2", "i3"]),
            {"sys": {"photo1": ["i1", "i2"]}},
            ["P@1"],
            rng=0,
        ),
        ("photo1", "category="),
        "SHREC 2019: queries that are not in the collection have no votes",
    )
)
add(
    Mistake(
        "by_example-category-for-some-queries",
        "by_example",
        lambda f: ft.evaluate(
            labels().by_example(collection=["i1", "i2", "i3"], category={"photo1": "city"}),
            {"sys": {"photo1": ["i1"], "photo2": ["i3"]}},
            ["P@1"],
            rng=0,
        ),
        ("photo2", "category"),
        "one photograph was forgotten",
        kind="warning",
    )
)
add(
    Mistake(
        "by_example-shares-above-1",
        "by_example",
        lambda f: labels().by_example(
            collection=["i1", "i2", "i3"], category={"photo1": {"sea": 0.7, "city": 0.5}}
        ),
        ("photo1", r"1\.2", "category"),
        "shares that were rounded up or not normalised",
    )
)
add(
    Mistake(
        "by_example-path-without-taxonomy",
        "by_example",
        lambda f: flat().by_example(relevance="path"),
        ("path", "taxonomy"),
        "flat labels have no paths between them",
    )
)
add(
    Mistake(
        "by_example-resnik",
        "by_example",
        lambda f: labels().by_example(relevance="resnik"),
        ("resnik", "path", "wu-palmer", "lin"),
        "a similarity, but not one that can be a grade",
    )
)
add(
    Mistake(
        "by_example-collection-without-votes",
        "by_example",
        lambda f: ft.evaluate(
            labels().by_example(collection=["i1", "i2", "i3", "scene77"]), ITEM_RUN, ["P@1"], rng=0
        ),
        ("scene77", "(?i)vote"),
        "an item of the collection that nobody labelled counts as not relevant",
        kind="warning",
    )
)
add(
    Mistake(
        "by_example-list-measure",
        "by_example",
        lambda f: ft.evaluate(labels().by_example(), ITEM_RUN, ["WD(unseen=optimist)"], rng=0),
        (r"WD\(unseen=optimist\)", "(?i)list"),
        "displacement compares with people's lists, and categories are no lists",
    )
)

# ---------------------------------------------------------------- by_item

add(
    Mistake(
        "by_item-category-nobody-knows",
        "by_item",
        lambda f: ft.evaluate(
            labels().by_item(),
            {"net": {"i1": ["citty"], "i2": ["sea"], "i3": ["crowd"]}},
            ["P@1"],
            rng=0,
        ),
        ("net", "citty", r"\bcity\b"),
        "the classifier spells a category differently: it would silently always be wrong",
        kind="warning",
    )
)
add(
    Mistake(
        "by_item-class-numbers",
        "by_item",
        lambda f: ft.evaluate(
            flat().by_item(),
            ft.Runs.from_matrix({"net": EYE}, queries=["i1", "i2", "i3"], items=[0, 1, 2]),
            ["P@1"],
            rng=0,
        ),
        ("net", r"\b0\b", "city", "items=|categor"),
        "columns of a softmax named by numbers, votes by words",
        kind="warning",
    )
)
add(
    Mistake(
        "by_item-transposed",
        "by_item",
        lambda f: ft.evaluate(
            flat().by_item(),
            {"net": {"city": ["i1"], "sea": ["i2"], "crowd": ["i3"]}},
            ["P@1"],
            rng=0,
        ),
        ("city", "i1", "(?i)quer", "(?i)item"),
        "items listed by category: here a query is an item and what is retrieved are categories",
    )
)
add(
    Mistake(
        "by_item-runs-of-items",
        "by_item",
        lambda f: ft.evaluate(flat().by_item(), ITEM_RUN, ["P@1"], rng=0),
        ("sys", "i2", "categor", "by_example"),
        "similar items were retrieved: by_example was meant",
        kind="warning",
    )
)
add(
    Mistake(
        "by_item-item-without-votes",
        "by_item",
        lambda f: ft.evaluate(
            flat().by_item(), {"net": LABEL_RUN["net"] | {"i99": ["sea", "city"]}}, ["P@1"], rng=0
        ),
        ("i99|\\b1 (?:item|quer)", "(?i)vote"),
        "the classifier answers more items than people labelled: these play no part",
        kind="warning",
    )
)
add(
    Mistake(
        "by_item-similarity-of-flat-labels",
        "by_item",
        lambda f: flat().by_item(relevance="wu-palmer"),
        ("relevance='wu-palmer'", "taxonomy", "subtree|exact"),
        "flat labels have no order: all categories would be equally similar",
    )
)

# ---------------------------------------------------------------- read_taxonomy

add(
    Mistake(
        "read_taxonomy-cycle",
        "read_taxonomy",
        lambda f: ft.read_taxonomy(
            text(f, "edges.csv", "parent,child", "all,pet", "pet,cat", "cat,kitten", "kitten,pet")
        ),
        (r"edges\.csv", r"pet.*cat.*kitten.*pet", "(?i)cycle"),
        "the whole circle must be shown",
    )
)
add(
    Mistake(
        "read_taxonomy-two-roots",
        "read_taxonomy",
        lambda f: ft.read_taxonomy(data(f, "tree.json", {"all": ["people"], "poeple": ["crowd"]})),
        (r"tree\.json", "poeple", "people", "root="),
        "a misspelt parent is a second root",
    )
)
add(
    Mistake(
        "read_taxonomy-tab-among-blanks",
        "read_taxonomy",
        lambda f: ft.read_taxonomy(text(f, "tree.txt", "all", "    people", "\tscenery")),
        (r"tree\.txt", line(3), "(?i)tab", "scenery"),
        "two editors",
    )
)
add(
    Mistake(
        "read_taxonomy-unknown-columns",
        "read_taxonomy",
        lambda f: ft.read_taxonomy(
            text(f, "thesaurus.csv", "broader_term,narrower_term", "all,people")
        ),
        (r"thesaurus\.csv", "broader_term", "narrower_term", "columns=", "parent", "child"),
        "a thesaurus has words of its own for parent and child",
    )
)
add(
    Mistake(
        "read_taxonomy-cla-miscounted",
        "read_taxonomy",
        lambda f: ft.read_taxonomy(
            text(
                f,
                "test.cla",
                "PSB 1",
                "2 4",
                "",
                "people 0 2",
                "m1",
                "m2",
                "",
                "scenery 0 3",
                "m3",
                "m4",
            )
        ),
        (r"test\.cla", "scenery", r"\b3\b", r"\b2\b"),
        "models were deleted from a class, but its number was not changed",
    )
)
add(
    Mistake(
        "read_taxonomy-spreadsheet",
        "read_taxonomy",
        lambda f: ft.read_taxonomy(text(f, "tree.xlsx", "PK")),
        (r"tree\.xlsx", r"\.csv", r"\.txt"),
        "an ending that is not read: list those that are",
    )
)

# ---------------------------------------------------------------- Scores.from_frame

add(
    Mistake(
        "scores_frame-people-in-an-unknown-column",
        "Scores.from_frame",
        lambda f: ft.Scores.from_frame(
            frame(
                "system query judge_nick value",
                ("a", "q1", "ann", 0.1),
                ("a", "q1", "bob", 0.2),
                index=["r1", "r2"],
            )
        ),
        ("r2", "judge_nick", "subject", "columns="),
        "two people look like a number that is there twice",
    )
)
add(
    Mistake(
        "scores_frame-number-twice",
        "Scores.from_frame",
        lambda f: ft.Scores.from_frame(
            frame(
                "system query measure value",
                ("a", "q1", "AP", 0.1),
                ("a", "q1", "AP", 0.2),
                index=["r1", "r2"],
            )
        ),
        (r"\ba\b", "q1", "AP", "r1", "r2"),
        "old and new results were concatenated",
    )
)
add(
    Mistake(
        "scores_frame-no-query",
        "Scores.from_frame",
        lambda f: ft.Scores.from_frame(frame("system MRR", ("a", 0.31), ("b", 0.35))),
        ("query", "MRR", "columns="),
        "a table of means: what varies between queries is lost",
    )
)
add(
    Mistake(
        "scores_frame-value-with-error",
        "Scores.from_frame",
        lambda f: ft.Scores.from_frame(
            frame(
                "system query value",
                ("a", "q1", "0.81±0.02"),
                ("b", "q1", "0.7±0.1"),
                index=["r1", "r2"],
            )
        ),
        ("r1", "value", r"0\.81±0\.02"),
        "numbers copied from a paper",
    )
)
add(
    Mistake(
        "scores_frame-cluster-column-missing",
        "Scores.from_frame",
        lambda f: ft.Scores.from_frame(
            frame("system query image_nr value", ("a", "q1", "x", 0.1)), clusters="image_no"
        ),
        ("image_no", "image_nr", "clusters"),
        "a misspelt column of groups",
    )
)
add(
    Mistake(
        "scores_frame-query-in-two-clusters",
        "Scores.from_frame",
        lambda f: ft.Scores.from_frame(
            frame("system query topic value", ("a", "q1", "cats", 0.1), ("b", "q1", "dogs", 0.2)),
            clusters="topic",
        ),
        ("q1", "topic", "cats", "dogs"),
        "a query belongs to one cluster, for every system",
    )
)

# ---------------------------------------------------------------- read_scores

add(
    Mistake(
        "read_scores-lm-eval-means",
        "read_scores",
        lambda f: ft.read_scores(
            data(
                f,
                "results_2024-06-01T10-00-00.json",
                {"results": {"hellaswag": {"acc,none": 0.6}}, "configs": {}},
            )
        ),
        ("results_2024", "samples_", "log_samples"),
        "the file of means, not that of samples, which --log_samples writes",
    )
)
add(
    Mistake(
        "read_scores-inspect-broken-off",
        "read_scores",
        lambda f: ft.read_scores(
            data(
                f, "gpqa.json", inspect_log(sample("s1"), sample("s2", "I"), status="error", n=198)
            )
        ),
        (r"gpqa\.json", "error", r"\b2\b", r"\b198\b"),
        "the run stopped after 2 of 198 samples",
    )
)
add(
    Mistake(
        "read_scores-inspect-unscored-sample",
        "read_scores",
        lambda f: ft.read_scores(
            data(
                f,
                "gpqa.json",
                inspect_log(
                    sample("s1"),
                    sample("s3"),
                    {"id": "s2", "epoch": 1, "error": {"message": "timeout"}, "scores": None},
                ),
            )
        ),
        (r"gpqa\.json", r"s2|\b1\b", "(?i)score"),
        "a sample that failed has no score: not 0, and not silently left out",
        kind="warning",
    )
)
add(
    Mistake(
        "read_scores-inspect-unknown-value",
        "read_scores",
        lambda f: ft.read_scores(
            data(f, "gpqa.json", inspect_log(sample("s1"), sample("s2", "mostly right")))
        ),
        (r"gpqa\.json", "s2", "choice", "mostly right"),
        "a scorer of one's own gives words",
        kind="warning",
    )
)
add(
    Mistake(
        "read_scores-no-number",
        "read_scores",
        lambda f: ft.read_scores(
            jsonl(f, "samples_wiki_2024.jsonl", {k: v for k, v in lm_eval(0).items() if k != "acc"})
        ),
        (r"samples_wiki_2024\.jsonl", "(?i)metric|measure|score"),
        "only generations were logged (--predict_only), nothing was scored",
    )
)
add(
    Mistake(
        "read_scores-same-model-twice",
        "read_scores",
        lambda f: (
            [
                data(f, f"logs/{day}_gpqa.json", inspect_log(sample("s1"), sample("s2")))
                for day in ("mon", "tue")
            ]
            and ft.read_scores(f / "logs" / "*.json")
        ),
        ("gpt-4o", "mon_gpqa", "tue_gpqa"),
        "two runs of one model on one task in a folder",
    )
)

# ---------------------------------------------------------------- evaluate

add(
    Mistake(
        "evaluate-no-common-query",
        "evaluate",
        lambda f: ft.evaluate({"Q101": {"d1": 1}}, {"sys": {"101": {"d1": 1.0}}}, ["AP"]),
        ("Q101", r"(?<!Q)\b101\b", "(?i)quer"),
        "topics are written differently in both files: show one of each",
    )
)
add(
    Mistake(
        "evaluate-nothing-judged",
        "evaluate",
        lambda f: ft.evaluate(
            TRUTH,
            {"bm25": RUNS["sys"], "dense": {"q1": ["D1.txt", "D2.txt"], "q2": ["D1.txt"]}},
            ["P@1"],
        ),
        ("dense", r"D1\.txt", r"\bd1\b"),
        "0 everywhere because ids have another form: show one of each",
        kind="warning",
    )
)
add(
    Mistake(
        "evaluate-likert-as-binary",
        "evaluate",
        lambda f: ft.evaluate({"q1": {"d1": 1, "d2": 5}, "q2": {"d1": 3, "d3": 2}}, RUNS, ["P@2"]),
        ("(?i)every|all", r"\b5\b", "rel="),
        "on a scale of 1 to 5 everything judged is relevant from grade 1 on",
        kind="warning",
    )
)
add(
    Mistake(
        "evaluate-probabilities-as-grades",
        "evaluate",
        lambda f: ft.evaluate(
            {"q1": {"d1": 0.9, "d2": 0.2}, "q2": {"d1": 0.6, "d3": 0.1}}, RUNS, ["P@1"]
        ),
        (r"0\.9", "rel=", "from_probabilities"),
        "grades between 0 and 1 are all below the threshold of 1, so that nothing is relevant",
    )
)
add(
    Mistake(
        "evaluate-hits",
        "evaluate",
        lambda f: ft.evaluate(TRUTH, RUNS, ["hits@10"]),
        ("hits@10", "count|number", "Success@10"),
        "users of knowledge graphs mean the share of queries with a hit",
        kind="warning",
    )
)
add(
    Mistake(
        "evaluate-different-scales",
        "evaluate",
        lambda f: ft.evaluate(
            two(
                [
                    ("q1" if d < 5 else "q2", f"d{d}", who, grade)
                    for who, grades in (
                        ("ann", (5, 0, 3, 1, 4, 2, 5, 1)),
                        ("bob", (100, 0, 55, 20, 80, 35, 90, 15)),
                    )
                    for d, grade in enumerate(grades, start=1)
                ]
            ),
            RUNS,
            ["P@1"],
            worlds="subject",
        ),
        ("ann", "bob", r"\b5\b", r"\b100\b", "rel="),
        "one used stars, one a slider",
        kind="warning",
    )
)
add(
    Mistake(
        "evaluate-rel-unknown-subject",
        "evaluate",
        lambda f: ft.evaluate(
            two(BOTH), RUNS, ["P@1"], worlds="subject", rel={"ann": 3, "bobby": 1}
        ),
        ("rel", "bobby", r"\bbob\b"),
        "a threshold for a person who is not there",
    )
)
add(
    Mistake(
        "evaluate-rel-lacks-a-subject",
        "evaluate",
        lambda f: ft.evaluate(two(BOTH), RUNS, ["P@1"], worlds="subject", rel={"ann": 3}),
        ("rel", r"\bbob\b"),
        "bob's threshold must not silently be 1",
    )
)
add(
    Mistake(
        "evaluate-two-thresholds",
        "evaluate",
        lambda f: ft.evaluate(
            two(BOTH), RUNS, ["P(rel=2)@1"], worlds="subject", rel={"ann": 3, "bob": 1}
        ),
        (r"P\(rel=2\)@1", r"rel=|rel\b.*\bann\b"),
        "the measure and the option both set the threshold",
    )
)
add(
    Mistake(
        "evaluate-missing-judgments",
        "evaluate",
        lambda f: ft.evaluate(
            two([r for r in BOTH if r[:3] != ("q1", "d2", "bob")]), RUNS, ["P@1"], worlds="subject"
        ),
        ("bob", "q1", "d2|\\b1\\b", "missing=", "nonrelevant", "exclude", "pooled"),
        "bob did not judge everything that ann judged",
    )
)
add(
    Mistake(
        "evaluate-subject-worlds-without-subjects",
        "evaluate",
        lambda f: ft.evaluate(
            ft.Judgments.from_frame(frame("query item grade", ("q1", "d1", 1), ("q2", "d1", 1))),
            RUNS,
            ["P@1"],
            worlds="subject",
        ),
        ("worlds", "subject", "columns=|subjects="),
        "the judgments name nobody",
    )
)

# ---------------------------------------------------------------- compare

add(
    Mistake(
        "compare-over-annotator",
        "compare",
        lambda f: ft.compare(scores("bm25", "dense"), over="annotator"),
        ("annotator", "over", "subject"),
        "the library's word is subject",
    )
)
add(
    Mistake(
        "compare-axis-that-is-not-there",
        "compare",
        lambda f: ft.compare(
            ft.evaluate(TRUTH, {"a": RUNS["sys"], "b": RUNS["sys"]}, ["AP"]),
            over=("query", "subject"),
        ),
        ("subject", r"worlds="),
        "scores of a single truth: the message names the worlds= that gives subjects",
    )
)
add(
    Mistake(
        "compare-one-system",
        "compare",
        lambda f: ft.compare(scores("bm25")),
        ("bm25", r"\b2\b|two", "(?i)system"),
        "the other run was forgotten",
    )
)
add(
    Mistake(
        "compare-two-scores",
        "compare",
        lambda f: ft.compare(scores("bm25"), scores("dense")),
        ("Scores", "concat"),
        "two Scores instead of one with both systems",
    )
)
add(
    Mistake(
        "compare-measure-not-computed",
        "compare",
        lambda f: ft.compare(scores("bm25", "dense"), measures="nDCG@20"),
        ("nDCG@20", r"\bAP\b"),
        "a measure that was not computed: list those that were",
    )
)
add(
    Mistake(
        "compare-missing-cell",
        "compare",
        lambda f: ft.compare(ft.Scores.from_frame(table("bm25", "dense").iloc[:-1])),
        ("dense", r"q6|\b1\b"),
        "one system lacks a query: the pair is compared on the other five",
        kind="warning",
    )
)

# ---------------------------------------------------------------- image_text

add(
    Mistake(
        "image_text-models-differ-in-shape",
        "image_text",
        lambda f: ft.image_text({"A": EYE, "B": EYE[:2, :2]}, [0, 1, 2]),
        (r"\bB\b", r"2\D{1,4}2", r"3\D{1,4}3|\b3\b"),
        "the second model was run on a smaller split",
    )
)
add(
    Mistake(
        "image_text-too-few-texts",
        "image_text",
        lambda f: ft.image_text({"A": EYE}, [0, 1]),
        (r"\bA\b", "image_of_text", r"\b2\b", r"\b3\b"),
        "image_of_text has an entry for each text, here one too few",
    )
)
add(
    Mistake(
        "image_text-counted-from-1",
        "image_text",
        lambda f: ft.image_text({"A": EYE}, [1, 2, 3]),
        ("image_of_text", r"\b3\b", r"\b0\b"),
        "MATLAB counts from 1: the first image would have no text, the last does not exist",
    )
)
add(
    Mistake(
        "image_text-image-without-text",
        "image_text",
        lambda f: ft.image_text({"A": EYE}, [0, 1, 1]),
        (r"\b2\b", "(?i)image", "(?i)no text|without (?:a )?text"),
        "image 2 lost its captions; its i2t recall is undefined",
    )
)
add(
    Mistake(
        "image_text-embeddings",
        "image_text",
        lambda f: ft.image_text({"clip": np.ones((3, 512))}, [0, 1, 2]),
        ("clip", r"3\D{1,4}512", "(?i)similarit"),
        "embeddings instead of similarities",
    )
)
add(
    Mistake(
        "image_text-no-image",
        "image_text",
        lambda f: ft.image_text({"A": EYE}, [0, 1, -1]),
        ("image_of_text", "-1", r"\b2\b"),
        "-1 for a text without image must not be the last image",
    )
)

# ---------------------------------------------------------------- probability_scores

add(
    Mistake(
        "probability_scores-logits",
        "probability_scores",
        lambda f: ft.probability_scores(
            flat(), EYE * 10 - 3, items=["i1", "i2", "i3"], categories=["city", "sea", "crowd"]
        ),
        ("i1", r"\b7\b|-1|-2", "(?i)softmax|probabilit"),
        "outputs before the softmax",
    )
)
add(
    Mistake(
        "probability_scores-sum",
        "probability_scores",
        lambda f: ft.probability_scores(
            flat(),
            np.array([[0.5, 0.25, 0.25], [0.5, 0.25, 0.5], [0.25, 0.25, 0.5]]),
            items=["i1", "i2", "i3"],
            categories=["city", "sea", "crowd"],
        ),
        ("i2", r"1\.25"),
        "sigmoids of a multi-label network do not sum to 1",
    )
)
add(
    Mistake(
        "probability_scores-category-not-predicted",
        "probability_scores",
        lambda f: ft.probability_scores(
            flat(), np.full((3, 2), 0.5), items=["i1", "i2", "i3"], categories=["city", "sea"]
        ),
        ("crowd", "categories", "i3|\\b1\\b"),
        "people chose a category that the network does not know",
    )
)
add(
    Mistake(
        "probability_scores-item-without-votes",
        "probability_scores",
        lambda f: ft.probability_scores(
            flat(),
            np.full((4, 3), 1 / 3),
            items=["i1", "i2", "i3", "i77"],
            categories=["city", "sea", "crowd"],
        ),
        ("i77|\\b1 item", "(?i)vote"),
        "the test set is larger than what people labelled",
        kind="warning",
    )
)
add(
    Mistake(
        "probability_scores-nothing-in-common",
        "probability_scores",
        lambda f: ft.probability_scores(
            flat(),
            np.full((2, 3), 1 / 3),
            items=["val/i1.png", "val/i2.png"],
            categories=["city", "sea", "crowd"],
        ),
        (r"val/i1\.png", r"(?<!/)\bi1\b(?!\.)"),
        "paths against ids: show one of each",
    )
)
add(
    Mistake(
        "probability_scores-zero-for-what-people-said",
        "probability_scores",
        lambda f: ft.probability_scores(
            flat(),
            np.array([[1.0, 0, 0], [0, 1.0, 0], [0, 0, 1.0]]),
            items=["i1", "i2", "i3"],
            categories=["city", "sea", "crowd"],
        ),
        ("i2", "(?i)log", r"\b0\b|inf", "clip"),
        "one-hot labels: half of the people say city for i2, which has probability 0: its log "
        "score would be infinite",
    )
)

# ---------------------------------------------------------------- class_scores

add(
    Mistake(
        "class_scores-misspelt-answer",
        "class_scores",
        lambda f: ft.class_scores(
            labels(),
            frame(
                "system item category",
                ("net", "i1", "city"),
                ("net", "i2", "crwod"),
                index=["r1", "r2"],
            ),
        ),
        ("r2", "crwod", r"\bcrowd\b"),
        "a label of the classifier that the taxonomy lacks",
    )
)
add(
    Mistake(
        "class_scores-misspelt-category",
        "class_scores",
        lambda f: ft.class_scores(
            labels(), frame("system item category", ("net", "i1", "city")), categories=["citty"]
        ),
        ("citty", r"\bcity\b", "categories"),
        "the category that is asked about is misspelt",
    )
)
add(
    Mistake(
        "class_scores-answer-twice",
        "class_scores",
        lambda f: ft.class_scores(
            labels(),
            frame(
                "system item category",
                ("net", "i1", "city"),
                ("net", "i2", "sea"),
                ("net", "i1", "city"),
                index=["r1", "r2", "r3"],
            ),
        ),
        ("i1", "city", "r1", "r3"),
        "old and new answers were concatenated (several categories of an item are allowed)",
    )
)
add(
    Mistake(
        "class_scores-probabilities",
        "class_scores",
        lambda f: ft.class_scores(
            labels(),
            pd.DataFrame(
                {"system": "net", "item": ["i1", "i2"], "city": [0.9, 0.2], "sea": [0.1, 0.8]}
            ),
        ),
        ("category", "city", "sea", "probability_scores|argmax|idxmax"),
        "a column of probabilities for each class",
    )
)
add(
    Mistake(
        "class_scores-item-without-votes",
        "class_scores",
        lambda f: ft.class_scores(
            labels(),
            frame(
                "system item category",
                ("net", "i1", "city"),
                ("net", "i2", "sea"),
                ("net", "i3", "crowd"),
                ("net", "i55", "city"),
            ),
        ),
        ("i55|\\b1 (?:item|answer)", "(?i)vote"),
        "answers about items that nobody labelled",
        kind="warning",
    )
)
add(
    Mistake(
        "class_scores-no-item-column",
        "class_scores",
        lambda f: ft.class_scores(
            labels(), frame("model img_file_nr category", ("net", "i1", "city"))
        ),
        ("item", "img_file_nr", "columns="),
        "the classifier's table has names of its own",
    )
)

# ---------------------------------------------------------------- bradley_terry

add(
    Mistake(
        "bradley_terry-winner-did-not-play",
        "bradley_terry",
        lambda f: ft.bradley_terry(
            duels(("a", "b", "a"), ("b", "a", "b"), ("a", "b", "c"), index=["g1", "g2", "g3"])
        ),
        ("g3", "winner", r"\bc\b", r"\ba\b", r"\bb\b"),
        "a winner who is neither left nor right",
    )
)
add(
    Mistake(
        "bradley_terry-against-itself",
        "bradley_terry",
        lambda f: ft.bradley_terry(
            duels(("a", "b", "a"), ("b", "a", "b"), ("gpt", "gpt", "gpt"), index=["g1", "g2", "g3"])
        ),
        ("g3", "gpt", "(?i)itself|same"),
        "an attention check was left in the data",
    )
)
add(
    Mistake(
        "bradley_terry-two-islands",
        "bradley_terry",
        lambda f: ft.bradley_terry(
            duels(("a", "b", "a"), ("b", "a", "b"), ("x", "y", "x"), ("y", "x", "y"))
        ),
        (r"\ba\b", r"\bx\b", "(?i)connect|never compared|not compared"),
        "two studies that share no item: their strengths cannot be compared",
    )
)
add(
    Mistake(
        "bradley_terry-never-beaten",
        "bradley_terry",
        lambda f: ft.bradley_terry(
            duels(("best", "b", "best"), ("best", "c", "best"), ("b", "c", "b"), ("c", "b", "c"))
        ),
        (r"\bbest\b", "(?i)no finite|infinite|unbounded", "(?i)prior|regulari"),
        "who wins every time has an infinite strength; the remedy is a prior",
    )
)
add(
    Mistake(
        "bradley_terry-unknown-word",
        "bradley_terry",
        lambda f: ft.bradley_terry(
            duels(
                ("a", "b", "a"), ("b", "a", "b"), ("a", "b", "can't say"), index=["g1", "g2", "g3"]
            )
        ),
        ("g3", "winner", "can't say", "(?i)tie|drop"),
        "a non-answer is neither a win nor, without saying so, a tie",
    )
)
add(
    Mistake(
        "bradley_terry-no-winner-column",
        "bradley_terry",
        lambda f: ft.bradley_terry(
            frame("left right verdict_of_crowd", ("a", "b", "a"), ("b", "a", "b"))
        ),
        ("winner", "verdict_of_crowd", "columns="),
        "the column has a name of its own",
    )
)

# ---------------------------------------------------------------- fuzzytruth evaluate

add(
    Mistake(
        "cli_evaluate-columns-the-wrong-way-round",
        "cli evaluate",
        lambda f: [
            "evaluate",
            str(text(f, "votes.csv", "topic_nr,item,grade", "q1,d1,1", "q2,d1,1")),
            run(f),
            "--columns",
            "topic_nr=query",
            "-m",
            "AP",
        ],
        ("--columns", "query=topic_nr"),
        "which side is the file's: the right spelling must be shown",
    )
)
add(
    Mistake(
        "cli_evaluate-columns-with-colon",
        "cli evaluate",
        lambda f: ["evaluate", qrels(f), run(f), "--columns", "query:topic_no", "-m", "AP"],
        ("--columns", "query:topic_no", "="),
        "a colon as in Python's dicts",
    )
)
add(
    Mistake(
        "cli_evaluate-run-first",
        "cli evaluate",
        lambda f: ["evaluate", run(f), qrels(f), "-m", "AP"],
        (r"a\.run", line(1), r"\b6\b|six", "(?i)run", "(?i)first|order|judgments"),
        "the judgments come first",
    )
)
add(
    Mistake(
        "cli_evaluate-grades-incomplete",
        "cli evaluate",
        lambda f: [
            "evaluate",
            str(text(f, "votes.csv", "query,item,grade", "q1,d1,relevant", "q1,d2,highly")),
            run(f),
            "--grades",
            "relevant=1,not_relevant=0",
            "-m",
            "AP",
        ],
        (r"votes\.csv", line(3), "highly", "--grades"),
        "a word that --grades lacks",
    )
)
add(
    Mistake(
        "cli_evaluate-drop-not-given",
        "cli evaluate",
        lambda f: [
            "evaluate",
            str(text(f, "votes.csv", "query,item,label_score", "q1,d1,1", "q1,d2,unsure")),
            run(f),
            "-m",
            "AP",
        ],
        (r"votes\.csv", line(3), "label_score", "unsure", "--drop", "--grades"),
        "on the command line the remedy is --drop, not drop=",
    )
)
add(
    Mistake(
        "cli_evaluate-unknown-measure",
        "cli evaluate",
        lambda f: ["evaluate", qrels(f), run(f), "-m", "recip_rnk"],
        ("recip_rnk", r"\bRR\b|recip_rank"),
        "a misspelt name of trec_eval",
    )
)
add(
    Mistake(
        "cli_evaluate-cla-and-matrix-differ",
        "cli evaluate",
        lambda f: [
            "evaluate",
            str(
                text(
                    f,
                    "test.cla",
                    "PSB 1",
                    "2 4",
                    "",
                    "people 0 2",
                    "m1",
                    "m2",
                    "",
                    "scenery 0 2",
                    "m3",
                    "m4",
                )
            ),
            f"net={npy(f, 'sims.npy', EYE)}",
            "-m",
            "NN",
        ],
        (r"sims\.npy", r"3\D{1,4}3", r"\b4\b", r"test\.cla"),
        "a matrix of another split than the classification",
    )
)

# ---------------------------------------------------------------- fuzzytruth compare

add(
    Mistake(
        "cli_compare-misspelt-baseline",
        "cli compare",
        lambda f: [
            "compare",
            qrels(f),
            run(f, "bm25.run"),
            run(f, "dense.run"),
            "-m",
            "AP",
            "--baseline",
            "bm25.run",
        ],
        ("--baseline", r"bm25\.run", r"\bbm25\b(?!\.run)", "dense"),
        "systems are named without the ending of their file",
    )
)
add(
    Mistake(
        "cli_compare-one-run",
        "cli compare",
        lambda f: ["compare", qrels(f), run(f), "-m", "AP"],
        (r"\b2\b|two", "(?i)system|run"),
        "nothing to compare with",
    )
)
add(
    Mistake(
        "cli_compare-measure-not-in-the-table",
        "cli compare",
        lambda f: ["compare", table_csv(f, "scores.csv", "bm25", "dense"), "-m", "nDCG@10"],
        ("nDCG@10", r"\bAP\b", r"scores\.csv|measure"),
        "a table of scores cannot give other measures",
    )
)
add(
    Mistake(
        "cli_compare-nan-in-the-table",
        "cli compare",
        lambda f: [
            "compare",
            str(
                text(
                    f,
                    "scores.csv",
                    "system,query,value",
                    "bm25,q1,0.5",
                    "bm25,q2,err",
                    "dense,q1,0.4",
                    "dense,q2,0.6",
                )
            ),
        ],
        (r"scores\.csv", line(3), "value", "err"),
        "a script wrote a word for a failed query",
    )
)
add(
    Mistake(
        "cli_compare-people-in-an-unknown-column",
        "cli compare",
        lambda f: [
            "compare",
            str(
                text(
                    f,
                    "scores.csv",
                    "system,query,crowd_nick,value",
                    "a,q1,ann,0.5",
                    "a,q1,bob,0.6",
                    "b,q1,ann,0.4",
                )
            ),
        ],
        (r"scores\.csv", line(3), "crowd_nick", "--columns"),
        "two people look like a number that is there twice; the remedy is an option",
    )
)
add(
    Mistake(
        "cli_compare-same-stem",
        "cli compare",
        lambda f: ["compare", qrels(f), run(f, "old/bm25.run"), run(f, "new/bm25.run"), "-m", "AP"],
        ("bm25", "old/", "new/", "NAME=|[a-z0-9]+=\\S*bm25|=FILE"),
        "two versions of one system; the remedy is NAME=FILE",
    )
)

# ---------------------------------------------------------------- fuzzytruth convert

add(
    Mistake(
        "cli_convert-to-a-spreadsheet",
        "cli convert",
        lambda f: ["convert", qrels(f), str(f / "qrels.xlsx")],
        (r"qrels\.xlsx|\.xlsx", r"\.csv", r"\.parquet"),
        "an ending that is not written: list those that are",
    )
)
add(
    Mistake(
        "cli_convert-to-no-folder",
        "cli convert",
        lambda f: ["convert", qrels(f), str(f / "out" / "qrels.csv")],
        (r"out", "(?i)folder|directory"),
        "the folder must be made first",
    )
)
add(
    Mistake(
        "cli_convert-grades-without-number",
        "cli convert",
        lambda f: [
            "convert",
            str(text(f, "votes.csv", "query,item,grade", "q1,d1,good")),
            str(f / "new.csv"),
            "--grades",
            "good,bad=0",
        ],
        ("--grades", "good", "="),
        "a word without its number",
    )
)
add(
    Mistake(
        "cli_convert-probabilities-to-trec",
        "cli convert",
        lambda f: [
            "convert",
            str(text(f, "likely.csv", "query,item,grade,probability", "q1,d1,1,0.9")),
            str(f / "likely.txt"),
        ],
        ("probabilit", r"likely\.txt|TREC", r"\.csv|\.parquet|\.json"),
        "TREC files have no place for probabilities, which must not get lost",
    )
)
add(
    Mistake(
        "cli_convert-wide",
        "cli convert",
        lambda f: [
            "convert",
            str(text(f, "wide.csv", "query,item,rater_a,rater_b", "q1,d1,1,0")),
            str(f / "long.csv"),
        ],
        (r"wide\.csv", "rater_a", "rater_b", "subjects"),
        "one column a person",
    )
)
add(
    Mistake(
        "cli_convert-columns-names-no-column",
        "cli convert",
        lambda f: [
            "convert",
            str(text(f, "votes.csv", "thema,item,grade", "q1,d1,1")),
            str(f / "new.csv"),
            "--columns",
            "query=tema",
        ],
        ("--columns", r"votes\.csv", r"\btema\b", r"\bthema\b"),
        "misspelt: the columns that exist must be listed",
    )
)

# ---------------------------------------------------------------- fuzzytruth membership


def votes_csv(folder: Path, *rows: str) -> str:
    return str(
        text(folder, "votes.csv", "subject,item,category", "ann,fig1,city", "bob,fig1,sea", *rows)
    )


add(
    Mistake(
        "cli_membership-unknown-item",
        "cli membership",
        lambda f: [
            "membership",
            votes_csv(f),
            "--taxonomy",
            str(text(f, "tree.txt", *TREE)),
            "--item",
            "fig11",
        ],
        ("--item", "fig11", r"\bfig1\b"),
        "a misspelt item",
    )
)
add(
    Mistake(
        "cli_membership-category-of-another-tree",
        "cli membership",
        lambda f: [
            "membership",
            votes_csv(f, "eve,fig1,harbour"),
            "--taxonomy",
            str(text(f, "tree.txt", *TREE)),
        ],
        (r"votes\.csv", line(4), "harbour", r"tree\.txt|taxonomy"),
        "votes and taxonomy are of different versions",
    )
)
add(
    Mistake(
        "cli_membership-files-exchanged",
        "cli membership",
        lambda f: ["membership", str(text(f, "tree.txt", *TREE)), "--taxonomy", votes_csv(f)],
        (r"tree\.txt|votes\.csv", "--taxonomy|parent|category"),
        "votes first, the tree after --taxonomy",
    )
)
add(
    Mistake(
        "cli_membership-judgments",
        "cli membership",
        lambda f: [
            "membership",
            str(text(f, "judged.csv", "query,item,annotator,grade", "q1,d1,ann,1")),
            "--taxonomy",
            str(text(f, "tree.txt", *TREE)),
        ],
        (r"judged\.csv", "category", "--columns"),
        "judgments have no categories; the columns found must be listed",
    )
)
add(
    Mistake(
        "cli_membership-two-roots",
        "cli membership",
        lambda f: [
            "membership",
            votes_csv(f),
            "--taxonomy",
            str(text(f, "tree.txt", "people", "  crowd", "scenery", "  city")),
        ],
        (r"tree\.txt", "people", "scenery", "(?i)root"),
        "a list of trees without a common root",
    )
)
add(
    Mistake(
        "cli_membership-columns-unknown-role",
        "cli membership",
        lambda f: [
            "membership",
            str(text(f, "votes.csv", "who,item,category", "ann,fig1,city")),
            "--taxonomy",
            str(text(f, "tree.txt", *TREE)),
            "--columns",
            "subjet=who",
        ],
        ("--columns", "subjet", r"\bsubject\b"),
        "the library's side of --columns is misspelt",
    )
)

# ---------------------------------------------------------------- fuzzytruth image-text


def image_of_text(folder: Path, *images: object) -> Path:
    return text(folder, "image_of_text.txt", *map(str, images))


add(
    Mistake(
        "cli_image_text-too-many-texts",
        "cli image-text",
        lambda f: image_text_arguments(image_of_text(f, 0, 1, 2, 2), npy(f, "clip.npy", EYE)),
        (r"clip\.npy", r"image_of_text\.txt", r"3\D{1,4}3", r"\b4\b"),
        "a caption more than the matrix has",
    )
)
add(
    Mistake(
        "cli_image_text-image-out-of-range",
        "cli image-text",
        lambda f: image_text_arguments(image_of_text(f, 0, 1, 30), npy(f, "clip.npy", EYE)),
        (r"image_of_text\.txt", line(3), r"\b30\b"),
        "an image that the matrix does not have",
    )
)
add(
    Mistake(
        "cli_image_text-word-in-a-matrix",
        "cli image-text",
        lambda f: image_text_arguments(
            image_of_text(f, 0, 1), text(f, "clip.csv", "0.9,0.1", "0.2,nil")
        ),
        (r"clip\.csv", line(2), "nil"),
        "not every cell is a number",
    )
)
add(
    Mistake(
        "cli_image_text-npz-of-several",
        "cli image-text",
        lambda f: (
            np.savez(f / "out.npz", i2t_sims=EYE, caption_lengths=np.arange(3))
            or image_text_arguments(image_of_text(f, 0, 1, 2), f / "out.npz")
        ),
        (r"out\.npz", "i2t_sims", "caption_lengths"),
        "an archive of several arrays: name them, so that one can be chosen",
    )
)
add(
    Mistake(
        "cli_image_text-name-twice",
        "cli image-text",
        lambda f: image_text_arguments(
            image_of_text(f, 0, 1, 2),
            f"clip={npy(f, 'old.npy', EYE)}",
            f"clip={npy(f, 'new.npy', EYE.T)}",
        ),
        ("clip", r"old\.npy", r"new\.npy"),
        "two models of the same name",
    )
)
add(
    Mistake(
        "cli_image_text-torch-file",
        "cli image-text",
        lambda f: image_text_arguments(image_of_text(f, 0, 1, 2), text(f, "clip.pt", "PK")),
        (r"clip\.pt", r"\.npy", r"\.csv"),
        "saved with torch.save: list the endings that are read",
    )
)
