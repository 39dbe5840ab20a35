"""The colours, marks and line styles of all figures.

They stay apart in print, in grey and for colour-blind readers: systems, subjects and distributions
differ in marker and line as well, values above and below a middle in sign or direction.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any

import numpy as np

#: categorical: Okabe and Ito's, their blue darker, so that the first three differ in grey, too
COLOURS = ("#005A94", "#D55E00", "#56B4E9", "#009E73", "#E69F00", "#CC79A7", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
LINES: tuple[Any, ...] = ("-", "--", "-.", ":", (0, (5, 1)), (0, (3, 1, 1, 1, 1, 1)))
SEQUENTIAL = "Blues"  # light is little
DIVERGING = "PuOr"  # white is the middle: zero, or chance

MAIN, OTHER = COLOURS[:2]  # of a single kind of marks; of what is on the other side
ALL = "black"  # of all subjects, or categories, together
BESIDE = COLOURS[4]  # of marks beside those of the result, such as people's
NOT_SHOWN = "0.4"  # of differences that are not significant
REFERENCE = "0.55"  # of lines that are no data, such as the one at zero
FAINT = "0.8"  # of what is not in question
GRID = "0.92"
NOTE = "0.35"  # of words and shades that explain marks
EDGE = "0.47"  # of boxes, and of the lines that connect them
EMPTY = "0.957"  # of boxes without a value

FEW_PEOPLE = 7  # people with marks of their own, beside that of all
MOST_DOTS = 20  # people with a dot each; more are densities


@dataclass(frozen=True, slots=True)
class Look:
    """Colour, marker and line of one of several systems, subjects or distributions."""

    colour: str
    marker: str
    line: Any

    @property
    def style(self) -> dict[str, Any]:
        """What `Axes.plot` takes."""
        return {"color": self.colour, "marker": self.marker, "linestyle": self.line}


def looks(n: int) -> list[Look]:
    """A look for each of `n`; combinations of colour, marker and line repeat after 168."""
    return list(islice(map(Look, cycle(COLOURS), cycle(MARKERS), cycle(LINES)), n))


def ink(fill: Any) -> str:
    """Black or white, whichever contrasts more with the fill (WCAG 2 relative luminance)."""
    from matplotlib.colors import to_rgb

    linear = [((c + 0.055) / 1.055) ** 2.4 if c > 0.04045 else c / 12.92 for c in to_rgb(fill)]
    luminance = float(np.dot((0.2126, 0.7152, 0.0722), linear))
    return "white" if luminance < 0.18 else "black"
