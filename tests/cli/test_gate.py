"""`fuzzytruth gate`: its exit status, its line, its JSON."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import fuzzytruth as ft
from fuzzytruth.cli.gate import names_of_gate

N, ITEMS, SUBJECTS = 12, 8, ("ann", "bob", "cat")
RUNS = "old=old.run new=new.run -m nDCG@5"
NEW = f"gate qrels.txt {RUNS}"
VOTED = f"gate votes.csv {RUNS} --margin .1"


@pytest.fixture(autouse=True)
def _files(folder: Path) -> None:
    rng = np.random.default_rng(2)
    quality = rng.random((N, ITEMS))
    pairs = [(q, d) for q in range(N) for d in range(ITEMS)]
    several = [
        f"q{q},d{d},{who},{int(quality[q, d] + rng.normal(0, 0.1) > 0.6)}\n"
        for q, d in pairs
        for who in SUBJECTS
    ]
    heading = "query,item,subject,grade\n"
    texts = {
        "qrels.txt": "".join(f"q{q} 0 d{d} {int(quality[q, d] > 0.6)}\n" for q, d in pairs),
        "votes.csv": heading + "".join(several),
        "holes.csv": heading + "".join(several[1:]),
        "clusters.csv": "query,cluster\n" + "".join(f"q{q},t{q // 2}\n" for q in range(N)),
        "scores.csv": "system,query,value\n"
        + "".join(
            f"{s},{q},{0.5 + 0.01 * ((q + len(s)) % 5)}\n" for s in ("a", "bb") for q in range(N)
        ),
    }
    for name, noise in (("old", 0.05), ("new", 0.05), ("bad", 1.0)):
        score = quality + rng.normal(0, noise, quality.shape)
        rows = [f"q{q} Q0 d{d} 1 {score[q, d]} t\n" for q, d in pairs]
        texts |= {f"{name}.run": "".join(rows), f"{name}-short.run": "".join(rows[3 * ITEMS :])}
    for name, text in texts.items():
        (folder / name).write_text(text)


@pytest.mark.parametrize(
    ("line", "status"),
    [
        (f"{NEW} --margin .1", 0),
        ("gate qrels.txt old=old.run new=bad.run -m nDCG@5 --margin .1", 3),
        (f"{NEW} --better --looks 6,12,20", 3),
        (f"{NEW} --better --looks 6,12", 3),
        (f"{NEW} --better --attempts 4", 3),
        ("gate qrels.txt bad.run -m nDCG@5 --old .9 --margin .1", 3),
        ("gate qrels.txt bad.run -m nDCG@5 --old .9 --better --attempts 4", 3),
        (f"{NEW} --better", 3),
        (f"gate nothing.txt {RUNS} --better", 1),
        (NEW, 2),
    ],
)
def test_exit_status(run, line: str, status: int) -> None:
    """The verdict on standard output, errors on standard error."""
    found, out, err = run(line)
    assert found == status
    start = {0: "passed: ", 3: "not passed"}.get(status, "")
    start += " yet, 12 of 20" if "12,20" in line else ""
    assert out.startswith(start)
    assert out.count("\n") == (1 if start else 0)
    assert bool(err) == (not start)


def test_exit_status_of_a_process() -> None:
    call = [sys.executable, "-m", "fuzzytruth", *NEW.split(), "--better"]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout[:12], done.stderr) == (3, "not passed: ", "")


def test_names_are_checked_before_what_is_left_out(run) -> None:
    """A misspelt name is no reason to say that the right one is left out."""
    status, _, err = run(f"{NEW} --margin .1 --old old --new nw")
    assert (status, err) == (
        2,
        "error: --new nw is not among these scores (nearest: 'new'); they have old, new\n",
    )


def test_one_line_and_the_numbers_of_the_library(printed, folder: Path) -> None:
    scores = ft.evaluate("qrels.txt", {k: f"{k}.run" for k in ("old", "new")}, ["nDCG@5"])
    result = ft.gate(scores, "new", "old", margin=0.1)
    line = f"{NEW} --margin .1"
    assert printed(line) == result.lines()[0] + "\n"
    assert "over 12 queries (difference " in result.lines()[0]
    assert json.loads(printed(f"{line} --json")) == result.to_dict()
    for name, start in (("v.txt", "passed: "), ("v.json", '{"passed": true')):
        assert printed(f"{line} -o {name}") == result.lines()[0] + "\n"  # of the log
        assert (folder / name).read_text().startswith(start)


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.LevelWarning")
def test_several_annotators_decide_together_with_queries(run) -> None:
    status, out, err = run(f"{VOTED} --json")
    runs = {k: f"{k}.run" for k in ("old", "new")}
    scores = ft.evaluate("votes.csv", runs, ["nDCG@5"], worlds="subject")
    result = ft.gate(scores, "new", "old", margin=0.1)
    found = json.loads(out)
    assert (status, found) == (0 if result.passed else 3, result.to_dict())
    assert "12 queries are skewed" in err
    assert [test["over"] for test in found["tests"] if test["decides"]] == [["query", "subject"]]
    first, second = run(VOTED)[1].splitlines()
    assert "over 12 queries and 3 subjects (" in first
    assert second.startswith("  over 12 queries alone, not deciding: ")
    for options, over in (
        ("--worlds population", ["query", "world"]),
        ("--over query", ["query"]),
        ("--nested", ["query"]),
        ("--aggregate majority", ["query"]),
        ("--over query --clusters clusters.csv", ["query"]),
        ("--clusters clusters.csv", ["query", "subject"]),
    ):
        assert json.loads(run(f"{VOTED} --json {options}")[1])["tests"][-1]["over"] == over


def test_scores(run) -> None:
    line = "gate scores.csv --margin .05"
    status, out, err = run(line)
    assert status == 0
    assert out.startswith("passed: bb is not worse than a by 0.05 or more on value over 12 queries")
    assert err.startswith("warning: scores.csv: 'a' comes first and is taken as old, 'bb' as new")
    for options in ("--new a", "--old bb --new a"):
        status, out, err = run(f"{line} {options}")
        assert (out[:31], err) == ("passed: a is not worse than bb ", "")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (NEW, ["--margin: name the loss", "--better"]),
        (f"{NEW} --margin much", ["--margin"]),
        (f"{NEW} --margin 0", ["--margin 0: must be above 0"]),
        (f"{NEW} --margin 5", ["--margin 5: ", "finds nothing would pass"]),
        (f"{NEW} --margin AP=.1", ["--margin AP=0.1: 'AP' is no measure"]),
        (f"{NEW} --margin .1 --better", ["leave it out with --better"]),
        (f"{NEW},nope --margin .1", ["'nope'"]),
        ("gate qrels.txt old=old.run new=new.run --margin .1", ["-m: name the measure"]),
        (f"{NEW} --margin .1 --new x", ["--new x is not among"]),
        (f"{NEW} --margin .1 --level .5", ["--level 0.5: must be above"]),
        (f"{NEW} --margin .1 --over subject", ["--worlds subject"]),
        ("gate qrels.txt old.run -m AP --margin .1", ["--new, --old: name the two"]),
        ("gate qrels.txt a=old.run new.run bad.run -m AP --margin .1", ["--old"]),
        (f"{VOTED} --worlds independent", ["--worlds subject"]),
        (f"{VOTED} --over subject --clusters clusters.csv", ["--over query"]),
        (f"{NEW} --margin .1 --looks 4,x", ["--looks", "such as 40,80,120"]),
        (f"{NEW} --margin .1 --looks 5,20", ["--looks 5, 20: there are 12 queries", "at 20"]),
        (f"{NEW} --margin .1 --looks 12 --attempts 2", ["--attempts, --looks: give one of these"]),
        (f"{NEW} --margin .1 --attempt 0", ["--attempt 0: must be 1 or more"]),
        (f"{VOTED} --looks 12,20", ["--over query"]),
        (
            "gate qrels.txt a=old.run b=new.run -m AP --old .4 --margin .1",
            ["--new: name the system"],
        ),
        ("gate qrels.txt old.run -m AP,RR --old .4 --margin .1", ["old 0.4: is a mean by one"]),
        ("gate scores.csv --margin .1 --worlds subject", ["--worlds: is for judgments"]),
        (f"{VOTED} --missing exclude --aggregate max", ["--missing: is about each subject's own"]),
    ],
)
def test_mistakes(error, line: str, words: list[str]) -> None:
    status, message = error(line)
    assert status == 2
    assert all(word in message for word in words), message


@pytest.mark.parametrize(
    ("systems", "typed", "given", "want"),
    [
        ("new old", "s.csv", {}, ("new", "old")),
        ("old x new", "s.csv", {}, ("new", "old")),
        ("a b", "a.run b.run", {}, ("b", "a")),
        ("b a", "b=x.run a=y.run", {}, ("a", "b")),
        ("x old", "x.run old.run", {}, ("x", "old")),
        ("new x", "new.run x.run", {}, ("new", "x")),
        ("a b c", "s.csv", {"new": "b", "old": "c"}, ("b", "c")),
        ("a b", "a.run b.run", {"new": "a"}, ("a", "b")),
        ("a b", "a.run b.run", {"old": "b"}, ("a", "b")),
        ("old new", "s.csv", {"new": "old", "old": "new"}, ("old", "new")),
        ("old new", "s.csv", {"new": "old"}, ("old", "new")),
        ("old b c", "s.csv", {"new": "c"}, ("c", "old")),
        ("b a", "a=x.run b.run", {}, None),  # files with a name come last, wherever they are typed
        ("a b", "runs/*.run", {}, None),
        ("a b c", "a.run b.run c.run", {}, None),
        ("new b c", "new.run b.run c.run", {}, None),
        ("a", "a.run", {}, None),
    ],
)
def test_names(
    systems: str, typed: str, given: dict[str, str], want: tuple[str, str] | None
) -> None:
    arguments = tuple(systems.split()), tuple(typed.split()), given.get("new"), given.get("old")
    if want is None:
        with pytest.raises(ft.errors.OptionError, match=r"^--new, --old: "):
            names_of_gate(*arguments)
    else:
        assert names_of_gate(*arguments) == want


def test_a_published_mean(run) -> None:
    line = "gate qrels.txt new.run bad.run -m nDCG@5 --new bad --old .9 --better --json"
    status, out, _ = run(line)
    scores = ft.evaluate("qrels.txt", {k: f"{k}.run" for k in ("new", "bad")}, ["nDCG@5"])
    assert (status, json.loads(out)) == (3, ft.gate(scores, "bad", 0.9, better=True).to_dict())


def test_a_system_may_have_a_number_for_a_name() -> None:
    assert names_of_gate((".4", "new"), ("s.csv",), None, ".4") == ("new", ".4")
    assert names_of_gate(("x",), ("x.run",), None, "0.4") == ("x", 0.4)
    assert names_of_gate(("x", "new"), ("s.csv",), None, "0.4") == ("new", 0.4)
