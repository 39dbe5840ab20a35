"""What shells offer for what is typed so far."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.cli.app import main
from fuzzytruth.cli.options import (
    complete_axes,
    complete_corrections,
    complete_measures,
)

SHELLS = ("bash", "zsh", "fish")


def completed(
    shell: str, typed: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> list[str]:
    """What the shell is answered, as the names that it offers."""
    monkeypatch.setenv("_FUZZYTRUTH_COMPLETE", f"complete_{shell}")
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", str(typed.count(" ")))
    monkeypatch.setenv("_TYPER_COMPLETE_ARGS", typed)
    monkeypatch.setenv("_TYPER_COMPLETE_FISH_ACTION", "get-args")
    with pytest.raises(SystemExit):
        main([])
    out = capsys.readouterr().out.replace("_arguments '*: :((", "").replace("))'", "")
    return [line.split("\t")[0].split(":")[0].strip('"') for line in out.splitlines()]


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("fuzzytruth co", ["compare", "convert"]),
        ("fuzzytruth evaluate -m nD", ["nDCG", "nDCG@"]),
        ("fuzzytruth compare --correction hol", ["holm", "holm-sidak"]),
        ("fuzzytruth evaluate --worlds p", ["population"]),
        ("fuzzytruth compare --over query,", ["query,subject", "query,world"]),
        ("fuzzytruth compare --figu", ["--figure-kind", "--figure"]),
        ("fuzzytruth compare --corr", ["--correction"]),
    ],
)
def test_completions(
    shell: str,
    typed: str,
    offered: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    shown = completed(shell, typed, monkeypatch, capsys)
    assert [name for name in shown if name] == offered


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_of_each_shell(
    shell: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("_FUZZYTRUTH_COMPLETE", f"source_{shell}")
    with pytest.raises(SystemExit) as stop:
        main([])
    assert not stop.value.code
    script = capsys.readouterr().out
    assert "_FUZZYTRUTH_COMPLETE" in script
    assert f"complete_{shell}" in script


def test_bash_itself_offers_the_commands(tmp_path: Path) -> None:
    command = tmp_path / "fuzzytruth"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m fuzzytruth "$@"\n')
    command.chmod(0o755)
    script = """
        eval "$(_FUZZYTRUTH_COMPLETE=source_bash fuzzytruth)"
        COMP_WORDS=(fuzzytruth co); COMP_CWORD=1
        _fuzzytruth_completion fuzzytruth
        echo "${COMPREPLY[@]}"
    """
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, env={**os.environ, "PATH": path}
    )
    assert (done.stdout, done.stderr) == ("compare convert\n", "")


def test_completed_measures_are_measures() -> None:
    names = complete_measures("")
    whole = [name for name in names if not name.endswith("@")]
    assert len(whole) > 50
    parsed = ft.measures.parse_measures(whole)
    assert [str(measure).split("(")[0] for measure in parsed] == whole
    assert complete_measures("AP,P@5,prec") == []
    assert complete_measures("AP,ndcg_") == ["AP,ndcg_rel"]
    assert {name.partition("@")[0] for name in names} >= {*ft.measures.registry.names()} - {"TN"}


def test_completing_commands_and_measures_is_quick() -> None:
    """It happens while somebody waits with a finger on a key."""
    code = "import sys, fuzzytruth.cli.options as c; c.complete_measures('n'); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert not loaded & {"pandas", "scipy", "pyarrow", "rich", "matplotlib", "statsmodels"}


def test_corrections_are_those_that_compare_takes() -> None:
    values = np.random.default_rng(0).random(24)
    scores = ft.Scores.from_frame(
        pd.DataFrame(
            {
                "system": np.repeat(["a", "b", "c"], 8),
                "query": [f"q{j % 8}" for j in range(24)],
                "measure": "AP",
                "value": values,
            }
        )
    )
    for name in set(complete_corrections("")) - {"lfdr"}:  # of statsmodels 0.15
        assert len(ft.compare(scores, correction=name, n_resamples=99).to_frame()) == 3
    assert complete_corrections("max") == ["max-t"]


def test_axes_are_named_once() -> None:
    assert complete_axes("") == ["query", "subject", "world"]
    assert complete_axes("query,query") == []
