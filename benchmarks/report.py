"""Time a report, measure its size, and time its first paint in Chromium, if that is installed.

python benchmarks/report.py [FILE]
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd

import fuzzytruth as ft

SYSTEMS, QUERIES, MEASURES, SUBJECTS = 63, 53, ("AP", "nDCG@10", "P@10"), 6
CHROMIUM = shutil.which("chromium")


def scores() -> ft.Scores:
    """Systems that differ, on queries that differ more, by people who differ, too."""
    rng = np.random.default_rng(0)
    shape = (SYSTEMS, QUERIES, len(MEASURES), SUBJECTS)
    level = np.linspace(-0.5, 0.5, SYSTEMS)[:, None, None, None]
    level = level + rng.normal(0, 1, (1, QUERIES, 1, 1))
    level = level + rng.normal(0, 0.15, (SYSTEMS, 1, 1, SUBJECTS))
    values = 1 / (1 + np.exp(-level - rng.normal(0, 0.5, shape)))
    system, query, measure, subject = (axis.ravel() for axis in np.indices(shape))
    return ft.Scores.from_frame(
        pd.DataFrame(
            {
                "system": [f"group{j % 9}.run-{j}" for j in system],
                "query": query,
                "measure": np.array(MEASURES)[measure],
                "subject": [f"judge{j}" for j in subject],
                "value": values.ravel(),
            }
        )
    )


PAINTED = """() => new Promise((done) => {
  const seen = (list) => done(list.getEntries()[0].startTime / 1000);
  new PerformanceObserver(seen).observe({ type: "paint", buffered: true });
})"""


def opened(path: Path, repeats: int = 7) -> list[float]:
    """Seconds from navigation to the first paint, by Chromium's own clock, in fresh tabs."""
    from playwright.sync_api import sync_playwright

    out = []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as started:
        context = started.chromium.launch_persistent_context(
            folder,
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        for _ in range(repeats):
            tab = context.new_page()
            tab.goto(path.as_uri())
            out.append(tab.evaluate(PAINTED))
            tab.close()
        context.close()
    return out


def main() -> None:
    given = scores()
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ft.FuzzytruthWarning)
        result = ft.analyse(given)
    analysed = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        path = result.report(sys.argv[1] if len(sys.argv) > 1 else Path(folder) / "report.html")
        written = time.perf_counter()
        print(
            f"- report of {SYSTEMS} systems × {QUERIES} queries, {len(MEASURES)} measures, "
            f"{SUBJECTS} subjects: {path.stat().st_size / 1e6:.1f} MB, analysed in "
            f"{analysed - start:.1f} s, written in {written - analysed:.1f} s"
        )
        if CHROMIUM:
            times = sorted(opened(path.absolute()))
            print(f"- first paint: {times[len(times) // 2]:.2f} s (slowest {times[-1]:.2f})")


if __name__ == "__main__":
    main()
