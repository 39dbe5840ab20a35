"""What the library says of Python's forms, as it is typed on the command line."""

from __future__ import annotations

import ast
import functools
import re
import shlex

from fuzzytruth.cli.derive import Lazy

#: arguments whose options have another name, and those that no verb has by this name
_OTHERS = {
    "aggregate": "--aggregate",
    "category": "--category",
    "design": "--design",
    "deterministic": "--deterministic",
    "distances": "--distances",
    "duplicate_votes": "--duplicate-votes",
    "how": "--aggregate",
    "larger_is_better": "--distances",
    "gold": "--gold",
    "limit": "--limit",
    "measure": "--measure",
    "method": "--method",
    "name_by": "--name",
    "order": "--unsorted",
    "replicates": "--replicates",
    "rescaled": "--rescale",
    "run_columns": "--run-columns",
    "scales": "--rescale",
}
#: arguments of functions that are no options, although options of other functions are named so
_NO_OPTIONS = {"by"}
#: not a measure's parameter, which is typed in parentheses on the command line too, nor a name in
#: quotes
_ARGUMENT = re.compile(
    r"(?<![(,\w'\"])(?<!columns )"
    r"(\w+)=(?:'([^']*)'|\"([^\"]*)\"|\(([^)]*)\)|(-?(?:\w[\w.]*\w|\w))|(?![^\s,;:]))"
)
#: arguments that are mappings or lists, as Python writes them
_LITERAL = re.compile(
    r"(?<![(,\w'\"])(columns|components|drop|grades|margin|rel|run_columns|scales|subjects|systems)"
    r"(?:=|: )"
    r"(\{[^{}]*\}|\[[^\[\]]*\])"
)
_BRACKETS = re.compile(r"[\[\]{}'\"]")
_COLUMNS_RULE = re.compile(
    r"^(run_columns|columns|deterministic|grades|drop|rel|rescaled|scales|subjects)(?=: )"
)
#: what is said of Python -> of the command line
_OF_PYTHON: dict[str, str] = {
    r"\bft\.(structure|communities)\([^()]*\)": r"fuzzytruth \1",
    r"\bsee pairwise_agreement\b": "see fuzzytruth agreement --by pair",
    r"(?<=; all: )\.to_frame\(full=True\)": "--format csv, or -o FILE.csv",
    r"(?:All pairs)?: \.directions\(\)\.? ?": "",
    r"\bcategory=\{query: category\}": "--category NAME",
    r"\bname a root to join them: root='\w+'": "add a row for each with one parent",
    r"\btruth\.aggregate\(([^)]*)\)": r"aggregate=(\1)",
    r"\bread_assignments reads them\b": "add --taxonomy tree.csv, or without a tree --by-example, "
    "--by-item (evaluate, compare, analyse) or --categories (agreement)",
    r"\bAssignments\.from_frame reads them as categories": "--categories (agreement), --by-item or "
    "--by-example read them as categories",
    r"\bread_scores\(\.\.\., measures=\[\.\.\.\]\)": "--measure-columns NAME,...",
    r"\bmeasures=(?=, columns of one| chooses)": "--measure-columns",
    r" \(read_\w+ reads it\)|\bJudgments\.from_probabilities or (?=a column)": "",
    r"\bread_(?:runs|scores)\(\{[^}]*\}\)": "NAME=FILE",
    r"\{name: path, \.\.\.\}": "NAME=FILE,NAME=FILE",
    r", or the system of each run, with_replicates\(\{[^}]*\}\)": "",
    r"\bwith_replicates\((deterministic='[^']*')\)": r"\1",
    r"\bwith_replicates\(variance='pooled'\)": "replicate_variance='pooled'",
    r"\breplicate_of=\{run: system\}": "--replicates COLUMN, or '{system}.s{replicate}'",
    r"\bbaseline(?= ')": "--baseline",
    r"\bduplicates='last'(?= takes)": "--duplicate-votes last",
    r"\bby_example\(category=\.\.\.\)": "--category",
    r"\bvotes\.by_item\(\)": "--by-item",
    r"\b\w+\.rescaled\(\)(?: and \w+\.rescaled\(\))?": "--rescale own",
    r"\bpaths?=(?=')": "",
    r"\bNone(?= \(chosen by the design\))": "left out",
}
_FLAG = re.compile(r"(?<!\S)--?[a-z][\w-]*")
_PYTHON = re.compile(r"\bgold=|\w=['(]|\bft\.\w|pairwise_agreement|\.directions\(|; all: \.")


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
