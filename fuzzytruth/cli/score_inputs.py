"""Files of scores that a command line names: tables, saved scores, logs of harnesses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fuzzytruth.cli.inputs import split_names
from fuzzytruth.errors import OptionError, nearest, shown_all

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores import Scores


def hold_scores(
    texts: Sequence[str], columns: Mapping[str, str] | None = None, systems: Sequence[str] = ()
) -> bool:
    """Whether files hold scores, not judgments and runs: of a single file always.

    Of several, the first one decides, for judgments come first.
    """
    from fuzzytruth.evaluation.score_logs import holds_scores
    from fuzzytruth.io.paths import matching_files

    if len(texts) == 1 or systems:
        return True
    named, unnamed = split_names(texts[:1])
    files = matching_files([*named.values(), *unnamed])
    return holds_scores(files[0], columns=columns)


def read_score_files(
    texts: Sequence[str],
    *,
    columns: Mapping[str, str] | None,
    drop: Sequence[Any],
    systems: Sequence[str],
    kept: Sequence[str],
    lower: Sequence[str] = (),
) -> Scores:
    """Scores of one or several files, patterns, or NAME=FILE of logs.

    `kept` are columns of tables that group queries, `lower` measures of which less is better.
    """
    from fuzzytruth.evaluation.score_logs import read_scores

    named, unnamed = split_names(texts)
    if named and unnamed:
        raise OptionError(f"{unnamed[0]}: give every file of scores a name, NAME=FILE, or none")
    scores = read_scores(
        named or unnamed,
        columns=columns,
        drop=tuple(drop),
        systems=tuple(systems),
        clusters=tuple(kept) or None,
    )
    return _with_lower(scores, lower)


def _with_lower(scores: Scores, lower: Sequence[str]) -> Scores:
    """The same scores, of which less is better for some measures."""
    for name in lower:
        if name not in scores.measures:
            near = nearest(name, scores.measures)
            raise OptionError(
                f"--lower-is-better {name}: is not among the measures{near}; they are "
                f"{shown_all(scores.measures)}"
            )
    better = zip(scores.measures, scores.higher_is_better, strict=True)
    return replace(
        scores, higher_is_better=tuple(higher and name not in lower for name, higher in better)
    )
