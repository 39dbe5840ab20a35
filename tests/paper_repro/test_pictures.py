"""Pictures: titles beside each other, whatever backend of Matplotlib is set."""

import itertools
import os
import subprocess
import sys

from paper_repro.document import FOLDER, Cell, is_picture, png

SHOW = """
from paper_repro.document import Cell, png, run
(cell,) = run([Cell("import matplotlib.pyplot as plt\\nplt.subplots()[0]", is_code=True)])
print(png(cell.value)[1:4].decode())
"""


def test_pictures_need_no_backend() -> None:
    environment = os.environ | {"MPLBACKEND": "nonsense", "PYTHONPATH": str(FOLDER.parent)}
    result = subprocess.run(
        [sys.executable, "-c", SHOW], env=environment, capture_output=True, text=True, check=True
    )
    assert result.stdout == "PNG\n"


def test_no_two_titles_or_labels_overlap(story: list[Cell], appendix: list[Cell]) -> None:
    seen = 0
    for cell in [*story, *appendix]:
        if not is_picture(cell.value):
            continue
        figure = cell.value
        figure.draw_without_rendering()
        texts = list(figure.texts)
        for ax in figure.axes:
            texts += [ax.title, ax._left_title, ax.xaxis.label, ax.yaxis.label, *ax.texts]
            texts += [label for label in ax.get_xticklabels() if not label.get_rotation()]
        for legend in figure.legends:
            texts += legend.get_texts()
        boxes = {text: text.get_window_extent() for text in texts if text.get_text().strip()}
        pairs = itertools.combinations(boxes.items(), 2)
        over = [(a.get_text(), b.get_text()) for (a, x), (b, y) in pairs if x.overlaps(y)]
        assert over == [], cell.name
        seen += len(boxes) > 3
    assert seen >= 7


def test_a_picture_is_the_same_each_time(story: list[Cell]) -> None:
    (drawn,) = (cell.value for cell in story if cell.name == "masses")
    first = png(drawn)
    assert first == png(drawn)
    assert first[:4] == b"\x89PNG"
