"""The names under which columns go in other people's files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fuzzytruth.errors import DataError, require, shown_all

#: canonical column name -> the spellings accepted for it (lower case; the canonical one first)
COLUMN_ALIASES: dict[str, tuple[str, ...]] = {
    "query": ("query", "query_id", "qid", "q_id", "topic", "topic_id"),
    "item": (
        *("item", "doc_id", "docid", "docno", "document", "doc", "image", "task", "item_id"),
        "pmid",
    ),
    "score": ("score", "sim", "similarity"),
    "grade": ("grade", "relevance", "rel", "label", "gain", "rel_level"),
    "subject": ("subject", "annotator", "worker", "assessor", "rater", "user", "judge"),
    "category": ("category", "class", "node", "label", "response", "concept"),
    "weight": ("weight",),
    "probability": ("probability", "prob"),
    "position": ("position",),
    "rank": ("rank",),
    "system": ("system", "run", "run_id", "runid", "tag"),
    "value": ("value", "score", "metric_value", "result"),
    "measure": ("measure", "metric"),
    "distance": ("distance", "dist"),
    "parent": ("parent", "parent_id", "hypernym", "superclass", "broader", "source"),
    "child": (
        *("child", "child_id", "hyponym", "subclass", "narrower", "target"),
        "category",
    ),
}


#: what nobody calls anything but grades
_GRADES = frozenset({"relevance", "rel", "gain", "rel_level"})


def find_columns(
    present: Iterable[str],
    required: tuple[str, ...],
    optional: tuple[str, ...],
    *,
    where: str,
    any_of: tuple[str, ...] = (),
) -> dict[str, str]:
    """Match the columns that are `present` with canonical names.

    Of `any_of`, one must be there.

    Returns
    -------
    dict
        canonical name -> the column's own name, for each wanted column found.

    Raises
    ------
    DataError
        A required column is missing, or two columns go by the same canonical name.
    """
    present = list(present)
    found: dict[str, str] = {}
    for name in (*required, *any_of, *optional):
        matches = [c for c in present if str(c).strip().lower() in COLUMN_ALIASES[name]]
        exact = [c for c in matches if str(c).strip().lower() == name]
        if len(exact) == 1:  # but of two columns of grades none is better
            matches = exact + [c for c in matches if str(c).strip().lower() in _GRADES]
        if len(matches) > 1:
            raise DataError(
                f"{where}: columns {', '.join(map(repr, matches))} all mean {name!r}; keep one"
            )
        if matches:
            found[name] = matches[0]
    lacking = [name for name in required if name not in found]
    if not lacking and any_of and found.keys().isdisjoint(any_of):
        lacking = list(any_of)
    if lacking:
        wanted = lacking if lacking[0] in any_of else lacking[:1]
        raise DataError(
            f"{where}: no column for {' or '.join(map(repr, wanted))} (accepted: "
            f"{', '.join(alias for name in wanted for alias in COLUMN_ALIASES[name])}); columns "
            f"present: {shown_all(map(str, present))}"
        )
    return found


def columns_of(frame: Any, where: str, otherwise: str = "") -> list[Any]:
    """Names of the columns of a frame.

    Raises
    ------
    OptionError
        It is something else; `otherwise` ends the message.
    """
    require(where, frame, hasattr(frame, "columns"), f"must be a DataFrame{otherwise}")
    return list(frame.columns)
