"""Tables as text."""

from __future__ import annotations

import pandas as pd
import pytest


def test_latex_without_jinja_says_what_to_install(run, monkeypatch: pytest.MonkeyPatch) -> None:
    def absent(_: pd.DataFrame) -> None:
        raise ImportError("no jinja2")

    monkeypatch.setattr(pd.DataFrame, "style", property(absent))
    status, _, err = run("evaluate", "qrels.txt", "a.run", "--format", "latex")
    assert status == 1
    assert "fuzzytruth[latex]" in err
