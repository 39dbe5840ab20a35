"""Logs of samples of the Language Model Evaluation Harness: ``samples_<task>_<time>.jsonl``.

References
----------
lm-evaluation-harness documentation: "User Guide" (`--log_samples`, `--output_path`); Biderman et
al. 2024, Lessons from the Trenches on Reproducible Evaluation of Language Models.
"""

from __future__ import annotations

import math
import re
from typing import Any

from fuzzytruth.errors import DataError, shown
from fuzzytruth.io.files import Source, parse_json, refuse_malformed, stem_of
from fuzzytruth.io.harness_logs.sample_log import SampleLog

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


def is_log(source: Source) -> bool:
    """Whether the first line that is not blank is a sample of the harness."""
    for block in source.blocks():
        for text in block.splitlines():
            if text.strip():
                return b'"doc_id"' in text and is_sample(parse_json(text, _first_line(source)))
    return False


def read_samples(source: Source) -> SampleLog:
    """Read the samples of one model and task; the folder names the model, the file the task."""
    path = source.path
    named = _NAME.fullmatch(stem_of(path))
    task = named["task"] if named else stem_of(path)
    log = SampleLog(str(path))
    samples: list[tuple[str, dict[str, Any]]] = []
    for line, text in enumerate(source.text().splitlines(), start=1):
        if text.strip():
            place = f"{path}, line {line}"
            record = parse_json(text, place, is_line=True)
            if not is_sample(record):
                raise DataError(f"{place}: {shown(record)} is no sample of lm-evaluation-harness")
            samples.append((place, record))
    for place, record in samples:
        name = record.get("filter") or _NO_FILTER
        suffix = "" if name == _NO_FILTER else f" ({name})"
        with refuse_malformed(place, "sample of lm-evaluation-harness"):
            values = {f"{name}{suffix}": v for name, v in _values(record, log, place).items()}
        log.add(
            model=path.absolute().parent.name,
            task=task,
            sample=record["doc_id"],
            values=values,
            place=place,
        )
    return log


def _first_line(source: Source) -> str:
    return f"{source.path}, first line"


def _values(record: dict[str, Any], log: SampleLog, place: str) -> dict[str, float]:
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
