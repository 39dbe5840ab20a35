"""Text to the screen or into a file, figures into files, and the progress bar."""

from __future__ import annotations

import codecs
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from io import StringIO, TextIOWrapper
from pathlib import Path
from threading import Lock, Timer
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self, TextIO

from fuzzytruth.cli.typed_words import text_typed
from fuzzytruth.errors import OptionError, printable, shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from rich.progress import Progress, ProgressColumn, TaskID

    from fuzzytruth.show.answer import Printed, Result
    from fuzzytruth.show.page import Page, Section


TableFormat = Literal["table", "csv", "json", "latex", "markdown"]
WIDEST = 120  # on a terminal
_ESCAPES = "fuzzytruth.escapes"
#: codes with which terminals show bold
_STYLE = re.compile(r"(\x1b\[[\d;]*m)")
#: signs of our own, as written where the encoding lacks them
_PLAIN = str.maketrans({"–": "-", "→": "->", "×": "x", "─": "-", "½": "1/2"})


def emit(write: Callable[[TextIO], object], output: Path | None) -> None:
    """Let `write` write to the screen, or to a file, which appears only when it is complete."""
    if output is None:
        write(sys.stdout)
        sys.stdout.flush()
        return
    buffer = StringIO()
    write(buffer)
    write_file(output, buffer.getvalue().encode(errors=_ESCAPES))


def emit_text(text: str, output: Path | None) -> None:
    """Text for machines as it is; on a terminal, control characters are shown, not obeyed."""
    if output is None and sys.stdout.isatty():
        text = "\n".join(map(printable, text.split("\n")))
    emit(lambda file: file.write(text), output)


def emit_printed(printed: Printed, output: Path | None) -> None:
    """A result for people: at most 80 columns wide, or as wide as the terminal up to 120."""
    from fuzzytruth.show.answer import line_width

    printed = printed.mapped(text_typed)
    if output is not None:
        text = printed.text(line_width())
        emit(lambda file: print_line(text, file), output)
        return
    width = line_width(WIDEST if sys.stdout.isatty() else None)
    styled = shows_bold(sys.stdout)
    text = printed.mapped(lambda part: legible(part, sys.stdout)).text(width, styled=styled)
    emit(lambda file: print_line(text, file, styled=styled), None)


def write_report(make: Callable[[], Page], output: Path) -> None:
    """Write a page, its sentences and tables as typed."""
    from fuzzytruth.comparison.comparison_report import write_page

    def typed(section: Section) -> Section:
        parts = (x.mapped(text_typed) if hasattr(x, "mapped") else x for x in section.parts)
        return replace(section, parts=tuple(parts))

    def page() -> Page:
        made = make()
        return replace(made, sections=tuple(map(typed, made.sections)))

    write_page(page, output)


def emit_answer(result: Result, output: Path | None) -> None:
    """What `print` shows of a result, without the line of its methods, which are Python's."""
    from fuzzytruth.show.answer import without_methods

    emit_printed(without_methods(result), output)


def shows_bold(file: TextIO) -> bool:
    """Whether a file is a terminal that obeys the codes for bold."""
    return file.isatty() and os.environ.get("TERM", "").lower() not in ("dumb", "unknown")


def write_file(path: Path, content: bytes) -> None:
    """Write a file, which appears only when it is complete."""
    from fuzzytruth.io.writing import write_whole

    write_whole(path, lambda file: file.write(content))


def legible(text: str, file: TextIO) -> str:
    """A line for people: control characters are escaped, and what the file's encoding lacks."""
    text = printable(text)
    encoding = getattr(file, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.translate(_PLAIN).encode(encoding, errors=_ESCAPES).decode(encoding)
    return text


def print_line(text: str = "", file: TextIO | None = None, *, styled: bool = False) -> None:
    """Print text for people, line by line, as `legible`; by default on standard output.

    The codes of `styled` text, whose names are printable, go through as they are.
    """
    file = file or sys.stdout
    for line in text.split("\n"):
        parts = _STYLE.split(line) if styled else [line]
        shown = (legible(part, file) if j % 2 == 0 else part for j, part in enumerate(parts))
        print("".join(shown), file=file)


def prepare_streams() -> None:
    """Let standard output and error take any character, and nothing where they are closed."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, StringIO())
        elif isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=_ESCAPES)


def _escaped(error: UnicodeError) -> tuple[str, int]:
    r"""Characters without a code as ``\u00e9``, which JSON reads, too."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", errors="surrogatepass")
    pairs = (units[at : at + 2].hex() for at in range(0, len(units), 2))
    return "".join(f"\\u{unit}" for unit in pairs), error.end


codecs.register_error(_ESCAPES, _escaped)


def check_save(path: Path | None) -> Path | None:
    """Return the name of a file of scores, if it ends in .parquet.

    Raises
    ------
    OptionError
        It does not.
    """
    if path is not None and path.suffix.lower() not in (".parquet", ".pq"):
        raise OptionError(f"--save {path}: scores are saved as Parquet; name the file .parquet")
    return path


@dataclass(frozen=True, slots=True)
class PaperStyle:
    """How a table for a paper is written.

    Parameters
    ----------
    digits : int or None
        Decimals; None: those of the table on the screen.
    caption, label : str or None
    bold : bool
    """

    digits: int | None = None
    caption: str | None = None
    label: str | None = None
    bold: bool = True

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """From the options of a command, of those that it has."""
        return cls(**{name: given[name] for name in cls.__slots__ if name in given})

    def check(self, output_format: str) -> PaperStyle:
        """The same, if what was given goes with the format.

        Raises
        ------
        OptionError
            It does not.
        """
        given = {
            "--digits": self.digits is not None,
            "--caption": self.caption is not None,
            "--no-bold": not self.bold,
        }
        for flag, is_given in given.items():
            if is_given:
                for_papers(flag, output_format)
        if self.label is not None and output_format != "latex":
            raise OptionError("--label: is for --format latex")
        return self


def for_papers(flag: str, output_format: str) -> None:
    """Refuse an option that only tables for papers take.

    Raises
    ------
    OptionError
        The format is none of papers.
    """
    if output_format not in ("latex", "markdown"):
        raise OptionError(f"{flag}: is for --format latex and markdown")


# Pages and figures.


def check_page(path: Path | None) -> Path | None:
    """Return the name of a page's file, if its ending is that of pages; for options.

    Raises
    ------
    OptionError
        It is not.

    Examples
    --------
    >>> check_page(Path("santini.html")).name
    'santini.html'
    """
    from fuzzytruth.comparison.comparison_report import PAGE_ENDINGS

    if path is not None and path.suffix.lower() not in PAGE_ENDINGS:
        raise OptionError(f"-o {path}: a report is a page; name the file {', '.join(PAGE_ENDINGS)}")
    return path


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


# A progress bar for tasks that take longer than a second.


class Bar:
    """Progress of a task of several stages, drawn on stderr if that is a terminal.

    Parameters
    ----------
    delay : float
        Seconds before anything is drawn; a task that ends sooner draws nothing.

    Examples
    --------
    >>> with Bar() as bar:
    ...     bar.stage("scoring")
    ...     bar.advance(0.5)
    ...     bar.advance(1.0)
    """

    def __init__(self, *, delay: float = 1.0) -> None:
        self._lock = Lock()
        self._timer = Timer(delay, self._draw)
        self._timer.daemon = True
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._label = ""
        self._finished: float | None = None

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            with suppress(RuntimeError):  # no thread can be started, and nothing is drawn
                self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._timer.cancel()
        if self._timer.is_alive():
            self._timer.join()  # it may be drawing at this moment
        if self._bar is not None:
            self._bar.stop()

    @property
    def hidden(self) -> bool:
        """Whether nothing has been drawn yet."""
        return self._bar is None

    def stage(self, label: str) -> None:
        """Begin a stage; how much of it is finished is unknown until it advances."""
        with self._lock:
            self._label, self._finished = label, None
            if self._bar is not None and self._task is not None:
                self._bar.remove_task(self._task)
                self._task = self._bar.add_task(label, total=None)

    def advance(self, finished: float) -> None:
        """Progress callback, given the finished fraction of the stage."""
        with self._lock:
            self._finished = finished
            if self._bar is not None and self._task is not None:
                self._bar.update(self._task, total=1.0, completed=finished)

    def _draw(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

        with self._lock:
            self._bar = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                TaskProgressColumn(),
                _time_left(),
                console=Console(stderr=True),
                transient=True,
            )
            self._task = self._bar.add_task(self._label, total=None)
            if self._finished is not None:
                self._bar.update(self._task, total=1.0, completed=self._finished)
            self._bar.start()


def _time_left() -> ProgressColumn:
    """Time that is left, or the time so far of a task whose progress is unknown."""
    from rich.progress import Task, TimeElapsedColumn, TimeRemainingColumn
    from rich.text import Text

    class TimeLeft(TimeRemainingColumn):
        def render(self, task: Task) -> Text:
            if task.total is None:
                return TimeElapsedColumn().render(task)
            return super().render(task).append(" left")

    return TimeLeft(compact=True)


@contextmanager
def working(label: str) -> Iterator[None]:
    """A bar for a task of one stage whose progress is unknown."""
    with Bar() as bar:
        bar.stage(label)
        yield
