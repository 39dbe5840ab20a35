"""The browser of tests: Debian's Chromium, or another that is installed."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@contextmanager
def browser(profile: Path | str) -> Iterator[Any]:
    """A Chromium with a profile of its own, which is given as a folder."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as started:
        context = started.chromium.launch_persistent_context(
            profile, executable_path=CHROMIUM, args=[*ARGUMENTS], headless=True
        )
        yield context
        context.close()
