"""Errors and warnings, one line each, with options as typed on the command line."""

from __future__ import annotations

import errno
import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer

from fuzzytruth.cli.output import print_line
from fuzzytruth.cli.typed_words import as_typed
from fuzzytruth.errors import FuzzytruthWarning, nearest, printable, shown

#: what systems say when there is no memory for a library or a thread
_NO_MEMORY = re.compile(
    ".*(?:failed to map segment|cannot allocate memory|can't start new thread|bad_alloc"
    "|failed to launch worker thread).*",
    re.I,
)


def error_line(error: Exception) -> str:
    """The line that reports an error; one of the system without a file is of the screen."""
    if isinstance(error, OSError) and error.strerror:
        return _line("error", f"{error.filename or 'standard output'}: {error.strerror}")
    return _line("error", error)


def no_memory(error: BaseException) -> str | None:
    """What memory was too short for (arrays, threads, a library); None: that is not the error."""
    if isinstance(error, MemoryError) or getattr(error, "errno", None) == errno.ENOMEM:
        return " ".join(str(error).split()) or "of the system"
    is_of_arrow = type(error).__module__ == "pyarrow.lib"  # which need not be loaded
    if not (is_of_arrow or isinstance(error, (ImportError, RuntimeError))):
        return None
    if said := _NO_MEMORY.search(str(error)):
        return said[0].strip()
    cause = error.__cause__ or error.__context__
    return None if cause is None else no_memory(cause)


@contextmanager
def one_line_warnings() -> Iterator[None]:
    """Print warnings as they come, each line once, without file and line of the code."""
    said: set[str] = set()

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        line = _line("warning", message)
        if line not in said:
            said.add(line)
            print_line(line, sys.stderr)

    with warnings.catch_warnings():
        warnings.simplefilter("always", FuzzytruthWarning)
        warnings.showwarning = show
        yield


def _line(kind: str, message: object) -> str:
    return f"{kind}: {as_typed(' '.join(str(message).split()))}"


# What is wrong with a command line: what, where, which value, what to do.


#: an unknown option, a missing argument; Typer exports one of its subclasses only
UsageError: type[Exception] = typer.BadParameter.__mro__[1]

#: words of the library that checks values for Typer -> what is wrong
_RULES = {
    re.compile(r"Input should be a valid integer.*"): "must be a whole number",
    re.compile(r"Input should be a valid number.*"): "must be a number",
    re.compile(r"Input should be greater than or equal to (\S+)"): r"must be \1 or more",
    re.compile(r"Input should be less than or equal to (\S+)"): r"must be \1 or less",
}
_WORD = re.compile(r"[\w.,=@:+/-]+")
_COMMAND = re.compile(r"No such command (['\"])(.*?)\1", re.DOTALL)
_EXTRA = re.compile(r"Got unexpected extra argument(?:\(s\)|s)? \((.*)\)", re.DOTALL)
_LACKS_VALUE = re.compile(r"Option '([^']*)' requires an argument")
_TAKES_NONE = re.compile(r"Option '([^']*)' does not take a value")


def usage_text(error: Any) -> str:
    """The line that reports a `UsageError`; of a command without a word, its help."""
    kind = type(error).__name__
    if kind == "NoArgsIsHelpError":
        return str(error.format_message())
    if kind == "NoSuchOption":
        text = _unknown_option(error)
    elif kind == "MissingParameter":
        text = _missing(error)
    elif getattr(error, "param", None) is not None:
        text = _wrong_value(error)
    else:
        text = _other(error)
    return f"error: {printable(' '.join(text.split()))}"


def _unknown_option(error: Any) -> str:
    known = [name for each in _parameters(error) for name in (*each.opts, *each.secondary_opts)]
    options = [name for name in known if name.startswith("-")]
    meant = re.sub("^--metrics?$", "--measure", error.option_name)
    near = nearest(meant, options, prefix="-")
    if meant in ("--report", "--html", "--page"):
        near = "; for a page: fuzzytruth report ... -o FILE.html"
    return f"{error.option_name}: {_path(error)} has no such option{near}; {_see(error)}"


def _missing(error: Any) -> str:
    """A missing argument or option, and those that the command takes."""
    is_option = error.param.param_type_name == "option"
    name = "/".join(error.param.opts) if is_option else error.param.display_name_raw
    return f"{name}: is missing; usage: {_usage(error)}"


def _wrong_value(error: Any) -> str:
    is_option = error.param.param_type_name == "option"
    flags = [*error.param.opts, *error.param.secondary_opts]
    name = max(flags, key=len) if is_option else error.param.display_name_raw
    given = _given(error)
    choices = error.param.type_descriptor.choices
    if choices:
        words = [str(choice) for choice in choices]
        near = nearest(given, words) if isinstance(given, str) else ""
        hint = _only_judged() if name == "--unjudged" else ""
        return f"{name} {_typed(given)}: must be one of {', '.join(words)}{near}{hint}"
    text = error.message.replace("Value error, ", "")
    for wrong, rule in _RULES.items():
        text = wrong.sub(rule, text)
    return (
        f"{name}: {text}"
        if given is None or ", not " in text
        else f"{name} {_typed(given)}: {text}"
    )


def _only_judged() -> str:
    from fuzzytruth.evaluation.evaluate import ONLY_JUDGED

    return ONLY_JUDGED


def _other(error: Any) -> str:
    """Words that belong to no parameter."""
    message = error.format_message()
    if found := _COMMAND.search(message):
        near = nearest(found[2], list(error.ctx.command.commands))
        return f"{found[1]}{found[2]}{found[1]}: no such command{near}; {_see(error)}"
    if found := _EXTRA.search(message):
        return f"{found[1]}: more than {_path(error)} takes; usage: {_usage(error)}"
    if found := _LACKS_VALUE.search(message):
        return f"{found[1]}: lacks its value; write {found[1]} VALUE"
    if found := _TAKES_NONE.search(message):
        return f"{found[1]}: takes no value; write {found[1]} alone"
    return str(message)


def _parameters(error: Any) -> list[Any]:
    """Arguments and options of the command."""
    return [] if error.ctx is None else list(error.ctx.command.get_params(error.ctx))


def _path(error: Any) -> str:
    return "fuzzytruth" if error.ctx is None else str(error.ctx.command_path)


def _see(error: Any) -> str:
    return f"see {_path(error)} --help"


def _usage(error: Any) -> str:
    """How the command is called, on one line."""
    pieces = error.ctx.command.collect_usage_pieces(error.ctx)
    return " ".join([_path(error), *pieces])


def _typed(value: Any) -> str:
    """A value as typed, in quotes if it is more than a word."""
    text = str(value)
    return text if _WORD.fullmatch(text) and len(text) <= 60 else shown(value)


def _given(error: Any) -> Any:
    """The value that was refused, if the cause of the error names it."""
    errors = getattr(error.__cause__, "errors", None)
    return errors()[0]["input"] if callable(errors) else None
