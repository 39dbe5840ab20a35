"""Patches for other projects: whole, applied to the installed package, and with our numbers."""

import importlib.metadata
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import fuzzytruth as ft

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git applies the patches")

CONTRIB = Path(__file__).parent.parent / "contrib"
PATCHES = sorted(CONTRIB.glob("*.patch"))
ASSESSORS, RANDOMISATION = PATCHES


def git_apply(patch: Path, folder: Path, *options: str) -> str:
    """Output of `git apply` in a folder outside any repository."""
    call = ["git", "apply", *options, str(patch)]
    environment = os.environ | {"GIT_CEILING_DIRECTORIES": str(folder.parent)}
    done = subprocess.run(call, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def python(folder: Path, *words: str) -> str:
    """Output of Python that finds the packages in a folder first."""
    paths = os.pathsep.join([str(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, *words],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def patched(patch: Path, package: str, folder: Path) -> Path:
    """A copy of an installed package with the patch, where it is the version of the patch."""
    version = patch.stem.rpartition("-")[2]
    try:
        installed = importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        pytest.skip(f"{package} is not installed")
    if installed != version:
        pytest.skip(f"the patch is for {package} {version}, and {installed} is installed")
    found = importlib.util.find_spec(package)
    assert found is not None
    assert found.origin is not None
    without = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(found.origin).parent, folder / package, ignore=without)
    git_apply(patch, folder, "--exclude=README.md")
    return folder


@pytest.mark.parametrize("patch", PATCHES, ids=lambda patch: patch.stem)
def test_a_patch_is_whole(patch: Path, tmp_path: Path) -> None:
    """Counts of lines, read by git, are those of its summary; it has a text, and tests."""
    text = patch.read_text(encoding="utf-8")
    counted = [line.split("\t") for line in git_apply(patch, tmp_path, "--numstat").splitlines()]
    added, removed = (sum(int(line[column]) for line in counted) for column in (0, 1))
    summary = rf"{len(counted)} files changed, {added} insertions\(\+\), {removed} deletions\(-\)$"
    assert re.search(summary, text, re.MULTILINE)
    assert re.match(r"Subject: \S.{10,70}\n\n\S", text)
    assert any(re.fullmatch(r"tests/test_\w+\.py", name) for *_, name in counted)


def test_the_table_and_the_sums_are_of_these_patches() -> None:
    sums = (CONTRIB / "sdists.txt").read_text(encoding="utf-8")
    pinned = re.findall(r"^([\w-]+)==([\d.]+) --hash=sha256:[0-9a-f]{64}$", sums, re.MULTILINE)
    stems = [patch.stem for patch in PATCHES]
    assert [f"{name.replace('-', '_')}-{version}" for name, version in pinned] == stems
    table = re.findall(r"^\| \[(.+?)\.patch\].*?(\d+) tests", page(), re.MULTILINE)
    tests = [
        len(re.findall(r"^\+    def test_", patch.read_text("utf-8"), re.M)) for patch in PATCHES
    ]
    assert table == [(stem, str(number)) for stem, number in zip(stems, tests, strict=True)]


def page() -> str:
    return (CONTRIB / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("patch", "package"), [(ASSESSORS, "ir_measures"), (RANDOMISATION, "pyterrier")]
)
def test_its_own_tests_pass(patch: Path, package: str, tmp_path: Path) -> None:
    folder = patched(patch, package, tmp_path)
    (module,) = (folder / "tests").glob("test_*.py")
    shown = python(folder, "-W", "ignore", "-m", "pytest", "-q", f"tests/{module.name}")
    number = len(re.findall(r"^    def test_", module.read_text("utf-8"), re.MULTILINE))
    assert re.search(rf"^{number} passed", shown, re.MULTILINE), shown


def test_several_assessors_have_our_numbers(tmp_path: Path) -> None:
    """Of real judgments: a measure by each subject's own truth, and the mean."""
    folder = patched(ASSESSORS, "ir_measures", tmp_path)
    truth, runs = ft.datasets.load_clef_tar2017()
    judged, lists = truth.to_frame(), runs.to_frame()
    some = sorted(truth.queries)[:6]
    judged = judged[judged["query"].isin(some)]
    lists = lists[(lists["system"] == "amc.run") & lists["query"].isin(some)]
    ours = ft.evaluate(judged, lists, ["AP", "P@10"], worlds="subject").to_frame()
    expected = ours.set_index(["query", "measure", "subject"])["value"]
    trec = judged.astype({"grade": int})[["query", "subject", "item", "grade"]]
    trec.to_csv(folder / "qrels", sep=" ", header=False, index=False)
    lists = lists.assign(first="Q0")[["query", "first", "item", "rank", "score", "system"]]
    lists.to_csv(folder / "run", sep=" ", header=False, index=False)
    code = (
        "import ir_measures as m, sys\n"
        "qrels, run = m.read_trec_qrels(sys.argv[1]), m.read_trec_run(sys.argv[2])\n"
        "for one in m.assessors.iter_calc([m.AP, m.P @ 10], qrels, run):\n"
        "    for name, value in one.by_assessor.items():\n"
        "        print(one.query_id, one.measure, name, value, one.value)\n"
    )
    printed = python(folder, "-W", "ignore", "-c", code, "qrels", "run")
    lines = [line.split() for line in printed.splitlines()]
    theirs = {tuple(line[:3]): float(line[3]) for line in lines}
    assert len(theirs) == len(expected) == 24
    for key, value in expected.items():
        assert theirs[key] == pytest.approx(value, abs=1e-12)
    means = expected.groupby(level=["query", "measure"]).mean()
    for query, measure, _, _, mean in lines:
        assert float(mean) == pytest.approx(means[query, measure], abs=1e-12)


@pytest.mark.parametrize("queries", [6, 12, 40])
def test_the_randomisation_test_has_our_numbers(queries: int, tmp_path: Path) -> None:
    module = "pyterrier/_evaluation/_significance.py"
    git_apply(RANDOMISATION, tmp_path, f"--include={module}")
    code = (tmp_path / module).read_text("utf-8").replace("from . import NUMERIC_TYPE", "")
    space: dict[str, object] = {"NUMERIC_TYPE": float}
    exec(code, space)
    test = space["randomisation_test"]
    assert callable(test)
    rng = np.random.default_rng(queries)
    a, b = rng.beta(2, 3, queries).round(2), rng.beta(2, 2.5, queries).round(2)
    mean, p = test(a, b)
    ours = float(ft.stats.sign_flip(a - b, ft.stats.Resampling()).p)
    assert mean == pytest.approx((a - b).mean())
    if queries <= 13:
        assert p == pytest.approx(ours, abs=1e-12)
    else:  # both drawn
        error = np.sqrt(p * (1 - p) * 2 / 9_999)
        assert abs(p - ours) < 4 * error
