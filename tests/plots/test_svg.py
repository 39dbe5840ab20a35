"""Figures as SVG inside a page."""

import re
import warnings
from typing import Any

import pandas as pd
import pytest

from fuzzytruth import plots
from fuzzytruth.plots.drawing import axes_or_new
from fuzzytruth.plots.svg import svg_text

COIN = pd.DataFrame({"value": [0, 1], "probability": [0.25, 0.75]})


def draw() -> Any:
    return plots.distribution(COIN)


def made(draw: Any = draw, **options: Any) -> str:
    return svg_text(draw, name="coin", title="A <coin>", description="Two & lines.", **options)


def lines(**style: Any) -> Any:
    ax = axes_or_new(None)
    ax.plot([0, 1], [0, 1], **style)
    ax.set_xlabel("<script>alert(1)</script>")
    return ax


def test_ids_begin_with_the_name_and_are_referred_to(plt: Any) -> None:
    svg = made()
    ids = re.findall(r'id="([^"]*)"', svg)
    used = re.findall(r"(?:url\(#|href=\"#)([^)\"]*)", svg)
    assert all(one.startswith("coin-") for one in ids)
    assert len(ids) == len(set(ids))
    assert set(used) == set(ids) - {"coin-title", "coin-description"}
    assert used


def test_letters_stay_letters_and_are_escaped(plt: Any) -> None:
    svg = made(lines)
    assert "<script" not in svg
    assert "&lt;script&gt;alert(1)&lt;/script&gt;</text>" in svg


def test_greys_lie_between_text_and_page(plt: Any) -> None:
    grey = made(lambda: lines(color="0.6"))
    assert "stroke: currentColor" in grey
    assert "stroke-opacity: 0.4" in grey
    assert "var(--page)" in made(lambda: lines(color="1"))
    coloured = made(lambda: lines(color="#0072B2"))
    assert "stroke: color-mix(in srgb, #0072b2 80%, currentColor)" in coloured
    assert "stroke: #0072b2" in made(lambda: lines(color="#0072B2"), on_paper=True)
    assert "#000000" not in coloured


def test_on_paper_colours_are_kept(plt: Any) -> None:
    svg = made(lambda: lines(color="0.6"), on_paper=True)
    assert "stroke: #999999" in svg
    assert 'class="paper"' in svg
    assert "var(--page)" not in svg


def test_no_metadata(plt: Any) -> None:
    svg = made()
    assert "metadata" not in svg
    assert "matplotlib" not in svg.lower()
    assert not svg.startswith("<?xml")


@pytest.mark.parametrize(("n", "images"), [(9, 1), (40, 2)])
def test_large_heat_maps_are_images_and_their_names_letters(n: int, images: int, plt: Any) -> None:
    names = [f"s{j}" for j in range(n)]
    frame = pd.DataFrame(
        [(a, rank, 1 / n) for a in names for rank in range(1, n + 1)],
        columns=["system", "rank", "share"],
    ).assign(measure="AP")
    # one image is the colour bar
    text = made(lambda: plots.rank_probabilities(frame), on_paper=True)
    assert text.count("<image") == images
    assert text.count("data:image/png;base64,") == images
    assert ">s0</text>" in text
    assert len(text) < 200_000


def test_letters_that_the_font_lacks_are_left_to_the_browser(plt: Any) -> None:
    def chinese() -> Any:
        ax = lines()
        ax.set_title("东京")
        return ax

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "东京" in made(chinese)
        with pytest.raises(UserWarning, match="another"):
            made(lambda: (warnings.warn("another", UserWarning, stacklevel=1), draw())[1])
