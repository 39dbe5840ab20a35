"""Arguments and options shared by commands, each with its line of help."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from fuzzytruth.cli import panels
from fuzzytruth.cli.panels import option, setting

# What the shell offers for the values of options.


#: corrections of their own, then methods of statsmodels
CORRECTIONS = (
    "max-t",
    "sign-flips",
    "none",
    "bonferroni",
    "sidak",
    "holm",
    "holm-sidak",
    "simes-hochberg",
    "hommel",
    "fdr_bh",
    "fdr_by",
    "fdr_tsbh",
    "fdr_tsbky",
    "fdr_gbs",
)
AXES = ("query", "subject", "world")


def complete_measures(incomplete: str) -> list[str]:
    """Measures whose names start so; after a comma, of the last one.

    Examples
    --------
    >>> complete_measures("AP,nD")
    ['AP,nDCG', 'AP,nDCG@']
    """
    from fuzzytruth.measures import registry

    before, last = _parts(incomplete)
    names = [name for name in registry.names() if name.startswith(last)]
    return [before + typed for name in sorted(names, key=str.lower) for typed in _spelled(name)]


def _spelled(name: str) -> list[str]:
    """A measure as one may type it, without cut-off and with one, which may be left to the user."""
    from fuzzytruth.errors import MeasureError
    from fuzzytruth.measures import parse_measures, registry

    entry = registry.lookup(name)
    cutoff = "none" if entry is None else entry[0].cutoff_use
    spelled = []
    for text in {"required": [f"{name}@10"], "optional": [name], "none": [name]}[cutoff]:
        with suppress(MeasureError):  # it has parameters that have to be named
            parse_measures([text])
            spelled.append(text)
    return spelled if cutoff == "none" else [*spelled, f"{name}@"]


def complete_corrections(incomplete: str) -> list[str]:
    """Corrections whose names start so."""
    return [name for name in CORRECTIONS if name.startswith(incomplete)]


def complete_axes(incomplete: str) -> list[str]:
    """Axes that start so and are not named yet; after a comma, of the last one.

    Examples
    --------
    >>> complete_axes("query,")
    ['query,subject', 'query,world']
    """
    before, last = _parts(incomplete)
    named = before.split(",")
    return [before + axis for axis in AXES if axis.startswith(last) and axis not in named]


def _parts(incomplete: str) -> tuple[str, str]:
    """What is complete, up to the last comma, and what is not."""
    at = incomplete.rfind(",") + 1
    return incomplete[:at], incomplete[at:]


JudgmentsFile = Annotated[
    Path,
    typer.Argument(
        metavar="JUDGMENTS",
        help="TREC qrels, CSV, TSV, JSON, JSON lines or Parquet; .gz of each.",
        show_default=False,
        readable=False,  # reported by the reader, in one line
    ),
]
TaxonomyFile = Annotated[
    Path | None,
    option(
        panels.CATEGORIES,
        "The categories: CSV or Parquet (parent, child), JSON, indented text or .cla.  "
        "[default: the labels that occur, in no order]",
        "--taxonomy",
        metavar="TREE",
    ),
]
OptionalTaxonomyFile = Annotated[
    Path | None,
    option(
        panels.CATEGORIES,
        "JUDGMENTS are votes that put items in these categories (subject, item, category), "
        "and queries are items: relevant is what is in the query's category.",
        "--taxonomy",
        metavar="TREE",
    ),
]
ByItem = Annotated[
    bool | None,
    option(
        panels.CATEGORIES,
        "JUDGMENTS are votes for categories, with or without --taxonomy. By item: runs list "
        "categories of each item, as classifiers do. By example: they list items like each item.",
        "--by-item/--by-example",
    ),
]
AskedFile = Annotated[
    Path | None,
    option(
        panels.CATEGORIES,
        "Which categories each subject was asked about, if not all (subject, item, category).",
        "--asked",
        metavar="FILE",
    ),
]
AskedCategory = Annotated[
    str | None,
    option(
        panels.CATEGORIES,
        "With --taxonomy or --by-example: every query asks for this category.",
        "--category",
        metavar="CATEGORY",
    ),
]
RunFiles = Annotated[
    list[str],
    typer.Argument(
        metavar="RUN",
        help="Run files in the same formats, patterns such as 'runs/*.run', or NAME=FILE.",
        show_default=False,
    ),
]
MeasureNames = Annotated[
    list[str] | None,
    setting(
        panels.METHOD,
        "A measure, or several separated by commas; may be repeated.  "
        "[default: AP, nDCG@10, P@10, R@100, RR; with --by-item P@1, RR]",
        "-m",
        "--measure",
        metavar="MEASURE",
        autocompletion=complete_measures,
    ),
]
MeasuresOfGate = Annotated[
    list[str] | None,
    option(
        panels.METHOD,
        "A measure, or several separated by commas, which all have to pass; may be repeated.  "
        "[default: all of the scores; judgments and runs need it]",
        "-m",
        "--measure",
        metavar="MEASURE",
        autocompletion=complete_measures,
    ),
]
NameBy = Annotated[
    Literal["file", "tag"],
    setting(
        panels.INPUT,
        "What names a system: the file, without folder and ending, or the tag of a TREC run.",
        "--name",
    ),
]
OrderBy = Annotated[
    Literal["score", "rank"], setting(panels.INPUT, "The column of a run that orders its lists.")
]
Duplicates = Annotated[
    Literal["error", "first"], setting(panels.INPUT, "An item that a run lists twice.")
]
Groups = Annotated[
    bool | None,
    option(
        panels.INPUT,
        "Whether the second column of TREC qrels names subjects.  "
        "[default: if an item is judged under two of them]",
        "--groups/--no-groups",
    ),
]
IntentGroups = Annotated[
    bool,
    setting(
        panels.INPUT,
        "The second column of TREC qrels names intents (subtopics), as in TREC's diversity tasks.",
        "--intents",
    ),
]


def axes_of(text: str) -> list[str]:
    """Axes as typed, separated by commas: ``query,subject``."""
    return [axis.strip() for axis in text.split(",")]


Nested = Annotated[
    bool,
    setting(panels.INPUT, "Equal names of subjects are other people in another query.", "--nested"),
]
Clusters = Annotated[
    str | None,
    option(
        panels.METHOD,
        "Queries come in clusters, such as the topics that they are variants of: a table "
        "(query, cluster), or a column of the table of scores.",
        metavar="FILE|COLUMN",
    ),
]
Strata = Annotated[
    str | None,
    option(
        panels.METHOD,
        "Means over fixed groups of queries, each with the same weight: a table (query, "
        "stratum), or a column of the table of scores.",
        metavar="FILE|COLUMN",
    ),
]
Baseline = Annotated[
    list[str] | None,
    setting(
        panels.METHOD,
        "Compare every other system with this one, instead of all pairs; may be repeated.",
        metavar="SYSTEM",
    ),
]
Level = Annotated[float, setting(panels.METHOD, "Confidence level.", metavar="LEVEL")]
Rope = Annotated[
    float | None,
    setting(
        panels.METHOD,
        "Add posterior probabilities of differences beyond and within this size.",
        metavar="SIZE",
    ),
]
NResamples = Annotated[
    int, setting(panels.COMPUTATION, "Number of resamples.", "--n-resamples", metavar="N")
]


def typed(context: typer.Context, name: str) -> bool:
    """Whether an option was given on the command line."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def taking(
    others: Callable[..., Any], *, without: Iterable[str] = ()
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: the command has the parameters of a function, too, in its context alone.

    Examples
    --------
    >>> def shared(a: int, b: int = 2) -> None: ...
    >>> @taking(shared, without=["a"])
    ... def two(c: int) -> int:
    ...     return c
    >>> list(inspect.signature(two).parameters), two(c=1, b=3)
    (['c', 'b'], 1)
    """
    shared = inspect.signature(others, eval_str=True).parameters
    taken = [shared[name] for name in shared if name not in set(without)]

    def extend(command: Callable[..., Any]) -> Callable[..., Any]:
        own = inspect.signature(command, eval_str=True)
        parameters = [*own.parameters.values(), *taken]

        @functools.wraps(command)
        def extended(**given: Any) -> Any:
            return command(**{name: given[name] for name in own.parameters})

        of_command: Any = extended
        of_command.__signature__ = own.replace(parameters=parameters)
        of_command.__annotations__ = {each.name: each.annotation for each in parameters}
        return extended

    return extend
