"""Options of tables for papers are of the types that they need."""

from __future__ import annotations

from typing import Any

import pytest

from fuzzytruth.errors import OptionError
from fuzzytruth.show.latex import check_paper_options

RIGHT: dict[str, Any] = {"digits": 4, "caption": None, "bold": True, "label": ""}


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"digits": 101}, "digits=101: must be 100 or less"),
        ({"digits": -1}, "digits=-1: must be 0 or more"),
        ({"caption": 3}, "caption=3: must be a text"),
        ({"label": None}, "label=None: must be a text"),
        ({"bold": "yes"}, "bold='yes': must be True or False"),
    ],
)
def test_the_wrong_one_is_named(wrong: dict[str, Any], message: str) -> None:
    check_paper_options(**RIGHT)
    check_paper_options(digits=100, caption="x", bold=False, label="y")
    with pytest.raises(OptionError, match=f"^{message}$"):
        check_paper_options(**RIGHT | wrong)
