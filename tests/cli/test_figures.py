"""Figures as files: `--figure`."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib.pyplot as plt
import pytest
import typer
from matplotlib import image
from matplotlib.axes import Axes

import fuzzytruth as ft
from fuzzytruth.cli.commands import app
from fuzzytruth.cli.derive import MODULES
from fuzzytruth.cli.output import check_figure, write_figure
from fuzzytruth.errors import OptionError

COMPARE = ("compare", "qrels.txt", "a.run", "b.run", "-m", "AP,RR")


@pytest.mark.parametrize(
    ("name", "first_bytes"), [("a.png", b"\x89PNG"), ("a.PDF", b"%PDF"), ("x y.svg", b"<?xml")]
)
def test_the_ending_names_the_format(run, folder: Path, name: str, first_bytes: bytes) -> None:
    status, out, err = run(*COMPARE, "--figure", name)
    assert (status, err) == (0, "")
    assert out == run(*COMPARE)[1]
    assert (folder / name).read_bytes().startswith(first_bytes)
    assert not plt.get_fignums()


def test_equal_commands_write_equal_files(run, folder: Path) -> None:
    for ending in ("png", "svg", "pdf"):
        for name in ("first", "second"):
            assert run(*COMPARE, "--figure", f"{name}.{ending}")[0] == 0
        first, second = ((folder / f"{name}.{ending}").read_bytes() for name in ("first", "second"))
        assert first == second


def test_the_figure_is_not_empty(run, folder: Path) -> None:
    run(*COMPARE, "--figure", "a.png")
    pixels = image.imread(folder / "a.png")[..., :3]
    assert pixels.shape[1] == pytest.approx(200 * 6.4, abs=1)
    assert 0.001 < (pixels < 0.5).any(axis=2).mean() < 0.5
    run(*COMPARE, "--figure", "a.svg")
    assert len(ET.fromstring((folder / "a.svg").read_text())) >= 2


@pytest.mark.parametrize("name", ["a.jpg", "a", "a.png.gz"])
def test_other_endings_are_refused_before_anything_is_read(run, name: str) -> None:
    status, out, err = run("compare", "nowhere.csv", "--figure", name)
    assert (status, out) == (2, "")
    assert err.startswith(f"error: --figure {name}: ")
    assert err.endswith("name the file .png, .svg, .pdf\n")


def test_inputs_and_other_outputs_are_not_overwritten(run, folder: Path) -> None:
    (folder / "a.svg").write_text("x")
    status, _, err = run("compare", "a.svg", "--figure", "a.svg")
    assert (status, "must not be overwritten" in err) == (2, True)
    status, _, err = run(*COMPARE, "-o", "b.svg", "--format", "table", "--figure", "b.svg")
    assert (status, "is named by two options" in err) == (2, True)
    assert (folder / "a.svg").read_text() == "x"


def test_a_folder_that_does_not_exist(run) -> None:
    status, _, err = run(*COMPARE, "--figure", "no/where.png")
    assert (status, err.count("\n")) == (1, 1)
    assert "where.png" in err


def test_without_a_file_nothing_is_drawn() -> None:
    write_figure(lambda: pytest.fail("drawn"), None)
    assert check_figure(None) is None
    with pytest.raises(OptionError, match="name without ending"):
        check_figure(Path("figure"))


def test_every_figure_option_is_the_shared_one() -> None:
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    with_figure = {
        name: [each for each in command.params if "--figure" in each.opts]
        for name, command in commands.items()
    }
    assert with_figure["compare"]
    assert {each.help for found in with_figure.values() for each in found} == {
        with_figure["compare"][0].help
    }


def test_an_analysis_is_drawn_as_its_comparison(run, folder: Path) -> None:
    assert run(*COMPARE, "--figure", "compared.svg")[0] == 0
    assert run("analyse", *COMPARE[1:], "--figure", "analysed.svg")[0] == 0
    assert (folder / "analysed.svg").read_text() == (folder / "compared.svg").read_text()
    status, _, err = run("analyse", "qrels.txt", "a.run", "-m", "AP", "--figure", "one.svg")
    assert (status, err.splitlines()[-1].startswith("error: --figure: ")) == (2, True)


def drawn_by(monkeypatch: pytest.MonkeyPatch, *arguments: str, run: Callable[..., Any]) -> Axes:
    """The axes that a command draws and writes; it prints what it prints without a figure."""
    kept: list[Axes] = []

    def keep(draw: Callable[..., Axes], figure: Path | None, **options: Any) -> None:
        def drawing(**options: Any) -> Axes:
            kept.append(draw(**options))
            return kept[-1]

        write_figure(drawing, figure, **options)

    without = run(*arguments)
    monkeypatch.setattr(f"fuzzytruth.cli.{MODULES[arguments[0]]}.write_figure", keep)
    assert run(*arguments, "--figure", "figure.svg") == without
    assert without[0] == 0
    assert len(ET.parse("figure.svg").getroot()) >= 2
    assert len(kept) == 1
    return kept[0]


def row_labels(ax: Axes) -> list[str]:
    return [label.get_text() for label in ax.get_yticklabels()]


def test_evaluate_draws_means(run, monkeypatch: pytest.MonkeyPatch) -> None:
    ax = drawn_by(monkeypatch, "evaluate", "qrels.txt", "a.run", "b.run", "-m", "AP,RR", run=run)
    assert (ax.get_xlabel(), row_labels(ax)) == ("mean of AP", ["a", "b"])


def test_evaluate_draws_each_subject(run, monkeypatch: pytest.MonkeyPatch) -> None:
    (Path("votes.csv")).write_text(
        "query,subject,item,grade\n"
        + "".join(f"{q},{s},d1,1\n{q},{s},d2,0\n" for q in ("q1", "q2") for s in ("ann", "bob"))
    )
    typed = ("evaluate", "votes.csv", "a.run", "b.run", "-m", "RR", "--worlds", "subject")
    ax = drawn_by(monkeypatch, *typed, "--over", "query", run=run)
    legend = ax.get_legend() or ax.figure.legends[0]
    assert {"ann", "bob"} <= {text.get_text() for text in legend.get_texts()}


@pytest.mark.parametrize(
    ("kind", "x_axis"),
    [
        ("forest", "difference of RR"),
        ("tiers", "mean of RR"),
        ("matrix", "* and bold: significant"),
    ],
)
def test_compare_draws_the_kind_that_is_asked_for(
    run, monkeypatch: pytest.MonkeyPatch, kind: str, x_axis: str
) -> None:
    typed = ("compare", "qrels.txt", "a.run", "b.run", "-m", "RR", "-m", "AP")
    ax = drawn_by(monkeypatch, *typed, run=lambda *more: run(*more, *_kind(kind, more)))
    assert ax.get_xlabel() == x_axis


def _kind(kind: str, typed: tuple[str, ...]) -> tuple[str, ...]:
    return ("--figure-kind", kind) if "--figure" in typed else ()


def test_a_kind_of_figure_needs_a_figure(run) -> None:
    status, out, err = run(*COMPARE, "--figure-kind", "tiers")
    assert (status, out, err) == (
        2,
        "",
        "error: --figure-kind: is of a figure; add --figure FILE\n",
    )


def test_agreement_draws_pairs(run, monkeypatch: pytest.MonkeyPatch) -> None:
    ax = drawn_by(monkeypatch, "agreement", "votes.csv", "--by", "pair", run=run)
    assert sorted(row_labels(ax)) == ["ann", "bob"]
    status, out, err = run("agreement", "nowhere.csv", "--figure", "a.png")
    assert (status, out) == (2, "")
    assert err == "error: --figure: shows pairs of subjects; add --by pair\n"


def test_plan_draws_its_curve(run, monkeypatch: pytest.MonkeyPatch) -> None:
    assumed = ("--component", "system:query=.02", "--component", "residual=.05")
    ax = drawn_by(monkeypatch, "plan", *assumed, "--half-width", ".05", run=run)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("queries", "half-width")


@pytest.mark.usefixtures("categories")
def test_membership_draws_one_item(run, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = ("membership", "labels.csv", "--taxonomy", "tree.txt")
    ax = drawn_by(monkeypatch, *typed, "--item", "i1", run=run)
    assert "item i1" in ax.get_title() + ax.get_title("left")
    status, out, err = run(*typed, "--figure", "a.png")
    assert (status, out) == (2, "")
    assert err == "error: --figure: draws one item, and there are 2; name it: --item 'i1'\n"
    assert not Path("a.png").exists()


LISTS = "query,subject,item,grade\nq1,ann,d1,1\nq1,ann,d2,.5\nq1,bob,dx,.5\nq2,ann,d3,.25\n"
ENDS = ("--unseen", "pessimist", "--unseen", "optimist", "-N", "50")


@pytest.mark.parametrize("nested", [False, True])
def test_displacement_draws_each_subject(
    run, folder: Path, monkeypatch: pytest.MonkeyPatch, nested: bool
) -> None:
    (folder / "lists.csv").write_text(LISTS)
    more = ("--nested",) if nested else ()
    ax = drawn_by(monkeypatch, "displacement", "lists.csv", "a.run", *ENDS, *more, run=run)
    if nested:
        assert sorted(row_labels(ax)) == ["q1: ann", "q1: bob", "q2: ann"]
        return
    assert sorted(row_labels(ax)) == ["ann", "bob"]
    scores = ft.evaluate(
        ft.read_judgments(folder / "lists.csv"),
        ["a.run"],
        ["WD(unseen=optimist,N=50)", "WD(unseen=pessimist,N=50)"],
        worlds="subject",
    )
    drawn = {line.get_label(): sorted(line.get_xdata()) for line in ax.lines}
    expected = scores.mean(by="subject")
    for name, values in expected.items():
        label = "optimist: a" if "optimist" in str(name) else "pessimist: a"
        assert drawn[label] == pytest.approx(sorted(values))


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ((), "add --unseen optimist --unseen pessimist -N SIZE"),
        (
            ("--unseen", "worst", "--unseen", "pessimist", "-N", "9"),
            "give --unseen optimist --unseen worst",
        ),
        ((*ENDS, "--unseen", "worst"), "-N SIZE and no others (or"),
        ((*ENDS, "--g", "rational"), "leave out --g"),
    ],
)
def test_displacement_draws_ranges_alone(run, typed: tuple[str, ...], message: str) -> None:
    status, out, err = run("displacement", "nowhere.csv", "a.run", *typed, "--figure", "a.png")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("error: --figure: ")
    assert message in err


@pytest.mark.parametrize(
    "typed",
    [
        ("evaluate", "votes.csv", "a.run", "-m", "RR"),
        ("agreement", "votes.csv", "--by", "pair"),
        ("membership", "votes.csv", "--item", "d1"),
        ("displacement", "votes.csv", "a.run", *ENDS),
    ],
)
def test_no_input_is_overwritten(run, folder: Path, typed: tuple[str, ...]) -> None:
    (folder / "votes.png").write_bytes((folder / "votes.csv").read_bytes())
    renamed = ["votes.png" if word == "votes.csv" else word for word in typed]
    status, _, err = run(*renamed, "--figure", "votes.png")
    assert (status, "must not be overwritten" in err) == (2, True)
