"""Help, usage, and what shells offer for what is typed so far."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.command_line import COMMANDS

from fuzzytruth.cli.app import main
from fuzzytruth.cli.derive import INPUT, METHOD, OUTPUT, panel_of

OPTIONS = [
    (name, option)
    for name, command in COMMANDS.items()
    for option in command.params
    if option.param_type_name == "option"
]


def test_the_help_of_all_commands(run, printed) -> None:
    shown = printed("--help")
    words = " ".join(shown.split())
    assert "..." not in words.partition("Commands:")[2]
    for command in COMMANDS.values():
        assert f"{command.name} {command.help.partition(chr(10))[0]}" in words
    assert "Example" in shown
    assert max(map(len, shown.splitlines())) <= 80
    assert run() == (2, "", shown)


def test_groups_of_some_options_and_some_texts(printed) -> None:
    groups = {(name, option.opts[-1]): panel_of(option) for name, option in OPTIONS}
    assert groups["compare", "--baseline"] == METHOD
    assert groups["compare", "--columns"] == INPUT
    assert {group for (_, flag), group in groups.items() if flag == "--output"} == {OUTPUT}
    figures = {option.help for _, option in OPTIONS if "--figure" in option.opts}
    assert len(figures) == 1
    for option in COMMANDS["compare"].params:
        if option.name in ("clusters", "strata"):
            assert option.metavar == "FILE|COLUMN"
            assert "a column of the table of scores" in option.help
    words = " ".join(printed("plan --help-all").split())
    assert "half-width of an interval of --level, in units of the measure" in words
    assert "Eρ², or Φ if --absolute" in words


def test_usage_names_arguments_as_typed(printed) -> None:
    usage = {name: printed(f"{name} --help").partition("\n")[0] for name in COMMANDS}
    assert usage["evaluate"] == "Usage: fuzzytruth evaluate [OPTIONS] JUDGMENTS RUN..."
    assert usage["judges"] == "Usage: fuzzytruth judges [OPTIONS] HUMAN [MODEL...]"
    assert usage["plan"].endswith(" [OPTIONS] [SCORES... | JUDGMENTS RUN...]")
    assert usage["measures"] == "Usage: fuzzytruth measures [OPTIONS]"


A = "evaluate qrels.txt a.run"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            f"{A} --worlds sbject",
            "--worlds sbject: must be one of crisp, subject, independent, population, "
            "community (nearest: 'subject')",
        ),
        (
            f"{A} --unjudged condensed",
            "--unjudged condensed: must be one of nonrelevant, bounds; for lists of judged items "
            "alone, give measures such as 'AP(judged_only=True)'",
        ),
        (f"{A} --ties 'x y'", "--ties 'x y': must be one of trec, order, expected"),
        (f"{A} --format xml", "--format xml: must be one of"),
        (f"{A} --n-worlds many", "--n-worlds: must be a whole number or auto, not 'many'"),
        (f"{A} --seed '1.5\x1b'", r"--seed '1.5\x1b': must be a whole number"),
        (f"{A} --digits 99", "--digits 99: must be 17 or less"),
        (f"{A} --digits=-1", "--digits -1: must be 0 or more"),
        (f"{A} --seed", "--seed: lacks its value; write --seed VALUE"),
        (f"{A} --bold=3", "--bold: takes no value; write --bold alone"),
        (
            f"{A} --meassure AP",
            "--meassure: fuzzytruth evaluate has no such option (nearest: '--measure'); see "
            "fuzzytruth evaluate --help",
        ),
        (
            f"{A} --metrics AP",
            "--metrics: fuzzytruth evaluate has no such option (nearest: '--measure'); see",
        ),
        (
            f"{A} --world subject",
            "--world: fuzzytruth evaluate has no such option (nearest: '--worlds');",
        ),
        (
            "compare qrels.txt a.run --report x.html",
            "--report: fuzzytruth compare has no such option; for a page: fuzzytruth report ... -o",
        ),
        (
            f"{A} -x",
            "-x: fuzzytruth evaluate has no such option; see fuzzytruth evaluate --help",
        ),
        (
            "displacement votes.csv --rel 2",  # not like --help, but for its dashes
            "--rel: fuzzytruth displacement has no such option; see fuzzytruth displacement --help",
        ),
        ("--nonsense", "--nonsense: fuzzytruth has no such option; see fuzzytruth --help"),
        (
            "evaluate qrels.txt",
            "RUN: is missing; usage: fuzzytruth evaluate [OPTIONS] JUDGMENTS RUN...",
        ),
        ("annotate-next votes.csv a.run", "-m/--measure: name one measure"),
        ("compare a.run --level high", "--level high: must be a number"),
        ("measures AP", "AP: more than fuzzytruth measures takes; usage: fuzzytruth measures"),
        ("evalute", "'evalute': no such command (nearest: 'evaluate'); see fuzzytruth --help"),
        ('"it\'s"', '"it\'s": no such command; see fuzzytruth --help'),
        ("measures \x1b[2J", r"\x1b[2J: more than"),
        ("--\x1b[2J", r"--\x1b[2J: fuzzytruth has no such option"),
    ],
)
def test_wrong_lines_are_one_line_and_status_2(error, line: str, message: str) -> None:
    status, found = error(line)
    assert status == 2
    assert found.startswith(message)


@pytest.mark.parametrize(
    ("shell", "typed", "offered"),
    [
        ("bash", "fuzzytruth co", ["compare", "communities", "convert"]),
        ("zsh", "fuzzytruth co", ["compare", "communities", "convert"]),
        ("fish", "fuzzytruth evaluate -m nD", ["nDCG", "nDCG@"]),
        ("zsh", "fuzzytruth evaluate -m nD", ["nDCG", "nDCG@"]),
        ("bash", "fuzzytruth compare --correction hol", ["holm", "holm-sidak"]),
        ("fish", "fuzzytruth evaluate --worlds p", ["population"]),
        (
            "zsh",
            "fuzzytruth compare --over query,",
            ["query,subject", "query,world", "query,replicate"],
        ),
        ("bash", "fuzzytruth compare --figu", ["--figure-kind", "--figure"]),
        ("fish", "fuzzytruth compare --corr", ["--correction"]),
        ("bash", "fuzzytruth judges --over ", ["item", "query"]),
        ("fish", "fuzzytruth judges --coefficient w", ["weighted-kappa"]),
    ],
)
@pytest.mark.usefixtures("folder")
def test_completions(
    shell: str,
    typed: str,
    offered: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    settings = {
        "_FUZZYTRUTH_COMPLETE": f"complete_{shell}",
        "COMP_WORDS": typed,
        "COMP_CWORD": str(typed.count(" ")),
        "_TYPER_COMPLETE_ARGS": typed,
        "_TYPER_COMPLETE_FISH_ACTION": "get-args",
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SystemExit):
        main([])
    out = capsys.readouterr().out.replace("_arguments '*: :((", "").replace("))'", "")
    names = [line.split("\t")[0].split(":")[0].strip('"') for line in out.splitlines()]
    assert [name for name in names if name] == offered


def test_the_script_of_each_shell_and_bash_itself(
    printed, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for shell in ("zsh", "fish", "bash"):
        monkeypatch.setenv("_FUZZYTRUTH_COMPLETE", f"source_{shell}")
        assert f"_FUZZYTRUTH_COMPLETE=complete_{shell}" in printed("")
    command = tmp_path / "fuzzytruth"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m fuzzytruth "$@"\n')
    command.chmod(0o755)
    script = f"""
        {printed("")}
        COMP_WORDS=(fuzzytruth co); COMP_CWORD=1
        _fuzzytruth_completion fuzzytruth
        echo "${{COMPREPLY[@]}}"
    """
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("compare communities convert\n", "")
