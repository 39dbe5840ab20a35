"""Items of crowdsourcing tables."""

from __future__ import annotations

import pytest

from fuzzytruth.io.exports.crowd_items import item_column


@pytest.mark.parametrize(
    ("header", "column"),
    [
        (["Input.x", "Answer.y"], "Input.x"),
        (["Input.query", "Input.doc"], "Input.doc"),
        (["Input.doc", "Input.image"], "HITId"),
        (["Answer.y"], "HITId"),
    ],
)
def test_item_column(header: list[str], column: str) -> None:
    assert item_column(header, "Input.", "HITId") == column
