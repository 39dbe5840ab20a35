"""Pictures are shown whatever backend of Matplotlib is set."""

import os
import subprocess
import sys

import pytest

from paper_repro.document import FOLDER
from paper_repro.notebook import SETUP
from paper_repro.pictures import Picture, pyplot

SHOW = """
import base64
picture = figure1.figure1_drawn()
print(base64.b64encode(picture._repr_png_()[:8]).decode(), figure1.__file__)
"""


@pytest.mark.parametrize(("backend", "folder"), [("nonsense", FOLDER), ("Agg", FOLDER.parent)])
def test_the_notebook_s_cells_show_pictures(backend: str, folder: object) -> None:
    """Run as a notebook runs them, from either folder."""
    code = f"{SETUP.replace(SETUP.split('import ')[-1], 'figure1')}\n{SHOW}"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    result = subprocess.run(
        [sys.executable, "-c", code],
        cwd=str(folder),
        env=environment | {"MPLBACKEND": backend},
        capture_output=True,
        text=True,
        check=True,
    )
    head, where = result.stdout.split()
    assert head == "iVBORw0KGgo="  # PNG
    assert where == str(FOLDER / "figure1.py")


def test_a_picture_is_closed_and_the_same_each_time() -> None:
    plt = pyplot()
    before = plt.get_fignums()
    figure, ax = plt.subplots()
    ax.plot([0, 1])
    picture = Picture(figure, "A line.")
    assert plt.get_fignums() == before
    assert picture.png() == picture.png()
    assert repr(picture) == "Picture(A line.)"
    assert picture._repr_png_()[:4] == b"\x89PNG"
