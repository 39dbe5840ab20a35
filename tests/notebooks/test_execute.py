"""The script that executes the notebooks: what it compares and writes, without a kernel."""

import base64
import copy
import importlib.util
import io
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from PIL import Image

FOLDER = Path(__file__).parents[2] / "notebooks"


@pytest.fixture(scope="module")
def execute() -> ModuleType:
    spec = importlib.util.spec_from_file_location("execute_notebooks", FOLDER / "execute.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def book(*outputs: dict[str, Any], prose: str = "") -> dict[str, Any]:
    return {
        "cells": [
            {"id": "text", "cell_type": "markdown", "source": prose},
            {"id": "one", "cell_type": "code", "outputs": list(outputs)},
        ]
    }


TABLE = {
    "output_type": "execute_result",
    "data": {
        "text/plain": "a ...\n0.5 ...",
        "text/html": "<style>\n td {}\n</style>\n"
        "<table>\n <tr>\n  <th>a</th>\n  <th>b &lt; 1</th>\n"
        " </tr>\n <tr><td>0.5</td><td>0.25</td></tr></table>\n",
    },
}
FIGURE = {"output_type": "display_data", "data": {"text/plain": "<Figure>", "image/png": "AAAA"}}


def test_equal_outputs_do_not_differ(execute: ModuleType) -> None:
    assert execute.difference(book(TABLE, FIGURE), copy.deepcopy(book(TABLE, FIGURE))) == ""


def test_pixels_are_not_compared_but_figures_are_counted(execute: ModuleType) -> None:
    other = {**FIGURE, "data": {"text/plain": "<Figure of another size>", "image/png": "BBBB"}}
    assert execute.difference(book(FIGURE), book(other)) == ""
    assert "-[figure: image/png]" in execute.difference(book(FIGURE), book())


def test_a_number_that_differs_is_shown_with_its_cell(execute: ModuleType) -> None:
    other = {**TABLE, "data": {"text/html": TABLE["data"]["text/html"].replace("25", "26")}}
    found = execute.difference(book(TABLE), book(other)).splitlines()
    assert found[:2] == ["--- stored", "+++ executed"]
    assert " cell one:" in found
    assert "-0.5  0.25" in found
    assert "+0.5  0.26" in found


def test_markup_is_not_compared(execute: ModuleType) -> None:
    markup = TABLE["data"]["text/html"].replace("<table>", '<table class="dataframe">')
    assert execute.difference(book(TABLE), book({**TABLE, "data": {"text/html": markup}})) == ""
    assert execute.text_of(TABLE) == "a  b < 1\n0.5  0.25"


def test_printed_text_is_compared(execute: ModuleType) -> None:
    one, two = ({"output_type": "stream", "name": "stdout", "text": f"{n}\n"} for n in (1, 2))
    assert execute.difference(book(one), book(two)).splitlines()[-2:] == ["-1", "+2"]


def test_stderr_is_red(execute: ModuleType) -> None:
    warned = {"output_type": "stream", "name": "stderr", "text": "x.py:1: Warning"}
    printed = {"output_type": "stream", "name": "stdout", "text": "fine"}
    assert execute.red(book(printed)) == ""
    assert execute.red(book(printed, warned)) == "cell one wrote to stderr: x.py:1: Warning"


def test_pieces_of_a_stream_become_one(execute: ModuleType) -> None:
    pieces = [{"output_type": "stream", "name": "stdout", "text": t} for t in ("a\n", "b\n")]
    (joined,) = execute._joined(pieces)
    assert joined["text"] == "a\nb\n"


def test_links_lead_to_the_same_files_from_elsewhere(execute: ModuleType) -> None:
    prose = (
        "[a](../docs/guide/data.md) [b](../docs/guide/data.md#files) [c](02_santinis_example.ipynb)"
        " [d](../paper_repro/README.md) [e](https://example.org/x) [f](README.md)"
    )
    before = book(prose=prose)
    after = execute.with_links(before, FOLDER.parent / "docs" / "notebooks")
    assert after["cells"][0]["source"] == (
        "[a](../guide/data.md) [b](../guide/data.md#files) [c](02_santinis_example.ipynb)"
        " [d](../../paper_repro/README.md) [e](https://example.org/x)"
        " [f](../../notebooks/README.md)"
    )
    assert before["cells"][0]["source"] == prose


def test_smaller_figures_look_the_same(execute: ModuleType) -> None:
    pixels = np.full((200, 200, 3), 255, np.uint8)
    pixels[50:60], pixels[:, 80:90] = (31, 119, 180), (200, 60, 10)
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "PNG", compress_level=0)
    small = base64.b64decode(execute.smaller(base64.b64encode(out.getvalue()).decode()))
    assert len(small) < len(out.getvalue()) / 10
    assert (np.asarray(Image.open(io.BytesIO(small)).convert("RGB")) == pixels).all()


def test_kernels_are_independent_of_the_terminal(
    execute: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MPLBACKEND", "agg")
    monkeypatch.setenv("COLUMNS", "200")
    environment = execute.environment()
    assert "MPLBACKEND" not in environment
    assert environment["COLUMNS"] == "80"
    assert environment["PYTHONPATH"].startswith(str(FOLDER.parent))


def test_notebooks_by_name_or_path(execute: ModuleType) -> None:
    assert execute.chosen(["notebooks/01_first_look.ipynb"]) == [FOLDER / "01_first_look.ipynb"]
    assert execute.chosen(["01_first_look"]) == [FOLDER / "01_first_look.ipynb"]
    assert execute.chosen([]) == sorted(FOLDER.glob("*.ipynb"))
    with pytest.raises(SystemExit, match="no such notebook: 99_unknown"):
        execute.chosen(["99_unknown"])
