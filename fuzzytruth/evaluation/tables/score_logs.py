"""Scores from files: tables, what `Scores.save` wrote, and logs of evaluation harnesses."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from fuzzytruth import errors
from fuzzytruth._typing import Floats, Ints
from fuzzytruth.core.validation import option_mapping, several
from fuzzytruth.errors import choice, counted, first_few, require, shown, warn
from fuzzytruth.evaluation.scores.concat import concat
from fuzzytruth.evaluation.scores.replicates import declared
from fuzzytruth.evaluation.scores.scores import Scores
from fuzzytruth.evaluation.scores.scores_from_frame import Better, scores_from_columns
from fuzzytruth.io import harness_logs
from fuzzytruth.io.column_names import has_columns, is_spelling, kept_key
from fuzzytruth.io.columns import check_id, check_ids, check_text
from fuzzytruth.io.files import Source, matching_files, parse_json, refuse_malformed, stem_of
from fuzzytruth.io.harness_logs import SampleLog, number_of
from fuzzytruth.io.table_files import column_names, table_of, table_source
from fuzzytruth.io.tables import ColumnRequest, NamedColumns, is_table, named_columns

PathLike = str | Path
SystemName = Literal["model", "file"]


def read_scores(
    paths: Any,
    *,
    name: SystemName = "model",
    higher_is_better: Better = None,
    clusters: Iterable[str] | str | None = None,
    columns: Mapping[str, Any] | None = None,
    drop: Any = (),
    systems: Iterable[Any] | str = (),
    measures: Iterable[str] | str = (),
    replicates: str | None = None,
    replicate_of: Mapping[str, Any] | None = None,
    deterministic: Iterable[str] | str | None = None,
) -> Scores:
    r"""Scores of one or more files: logs of evaluation harnesses, or tables of scores.

    Of logs, a query is a sample, a measure a scorer or metric, and a system a model. A log holds
    the scores of one model: give several to compare models.

    Parameters
    ----------
    paths : path, pattern, folder of HELM, list of those, dict or table
        - Logs of Inspect, `.eval` or `.json`. "C" counts 1, "P" 0.5, "I" and "N" 0; a scorer that
          gives several values makes a measure of each. Also the frame that its `samples_df` gives,
          with a column `model`.
        - Samples of lm-evaluation-harness, ``<model>/samples_<task>_<time>.jsonl``. Measures are
          its metrics, with the filter in parentheses where a file has several.
        - HELM's ``<run>/per_instance_stats.json``, or a folder of such runs. Measures are its
          statistics; perturbed instances are left out, and trials are epochs.
        - Test runs of DeepEval, ``test_run_<time>.json``, or what its `evaluate` gives, as JSON.
        - With `measures`, tables with a row a sample and a column a measure; those of ragas without
          it, too: its metrics are then found, and named in a warning.
        - Whatever `Scores.load` and `Scores.from_frame` read.

        MTEB's results are refused, for they are means.

        A dict names the systems of logs: ``{"gpt": path or list of paths}``.
    name : {"model", "file"}
        What names the system of a log: its model (with lm-evaluation-harness, its folder), or the
        name of the file without folder and ending. Tables name their systems themselves.
    higher_is_better : bool or mapping of measure to bool, optional
        As in `Scores.from_frame`; of logs and frames. By default, that of a known measure, else
        True: a perplexity needs it.
    clusters, columns, drop, systems
        Of tables; see `Scores.from_frame`.
    measures : names of columns
        Columns of a table that hold one measure each: ``["faithfulness", "answer_relevancy"]``. A
        row is a sample, called by a column of queries, else by its `user_input`, `question` or
        `input`, else by its number; the system is a column, or the name of the file.
    replicates, replicate_of, deterministic
        Systems with several runs; see `Scores.from_frame`. "epoch" makes runs of the epochs of
        logs, which are averaged by default: drawn for each sample apart, they have no effect in
        common, and as runs two of them make intervals many times as wide.

    Returns
    -------
    Scores
        Queries are called as the samples, or ``task/sample`` if the logs are of several tasks.
        Values that systems lack are missing.

    Raises
    ------
    DataError
        A file cannot be read or is of unknown structure, an evaluation did not succeed or logged
        no samples, or a model has two logs of a task.
    OptionError
        An option has a value that it does not take, or `columns` a name that is not read here.

    Warns
    -----
    RepeatsWarning
        Samples were run several times (epochs): their scores are the means.
    LeftOutWarning
        Samples have no score, or values are no numbers; or rows of tables were dropped, or cells
        are empty.
    MetadataWarning
        Another program rewrote what `Scores.save` wrote; see `Scores.load`.

    Examples
    --------
    >>> folder = getfixture("tmp_path") / "tiny"
    >>> folder.mkdir()
    >>> _ = (folder / "samples_arc_2024-05-01T10-00-00.123456.jsonl").write_text(
    ...     '{"doc_id": 0, "resps": [], "filter": "none", "metrics": ["acc"], "acc": 1.0}\n'
    ...     '{"doc_id": 1, "resps": [], "filter": "none", "metrics": ["acc"], "acc": 0.0}\n')
    >>> scores = read_scores(folder / "*.jsonl")
    >>> scores.systems, scores.queries, scores.mean().loc["tiny", "acc"].item()
    (('tiny',), ('0', '1'), 0.5)
    """
    choice("name", name, get_args(SystemName))
    options = {"clusters": clusters, "columns": columns, "drop": drop, "systems": systems}
    options |= {"replicates": replicates, "measures": tuple(several(measures))}
    if is_table(paths) and not isinstance(paths, Iterator):
        return declared(_of_frame(paths, higher_is_better, options), replicate_of, deterministic)
    tables: list[Scores] = []
    logs: list[SampleLog] = []
    for system, path in _named(paths, name):
        read = _read(path, options)
        if isinstance(read, SampleLog):
            read.report()
            logs.append(read if system is None else read.named(system))
        else:
            named = isinstance(paths, Mapping)
            require("paths", str(path), not named, "is no log; its table names its systems itself")
            tables.append(read)
    if tables:
        rule = "is for logs; make the scores of tables with Scores.from_frame"
        require("higher_is_better", higher_is_better, higher_is_better is None or bool(logs), rule)
    of_logs = [_joined(logs, higher_is_better, by_epoch=replicates is not None)] if logs else []
    return declared(concat([*of_logs, *tables]), replicate_of, deterministic)


def _refuse(options: Mapping[str, Any], where: str) -> None:
    """Raise if any option of tables is given, for a log."""
    for name, value in options.items():
        absent = value is None or (isinstance(value, (str, tuple)) and not value)
        absent |= name == "replicates" and value == "epoch"
        require(name, value, absent, f"is for tables, and {where} is a log; leave it out")


def holds_scores(path: Path, *, columns: Mapping[str, Any] | None = None) -> bool:
    """Whether a file holds scores, by its header or its first record.

    `columns` are the user's names of its columns.
    """
    if path.is_dir():
        return next(path.rglob(HELM), None) is not None
    source = Source.of(path)
    if _reader_of_log(path) is not None:
        return True
    names = {*column_names(source), *option_mapping("columns", columns)}
    is_run = has_columns(names, ("item", "score"))
    is_judged = has_columns(names, ("item", "grade"))
    is_of_scores = has_columns(names, ("system", "query", "value")) and not is_run
    return is_of_scores or (bool(measures_of_ragas(names)) and not is_judged)


def _of_frame(frame: Any, higher_is_better: Better, options: Mapping[str, Any]) -> Scores:
    """Scores of a frame of `samples_df`, or of a table of scores."""
    table = named_columns(frame, "frame")
    log = _of_measures(table, table.names, options, "frame", "system")
    if log is not None:
        log.report()
        return _joined([log], higher_is_better, by_epoch=False)
    if not harness_logs.is_inspect_frame(list(table.names)):
        given = {name: value for name, value in options.items() if name != "measures"}
        return Scores.from_frame(frame, higher_is_better=higher_is_better, **given)
    _refuse(options, "the frame")
    columns = {str(name): table.values(name) for name in table.names}
    log = harness_logs.log_of_frame(columns, "frame")
    log.report()
    return _joined([log], higher_is_better, by_epoch=options["replicates"] is not None)


def _named(paths: Any, name: SystemName) -> list[tuple[str | None, Path]]:
    """Files, each with the name of its system where it is not the model."""
    files: list[tuple[str | None, Path]]
    if isinstance(paths, Mapping):
        require("name", name, name == "model", "the keys of the dict already name the systems")
        files = [
            (check_id(system, "system", "paths"), path)
            for system, given in paths.items()
            for path in files_of_results(given)
        ]
    else:
        files = [
            (stem_of(path) if name == "file" else None, path) for path in files_of_results(paths)
        ]
    if not files:
        raise errors.DataError("read_scores: there are no paths; give at least one file")
    return files


def _read(path: Path, options: Mapping[str, Any]) -> SampleLog | Scores:
    """What one file holds."""
    source, measures = Source.of(path), options["measures"]
    read_log = None if measures else _reader_of_log(path)
    if read_log is None:
        source = table_source(source, "scores of measures", measures) if measures else source
        log = _of_measures(source, column_names(source), options, str(path), source.stem)
        rest = {name: value for name, value in options.items() if name != "measures"}
        return Scores.load(path, **rest) if log is None else log
    with refuse_malformed(str(path), "log of an evaluation harness"):
        log = read_log()
    _refuse(options, str(path))
    return log


def _of_measures(
    given: Any, names: Sequence[Any], options: Mapping[str, Any], where: str, system: str
) -> SampleLog | None:
    """A table with a column for each measure, those named or the metrics of ragas; None if none."""
    measures: tuple[str, ...] = options["measures"]
    long = has_columns([*names, *option_mapping("columns", options["columns"])], ("value",))
    if not (measures or long or options["systems"]):
        measures = measures_of_ragas(names, where)
    if not measures:
        return None
    others = {name: options[name] for name in ("clusters", "drop", "systems", "replicates")}
    for name, value in others.items():
        rule = "does not go with measures=, columns of one measure each; leave it out"
        require(name, value, value is None or value == (), rule)
    return log_of_measures(given, measures, options["columns"], where, system)


def _reader_of_log(path: Path) -> Callable[[], SampleLog] | None:
    """What reads the log that a file holds, looking at no more than tells; None if it is none."""
    source = Source.of(path)
    kind = Path(path.stem if path.suffix.lower() == ".gz" else path.name).suffix.lower()
    if kind == ".eval":
        return partial(harness_logs.read_eval, source)
    if kind == ".json" and next(source.blocks(), b"").lstrip().startswith(b"{"):
        data = parse_json(source.text(), str(path))
        if harness_logs.is_inspect_log(data):
            return partial(harness_logs.log_of_json, data, str(path))
        harness_logs.refuse_means(data, str(path))
        return reader_of_results(data, str(path), source.stem)
    if kind == ".json" and is_of_helm(source):
        return partial(read_helm, source)
    if kind in (".jsonl", ".ndjson") and harness_logs.holds_samples(source):
        return partial(harness_logs.read_samples, source)
    return None


def _joined(logs: list[SampleLog], higher_is_better: Better, *, by_epoch: bool) -> Scores:
    """Scores of all logs; epochs are runs of their system, or averaged."""
    _check_one_log_each(logs)
    rows = [row for log in logs for row in zip(log.model, log.task, log.sample, strict=True)]
    several = len({task for _, task, _ in rows}) > 1
    system_of: dict[str, str] = {}
    if by_epoch:
        epochs = [epoch for log in logs for epoch in log.epoch]
        names = [f"{row[0]}/{epoch}" for row, epoch in zip(rows, epochs, strict=True)]
        system_of = {name: row[0] for name, row in zip(names, rows, strict=True)}
        rows = [(name, *row[1:]) for name, row in zip(names, rows, strict=True)]
    columns: dict[str, Any] = {
        "system": [model for model, _, _ in rows],
        "query": [f"{task}/{sample}" if several else str(sample) for _, task, sample in rows],
        "measure": [measure for log in logs for measure in log.measure],
    }
    value = np.array([value for log in logs for value in log.value], dtype=np.float64)
    first, columns["value"] = _means_of_repeats(columns, value, logs)
    for axis in ("system", "query", "measure"):
        columns[axis] = [columns[axis][row] for row in first]
    places = [place for log in logs for place in log.place]
    arrays = scores_from_columns(
        columns, where=lambda row: places[first[row]], higher_is_better=higher_is_better
    )
    return declared(Scores._of(arrays), system_of or None)


def _check_one_log_each(logs: list[SampleLog]) -> None:
    """Raise if two logs are of one model and task."""
    seen: dict[tuple[str, str], str] = {}
    for log in logs:
        for model, task in dict.fromkeys(zip(log.model, log.task, strict=True)):
            if (model, task) in seen:
                raise errors.DataError(
                    f"{log.where}: the model {shown(model)} has a log"
                    f"{f' of the task {shown(task)}' if task else ''} already "
                    f"({seen[model, task]}); give one of the two, or name the systems: "
                    "read_scores({name: path, ...})"
                )
            seen[model, task] = log.where


def _means_of_repeats(
    columns: Mapping[str, list[str]], value: Floats, logs: list[SampleLog]
) -> tuple[Ints, Floats]:
    """First row and mean of each system, query and measure; warns if some occur repeatedly."""
    cell = np.zeros(len(value), dtype=np.int64)
    for axis in ("system", "query", "measure"):
        names, code = np.unique(np.asarray(columns[axis], dtype=object), return_inverse=True)
        cell = cell * len(names) + code
    _, first, row_of, n_runs = np.unique(
        cell, return_index=True, return_inverse=True, return_counts=True
    )
    order = np.argsort(first)
    mean = np.bincount(row_of, weights=value) / n_runs
    if n_runs.max() > 1:
        repeated = first[n_runs > 1]
        samples = {(columns["system"][row], columns["query"][row]) for row in repeated}
        files = counted(len(logs), "log") if len(logs) > 1 else logs[0].where
        warn(
            f"{files}: {counted(len(samples), 'sample was', 'samples were')} run up to "
            f"{n_runs.max()} times (epochs); their scores are the means",
            errors.RepeatsWarning,
        )
    return first[order], mean[order]


# Results that other tools write for each sample: tables with a column a metric, HELM's folders.

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
        warn(text, errors.FuzzytruthWarning)
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
            raise errors.DataError(
                f"{folder}: is a directory without {HELM}, which HELM writes; give a file, or a "
                f"pattern such as {folder}/*"
            )
        files += found
    return files


def means_of_mteb(where: str) -> errors.DataError:
    """The error of results of MTEB, which have no values of queries."""
    return errors.DataError(
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
        raise errors.DataError(f"{source.path}: has means by HELM; give {HELM}, which is beside it")
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
