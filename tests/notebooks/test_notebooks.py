"""The notebooks as they lie in the repository; `notebooks/execute.py` runs them."""

import ast
import base64
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import fuzzytruth as ft

HOME = Path(__file__).parents[2]
FOLDER = HOME / "notebooks"
PATHS = sorted(FOLDER.glob("*.ipynb"))
NAMES = [path.stem for path in PATHS]
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
MACHINE = re.compile(r"/home/|/root/|/tmp/|/Users/|site-packages|0x[0-9a-f]{6,}|\x1b\[")
LINK = re.compile(r"\]\(((?!https?://)[^)\s]+)\)")

every_notebook = pytest.mark.parametrize("path", PATHS, ids=NAMES)


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def cells(path: Path, kind: str) -> list[Any]:
    return [cell for cell in read(path)["cells"] if cell["cell_type"] == kind]


def source(cell: Any) -> str:
    return "".join(cell["source"])


def prose(path: Path) -> str:
    return "\n\n".join(source(cell) for cell in cells(path, "markdown"))


def outputs(path: Path) -> Iterator[tuple[str, Any]]:
    for cell in cells(path, "code"):
        for output in cell["outputs"]:
            yield cell["id"], output


def texts_of(output: Any) -> Iterator[str]:
    yield "".join(output.get("text", ""))
    for kind, text in output.get("data", {}).items():
        if kind.startswith("text/"):
            yield "".join(text)


def test_names_are_numbered() -> None:
    assert NAMES
    assert [name[:3] for name in NAMES] == [f"{n:02}_" for n in range(1, len(NAMES) + 1)]


def test_readme_lists_them_in_order() -> None:
    listed = re.findall(r"^\| \[(\w+)\]\((\w+)\.ipynb\)", (FOLDER / "README.md").read_text(), re.M)
    assert listed == [(name, name) for name in NAMES]


@every_notebook
def test_format_and_metadata(path: Path) -> None:
    book = read(path)
    assert (book["nbformat"], book["nbformat_minor"]) == (4, 5)
    assert book["metadata"] == METADATA
    ids = [cell["id"] for cell in book["cells"]]
    assert len(set(ids)) == len(ids)
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9-]{0,63}", name) for name in ids)
    for cell in book["cells"]:
        assert set(cell["metadata"]) <= {"tags", "mystnb"}, cell["id"]
        assert source(cell).strip(), f"{cell['id']} is empty"


@every_notebook
def test_cells_were_run_in_order(path: Path) -> None:
    counts = [cell["execution_count"] for cell in cells(path, "code")]
    assert counts == list(range(1, len(counts) + 1))


@every_notebook
def test_cells_that_show_something_have_outputs(path: Path) -> None:
    for cell in cells(path, "code"):
        last = ast.parse(source(cell)).body[-1]
        shows = isinstance(last, ast.Expr) and (
            not source(cell).rstrip().endswith(";") or "plot" in source(cell)
        )
        assert bool(cell["outputs"]) or not shows, cell["id"]


@every_notebook
def test_no_errors_no_warnings_no_machine_paths(path: Path) -> None:
    for name, output in outputs(path):
        assert output["output_type"] != "error", name
        assert output.get("name") != "stderr", name
        assert output.get("metadata", {}) == {}, name
        for text in texts_of(output):
            assert not (found := MACHINE.search(text)), f"{name}: {found}"


@every_notebook
def test_tables_fit_80_columns(path: Path) -> None:
    for name, output in outputs(path):
        data = output.get("data", {})
        if "text/html" in data and "dataframe" not in "".join(data["text/html"]):
            lines = "".join(data["text/plain"]).splitlines()
            assert max(map(len, lines)) <= 80, name


@every_notebook
def test_sizes(path: Path) -> None:
    assert path.stat().st_size <= 300_000
    for name, output in outputs(path):
        if "image/png" in output.get("data", {}):
            png = base64.b64decode("".join(output["data"]["image/png"]))
            assert png.startswith(b"\x89PNG"), name
            assert len(png) <= 60_000, name


@every_notebook
def test_figures_have_alternative_texts(path: Path) -> None:
    for cell in cells(path, "code"):
        drawn = any("image/png" in output.get("data", {}) for output in cell["outputs"])
        alt = cell["metadata"].get("mystnb", {}).get("image", {}).get("alt", "")
        assert drawn == bool(alt), cell["id"]
        assert not drawn or len(alt) > 40, cell["id"]


@every_notebook
def test_links_lead_somewhere(path: Path) -> None:
    links = LINK.findall(prose(path))
    assert len(links) >= 3
    for link in links:
        assert (FOLDER / link.partition("#")[0]).is_file(), link


@every_notebook
def test_public_names_exist(path: Path) -> None:
    used = set()
    for cell in cells(path, "code"):
        for node in ast.walk(ast.parse(source(cell))):
            if isinstance(node, ast.Attribute) and re.fullmatch(r"ft[.\w]+", ast.unparse(node)):
                used.add(ast.unparse(node))
    assert used
    for name in used:
        thing: Any = ft
        for part in name.split(".")[1:]:
            if not isinstance(thing, (type(ft), type)):
                break  # what a call returns is for the kernel to find out
            thing = getattr(thing, part)


@every_notebook
def test_data_are_shipped_or_said_to_be_made_up(path: Path) -> None:
    code = "\n".join(source(cell) for cell in cells(path, "code"))
    assert "ft.datasets.load_" in code or "made up" in prose(path)
    assert not re.search(r"urlopen|requests|read_\w+\(['\"]http", code)
