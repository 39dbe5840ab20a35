"""Usage errors in plain words."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("options", "ends"),
    [
        (
            ("--worlds", "sbject"),
            "'sbject' is not one of 'crisp', 'subject', 'independent', 'population' "
            "(nearest: 'subject')",
        ),
        (("--ties", "x"), "'x' is not one of 'trec', 'order', 'expected'"),
        (("--n-worlds", "many"), "'--n-worlds': must be a whole number or auto, not 'many'"),
        (("--seed", "1.5\x1b"), r"'--seed': must be a whole number, not '1.5\x1b'"),
    ],
)
def test_wrong_values_of_options(run, options: tuple[str, str], ends: str) -> None:
    status, out, err = run("evaluate", "qrels.txt", "a.run", *options)
    assert (status, out) == (2, "")
    usage, hint, _, error = err.splitlines()
    assert usage.startswith("Usage: fuzzytruth evaluate ")
    assert hint == "Try 'fuzzytruth evaluate -h' for help."
    assert error.startswith(f"Error: Invalid value for '{options[0]}': ")
    assert error.endswith(ends)


def test_numbers_with_decimals(run) -> None:
    _, _, err = run("compare", "qrels.txt", "a.run", "b.run", "--level", "high")
    assert err.endswith("'--level': must be a number, not 'high'\n")


def test_control_characters_of_arguments_are_escaped(run) -> None:
    for arguments in (("\x1b[2J",), ("measures", "\x1b[2J"), ("measures", "--\x1b[2J")):
        status, out, err = run(*arguments)
        assert (status, out) == (2, "")
        assert "\x1b" not in err
        assert r"\x1b[2J" in err
