"""Results that other tools write for each sample: tables with a column a metric, HELM's folders.

References
----------
Ragas documentation: "Evaluate" (`to_pandas`: a row a sample, a column a metric). DeepEval
documentation: "Evaluation" (`test_run_<time>.json`). Liang et al. 2023, Holistic Evaluation of
Language Models, and the documentation of HELM (`per_instance_stats.json` in the folder of each
run). Documentation of MTEB: "Results" (a JSON file a task, with its means).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from fuzzytruth.core.validation import option_mapping
from fuzzytruth.errors import DataError, FuzzytruthWarning, first_few, shown, warn
from fuzzytruth.io.column_names import has_columns, is_spelling, kept_key
from fuzzytruth.io.columns import check_ids, check_text
from fuzzytruth.io.files import Source, matching_files, parse_json, refuse_malformed
from fuzzytruth.io.harness_logs import SampleLog, number_of
from fuzzytruth.io.table_files import column_names, table_of
from fuzzytruth.io.tables import ColumnRequest, NamedColumns

#: columns of texts that tell samples apart, where none names queries
_TEXTS = ("user_input", "question", "input")
#: columns of ragas that are no metrics, and those that `to_csv` and people add to them
_OF_SAMPLES = frozenset(
    {"user_input", "retrieved_contexts", "reference_contexts", "retrieved_context_ids", "response"}
    | {"reference_context_ids", "multi_responses", "reference", "rubrics", "question", "answer"}
    | {"contexts", "ground_truth", "ground_truths", "synthesizer_name", "persona_name", "id", ""}
    | {"query_style", "query_length", "index", "Unnamed: 0"}
)
HELM = "per_instance_stats.json"
_MODEL = re.compile(r"(?:^|(?<=[,:]))model=([^,]*),?")


def measures_of_ragas(names: Iterable[Any], where: str = "") -> tuple[str, ...]:
    """The metrics among columns of ragas; none of any other table. A warning says so of a file."""
    present = [*names]
    if "user_input" not in present and not {"question", "answer", "contexts"} <= {*present}:
        return ()
    ids = {name for name in present if is_spelling(name, "query") or is_spelling(name, "system")}
    found = tuple(name for name in present if name not in _OF_SAMPLES | ids)
    if where and found:
        listed = first_few(found, show=shown)
        text = f"{where}: read as results of ragas, with the measures {listed}; measures= chooses"
        warn(text, FuzzytruthWarning)
    return found


def log_of_measures(
    given: Any, measures: Sequence[str], columns: Mapping[str, Any] | None, where: str, system: str
) -> SampleLog:
    """The scores of a table with a column for each measure, a row a sample.

    Rows are told apart by a column of queries, else by the texts that were asked, else by their
    number; and all are of one `system`, unless a column says which.
    """
    names = given.names if isinstance(given, NamedColumns) else column_names(given)
    named = dict(option_mapping("columns", columns))
    text = next((name for name in _TEXTS if name in names), None)
    if text is not None and not has_columns([*names, *named], ("query",)):
        named["query"] = text
    request = ColumnRequest((), ("query", "system"), "value", kept=tuple(measures), columns=named)
    table, origin = table_of(given, request, where)
    cells = [check_text(table[kept_key(name)], name, origin).to_pylist() for name in measures]
    ids = {
        name: check_ids(table[name], name, origin).to_pylist()
        for name in ("query", "system")
        if name in table
    }
    log = SampleLog(where)
    for row, texts in enumerate(zip(*cells, strict=True)):
        found: dict[str, float] = {}
        for name, text in zip(measures, texts, strict=True):
            number = number_of(text)
            if number is not None:
                found[name] = number
            elif text is None or not text.strip():
                log.leave_out(f"empty cell of {name!r}")
            else:
                log.leave_out(f"value of {name!r}", text, origin(row))
        sample = ids["query"][row] if "query" in ids else str(row + 1)
        log.add(ids["system"][row] if "system" in ids else system, "", sample, found, origin(row))
    return log


# Folders of results.


def files_of_results(paths: Any) -> list[Path]:
    """Files that paths, patterns and folders of HELM stand for."""
    one = isinstance(paths, (str, Path)) or not isinstance(paths, Iterable)
    files: list[Path] = []
    for path in [paths] if one else paths:
        folder = Path(path) if isinstance(path, (str, Path)) else None
        if folder is None or not folder.is_dir():
            files += matching_files(path if one else [path])
            continue
        found = sorted(folder.rglob(HELM))
        if not found and next(folder.rglob("model_meta.json"), None) is not None:
            raise means_of_mteb(str(folder))
        if not found:
            raise DataError(
                f"{folder}: is a directory without {HELM}, which HELM writes; give a file, or a "
                f"pattern such as {folder}/*"
            )
        files += found
    return files


def means_of_mteb(where: str) -> DataError:
    """The error of results of MTEB, which have no values of queries."""
    return DataError(
        f"{where}: has means of tasks by MTEB, and no values of queries; evaluate the predictions "
        "that MTEB saves, as runs, with the task's judgments; or compare over tasks: a table "
        "(system, query, value) whose queries are the tasks"
    )


def reader_of_results(data: Any, where: str, system: str) -> Callable[[], SampleLog] | None:
    """What reads a test run of DeepEval, or what its `evaluate` gives; None of other JSON.

    Raises
    ------
    DataError
        They are MTEB's means of a task.
    """
    keys = data.keys() if isinstance(data, dict) else {}
    if {"task_name", "scores"} <= {*keys} or "mteb_dataset_name" in keys:
        raise means_of_mteb(where)
    known = {"testCases", "testRunData", "test_results"} & {*keys}
    return partial(_of_deepeval, data, where, system) if known else None


def _of_deepeval(data: Any, where: str, system: str) -> SampleLog:
    """The scores of each test case, called by its input, or of a conversation by its name."""
    run = data.get("testRunData", data)
    cases = [run.get(key) or [] for key in ("testCases", "conversationalTestCases", "test_results")]
    model = (run.get("hyperparameters") or {}).get("model", system)
    log = SampleLog(where)
    for n, case in enumerate(chain(*cases), start=1):
        metrics = case.get("metricsData", case.get("metrics_data")) or []
        values = {m["name"]: float(m["score"]) for m in metrics if m.get("score") is not None}
        log.left_out["metric without a score"] += len(metrics) - len(values)
        log.add(model, "", case.get("input") or case["name"], values, f"{where}, test case {n}")
    return log


def is_of_helm(source: Source) -> bool:
    """Whether a JSON file is HELM's `per_instance_stats.json`."""
    names = {*column_names(source)}
    if {"name", "count", "sum_squared"} <= names:
        raise DataError(f"{source.path}: has means by HELM; give {HELM}, which is beside it")
    return {"instance_id", "stats"} <= names


def read_helm(source: Source) -> SampleLog:
    """Read HELM's values for each instance; the folder names the task and the model.

    Perturbed instances are left out, and trials are runs of a sample (epochs).
    """
    path, folder = source.path, source.path.absolute().parent
    model = _MODEL.search(folder.name)
    log = SampleLog(str(path))
    system = model[1] if model else folder.name
    task = _MODEL.sub("", folder.name).rstrip(",:")
    for n, record in enumerate(parse_json(source.text(), str(path)), start=1):
        place = f"{path}, record {n}"
        with refuse_malformed(place, "record of HELM"):
            if record.get("perturbation") is not None:
                log.leave_out("perturbed instance")
                continue
            values: dict[str, float] = {}
            for stat in record["stats"]:
                if stat["count"]:
                    values.setdefault(stat["name"]["name"], float(stat["sum"]) / stat["count"])
            trial = record.get("train_trial_index", 0)
            log.add(system, task, record["instance_id"], values, place, trial)
    return log
