"""Build the release twice, try it in empty environments, and print a table of what was checked.

python packaging/release/check.py [--keep FOLDER]

The commit is built, not the working tree. Exit status 1 if a check failed; one that needs what this
machine lacks is listed as not checked. Placeholders in packaging/identity.toml fail a commit with a
release tag; any other is listed as not ready. The wheel and the sdist are kept if none failed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from archives import archive, contents, metadata, reproducible, versions
from environments import from_sdist, oldest, on_each_python, with_pipx, without_network
from identities import identity
from linters import conda_forge, recipe, schemas, workflow_expressions
from workplace import Failed, NotChecked, NotReady, Workplace

CHECKS: dict[str, Callable[[Workplace], str]] = {
    "two builds, byte for byte": reproducible,
    "who and where": identity,
    "version": versions,
    "archive of the repository": archive,
    "metadata": metadata,
    "contents": contents,
    "wheel on each Python": on_each_python,
    "wheel, oldest dependencies": oldest,
    "sdist": from_sdist,
    "pipx run": with_pipx,
    "no network": without_network,
    "conda recipe": recipe,
    "conda-forge's lint": conda_forge,
    "schemas": schemas,
    "workflow, expressions": workflow_expressions,
}


def run(check: Callable[[Workplace], str], place: Workplace) -> tuple[str, str]:
    """Verdict and detail of a check."""
    try:
        return "passed", check(place)
    except NotChecked as reason:
        return "NOT CHECKED", str(reason)
    except NotReady as reason:
        return "NOT READY", str(reason)
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
            seconds = time.perf_counter() - start
            print(f"{name:<27} {verdict:<12} {seconds:4.0f} s  {detail}", flush=True)
        if keep is not None and "FAILED" not in verdicts:
            place.keep(keep)
    counts = Counter(verdicts)
    kinds = ("passed", "FAILED", "NOT READY", "NOT CHECKED")
    print(", ".join(f"{counts[one]} {one.lower()}" for one in kinds))
    if counts["NOT READY"]:
        print("not for release: see packaging/identity.toml")
    return int("FAILED" in verdicts)


if __name__ == "__main__":
    sys.exit(main())
