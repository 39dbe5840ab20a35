"""Logs that evaluation harnesses write for each sample, as columns of scores.

Of Inspect (`inspect_ai`), `.eval` and `.json` files, and frames of `samples_df`; of the Language
Model Evaluation Harness, ``samples_<task>_<time>.jsonl``.

References
----------
Inspect documentation: "Log Files" (EvalLog, `.eval` and `.json`), "Log Dataframes" (`samples_df`)
and "Scorers" (values of scores: "C", "I", "P", "N"). lm-evaluation-harness documentation: "User
Guide" (`--log_samples`, `--output_path`); Biderman et al. 2024, Lessons from the Trenches on
Reproducible Evaluation of Language Models.
"""

from __future__ import annotations

import copy
import math
import re
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from fuzzytruth._lazy import pa
from fuzzytruth.errors import DataError, LeftOutWarning, counted, first_few, shown, shown_all, warn
from fuzzytruth.io.files import Source, counted_reasons, parse_json, refuse_malformed


@dataclass(frozen=True, slots=True)
class SampleLog:
    """One row for each sample, run of it (epoch) and measure.

    Parameters
    ----------
    where : str
        The file or frame, for messages.
    model, task : list of str, (rows,)
    sample : list of str or int, (rows,)
        Ids, unique within a task.
    measure : list of str, (rows,)
    value : list of float, (rows,)
    place : list of str, (rows,)
        Where each value stands.
    epoch : list of str, (rows,)
        Which run of the sample it is.
    left_out : Counter
        What has no number -> how often it occurs.
    examples : list of str
        A value that is no number, and its place.
    """

    where: str
    model: list[str] = field(default_factory=list)
    task: list[str] = field(default_factory=list)
    sample: list[Any] = field(default_factory=list)
    measure: list[str] = field(default_factory=list)
    value: list[float] = field(default_factory=list)
    place: list[str] = field(default_factory=list)
    epoch: list[str] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)

    def leave_out(self, what: str, value: Any = None, place: str = "") -> None:
        """Count a value that is no number; the first is named with its place."""
        self.left_out[what] += 1
        if value is not None and not self.examples:
            self.examples.append(f"{shown(value)} ({place})")

    def add(
        self,
        model: str,
        task: str,
        sample: Any,
        values: dict[str, float],
        place: str,
        epoch: Any = 1,
    ) -> None:
        """Append the values of one sample, by measure."""
        for measure, value in values.items():
            self.model.append(model)
            self.task.append(task)
            self.sample.append(sample)
            self.measure.append(measure)
            self.value.append(value)
            self.place.append(place)
            self.epoch.append(str(epoch))

    def named(self, system: str) -> SampleLog:
        """The same log, all of whose rows are of this system instead of their models."""
        return replace(self, model=[system] * len(self.model))

    def report(self) -> None:
        """Warn of what has no number; a `DataError` if nothing has one."""
        listed = counted_reasons(self.left_out)
        example = f", such as {self.examples[0]}" if self.examples else ""
        if not self.value:
            what = f" (left out: {first_few(listed)}{example})" if listed else ""
            raise DataError(
                f"{self.where}: no sample of this log has a score that is a number{what}; give the "
                "log of an evaluation that was scored"
            )
        if listed:
            warn(
                f"{self.where}: of this log, {first_few(listed)} left out{example}", LeftOutWarning
            )


# Logs of Inspect.

#: values of scores that are words: correct, incorrect, partially correct, no answer
_WORDS = {"c": 1.0, "i": 0.0, "p": 0.5, "n": 0.0, "yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_HEADER, _STARTED = "header.json", "_journal/start.json"
_SCORE = "score_"
_NO_SCORE = "sample without a score"
_ZSTANDARD = 93  # method of compression, which `zipfile` knows since Python 3.14


def is_inspect_log(data: Any) -> bool:
    """Whether a value from JSON is a log of Inspect."""
    return isinstance(data, dict) and isinstance(data.get("eval"), dict) and "status" in data


def is_inspect_frame(columns: list[Any]) -> bool:
    """Whether columns are those of `samples_df`."""
    return {"id", "epoch"} <= {*columns} and any(str(name).startswith(_SCORE) for name in columns)


def read_eval(source: Source) -> SampleLog:
    """Read a `.eval` file: a ZIP archive of a header and the samples."""
    path = str(source.path)
    with source.open() as file, _errors_of(path), zipfile.ZipFile(file) as archive:
        names = archive.namelist()
        if _HEADER not in names:
            stopped = _STARTED in names
            what = "the evaluation has not ended" if stopped else f"there is no {_HEADER} in it"
            raise DataError(f"{path}: {what}; give the log of one that has")
        header = _parse(archive, _HEADER, path)
        samples = [
            (f"{path}, {name}", _parse(archive, name, path))
            for name in names
            if name.startswith("samples/") and name.endswith(".json")
        ]
    return _log_of(path, header, iter(samples))


@contextmanager
def _errors_of(path: str) -> Iterator[None]:
    """Turn the errors of a ZIP archive into a `DataError`."""
    try:
        yield
    except NotImplementedError:
        raise DataError(
            f"{path}: is compressed in a way that this version of Python cannot read; convert "
            "it: inspect log convert --to json"
        ) from None
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, struct.error) as error:
        what = "no" if isinstance(error, zipfile.BadZipFile) else "a damaged"
        raise DataError(f"{path}: is not a log of Inspect ({what} ZIP archive)") from None


def log_of_json(data: dict[str, Any], where: str) -> SampleLog:
    """The log that a `.json` file holds."""
    samples = data.get("samples") or []
    return _log_of(
        where, data, ((f"{where}, sample {n}", one) for n, one in enumerate(samples, start=1))
    )


def log_of_frame(columns: Mapping[str, list[Any]], where: str) -> SampleLog:
    """The log that the columns of `samples_df` hold, one for each row."""
    if "model" not in columns:
        raise DataError(
            f"{where}: no column 'model' says which system a row is of (columns present: "
            f"{shown_all(columns)}); give samples_df(logs, columns=EvalModel + SampleSummary)"
        )
    log = SampleLog(where)
    scorers = [name.removeprefix(_SCORE) for name in columns if name.startswith(_SCORE)]
    tasks = columns.get("task_name") or [""] * len(columns["id"])
    for row, sample in enumerate(columns["id"]):
        given = {name: {"value": columns[f"{_SCORE}{name}"][row]} for name in scorers}
        place = f"{where}, row {row + 1}"
        values = _inspect_values(given, log, f"{place}, id {shown(sample)}")
        system, task, epoch = (str(one[row]) for one in (columns["model"], tasks, columns["epoch"]))
        log.add(system, task, sample, values, place, epoch)
    return log


def _parse(archive: zipfile.ZipFile, name: str, path: str) -> Any:
    return parse_json(_read(archive, archive.getinfo(name)), f"{path}, {name}")


def _read(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """The contents of a member; those that are compressed by Zstandard are decoded by Arrow."""
    if member.compress_type != _ZSTANDARD:
        return archive.read(member)
    packed = copy.copy(member)
    packed.compress_type, packed.file_size = zipfile.ZIP_STORED, member.compress_size
    del packed.CRC  # of the contents, not of the bytes in the file, which are to be read
    packed_data = pa.BufferReader(archive.read(packed))
    try:
        with pa.CompressedInputStream(packed_data, "zstd") as stream:
            data: bytes = stream.read()
    except OSError as error:
        raise zlib.error(str(error)) from None
    if zlib.crc32(data) != member.CRC:
        raise zlib.error("wrong checksum")
    return data


def _log_of(where: str, header: Any, samples: Iterator[tuple[str, Any]]) -> SampleLog:
    """The log of a header and its samples, each with its place."""
    if not is_inspect_log(header):
        raise DataError(f"{where}: is not a log of Inspect (no 'eval' and 'status' in its header)")
    if header["status"] != "success":
        reason = (header.get("error") or {}).get("message")
        after = _progress(header["eval"], sum(1 for _ in samples))
        raise DataError(
            f"{where}: the evaluation ended with status {shown(header['status'])}"
            f"{f' ({reason})' if reason else ''}{after}; give the log of one that succeeded"
        )
    log = SampleLog(where)
    model, task = str(header["eval"].get("model")), str(header["eval"].get("task"))
    n_samples = 0
    for place, sample in samples:
        n_samples += 1
        if not isinstance(sample, dict) or sample.get("id") is None:
            raise DataError(f"{place}: is no sample of Inspect; it has no 'id'")
        named = f"{place}, id {shown(sample['id'])}"
        with refuse_malformed(named, "sample of Inspect"):
            values = _inspect_values(sample.get("scores") or {}, log, named)
        log.add(model, task, sample["id"], values, place, sample.get("epoch", 1))
    if not n_samples:
        raise DataError(f"{where}: there are no samples in it; log them (not --no-log-samples)")
    return log


def _progress(evaluation: Mapping[str, Any], n_done: int) -> str:
    """How far an evaluation came whose samples are run once in each epoch; "" if not known."""
    n_samples = (evaluation.get("dataset") or {}).get("samples")
    n_epochs = (evaluation.get("config") or {}).get("epochs") or 1
    if not n_samples:
        return ""
    each = f" ({n_epochs} epochs of {n_samples:,})" if n_epochs > 1 else ""
    return f" after {n_done:,} of {counted(n_samples * n_epochs, 'sample')}{each}"


def _inspect_values(scores: Mapping[str, Any], log: SampleLog, place: str) -> dict[str, float]:
    """Numbers by measure: a scorer, or scorer and key where a scorer gives several."""
    values: dict[str, float] = {}
    log.left_out[_NO_SCORE] += not scores
    for scorer, score in scores.items():
        if not isinstance(score, dict) or "value" not in score:
            raise DataError(f"{place}, score {shown(scorer)}: {shown(score)} has no 'value'")
        value = score["value"]
        given = {scorer: value}
        if isinstance(value, dict):
            given = {f"{scorer}.{key}": v for key, v in value.items()}
        for measure, one in given.items():
            number = number_of(one)
            if number is not None:
                values[measure] = number
            elif one is None or (isinstance(one, float) and math.isnan(one)):
                log.leave_out(_NO_SCORE)
            else:
                log.leave_out(f"value of {measure!r}", one, place)
    return values


def number_of(value: Any) -> float | None:
    """The number that a value of a score stands for; None if it is none."""
    if isinstance(value, str) and value.strip().lower() in _WORDS:
        return _WORDS[value.strip().lower()]
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None


# Samples of the Language Model Evaluation Harness.

_NO_FILTER = "none"  # which takes answers as they are
_NAME = re.compile(r"samples_(?P<task>.+?)(_\d{4}-\d\d-\d\dT[\d.-]+)?")
#: keys of a sample that are no measures
_OTHERS = frozenset(
    {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"}
    | {"doc_hash", "prompt_hash", "target_hash"}
)


def is_sample(record: Any) -> bool:
    """Whether a record from JSON lines is a sample of the harness."""
    if not isinstance(record, dict) or "doc_id" not in record:
        return False
    return "resps" in record or "filtered_resps" in record


def refuse_means(data: Any, where: str) -> None:
    """Raise if a value from JSON is ``results_<time>.json``, which has means alone."""
    if isinstance(data, dict) and isinstance(data.get("results"), dict) and "configs" in data:
        raise DataError(
            f"{where}: has the means of lm-evaluation-harness, and no samples; give "
            "samples_<task>_<time>.jsonl, which --log_samples writes"
        )


def holds_samples(source: Source) -> bool:
    """Whether the first line that is not blank is a sample of the harness."""
    for block in source.blocks():
        for text in block.splitlines():
            if text.strip():
                where = f"{source.path}, first line"
                return b'"doc_id"' in text and is_sample(parse_json(text, where))
    return False


def read_samples(source: Source) -> SampleLog:
    """Read the samples of one model and task; the folder names the model, the file the task."""
    path = source.path
    named = _NAME.fullmatch(source.stem)
    task = named["task"] if named else source.stem
    log = SampleLog(str(path))
    for line, text in enumerate(source.text().splitlines(), start=1):
        if not text.strip():
            continue
        place = f"{path}, line {line}"
        record = parse_json(text, place, is_line=True)
        if not is_sample(record):
            raise DataError(f"{place}: {shown(record)} is no sample of lm-evaluation-harness")
        name = record.get("filter") or _NO_FILTER
        suffix = "" if name == _NO_FILTER else f" ({name})"
        with refuse_malformed(place, "sample of lm-evaluation-harness"):
            given = _sample_values(record, log, place)
            values = {f"{name}{suffix}": value for name, value in given.items()}
        log.add(path.absolute().parent.name, task, record["doc_id"], values, place)
    return log


def _sample_values(record: dict[str, Any], log: SampleLog, place: str) -> dict[str, float]:
    """Numbers by measure: those that `metrics` lists, else all other keys with a number."""
    listed = record.get("metrics")
    values: dict[str, float] = {}
    for name in record if listed is None else listed:
        value = record.get(name)
        if listed is None and (name in _OTHERS or not isinstance(value, (int, float))):
            continue
        if isinstance(value, (int, float)) and math.isfinite(value):
            values[name] = float(value)
        else:
            log.leave_out(f"value of {name!r}", value, place)
    return values
