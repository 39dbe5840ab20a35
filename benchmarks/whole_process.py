"""From files to means with one tool, as a process of its own.

python benchmarks/whole_process.py TOOL [QRELS RUN ...]
"""

from __future__ import annotations

import sys

MEASURES = ["AP", "nDCG@10", "P@10", "R@100", "RR"]


def ours(qrels: str, run: str) -> dict[str, float]:
    import fuzzytruth as ft

    means = ft.evaluate(ft.read_judgments(qrels), ft.read_runs(run), MEASURES).mean()
    str(means)  # what `print` shows
    return dict(means.iloc[0])


def paths(qrels: str, run: str) -> dict[str, float]:
    import fuzzytruth as ft

    means = ft.evaluate(qrels, run, MEASURES).mean()  # reads block by block
    str(means)
    return dict(means.iloc[0])


def values(qrels: str, run: str) -> dict[str, float]:
    import fuzzytruth as ft

    scores = ft.evaluate(ft.read_judgments(qrels), ft.read_runs(run), MEASURES).values
    return dict(zip(MEASURES, scores.mean(axis=(0, 2)).tolist(), strict=True))


def command(qrels: str, *runs: str) -> dict[str, float]:
    from fuzzytruth.cli.app import main

    sys.argv = ["fuzzytruth", "evaluate", qrels, *runs, "-m", ",".join(MEASURES)]
    main()
    return {}


def ir_measures_command(qrels: str, *runs: str) -> dict[str, float]:
    from ir_measures.__main__ import main_cli

    sys.argv = ["ir_measures", qrels, runs[0], *MEASURES]
    main_cli()
    return {}


def pytrec(qrels: str, run: str) -> dict[str, float]:
    import pytrec_eval

    with open(qrels) as file:  # noqa: PTH123
        truth = pytrec_eval.parse_qrel(file)
    with open(run) as file:  # noqa: PTH123
        ranking = pytrec_eval.parse_run(file)
    names = {"map": "AP", "ndcg_cut.10": "nDCG@10", "P.10": "P@10", "recall.100": "R@100"}
    names["recip_rank"] = "RR"
    result = pytrec_eval.RelevanceEvaluator(truth, set(names)).evaluate(ranking)
    return {
        mine: sum(row[theirs.replace(".", "_")] for row in result.values()) / len(truth)
        for theirs, mine in names.items()
    }


def ir_measures(qrels: str, run: str) -> dict[str, float]:
    import ir_measures as ir

    measures = [ir.AP, ir.nDCG @ 10, ir.P @ 10, ir.R @ 100, ir.RR]
    means = ir.calc_aggregate(measures, ir.read_trec_qrels(qrels), ir.read_trec_run(run))
    return {str(measure): value for measure, value in means.items()}


def bare() -> dict[str, float]:
    return {}


def import_numpy() -> dict[str, float]:
    import numpy  # noqa: F401

    return {}


def import_pandas() -> dict[str, float]:
    import pandas  # noqa: F401

    return {}


def import_ours() -> dict[str, float]:
    import fuzzytruth  # noqa: F401

    return {}


if __name__ == "__main__":
    tool, *files = sys.argv[1:]
    for name, value in globals()[tool](*files).items():
        print(f"{name} {value:.6f}")
