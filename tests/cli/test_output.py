"""Files and figures that commands write, and text for screens of any encoding."""

import gzip
import io
import json
import os
import xml.etree.ElementTree as ET
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from support.command_line import COMMANDS
from support.read_tables import name_of, numbers, printed_tables

import fuzzytruth as ft
from fuzzytruth.cli.app import main
from fuzzytruth.cli.derive import MODULES
from fuzzytruth.cli.output import PaperStyle, legible, write_figure

EVALUATE = "evaluate qrels.txt a.run -m AP"
COMPARE = "compare qrels.txt a.run b.run -m AP,RR"


def test_output_by_ending_and_saved_scores(printed, folder: Path) -> None:
    starts = {"o.csv": "system,", "o.json": "[", "o.tex": "\\begin", "o.txt": "system "}
    starts |= {"o.md": "| system | AP |"}
    for name, start in starts.items():
        assert printed(f"{EVALUATE} -o {name}") == ""
        assert (folder / name).read_text().startswith(start)
    starts = {"o.csv": "measure,", "o.json": "[", "o.tex": "\\begin", "o.txt": "2 systems comp"}
    for name, start in starts.items():
        assert printed(f"{COMPARE} -o {name}") == ""
        assert (folder / name).read_text().startswith(start)
    printed(f"{EVALUATE} -o o.csv.gz --format csv")
    assert gzip.decompress((folder / "o.csv.gz").read_bytes()).startswith(b"system,")
    printed(f"{EVALUATE} --save s.parquet")
    saved = ft.Scores.load("s.parquet").values
    assert np.array_equal(saved, ft.evaluate("qrels.txt", "a.run", "AP").values)


def test_files_that_are_there(printed, error, folder: Path, monkeypatch) -> None:
    (folder / "old.csv").write_text("old")
    (folder / "link.csv").symlink_to("old.csv")
    for name in ("old.csv", "link.csv", "/dev/null"):
        printed(f"{EVALUATE} -o {name} --format csv")
    assert (folder / "link.csv").is_symlink()
    text = (folder / "old.csv").read_text()
    assert text.startswith("system,")
    monkeypatch.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(OSError(28, "disk full")))
    assert error(f"{EVALUATE} -o old.csv") == (1, "old.csv: cannot be written (disk full)")
    assert (folder / "old.csv").read_text() == text
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


# Outputs that cannot be written are refused before anything is read or computed.

#: arguments of each command that writes files; no such files exist
TYPED = {
    "evaluate": "none.txt none.run",
    "membership": "none.csv --item x",
    "displacement": "none.csv none.run --unseen optimist --unseen pessimist -N 9",
    "image-text": "none.npy",
    "compare": "none.csv none.run",
    "gate": "none.csv none.run --margin .1",
    "agreement": "none.csv --by pair",
    "analyse": "none.csv none.run",
    "report": "none.csv none.run",
    "judges": "none.csv none2.csv",
    "annotate-next": "none.csv none.run -m AP",
    "plan": "none.csv none.run",
    "structure": "none.csv",
    "santini": "none.csv none.run",
    "communities": "none.csv",
    "crowd": "none.csv",
    "reliability": "none.csv",
}
ENDINGS = {"--output": "csv", "--figure": "png", "--save": "parquet"}
WRITERS = [
    (name, flag)
    for name, command in COMMANDS.items()
    for flag in ENDINGS
    if any(flag in option.opts for option in command.params)
]


@pytest.mark.parametrize(("command", "flag"), WRITERS)
def test_what_cannot_be_written_is_refused_at_once(
    error, folder: Path, command: str, flag: str
) -> None:
    words = TYPED[command]
    if (command, flag) == ("membership", "--output"):
        words = "none.csv"
    line = f"{command} {words} {flag}"
    ending = {"report": "html", "santini": "html", "crowd": "html", "gate": "json"}.get(
        command, ENDINGS[flag]
    )
    (folder / f"x.{ending}").mkdir()
    assert error(f"{line} nodir/x.{ending}") == (
        1,
        f"nodir/x.{ending}: cannot be written (there is no folder nodir); make the folder first, "
        "or name another",
    )
    assert error(f"{line} x.{ending}") == (
        1,
        f"x.{ending}: is a directory; give the name of a file",
    )
    if command != "gate":  # whose verdict is text in a file of any name
        status, message = error(f"{line} x.docx")
        assert status == 2
        assert "x.docx" in message
        assert "name the file" in message


def test_every_command_that_writes_is_tried() -> None:
    assert {name for name, _ in WRITERS} == set(TYPED)
    assert len(WRITERS) >= 20


def test_folders_that_cannot_be_written(
    error, printed, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for target in ("nodir/out.csv", "nodir/{system}.run"):
        assert "no folder nodir" in error(f"convert none.csv {target}")[1]
    (folder / "a").mkdir()
    printed("convert a.run {system}/out.run")
    (folder / "locked").mkdir()
    asked = os.access
    monkeypatch.setattr(
        os, "access", lambda path, mode: Path(path).name != "locked" and asked(path, mode)
    )
    assert error("compare none.csv none.run --figure locked/x.png") == (
        1,
        "locked/x.png: cannot be written (no permission); name another folder",
    )


@pytest.mark.parametrize(
    "line",
    [
        "evaluate qrels.txt a.run -o qrels.txt",
        "evaluate qrels.txt a.run -o ./a.run",
        "evaluate qrels.txt new=a.run --save a.run",
        "evaluate qrels.txt *.run -o a.run",
        "evaluate qrels.txt a.run -o z.csv --save z.csv",
        "compare qrels.txt a.run b.run -o b.svg --format table --figure b.svg",
        "compare qrels.txt a.run b.run -o a.run",
        "evaluate votes.png a.run --figure votes.png",
        "agreement votes.png --by pair --figure votes.png",
        "agreement votes.png -o votes.png",
        "membership votes.png --item d1 --figure votes.png",
        "displacement votes.png a.run --unseen optimist --unseen worst -N 9 --figure votes.png",
        "displacement votes.csv a.run -o votes.csv",
        "judges votes.csv a.run -o votes.csv",
        "gate qrels.txt a.run b.run -m AP --margin .1 -o b.run",
        "report qrels.txt a.run -m AP -o a.run",
    ],
)
def test_nothing_that_is_read_is_written_over(error, folder: Path, line: str) -> None:
    (folder / "votes.png").write_bytes((folder / "votes.csv").read_bytes())
    before = {path: path.read_bytes() for path in folder.iterdir()}
    assert error(line)[0] == 2
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--digits 2", "--digits: is for --format latex and markdown"),
        ("--caption ''", "--caption: is for --format latex and markdown"),
        ("--label x -o x.md", "--label: is for --format latex"),
        ("--no-bold --format csv", "--no-bold: is for --format latex and markdown"),
        ("-o x.xyz", "-o x.xyz: the ending '.xyz' names no format of tables; name the file .csv, "),
        (
            "-o x.html",
            "-o x.html: the ending '.html' names no format of tables; name the file .csv, .json, "
            ".tex, .md, .txt, or add --format; for a page: fuzzytruth report, or crowd",
        ),
        ("-o t.parquet", "-o t.parquet: the ending '.parquet' names no format of tables; name"),
        ("--figure a.jpg", "--figure a.jpg: the ending '.jpg' names no format of figures; name"),
        ("--figure a", "--figure a: a name without ending names no format of figures; name the"),
    ],
)
def test_options_that_do_not_go_together(error, options: str, message: str) -> None:
    for line in (EVALUATE, COMPARE):
        status, found = error(f"{line} {options}")
        assert status == 2
        assert found.startswith(message)


def test_the_styles_of_papers() -> None:
    for output_format in ("table", "csv", "json", "latex", "markdown"):
        assert PaperStyle().check(output_format) == PaperStyle()
    for output_format in ("latex", "markdown"):
        style = PaperStyle(digits=0, caption="", bold=False)
        assert style.check(output_format) is style
    assert PaperStyle(label="x").check("latex").label == "x"


# Encodings.


def shown_in(encoding: str, *arguments: str) -> str:
    """What the command shows on a screen of this encoding, in this process."""
    screen = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    with redirect_stdout(screen), pytest.raises(SystemExit) as stop:
        main(arguments)
    assert not stop.value.code
    screen.flush()
    return screen.buffer.getvalue().decode(encoding)  # type: ignore[attr-defined]


NAME = "Żółw–é\U0001f600"
EVALUATE_NAME = ("evaluate", "qrels.txt", f"{NAME}=a.run", "-m", "AP")


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_what_an_encoding_lacks_is_escaped(folder: Path, encoding: str) -> None:
    for arguments in (("measures",), ("displacement", "--help")):
        assert shown_in(encoding, *arguments)
    shown = shown_in(encoding, *EVALUATE_NAME).splitlines()
    assert "\\ud83d\\ude00" in shown[2]
    (row,) = printed_tables("\n".join(shown))[0]
    assert name_of(row["system"]) == NAME.replace("–", "-")
    assert numbers(row["AP"])[0] == 0.792
    assert len(shown[2]) == len(shown[1])
    assert shown_in(encoding, *EVALUATE_NAME, "-o", "o.csv") == ""
    assert NAME in (folder / "o.csv").read_text(encoding="utf-8")
    out = shown_in(encoding, *EVALUATE_NAME, "--format", "json")
    assert json.loads(out)[0]["system"] == NAME


def test_lines_for_people_are_legible_in_any_encoding() -> None:
    file = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    assert legible("a → b – é\x1b", file) == r"a -> b - \u00e9\x1b"
    assert legible("a → b – é\x1b", io.StringIO()) == r"a → b – é\x1b"


def test_control_characters_are_escaped_but_in_files_for_programs(
    run, printed, folder: Path
) -> None:
    name = "x\x1b[31m\r\ny"
    rows = pd.DataFrame({"query": "q1", "item": ["d1", "d3"], "system": name, "score": [2.0, 1]})
    rows.to_json("odd.json", orient="records")
    for command, output_format in (("evaluate", "latex"), ("compare", "table")):
        line = f"{command} qrels.txt odd.json a.run --format {output_format}"
        status, out, err = run(line)
        assert status == 0
        assert not {"\x1b", "\r"} & {*out, *err}
        escape = "\\" if output_format == "table" else r"\textbackslash{}"
        assert f"x{escape}x1b[31m{escape}r{escape}ny" in out
        assert r"x\x1b[31m\r\ny (1: q2)" in err
    for ending, read in (("csv", pd.read_csv), ("json", pd.read_json)):
        printed(f"evaluate qrels.txt odd.json a.run -m AP,P@1 --per-query -o s.{ending}")
        assert set(ft.Scores.load(f"s.{ending}").systems) == {name, "a"}
        assert set(read(f"s.{ending}")["system"]) == {name, "a"}
        text = io.StringIO(printed(f"compare s.{ending} --format {ending}"), newline="")
        assert read(text)["system_a"].tolist() == [name] * 2


# Figures.


def test_an_analysis_is_drawn_as_its_comparison(printed, error, folder: Path) -> None:
    printed(f"{COMPARE} --figure compared.svg")
    printed(COMPARE.replace("compare", "analyse"), "--figure", "analysed.svg")
    assert (folder / "analysed.svg").read_text() == (folder / "compared.svg").read_text()
    status, message = error("analyse qrels.txt a.run -m AP --figure one.svg")
    assert (status, message.startswith("--figure: ")) == (2, True)


LISTS = "query,subject,item,grade\nq1,ann,d1,1\nq1,ann,d2,.5\nq1,bob,dx,.5\nq2,ann,d3,.25\n"
ENDS = "--unseen pessimist --unseen optimist -N 50"


@pytest.fixture
def drawn(run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Axes]:
    """The axes that a command draws and writes; it prints what it prints without a figure."""
    (folder / "lists.csv").write_text(LISTS)

    def call(line: str, more: str = "") -> Axes:
        kept: list[Axes] = []

        def keep(draw: Callable[..., Axes], figure: Path | None, **options: Any) -> None:
            def drawing(**options: Any) -> Axes:
                kept.append(draw(**options))
                return kept[-1]

            write_figure(drawing, figure, **options)

        without = run(line)
        monkeypatch.setattr(f"fuzzytruth.cli.{MODULES[line.split()[0]]}.write_figure", keep)
        assert run(f"{line} --figure figure.svg {more}") == without
        assert without[0] == 0
        assert len(ET.parse("figure.svg").getroot()) >= 2
        (ax,) = kept
        return ax

    return call


def row_labels(ax: Axes) -> list[str]:
    return sorted(label.get_text() for label in ax.get_yticklabels())


def test_displacement_draws_each_subject(drawn) -> None:
    ax = drawn(f"displacement lists.csv a.run {ENDS} --nested")
    assert row_labels(ax) == ["q1: ann", "q1: bob", "q2: ann"]
    ax = drawn(f"displacement lists.csv a.run {ENDS}")
    assert row_labels(ax) == ["ann", "bob"]
    measures = [f"WD(unseen={end},N=50)" for end in ("optimist", "pessimist")]
    scores = ft.evaluate("lists.csv", ["a.run"], measures, worlds="subject")
    shown = [sorted(line.get_xdata()) for line in ax.lines]
    worst = drawn("displacement lists.csv a.run --unseen worst --unseen optimist -N 50")
    titles = worst.get_title() + worst.get_title("left")
    assert "; the pessimist is 'worst'" in " ".join(titles.split())
    for _, values in scores.mean(by="subject").items():
        assert any(places == pytest.approx(sorted(values)) for places in shown)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (f"{COMPARE} --figure-kind tiers", "--figure-kind: is of a figure; add --figure FILE"),
        ("agreement none.csv --figure a.png", "--figure: shows pairs of subjects; add --by pair"),
        *(
            (f"displacement none.csv a.run {options} --figure a.png", message)
            for options, message in {
                "": "add --unseen optimist --unseen pessimist -N SIZE",
                "-N 9 --unseen optimist": "give --unseen optimist --unseen pessimist -N SIZE",
                "-N 9 --unseen worst --unseen pessimist": "give --unseen optimist --unseen worst",
                f"{ENDS} --unseen worst": "-N SIZE and no others (or pessimist-tail or worst in",
                f"{ENDS} --g rational": "leave out --g",
            }.items()
        ),
    ],
)
def test_figures_that_cannot_be(error, line: str, message: str) -> None:
    status, found = error(line)
    assert (status, found.startswith("--figure")) == (2, True)
    assert message in found
