"""A page of an analysis with trouble in its names, and a browser to open it in."""

import os
import warnings
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from support.analysed import runs, truth
from support.browser import CHROMIUM, browser
from support.watched import Watched

import fuzzytruth as ft

SCRIPT = "<script>alert(1)</script>"
IMAGE = '"><img src=x onerror=alert(2)>'


@pytest.fixture(scope="session")
def analysis() -> ft.results.Analysis:
    good, close, bad = runs().values()
    named = {SCRIPT: good, IMAGE: close, "$plain_name$ 検索": bad}
    votes = truth().to_frame().replace({"subject": {"ann": "<b>ann</b>"}, "query": {"q3": "</td>"}})
    lists = {
        name: {query.replace("q3", "</td>"): items for query, items in answers.items()}
        for name, answers in named.items()
    }
    judgments = ft.Judgments.from_frame(votes)
    return ft.analyse(judgments, lists, ["AP", "P@3"], n_resamples=199)


@pytest.fixture(scope="session")
def page_file(analysis: ft.results.Analysis, tmp_path_factory: pytest.TempPathFactory) -> Path:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # of Matplotlib, on glyphs that a font lacks
        return analysis.report(
            tmp_path_factory.mktemp("report") / "report.html",
            command=f"fuzzytruth report votes.csv '{SCRIPT}'",
        )


@pytest.fixture(scope="session")
def context(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A Chromium with a profile of its own; where CI is set it must be there."""
    missing = [] if CHROMIUM else ["chromium"]
    missing += [] if find_spec("playwright") else ["Playwright's Python package"]
    if missing:
        stop = pytest.fail if os.environ.get("CI") else pytest.skip
        stop(f"not installed: {' and '.join(missing)}")
    with browser(tmp_path_factory.mktemp("profile")) as context:
        yield context


@pytest.fixture
def opened(context: Any, page_file: Path) -> Iterator[Watched]:
    """The page in a tab of its own, which must stay without errors and requests."""
    with Watched.opened(context, page_file) as watched:
        yield watched
