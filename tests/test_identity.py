"""Who makes the package, and where: one file, and all that follows from it."""

import json
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml

HOME = Path(__file__).parent.parent
TOOL = runpy.run_path(str(HOME / "packaging" / "identity.py"))
#: what a maintainer would write
DECIDED = """
[software]
authors = [
    { name = "The group" },
    { given-names = "Ada", family-names = "Bóth", email = "ada@example.org", orcid = "ORCID" },
]
repository = "https://git.example.org/group/fuzzytruth"
documentation = "https://fuzzytruth.example.org"
feedstock = ["ada", "bob"]

[contact]
conduct = "conduct@example.org"
security = "security@example.org"

[paper]
authors = [
    { given-names = "Ada", family-names = "Bóth", orcid = "ORCID", affiliation = "One, Spain" },
    { given-names = "Bo", family-names = "Cy", affiliation = "Two, Peru" },
    { given-names = "Di", family-names = "Ek", affiliation = "One, Spain" },
]
date = "3 May 2027"
acknowledgements = "We thank nobody."
ai_tools = "Tool 1.2."
ai_review = "Ada read all of it."
""".replace("ORCID", "0000-0002-1825-0097")


def test_files_are_as_the_one_file_says() -> None:
    assert TOOL["stale"]() == {}, "run: make identity"
    for name in TOOL["MARKED"]:  # no part is lost
        assert "identity: " in (HOME / name).read_text(encoding="utf-8"), name
    texts = [(HOME / name).read_text(encoding="utf-8") for name in TOOL["MARKED"]]
    used = re.findall(r"^\W*identity: (\w+)", "\n".join(texts), re.MULTILINE)
    assert sorted(used) == sorted(TOOL["PARTS"])


def test_placeholders_are_named() -> None:
    missing = TOOL["read"]().placeholders
    known = tomllib.loads((HOME / TOOL["SOURCE"]).read_text(encoding="utf-8"))
    marked = re.compile(r"PLACEHOLDER|\.invalid")
    for table, values in known.items():
        for key, value in values.items():
            assert (f"{table}.{key}" in missing) == bool(marked.search(str(value)))


@pytest.fixture
def decided(tmp_path: Path) -> Path:
    """A copy of the files, where everything has been decided, and after a release."""
    for name in (*TOOL["MARKED"], TOOL["CODEMETA"], "CHANGELOG.md", "packaging/identity.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(HOME / name, tmp_path / name)
    (tmp_path / TOOL["SOURCE"]).write_text(DECIDED, encoding="utf-8")
    changes = tmp_path / "CHANGELOG.md"
    text = changes.read_text(encoding="utf-8")
    changes.write_text(text.replace("\n## [", "\n## [7.8.9] - 2027-05-04\n\n## [", 1), "utf-8")
    return tmp_path


def call(home: Path, *options: str) -> tuple[int, list[str]]:
    words = [sys.executable, str(home / "packaging" / "identity.py"), *options]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


def parsed(path: Path) -> Any:
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def test_one_command_carries_a_decision_everywhere(decided: Path) -> None:
    code, lines = call(decided, "--check")
    assert code == 1
    assert len(lines) == len(TOOL["MARKED"]) + 1
    written = [line.replace("differs from packaging/identity.toml", "rewritten") for line in lines]
    assert call(decided) == (0, [*written, "no placeholders"])
    assert call(decided, "--check") == (0, [])
    for name in (*TOOL["MARKED"], TOOL["CODEMETA"]):
        text = (decided / name).read_text(encoding="utf-8")
        assert not re.search(r"PLACEHOLDER|\.invalid\b", text), name


def test_what_the_files_then_say(decided: Path) -> None:
    call(decided)
    project = tomllib.loads((decided / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = [{"name": "The group"}, {"name": "Ada Bóth", "email": "ada@example.org"}]
    assert project["authors"] == named
    assert project["urls"]["Issues"] == "https://git.example.org/group/fuzzytruth/issues"
    cited = parsed(decided / "CITATION.cff")
    assert cited["authors"][1] == {
        "given-names": "Ada",
        "family-names": "Bóth",
        "email": "ada@example.org",
        "orcid": "https://orcid.org/0000-0002-1825-0097",
    }
    assert (str(cited["version"]), str(cited["date-released"])) == ("7.8.9", "2027-05-04")
    described = json.loads((decided / "codemeta.json").read_text(encoding="utf-8"))
    assert (described["version"], described["datePublished"]) == ("7.8.9", "2027-05-04")
    assert [author["@type"] for author in described["author"]] == ["Organization", "Person"]
    assert described["author"][1]["familyName"] == "Bóth"
    recipe = parsed(decided / "packaging/recipe/recipe.yaml")
    assert recipe["context"]["version"] == "7.8.9"
    assert recipe["about"]["homepage"] == "https://fuzzytruth.example.org"
    assert recipe["extra"]["recipe-maintainers"] == ["ada", "bob"]
    page = (decided / "docs/citing.md").read_text(encoding="utf-8")
    assert "author  = {{The group} and Bóth, Ada}," in page
    assert "version = {7.8.9}," in page
    assert "<conduct@example.org>" in (decided / "CODE_OF_CONDUCT.md").read_text("utf-8")
    assert "<security@example.org>" in (decided / "SECURITY.md").read_text("utf-8")
    offered = parsed(decided / ".github/ISSUE_TEMPLATE/config.yml")["contact_links"]
    assert offered[0]["url"] == "https://fuzzytruth.example.org"
    _, head, body = (decided / "paper.md").read_text(encoding="utf-8").split("---\n", 2)
    paper = yaml.safe_load(head)
    assert [author["affiliation"] for author in paper["authors"]] == ["1", "2", "1"]
    assert [place["name"] for place in paper["affiliations"]] == ["One, Spain", "Two, Peru"]
    assert "\nWe thank nobody.\n" in body
    assert "Tool 1.2.\nAda read all of it.\n" in body


def test_a_release_with_placeholders_is_refused_and_a_commit_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.syspath_prepend(HOME / "packaging" / "release")
    check, identities = map(import_module, ("check", "identities"))

    def verdict(left: str, tags: list[str]) -> tuple[str, str]:
        return check.run(lambda place: identities.ready(left, tags), None)

    left = "placeholders in packaging/identity.toml: contact.conduct"
    assert verdict("no placeholders", ["v0.1.0"]) == ("passed", "no placeholders")
    assert verdict(left, ["v0.1.0"]) == ("FAILED", f"tagged v0.1.0, but there are {left}")
    for tags in ([], ["nightly"]):
        assert verdict(left, tags)[0] == "NOT READY"
    assert check.CHECKS["who and where"] is identities.identity
    for name in ("check", "identities", "workplace", "archives", "environments", "linters"):
        sys.modules.pop(name)
