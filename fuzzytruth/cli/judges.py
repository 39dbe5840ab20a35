"""`fuzzytruth judges` and `agreement`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from operator import methodcaller
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import typer

from fuzzytruth.cli import derived
from fuzzytruth.cli.derive import CATEGORIES, INPUT, OUTPUT, SCORING, Option
from fuzzytruth.cli.inputs import runs_of, second_column
from fuzzytruth.cli.options import TableOptions, files_of, split_measures
from fuzzytruth.cli.output import Bar, emit_printed, print_line, write_figure
from fuzzytruth.cli.typed_words import as_typed
from fuzzytruth.errors import DataError, OptionError, first_few, nearest, shown

if TYPE_CHECKING:
    from fuzzytruth.annotators.model_judges.alternative_annotator import AlternativeAnnotator
    from fuzzytruth.data.assessor_files import Files
    from fuzzytruth.data.judgments import Judgments


JUDGES = derived.Source(
    "judge_agreement",
    over=Option(
        "What intervals are over: items, as if all were independent, or queries.  [default: query "
        "if there are two or more, else item]",
        metavar="item|query",
        kind=Literal["item", "query"],
        hand_on=str,
        settings={"show_default": False},
    ),
    coefficient=Option(
        kind=Literal["percent", "kappa", "weighted-kappa"],
        hand_on=methodcaller("replace", "-", "_"),
    ),
    missing=Option(panel=SCORING),
)
TEST = derived.Source(
    "alternative_annotator",
    without="level over across_models rel",
    epsilon=Option(metavar="SIZE"),
    alpha=Option(metavar="RATE"),
)
_CAPTIONS = {
    "agreement": "Agreement of model judges with people.",
    "orders": "Order of the systems by model judges, beside that by people.",
    "test": "Alternative annotator test.",
    "people": "Alternative annotator test against each person.",
    "powered": "Means and differences from people's judgments of some queries and models' of all.",
}


@derived.with_options(
    JUDGES,
    TEST,
    derived.JUDGMENT_TABLES,
    derived.RESCALED,
    *derived.RUNS,
    derived.TABLES,
    derived.FIGURES,
    people=Option(panel=INPUT, metavar="NAME,..."),
    judges_named=Option(flags="--judges", panel=INPUT, metavar="NAME,..."),
    runs=Option(panel=INPUT),
    model_subjects=Option(panel=INPUT, metavar="COLUMN,..."),
    table=Option(panel=OUTPUT),
)
def judges(
    context: typer.Context,
    human: Path,
    model: list[Path] | None = None,
    *,
    people: str | None = None,
    judges_named: str | None = None,
    runs: list[str] | None = None,
    measure: list[str] | None = None,
    taxonomy: Path | None = None,
    model_subjects: list[str] | None = None,
    table: str | None = None,
) -> None:
    r"""Say which model judge agrees best with people, and whether it may stand in for them.

    Shows agreement with intervals over queries, who is among the best, how judges order the systems
    of --runs, and, where three or more people judged, the alternative annotator test. Where people
    judged some of the queries only, also intervals for the systems from both (prediction-powered).
    --figure draws the agreement, with --table test or people the test.

    Parameters
    ----------
    human : path
        Judgments of people: columns query, item, grade and, of several people, subject; or TREC
        qrels. With --taxonomy, votes for categories: subject, item, category.
    model : list of path
        Judgments of model judges, in one file or several; a judge is in one of them. A file without
        subjects is of one judge, of several files named as the file. Without any, HUMAN holds them
        too: see --people.
    people : str
        The subjects of HUMAN who are people. By default all; the others are judges.
    judges_named : str
        The subjects who are judges. By default all.
    runs : list of str
        Runs of the systems that people and judges order, [NAME=]FILE; may be repeated.
    measure : list of str
        With --runs: a measure, or several separated by commas; may be repeated. By default nDCG@10.
    taxonomy : path
        HUMAN and MODEL are votes that put items in these categories.
    model_subjects : list of str
        Columns of MODEL that hold the answers of one judge each. By default those of --subjects.
    table : {"agreement", "orders", "test", "people", "powered"}
        Which table programs and papers get: agreement, orders (of systems), test (alternative
        annotator), people (its tests of each person), powered (scores from people's and models'
        judgments). By default agreement.

    Examples
    --------
    On samples that come with the package:
      fuzzytruth demo --copy-to sample
      fuzzytruth judges sample/judgments.parquet --people content
      fuzzytruth judges sample/judgments.parquet --people content \
        --runs sample/runs.parquet --order-by rank --measure nDCG@10
      fuzzytruth demo --sample llmjudge_dl23 --copy-to llm
      fuzzytruth judges llm/judgments.parquet --people human \
        --subjects human,Olz-gpt4o,RMITIR-GPT4o,willia-umbrela1
    On files of your own:
      fuzzytruth judges people.csv models.csv --metric rmse --epsilon 0.15 \
        --format csv --table test
      fuzzytruth judges people.csv gpt.csv llama.csv --figure judges.pdf
      fuzzytruth judges people.csv models.csv --taxonomy tree.txt \
        --metric taxonomy
    """
    from fuzzytruth.annotators.model_judges.judge_agreement import judge_agreement
    from fuzzytruth.annotators.model_judges.matched_votes import named_votes
    from fuzzytruth.annotators.model_judges.prediction_powered import prediction_powered
    from fuzzytruth.cli.tables import format_of, show_answer
    from fuzzytruth.show.answer import Printed, Sentences, without_methods

    given = context.params
    output_format = format_of(context, human, *(model or []), taxonomy, *(runs or []))
    _check_options(context)
    tested = table in ("test", "people")
    with Bar() as bar:
        bar.stage("reading")
        votes = _read(context)
        if given["rel"] is not None:
            votes = named_votes(*votes, given["rel"])
        systems = runs_of(context.params, runs) if runs else None
        bar.stage("comparing")
        measures = split_measures(measure or ["nDCG@10"])
        options = JUDGES.given(context) | {"rel": None}  # votes are binary now
        agreement = judge_agreement(*votes, systems, measures, **options)
        options = TEST.given(context) | {"over": given["over"], "level": given["level"]}
        test = _test(*votes, wanted=tested, **options)
        powered = None
        if (
            table in (None, "powered")
            and systems is not None
            and len(votes[0].queries) < len(votes[1].queries)
        ):
            powered = prediction_powered(
                *votes,
                systems,
                measures,
                by="judge" if len(votes[1].subjects or ()) > 1 else None,
                level=given["level"],
                missing=given["missing"],
            )
    if table == "powered" and powered is None:
        raise DataError(
            f"{human}: people judged all queries that the judges did, so that their own scores are "
            "what judges would add to; see fuzzytruth evaluate"
        )
    write_figure((test if tested and test is not None else agreement).plot, given["figure"])
    if output_format == "table" and table is None:
        first, *others = (without_methods(r) for r in (agreement, test, powered) if r is not None)
        more = (part for one in others for part in (Sentences.of(one.title), *one.parts))
        emit_printed(Printed(first.title, (*first.parts, *more)), given["output"])
        return
    full = output_format in ("csv", "json", "table")
    table = table or "agreement"
    frames = {"agreement": agreement.to_frame(full=full), "orders": agreement.orders}
    if test is not None:
        frames |= {"test": test.to_frame(), "people": test.people}
    if powered is not None:
        frames["powered"] = powered.to_frame(full=full)
    frame = frames[table]
    assert frame is not None
    show_answer(context, frame, _CAPTIONS[table])


def _check_options(context: typer.Context) -> None:
    """Refuse options of files that are not named."""
    given = context.params
    if (given["measure"] or given["run_columns"]) and not given["runs"]:
        flag, does = ("--measure", "scores") if given["measure"] else ("--run-columns", "is of")
        raise OptionError(f"{flag}: {does} the systems of --runs; add --runs")
    if given["model_subjects"] and len(given["model"] or []) != 1:
        raise OptionError("--model-subjects: is of one MODEL; name that file, or use --judges")
    if given["table"] in ("orders", "powered") and not given["runs"]:
        raise OptionError(f"--table {given['table']}: is of systems; add --runs")


def _test(human: Any, model: Any, *, wanted: bool, **given: Any) -> AlternativeAnnotator | None:
    """The alternative annotator test; without one, a line that says why, where people are many."""
    from fuzzytruth.annotators.model_judges.alternative_annotator import alternative_annotator

    names = getattr(human, "subject_names", None) or getattr(human, "subjects", None) or ()
    if len(names) < 3 and not wanted:
        return None
    try:
        return alternative_annotator(human, model, **given)
    except DataError as error:
        if wanted:
            raise
        print_line(f"note: no alternative annotator test: {as_typed(str(error))}", sys.stderr)
        return None


# Votes of people and of model judges, from the files that a command line names.


def _read(context: typer.Context) -> tuple[Any, Any]:
    """Votes of people and of judges."""
    from fuzzytruth.data.reading import read_judgments

    given = context.params
    human, models = given["human"], given["model"] or []
    how = TableOptions.of(context.params)
    columns = derived.names_under("--model-subjects")(given["model_subjects"])
    how_model = replace(how, subjects=columns or how.subjects)
    if given["taxonomy"] is not None:
        if not models or given["people"] is not None or given["judges_named"] is not None:
            raise OptionError(
                "--taxonomy: votes for categories by people and by judges are in a file each; give "
                "HUMAN and MODEL, without --people and --judges"
            )
        people = how.assignments(human, given["taxonomy"])
        return people, how_model.assignments(_files(models), given["taxonomy"])
    if not models and given["people"] is None:
        raise OptionError(
            "MODEL: name the file of the judges, or say who of HUMAN are people: --people NAME,..."
        )
    of_people = of_judges = how.read(read_judgments, human)
    if models:
        of_judges = how_model.read(read_judgments, _files(models))
    of_people, of_judges = how.rescaled(of_people, of_judges)
    named = derived.names_under("--people")(given["people"])
    others = derived.names_under("--judges")(given["judges_named"])
    if not models and not others:
        others = tuple(name for name in of_judges.subjects or () if name not in named)
        if not others:
            raise DataError(f"{human}: all of its subjects are people; name the file of the judges")
    return _selected(of_people, named, "--people"), _selected(of_judges, others, "--judges")


def _files(models: Sequence[Path]) -> Files:
    """The files of judges as typed: one or several, each with a name, or none with one."""
    if len(models) == 1:
        return files_of(models[0])
    named = [one for one in models if isinstance(files_of(one), dict)]
    return files_of(",".join(map(str, models))) if len(named) == len(models) else [*models]


def _selected(votes: Judgments, names: Sequence[str], flag: str) -> Judgments:
    """The judgments of some subjects; of all, if none is named."""
    known = votes.subjects or ()
    for name in names:
        if name not in known:
            raise OptionError(
                f"{flag} {shown(name)}: is not among the subjects, {first_few(known)}"
                f"{nearest(name, known)}"
            )
    return votes.select(subjects=names) if names else votes


AGREEMENT = derived.Source(
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
    AGREEMENT,
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
    """
    from fuzzytruth.annotators.coefficients.agreement import agreement as compute
    from fuzzytruth.cli.tables import format_of, show_answer

    given = context.params
    if given["figure"] is not None and by != "pair":
        raise OptionError("--figure: shows pairs of subjects; add --by pair")
    format_of(context, votes, given["taxonomy"], given["asked"])
    with Bar() as bar:
        bar.stage("reading")
        read = _read_votes(context, votes)
        if given["coefficient"] == "cohen" and not given["pair"] and len(read.subjects or ()) > 2:
            raise OptionError("--coefficient cohen: is of two subjects; name them: --pair ann,bob")
        bar.stage("computing")
        found = compute(read, **AGREEMENT.given(context))
    answer: Any = found
    if by == "pair":
        answer = found.by_pair()
        write_figure(answer.plot, given["figure"])
    elif by is not None:
        answer = found.by_item() if by == "item" else found.by_category()
    show_answer(context, answer, "Agreement.")


def _read_votes(context: typer.Context, votes: Path) -> Any:
    """Judgments, or votes for categories; options of the other are refused."""
    given, table = context.params, TableOptions.of(context.params)
    if given["categories"] or given["taxonomy"] is not None:
        if given["groups"] is not None or given["intents"]:
            raise OptionError("--groups, --intents: are for judgments; leave them out")
        return table.assignments(votes, given["taxonomy"], given["asked"])
    if given["asked"] is not None:
        raise OptionError("--asked: belongs to votes for categories; add --taxonomy TREE")
    return table.votes(votes, groups=second_column(given["groups"], intents=given["intents"]))
