"""The field of the tasks in an export that names their items."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from fuzzytruth.io.column_names import best_matches, is_spelling

#: what stands before nested fields of a task
_NESTED = re.compile(r"(?:(?:data|fields|meta|metadata)\.)+(?=.)")


def item_field(
    names: Iterable[str], tasks: Sequence[Mapping[str, Any]], otherwise: str | None = None
) -> str | None:
    """The field that names the item of each task; None if only the tool's own id can.

    It is the one whose name is the best spelling of `item`, else `otherwise`. Fields that some
    task lacks do not count, nor do several of equally good spellings.

    Examples
    --------
    >>> item_field(["data.doc_id", "data.doc"], [{"data.doc_id": 7, "data.doc": "Cats purr."}])
    'data.doc_id'
    >>> item_field(["text", "id"], [{"text": "Cats purr.", "id": 3}]) is None
    True
    """
    own: dict[str, list[str]] = {}
    for name in names:
        plain = _NESTED.sub("", name, count=1)
        if is_spelling(plain, "item") and not _n_without(tasks, name):
            own.setdefault(plain, []).append(name)
    best = [name for plain in best_matches("item", list(own)) for name in own[plain]]
    if not best and otherwise is not None and not _n_without(tasks, otherwise):
        return otherwise
    return best[0] if len(best) == 1 else None


def only_field(header: Iterable[str], prefix: str) -> str | None:
    """The only column with this prefix; None if there are none or several.

    Examples
    --------
    >>> only_field(["INPUT:a", "OUTPUT:b"], "INPUT:")
    'INPUT:a'
    """
    inputs = [name for name in header if name.startswith(prefix)]
    return inputs[0] if len(inputs) == 1 else None


def gaps(names: Iterable[str], tasks: Sequence[Mapping[str, Any]]) -> dict[str, int]:
    """The fields called like an item that only some tasks have -> how many tasks lack them.

    Examples
    --------
    >>> gaps(["image", "text"], [{"image": "a", "text": "Cats purr."}, {"image": ""}])
    {'image': 1}
    """
    own = [name for name in names if is_spelling(_NESTED.sub("", name, count=1), "item")]
    return {name: n for name in own if 0 < (n := _n_without(tasks, name)) < len(tasks)}


def _n_without(tasks: Iterable[Mapping[str, Any]], name: str) -> int:
    return sum(task.get(name) in (None, "") for task in tasks)
