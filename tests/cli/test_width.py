"""Every table fits 80 columns, with many systems and long, wide or hostile names."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from rich.cells import cell_len

NAMES = [
    "a_very_long_name_of_a_team-run.1-with.parameters_$k1=0.9_b=0.4_and_no_end",
    "x" * 200,
    "検索エンジン" * 12,
    "<script>alert(1)</script>",
    *(f"system-{number:02}" for number in range(14)),
]
PEOPLE = [
    "a person whose name is as long as that of a department of a ministry",
    "注釈者" * 15,
    "eve",
]


@pytest.fixture
def files(folder: Path) -> Path:
    rng = np.random.default_rng(0)
    scores = [
        f'"{name}",q{j},{measure},{rng.random():.4f}'
        for name in NAMES
        for measure in ("AP", "nDCG@10", "P@10", "RR")
        for j in range(6)
    ]
    (folder / "scores.csv").write_text("system,query,measure,value\n" + "\n".join(scores) + "\n")
    votes = [f'q{j % 4},d{j},"{who}",{rng.integers(0, 3)}' for who in PEOPLE for j in range(40)]
    (folder / "panel.csv").write_text("query,item,subject,grade\n" + "\n".join(votes) + "\n")
    lists = [f'"{name}",q{j % 4},d{j},{rng.random():.4f}' for name in NAMES for j in range(40)]
    (folder / "lists.csv").write_text("system,query,item,score\n" + "\n".join(lists) + "\n")
    return folder


@pytest.mark.parametrize(
    "command",
    [
        "compare scores.csv -m AP,RR",
        "compare scores.csv -m AP --baseline system-03",
        "analyse scores.csv",
        "analyse panel.csv lists.csv -m AP,RR,P@10",
        "evaluate panel.csv lists.csv",
        "evaluate panel.csv lists.csv --worlds subject -m AP,RR",
        "evaluate panel.csv lists.csv --aggregate mean -m AP,RR,nDCG@10 --unjudged bounds",
        "agreement panel.csv",
        "agreement panel.csv --by pair",
        "judges panel.csv --people eve",
        "annotate-next panel.csv lists.csv --systems system-00,system-01 -m AP",
        "plan --component system:query=.02 --component residual=.05 --half-width .02",
    ],
)
@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
def test_tables_fit_80_columns(run, files: Path, command: str) -> None:
    status, out, err = run(*command.split())
    assert status == 0, err
    assert out
    wide = [line for line in out.splitlines() if cell_len(line) > 80]
    assert wide == []
