"""Figures of the site on a dark page, as its style sheet shows them in a browser."""

import colorsys
import io
from pathlib import Path
from typing import Any

import pytest
from matplotlib.colors import to_rgb
from PIL import Image

from fuzzytruth.plots import scheme

STYLE = Path(__file__).parents[2] / "docs" / "_static" / "site.css"
GROUND = (20, 24, 30)  # of the theme's dark pages
#: the theme's own rules for figures
THEME = """
html[data-theme=dark] img:not(.only-dark,.dark-light) {filter: brightness(.8) contrast(1.2)}
html[data-theme=dark] .bd-content div.cell_output img {background-color: #ced6dd; padding: .5rem}
"""
COLOURS = ["white", "black", *scheme.COLOURS[:-1]]
SIDE = 40  # pixels of a patch


@pytest.fixture(params=["", "cell_output"])
def page(context: Any, tmp_path: Path, request: pytest.FixtureRequest) -> Any:
    """A tab with a figure of one patch of each colour, of the gallery or of a notebook."""
    figure = Image.new("RGB", (SIDE * len(COLOURS), SIDE))
    for j, name in enumerate(COLOURS):
        patch = tuple(round(255 * part) for part in to_rgb(name))
        figure.paste(patch, (SIDE * j, 0, SIDE * (j + 1), SIDE))
    figure.save(tmp_path / "figure.png")
    html = tmp_path / "page.html"
    styles = THEME + STYLE.read_text("utf-8")
    html.write_text(
        f"<!doctype html><html data-theme='light'><style>{styles}"
        f"html[data-theme=dark] body {{background: rgb{GROUND}}}</style>"
        f"<article class='bd-content'><div class='{request.param}'>"
        "<img src='figure.png'></div></article></html>",
        encoding="utf-8",
    )
    tab = context.new_page()
    tab.goto(html.as_uri())
    yield tab
    tab.close()


def shown(tab: Any) -> list[tuple[int, int, int]]:
    """The colour of each patch on the screen."""
    picture = Image.open(io.BytesIO(tab.locator("img").screenshot())).convert("RGB")
    left = (picture.width - SIDE * len(COLOURS)) // 2  # notebooks have a margin
    at = [(left + SIDE * j + SIDE // 2, picture.height // 2) for j in range(len(COLOURS))]
    return [picture.getpixel(place) for place in at]


def luma(colour: Any) -> float:
    return float(sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), colour, strict=True)) / 255)


def test_lightness_is_turned_round_and_hues_stay(page: Any) -> None:
    light = shown(page)
    assert light[0] == (255, 255, 255)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    dark = shown(page)
    assert dark[0] == GROUND  # white is the page
    assert min(dark[1]) > 220  # black is as bright as text
    for before, after in zip(light[2:], dark[2:], strict=True):
        hues = [colorsys.rgb_to_hls(*(c / 255 for c in one))[0] for one in (before, after)]
        assert abs(hues[0] - hues[1]) < 0.035  # of a circle
        assert luma(after) == pytest.approx(0.92 - 0.84 * luma(before), abs=0.06)
    page.emulate_media(media="print")
    assert min(shown(page)[0]) > 200  # paper stays white
