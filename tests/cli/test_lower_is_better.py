"""Which direction is better of measures of other tools."""

from __future__ import annotations

from pathlib import Path

import pytest

from fuzzytruth.cli.commands import run

MEANS = {"a": 0.2, "b": 0.6}
ROWS = "".join(
    f"{system},q{q},{measure},{mean + q / 100}\n"
    for measure in ("mine", "wer")
    for system, mean in MEANS.items()
    for q in range(9)
)
#: what the table says of a system: after its mean, the systems that it beats
LETTERS = {"a": "a a 0.2400 b b", "b": "b b 0.6400 a"}


@pytest.mark.parametrize(
    ("arguments", "best"),
    [
        ([], {"mine": "b", "wer": "a"}),
        (["--lower-is-better", "mine"], {"mine": "a", "wer": "a"}),
    ],
)
def test_the_better_system(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], best: dict[str, str]
) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("system,query,measure,value\n" + ROWS)
    for measure, system in best.items():
        assert run(["compare", str(path), "-m", measure, *arguments]) == 0
        text = " ".join(capsys.readouterr().out.split())
        assert LETTERS[system] in text


def test_unknown_measures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "scores.csv"
    path.write_text("system,query,measure,value\n" + ROWS)
    assert run(["compare", str(path), "--lower-is-better", "mein"]) == 2
    assert "--lower-is-better mein: is not among the measures" in capsys.readouterr().err
