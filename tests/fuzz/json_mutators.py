"""Mutations of JSON: values, keys, types, nesting; and of its text."""

import copy
import json
import random
from collections.abc import Callable
from typing import Any

from fuzz.mutators import damaged, other_lines

#: text of values, which need not be JSON
VALUES = [
    *(
        "null",
        "true",
        "false",
        "0",
        "-0",
        "-0.0",
        "1",
        "2",
        "1.5",
        "1e3",
        "1e308",
        "1e999",
        "5e-324",
    ),
    *(
        "NaN",
        "Infinity",
        "-Infinity",
        "9" * 25,
        "9" * 400,
        "9" * 5000,
        "0.1e-400",
        "01",
        "+1",
        ".5",
    ),
    *(
        '""',
        '" "',
        '"x"',
        '"q"',
        '"1"',
        '"1.5"',
        '"1_0"',
        '"nan"',
        '"1e999"',
        '"\\u0000"',
        '"\\ud800"',
    ),
    *('"\\ufeff"', '"a\\nb"', '"\\u001b[31m"', '"\\u202e"', '"\\u0661"', '"' + "y" * 140_000 + '"'),
    *("[]", "{}", "[[]]", "[1]", '["a"]', '["a", "a"]', "[null]", '{"a": 1}', '{"a": {"b": 1}}'),
    *('{"a": 1, "a": 2}', "[" * 2000 + "]" * 2000, '{"a":' * 3000 + "1" + "}" * 3000, "'x'", "x"),
]
_MARK = "@@value@@"


def json_mutator(*, lines: bool = False) -> Callable[[bytes, random.Random], bytes]:
    """One to three mutations of a JSON text, or of lines of JSON."""

    def mutate(data: bytes, rng: random.Random) -> bytes:
        if rng.random() < 0.25:
            return (damaged if rng.random() < 0.7 else other_lines)(data, rng)
        if not lines:
            return _of_value(data, rng)
        parts = data.split(b"\n")
        if rng.random() < 0.3:
            parts = other_lines(data, rng).split(b"\n")
        at = rng.choice([j for j, part in enumerate(parts) if part.strip()])
        parts[at] = _of_value(parts[at], rng)
        return b"\n".join(parts)

    return mutate


def _of_value(data: bytes, rng: random.Random) -> bytes:
    """Some values are replaced, dropped, repeated, wrapped or moved."""
    try:
        value = json.loads(data)
    except ValueError:
        return damaged(data, rng)
    texts: list[str] = []
    holder = [value]
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        _change(holder, rng, texts)
    out = json.dumps(holder[0], ensure_ascii=rng.random() < 0.5)
    for j, text in enumerate(texts):
        out = out.replace(f'"{_MARK}{j}"', text)
    return out.encode(errors="surrogatepass")


def _change(holder: list[Any], rng: random.Random, texts: list[str]) -> None:
    """Change one value, chosen by a walk from the top."""
    parent: Any = holder
    key: Any = 0
    while isinstance(parent[key], (dict, list)) and parent[key] and rng.random() < 0.85:
        parent = parent[key]
        key = rng.choice(list(parent) if isinstance(parent, dict) else range(len(parent)))
    match rng.randrange(9):
        case 0:
            if parent is not holder:
                del parent[key]
        case 1 if isinstance(parent, list) and parent is not holder:
            parent.insert(rng.randrange(len(parent) + 1), copy.deepcopy(parent[key]))
        case 1 | 2 if isinstance(parent, dict):
            name = rng.choice(("", " ", "zzz", "grade", "query", "Item", key + " ", "\0"))
            parent[name] = parent.pop(key) if rng.random() < 0.5 else copy.deepcopy(parent[key])
        case 3:
            parent[key] = [parent[key]]
        case 4:
            parent[key] = {"a": parent[key]}
        case 5:
            inner = parent[key]
            if isinstance(inner, (dict, list)) and inner:
                parent[key] = rng.choice(list(inner.values() if isinstance(inner, dict) else inner))
            else:
                parent[key] = str(inner)
        case 6 if isinstance(parent, dict):
            others = rng.choice(list(parent))
            parent[key], parent[others] = parent[others], parent[key]
        case _:
            parent[key] = f"{_MARK}{len(texts)}"
            texts.append(rng.choice(VALUES))
