"""Scores as tables, for people and in LaTeX."""

from __future__ import annotations

from pathlib import Path


def test_table(run) -> None:
    status, out, err = run("evaluate", "qrels.txt", "a.run", "b.run", "-m", "AP", "-m", "P@1,RR")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].split() == ["system", "AP", "P@1", "RR"]
    assert lines[2].split() == ["a", "0.7917", "0.5000", "0.7500"]
    assert lines[3].split() == ["b", "0.5000", "0.5000", "0.7500"]


def test_latex(run) -> None:
    _, out, _ = run("evaluate", "qrels.txt", "a_b=a.run", "b.run", "-m", "AP,E@1", "--format=latex")
    for part in (r"\begin{table}", r"\caption{", r"\toprule", r"a\_b & \textbf{0.7917}"):
        assert part in out
    assert r"\begin{tabular}{lrr}" in out
    assert r"\label{tab:scores}" in out


def test_latex_under_worlds_says_what_it_shows(run, folder: Path) -> None:
    asked = ("evaluate", "votes.csv", "a.run", "-m", "P@1,P@2", "--seed", "0", "--format", "latex")
    status, out, err = run(*asked)
    assert (status, err) == (0, "warning: queries without judgments are left out of a (1: q2)\n")
    assert r"\caption{Expected means over 1 query, in brackets what holds 95\,\% of 1,000" in out
    assert r"a & \textbf{0.500 [0.000, 1.000]}" in out
    _, out, _ = run(*asked, "--worlds", "population")
    assert r"in brackets 95\,\% t intervals over resampled subjects (1 degree of freedom)" in out
    _, out, _ = run(*asked, "--per-query")
    assert r"\caption{Expected values. Bold" in out
