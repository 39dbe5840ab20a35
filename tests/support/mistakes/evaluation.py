"""`evaluate` and `compare`."""

from __future__ import annotations

import fuzzytruth as ft
from support.mistakes.examples import BOTH, RUNS, TRUTH, Mistake, frame, scores, table, two

MISTAKES: list[Mistake] = []
add = MISTAKES.append

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
