"""Scores of tables and of harness logs."""

from __future__ import annotations

import fuzzytruth as ft
from support.mistakes.examples import (
    Mistake,
    data,
    frame,
    inspect_log,
    jsonl,
    lm_eval,
    sample,
)

MISTAKES: list[Mistake] = []
add = MISTAKES.append

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
