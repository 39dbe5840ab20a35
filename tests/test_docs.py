"""What docs/ says of the code is so; that its examples run is tested in `test_pages`."""

from __future__ import annotations

import ast
import dataclasses
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import typer
from support.pages import blocks_of, public_pages, run
from support.scores_for_tests import dense

import fuzzytruth as ft
from fuzzytruth.cli.commands import app
from fuzzytruth.io.column_names import COLUMN_ALIASES

HOME = Path(__file__).parent.parent
DOCS = HOME / "docs"
GUIDE = DOCS / "guide"
PACKAGE = HOME / "fuzzytruth"
PAGES = public_pages(HOME)
ARCHITECTURE = (DOCS / "development" / "architecture.md").read_text(encoding="utf-8")


def run_guide(name: str) -> dict[str, Any]:
    """What the blocks of a page of the guide define."""
    return run(blocks_of((GUIDE / name).read_text(encoding="utf-8")), name)[0]


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
@pytest.mark.usefixtures("as_printed")
def test_correlation_with_what_to_annotate_next_is_as_its_page_says() -> None:
    order = run_guide("annotate_next.md")["order"]
    page = (GUIDE / "annotate_next.md").read_text("utf-8")
    assert f"a correlation of {order.correlation:.2f}" in page


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
@pytest.mark.usefixtures("as_printed")
def test_the_gate_says_what_its_page_says() -> None:
    result = run_guide("gate.md")["result"]
    text = (GUIDE / "gate.md").read_text(encoding="utf-8")
    said = re.findall(r"^# (passed: .*\n)# (.*)", text, re.MULTILINE)[0]
    assert result.lines()[1].split() == "".join(said).split()
    rows = re.findall(r"^\| (`.*?`) \|", text.partition("| key | is |")[2], re.MULTILINE)
    keys = result.to_dict()
    assert [key for row in rows for key in row.split("`")[1::2]] == [*keys, *keys["tests"][0]]


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
@pytest.mark.usefixtures("as_printed")
def test_the_third_difference_is_as_the_page_on_judges_says() -> None:
    third = run_guide("judges.md")["result"].rows[5]  # "by .04 to .13"
    assert [third.model_lower, third.model_upper] == pytest.approx([-0.13, -0.04], abs=0.005)
    assert third.lower < 0 < third.upper


def test_every_command_is_on_its_page() -> None:
    page = (GUIDE / "command_line.md").read_text("utf-8")
    shown = set(re.findall(r"^\$ fuzzytruth ([a-z-]+) ", page + " ", re.MULTILINE))
    shown |= set(re.findall(r"^\$ fuzzytruth ([a-z-]+)$", page, re.MULTILINE))
    assert shown == {*typer.main.get_command(app).commands}  # type: ignore[attr-defined]


def test_every_figure_has_a_test() -> None:
    tests = {path.stem for path in (HOME / "tests" / "plots").glob("test_*_plot.py")}
    assert {f"test_{name}_plot" for name in ft.plots.__all__} == tests
    modules = {path.stem for path in (PACKAGE / "plots").glob("*_plot*.py")}
    assert {getattr(ft.plots, name).__module__.rpartition(".")[2] for name in ft.plots.__all__} == (
        modules
    )


def test_every_figure_is_in_the_gallery_the_reference_and_the_table_of_figures() -> None:
    scripts = "\n".join(path.read_text("utf-8") for path in (DOCS / "gallery").glob("*.py"))
    drawn = set(re.findall(r"plots\.(\w+)\(", scripts))
    drawn |= {path.stem for path in (DOCS / "gallery").glob("*.py")} - {"against_a_baseline"}
    assert drawn == set(ft.plots.__all__)
    reference = (DOCS / "reference" / "plots.rst").read_text("utf-8")
    assert sorted(re.findall(r"^   (\w+)$", reference, re.MULTILINE)) == sorted(ft.plots.__all__)
    page = (DOCS / "howto" / "figures_for_a_paper.md").read_text("utf-8")
    rows = re.findall(r"^\|[^|]*\|([^|]*)\|[^|]*\|$", page, re.MULTILINE)
    named = [name for cell in rows[2:] for name in re.findall(r"`(\w+)`", cell)]
    assert sorted(named) == sorted(ft.plots.__all__)


def test_coverage_of_model_judges_is_the_simulated_one() -> None:
    text = (GUIDE / "judges.md").read_text("utf-8")
    lines = (HOME / "benchmarks" / "validity" / "results.jsonl").read_text("utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row["kind"] == "prediction-powered"]
    for name in ("normal", "Laplace", "lognormal"):
        cells, widths = [], []
        for human in (10, 25):
            given = {"residuals": name.lower(), "human": human}
            some = [r["counts"] for r in rows if given.items() <= r["settings"].items()]
            assert len(some) == 8
            each = sorted(c["cover: powered"][0] / c["cover: powered"][2] for c in some)
            cells.append(f"{each[0]:.3f} to {each[-1]:.3f}".replace("0.", "."))
            ratios = [c["width: powered / people"] for c in some]
            widths.append(f"{max(total / n for total, _, n in ratios):.3f}")
        assert f"| {name} | {' | '.join(cells)} | {' and '.join(widths)} |" in text


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
@pytest.mark.usefixtures("as_printed")
def test_worlds_say_what_comes_out() -> None:
    defined = run_guide("worlds.md")
    assert defined["better"] == pytest.approx(2 / 3)
    scores = defined["scores"]
    assert dense(scores)[0, 0, 0, 0] == pytest.approx(0.5)
    law = scores.distribution("a", "q", "P@2").probabilities
    assert law == pytest.approx([2 / 9, 5 / 9, 2 / 9])
    assert scores.uncertainty.exact.all()
    assert not scores.distribution("a", "q", "AP").exact


DATA = (GUIDE / "data.md").read_text(encoding="utf-8")


def test_jobs_of_data_are_short() -> None:
    jobs = DATA.split("## Six jobs")[1].split("\n## ")[0]
    shown = re.sub(r"<details>.*?</details>", "", jobs, flags=re.S).split("\n### ")[1:]
    lines = [re.findall(r"^```python\n(.*?)^```", job, re.S | re.M) for job in shown]
    assert [len(blocks) for blocks in lines] == [1] * 6
    assert all(len(block.splitlines()) <= 5 for (block,) in lines)


def test_names_of_columns_are_those_that_are_read() -> None:
    table = re.findall(r"^\| `(\w+)` \|(.*)\|$", DATA.split("## Names of columns")[1], re.M)
    named = {name: (name, *re.findall(r"`(.+?)`", others)) for name, others in table}
    assert named == COLUMN_ALIASES


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_links_and_public_names_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert (page.parent / target).exists(), target
    for names in re.findall(r"\bft\.([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)", text):
        assert resolves(ft, names.split(".")), names


def resolves(start: Any, names: list[str]) -> bool:
    """Whether attributes of attributes exist; those of instances are not followed."""
    for name in names:
        if not hasattr(start, name):
            return False
        start = getattr(start, name)
        if not isinstance(start, type) and not hasattr(start, "__path__"):
            return True
    return True


def paths_in(text: str) -> list[str]:
    """Modules and folders named as code."""
    words = re.findall(r"`([\w./]+)`", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M))
    return [word for word in words if word.endswith((".py", "/")) or "/" in word]


def test_modules_of_the_architecture_exist() -> None:
    named = paths_in(ARCHITECTURE) + re.findall(r"(?<=\s)[a-z_]+/\w+\.py", ARCHITECTURE)
    assert len(named) > 40
    missing = {
        path
        for path in named
        if path not in ("fuzzytruth/x/y.py", "tests/x/test_y.py")
        and not any((folder / path).exists() for folder in (HOME, PACKAGE))
    }
    assert not missing


def test_classes_of_the_architecture_exist() -> None:
    classes = set(re.findall(r"`([A-Z]\w+[a-z]\w*)`", ARCHITECTURE)) - {"None"}
    assert len(classes) > 20
    source = "\n".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    assert not {c for c in classes if not re.search(rf"\bclass {c}\b|^{c} = ", source, re.M)}


def test_methods_of_the_protocol_are_listed() -> None:
    from fuzzytruth.truth.protocol import AlignedTruth, Facts

    listed = ARCHITECTURE.split("## A new kind of truth")[1].split("\n## ")[0]
    methods = {name for name in vars(AlignedTruth) if not name.startswith("_")}
    methods |= {field.name for field in dataclasses.fields(Facts)}
    assert {name for name in methods if not re.search(rf"`{name}\b", listed)} == set()


#: package -> packages in the column "imports", from the table of layers
LAYERS = {
    name: row[2]
    for line in ARCHITECTURE.split("## Layers")[1].split("\n## ")[0].splitlines()
    if line.startswith("| `")
    for row in [[cell.strip() for cell in line.strip("|").split(" | ")]]
    for name in re.findall(r"`(\w+)`", row[0])
}


def test_layers_are_those_of_the_contract() -> None:
    contracts = tomllib.loads((HOME / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    layers = contracts["contracts"][0]["layers"]
    existing = [n for line in layers for n in line.split(" | ") if not n.startswith("(")]
    assert list(LAYERS) == existing
    folders = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()}
    assert set(LAYERS) == folders | {"errors", "_typing", "_lazy"}


@pytest.mark.parametrize(
    "package", [n for n in LAYERS if n not in ("errors", "_typing", "_lazy", "cli")]
)
def test_packages_import_what_the_table_says(package: str) -> None:
    said = LAYERS[package]
    if package == "stats":
        said = said.split("`stats` only")[1]
    allowed = {package, "errors", "_typing", "_lazy", *re.findall(r"`(\w+)`", said)}
    assert imported_packages(PACKAGE / package) <= allowed


def imported_packages(folder: Path) -> set[str]:
    """Packages of ours that the modules of a folder import."""
    nodes = [
        node
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    ]
    froms = [node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)]
    names = [a.name for node in nodes if isinstance(node, ast.Import) for a in node.names]
    return {n.split(".")[1] for n in froms + names if n.startswith("fuzzytruth.")}
