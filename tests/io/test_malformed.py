"""What nested records raise if their parts have other types than their format says."""

from __future__ import annotations

import json

import pytest
from support.harness_logs import harness_sample, inspect_log, inspect_sample

import fuzzytruth as ft
from fuzzytruth.errors import DataError
from fuzzytruth.io.files import refuse_malformed


def test_errors_of_the_library_are_left_alone():
    with pytest.raises(DataError, match=r"^mine$"), refuse_malformed("f", "log"):
        raise DataError("mine")


@pytest.mark.parametrize("status", [["draft"], {"a": 1}])
def test_a_record_of_argilla_with_another_type(status, tmp_path):
    path = tmp_path / "a.json"
    right = {"user_id": "ann", "values": {"label": {"value": "cat"}}, "status": "submitted"}
    records = [
        {"id": n, "fields": {"image": "i"}, "responses": [right | {"status": given}]}
        for n, given in enumerate(("submitted", status))
    ]
    path.write_text(json.dumps(records))
    with pytest.raises(DataError, match=r"a.json, record 2: malformed record of Argilla"):
        ft.read_assignments(path)


def test_scores_of_a_sample_of_inspect_that_are_no_object(tmp_path):
    path = tmp_path / "log.json"
    sample = inspect_sample("s", accuracy="C") | {"scores": "C"}
    path.write_text(json.dumps(inspect_log(sample)))
    with pytest.raises(DataError, match=r"sample 1, id 's': malformed sample of Inspect"):
        ft.read_scores(path)


def test_names_of_metrics_that_are_no_text(tmp_path):
    path = tmp_path / "samples_task.jsonl"
    path.write_text(json.dumps(harness_sample(0, {"acc": 1.0}) | {"metrics": [["acc"]]}))
    with pytest.raises(DataError, match=r"line 1: malformed sample of lm-evaluation-ha"):
        ft.read_scores(path)
