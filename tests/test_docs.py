"""What docs/ says of the code is so; that its examples run is tested in `test_pages`."""

import dataclasses
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import typer
from support.pages import public_pages
from validity.findings import evaluated
from validity.study import saved
from validity.tables import Book

import fuzzytruth as ft
from fuzzytruth.cli.commands import app
from fuzzytruth.io.column_names import COLUMN_ALIASES

HOME = Path(__file__).parent.parent
DOCS = HOME / "docs"
GUIDE = DOCS / "guide"
PACKAGE = HOME / "fuzzytruth"
#: pages outside of docs/
OTHERS = ("CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "SECURITY.md", "contrib/README.md", "paper.md")
PAGES = [*public_pages(HOME), *(HOME / name for name in OTHERS)]
ARCHITECTURE = (DOCS / "development" / "architecture.md").read_text(encoding="utf-8")


def test_every_command_is_on_its_page() -> None:
    page = (GUIDE / "command_line.md").read_text("utf-8")
    shown = set(re.findall(r"^\$ fuzzytruth ([a-z-]+) ", page + " ", re.MULTILINE))
    shown |= set(re.findall(r"^\$ fuzzytruth ([a-z-]+)$", page, re.MULTILINE))
    assert shown == {*typer.main.get_command(app).commands}  # type: ignore[attr-defined]


def test_every_figure_has_a_test_and_a_module() -> None:
    folder = HOME / "tests" / "plots"
    tests = "\n".join(path.read_text("utf-8") for path in folder.rglob("test_*.py"))
    assert {name for name in ft.plots.__all__ if not re.search(rf"\b{name}\b", tests)} == set()
    modules = {path.stem for path in (PACKAGE / "plots").glob("*_plot*.py")}
    homes = {getattr(ft.plots, name).__module__.rpartition(".")[2] for name in ft.plots.__all__}
    assert homes == modules


def test_every_figure_is_in_the_gallery_the_reference_and_the_table_of_figures() -> None:
    scripts = "\n".join(path.read_text("utf-8") for path in (DOCS / "gallery").glob("*.py"))
    drawn = set(re.findall(r"plots\.(\w+)\(", scripts))
    drawn |= {path.stem for path in (DOCS / "gallery").glob("*.py")} - {"against_a_baseline"}
    assert drawn == set(ft.plots.__all__)
    reference = (DOCS / "reference" / "plots.rst").read_text("utf-8")
    assert sorted(re.findall(r"^   (\w+)$", reference, re.MULTILINE)) == sorted(ft.plots.__all__)
    page = (GUIDE / "figures.md").read_text("utf-8")
    rows = re.findall(r"^\|[^|]*\|([^|]*)\|[^|]*\|$", page, re.MULTILINE)
    named = [name for cell in rows[2:] for name in re.findall(r"`(\w+)`", cell)]
    assert sorted(named) == sorted(ft.plots.__all__)


SIMULATED = [
    json.loads(line)
    for line in (HOME / "benchmarks" / "validity" / "results.jsonl").read_text("utf-8").splitlines()
]


def simulated(kind: str, name: str, **settings: Any) -> float:
    """Mean rate of cells of the validity study."""
    rates = [
        row["counts"][name][0] / row["counts"][name][2]
        for row in SIMULATED
        if row["kind"] == kind and settings.items() <= row["settings"].items()
    ]
    return sum(rates) / len(rates)


def numbers(text: str, head: str) -> list[float]:
    """Of the cells of a row of a table, those that are rates."""
    (row,) = re.findall(rf"^\| {re.escape(head)} \|(.*)\|$", text, re.M)
    return [float(x) for x in re.findall(r"(?<![\d.])1?\.\d+", row)]


def test_coverage_of_agreement_is_the_simulated_one() -> None:
    text = (GUIDE / "agreement.md").read_text("utf-8")
    names = {
        "items, for these subjects": "items",
        "subjects, for these items": "subjects",
        "both": "both",
        "items, taken for both": "items only",
    }
    for head, name in names.items():
        rates = [
            simulated(kind, f"cover: {name}", subjects=n)
            for n in (3, 5, 10, 30)
            for kind in ("ordinal agreement", "agreement")
        ]
        assert numbers(text, head) == pytest.approx(rates, abs=0.006), head


BOOK = Book(saved(HOME / "benchmarks" / "validity" / "results.jsonl"))


@pytest.mark.parametrize(
    ("page", "sentence", "fields"),
    [
        (
            "comparing",
            "cover {} or more of normal effects.",
            ["crossed | cover: default | effects=normal & n_queries>=25 & n_subjects>=5"],
        ),
        (
            "comparing",
            "too: {} at worst, {} with ten subjects.",
            [
                "crossed | cover: default | n_queries>=25 & n_subjects>=5",
                "crossed | cover: default | n_queries>=25 & n_subjects>=10",
            ],
        ),
        (
            "comparing",
            "cover {} and {} with normal scores, {} and {} with exponential ones",
            [
                f"clusters | cover: default | effects={effects} & sizes=1 to 9 & clusters={n}"
                for effects in ("normal", "exponential")
                for n in (10, 25)
            ],
        ),
        (
            "comparing",
            "they cover {} with 10 queries, {} with 25 and {} from 50 on",
            [f"two systems | cover: t, one system | n{n}" for n in ("=10", "=25", ">=50")],
        ),
        (
            "agreement",
            "cover {} with five people at worst, {} with ten and {} from 20 on",
            [
                f"agreement, guessers | cover: subjects | subjects{n}; "
                f"agreement, guessers | cover: both | subjects{n}"
                for n in ("=5", "=10", ">=20")
            ],
        ),
    ],
)
def test_worst_coverage_is_the_simulated_one(page: str, sentence: str, fields: list[str]) -> None:
    text = " ".join((GUIDE / f"{page}.md").read_text("utf-8").split())
    assert sentence.format(*(evaluated(BOOK, f"least3 {field}") for field in fields)) in text


def test_verdicts_that_hang_on_one_subject_are_the_simulated_ones() -> None:
    text = (GUIDE / "reliability.md").read_text("utf-8")
    for over, head in (("queries", "queries"), ("both", "queries, subjects")):
        for n in (3, 5, 10):
            cell = {"over": over, "subjects": "alike", "difference": 2.5, "n_subjects": n}
            names = ("significant", "lost", "gained")
            rates = [simulated("influence", name, **cell) for name in names]
            assert numbers(text, f"{head} | {n}") == pytest.approx(rates, abs=0.006)


def test_false_wins_of_model_judges_are_the_simulated_ones() -> None:
    text = (GUIDE / "judges.md").read_text("utf-8")
    cases = {
        "independent items; 3, 5, 10 people": ("independent", "clusters"),
        "queries of five, t over queries": ("queries of five", "clusters"),
        "queries of five, items taken as independent": ("queries of five", "items"),
        "Wilcoxon's signed-rank test, independent items": ("independent", "Wilcoxon"),
    }
    for head, (layout, test) in cases.items():
        rates = [
            simulated(
                "alternative annotator",
                f"{what}: {test}",
                layout=layout,
                accuracy="all at the boundary",
                people=people,
                items=50,
            )
            for what in ("false share", "one test")
            for people in (3, 5, 10)
        ]
        assert numbers(text, head) == pytest.approx(rates, abs=0.006), head


def test_coverage_of_model_judges_is_the_simulated_one() -> None:
    text = (GUIDE / "judges.md").read_text("utf-8")
    rows = [row for row in SIMULATED if row["kind"] == "prediction-powered"]
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


def test_gaps_of_models_of_votes_are_the_simulated_ones() -> None:
    text = (GUIDE / "reliability.md").read_text("utf-8")
    rows = [row for row in SIMULATED if row["kind"] == "people"]
    shown = re.findall(r"^\| [^|]+ \|((?: [+-]\.\d{3} \|){4}) (\.\d+) \| (\.\d+) \|$", text, re.M)
    assert len(shown) == 8
    crowds = dict.fromkeys(row["settings"]["crowd"] for row in rows)
    models = ("chosen", "dawid-skene", "likelihood", "majority")
    for crowd, (gaps, *right) in zip(crowds, shown, strict=True):
        counts = [row["counts"] for row in rows if row["settings"]["crowd"] == crowd]
        names = [*(f"{model}: gap" for model in models), "chosen: right", "majority: right"]
        means = [
            sum(c[name][0] for c in counts) / sum(c[name][2] for c in counts) for name in names
        ]
        said = [float(cell) for cell in (*re.findall(r"[+-]\.\d{3}", gaps), *right)]
        assert said == pytest.approx(means, abs=6e-4), crowd


DATA = (GUIDE / "data.md").read_text(encoding="utf-8")


def test_jobs_of_data_are_short() -> None:
    jobs = DATA.split("## Short examples")[1].split("\n## ")[0]
    shown = re.sub(r"<details>.*?</details>", "", jobs, flags=re.S).split("\n### ")[1:]
    lines = [re.findall(r"^```python\n(.*?)^```", job, re.S | re.M) for job in shown]
    assert [len(blocks) for blocks in lines] == [1] * 2
    assert all(len(block.splitlines()) <= 5 for (block,) in lines)


def test_names_of_columns_are_those_that_are_read() -> None:
    table = re.findall(r"^\| `(\w+)` \|(.*)\|$", DATA.split("## Names of columns")[1], re.M)
    named = {name: (name, *re.findall(r"`(.+?)`", others)) for name, others in table}
    assert named == COLUMN_ALIASES


def test_links_and_public_names_exist() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
            assert (page.parent / target).exists(), f"{page}: {target}"
        for names in re.findall(r"\bft\.([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)", text):
            assert resolves(ft, names.split(".")), f"{page}: {names}"


def resolves(start: Any, names: list[str]) -> bool:
    """Whether attributes of attributes exist; those of instances are not followed."""
    for name in names:
        if not hasattr(start, name):
            return False
        start = getattr(start, name)
        if not isinstance(start, type) and not hasattr(start, "__path__"):
            return True
    return True


def test_modules_and_classes_of_the_architecture_exist() -> None:
    prose = re.sub(r"^```.*?^```", "", ARCHITECTURE, flags=re.S | re.M)
    named = [w for w in re.findall(r"`([\w./]+)`", prose) if w.endswith((".py", "/")) or "/" in w]
    named += re.findall(r"(?<=\s)[a-z_]+/\w+\.py", ARCHITECTURE)
    assert len(named) > 40
    assert {
        path for path in named if not any((folder / path).exists() for folder in (HOME, PACKAGE))
    } <= {"fuzzytruth/x/y.py", "tests/x/test_y.py"}
    classes = set(re.findall(r"`([A-Z]\w+[a-z]\w*)`", ARCHITECTURE)) - {"None"}
    assert len(classes) > 20
    source = "\n".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    defined = set(re.findall(r"\bclass (\w+)|^([A-Z]\w+) = ", source, re.M))
    assert classes <= {name for pair in defined for name in pair}


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
    modules = {path.stem for path in PACKAGE.glob("*.py")} - {"__init__", "__main__"}
    assert set(LAYERS) == folders | modules


def test_packages_import_what_the_table_says() -> None:
    tops = ("errors", "_typing", "_lazy")
    namespaces = {"results", "tests", "lists", "classification"}
    for package in LAYERS.keys() - {*tops, *namespaces, "cli"}:
        said = (
            LAYERS[package].rpartition("`stats` only")[2] if package == "stats" else LAYERS[package]
        )
        allowed = {package, *tops, *re.findall(r"`(\w+)`", said)}
        assert imported_packages(PACKAGE / package) <= allowed, package


def imported_packages(folder: Path) -> set[str]:
    """Packages of ours that the modules of a folder import."""
    source = "\n".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.py"))
    return set(re.findall(r"^\s*(?:from|import) fuzzytruth\.(\w+)", source, re.MULTILINE))
