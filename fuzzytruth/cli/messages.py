"""Errors and warnings, one line each, with options as typed on the command line."""

from __future__ import annotations

import ast
import errno
import re
import shlex
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from fuzzytruth.cli.output import print_line
from fuzzytruth.errors import FuzzytruthWarning

#: argument of the library -> option of the command line
FLAGS = {
    "N": "--collection-size",
    "absolute": "--absolute",
    "across_measures": "--across-measures",
    "aggregate": "--aggregate",
    "alpha": "--alpha",
    "alternative": "--alternative",
    "baseline": "--baseline",
    "better": "--better",
    "budget": "--budget",
    "category": "--category",
    "clusters": "--clusters",
    "coefficient": "--coefficient",
    "columns": "--columns",
    "components": "--component",
    "correction": "--correction",
    "cost_per_judgment": "--cost-per-judgment",
    "cost_per_query": "--cost-per-query",
    "cost_per_subject": "--cost-per-subject",
    "depth": "--depth",
    "design": "--design",
    "difference": "--difference",
    "distances": "--distances",
    "drop": "--drop",
    "duplicates": "--duplicates",
    "epsilon": "--epsilon",
    "exclude_self": "--exclude-self",
    "family": "--family",
    "g": "--g",
    "grades": "--grades",
    "groups": "--groups",
    "half_width": "--half-width",
    "how": "--aggregate",
    "items": "--items",
    "judgments_per_query": "--judgments-per-query",
    "larger_is_better": "--distances",
    "k": "--more-votes",
    "level": "--level",
    "limit": "--limit",
    "margin": "--margin",
    "metric": "--metric",
    "min_items": "--min-items",
    "mc_error": "--mc-error",
    "measure": "--measure",
    "missing": "--missing",
    "n_jobs": "--n-jobs",
    "n_resamples": "--n-resamples",
    "n_systems": "--n-systems",
    "n_worlds": "--n-worlds",
    "name": "--name",
    "name_by": "--name",
    "null": "--null",
    "of": "--of",
    "order": "--unsorted",
    "order_by": "--order-by",
    "over": "--over",
    "power": "--power",
    "prior": "--prior",
    "queries": "--queries",
    "rate": "--rate",
    "rel": "--rel",
    "replicate_of": "--replicate-of",
    "rescaled": "--rescale",
    "rng": "--seed",
    "rope": "--rope",
    "run_columns": "--run-columns",
    "scale": "--scale",
    "scales": "--rescale",
    "strata": "--strata",
    "subjects": "--subjects",
    "systems": "--systems",
    "ties": "--ties",
    "undefined": "--undefined",
    "unjudged": "--unjudged",
    "unseen": "--unseen",
    "worlds": "--worlds",
}
_NAMES = "|".join(FLAGS)
#: not a measure's parameter, which is typed in parentheses on the command line too, nor a name in
#: quotes
_ARGUMENT = re.compile(
    rf"(?<![(,\w'\"])({_NAMES})=(?:'([^']*)'|\"([^\"]*)\"|\(([^)]*)\)|(-?(?:\w[\w.]*\w|\w))|(?![^\s,;:]))"
)
_AGGREGATE = re.compile(r"\btruth\.aggregate\(([^)]*)\)")
_BY_EXAMPLE = re.compile(r"\bby_example\(category=\.\.\.\)")
#: arguments that are mappings or lists, as Python writes them
_LITERAL = re.compile(
    r"(?<![(,\w'\"])(columns|components|drop|grades|margin|rel|run_columns|scales|subjects|systems)"
    r"(?:=|: )"
    r"(\{[^{}]*\}|\[[^\[\]]*\])"
)
_BRACKETS = re.compile(r"[\[\]{}'\"]")
_COLUMNS_RULE = re.compile(r"^(run_columns|columns|grades|drop|rel|rescaled|scales|subjects)(?=: )")
_RESCALED = re.compile(r"\b\w+\.rescaled\(\)(?: and \w+\.rescaled\(\))?")
_PATH = re.compile(r"\bpaths?=(?=')")
_BASELINE = re.compile(r"\bbaseline(?= ')")
_LEFT_OUT = re.compile(r"\bNone(?= \(chosen by the design\))")
_READER = re.compile(r" \(read_\w+ reads it\)|\bJudgments\.from_probabilities or (?=a column)")
_VOTES = re.compile(r"\bread_assignments reads them\b")
_VOTES_TYPED = (
    "add --categories (agreement), --by-example or --by-item (evaluate, compare, analyse), or "
    "--taxonomy TREE (judges)"
)
#: what systems say when there is no memory for a library or a thread
_NO_MEMORY = re.compile(
    ".*(?:failed to map segment|cannot allocate memory|can't start new thread|bad_alloc"
    "|failed to launch worker thread).*",
    re.I,
)
_NAMED_FILES = re.compile(r"\bread_(?:runs|scores)\(\{[^}]*\}\)")


def as_typed(message: str) -> str:
    """A message of the library, its arguments written as options.

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
    message = _VOTES.sub(_VOTES_TYPED, _AGGREGATE.sub(_aggregate, message))
    message = _NAMED_FILES.sub("NAME=FILE", _READER.sub("", message))
    message = _BASELINE.sub(FLAGS["baseline"], message)
    message = _BY_EXAMPLE.sub(FLAGS["category"], message)
    message = _COLUMNS_RULE.sub(lambda match: FLAGS[match[1]], _LITERAL.sub(_literal, message))
    message = _RESCALED.sub(f"{FLAGS['scales']} own", message)
    message = _LEFT_OUT.sub("left out", _PATH.sub("", message))
    return _ARGUMENT.sub(_option, message)


def _aggregate(match: re.Match[str]) -> str:
    return f"{FLAGS['aggregate']} {re.sub(r'[^a-z|]', '', match[1])}"


def _literal(match: re.Match[str]) -> str:
    """A mapping as NAME=VALUE,..., a list as values."""
    flag, text = FLAGS[match[1]], match[2]
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
    flag = FLAGS[match[1]]
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
