"""Build the release twice, try it in empty environments, and print a table of what was checked.

python release/check.py [--keep FOLDER]

The commit is built, not the working tree. Exit status 1 if a check failed; a check that needs what
this machine lacks is listed as not run.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from archives import contents, metadata, reproducible, versions
from environments import from_sdist, oldest, on_each_python, with_pipx, without_network
from linters import recipe, workflow
from workplace import Failed, NotRun, Workplace

CHECKS: dict[str, Callable[[Workplace], str]] = {
    "two builds, byte for byte": reproducible,
    "version": versions,
    "metadata": metadata,
    "contents": contents,
    "wheel on each Python": on_each_python,
    "wheel, oldest dependencies": oldest,
    "sdist": from_sdist,
    "pipx run": with_pipx,
    "no network": without_network,
    "conda recipe": recipe,
    "workflow": workflow,
}


def run(check: Callable[[Workplace], str], place: Workplace) -> tuple[str, str]:
    """Verdict and detail of a check."""
    try:
        return "passed", check(place)
    except NotRun as reason:
        return "not run", str(reason)
    except Failed as error:
        return "FAILED", str(error)


def main() -> int:
    """Run all checks; the exit status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--keep", type=Path, help="folder for the wheel and the sdist")
    keep = parser.parse_args().keep
    verdicts = []
    with tempfile.TemporaryDirectory(prefix="fuzzytruth-release-") as folder:
        place = Workplace(Path(folder))
        for name, check in CHECKS.items():
            start = time.perf_counter()
            verdict, detail = run(check, place)
            verdicts.append(verdict)
            print(
                f"{name:<27} {verdict:<8} {time.perf_counter() - start:5.0f} s  {detail}",
                flush=True,
            )
        if keep is not None:
            place.keep(keep)
    return int("FAILED" in verdicts)


if __name__ == "__main__":
    sys.exit(main())
