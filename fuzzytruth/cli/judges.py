"""`fuzzytruth judges`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from fuzzytruth.cli import options, panels, table_options
from fuzzytruth.cli import output as output_options
from fuzzytruth.cli import scoring as scoring_options
from fuzzytruth.cli.inputs import check_outputs, read_systems, split_measures
from fuzzytruth.cli.options import complete_measures
from fuzzytruth.cli.output import emit_printed, print_line
from fuzzytruth.cli.panels import option, setting
from fuzzytruth.cli.progress import Bar
from fuzzytruth.errors import DataError, OptionError, first_few, nearest, shown

if TYPE_CHECKING:
    import pandas as pd

    from fuzzytruth.annotators.model_judges.alternative_annotator import AlternativeAnnotator
    from fuzzytruth.annotators.model_judges.judge_agreement import JudgeAgreement
    from fuzzytruth.annotators.model_judges.prediction_powered import PredictionPowered
    from fuzzytruth.cli.output import TableFormat
    from fuzzytruth.data.judgments import Judgments
    from fuzzytruth.data.reading import NameBy
    from fuzzytruth.data.runs import Runs


# Votes of people and of model judges, from the files that a command line names.


@dataclass(frozen=True, slots=True)
class JudgeFiles:
    """Where the votes of people and of judges are.

    Parameters
    ----------
    human : Path
    models : sequence of Path
        Of the judges, who are together; without a file they are among the subjects of `human`.
    taxonomy : Path or None
        Of votes for categories.
    how : TableOptions
    model_subjects : list of str or None
        Columns of the only one of `models`, which hold the answers of one judge each; None: as in
        `how`.
    people, judges : str or None
        Names of subjects; None: all.
    """

    human: Path
    models: Sequence[Path]
    taxonomy: Path | None
    how: table_options.TableOptions
    model_subjects: list[str] | None
    people: str | None
    judges: str | None

    def read(self) -> tuple[Any, Any]:
        """Votes of people and of judges."""
        if self.taxonomy is not None:
            return self._categories(self.taxonomy)
        if not self.models and self.people is None:
            raise OptionError(
                "MODEL: name the file of the judges, or say who of HUMAN are people: --people "
                "NAME,..."
            )
        from fuzzytruth.data.reading import read_judgments

        given = read_judgments(self.human, **self.how.given)
        theirs = given
        if self.models:
            read = [read_judgments(path, **self._how_model.given) for path in self.models]
            theirs = read[0] if len(read) == 1 else _together(read, self.models)
        given, theirs = self.how.rescaled(given, theirs)
        named = _names("--people", self.people)
        others = _names("--judges", self.judges)
        if not self.models and others is None:
            others = [name for name in theirs.subjects or () if name not in (named or ())]
            if not others:
                raise DataError(
                    f"{self.human}: all of its subjects are people; name the file of the judges"
                )
        return _selected(given, named, "--people"), _selected(theirs, others, "--judges")

    @property
    def _how_model(self) -> table_options.TableOptions:
        """How to read the file of the judges."""
        columns = table_options.names_of("--model-subjects", self.model_subjects)
        return replace(self.how, subjects=columns or self.how.subjects)

    def _categories(self, taxonomy: Path) -> tuple[Any, Any]:
        """Votes for categories, from a file each."""
        if not self.models or self.people is not None or self.judges is not None:
            raise OptionError(
                "--taxonomy: votes for categories by people and by judges are in a file each; give "
                "HUMAN and MODEL, without --people and --judges"
            )
        from fuzzytruth.data.assignments import read_assignments

        self.how.refuse("votes have categories, not grades; leave it out", "grades", "rescale")
        people, *read = (
            read_assignments(path, taxonomy=taxonomy, **how.given)
            for path, how in [(self.human, self.how), *((m, self._how_model) for m in self.models)]
        )
        return people, read[0] if len(read) == 1 else _together(read, self.models)


def _together(votes: list[Any], paths: Sequence[Path]) -> Any:
    """The votes of several files: of judgments, those without subjects are named as their file.

    Raises
    ------
    DataError
        A judge is in two files, or the files have different columns.
    """
    import pandas as pd

    frames = [_named(one, path) for one, path in zip(votes, paths, strict=True)]
    of: dict[str, Path] = {}
    for frame, path in zip(frames, paths, strict=True):
        for name in frame["subject"].unique():
            if name in of:
                raise DataError(
                    f"{path}: the judge {shown(name)} is in {of[name]}, too; give each judge's "
                    "votes once, under a name of its own"
                )
            of[name] = path
        if {*frame.columns} != {*frames[0].columns}:
            differing = sorted({*frame.columns} ^ {*frames[0].columns})
            raise DataError(
                f"{path}: {paths[0]} differs from it in having {first_few(differing)}; files of "
                "judges have the same columns"
            )
    rows, first = pd.concat(frames, ignore_index=True), votes[0]
    if hasattr(first, "taxonomy"):
        return type(first).from_frame(rows, taxonomy=first.taxonomy)
    return type(first).from_frame(rows)


def _named(votes: Any, path: Path) -> pd.DataFrame:
    """Votes as a frame with subjects; of one judge without a name, the file's."""
    frame: pd.DataFrame = votes.to_frame()
    if "subject" in frame:
        return frame
    if "count" in frame or hasattr(votes, "taxonomy"):
        raise DataError(f"{path}: names no judge; add a column of subjects")
    frame["subject"] = path.name.partition(".")[0]
    return frame


def _names(flag: str, text: str | None) -> list[str] | None:
    return None if text is None else list(table_options.names_of(flag, [text]))


def _selected(votes: Judgments, names: list[str] | None, flag: str) -> Judgments:
    """The judgments of some subjects."""
    for name in names or ():
        if name not in (votes.subjects or ()):
            known = votes.subjects or ()
            raise OptionError(
                f"{flag} {shown(name)}: is not among the subjects, {first_few(known)}"
                f"{nearest(name, known)}"
            )
    return votes if names is None else votes.select(subjects=names)


# Options of `fuzzytruth judges`.


HumanFile = Annotated[
    Path,
    typer.Argument(
        metavar="HUMAN",
        help="Judgments of people: columns query, item, grade and, of several people, subject; or "
        "TREC qrels. With --taxonomy, votes for categories: subject, item, category.",
        show_default=False,
        readable=False,  # reported by the reader, in one line
    ),
]
ModelFiles = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="MODEL...",
        help="Judgments of model judges, in one file or several; a judge is in one of them. A file "
        "without subjects is of one judge, of several files named as the file. Without any, HUMAN "
        "holds them too: see --people.",
        show_default=False,
        readable=False,
    ),
]
People = Annotated[
    str | None,
    option(
        panels.INPUT,
        "The subjects of HUMAN who are people.  [default: all; the others are judges]",
        metavar="NAME,...",
    ),
]
JudgeNames = Annotated[
    str | None,
    option(
        panels.INPUT, "The subjects who are judges.  [default: all]", "--judges", metavar="NAME,..."
    ),
]
RunFiles = Annotated[
    list[str] | None,
    option(
        panels.INPUT,
        "Runs of the systems that people and judges order, [NAME=]FILE; may be repeated.",
        "--runs",
        metavar="RUN",
    ),
]
MeasuresOfOrder = Annotated[
    list[str] | None,
    option(
        panels.METHOD,
        "With --runs: a measure, or several separated by commas; may be repeated.  "
        "[default: nDCG@10]",
        "-m",
        "--measure",
        metavar="MEASURE",
        autocompletion=complete_measures,
    ),
]
By = Annotated[
    Literal["agreement", "kappa", "weighted-kappa"],
    setting(panels.METHOD, "What judges are compared by.", "--by"),
]
Closeness = Annotated[
    Literal["accuracy", "rmse", "taxonomy"],
    setting(panels.METHOD, "Closeness to the other people, in the test.", "--metric"),
]
Epsilon = Annotated[
    float,
    setting(
        panels.METHOD,
        "How much worse than a person a model may be: .2 beside experts, .1 a crowd.",
        metavar="SIZE",
    ),
]
Alpha = Annotated[
    float, setting(panels.METHOD, "False discovery rate of the test.", metavar="RATE")
]
MinItems = Annotated[
    int, setting(panels.METHOD, "People with fewer items are not tested.", metavar="N")
]
Independent = Annotated[
    bool,
    setting(
        panels.METHOD, "Take the items of a query as independent of each other.", "--independent"
    ),
]
WhichTable = Annotated[
    Literal["agreement", "orders", "test", "people", "powered"] | None,
    option(
        panels.OUTPUT,
        "Which table programs and papers get: agreement, orders (of systems), test "
        "(alternative annotator), people (its tests of each person), powered (scores from people's "
        "and models' judgments).  [default: agreement]",
        "--table",
    ),
]
TaxonomyFile = Annotated[
    Path | None,
    option(
        panels.CATEGORIES,
        "HUMAN and MODEL are votes that put items in these categories.",
        "--taxonomy",
        metavar="TREE",
    ),
]
ModelSubjects = Annotated[
    list[str] | None,
    option(
        panels.INPUT,
        "The same of MODEL.  [default: those of --subjects]",
        "--model-subjects",
        metavar="COLUMN,...",
    ),
]
SeedOfResamples = Annotated[
    int, setting(panels.COMPUTATION, "Random seed of resamples.", "--seed", metavar="N")
]


EXAMPLE = """\b
Examples, on samples that come with the package:
  fuzzytruth demo --copy-to sample
  fuzzytruth judges sample/judgments.parquet --people content
  fuzzytruth judges sample/judgments.parquet --people content \\
    --runs sample/runs.parquet --order-by rank --measure nDCG@10
  fuzzytruth demo --sample llmjudge_dl23 --copy-to llm
  fuzzytruth judges llm/judgments.parquet --people human \\
    --subjects human,Olz-gpt4o,RMITIR-GPT4o,willia-umbrela1
On files of your own:
  fuzzytruth judges people.csv models.csv --metric rmse --epsilon 0.15 \\
    --format csv --table test
  fuzzytruth judges people.csv gpt.csv llama.csv --figure judges.pdf
  fuzzytruth judges people.csv models.csv --taxonomy tree.txt \\
    --metric taxonomy

Exit status: 0, or 1 if the data are wrong, or 2 if an option is.
"""
_CAPTIONS = {
    "agreement": "Agreement of model judges with people.",
    "orders": "Order of the systems by model judges, beside that by people.",
    "test": "Alternative annotator test.",
    "people": "Alternative annotator test against each person.",
    "powered": "Means and differences from people's judgments of some queries and models' of all.",
}


def judges(
    human: HumanFile,
    model: ModelFiles = None,
    people: People = None,
    judges_named: JudgeNames = None,
    runs: RunFiles = None,
    measure: MeasuresOfOrder = None,
    by: By = "kappa",
    metric: Closeness = "accuracy",
    epsilon: Epsilon = 0.2,
    alpha: Alpha = 0.05,
    min_items: MinItems = 30,
    independent: Independent = False,
    missing: scoring_options.Missing = "error",
    rel: scoring_options.Rel = None,
    taxonomy: TaxonomyFile = None,
    columns: table_options.Columns = None,
    grades: table_options.Grades = None,
    drop: table_options.Drop = None,
    subjects: table_options.Subjects = None,
    rescale: table_options.Rescale = None,
    model_subjects: ModelSubjects = None,
    run_columns: table_options.RunColumns = None,
    name_by: options.NameBy = "file",
    order_by: options.OrderBy = "score",
    duplicates: options.Duplicates = "error",
    level: options.Level = 0.95,
    n_resamples: options.NResamples = 9999,
    seed: SeedOfResamples = 0,
    table: WhichTable = None,
    output_format: output_options.FormatChoice = None,
    output: output_options.Output = None,
    figure: output_options.Figure = None,
) -> None:
    """Say which model judge agrees best with people, and whether it may stand in for them.

    Shows agreement with intervals over queries, who is among the best, how judges order the systems
    of --runs, and, where three or more people judged, the alternative annotator test. Where people
    judged some of the queries only, also intervals for the systems from both (prediction-powered).
    --figure draws the agreement, with --table test or people the test.
    """
    from fuzzytruth.annotators.model_judges.judge_agreement import judge_agreement
    from fuzzytruth.annotators.model_judges.matched_votes import named_votes
    from fuzzytruth.cli.figures import write_figure
    from fuzzytruth.cli.tables import format_for

    output_format = output_format or format_for(output)
    models = model or []
    others = [*models, *([] if taxonomy is None else [taxonomy])]
    check_outputs([human, *others, *(runs or [])], output, figure)
    _check_options(models, runs, measure, run_columns, model_subjects, table)
    how = table_options.TableOptions.from_options(columns, grades, drop, subjects, rescale)
    files = JudgeFiles(human, models, taxonomy, how, model_subjects, people, judges_named)
    test_of: dict[str, Any] = {
        "epsilon": epsilon,
        "metric": metric,
        "alpha": alpha,
        "min_items": min_items,
    }
    with Bar() as bar:
        bar.stage("reading")
        votes = files.read() if rel is None else named_votes(*files.read(), rel)
        systems = _systems(runs, name_by, order_by, duplicates, run_columns)
        bar.stage("comparing")
        measures = split_measures(measure) if measure else ["nDCG@10"]
        agreement = judge_agreement(
            *votes,
            systems,
            measures,
            by="weighted_kappa" if by == "weighted-kappa" else by,
            level=level,
            clusters=None if independent else "query",
            missing=missing,
            n_resamples=n_resamples,
            rng=seed,
        )
        test_of |= {"level": level, "clusters": None if independent else "query"}
        test = _test(*votes, wanted=table in ("test", "people"), **test_of)
        powered = None
        if table in (None, "powered") and systems is not None:
            powered = _powered(*votes, systems, measures, level=level, missing=missing)
    if table == "powered" and powered is None:
        raise _without_powered(human)
    drawn = test if table in ("test", "people") and test is not None else agreement
    write_figure(drawn.plot, figure)
    _show(agreement, test, powered, table, output_format, output)


def _check_options(
    models: list[Path],
    runs: list[str] | None,
    measure: list[str] | None,
    run_columns: list[str] | None,
    model_subjects: list[str] | None,
    table: str | None,
) -> None:
    """Refuse options of files that are not named."""
    if (measure or run_columns) and not runs:
        flag, does = ("--measure", "scores") if measure else ("--run-columns", "is of")
        raise OptionError(f"{flag}: {does} the systems of --runs; add --runs")
    if model_subjects and len(models) != 1:
        raise OptionError("--model-subjects: is of one MODEL; name that file, or use --judges")
    if table in ("orders", "powered") and not runs:
        raise OptionError(f"--table {table}: is of systems; add --runs")


def _systems(
    runs: list[str] | None,
    name_by: NameBy,
    order_by: str,
    duplicates: str,
    run_columns: list[str] | None,
) -> Runs | None:
    """The runs of the systems that people and judges order, if there are any."""
    if not runs:
        return None
    return read_systems(
        runs,
        name_by=name_by,
        order_by=order_by,
        duplicates=duplicates,
        columns=table_options.columns_of("--run-columns", run_columns),
    )


def _without_powered(human: Path) -> DataError:
    return DataError(
        f"{human}: people judged all queries that the judges did, so that their own scores are "
        "what judges would add to; see fuzzytruth evaluate"
    )


def _powered(
    human: Judgments, model: Judgments, runs: Runs, measures: list[Any], **given: Any
) -> PredictionPowered | None:
    """Prediction-powered intervals, if people judged some of the models' queries only."""
    from fuzzytruth.annotators.model_judges.prediction_powered import prediction_powered

    if len(human.queries) >= len(model.queries):
        return None
    several = len(model.subjects or ()) > 1
    return prediction_powered(
        human, model, runs, measures, by="judge" if several else None, **given
    )


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
        print_line(f"note: no alternative annotator test: {error}", sys.stderr)
        return None


def _show(
    agreement: JudgeAgreement,
    test: AlternativeAnnotator | None,
    powered: PredictionPowered | None,
    table: str | None,
    output_format: TableFormat,
    output: Path | None,
) -> None:
    """Print what was found, or write one of its tables."""
    from fuzzytruth.cli.tables import show_frame
    from fuzzytruth.show.answer import Printed, Sentences, without_methods

    if output_format == "table" and table is None:
        printed = without_methods(agreement)
        parts = printed.parts
        for other in (test, powered):
            if other is not None:
                more = without_methods(other)
                parts = (*parts, Sentences.of(more.title), *more.parts)
        emit_printed(Printed(printed.title, parts), output)
        return
    full = output_format in ("csv", "json", "table")
    frames = {"agreement": agreement.to_frame(full=full), "orders": agreement.orders}
    if test is not None:
        frames |= {"test": test.to_frame(), "people": test.people}
    if powered is not None:
        frames["powered"] = powered.to_frame(full=full)
    table = table or "agreement"
    frame = frames[table]
    assert frame is not None
    show_frame(frame, output_format=output_format, output=output, caption=_CAPTIONS[table])
