"""Wrong command lines: one line on stderr, exit status 2."""

from __future__ import annotations

import pytest

EVALUATE = ("evaluate", "qrels.txt", "a.run")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            (*EVALUATE, "--worlds", "sbject"),
            "--worlds sbject: must be one of crisp, subject, independent, population "
            "(nearest: 'subject')",
        ),
        (
            (*EVALUATE, "--unjudged", "condensed"),
            "--unjudged condensed: must be one of nonrelevant, bounds; for lists of judged items "
            "alone, give measures such as 'AP(judged_only=True)'",
        ),
        ((*EVALUATE, "--ties", "x y"), "--ties 'x y': must be one of trec, order, expected"),
        (
            (*EVALUATE, "--n-worlds", "many"),
            "--n-worlds: must be a whole number or auto, not 'many'",
        ),
        ((*EVALUATE, "--seed", "1.5\x1b"), r"--seed '1.5\x1b': must be a whole number"),
        ((*EVALUATE, "--digits", "99"), "--digits 99: must be 17 or less"),
        ((*EVALUATE, "--digits=-1"), "--digits -1: must be 0 or more"),
        ((*EVALUATE, "--seed"), "--seed: lacks its value; write --seed VALUE"),
        ((*EVALUATE, "--bold=3"), "--bold: takes no value; write --bold alone"),
        (
            (*EVALUATE, "--meassure", "AP"),
            "--meassure: fuzzytruth evaluate has no such option (nearest: '--measure'); see "
            "fuzzytruth evaluate --help",
        ),
        (
            (*EVALUATE, "-x"),
            "-x: fuzzytruth evaluate has no such option; see fuzzytruth evaluate --help",
        ),
        (
            ("displacement", "votes.csv", "--rel", "2"),  # not like --help, but for its dashes
            "--rel: fuzzytruth displacement has no such option; see fuzzytruth displacement --help",
        ),
        (("--nonsense",), "--nonsense: fuzzytruth has no such option; see fuzzytruth --help"),
        (
            ("evaluate",),
            "JUDGMENTS: is missing; usage: fuzzytruth evaluate [OPTIONS] JUDGMENTS RUN...",
        ),
        (
            ("evaluate", "qrels.txt"),
            "RUN: is missing; usage: fuzzytruth evaluate [OPTIONS] JUDGMENTS RUN...",
        ),
        (
            ("annotate-next", "votes.csv", "a.run"),
            "-m/--measure: is missing; usage: fuzzytruth annotate-next [OPTIONS] VOTES RUN...",
        ),
        (("measures", "AP"), "AP: more than fuzzytruth measures takes; usage: fuzzytruth measures"),
        (("evalute",), "'evalute': no such command (nearest: 'evaluate'); see fuzzytruth --help"),
        (("it's",), '"it\'s": no such command; see fuzzytruth --help'),
    ],
)
def test_wrong_commands_are_one_line(run, arguments: tuple[str, ...], message: str) -> None:
    status, out, err = run(*arguments)
    assert (status, out) == (2, "")
    assert err.startswith(f"error: {message}")
    assert err.count("\n") == 1


def test_numbers_with_decimals(run) -> None:
    _, _, err = run("compare", "qrels.txt", "a.run", "b.run", "--level", "high")
    assert err == "error: --level high: must be a number\n"


def test_without_a_command_the_help_is_shown(run) -> None:
    status, out, err = run()
    assert (status, out) == (2, "")
    assert err == run("--help")[1]


@pytest.mark.parametrize(
    "arguments", [("\x1b[2J",), ("measures", "\x1b[2J"), ("measures", "--\x1b[2J")]
)
def test_control_characters_of_arguments_are_escaped(run, arguments: tuple[str, ...]) -> None:
    status, out, err = run(*arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert "\x1b" not in err
    assert r"\x1b[2J" in err
    assert r"\\x1b" not in err
