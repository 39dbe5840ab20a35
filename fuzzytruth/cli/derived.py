"""Options of commands that follow from functions, and what differs from these.

The functions at the end document options that only the command line has.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import typer

from fuzzytruth.cli import derive, options
from fuzzytruth.cli.derive import CATEGORIES, INPUT, MATRICES, OUTPUT, PRICES, SCORING, Option
from fuzzytruth.cli.options import number_or_auto, scale_of, scales_of, threshold_or_thresholds
from fuzzytruth.cli.output import check_figure, check_save

# What options have that does not follow from the functions that take them.

_WORLDS = (
    "What is taken as the truth: the only one; each subject's in turn; for each item a random one "
    "of its votes; the votes of resampled subjects"
)
#: by parameter
TABLE = {
    "absolute": Option(panel=derive.TARGETS),
    "asked": Option(panel=CATEGORIES),
    "baseline": Option(
        "Compare every other system with this one, instead of all pairs; may be repeated.",
        metavar="SYSTEM",
        kind=list[str],
    ),
    "budget": Option(panel=PRICES, metavar="PRICE"),
    "by_item": Option(flags="--by-item/--by-example"),
    "caption": Option(metavar="TEXT"),
    "clusters": Option(
        "Queries come in clusters, such as the topics that they are variants of: a table (query, "
        "cluster), or a column of the table of scores.",
        metavar="FILE|COLUMN",
    ),
    "columns": Option(
        "What your columns are called: query=topic_no,subject=who; may be repeated.",
        metavar="NAME=COLUMN,...",
        kind=list[str],
    ),
    "components": Option(
        "Without a pilot: an assumed variance component, such as system:query=.02, "
        "system:subject=.001 or residual=.05; may be repeated.",
        "--component",
        "component",
        metavar="NAME=VARIANCE",
        kind=list[str],
    ),
    "correction": Option(
        "max-t, sign-flips, none, or a method of statsmodels: bonferroni, holm, fdr_bh, ...  "
        "[default: max-t over queries, else bonferroni]",
        metavar="NAME",
        settings={"autocompletion": options.complete_corrections},
    ),
    "cost_per_judgment": Option(panel=PRICES, metavar="PRICE"),
    "cost_per_query": Option(panel=PRICES, metavar="PRICE"),
    "cost_per_subject": Option(panel=PRICES, metavar="PRICE"),
    "cutoff": Option(flags="-k --cutoff"),
    "depth": Option("Keep the best N of each list of a matrix.", panel=MATRICES),
    "difference": Option(panel=derive.TARGETS),
    "digits": Option(settings={"min": 0, "max": 17}),
    "drop": Option(
        "An answer that is none, such as na: its rows are left out; may be repeated.",
        metavar="ANSWER",
        kind=list[str],
    ),
    "exclude_self": Option(
        "Leave the item with the query's own id out of each list.", panel=MATRICES
    ),
    "figure": Option(settings={"callback": check_figure}),
    "files": Option(metavar="MATRIX"),
    "grades": Option(
        "The grades that words stand for: relevant=1,not_relevant=0.",
        metavar="WORD=GRADE,...",
        kind=list[str],
    ),
    "half_width": Option(panel=derive.TARGETS),
    "inputs": Option(
        "Scores that evaluate --save wrote, tables with columns system, query, value [, subject][, "
        "measure], or logs of evaluation harnesses; or judgments and runs, as evaluate takes them.",
        metavar="SCORES... | JUDGMENTS RUN...",
        kind=list[str],
    ),
    "items": Option(
        "Runs that are matrices: ids of the columns, likewise.",
        panel=MATRICES,
        metavar="FILE",
        kind=Path,
    ),
    "judgments_per_query": Option(panel=PRICES),
    "k": Option(flags="-k --more-votes"),
    "label": Option(metavar="NAME"),
    "level": Option("Confidence level.", metavar="LEVEL"),
    "limit": Option(panel=OUTPUT),
    "lower_is_better": Option(metavar="MEASURE"),
    "mc_error": Option(
        "With --n-worlds auto: largest Monte Carlo error of a mean.  [default: a hundredth of the "
        "width of its interval over queries]",
        metavar="ERROR",
    ),
    "measure": Option(
        flags="-m --measure",
        metavar="MEASURE",
        settings={"autocompletion": options.complete_measures},
    ),
    "missing": Option(
        "Missing judgments, of items that other subjects judged: an error, grade 0, the item left "
        "out, or grades drawn from the other subjects'."
    ),
    "model": Option(metavar="MODEL..."),
    "n_jobs": Option("Number of workers; changes only the time.", panel=derive.COMPUTATION),
    "n_resamples": Option("Number of resamples.", panel=derive.COMPUTATION),
    "n_worlds": Option(
        "Number of worlds drawn; auto: as many as make the means exact enough.",
        metavar="N|auto",
        kind=Any,
        settings={"parser": number_or_auto},
    ),
    "name": Option(
        "What names a system: the file, without folder and ending, or the tag of a TREC run.",
        "--name",
        "name_by",
    ),
    "null": Option("complete: permute the labels of the systems within queries."),
    "over": Option(
        "What is random: query, subject, world, replicate, or several separated by commas.",
        metavar="AXIS,...",
        kind=str,
        hand_on=options.axes_of,
        settings={"autocompletion": options.complete_axes},
    ),
    "output": Option(flags="-o --output"),
    "output_format": Option(flags="--format"),
    "queries": Option(
        "Runs that are matrices: ids of the rows, one a line, if the file lacks them.",
        panel=MATRICES,
        metavar="FILE",
        kind=Path,
    ),
    "rel": Option(
        "The lowest grade that is relevant: grades become 1 from there on, else 0. One for all, or "
        "each subject's own.",
        panel=SCORING,
        metavar="GRADE|SUBJECT=GRADE,...",
        kind=Any,
        settings={"parser": threshold_or_thresholds},
    ),
    "replicate_of": Option(metavar="RUN=SYSTEM,..."),
    "rescale": Option(
        metavar="own|LOW,HIGH|SUBJECT=LOW:HIGH,...", kind=Any, settings={"parser": scales_of}
    ),
    "rng": Option("Random seed.", "--seed", "seed", derive.COMPUTATION, "N", int),
    "rope": Option(
        "Add posterior probabilities of differences beyond and within this size.",
        metavar="SIZE",
        kind=float,
    ),
    "runs": Option(metavar="RUN"),
    "save": Option(metavar="FILE.parquet", settings={"callback": check_save}),
    "scale": Option(panel=INPUT, metavar="LOW,HIGH", kind=Any, settings={"parser": scale_of}),
    "source": Option(metavar="IN"),
    "strata": Option(
        "Means over fixed groups of queries, each with the same weight: a table (query, stratum), "
        "or a column of the table of scores.",
        metavar="FILE|COLUMN",
    ),
    "subjects": Option(
        "Columns that hold the answers of one subject each: ann,bob.",
        metavar="COLUMN,...",
        kind=list[str],
    ),
    "systems": Option(metavar="SYSTEM,..."),
    "target": Option(metavar="OUT"),
    "taxonomy": Option(
        "JUDGMENTS are votes that put items in these categories (subject, item, category), and "
        "queries are items: relevant is what is in the query's category.",
        panel=CATEGORIES,
        metavar="TREE",
        kind=Path,
    ),
    "ties": Option(
        "Items with equal scores: as trec_eval, as in the file, or the mean over all orders.",
        panel=SCORING,
    ),
    "undefined": Option("A query without relevant items: counts 0, or is left out."),
    "unjudged": Option(
        "An item that nobody judged: not relevant, or also the lowest and highest value that "
        "judging it could give."
    ),
    "worlds": Option(
        f"{_WORLDS}; a random one of the votes of a group (--communities).  [default: independent, "
        "if there are several subjects]"
    ),
}


def names_under(flag: str) -> Callable[[Any], tuple[str, ...]]:
    """Names separated by commas, as an option hands them on."""
    return lambda typed: options.names_of(flag, [typed] if isinstance(typed, str) else typed)


# Options of commands, by the functions that take them.


class Source:
    """Parameters of a function that are options of commands.

    Parameters
    ----------
    function : str or callable
        A function of `fuzzytruth` by name, whose options are the parameters given by name alone;
        or one of the command line, which documents more of them.
    panel : str
        The group of those that belong to no other.
    without : str
        Names of parameters that are no options.
    **changes : Option
        By parameter, in place of what the table of all options says.
    """

    def __init__(
        self,
        function: str | Callable[..., Any],
        panel: str = derive.METHOD,
        *,
        without: str = "",
        **changes: Option,
    ) -> None:
        self.panel, self._without, self._changes = panel, without.split(), changes
        self.own = not isinstance(function, str)
        self._function = function

    def options(self) -> Iterator[tuple[derive.Parameter, Option]]:
        """The parameters, with what differs from them in their options."""
        for each in derive.parameters_of(self._function):
            if (each.named or self.own) and each.name not in (*self._without, "progress", "client"):
                usual = TABLE.get(each.name, Option())
                if self.own and each.text:
                    usual = replace(usual, help="")
                option = usual | self._changes.get(each.name, Option())
                yield each, option | Option(name=option.name or each.name)

    def given(self, context: typer.Context) -> dict[str, Any]:
        """Arguments of the function as typed, without those that were left out."""
        values = {}
        for each, option in self.options():
            value = context.params.get(option.name)
            if value not in (None, [], ()):
                values[each.name] = value if option.hand_on is None else option.hand_on(value)
        return values


def typed(context: typer.Context, name: str) -> bool:
    """Whether an option was given on the command line."""
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def typed_flags(context: typer.Context, names: Iterable[str]) -> list[str]:
    """Which of some options were given on the command line, as typed: --no-groups if it is off."""
    wanted = {name for name in names if typed(context, name)}
    return [
        (each.secondary_opts if context.params[each.name] is False else each.opts)[-1]
        for each in context.command.params
        if each.name in wanted
    ]


def with_options(
    *sources: Source, **own: Option
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorator: a command has the options of these sources too, in its context.

    Parameters of the command itself come first, and take the place of others of the same name;
    `own` says what differs in their options.
    """

    def extend(command: Callable[..., Any]) -> Callable[..., Any]:
        itself = Source(command, derive.METHOD, without="", **own)
        names = [option.name for _, option in itself.options()]
        parameters: dict[str, inspect.Parameter] = {}
        flags: dict[str, str] = {}
        for source in (itself, *sources):
            for each, option in source.options():
                if option.name not in parameters:
                    made = option.parameter(each, source.panel, whole=source.own)
                    parameters[option.name] = made
                    if each.named:
                        flags.setdefault(each.name, option.flag)
        context = inspect.Parameter(
            "context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context
        )
        every = [context, *parameters.values(), derive.ALL_HELP]

        @functools.wraps(command)
        def extended(**given: Any) -> Any:
            return command(given["context"], **{name: given[name] for name in names})

        whole: Any = extended
        whole.__signature__ = inspect.Signature(every)
        whole.__annotations__ = {each.name: each.annotation for each in every}
        whole.flags = flags
        return extended

    return extend


# Options that only the command line has.


def of_runs(*, run_columns: list[str] | None = None) -> None:
    """Options of runs.

    Parameters
    ----------
    run_columns : list of str
        What the columns of your runs are called: score=cosine.
    """


def of_judgments(*, rescale: Any = None) -> None:
    """Options of judgments.

    Parameters
    ----------
    rescale : scales
        Grades become shares of their scale, from 0 to 1: of the grades that each subject gave, of
        one scale for all, or of each subject's.
    """


def of_intents(*, intents: bool = False) -> None:
    """Options of TREC qrels.

    Parameters
    ----------
    intents : bool
        The second column of TREC qrels names intents (subtopics), as in TREC's diversity tasks.
    """


def of_nested(*, nested: bool = False) -> None:
    """Options of subjects.

    Parameters
    ----------
    nested : bool
        Equal names of subjects are other people in another query.
    """


def of_matrices(*, distances: bool = False) -> None:
    """Options of matrices.

    Parameters
    ----------
    distances : bool
        In matrices, smaller numbers are better.
    """


def of_truth(
    *, aggregate: str | None = None, category: str | None = None, by_item: bool | None = None
) -> None:
    """Options of what is taken as the truth.

    Parameters
    ----------
    aggregate : {"mean", "median", "majority", "max", "min"}
        Merge the subjects' grades into one truth first.
    category : str
        With --taxonomy or --by-example: every query asks for this category.
    by_item : bool
        JUDGMENTS are votes for categories, with or without --taxonomy. By item: runs list
        categories of each item, as classifiers do. By example: they list items like each item.
    """


def of_worlds(*, worlds: str | None = None) -> None:
    """Options of what is taken as the truth.

    Parameters
    ----------
    worlds : {"crisp", "subject", "independent", "population"}
        What is taken as the truth.
    """


def of_scores(
    *,
    systems: list[str] | None = None,
    measure_columns: list[str] | None = None,
    lower_is_better: list[str] | None = None,
) -> None:
    """Options of tables of scores.

    Parameters
    ----------
    systems : list of str
        Columns of a table of scores that hold the values of one system each.
    measure_columns : list of str
        Columns of a table, a row a sample, that hold the scores of one measure each, as of ragas.
    lower_is_better : list of str
        Of scores: measures of which less is better, separated by commas; names such as perplexity
        or mse are known.
    """


def of_replicates(*, replicates: str | None = None, deterministic: list[str] | None = None) -> None:
    """Options of systems with several runs.

    Parameters
    ----------
    replicates : str
        What tells the runs of a system apart, such as its seeds: a column of the table of scores,
        or how runs are called, with {system} and {replicate}: '{system}.s{replicate}'. Values are
        means over them, and other runs are random, too.
    deterministic : list of str
        Systems of which another run would give the same, separated by commas.
    """


def of_measures(*, measure: list[str] | None = None) -> None:
    """Options of what is measured.

    Parameters
    ----------
    measure : list of str
        A measure, or several separated by commas; may be repeated. By default AP, nDCG@10, P@10,
        R@100, RR; with --by-item P@1, RR.
    """


def of_tables(*, output_format: str | None = None, output: str | None = None) -> None:
    """Options of tables.

    Parameters
    ----------
    output_format : {"table", "csv", "json", "latex", "markdown"}
        Format of what is shown or written. By default by the ending of FILE, else table.
    output : path
        Write to a file, not to the screen.
    """


def of_figures(*, figure: str | None = None) -> None:
    """Options of figures.

    Parameters
    ----------
    figure : path
        Draw it, too: .png, .svg or .pdf; of several measures, the first.
    """


def of_saved(*, save: str | None = None) -> None:
    """Options of scores that are kept.

    Parameters
    ----------
    save : path
        Save the scores for fuzzytruth.Scores.load.
    """


def of_papers(
    *,
    digits: int | None = None,
    caption: str | None = None,
    label: str | None = None,
    bold: bool = True,
) -> None:
    r"""Options of tables for papers.

    Parameters
    ----------
    digits : int
        Decimals, in LaTeX and Markdown.
    caption : str
        Caption, in LaTeX and Markdown. By default what the numbers and intervals are.
    label : str
        What \ref names, in LaTeX.
    bold : bool
        The best system in bold, in LaTeX and Markdown.
    """


#: what is shown, written and drawn
PAPERS = Source(of_papers, OUTPUT)
TABLES = Source(of_tables, OUTPUT)
FIGURES = Source(of_figures, OUTPUT)
SAVED = Source(of_saved, OUTPUT)
MEASURES = Source(of_measures)
#: what becomes of several votes of one person on one item; --duplicates is of runs
DUPLICATE_VOTES = Option(flags="--duplicate-votes", name="duplicate_votes")
#: runs, and how to read tables of judgments
RUN_FILES = Source(
    "read_runs", INPUT, without="larger_is_better queries items exclude_self depth columns"
)
RUN_COLUMNS = Source(of_runs, INPUT, run_columns=Option(metavar="NAME=COLUMN,..."))
RUNS = (RUN_FILES, RUN_COLUMNS)
RUNS_OR_MATRICES = Source("read_runs", INPUT, without="larger_is_better columns")
DISTANCES = Source(of_matrices, MATRICES)
JUDGMENTS = Source("read_judgments", INPUT, without="design", duplicates=DUPLICATE_VOTES)
JUDGMENT_TABLES = Source(
    "read_judgments", INPUT, without="design groups", duplicates=DUPLICATE_VOTES
)
#: votes for categories alone
ASSIGNMENTS = Source("read_assignments", CATEGORIES, duplicates=DUPLICATE_VOTES)
RESCALED = Source(of_judgments, INPUT)
INTENTS = Source(of_intents, INPUT)
NESTED = Source(of_nested, INPUT)
EVALUATION = Source(
    "evaluate",
    SCORING,
    without="groups exclude_self keep_worlds replicate_of deterministic",
    rng=Option("Random seed of the worlds."),
)
#: judgments and runs, or votes for categories and lists of items
JUDGED = (
    RUNS_OR_MATRICES,
    RUN_COLUMNS,
    DISTANCES,
    JUDGMENTS,
    RESCALED,
    INTENTS,
    ASSIGNMENTS,
    Source(of_truth, CATEGORIES, aggregate=Option(panel=SCORING)),
)
#: votes, graded or for categories
VOTES = (
    JUDGMENTS,
    RESCALED,
    INTENTS,
    ASSIGNMENTS,
    Source(of_truth, CATEGORIES, without="aggregate"),
)
REPLICATES = Source(
    of_replicates,
    INPUT,
    replicates=Option(metavar="COLUMN|PATTERN"),
    deterministic=Option(metavar="SYSTEM,..."),
)
#: what commands compare: files of scores, or judgments and runs
COMPARED = (
    Source(
        "evaluate",
        SCORING,
        without="groups exclude_self keep_worlds unjudged structure replicate_of deterministic",
        rng=Option("Random seed of resamples and worlds."),
    ),
    *JUDGED,
    NESTED,
    REPLICATES,
    Source(
        of_scores,
        INPUT,
        systems=Option(metavar="COLUMN,..."),
        measure_columns=Option(metavar="COLUMN,..."),
    ),
)
#: the worlds of commands that take each subject's truth in turn, where nothing is said
WORLDS_BY_SUBJECT = Source(
    of_worlds,
    SCORING,
    worlds=Option(f"{_WORLDS}.  [default: subject, if there are several subjects]"),
)
