"""The study of mutants: which tests are run, and why mutants survive."""

import json
from pathlib import Path

import pytest
from mutants import report, survivors
from mutants.related_tests import stages

HOME = Path(__file__).parent.parent
FILES = {
    "fuzzytruth/truth/pairs/pool.py": "",
    "fuzzytruth/truth/pairs/worlds.py": "def f():\n    from fuzzytruth.truth.pairs import pool",
    "fuzzytruth/stats/laws.py": "",
    "fuzzytruth/evaluation/scores/scores.py": "from fuzzytruth.truth.pairs.pool import Pool",
    "tests/truth/pairs/test_pool.py": "",
    "tests/truth/pairs/pool/test_probabilities.py": "",
    "tests/truth/pairs/test_unjudged.py": "",
    "tests/truth/pairs/test_worlds.py": "# two",
    "tests/evaluation/scores/test_scores.py": "# longer",
    "tests/data/test_runs.py": "import fuzzytruth.truth.pairs.pool",
}


def test_related_tests_nearest_first(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    own, near = stages(tmp_path, "fuzzytruth/truth/pairs/pool.py")
    assert own == [
        "tests/truth/pairs/test_pool.py",
        "tests/truth/pairs/pool/test_probabilities.py",
        "fuzzytruth/truth/pairs/pool.py",
    ]
    assert near == [
        "tests/test_conventions.py",
        "tests/test_public_names.py",
        "tests/truth/pairs/test_worlds.py",
        "tests/evaluation/scores/test_scores.py",
        "tests/data/test_runs.py",
        "tests/truth/pairs/test_unjudged.py",
        "tests/evaluation/evaluate/test_by_example.py",
        "tests/evaluation/evaluate/test_by_item.py",
        "tests/measures/test_brute_force.py",
        "tests/evaluation/test_worlds.py",
        "tests/evaluation/worlds/test_parts.py",
    ]
    own, near = stages(tmp_path, "fuzzytruth/stats/laws.py")
    assert own == ["fuzzytruth/stats/laws.py"]
    assert near == ["tests/test_conventions.py", "tests/test_public_names.py"]


def test_survivors_have_a_class_and_a_reason() -> None:
    known = json.loads((Path(survivors.__file__).parent / "survivors.json").read_text("utf-8"))
    assert {kind for kind, _ in known.values()} <= set(survivors.CLASSES)
    assert all(reason for _, reason in known.values())
    change, (kind, reason) = next(iter(known.items()))
    module, _, lines = change.partition(": ")
    result = {"key": f"{module}:digest:Operator:0", "change": lines.split(" → ")}
    assert survivors.class_of(result) == (kind, reason)
    assert survivors.class_of(result | {"change": ["a", "b"]})[0] == survivors.UNKNOWN


def test_the_report_replaces_its_block_of_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "fuzzytruth/core/cells.py:digest:Operator:{}"
    rows = [
        {"key": key.format(n), "outcome": outcome, "by": "", "line": 1, "change": ["a", "b"]}
        for n, outcome in enumerate(("killed", "killed", "killed", "survived", "invalid"))
    ]
    (tmp_path / "results.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    tried = [type("Mutant", (), {"key": row["key"]}) for row in rows]
    monkeypatch.setattr(report.places, "sample", lambda *_: tried)
    page = (HOME / "docs" / "evidence" / "index.md").read_text("utf-8")
    (tmp_path / "index.md").write_text(page, encoding="utf-8")
    report.write_report(tmp_path / "index.md", tmp_path / "results.jsonl", {"core": 40})
    written = (tmp_path / "index.md").read_text("utf-8")
    start, end = report.MARKS
    assert "3 of 4 mutants are killed: 75 %" in written
    assert "| `core` | 40 | 4 | 3 | 75 % |" in written
    assert "of 23,545 places" in page
    assert "of 23,545 places" not in written
    assert written.partition(start)[0] == page.partition(start)[0]
    assert written.partition(end)[2] == page.partition(end)[2] != ""
