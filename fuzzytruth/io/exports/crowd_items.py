"""The items of tables that crowdsourcing platforms write."""

from __future__ import annotations

from collections.abc import Sequence

from fuzzytruth.io.column_names import is_spelling


def item_column(header: Sequence[str], prefix: str, task: str) -> str:
    """The column that names the item: a usual name, or the only one, among inputs; else the task.

    Examples
    --------
    >>> item_column(["INPUT:image", "OUTPUT:cat"], "INPUT:", "ASSIGNMENT:task_id")
    'INPUT:image'
    >>> item_column(["INPUT:a", "INPUT:b", "OUTPUT:better"], "INPUT:", "ASSIGNMENT:task_id")
    'ASSIGNMENT:task_id'
    """
    inputs = [name for name in header if name.startswith(prefix)]
    usual = [n for n in inputs if is_spelling(n, "item")]
    if len(usual) == 1:
        return usual[0]
    return inputs[0] if len(inputs) == 1 else task
