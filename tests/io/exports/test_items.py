"""Which field of a task names the item."""

from __future__ import annotations

import pytest

from fuzzytruth.io.exports import item_field, only_field


@pytest.mark.parametrize(
    ("names", "field"),
    [
        (["Input.x", "Input.y"], None),
        (["Input.query", "Input.doc"], "Input.doc"),
        (["Input.doc", "Input.image"], None),
        (["data.query", "data.doc_id", "data.document"], "data.doc_id"),
        (["fields.docid", "metadata.source"], "fields.docid"),
        (["data.meta.pid", "data.text"], "data.meta.pid"),
        (["data.doc_id", "data.meta.doc_id"], None),
        (["suggestions.item", "text"], None),
        ([], None),
    ],
)
def test_item_field(names: list[str], field: str | None) -> None:
    assert item_field(names, [dict.fromkeys(names, 1)]) == field


@pytest.mark.parametrize("lacking", [{}, {"doc_id": None}, {"doc_id": ""}])
def test_every_task_has_the_field(lacking: dict[str, str | None]) -> None:
    tasks = [{"doc_id": 0, "image": "a"}, {"image": "b"} | lacking]
    assert item_field(["doc_id", "image"], tasks) == "image"
    assert item_field(["doc_id"], tasks, "image") == "image"
    assert item_field([], tasks, "doc_id") is None


def test_only_field() -> None:
    assert only_field(["Input.x", "Answer.y"], "Input.") == "Input.x"
    assert only_field(["Input.x", "Input.y"], "Input.") is None
    assert only_field(["Answer.y"], "Input.") is None
