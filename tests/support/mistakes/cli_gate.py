"""`fuzzytruth gate`."""

from __future__ import annotations

from pathlib import Path

from support.mistakes.examples import QRELS, Mistake, qrels, run, table_csv, text

MISTAKES: list[Mistake] = []
add = MISTAKES.append


def runs(folder: Path) -> list[str]:
    return [f"old={run(folder, 'a.run')}", f"new={run(folder, 'b.run')}"]


add(
    Mistake(
        "cli_gate-no-margin",
        "cli gate",
        lambda f: ["gate", qrels(f), *runs(f), "-m", "AP"],
        ("--margin", "units of the measure", r"\.01", "--better"),
        "not worse, but by how much",
    )
)
add(
    Mistake(
        "cli_gate-margin-in-percent",
        "cli gate",
        lambda f: ["gate", qrels(f), *runs(f), "-m", "AP", "--margin", "2"],
        ("--margin 2", "mean AP of old is 1", "units of the measure"),
        "2 %, which every run would keep",
    )
)
add(
    Mistake(
        "cli_gate-margin-of-another-measure",
        "cli gate",
        lambda f: ["gate", qrels(f), *runs(f), "-m", "AP,RR", "--margin", "AP=.01,MRR@10=.01"],
        ("--margin", "MRR@10|RR@10", "AP, RR"),
        "one name by -m, another by --margin",
    )
)
add(
    Mistake(
        "cli_gate-no-measure",
        "cli gate",
        lambda f: ["gate", qrels(f), *runs(f), "--margin", ".01"],
        ("-m", "nDCG@10"),
        "the measures by default are five",
    )
)
add(
    Mistake(
        "cli_gate-one-run",
        "cli gate",
        lambda f: ["gate", qrels(f), runs(f)[1], "-m", "AP", "--margin", ".01"],
        ("--new, --old", "1 system", "'new'"),
        "the new run alone",
    )
)
add(
    Mistake(
        "cli_gate-three-systems",
        "cli gate",
        lambda f: ["gate", table_csv(f, "s.csv", "bm25", "dense", "mix"), "--margin", ".01"],
        ("--new, --old", "3 systems", "bm25", "dense", "mix"),
        "a table of all systems",
    )
)
add(
    Mistake(
        "cli_gate-clusters-and-annotators",
        "cli gate",
        lambda f: [
            *("gate", str(votes(f)), *runs(f), "-m", "AP", "--margin", ".01"),
            *("--clusters", str(text(f, "c.csv", "query,cluster", "q1,t1", "q2,t2"))),
        ],
        ("clusters", "queries and subjects", "--over query"),
        "two levels of groups, and people besides",
    )
)
add(
    Mistake(
        "cli_gate-the-same-run",
        "cli gate",
        lambda f: ["gate", qrels(f), *runs(f), "-m", "AP", "--margin", ".01"],
        ("new and old", "AP", "same run"),
        "the new run was not written, and the old one is there under both names",
        "warning",
    )
)


def votes(folder: Path) -> Path:
    rows = (row.split() for row in QRELS)
    lines = [f"{q},{d},{who},{grade}" for q, _, d, grade in rows for who in ("ann", "bob")]
    return text(folder, "votes.csv", "query,item,subject,grade", *lines)
