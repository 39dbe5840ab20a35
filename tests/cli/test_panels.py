"""Help of the commands: groups of options, and what stands for their values."""

from __future__ import annotations

import re

import pytest
import typer

from fuzzytruth.cli.commands import app
from fuzzytruth.cli.derive import INPUT, METHOD, OUTPUT, PANELS, panel_of

COMMANDS = typer.main.get_command(app).commands  # type: ignore[attr-defined]
OPTIONS = [
    (name, option)
    for name, command in COMMANDS.items()
    for option in command.params
    if option.param_type_name == "option"
]


def test_every_option_belongs_to_a_group() -> None:
    options = [(name, o) for name, o in OPTIONS if o.name != "help_all"]
    without = {(name, o.name) for name, o in options if o.rich_help_panel not in PANELS[:-1]}
    assert without == set()


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_shows_each_option_once_in_its_group(run, name: str) -> None:
    _, out, _ = run(name, "--help-all")
    assert "\nOptions:\n" not in out
    headings = [line[:-1] for line in out.splitlines() if line.removesuffix(":") in PANELS]
    panels = {panel_of(option) for of, option in OPTIONS if of == name} | {"Help"}
    assert headings == [panel for panel in PANELS if panel in panels]
    parts = re.split(rf"^({'|'.join(PANELS)}):$", out.partition("\n  Example")[0], flags=re.M)
    shown = dict(zip(parts[1::2], parts[2::2], strict=True))
    for of, option in OPTIONS:
        if of == name:
            flag = re.compile(rf"^  (?:-\w, )?{option.opts[-1]}(?= |$)", re.M)
            where = [panel for panel, text in shown.items() if flag.search(text)]
            assert where == [panel_of(option)], option.opts


def test_groups_of_some_options() -> None:
    groups = {(name, option.opts[-1]): panel_of(option) for name, option in OPTIONS}
    assert groups["compare", "--baseline"] == METHOD
    assert groups["compare", "--columns"] == INPUT
    assert {group for (_, flag), group in groups.items() if flag == "--output"} == {OUTPUT}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_short_help_is_short(run, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    _, out, _ = run(name, "--help")
    assert len(out.splitlines()) <= 45
    assert re.search(r"^Example(, on files of your own)?:$", out, re.MULTILINE)
    assert f"  fuzzytruth {name}" in out


@pytest.mark.parametrize("name", COMMANDS)
def test_values_have_meaningful_names(run, name: str) -> None:
    """No names of Python's types, and choices as they are typed."""
    _, out, _ = run(name, "--help-all")
    assert not re.search(r"[<>](?!=)|list\[|\bstr\b|\bfloat\b|\bint\b", out)
    for of, option in OPTIONS:
        if of == name and not (option.is_flag or option.type_descriptor.is_choice):
            assert option.metavar, option.opts
            assert re.search(r"[A-Z|]", option.metavar), option.metavar


def test_usage_names_arguments_as_typed(run) -> None:
    usage = {name: run(name, "--help")[1].partition("\n")[0] for name in COMMANDS}
    assert usage["evaluate"] == "Usage: fuzzytruth evaluate [OPTIONS] JUDGMENTS RUN..."
    assert usage["judges"] == "Usage: fuzzytruth judges [OPTIONS] HUMAN [MODEL...]"
    assert usage["plan"].endswith(" [OPTIONS] [SCORES... | JUDGMENTS RUN...]")
    assert usage["measures"] == "Usage: fuzzytruth measures [OPTIONS]"


@pytest.mark.parametrize("variable", ["NO_COLOR", "TYPER_USE_RICH", "FORCE_COLOR"])
def test_the_help_is_the_same_with_any_setting(
    run, monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    plain = run("compare", "--help")
    monkeypatch.setenv(variable, "0" if variable == "TYPER_USE_RICH" else "1")
    assert run("compare", "--help") == plain
    assert "\x1b" not in plain[1]
