"""Options of tables for papers."""

from __future__ import annotations

import pytest

import fuzzytruth as ft
from fuzzytruth.cli.output import PaperStyle


@pytest.mark.parametrize("output_format", ["table", "csv", "json", "latex", "markdown"])
def test_the_defaults_go_with_every_format(output_format: str) -> None:
    assert PaperStyle().check(output_format) == PaperStyle()


@pytest.mark.parametrize(
    ("style", "formats", "message"),
    [
        (PaperStyle(digits=0), {"latex", "markdown"}, "--digits: is for --format latex and mark"),
        (PaperStyle(caption=""), {"latex", "markdown"}, "--caption: is for --format latex and"),
        (PaperStyle(label="x"), {"latex"}, "--label: is for --format latex$"),
        (PaperStyle(bold=False), {"latex", "markdown"}, "--no-bold: is for --format latex and"),
    ],
)
def test_what_does_not_go_with_a_format(style: PaperStyle, formats: set[str], message: str) -> None:
    for output_format in ("table", "csv", "json", "latex", "markdown"):
        if output_format in formats:
            assert style.check(output_format) is style
        else:
            with pytest.raises(ft.OptionError, match=message):
                style.check(output_format)


@pytest.mark.parametrize("command", ["evaluate", "compare"])
@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--digits", "2"), "--digits: is for --format latex and markdown"),
        (("--label", "x", "-o", "x.md"), "--label: is for --format latex"),
        (("--no-bold", "--format", "csv"), "--no-bold: is for --format latex and markdown"),
    ],
)
def test_nothing_is_ignored(run, command: str, options: tuple[str, ...], message: str) -> None:
    status, out, err = run(command, "qrels.txt", "a.run", "b.run", "-m", "AP", *options)
    assert (status, out, err) == (2, "", f"error: {message}\n")


def test_the_choice_of_a_table_is_for_papers(run) -> None:
    command = ("compare", "qrels.txt", "a.run", "b.run", "-m", "AP", "--table", "differences")
    status, out, err = run(*command)
    assert (status, out, err) == (2, "", "error: --table: is for --format latex and markdown\n")
    status, out, _ = run(*command, "--format", "markdown")
    assert status == 0
    assert out.startswith("| measure | system | minus | difference |")


def test_digits_are_bounded(run) -> None:
    command = ("evaluate", "qrels.txt", "a.run", "-m", "AP", "--format", "latex", "--digits")
    assert run(*command, "-1")[0] == 2
    assert run(*command, "18")[0] == 2
    assert "0.79166666666666663" in run(*command, "17")[1]
