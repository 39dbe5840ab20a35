"""What the library says of Python's forms, as it is typed on the command line.

All text of messages, results and pages leaves the command line through `as_typed` or `text_typed`.
"""

from __future__ import annotations

import ast
import functools
import re
import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from types import MappingProxyType

import fuzzytruth
from fuzzytruth.cli.derive import MODULES, Lazy
from fuzzytruth.errors import FuzzytruthError

#: the command that is run; "" for none
COMMAND: ContextVar[str] = ContextVar("COMMAND", default="")
_COMMANDS = Lazy()
_NAMED: ContextVar[Mapping[str, str]] = ContextVar("_NAMED", default=MappingProxyType({}))

#: arguments whose options have another name
_OTHERS = {
    "design": "--nested",
    "how": "--aggregate",
    "larger_is_better": "--distances",
    "name_by": "--name",
    "rescaled": "--rescale",
    "scales": "--rescale",
}
#: arguments of several functions, and options of one command
_OF_ONE = {"by", "runs"}
#: values that are options of their own
_VALUES = {
    ("columns", "{'subject': ...}"): "--columns subject=...",
    ("coefficient", "weighted_kappa"): "--coefficient weighted-kappa",
    ("design", "nested"): "--nested",
    ("design", "crossed"): "without --nested",
    ("groups", "intent"): "--intents",
    ("larger_is_better", "True"): "without --distances",
    ("larger_is_better", "False"): "--distances",
}
#: what is said of Python -> of the command line
_OF_PYTHON = {
    "ft.structure(votes, runs, measures)": "fuzzytruth structure",
    "ft.communities(votes)": "fuzzytruth communities",
    "see pairwise_agreement": "see fuzzytruth agreement --by pair",
    "; all: .scores.to_frame()": "; all: fuzzytruth evaluate --per-query",
    "; all: .to_frame(full=True)": "; all: --format csv, or -o FILE.csv",
    "All pairs: .directions(). ": "",
    "All pairs: .directions().": "",
    ": .directions()": "",
    "name a root to join them: root='all'": "add a row for each with one parent",
    "truth.aggregate(": "aggregate=(",
    ", or aggregate('mean') first, to the expected grades": "",
    "read_assignments reads them": "add --taxonomy tree.csv, or without a tree --by-example, "
    "--by-item (evaluate, compare, analyse) or --categories (agreement)",
    "Assignments.from_frame reads them as categories": "--categories (agreement), --by-item or "
    "--by-example read them as categories",
    "read_scores(..., measures=[...])": "--measure-columns NAME,...",
    "read_runs({name: path, ...})": "NAME=FILE",
    "read_scores({name: path, ...})": "NAME=FILE",
    "{name: path, ...}": "NAME=FILE,NAME=FILE",
    "with_replicates(variance='pooled')": "replicate_variance='pooled'",
    "replicate_of={run: system}": "--replicates COLUMN, or '{system}.s{replicate}'",
    "by_example(category={query: category})": "--category NAME",
    "by_example(category=...)": "--category NAME",
    "category={query: category}": "--category NAME",
    "by_example retrieves": "--by-example retrieves",
    "by_example is about": "--by-example is about",
    "; by_item has": "; --by-item has",
    "votes.by_example()": "--by-example",
    "votes.by_item()": "--by-item",
    "human.rescaled() and model.rescaled()": "--rescale own",
    "truth.rescaled()": "--rescale own",
    "votes.rescaled()": "--rescale own",
    "None (chosen by the design)": "left out (chosen by the design)",
    "None, a whole number from 0, a NumPy SeedSequence or a Generator": "a whole number from 0",
    "such as (0, 3)": "such as 0,3",
    "several as a list of texts": "several with commas between them",
    "(read_judgments reads it)": "Several files of judgments are joined by commas, or given by a "
    "pattern in quotes",
    "Scores.save": "evaluate --save",
    "and more: measures.names()": "and more, see fuzzytruth measures",
}
#: names of what Python calls, and is read as code with a parenthesis or an underscore
_CALLED = sorted({*fuzzytruth._HOME, "by_example", "by_item", "by_subject", "with_replicates"})
_FUNCTIONS = {name for name in _CALLED if name.islower() and name.replace("_", "-") not in MODULES}
#: code that has no form on the command line, as in "Judgments.select" or "frame.compute()"
_CODE = (
    rf"(?:\b(?:{'|'.join(name for name in _CALLED if name[0].isupper())})\.\w+"
    rf"|\b(?:read_\w+|{'|'.join(name for name in _FUNCTIONS if '_' in name)})\b"
    rf"|(?<![\w.])\w*(?:\.[a-z]\w+)+(?=\()|\b(?:{'|'.join(_CALLED)})(?=\())(?:\([^()]*\))?"
)
#: clauses that say what is done by it: in parentheses, before or after another way
_CLAUSE = re.compile(
    rf" \([^()]*{_CODE}[^()]*\)|{_CODE} or (?=a column)|, (?:or|and|as) [^,;]*{_CODE}[^,;:]*"
)
_REMARK = re.compile(_CODE)
#: calls of which the argument alone is typed
_CALL = re.compile(
    r"\b(?:with_replicates|\w+\.from_\w+|read_\w+)\((?:\w+, )?(\w+=(?:'[^']*'|{[^{}]*}))\)"
)
#: an argument with its value; not a measure's parameter, which is typed in parentheses on the
#: command line too, nor a name in quotes
_ARGUMENT = re.compile(
    r"(?<![,\w'\"])(?<!\w\()(?<!columns )(\w+)(?:=(\{[^{}]*\}|\[[^\[\]]*\]|\([^)]*\)"
    r"|'[^']*'|\"[^\"]*\"|-?(?:\w[\w.]*\w|\w)|(?![^\s,;:]))|: (\{[^{}]*\}|\[[^\[\]]*\]))"
)
#: what a message begins with: arguments, or a function; queries and items are the data
_SUBJECT = re.compile(r"^(?!queries\b|items\b)\w+(?:, \w+)*(?=: (?![{\[]))")
#: what a message begins with that is about a measure, whose parameters are typed as arguments
_OF_MEASURE = re.compile(r"\w+\(\w+=[^()]*\)\S*: ")
_NONE = "\0"  # in place of an argument that no option is for
_UNQUOTED = dict.fromkeys(map(ord, "[]{}'\""))
_FLAG = re.compile(r"(?<!\S)--?[a-z][\w-]*")
_OF_OTHERS = re.compile(r"\bfuzzytruth \w|\bevaluate\b")


@contextmanager
def naming(**flags: str) -> Iterator[None]:
    """Let errors and warnings of a call name its arguments by these options; "" for none."""
    before = _NAMED.set({**_NAMED.get(), **flags})
    try:
        yield
    except FuzzytruthError as error:
        raise type(error)(as_typed(str(error))) from error
    finally:
        _NAMED.reset(before)


def as_typed(message: str, command: str | None = None) -> str:
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
    command = COMMAND.get() if command is None else command
    message = _SUBJECT.sub(functools.partial(_subject, command), _phrased(message))
    option = functools.partial(_option, command, True)
    first, *advice = _ARGUMENT.sub(option, message).split("; ")
    known = _options_of(command) if command and advice else set()
    lacks = (bool(known) and known.isdisjoint(_FLAG.findall(one) or known) for one in advice)
    kept = (x for x, no in zip(advice, lacks, strict=True) if not no or _OF_OTHERS.search(x))
    return "; ".join(
        [first, *(one for one in kept if not _REMARK.search(one) and _NONE not in one)]
    )


def text_typed(text: str) -> str:
    """A text of a result, what is Python's in it as typed, or left out."""
    if not {*"=(_"} & {*text}:  # as numbers and most names
        return text
    return _ARGUMENT.sub(functools.partial(_option, COMMAND.get(), False), _phrased(text))


def _phrased(text: str) -> str:
    """A text with what is said of Python as said of the command line, or left out."""
    for python, typed in _OF_PYTHON.items():
        text = text.replace(python, typed)
    return _CLAUSE.sub("", _CALL.sub(r"\1", text))


@functools.cache
def _options_of(command: str) -> set[str]:
    """Options of a command, as typed; of none, those of all."""
    made = [_COMMANDS[command]] if command else _COMMANDS.values()
    every = (each for one in made for each in one.params)
    return {flag for each in every for flag in (*each.opts, *each.secondary_opts)}


@functools.cache
def flags(command: str = "") -> dict[str, str]:
    """Options by the argument of the library that they are for, first those of a command."""
    found: dict[str, str] = {}
    for name in reversed(MODULES):
        found |= _COMMANDS[name].callback.flags
    own = _COMMANDS[command].callback.flags if command else {}
    return {name: flag for name, flag in found.items() if name not in _OF_ONE} | _OTHERS | own


def _subject(command: str, match: re.Match[str]) -> str:
    """What a message is about: options that the command has, or the command."""
    names, options = match[0].split(", "), _options_of(command)
    if names[0] in _FUNCTIONS:
        flag = f"--{names[0].replace('_', '-')}"
        return flag if flag in options else command or match[0]
    of = {**flags(command), **_NAMED.get()}
    return ", ".join(of[name] for name in names) if {*map(of.get, names)} <= options else match[0]


def _option(command: str, plain: bool, match: re.Match[str]) -> str:
    """An argument with its value as an option; those with `plain` values, as rel=2, if asked."""
    name, text = match[1], match[2] or match[3] or ""
    flag = {**flags(command), **_NAMED.get()}.get(name)
    if name in ("path", "paths") and text.startswith("'"):
        return text
    if flag == "" or text.startswith(("{'parent'", "{'child'")):  # no option is for the tree's
        return _NONE
    if flag is None or not (plain or text[:1] in {*"'\"({[", ""} or text in ("True", "False")):
        return match[0]
    value = text.strip("'\"")
    if command and flag not in _options_of(command) and _OF_MEASURE.match(match.string):
        return f"{name}={value}"
    if (name, value) in _VALUES:
        return _VALUES[name, value]
    if value in ("", "True", "None"):  # `correction=` alone
        return f"{flag} ''" if text in ("''", '""') else flag
    if value == "False":
        off = f"--no-{flag.removeprefix('--')}"
        return off if off in _options_of(command) else f"without {flag}"
    if text[0] in "{[":
        return _literal(name, flag, text)
    if text[0] == "(":
        value = re.sub(r"['\" ]|,$", "", text[1:-1])
    return f"{flag} {value}"


def _literal(name: str, flag: str, text: str) -> str:
    """A mapping as NAME=VALUE,..., a list as values."""
    shortened = text.removesuffix(", ...}")
    more = [] if shortened == text else ["..."]
    try:
        node = ast.parse(f"{shortened}}}" if more else text, mode="eval").body
    except SyntaxError:  # cut short
        return f"{flag} {text.translate(_UNQUOTED)}"
    if isinstance(node, ast.Dict):
        each = zip(node.keys, node.values, strict=True)
        pairs = [f"{_plain(key)}={_plain(value)}" for key, value in each]
        return f"{flag} {_quoted(','.join(pairs + more))}"
    values = [_plain(value) for value in getattr(node, "elts", [])]
    if name == "drop":
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
