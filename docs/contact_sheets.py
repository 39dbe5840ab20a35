"""Contact sheets of the gallery, for looking at every figure: `make gallery`.

Sheets show each figure at page width, drawn anew at the width of a column, shrunk to it, in grey,
and as the site shows it on a dark page, with the names of the scripts below.
"""

from __future__ import annotations

import argparse
import io
import runpy
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import matplotlib as mpl
import numpy as np
from fuzzytruth.errors import FuzzytruthWarning
from fuzzytruth.plots.drawing import COLUMN_WIDTH
from matplotlib.collections import QuadMesh
from matplotlib.figure import Figure
from PIL import Image, ImageDraw

GALLERY = Path(__file__).parent / "gallery"
PER_SHEET = 4
ACROSS = 2
MARGIN = 16  # pixels around pictures, and twice that for their names


@dataclass(frozen=True, slots=True)
class Kind:
    """A way to look at figures: dots per inch, how wide they are drawn, what is done to them."""

    dpi: int
    width: float | None = None
    picture: Callable[[Image.Image], Image.Image] = lambda image: image


def _shrunk(image: Image.Image) -> Image.Image:
    width = round(COLUMN_WIDTH * 200)
    return image.resize(
        (width, round(image.height * width / image.width)),
        Image.Resampling.LANCZOS,
    )


def _dark(image: Image.Image) -> Image.Image:
    """As docs/_static/site.css turns lightness round: each channel plus 1 - 2 luma."""
    colours = np.asarray(image, dtype=float) / 255
    luma = colours @ np.array([0.2126, 0.7152, 0.0722])
    turned = np.clip(colours + 1 - 2 * luma[..., None], 0, 1)
    return Image.fromarray((255 * (0.08 + 0.84 * turned)).astype(np.uint8))


KINDS = {
    "page": Kind(100),
    "column": Kind(200, COLUMN_WIDTH),
    "shrunk": Kind(300, picture=_shrunk),
    "grey": Kind(100, picture=lambda image: image.convert("L").convert("RGB")),
    "dark": Kind(100, picture=_dark),
}


def figures(
    script: Path, width: float | None, heat_maps: set[int]
) -> Iterator[Figure]:
    """Figures that a script leaves open, new ones being `width` inches wide, if given.

    Heat maps keep their shape: those whose numbers are given, which are noted if no width is.
    """
    import matplotlib.pyplot as plt

    subplots = plt.subplots

    def of_width(
        *given: Any, figsize: tuple[float, float] | None = None, **options: Any
    ) -> Any:
        size = figsize or tuple(mpl.rcParams["figure.figsize"])
        if width is not None:
            number = len(plt.get_fignums()) + 1
            size = (
                width,
                size[1] * width / size[0] if number in heat_maps else size[1],
            )
        return subplots(*given, figsize=size, **options)

    with (
        mpl.rc_context(),
        warnings.catch_warnings(),
        patch.object(plt, "subplots", of_width),
    ):
        warnings.simplefilter("ignore", FuzzytruthWarning)
        runpy.run_path(str(script), run_name="__main__")
        for number in plt.get_fignums():
            figure = plt.figure(number)
            if width is None and any(
                ax.findobj(QuadMesh) for ax in figure.axes
            ):
                heat_maps.add(number)
            yield figure
        plt.close("all")


def pictures(
    script: Path, width: float | None, heat_maps: set[int]
) -> dict[str, list[tuple[str, Image.Image]]]:
    """By kind, pictures of the figures of a script, drawn in one width, with their names."""
    kinds = {name: kind for name, kind in KINDS.items() if kind.width == width}
    out: dict[str, list[tuple[str, Image.Image]]] = {
        name: [] for name in kinds
    }
    for number, figure in enumerate(figures(script, width, heat_maps), 1):
        for name, kind in kinds.items():
            file = io.BytesIO()
            figure.savefig(file, format="png", dpi=kind.dpi)
            image = kind.picture(Image.open(file).convert("RGB"))
            out[name].append((f"{script.stem} {number}", image))
    return out


def sheet(shown: list[tuple[str, Image.Image]]) -> Image.Image:
    """Pictures side by side, each above its name."""
    rows = [shown[j : j + ACROSS] for j in range(0, len(shown), ACROSS)]
    heights = [
        max(image.height for _, image in row) + 3 * MARGIN for row in rows
    ]
    widths = [
        sum(image.width + MARGIN for _, image in row) + MARGIN for row in rows
    ]
    out = Image.new("RGB", (max(widths), sum(heights) + MARGIN), "#d8d8d8")
    draw, top = ImageDraw.Draw(out), MARGIN
    for row, height in zip(rows, heights, strict=True):
        left = MARGIN
        for name, image in row:
            out.paste(image, (left, top))
            draw.text(
                (left, top + image.height + MARGIN // 4),
                name,
                fill="black",
                font_size=18,
            )
            left += image.width + MARGIN
        top += height
    return out


def main() -> None:
    """Write the sheets of all gallery scripts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the sheets go")
    folder = parser.parse_args().folder
    mpl.use("Agg")
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.png"):
        old.unlink()
    every: dict[str, list[tuple[str, Image.Image]]] = {
        name: [] for name in KINDS
    }
    for script in sorted(GALLERY.glob("*.py")):
        heat_maps: set[int] = set()
        for width in (None, COLUMN_WIDTH):
            for name, shown in pictures(script, width, heat_maps).items():
                every[name] += shown
    for name, shown in every.items():
        for j in range(0, len(shown), PER_SHEET):
            path = folder / f"{name}-{j // PER_SHEET + 1:02}.png"
            sheet(shown[j : j + PER_SHEET]).save(path)
            print(path)


if __name__ == "__main__":
    main()
