"""Figures of long names and of names with control characters: legible, inside, and valid files."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.text import Text

import fuzzytruth as ft
from fuzzytruth.errors import printable

CONTROL = ["\x1b[31mred\x07", "line\nbreak\r\n", "\u202eevil\u2028\uffff", "_<b>&]]>$x_$--"]
LONG = [letter + 249 * "n" for letter in "abcd"]
WORDS = [50 * "word " + letter for letter in "abcd"]


def scores_named(names: list[str]) -> ft.Scores:
    """Four systems, queries and subjects, and a measure, all with these names."""
    axes = {"system": names, "query": names, "subject": names}
    frame = pd.MultiIndex.from_product(axes.values(), names=axes).to_frame(index=False)
    rng = np.random.default_rng(1)
    return ft.Scores.from_frame(
        frame.assign(value=rng.random(len(frame)), measure=names[0]), higher_is_better=True
    )


def lists_named(names: list[str]) -> tuple[ft.Judgments, dict[str, Any]]:
    grades = {item: j % 2 for j, item in enumerate(names)}
    lists = {names[j]: {names[0]: names[j:] + names[:j]} for j in range(2)}
    return ft.Judgments.from_dict({names[0]: grades}), lists


def compared(names: list[str], **options: Any) -> ft.Comparison:
    return ft.compare(scores_named(names), n_resamples=99, **options)


FIGURES: dict[str, Callable[[list[str]], Callable[..., Any]]] = {
    "means": lambda names: scores_named(names).plot,
    "forest": lambda names: compared(names, baseline=names[0]).plot,
    "matrix": lambda names: lambda ax: compared(names).plot(ax, kind="matrix"),
    "tiers": lambda names: lambda ax: compared(names).plot(ax, kind="tiers"),
    "subjects": lambda names: compared(names).by_subject().plot,
    "waterfall": lambda names: scores_named(names).query_differences(*names[:2]).plot,
    "ranks": lambda names: ft.rank_stability(scores_named(names), n_resamples=99).plot,
    "curves": lambda names: ft.curves(*lists_named(names), "PR").plot,
    "by rank": lambda names: ft.by_rank(*lists_named(names), depth=2).plot,
    "tree": lambda names: ft.Taxonomy.from_children({names[0]: names[1:]}).plot,
}


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    plt.close("all")


def texts_in(figure: Any) -> list[Text]:
    """Texts that are seen, but for numbers at ticks that are not."""
    found = [text for text in figure.findobj(Text) if text.get_visible()]
    return [text for text in found if re.search("[a-z]", text.get_text())]


@pytest.mark.parametrize("names", [CONTROL, LONG, WORDS], ids=["control", "long", "words"])
@pytest.mark.parametrize("kind", FIGURES)
def test_they_stay_inside_and_say_nothing_raw(kind: str, names: list[str]) -> None:
    figure, ax = plt.subplots(figsize=(4.5, 3.4), layout="constrained")
    with mpl.rc_context({"svg.fonttype": "none"}):
        FIGURES[kind](names)(ax=ax)
        figure.draw_without_rendering()
        width, height = figure.get_size_inches() * figure.dpi
        texts = texts_in(figure)
        assert texts
        for text in texts:
            assert all(line == printable(line) for line in text.get_text().split("\n"))
            box = text.get_window_extent()
            assert -9 < box.x0 <= box.x1 < width + 9, text.get_text()
            assert -9 < box.y0 <= box.y1 < height + 9, text.get_text()
        assert ax.get_window_extent().height > 0.1 * height
        svg = BytesIO()
        figure.savefig(svg, format="svg")
    ET.fromstring(svg.getvalue())
