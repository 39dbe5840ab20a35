"""The table of an analysis in LaTeX and in Markdown."""

from __future__ import annotations

import re
from typing import Any

import pytest
from support.analysed import analysis

from fuzzytruth.errors import OptionError


def test_the_same_cells_in_both() -> None:
    result = analysis("AP", "P@3")
    latex, text = result.to_latex(digits=2), result.to_markdown(digits=2)
    assert "measure &  & system & mean & beats & both & ranks" in latex
    rows = [line.strip("| ").split(" | ") for line in text.splitlines()[2:8]]
    for cells, row in zip(rows, result.to_frame().itertuples(), strict=True):
        mean = re.sub(r"\\(.)", r"\1", cells[3]).strip("*")
        assert mean == f"{row.mean:.2f} [{row.lower:.2f}, {row.upper:.2f}]"
        assert (cells[0], cells[2]) == (row.measure, row.system)
        assert f"{row.measure} & {cells[1]} & {row.system} & " in latex
        assert mean in latex
    n_best = int(result.rows.best.sum())
    assert latex.count(r"\textbf") == n_best
    assert text.count("**") == 2 * n_best


def test_caption_label_and_bold() -> None:
    result = analysis("AP")
    latex = result.to_latex(caption="50% & [x]", label="tab:mine", bold=False)
    assert r"\caption{50\% \& [x]}" in latex
    assert r"\label{tab:mine}" in latex
    assert r"\textbf" not in latex
    assert result.to_markdown(caption="Mine").endswith("\nMine\n")
    assert "Brackets: 95 % t intervals over queries" in result.to_markdown()


@pytest.mark.parametrize("digits", [-1, 2.5])
def test_digits_are_a_whole_number(digits: Any) -> None:
    result = analysis("AP")
    for one in (result, result.scores, result.comparison):
        for write in (one.to_latex, one.to_markdown):
            with pytest.raises(OptionError, match=f"digits={digits}: must be"):
                write(digits=digits)
