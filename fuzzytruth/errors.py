"""Errors and warnings of the library, each a class of its own so that callers can choose.

Every error is one line that says what is wrong, where, with which value, and what to do.
"""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

_PACKAGE = str(Path(__file__).parent) + os.sep
_STANDARD = str(Path(warnings.__file__).parent) + os.sep
_SITE = {"site-packages", "dist-packages"}  # folders of installed libraries

#: control characters, line separators, marks that turn the direction of text, lone surrogates, and
#: what XML does not allow
_UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufffe\uffff]"
)


def printable(text: str) -> str:
    r"""Text on one line that a terminal shows and does not obey: ESC becomes ``\x1b``.

    Examples
    --------
    >>> print(printable("red\x1b[31m\nrun"))
    red\x1b[31m\nrun
    """
    return _UNSEEN.sub(lambda match: repr(match[0])[1:-1], text)


class FuzzytruthError(ValueError):
    """Base class of all errors raised on bad input."""

    def __str__(self) -> str:
        return printable(super().__str__())


class DataError(FuzzytruthError):
    """The data break a rule: a bad cell, a duplicate, an empty file, no query in common."""


class TaxonomyError(DataError):
    """Categories do not form one rooted acyclic graph, or a name is not among them."""


class OptionError(FuzzytruthError):
    """An option has a value that it does not take."""


class MeasureError(FuzzytruthError):
    """A measure is unknown, misspelt, or cannot be computed on these grades."""


class IndependenceError(FuzzytruthError):
    """Two distributions are compared although nothing says how they vary together."""


class MissingPackageError(FuzzytruthError):
    """An optional package is needed and not installed."""


class FuzzytruthWarning(UserWarning):
    """Base class of all warnings: something was left out, filled in or guessed, and is counted."""


class MissingQueryWarning(FuzzytruthWarning):
    """Systems lack judged queries; evaluate counts them 0, probability_scores leaves them out."""


class UnjudgedQueryWarning(FuzzytruthWarning):
    """A system answers queries without judgments; they are left out."""


class UndefinedMeasureWarning(FuzzytruthWarning):
    """Some queries have no relevant item, so that recall-like measures are undefined for them."""


class LostVotesWarning(FuzzytruthWarning):
    """Resampled subjects leave items without votes; these keep their share of all votes."""


class UnjudgedItemWarning(FuzzytruthWarning):
    """A system retrieved items on which nobody voted; they are not relevant."""


class UnjudgedRunWarning(FuzzytruthWarning):
    """Nothing that a system retrieved was judged, though its queries were."""


class AllRelevantWarning(FuzzytruthWarning):
    """Every judged item counts as relevant, whichever of several grades it has."""


class FractionWarning(FuzzytruthWarning):
    """Grades between 0 and 1 lie below a threshold of 1; they may be probabilities."""


class ScaleWarning(FuzzytruthWarning):
    """Grades lie outside the scale, or some subjects seem to grade on a shorter one."""


class GroupNotice(FuzzytruthWarning):
    """Subjects are in the second column of TREC judgments, or votes have no queries."""


class TagWarning(FuzzytruthWarning):
    """What is read as one run may be several: tags change, or files do not name their systems."""


class RepeatsWarning(FuzzytruthWarning):
    """Several runs of a sample (epochs), of which the mean is taken, or of a system (seeds)."""


class MissingCellWarning(FuzzytruthWarning):
    """Some systems lack values that others have; each comparison takes what both have."""


class FontWarning(FuzzytruthWarning):
    """Names in a figure have letters that its font lacks, which are shown as codes."""


class PrecisionWarning(FuzzytruthWarning):
    """Drawn worlds are too few for the Monte Carlo error that was asked for."""


class MetadataWarning(FuzzytruthWarning):
    """A file of scores was rewritten without what `Scores.save` keeps beside its table."""


class ClusterWarning(FuzzytruthWarning):
    """Queries are in no cluster and count as their own, or clusters are few and differ in size."""


class SubjectWarning(FuzzytruthWarning):
    """Subjects are in no group and are left out."""


class LeftOutWarning(FuzzytruthWarning):
    """Rows, cells or parts of an export or log that are no answers were left out."""


class SelfHitWarning(FuzzytruthWarning):
    """Items with the id of their own query were left out of lists, as asked for."""


class UnusedColumnWarning(FuzzytruthWarning):
    """A column that seems to name who judged, or to hold other grades, was not used."""


class DistanceWarning(FuzzytruthWarning):
    """A matrix that is read as similarities looks like distances."""


class MeasureNameWarning(FuzzytruthWarning):
    """The name of a measure means another elsewhere, or a set holds what is no measure."""


class LabelWarning(FuzzytruthWarning):
    """Labels may be no categories, or one category written in two ways."""


class TieWarning(FuzzytruthWarning):
    """The order of items with equal scores decides means over queries, or comparisons of them."""


class DegenerateWarning(FuzzytruthWarning):
    """How much a number varies is unknown or zero: one unit, or values that all agree."""


class LevelWarning(FuzzytruthWarning):
    """A claim may be wrong more often than its level says: skewed values, or many attempts."""


def shown(value: object, width: int = 60) -> str:
    """A value as shown in errors: quoted, on one line, cut if long."""
    if isinstance(value, str) and len(value) > width:
        return f"{value[:width]!r}... ({len(value)} characters)"
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # of too many digits, or too deep
        text = f"<{type(value).__name__}>"
    return text if len(text) <= 2 * width else f"{text[:width]}..."


def first_few(
    values: Iterable[Any],
    limit: int = 5,
    *,
    show: Callable[[Any], str] = str,
    unit: str = "",
    separator: str = ", ",
) -> str:
    """The first values as `show` writes them, and how many more there are.

    Examples
    --------
    >>> first_few("abcd", 2, unit="run")
    'a, b, and 2 more runs'
    """
    known = list(values)
    listed = [show(value) for value in known[:limit]]
    rest = len(known) - limit
    if rest > 0:
        what = unit and f" {unit if rest == 1 else plural(unit)}"
        listed.append(f"and {rest:,} more{what}")
    return separator.join(listed)


def counted(count: int, one: str, many: str | None = None) -> str:
    """A number with its noun.

    Examples
    --------
    >>> counted(1, "query"), counted(2800, "query"), counted(1, "value is", "values are")
    ('1 query', '2,800 queries', '1 value is')
    """
    return f"{count:,} {one if count == 1 else many or plural(one)}"


def plural(noun: str) -> str:
    """The regular plural of a noun."""
    consonant_and_y = noun.endswith("y") and noun[-2:-1] not in "aeiou"
    return noun[:-1] + "ies" if consonant_and_y else noun + "s"


def shown_all(values: Iterable[object], limit: int = 20) -> str:
    """The first values, each as shown in errors."""
    return first_few(values, limit, show=shown) or "none"


def nearest(word: str, known: Sequence[str], limit: int = 3, *, prefix: str = "") -> str:
    """The `known` words most like this one, ready to end a message; empty if none is.

    Those are preferred that begin with it, or one of whose parts does. Characters of the `prefix`,
    which all begin with, make no word like another.
    """
    import difflib

    plain, whole = word.lstrip(prefix), {name.lstrip(prefix): name for name in known}
    begins = (name for name in whole if f" {plain.casefold()}" in f" {name.casefold()}")
    near = [*begins][:limit] if len(plain) > 2 else []
    near = near or difflib.get_close_matches(plain, whole, n=limit, cutoff=0.6)
    return f" (nearest: {shown_all(whole[name] for name in near)})" if near else ""


def require(name: str, value: object, holds: bool, rule: str) -> None:
    """Raise `OptionError`, naming the option, its value and the rule, unless it holds."""
    if not holds:
        raise OptionError(f"{name}={shown(value)}: {rule}")


def choice(name: str, value: object, allowed: tuple[object, ...], hint: str = "") -> None:
    """Raise `OptionError` unless `value` is one of the `allowed` ones; `hint` ends the message."""
    if not is_among(value, allowed):
        words = ", ".join(repr(word) for word in allowed)
        raise OptionError(f"{name}={shown(value)}: must be one of {words}{hint}")


def is_among(value: object, known: Sequence[object]) -> bool:
    """Whether a value is one of the `known` ones; an array, a frame or `pandas.NA` is none."""
    try:
        return value in known
    except (TypeError, ValueError):  # its comparisons have no truth value
        return False


def warn(message: str, category: type[FuzzytruthWarning]) -> None:
    """Warn at the line of the caller outside the package.

    That is the innermost frame of user code: a script, a test, or a measure defined by the user
    that calls the package itself. Besides the package, these are skipped: the standard library
    (wrappers such as `functools.singledispatch`, thread pools), the `__init__` of dataclasses, and
    installed libraries between two frames of the package (joblib, Typer). Any other installed
    library that calls the package counts as user code.
    """
    frame = _caller(sys._getframe(1))
    # not warnings.warn(..., stacklevel=...), which does not count every frame of the import system
    warnings.warn_explicit(
        printable(message),
        category,
        frame.f_code.co_filename,
        frame.f_lineno,
        module=frame.f_globals.get("__name__", "<unknown>"),
        registry=frame.f_globals.setdefault("__warningregistry__", {}),
    )


def _caller(frame: FrameType) -> FrameType:
    """The frame that `warn` names; without user code, the one that first called the package."""
    outermost, library = frame, None
    current: FrameType | None = frame
    while current is not None:
        file = current.f_code.co_filename
        if file.startswith(_PACKAGE):
            outermost, library = current.f_back or current, None
        elif not _SITE.isdisjoint(Path(file).parts):
            library = library or current
        elif not _is_machinery(current):
            return library or current
        current = current.f_back
    return library or outermost


def _is_machinery(frame: FrameType) -> bool:
    """Whether a frame is of the standard library, or of a generated `__init__`."""
    file = frame.f_code.co_filename
    generated = file == "<string>" and frame.f_code.co_name == "__init__"
    return generated or file.startswith((_STANDARD, "<frozen "))


__all__ = sorted(
    name
    for name, value in {**globals()}.items()
    if isinstance(value, type) and issubclass(value, (FuzzytruthError, FuzzytruthWarning))
)


def __dir__() -> list[str]:
    return __all__
