"""Whether the library did right by one input."""

import math
import signal
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import fuzzytruth as ft
from fuzz.target import Row, Target

SECONDS = 10.0  # for one input


class HangError(BaseException):
    """The time for one input is over; no `except Exception` stops it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of one input.

    Parameters
    ----------
    kind : {"refused", "checked", "read", "finding"}
        A library error; read as the plain parser does; read, and there is no opinion; a defect.
    text : str
        The message, or what is wrong.
    """

    kind: str
    text: str = ""


def judge(target: Target, data: bytes, folder: Path) -> Verdict:
    """Read one input, and compare with the plain parser."""
    path = folder / target.file
    path.write_bytes(data)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            with time_limit(SECONDS):
                content = target.read(path)
                rows = target.rows(content)
                repr(content)
        except (ft.errors.DataError, ft.FuzzytruthError) as error:
            return _of_error(error)
        except HangError:
            return Verdict("finding", f"still reading after {SECONDS:g} s")
        except Exception as error:
            return Verdict("finding", f"{type(error).__name__}: {error}")
    foreign = [one for one in caught if not issubclass(one.category, ft.FuzzytruthWarning)]
    if foreign:
        return Verdict("finding", f"{foreign[0].category.__name__}: {foreign[0].message}")
    return _of_rows(target, data, rows, [str(one.message) for one in caught])


def _of_error(error: ft.FuzzytruthError) -> Verdict:
    message = str(error)
    try:
        message.encode()
    except UnicodeEncodeError:
        return Verdict("finding", f"a message that cannot be encoded: {message!r}")
    if len(message.splitlines()) != 1:
        return Verdict("finding", f"a message of several lines, or none: {message!r}")
    if not isinstance(error, (ft.errors.DataError, ft.errors.OptionError)):
        return Verdict("finding", f"{type(error).__name__}: {message}")
    return Verdict("refused", message)


def _of_rows(target: Target, data: bytes, rows: Sequence[Row], messages: list[str]) -> Verdict:
    if any(isinstance(cell, float) and math.isnan(cell) for row in rows for cell in row):
        return Verdict("finding", "NaN was read")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expected = target.plain(data)
    except ValueError as error:
        return Verdict("finding", f"read, though the plain parser refuses it: {error}")
    if expected is None:
        return Verdict("read")
    problem = difference(Counter(rows), Counter(expected), messages)
    return Verdict("finding", problem) if problem else Verdict("checked")


def difference(read: Counter[Row], expected: Counter[Row], messages: list[str]) -> str:
    """What differs, empty if nothing does; rows may be left out if a warning counts them."""
    invented, lost = read - expected, expected - read
    if invented:
        return f"read {_few(invented)}, which the plain parser does not; it reads {_few(lost)}"
    n_lost = lost.total()
    if n_lost and not any(f"{n_lost:,}" in message for message in messages):
        return f"lost {_few(lost)} without a warning that counts {n_lost:,}"
    return ""


def _few(rows: Counter[Row]) -> str:
    return str(list(rows)[:2])[:300]


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `HangError` when the time is over; in the main thread only."""

    def stop(*_: Any) -> None:
        raise HangError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
