"""Make report.png, the figure of docs/guide/analyse.md: ``python docs/pictures/report.py``.

Needs Debian's Chromium and Playwright's Python package.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import fuzzytruth as ft
from playwright.sync_api import sync_playwright

CHROMIUM = shutil.which("chromium")
SIZE = {"width": 1100, "height": 980}


def main() -> None:
    """Open the report of a sample that ships, and take its first screen."""
    truth, runs = ft.datasets.load_clef_tar2017()
    analysis = ft.analyse(truth, runs, "AP", baseline="amc.run")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as started:
        page = analysis.report(f"{folder}/report.html")
        context = started.chromium.launch_persistent_context(
            f"{folder}/profile",
            executable_path=CHROMIUM,
            args=[
                "--no-sandbox",
                "--disable-gpu",
                "--disable-background-networking",
            ],
        )
        tab = context.new_page()
        tab.set_viewport_size(SIZE)
        tab.goto(page.as_uri())
        tab.screenshot(path=Path(__file__).with_suffix(".png"))
        context.close()


if __name__ == "__main__":
    main()
