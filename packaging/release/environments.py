"""Checks of the release in environments that have nothing else."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from workplace import HOME, VERDICT, Failed, Workplace, installed_pythons, said

#: for machines that allow no network namespace: any connection is an error
NO_SOCKETS = """
import sys

def refuse(event, args):
    if event.startswith("socket.") and event not in ("socket.__new__", "socket.gethostname"):
        raise RuntimeError(f"network used: {event} {args}")

sys.addaudithook(refuse)
"""


def on_each_python(place: Workplace) -> str:
    """The wheel, and the demo with it, on every supported Python of this machine."""
    found = installed_pythons()
    printed = {
        place.demo(program(place, f"wheel-{one}", path, place.wheel)) for one, path in found.items()
    }
    if len(printed) != 1:
        raise Failed("the demo prints different numbers")
    return f"{', '.join(found)}: installed, demo run, the same output"


def oldest(place: Workplace) -> str:
    """The wheel with its oldest dependencies; nox runs all tests on them."""
    constraints = ["--constraint", HOME / "packaging" / "constraints" / "oldest.txt"]
    version, python = first_python()
    place.demo(program(place, "wheel-oldest", python, place.wheel, *constraints))
    return f"{version}: demo run"


def from_sdist(place: Workplace) -> str:
    """The source distribution, built where it is installed."""
    version, python = first_python()
    call = program(place, "sdist", python, place.sdist)
    place.demo(call)
    return f"{version}: built, demo run; {said([*call, '--version']).strip()}"


def with_pipx(place: Workplace) -> str:
    """`pipx run --spec WHEEL fuzzytruth demo`."""
    folder = str(place.folder / "pipx")
    call = [sys.executable, "-m", "pipx", "run", "--spec", place.wheel, "fuzzytruth"]
    empty = place.folder / "empty"
    empty.mkdir(exist_ok=True)
    printed = said([*call, "demo"], cwd=empty, PIPX_HOME=folder)
    if VERDICT not in " ".join(printed.split()):
        raise Failed(f"the demo prints something else: {printed[:200]!r}")
    return "demo run"


def without_network(place: Workplace) -> str:
    """The demo in an empty network namespace, or where every connection is an error."""
    programs = place.environment("offline", first_python()[1], place.wheel)
    isolate = ["unshare", "--map-root-user", "--net"]
    if shutil.which("unshare") and subprocess.run([*isolate, "true"], check=False).returncode == 0:
        place.demo([*isolate, programs / "fuzzytruth"])
        return "demo run in an empty network namespace"
    (site,) = said(
        [programs / "python", "-c", "import site; print(site.getsitepackages()[0])"]
    ).split()
    (Path(site) / "no_sockets.py").write_text(NO_SOCKETS, encoding="utf-8")
    (Path(site) / "no_sockets.pth").write_text("import no_sockets\n", encoding="utf-8")
    place.demo([programs / "fuzzytruth"])
    return "demo run with connections refused in Python"


def first_python() -> tuple[str, str]:
    """The oldest supported Python of this machine."""
    return next(iter(installed_pythons().items()))


def program(place: Workplace, name: str, python: str, *packages: str | Path) -> list[str | Path]:
    """The command of the package, installed in a new environment."""
    return [place.environment(name, python, *packages) / "fuzzytruth"]
