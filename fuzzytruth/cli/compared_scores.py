"""Scores that commands compare: read from files of scores, or made of judgments and runs.

Commands that compare have the same arguments and options for these, which are read from their
context.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from fuzzytruth.cli.derived import EVALUATION, JUDGED, typed_flags
from fuzzytruth.cli.inputs import (
    Keep,
    check_outputs,
    groups_of_option,
    measures_of,
    note_unused,
    of_systems,
    scores_of,
    split_names,
)
from fuzzytruth.cli.options import columns_of, dropped, files_of, names_of, split_measures
from fuzzytruth.cli.typed_words import naming
from fuzzytruth.errors import DataError, OptionError, nearest, shown, shown_all

if TYPE_CHECKING:
    from fuzzytruth.evaluation.scores.scores import Scores
    from fuzzytruth.measures import Measure
    from fuzzytruth.stats.observations import Kind


# Files of scores that a command line names: tables, saved scores, logs of harnesses.


def hold_scores(
    texts: Sequence[str], columns: Mapping[str, str] | None = None, wide: Sequence[str] = ()
) -> bool:
    """Whether files hold scores, not judgments and runs: of a single file always.

    Of several, the first one decides, for judgments come first, unless columns of systems or
    measures are named.
    """
    return len(texts) == 1 or bool(wide) or begins_with_scores(texts[0], columns)


def begins_with_scores(text: str, columns: Mapping[str, str] | None = None) -> bool:
    """Whether the first file of a pattern, a folder, or NAME=FILE,... holds scores."""
    from fuzzytruth.evaluation.tables.score_logs import holds_scores
    from fuzzytruth.io.files import matching_files

    files = files_of(text)
    several = [*files.values()] if isinstance(files, dict) else files
    first = Path(several[0] if isinstance(several, list) else text)
    return holds_scores(first if first.is_dir() else matching_files(first)[0], columns=columns)


def read_score_files(
    given: Mapping[str, Any],
    texts: Sequence[str],
    kept: Sequence[str],
    *,
    collection: str = "",
    **columns: Any,
) -> Scores:
    """Scores of one or several files, patterns, or NAME=FILE of logs.

    `kept` are columns of tables that group queries, and `columns` others that were named. If a
    `collection` is random, it is an attribute of queries, or what files by NAME=FILE are.
    """
    from fuzzytruth.evaluation.scores.concat import concat
    from fuzzytruth.evaluation.tables.score_logs import read_scores

    named, unnamed = split_names(texts)
    if named and unnamed:
        raise OptionError(f"{unnamed[0]}: give every file of scores a name, NAME=FILE, or none")
    replicates, drop = given["replicates"] or "", dropped(given["drop"])
    lower = names_of("--lower-is-better", given["lower_is_better"])
    if "{" not in replicates:
        columns["replicates"] = replicates or None

    def read(files: Any, *more: str) -> Scores:
        with naming(measures="--measure-columns", replicates="--replicates", systems="--systems"):
            return read_scores(files, clusters=(*kept, *more) or None, drop=drop, **columns)

    if collection and named:
        parts = {name: read([file]) for name, file in named.items()}
        return _with_lower(concat(parts, as_=collection), lower)
    try:
        scores = read(named or unnamed, *([collection] if collection else []))
    except (DataError, OptionError):  # without this attribute: what compares says which there are
        scores = read(named or unnamed)
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


@dataclass(frozen=True, slots=True, eq=False)
class Compared:
    """What a command compares.

    Parameters
    ----------
    scores : Scores
    measures : list of str or None
        Of the scores; None: all.
    groups : dict
        Clusters and strata of queries, of those that the command has.
    were_scores : bool
        Whether the files held scores, and not judgments and runs.
    """

    scores: Scores
    measures: list[str] | None
    groups: dict[str, Any]
    were_scores: bool


def read_compared(
    context: typer.Context,
    inputs: list[str],
    *,
    several: str | None = None,
    defaults: bool = True,
    more: Callable[[tuple[Measure, ...]], tuple[Measure, ...]] | None = None,
    keep: Keep | None = None,
    collection: str = "",
) -> Compared:
    """Read scores, or judgments and runs; the options are those of the context.

    Parameters
    ----------
    context : typer.Context
    inputs : list of str
    several : str, optional
        Worlds of judgments by several subjects, where none are named.
    defaults : bool
        Whether there are measures by default.
    more : callable, optional
        Makes of the measures those that judgments are scored by.
    keep : callable, optional
        Called with judgments and runs, if there are any.
    collection : str
        Attribute of queries that is random, as "collection"; "": none.

    Raises
    ------
    OptionError
        Options do not go with the files, or no measure is named and has to be.
    """
    given = context.params
    check_outputs([*inputs, *other_files(given)], given.get("output"), given.get("figure"))
    kinds: tuple[Kind, ...] = ("clusters", "strata")
    groups: dict[str, Any] = {
        kind: groups_of_option(given[kind], kind) for kind in kinds if given.get(kind) is not None
    }
    kept = [name for name in groups.values() if isinstance(name, str)]
    measure, columns = given["measure"], columns_of("--columns", given["columns"])
    wide = names_of("--systems", given["systems"])
    measures = names_of("--measure-columns", given["measure_columns"])
    are_scores = hold_scores(inputs, columns, (*wide, *measures))
    if are_scores:
        _refuse_options(context, inputs)
        how: Any = {"columns": columns, "systems": wide, "measures": measures}
        scores = read_score_files(given, inputs, kept, collection=collection, **how)
        scores = of_systems(scores, given, named=False)
    else:
        _check_for_judgments(context, inputs, kept, named=bool(measure or defaults))
        names = measures_of(measure, by_item=given["by_item"])
        wanted = names if more is None else more(names)
        scores = scores_of(context, inputs, wanted, several=several, keep=keep)
        note_unused(context, scores, "n_worlds")
    return Compared(
        replace(scores, design="nested") if given["nested"] else scores,
        split_measures(measure) if measure and are_scores else None,
        groups,
        are_scores,
    )


def other_files(given: Mapping[str, Any]) -> list[Path]:
    """Files that options name, to be read beside the arguments."""
    named = [given.get(n) for n in ("queries", "items", "taxonomy", "asked", "communities")]
    return [path for path in named if path is not None]


def _check_for_judgments(
    context: typer.Context, inputs: list[str], kept: list[str], *, named: bool
) -> None:
    """Refuse what is for scores, where judgments and runs are read, and no measure `named`."""
    if not named:
        raise OptionError("-m: name the measure, such as -m nDCG@10, or several")
    for flag in typed_flags(context, ("systems", "measure_columns", "lower_is_better")):
        raise OptionError(f"{flag}: is for scores, and {inputs[0]} is read as judgments")
    if kept:
        raise OptionError(
            f"clusters, strata: {shown(kept[0])} is no file, and judgments and runs have no "
            "columns for groups of queries; give a table (query, cluster) or (query, stratum)"
        )


def names_of_judged() -> set[str]:
    """Options that only judgments and runs take; scores are made already."""
    sources = (EVALUATION, *JUDGED)
    names = {option.name for source in sources for _, option in source.options()}
    return names - {"columns", "drop", "seed", "n_jobs"}


def _refuse_options(context: typer.Context, inputs: list[str]) -> None:
    """Refuse options of evaluation for scores, also where they say what is the default."""
    given = typed_flags(context, names_of_judged())
    if given:
        are = "is" if len(given) == 1 else "are"
        alone = "; after judgments, name the runs" if len(inputs) == 1 else ""
        raise OptionError(
            f"{', '.join(given)}: {are} for judgments and runs, and {inputs[0]} holds scores{alone}"
        )
