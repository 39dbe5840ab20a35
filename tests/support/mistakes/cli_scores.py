"""`fuzzytruth evaluate` and `fuzzytruth compare`."""

from __future__ import annotations

from support.mistakes.examples import (
    EYE,
    Mistake,
    line,
    npy,
    qrels,
    run,
    table_csv,
    text,
)

MISTAKES: list[Mistake] = []
add = MISTAKES.append

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
