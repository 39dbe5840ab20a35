"""Plausible mistakes get one message that names the place, the value and the remedy."""

import re
import warnings
from pathlib import Path

import pytest
from support.forms_of_words import of_another_form, pythonisms, shellisms
from support.mistakes import ERRORS, WARNINGS
from support.mistakes.examples import write_files

import fuzzytruth as ft
from fuzzytruth.cli.commands import run
from fuzzytruth.cli.typed_words import as_typed
from fuzzytruth.errors import FuzzytruthWarning

SESSIONS = Path(__file__).parent / "golden" / "mistakes_of_commands.txt"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mistakes")
    write_files(folder)
    return folder


@pytest.fixture(autouse=True)
def nothing_is_written(files: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(files)
    before = sorted(files.rglob("*"))
    yield
    assert sorted(files.rglob("*")) == before


#: of objects that no command hands over, and of functions that none calls
OF_PYTHON = (
    *("--taxonomy", "--unjudged no", "measure None", "p of system", "s.csv: scores are saved"),
    *("scores: give Scores", "votes: give Judgments"),
)


def is_of_both_forms(said: str) -> bool:
    """Whether nothing of a shell is in a message, and nothing of Python in the same as typed.

    What begins with an argument that no option is for is about an object of Python.
    """
    typed = as_typed(said, "")
    of_python = typed.startswith(OF_PYTHON) or re.match(r"\w+=", typed)
    return not shellisms(said) and not (pythonisms(typed) and not of_python)


def pattern(message: str) -> str:
    return ".*".join(re.escape(part.strip()) for part in message.split("..."))


@pytest.mark.parametrize("message", ERRORS)
def test_errors_are_one_line(message: str) -> None:
    with (
        warnings.catch_warnings(action="ignore", category=FuzzytruthWarning),
        pytest.raises(ft.FuzzytruthError, match=pattern(message)) as error,
    ):
        ERRORS[message]()
    assert "\n" not in str(error.value)
    assert is_of_both_forms(str(error.value))


@pytest.mark.parametrize("message", WARNINGS)
def test_warnings(message: str) -> None:
    with warnings.catch_warnings(record=True) as made:
        warnings.simplefilter("always", FuzzytruthWarning)
        WARNINGS[message]()
    assert any(re.search(pattern(message), str(warning.message)) for warning in made)
    assert all(is_of_both_forms(str(warning.message)) for warning in made)


@pytest.mark.parametrize("session", SESSIONS.read_text(encoding="utf-8").split("\n\n"))
def test_commands(session: str, capsys: pytest.CaptureFixture[str]) -> None:
    command, _, said = session.strip().partition("\n")
    status = run(command.split()[2:])
    assert capsys.readouterr().err.strip() == said
    assert not of_another_form([said], command.split()[2])
    assert (status != 0) == ("error: " in said)


@pytest.mark.parametrize("name", [name for name in ft.plots.__all__ if name != "displacement"])
@pytest.mark.parametrize("drawn", [None, [1, 2]])
def test_figures_say_what_they_cannot_draw(name: str, drawn: object) -> None:
    with pytest.raises(ft.FuzzytruthError, match="draws a DataFrame or a result, not "):
        getattr(ft.plots, name)(drawn)


@pytest.mark.parametrize("name", ["t.xlsx", "t.csv.bz2", "t.gz.xz"])
def test_endings_of_other_formats(name: str, tmp_path: Path) -> None:
    """They are no TREC files."""
    path = tmp_path / name
    path.write_bytes(b"PK\x03\x04")
    judgments, runs = ft.Judgments.from_dict({"q": {"d": 1}}), ft.Runs.from_dict({"q": {"d": 1}})
    for call in (ft.read_judgments, ft.read_runs, judgments.write, runs.write):
        with pytest.raises(
            ft.errors.DataError, match=r"names no format that is|only .gz compression is"
        ):
            call(path)
