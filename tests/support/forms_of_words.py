"""Words that only Python, or only a shell, takes, in texts for those who use the other."""

import html
import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

import fuzzytruth as ft
from support.command_line import COMMANDS

_CLASSES = "|".join(name for name in dir(ft) if name[0].isupper())
_FUNCTIONS = "|".join(
    name for name in dir(ft) if "_" in name.strip("_") and name.replace("_", "-") not in COMMANDS
)
#: an argument with a literal, a method, a name of the package, a constant, a line of methods
_PYTHON = re.compile(
    r"(?<![\w-])[a-z]\w*=(?:['\"({\[]|(?:True|False|None)\b)|(?<!\w)\.[a-z_]+\(|\bft\.\w|`"
    rf"|\b(?:{_CLASSES})\.[a-z]|\b(?:{_FUNCTIONS}|(?:read|to|from|by|with)_[a-z]\w*)\b(?!\.)"
    r"|\b(?:True|False|None)\b(?! of | [a-z]+ changes)|^More: |\b\w+=(?=[\s,;:]|\.(?!\.)|$)"
)
#: a measure with parameters, which is typed so in a shell, too; what its values may be
_MEASURE = re.compile(r"\b\w+\(\w+=[^()]*\)(?:@\d+)?")
_FLAG = re.compile(r"(?<![\w-])(?:--[a-z][\w-]*|-[a-zA-Z]\b)")
_COMMAND = re.compile(rf"\bfuzzytruth ({'|'.join(COMMANDS)})\b|\b(evaluate|compare|agreement)\b")


def pythonisms(text: str) -> list[str]:
    """Lines that a shell does not take as they are."""
    lines = (_MEASURE.sub("M", line.strip()) for line in text.splitlines())
    return [line for line in lines if _PYTHON.search(line)]


def options_of(command: str) -> set[str]:
    """Options of a command."""
    return {flag for one in COMMANDS[command].params for flag in (*one.opts, *one.secondary_opts)}


def unknown_options(text: str, command: str) -> list[str]:
    """Options that neither a command has, nor one that is named beside them."""
    out = []
    for sentence in re.split(r"; |(?<=\.) |\n", text):
        others = (name for pair in _COMMAND.findall(sentence) for name in pair if name)
        if "has no such option" in sentence:
            continue
        known = {"--help", "--debug"}.union(*map(options_of, (command, *others)))
        out += [f"{flag}: {sentence}" for flag in _FLAG.findall(sentence) if flag not in known]
    return out


def of_another_form(texts: Iterable[str], command: str) -> list[str]:
    """What is Python's in texts of a command, and which options it does not have."""
    whole = [re.sub(r"\n  (?=\S)", " ", text) for text in texts]  # folded lines are indented
    return [wrong for text in whole for wrong in pythonisms(text) + unknown_options(text, command)]


def shellisms(text: str) -> list[str]:
    """Options, and commands with their options, in a text for Python."""
    return re.findall(rf"(?<![\w-])--[a-z][\w-]*|\bfuzzytruth (?:{'|'.join(COMMANDS)})\b", text)


def texts_of_page(page: str) -> Iterator[str]:
    """The texts of a page and of its data, without styles, code and the command that made it."""
    for data in re.findall(r'<script type="application/json">(.*?)</script>', page):
        yield from _texts_of(json.loads(data))
    page = re.sub(r"<(style|script|pre|code)\b.*?</\1>", "", page, flags=re.DOTALL)
    yield from (html.unescape(text).strip() for text in re.split(r"<[^>]*>", page))


def _texts_of(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data if " " in data else ""  # not numbers in base 64
    elif isinstance(data, dict | list):
        for one in data.values() if isinstance(data, dict) else data:
            yield from _texts_of(one)
