"""Checks of the wheel, the source distribution and archives of the repository as files."""

from __future__ import annotations

import hashlib
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

from workplace import HOME, Failed, Workplace, said

_TABLES = tomllib.loads((HOME / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
#: version of an archive of a history without tags
FALLBACK = _TABLES["hatch"]["version"]["fallback-version"]


def reproducible(place: Workplace) -> str:
    """Two builds, of two checkouts, have the same bytes."""
    sums = []
    for suffix in (".whl", ".tar.gz"):
        first, second = (digest(place.built(name, suffix)) for name in ("first", "second"))
        if first != second:
            raise Failed(f"the two {suffix} files differ")
        sums.append(f"{suffix} {first[:12]}")
    return "SHA-256 " + ", ".join(sums)


def versions(place: Workplace) -> str:
    """Wheel and sdist have one version, of the tag if there is one."""
    built = place.wheel.name.split("-")[1]
    if place.sdist.name != f"fuzzytruth-{built}.tar.gz":
        raise Failed(f"{place.wheel.name} and {place.sdist.name} differ")
    unpacked = place.folder / "unpacked"
    with tarfile.open(place.sdist) as archive:
        archive.extractall(unpacked, filter="data")
    checkout = unpacked / f"fuzzytruth-{built}"
    again = said([sys.executable, "-m", "hatchling", "version"], cwd=checkout).split()[-1]
    if again != built:
        raise Failed(f"the sdist calls itself {again}, the wheel {built}")
    tags = said(["git", "tag", "--points-at", "HEAD"], cwd=HOME).split()
    if tags and f"v{built}" not in tags:
        raise Failed(f"built as {built}, tagged {', '.join(tags)}")
    return f"{built}, {'as tagged' if tags else 'no tag at this commit'}"


def archive(place: Workplace) -> str:
    """`git archive`, as behind the download of a repository, installs with the wheel's version."""
    checkout = place.folder / "first" / "checkout"
    built = place.wheel.name.split("-")[1]
    packed = place.folder / "archive.tar"
    said(["git", "archive", "--prefix=archive/", "--output", packed, "HEAD"], cwd=checkout)
    with tarfile.open(packed) as files:
        files.extractall(place.folder, filter="data")
    unpacked = place.folder / "archive"
    tagged = bool(said(["git", "tag", "--merged", "HEAD"], cwd=checkout).split())
    expected = built if tagged else FALLBACK
    programs = place.environment("archive-installed", sys.executable, unpacked)
    printed = said([programs / "fuzzytruth", "--version"], cwd=place.folder).split()[-1]
    if printed != expected:
        raise Failed(f"it calls itself {printed}, the wheel {built}")
    return f"{printed}{'' if tagged else ', as there is no tag to count from'}"


def metadata(place: Workplace) -> str:
    """What an index would refuse: twine's check."""
    check = [sys.executable, "-m", "twine", "check", "--strict", place.wheel, place.sdist]
    said(check, NO_COLOR="1")
    return "twine check --strict"


def contents(place: Workplace) -> str:
    """The wheel has the committed files of the package and its version, and no others."""
    listed = said(["git", "ls-files", "fuzzytruth"], cwd=place.folder / "first" / "checkout")
    expected = {*listed.splitlines(), "fuzzytruth/core/_version.py"}
    with zipfile.ZipFile(place.wheel) as packed:
        names = {name for name in packed.namelist() if ".dist-info/" not in name}
    if names != expected:
        raise Failed(f"missing or too many: {sorted(names ^ expected)[:5]}")
    return f"{len(names)} files, {place.wheel.stat().st_size / 1e6:.1f} MB"


def digest(path: Path) -> str:
    """SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()
