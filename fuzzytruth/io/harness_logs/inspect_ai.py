"""Logs of Inspect (`inspect_ai`): `.eval` and `.json` files, and frames of `samples_df`.

References
----------
Inspect documentation: "Log Files" (EvalLog, `.eval` and `.json`), "Log Dataframes" (`samples_df`)
and "Scorers" (values of scores: "C", "I", "P", "N").
"""

from __future__ import annotations

import copy
import math
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from fuzzytruth.errors import DataError, counted, shown, shown_all
from fuzzytruth.io.files import Source, parse_json, refuse_malformed
from fuzzytruth.io.harness_logs.sample_log import SampleLog

#: values of scores that are words: correct, incorrect, partially correct, no answer
_WORDS = {"c": 1.0, "i": 0.0, "p": 0.5, "n": 0.0, "yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_HEADER, _STARTED = "header.json", "_journal/start.json"
_SCORE = "score_"
_NO_SCORE = "sample without a score"
_ZSTANDARD = 93  # method of compression, which `zipfile` knows since Python 3.14


def is_log(data: Any) -> bool:
    """Whether a value from JSON is a log of Inspect."""
    return isinstance(data, dict) and isinstance(data.get("eval"), dict) and "status" in data


def is_frame(columns: list[Any]) -> bool:
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
        log.add(
            model=str(columns["model"][row]),
            task=str(tasks[row]),
            sample=sample,
            values=_values(given, log, f"{where}, row {row + 1}, id {shown(sample)}"),
            place=f"{where}, row {row + 1}",
        )
    return log


def _parse(archive: zipfile.ZipFile, name: str, path: str) -> Any:
    return parse_json(_read(archive, archive.getinfo(name)), f"{path}, {name}")


def _read(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    """The contents of a member; those that are compressed by Zstandard are decoded by Arrow."""
    if member.compress_type != _ZSTANDARD:
        return archive.read(member)
    import pyarrow as pa

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
    if not is_log(header):
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
            values = _values(sample.get("scores") or {}, log, named)
        log.add(model=model, task=task, sample=sample["id"], values=values, place=place)
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


def _values(scores: Mapping[str, Any], log: SampleLog, place: str) -> dict[str, float]:
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
            number = _number(one)
            if number is None:
                blank = one is None or (isinstance(one, float) and math.isnan(one))
                if blank:
                    log.leave_out(_NO_SCORE)
                else:
                    log.leave_out(f"value of {measure!r}", one, place)
            else:
                values[measure] = number
    return values


def _number(value: Any) -> float | None:
    """The number that a value of a score stands for; None if it is none."""
    if isinstance(value, str) and value.strip().lower() in _WORDS:
        return _WORDS[value.strip().lower()]
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None
