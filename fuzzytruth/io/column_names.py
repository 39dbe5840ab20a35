"""Names of columns, and the spellings of them that are accepted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fuzzytruth.errors import DataError, require, shown_all

#: canonical name of a column -> accepted spellings, in lower case, the canonical one first
COLUMN_ALIASES: dict[str, tuple[str, ...]] = {
    "query": ("query", "query_id", "qid", "q_id", "topic", "topic_id"),
    "item": (
        *("item", "doc_id", "docid", "docno", "document", "doc", "image", "task", "item_id"),
        "pmid",
    ),
    "score": ("score", "sim", "similarity"),
    "grade": ("grade", "relevance", "rel", "label", "gain", "rel_level"),
    "subject": ("subject", "annotator", "worker", "assessor", "rater", "reader", "user", "judge"),
    "intent": ("intent", "subtopic", "aspect"),
    "category": ("category", "class", "node", "label", "response", "concept"),
    "cluster": ("cluster", "cluster_id", "group"),
    "stratum": ("stratum", "stratum_id", "group"),
    "weight": ("weight",),
    "count": ("count",),
    "repeat": ("repeat",),
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


#: what has these columns: alternatives for each, by canonical names
_TABLES: dict[str, tuple[tuple[str, ...], ...]] = {
    "a run": (("query",), ("item",), ("score", "distance", "rank")),
    "judgments": (("query",), ("item",), ("grade", "probability")),
    "scores": (("system",), ("query",), ("value",)),
    "votes for categories": (("subject",), ("item",), ("category",)),
    "a taxonomy": (("parent",), ("child",)),
}

#: spellings that can mean nothing but grades
_ONLY_GRADES = frozenset({"relevance", "rel", "gain", "rel_level"})


def find_columns(
    present: Iterable[str],
    required: tuple[str, ...],
    optional: tuple[str, ...],
    *,
    where: str,
    any_of: tuple[str, ...] = (),
) -> dict[str, str]:
    """Match the columns `present` with canonical names, at least one of `any_of` among them.

    Returns
    -------
    dict
        Canonical name -> the column's own name, for each column that matches.

    Raises
    ------
    DataError
        A required column is missing, or two columns match the same canonical name.
    """
    present = list(present)
    matched: dict[str, str] = {}
    for name in (*required, *any_of, *optional):
        matches = [c for c in present if str(c).strip().lower() in COLUMN_ALIASES[name]]
        exact = [c for c in matches if str(c).strip().lower() == name]
        if len(exact) == 1:  # two columns of grades stay ambiguous
            matches = exact + [c for c in matches if str(c).strip().lower() in _ONLY_GRADES]
        if len(matches) > 1:
            raise DataError(
                f"{where}: columns {', '.join(map(repr, matches))} all mean {name!r}; keep one"
            )
        if matches:
            matched[name] = matches[0]
    missing = [name for name in required if name not in matched]
    if not missing and any_of and matched.keys().isdisjoint(any_of):
        missing = list(any_of)
    if missing:
        reported = missing if missing[0] in any_of else missing[:1]
        raise DataError(
            f"{where}: no column for {' or '.join(map(repr, reported))} (accepted: "
            f"{', '.join(alias for name in reported for alias in COLUMN_ALIASES[name])}); columns "
            f"present: {shown_all(map(str, present))}{_seems(present)}"
        )
    return matched


def _seems(present: Iterable[Any]) -> str:
    """What else has the columns `present`, ready to end a message; empty if nothing."""
    names = {str(name).strip().lower() for name in present}
    for what, columns in _TABLES.items():
        if all(any(names & {*COLUMN_ALIASES[c]} for c in either) for either in columns):
            return f", which are those of {what}; is this the file you mean?"
    return ""


def columns_of(frame: Any, where: str, otherwise: str = "") -> list[Any]:
    """Names of the columns of a DataFrame.

    Raises
    ------
    OptionError
        `frame` is something else; `otherwise` ends the message.
    """
    require(where, frame, hasattr(frame, "columns"), f"must be a DataFrame{otherwise}")
    return list(frame.columns)
