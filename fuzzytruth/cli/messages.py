"""Errors and warnings, one line each, with options as typed on the command line."""

from __future__ import annotations

import ast
import errno
import functools
import re
import shlex
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import typer

from fuzzytruth.cli.derive import Lazy
from fuzzytruth.cli.output import print_line
from fuzzytruth.errors import FuzzytruthWarning, nearest, printable, shown

#: arguments whose options have another name, and those that no verb has by this name
_OTHERS = {
    "aggregate": "--aggregate",
    "category": "--category",
    "design": "--design",
    "distances": "--distances",
    "how": "--aggregate",
    "larger_is_better": "--distances",
    "limit": "--limit",
    "measure": "--measure",
    "name_by": "--name",
    "order": "--unsorted",
    "rescaled": "--rescale",
    "run_columns": "--run-columns",
    "scales": "--rescale",
}
#: arguments of functions that are no options, although options of other functions are named so
_NO_OPTIONS = {"by"}
#: not a measure's parameter, which is typed in parentheses on the command line too, nor a name in
#: quotes
_ARGUMENT = re.compile(
    r"(?<![(,\w'\"])(\w+)=(?:'([^']*)'|\"([^\"]*)\"|\(([^)]*)\)|(-?(?:\w[\w.]*\w|\w))|(?![^\s,;:]))"
)
#: arguments that are mappings or lists, as Python writes them
_LITERAL = re.compile(
    r"(?<![(,\w'\"])(columns|components|drop|grades|margin|rel|run_columns|scales|subjects|systems)"
    r"(?:=|: )"
    r"(\{[^{}]*\}|\[[^\[\]]*\])"
)
_BRACKETS = re.compile(r"[\[\]{}'\"]")
_COLUMNS_RULE = re.compile(r"^(run_columns|columns|grades|drop|rel|rescaled|scales|subjects)(?=: )")
#: what systems say when there is no memory for a library or a thread
_NO_MEMORY = re.compile(
    ".*(?:failed to map segment|cannot allocate memory|can't start new thread|bad_alloc"
    "|failed to launch worker thread).*",
    re.I,
)
#: what is said of Python -> of the command line
_OF_PYTHON: dict[str, str] = {
    r"\bft\.(structure|communities)\([^()]*\)": r"fuzzytruth \1",
    r"\bsee pairwise_agreement\b": "see fuzzytruth agreement --by pair",
    r"(?:All pairs)?: \.directions\(\)\.? ?": "",
    r"\bcategory=\{query: category\}": "--category NAME",
    r"\bname a root to join them: root='\w+'": "add a row for each with one parent",
    r"\btruth\.aggregate\(([^)]*)\)": r"aggregate=(\1)",
    r"\bread_assignments reads them\b": "add --taxonomy tree.csv, or without a tree --by-example, "
    "--by-item (evaluate, compare, analyse) or --categories (agreement)",
    r" \(read_\w+ reads it\)|\bJudgments\.from_probabilities or (?=a column)": "",
    r"\bread_(?:runs|scores)\(\{[^}]*\}\)": "NAME=FILE",
    r"\bbaseline(?= ')": "--baseline",
    r"\bby_example\(category=\.\.\.\)": "--category",
    r"\bvotes\.by_item\(\)": "--by-item",
    r"\b\w+\.rescaled\(\)(?: and \w+\.rescaled\(\))?": "--rescale own",
    r"\bpaths?=(?=')": "",
    r"\bNone(?= \(chosen by the design\))": "left out",
}
_FLAG = re.compile(r"(?<!\S)--?[a-z][\w-]*")
_PYTHON = re.compile(r"\w=['(]|\bft\.\w|pairwise_agreement|\.directions\(")


def as_typed(message: str, command: str = "") -> str:
    """A message of the library, its arguments written as options, of a `command` those it has.

    Examples
    --------
    >>> as_typed("2 judgments are missing; say missing='nonrelevant'")
    '2 judgments are missing; say --missing nonrelevant'
    >>> as_typed("rel={'ann': 3, 'bob': 1}: there is no bob")
    '--rel ann=3,bob=1: there is no bob'
    >>> as_typed("give each subject a threshold, rel={'ann': ..., ...}")
    'give each subject a threshold, --rel ann=...,...'
    >>> as_typed("which is it? columns={'grade': 'My rating'}, drop=['na', 'no idea']")
    "which is it? --columns 'grade=My rating', --drop na --drop 'no idea'"
    >>> as_typed("groups=False ignores it; merge with truth.aggregate('mean' | 'max')")
    '--no-groups ignores it; merge with --aggregate mean|max'
    """
    for python, typed in _OF_PYTHON.items():
        message = re.sub(python, typed, message)
    message = _COLUMNS_RULE.sub(lambda match: flags()[match[1]], _LITERAL.sub(_literal, message))
    first, *advice = _ARGUMENT.sub(_option, message).split("; ")
    known = _options_of(command) if command and advice else set()
    lacks = (bool(known) and known.isdisjoint(_FLAG.findall(one) or known) for one in advice)
    kept = (x for x, no in zip(advice, lacks, strict=True) if not no or _OF_OTHERS.search(x))
    return "; ".join([first, *kept])


_OF_OTHERS = re.compile(r"\bfuzzytruth \w|\bevaluate\b")


@functools.cache
def _options_of(command: str) -> set[str]:
    """Options of a command, as typed."""
    return {flag for each in Lazy()[command].params for flag in (*each.opts, *each.secondary_opts)}


def text_typed(text: str) -> str:
    """A text of a result, what is Python's in it as typed, or left out."""
    return as_typed(text) if _PYTHON.search(text) else text


@functools.cache
def flags() -> dict[str, str]:
    """Options by the argument of the library that they are for."""
    found = dict(_OTHERS)
    for command in Lazy().values():
        for argument, flag in command.callback.flags.items():
            found.setdefault(argument, flag)
    return {name: flag for name, flag in found.items() if name not in _NO_OPTIONS}


def _literal(match: re.Match[str]) -> str:
    """A mapping as NAME=VALUE,..., a list as values."""
    flag, text = flags()[match[1]], match[2]
    shortened = text.removesuffix(", ...}")
    more = [] if shortened == text else ["..."]
    try:
        node = ast.parse(f"{shortened}}}" if more else text, mode="eval").body
    except SyntaxError:  # cut short
        return f"{flag} {re.sub(_BRACKETS, '', text)}"
    if isinstance(node, ast.Dict):
        each = zip(node.keys, node.values, strict=True)
        pairs = [f"{_plain(key)}={_plain(value)}" for key, value in each]
        return f"{flag} {_quoted(','.join(pairs + more))}"
    values = [_plain(value) for value in getattr(node, "elts", [])]
    if match[1] == "drop":
        return " ".join(f"{flag} {_quoted(value)}" for value in values)
    return f"{flag} {_quoted(','.join(values))}" if values else flag


def _quoted(text: str) -> str:
    """A text as a shell takes it for one word."""
    return f'"{text}"' if "'" in text and not set('"$`\\!') & set(text) else shlex.quote(text)


def _plain(node: ast.expr | None) -> str:
    """A text or number without quotes; None, a missing answer, is empty; a pair is a:b."""
    if isinstance(node, ast.Tuple):
        return ":".join(map(_plain, node.elts))
    if not isinstance(node, ast.Constant):
        return "" if node is None else ast.unparse(node)
    return "..." if node.value is ... else "" if node.value is None else str(node.value)


def _option(match: re.Match[str]) -> str:
    flag = flags().get(match[1])
    if flag is None:
        return match[0]
    value = next((text for text in match.groups()[1:] if text is not None), None)
    if value is None:  # `correction=` alone
        return flag
    if match[4] is not None:
        value = re.sub(r"['\" ]|,$", "", value)
    if match[1] == "design":
        return "--nested" if value == "nested" else "without --nested"
    if match[1] == "better":
        return flag
    if match[1] == "larger_is_better":
        return f"without {flag}" if value == "True" else flag
    if match[1] == "exclude_self":
        return flag
    if match[1] == "groups":
        if value == "intent":
            return "--intents"
        return flag if value == "True" else f"--no-{flag.removeprefix('--')}"
    return f"{flag} {value or repr(value)}"


def error_line(error: Exception, command: str = "") -> str:
    """The line that reports an error; one of the system without a file is of the screen."""
    if isinstance(error, OSError) and error.strerror:
        return _line("error", f"{error.filename or 'standard output'}: {error.strerror}")
    return _line("error", error, command)


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
def one_line_warnings(command: str = "") -> Iterator[None]:
    """Print warnings as they come, each line once, without file and line of the code."""
    said: set[str] = set()

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        line = _line("warning", message, command)
        if line not in said:
            said.add(line)
            print_line(line, sys.stderr)

    with warnings.catch_warnings():
        warnings.simplefilter("always", FuzzytruthWarning)
        warnings.showwarning = show
        yield


def _line(kind: str, message: object, command: str = "") -> str:
    return f"{kind}: {as_typed(' '.join(str(message).split()), command)}"


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
    near = nearest(error.option_name, options, prefix="-")
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
