"""Figures of long names and of names with control characters: legible, inside, and valid files."""

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from functools import partial
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
TAILS = [230 * "n", 46 * " word", 230 * "m", 46 * " term"]
NAMES = [name + tail for name, tail in zip(CONTROL, TAILS, strict=True)]


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


def compared(**options: Any) -> ft.results.Comparison:
    return ft.compare(scores_named(NAMES), n_resamples=99, **options)


FIGURES: dict[str, Callable[[], Callable[..., Any]]] = {
    "means": lambda: scores_named(NAMES).plot,
    "forest": lambda: compared(baseline=NAMES[0]).plot,
    "matrix": lambda: partial(compared().plot, kind="matrix"),
    "tiers": lambda: partial(compared().plot, kind="tiers"),
    "subjects": lambda: compared().by_subject().plot,
    "waterfall": lambda: scores_named(NAMES).query_differences(*NAMES[:2]).plot,
    "ranks": lambda: ft.rank_stability(scores_named(NAMES), n_resamples=99).plot,
    "curves": lambda: ft.curves(*lists_named(NAMES), "PR").plot,
    "by rank": lambda: ft.by_rank(*lists_named(NAMES), depth=2).plot,
    "tree": lambda: ft.Taxonomy.from_children({NAMES[0]: NAMES[1:]}).plot,
}


def texts_in(figure: Any) -> list[Text]:
    """Texts that are seen, but for numbers at ticks that are not."""
    found = [text for text in figure.findobj(Text) if text.get_visible()]
    return [text for text in found if re.search("[a-z]", text.get_text())]


@pytest.mark.parametrize("kind", FIGURES)
def test_they_stay_inside_and_say_nothing_raw(kind: str) -> None:
    figure, ax = plt.subplots(figsize=(4.5, 3.4), layout="constrained")
    with mpl.rc_context({"svg.fonttype": "none"}):
        FIGURES[kind]()(ax=ax)
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
