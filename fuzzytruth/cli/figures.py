"""Figures of results as files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fuzzytruth.errors import OptionError, shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: endings of figures -> what Matplotlib writes into them beside the figure, so that equal figures
#: are equal files
_METADATA: dict[str, dict[str, None]] = {
    ".png": {"Software": None},
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
}
_DOTS_PER_INCH = 200


def check_figure(path: Path | None) -> Path | None:
    """Return the name of a figure's file, if its ending names a format; for options.

    Raises
    ------
    OptionError
        It does not.

    Examples
    --------
    >>> check_figure(Path("differences.svg")).name
    'differences.svg'
    """
    if path is not None and path.suffix.lower() not in _METADATA:
        ending = f"the ending {shown(path.suffix)}" if path.suffix else "a name without ending"
        raise OptionError(
            f"--figure {path}: {ending} names no format of figures; name the file "
            f"{', '.join(_METADATA)}"
        )
    return path


def write_figure(draw: Callable[..., Axes], figure: Path | None, **options: Any) -> None:
    """Draw a result and write the figure; nothing where no file is named.

    Parameters
    ----------
    draw : callable
        The `plot` method of a result, or a function of `fuzzytruth.plots` without its data; it
        returns the axes of a new figure.
    figure : Path or None
    **options
        Of `draw`.
    """
    if figure is None:
        return
    import matplotlib

    matplotlib.use("agg")  # no window, also where there is a screen
    import matplotlib.pyplot as plt

    from fuzzytruth.io.writing import write_whole

    suffix = figure.suffix.lower()
    with matplotlib.rc_context({"svg.hashsalt": "fuzzytruth"}):
        drawn: Any = draw(**options).get_figure(root=True)
        try:
            write_whole(
                figure,
                lambda file: drawn.savefig(
                    file, format=suffix[1:], dpi=_DOTS_PER_INCH, metadata=_METADATA[suffix]
                ),
            )
        finally:
            plt.close(drawn)
