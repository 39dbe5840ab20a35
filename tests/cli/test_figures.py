"""Figures as files: `--figure`."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path

import matplotlib.pyplot as plt
import pytest
import typer
from matplotlib import image

from fuzzytruth.cli.commands import app
from fuzzytruth.cli.figures import check_figure, write_figure
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
    with pytest.raises(OptionError, match="no ending"):
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
