"""Small logs as evaluation harnesses write them.

Of Inspect as in "Log Files" of its documentation, of lm-evaluation-harness as `--log_samples` of
its "User Guide" gives them.
"""

import json
import zipfile
import zlib
from pathlib import Path
from typing import Any

import pyarrow as pa


def inspect_sample(sample: Any, epoch: int = 1, **values: Any) -> dict[str, Any]:
    """A sample with the value of each scorer."""
    return {
        "id": sample,
        "epoch": epoch,
        "input": "Is the following statement something you would say?",
        "target": "Yes",
        "messages": [],
        "output": {"model": "gemma3", "choices": []},
        "scores": {name: {"value": value, "answer": "Yes"} for name, value in values.items()},
        "metadata": {},
    }


def inspect_log(
    *samples: dict[str, Any], model: str = "ollama/gemma3", task: str = "pop", **more: Any
) -> dict[str, Any]:
    """A log with these samples."""
    return {
        "version": 2,
        "status": "success",
        "eval": {"created": "2025-07-05T09:59:40-04:00", "task": task, "model": model},
        "plan": {"name": "plan", "steps": [], "config": {}},
        "results": {"total_samples": len(samples), "completed_samples": len(samples)},
        "samples": list(samples),
    } | more


def write_eval(path: Path, log: dict[str, Any], header: str = "header.json") -> Path:
    """A `.eval` file of a log."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        without = {key: value for key, value in log.items() if key != "samples"}
        archive.writestr("_journal/start.json", json.dumps(without))
        archive.writestr(header, json.dumps(without))
        for one in log["samples"]:
            name = f"samples/{one['id']}_epoch_{one['epoch']}.json"
            archive.writestr(name, json.dumps(one))
    return path


def as_zstandard(path: Path) -> Path:
    """Compress the members of an archive by Zstandard (method 93), as Inspect does now."""
    with zipfile.ZipFile(path) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in contents.items():
            archive.writestr(name, pa.compress(data, "zstd", asbytes=True))
        for info in archive.infolist():  # the directory at the end of the archive says what it is
            data = contents[info.filename]
            info.compress_type, info.file_size, info.CRC = 93, len(data), zlib.crc32(data)
    return path


def harness_sample(doc: int, metrics: dict[str, Any], filter_name: str = "none") -> dict[str, Any]:
    """A sample of lm-evaluation-harness."""
    return {
        "doc_id": doc,
        "doc": {"question": "Which?", "answer": "A"},
        "target": "0",
        "arguments": {"gen_args_0": {"arg_0": "Question: Which?", "arg_1": " A"}},
        "resps": [[["-1.5", "True"]]],
        "filtered_resps": [["-1.5", "True"]],
        "filter": filter_name,
        "metrics": list(metrics),
        "doc_hash": "2ca2",
        "prompt_hash": "11a5",
        "target_hash": "5fec",
    } | metrics


def write_samples(
    folder: Path, model: str, task: str, samples: list[dict[str, Any]], time: str = "01T10-00-00.1"
) -> Path:
    """The file of a model and task."""
    (folder / model).mkdir(parents=True, exist_ok=True)
    path = folder / model / f"samples_{task}_2024-05-{time}.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in samples), encoding="utf-8")
    return path
