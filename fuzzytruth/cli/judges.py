"""`fuzzytruth judges`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fuzzytruth.cli import judge_options, options, output_options, scoring_options, table_options
from fuzzytruth.cli.inputs import check_outputs, read_systems, split_measures
from fuzzytruth.cli.judge_files import JudgeFiles
from fuzzytruth.cli.output import emit_printed, print_line
from fuzzytruth.cli.progress import Bar
from fuzzytruth.errors import DataError, OptionError

if TYPE_CHECKING:
    from fuzzytruth.annotators.model_judges.alternative_result import AlternativeAnnotator
    from fuzzytruth.annotators.model_judges.judge_result import JudgeAgreement
    from fuzzytruth.annotators.model_judges.powered_result import PredictionPowered
    from fuzzytruth.cli.output_options import TableFormat
    from fuzzytruth.data.judgments import Judgments
    from fuzzytruth.data.run_files import NameBy
    from fuzzytruth.data.runs import Runs

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
    human: judge_options.HumanFile,
    model: judge_options.ModelFiles = None,
    people: judge_options.People = None,
    judges_named: judge_options.JudgeNames = None,
    runs: judge_options.RunFiles = None,
    measure: judge_options.MeasuresOfOrder = None,
    by: judge_options.By = "kappa",
    metric: judge_options.Closeness = "accuracy",
    epsilon: judge_options.Epsilon = 0.2,
    alpha: judge_options.Alpha = 0.05,
    min_items: judge_options.MinItems = 30,
    independent: judge_options.Independent = False,
    missing: scoring_options.Missing = "error",
    rel: scoring_options.Rel = None,
    taxonomy: judge_options.TaxonomyFile = None,
    columns: table_options.Columns = None,
    grades: table_options.Grades = None,
    drop: table_options.Drop = None,
    subjects: table_options.Subjects = None,
    rescale: table_options.Rescale = None,
    model_subjects: judge_options.ModelSubjects = None,
    run_columns: table_options.RunColumns = None,
    name_by: options.NameBy = "file",
    order_by: options.OrderBy = "score",
    duplicates: options.Duplicates = "error",
    level: options.Level = 0.95,
    n_resamples: options.NResamples = 9999,
    seed: judge_options.SeedOfResamples = 0,
    table: judge_options.WhichTable = None,
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
    from fuzzytruth.annotators.model_judges.matched_votes import binary_both
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
        votes = binary_both(*files.read(), rel)
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
    from fuzzytruth.io.answer import Printed, Sentences, without_methods

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
