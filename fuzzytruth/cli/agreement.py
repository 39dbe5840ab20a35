"""`fuzzytruth agreement`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from fuzzytruth.cli import options, panels, table_options
from fuzzytruth.cli import output as output_options
from fuzzytruth.cli import scoring as scoring_options
from fuzzytruth.cli.inputs import check_outputs, second_column
from fuzzytruth.cli.output import emit_answer
from fuzzytruth.cli.panels import option, setting
from fuzzytruth.cli.progress import Bar
from fuzzytruth.errors import OptionError

if TYPE_CHECKING:
    from fuzzytruth.annotators.coefficients.agreement import Agreement
    from fuzzytruth.annotators.coefficients.pairwise_agreement import PairwiseAgreement
    from fuzzytruth.cli.output import TableFormat

EXAMPLE = """\b
Examples, on the sample that comes with the package:
  fuzzytruth demo --copy-to sample
  fuzzytruth agreement sample/judgments.parquet --over query
  fuzzytruth agreement sample/judgments.parquet --over query --by pair \\
    --figure pairs.png
On files of your own:
  fuzzytruth agreement qrels.csv --metric ordinal --scale 0,3
  fuzzytruth agreement qrels.csv --metric ordinal --over item --over subject
  fuzzytruth agreement labels.csv --taxonomy tree.txt --metric taxonomy
  fuzzytruth agreement labels.csv --categories --metric masi --by category
  fuzzytruth agreement qrels.csv --coefficient cohen --metric linear \\
    --pair ann,bob

In Python: pairwise_agreement (who agrees with whom, near-duplicates),
subject_influence, reliability and variance_components.

Exit status: 0, or 1 if the data are wrong, or 2 if an option is.
"""

VotesFile = Annotated[
    Path,
    typer.Argument(
        metavar="VOTES",
        help="Judgments (query, item, subject, grade), or, with --taxonomy or --categories, who "
        "put which item in which category (subject, item, category).",
        show_default=False,
        readable=False,  # reported by the reader, in one line
    ),
]
TaxonomyFile = Annotated[
    Path | None,
    option(
        panels.CATEGORIES,
        "VOTES are for these categories: CSV or Parquet (parent, child), JSON, indented text "
        "or .cla.",
        "--taxonomy",
        metavar="TREE",
    ),
]
AreCategories = Annotated[
    bool, setting(panels.CATEGORIES, "VOTES are for categories in no order.", "--categories")
]
MetricName = Annotated[
    Literal["nominal", "ordinal", "interval", "ratio", "linear", "quadratic", "taxonomy", "masi"],
    setting(panels.METHOD, "Distance between votes.", "--metric"),
]
CoefficientName = Annotated[
    Literal["alpha", "fleiss", "cohen", "ac1", "ac2", "percent"],
    setting(
        panels.METHOD,
        "Krippendorff's alpha, Fleiss' or Cohen's kappa, Gwet's AC1 or AC2, or the share of "
        "agreeing pairs.",
        "--coefficient",
    ),
]
OverAxes = Annotated[
    list[str] | None,
    option(
        panels.METHOD,
        "What is a sample; may be repeated: --over query --over subject.  [default: query if "
        "there are several, else item]",
        "--over",
        metavar="item|query|subject",
    ),
]
Pair = Annotated[
    list[str] | None,
    option(panels.METHOD, "Only the votes of these subjects.", "--pair", metavar="NAME,NAME"),
]


Scale = Annotated[
    Any,
    option(
        panels.INPUT,
        "Report grades outside it.",
        "--scale",
        parser=table_options.scale_of,
        metavar="LOW,HIGH",
    ),
]
By = Annotated[
    Literal["item", "category", "pair"] | None,
    option(
        panels.OUTPUT,
        "Show each item, category or pair of subjects (with near-duplicates), not one number.",
    ),
]


def agreement(
    votes: VotesFile,
    taxonomy: TaxonomyFile = None,
    categories: AreCategories = False,
    asked: options.AskedFile = None,
    coefficient: CoefficientName = "alpha",
    metric: MetricName = "nominal",
    over: OverAxes = None,
    pair: Pair = None,
    level: options.Level = 0.95,
    scale: Scale = None,
    rel: scoring_options.Rel = None,
    by: By = None,
    groups: options.Groups = None,
    intents: options.IntentGroups = False,
    columns: table_options.Columns = None,
    grades: table_options.Grades = None,
    drop: table_options.Drop = None,
    subjects: table_options.Subjects = None,
    rescale: table_options.Rescale = None,
    output_format: output_options.FormatChoice = None,
    output: output_options.Output = None,
    figure: output_options.Figure = None,
) -> None:
    """Show how far people agree beyond chance, with an interval."""
    from fuzzytruth.annotators.coefficients.agreement import agreement as compute
    from fuzzytruth.cli.tables import format_for

    output_format = output_format or format_for(output)
    if figure is not None and by != "pair":
        raise OptionError("--figure: shows pairs of subjects; add --by pair")
    check_outputs([votes, *(path for path in (taxonomy, asked) if path)], output, figure)
    table = table_options.TableOptions.from_options(columns, grades, drop, subjects, rescale)
    of_categories = categories or taxonomy is not None
    if not of_categories:
        _refuse_categories(table, asked)
    elif groups is not None or intents:
        raise OptionError("--groups, --intents: are for judgments; leave them out")
    with Bar() as bar:
        bar.stage("reading")
        read = (
            _categories(votes, taxonomy, asked, table)
            if of_categories
            else table.judgments(votes, groups=second_column(groups, intents=intents))
        )
        if coefficient == "cohen" and pair is None and len(read.subjects or ()) > 2:
            raise OptionError("--coefficient cohen: is of two subjects; name them: --pair ann,bob")
        bar.stage("computing")
        found = compute(
            read,
            coefficient=coefficient,
            metric=metric,
            over=None if over is None else table_options.names_of("--over", over),
            subjects=None if pair is None else table_options.names_of("--pair", pair),
            level=level,
            scale=scale,
            rel=rel,
        )
    _show(found, by, output_format, output, figure)


def _refuse_categories(table: table_options.TableOptions, asked: Path | None) -> None:
    """Refuse options of votes for categories, where judgments are read."""
    if "category" in (table.columns or {}):
        raise OptionError(
            "--columns: category is of votes for categories; add --taxonomy TREE, or --categories"
        )
    if asked is not None:
        raise OptionError("--asked: belongs to votes for categories; add --taxonomy TREE")


def _show(
    found: Agreement,
    by: str | None,
    output_format: TableFormat,
    output: Path | None,
    figure: Path | None,
) -> None:
    """Print agreement, or write its table, and draw that of pairs."""
    from fuzzytruth.cli.figures import write_figure
    from fuzzytruth.cli.tables import show_frame

    pairs = found.by_pair() if by == "pair" else None
    if pairs is not None:
        write_figure(pairs.plot, figure)
    if by in (None, "pair") and output_format == "table":
        emit_answer(pairs or found, output)
        return
    show_frame(
        _frame(found, pairs, by, full=output_format in ("csv", "json")),
        output_format=output_format,
        output=output,
        caption="Agreement.",
    )


def _frame(found: Agreement, pairs: PairwiseAgreement | None, by: str | None, *, full: bool) -> Any:
    if by == "item":
        return found.by_item()
    if by == "category":
        return found.by_category()
    return (pairs or found).to_frame(full=full)


def _categories(
    path: Path, taxonomy: Path | None, asked: Path | None, table: table_options.TableOptions
) -> Any:
    from fuzzytruth.data.assignments import read_assignments

    table.refuse("votes have categories, not grades; leave it out", "grades", "rescale")
    return read_assignments(path, taxonomy=taxonomy, asked=asked, **table.given)
