"""`fuzzytruth agreement`."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import typer

from fuzzytruth.cli import derived
from fuzzytruth.cli.derive import CATEGORIES, INPUT, OUTPUT, Option
from fuzzytruth.cli.inputs import second_column
from fuzzytruth.cli.options import TableOptions
from fuzzytruth.cli.output import Bar, write_figure
from fuzzytruth.errors import OptionError

VERB = derived.Source(
    "agreement",
    without="rng",
    metric=Option(
        kind=Literal[
            "nominal", "ordinal", "interval", "ratio", "linear", "quadratic", "taxonomy", "masi"
        ]
    ),
    over=Option(
        "What is a sample; may be repeated: --over query --over subject.  [default: query if there "
        "are several, else item]",
        metavar="item|query|subject",
        kind=list[str],
        hand_on=derived.names_under("--over"),
        settings={"show_default": False},
    ),
    subjects=Option(
        "Only the votes of these subjects.",
        "--pair",
        "pair",
        metavar="NAME,NAME",
        hand_on=derived.names_under("--pair"),
    ),
)


@derived.with_options(
    VERB,
    derived.Source(
        "read_assignments",
        INPUT,
        without="columns drop subjects duplicates",
        taxonomy=Option(
            "VOTES are for these categories: CSV or Parquet (parent, child), JSON, indented text "
            "or .cla."
        ),
    ),
    derived.JUDGMENTS,
    derived.INTENTS,
    derived.RESCALED,
    derived.TABLES,
    derived.FIGURES,
    categories=Option(panel=CATEGORIES),
    by=Option(panel=OUTPUT),
)
def agreement(
    context: typer.Context, votes: Path, *, categories: bool = False, by: str | None = None
) -> None:
    r"""Show how far people agree beyond chance, with an interval.

    Parameters
    ----------
    votes : path
        Judgments (query, item, subject, grade), or, with --taxonomy or --categories, who put which
        item in which category (subject, item, category). One file, or one for each subject:
        ann=a.csv,bob=b.csv, a folder, or a quoted pattern.
    categories : bool
        VOTES are for categories in no order.
    by : {"item", "category", "pair"}
        Show each item, category or pair of subjects (with near-duplicates), not one number.

    Examples
    --------
    On the sample that comes with the package:
      fuzzytruth demo --copy-to sample
      fuzzytruth agreement sample/judgments.parquet --over query
      fuzzytruth agreement sample/judgments.parquet --over query --by pair \
        --figure pairs.png
    On files of your own:
      fuzzytruth agreement qrels.csv --metric ordinal --scale 0,3
      fuzzytruth agreement qrels.csv --metric ordinal --over item --over subject
      fuzzytruth agreement labels.csv --taxonomy tree.txt --metric taxonomy
      fuzzytruth agreement labels.csv --categories --metric masi --by category
      fuzzytruth agreement qrels.csv --coefficient cohen --metric linear \
        --pair ann,bob

    In Python: pairwise_agreement (who agrees with whom, near-duplicates),
    subject_influence, reliability and variance_components.

    Exit status: 0, or 1 if the data are wrong, or 2 if an option is.
    """
    from fuzzytruth.annotators.coefficients.agreement import agreement as compute
    from fuzzytruth.cli.tables import format_of, show_answer

    given = context.params
    if given["figure"] is not None and by != "pair":
        raise OptionError("--figure: shows pairs of subjects; add --by pair")
    format_of(context, votes, given["taxonomy"], given["asked"])
    with Bar() as bar:
        bar.stage("reading")
        read = _read(context, votes)
        if given["coefficient"] == "cohen" and not given["pair"] and len(read.subjects or ()) > 2:
            raise OptionError("--coefficient cohen: is of two subjects; name them: --pair ann,bob")
        bar.stage("computing")
        found = compute(read, **VERB.given(context))
    answer: Any = found
    if by == "pair":
        answer = found.by_pair()
        write_figure(answer.plot, given["figure"])
    elif by is not None:
        answer = found.by_item() if by == "item" else found.by_category()
    show_answer(context, answer, "Agreement.")


def _read(context: typer.Context, votes: Path) -> Any:
    """Judgments, or votes for categories; options of the other are refused."""
    given, table = context.params, TableOptions.of(context.params)
    if given["categories"] or given["taxonomy"] is not None:
        if given["groups"] is not None or given["intents"]:
            raise OptionError("--groups, --intents: are for judgments; leave them out")
        return table.assignments(votes, given["taxonomy"], given["asked"])
    if given["asked"] is not None:
        raise OptionError("--asked: belongs to votes for categories; add --taxonomy TREE")
    return table.votes(votes, groups=second_column(given["groups"], intents=given["intents"]))
