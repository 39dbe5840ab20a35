"""Figures as SVG inside a page: described in words, and legible on a light or a dark ground."""

from __future__ import annotations

import io
import re
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import TYPE_CHECKING

from fuzzytruth.errors import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_POINTS = 0.75  # of a pixel of CSS
_DOTS = 200  # an inch, of images
_MOST_CELLS = 300  # of a heat map whose cells are shapes
_SVG = "http://www.w3.org/2000/svg"
_HREF = "{http://www.w3.org/1999/xlink}href"
_GREY = re.compile(r"#([0-9a-f]{2})\1\1$", re.IGNORECASE)
_REFERENCE = re.compile(r"(url\(#|^#)([^)]+)")


def svg_text(
    draw: Callable[[], Axes], *, name: str, title: str, description: str, on_paper: bool = False
) -> str:
    """Draw a figure and return it as the text of an `svg` element; the figure is closed.

    It is drawn in Matplotlib's default style whatever the global one is, so that the same data give
    the same text. Letters stay letters, which readers can select and search.

    Parameters
    ----------
    draw : callable
        Draws on axes of a new figure and returns them.
    name : str
        Begins all ids, so that several figures fit one page: letters, digits and hyphens.
    title, description : str
        For those who do not see the figure.
    on_paper : bool
        Whether colours are kept as they are, on a white ground, as heat maps need it. Otherwise
        the ground is transparent, black is the colour of the page's text, white that of the page
        (its variable ``--page``), and greys lie between the two.

    Examples
    --------
    >>> import pandas as pd
    >>> from fuzzytruth import plots
    >>> from fuzzytruth.plots.svg import svg_text
    >>> coin = pd.DataFrame({"value": [0, 1], "probability": [0.5, 0.5]})
    >>> svg = svg_text(lambda: plots.distribution(coin), name="coin", title="A coin",
    ...                description="Two lines of the same height.")
    >>> svg[:5], "<title" in svg, 'role="img"' in svg
    ('<svg ', True, True)
    """
    root = ET.fromstring(_drawn(draw, name, transparent=not on_paper))
    for element in root.iter():
        element.tag = element.tag.partition("}")[2]
        if _HREF in element.attrib:
            element.set("href", element.attrib.pop(_HREF))
    for metadata in root.findall("metadata"):
        root.remove(metadata)
    _name_ids(root, name)
    if not on_paper:
        for element in root.iter():
            if "style" in element.attrib:
                element.set("style", _adapted(element.attrib["style"]))
    _describe(root, name, title, description, on_paper=on_paper)
    return ET.tostring(root, encoding="unicode")


def _drawn(draw: Callable[[], Axes], name: str, *, transparent: bool) -> bytes:
    """The file that Matplotlib writes."""
    import matplotlib.pyplot as plt
    from matplotlib.style import context

    with (
        context("default", after_reset=True),
        plt.ioff(),
        plt.rc_context(),
        warnings.catch_warnings(),
    ):
        warnings.filterwarnings("ignore", r"Glyph \d+ .* missing", UserWarning)  # browsers have it
        plt.rcParams["svg.fonttype"] = "none"
        plt.rcParams["svg.hashsalt"] = name
        figure = draw().get_figure(root=True)
        assert figure is not None
        _as_pixels(figure)
        buffer = io.BytesIO()
        nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
        try:
            figure.savefig(
                buffer, format="svg", transparent=transparent, metadata=nothing, dpi=_DOTS
            )
        finally:
            plt.close(figure)
    return buffer.getvalue()


def _as_pixels(figure: Figure) -> None:
    """Draw the cells of large heat maps as one image: as shapes, thousands take a megabyte."""
    from matplotlib.collections import QuadMesh

    for mesh in figure.findobj(QuadMesh):
        values = mesh.get_array()
        if values is not None and values.size > _MOST_CELLS:
            mesh.set_rasterized(True)


def _name_ids(root: ET.Element, name: str) -> None:
    """Prefix the ids that something refers to, and remove the others."""
    used = set()
    for element in root.iter():
        for key, value in element.attrib.items():
            if key in ("href", "style") or value.startswith("url("):
                used |= {found[1] for found in _REFERENCE.findall(value)}
                element.set(key, _REFERENCE.sub(rf"\g<1>{name}-\g<2>", value))
    for element in root.iter():
        given = element.attrib.pop("id", None)
        if given in used:
            element.set("id", f"{name}-{given}")


def _adapted(style: str) -> str:
    """A style in which greys lie between the colours of text and page."""
    entries = (entry.partition(":") for entry in style.split(";") if entry.strip())
    declared = {key.strip(): value.strip() for key, _, value in entries}
    for key in ("fill", "stroke"):
        grey = _GREY.match(declared.get(key, ""))
        if grey is None:
            continue
        level = int(grey[1], 16) / 255
        if level == 1:
            declared[key] = "var(--page)"
            continue
        declared[key] = "currentColor"
        opacity = (1 - level) * float(declared.get(f"{key}-opacity", 1))
        if opacity < 1:
            declared[f"{key}-opacity"] = f"{opacity:.3g}"
    return "; ".join(f"{key}: {value}" for key, value in declared.items())


def _describe(root: ET.Element, name: str, title: str, description: str, *, on_paper: bool) -> None:
    """Name and description for those who do not see it, and a size that the page may lessen."""
    width = float(root.attrib.pop("width").removesuffix("pt")) / _POINTS
    root.attrib.pop("height", None)
    root.attrib.pop("version", None)
    root.attrib |= {
        "xmlns": _SVG,
        "role": "img",
        "aria-labelledby": f"{name}-title {name}-description",
        "style": f"--width: {width:.0f}px",
        "fill": "currentColor",
        "class": "paper" if on_paper else "adapted",
    }
    for place, (tag, text) in enumerate((("title", title), ("desc", description))):
        element = ET.Element(tag, id=f"{name}-{'title' if tag == 'title' else 'description'}")
        element.text = printable(text)
        root.insert(place, element)
