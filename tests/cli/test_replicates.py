"""Systems with several runs on the command line."""

import warnings
from pathlib import Path

import numpy as np
import pytest
from support.scores_of_runs import frame_of_runs, tables_of_runs
from support.texts import flat

import fuzzytruth as ft

SIZES = {"a": 3, "b": 2, "bm25": 1}
FRAME = frame_of_runs(tables_of_runs(SIZES, 12))
PATTERN = "{system}.s{replicate}"
RUNS = [f"{name}.s{run + 1}" for name, n in SIZES.items() for run in range(n)]
RUN_FILES = " ".join(f"{name}.run" for name in RUNS)
JUDGED = f"judged.qrels {RUN_FILES} -m P@5 --replicates '{PATTERN}' --deterministic bm25"
SYSTEM_OF = {name: name.split(".")[0] for name in RUNS}


@pytest.fixture(autouse=True)
def _files(folder: Path) -> None:
    rng = np.random.default_rng(3)
    FRAME.to_csv(folder / "scores.csv", index=False)
    FRAME.rename(columns={"seed": "training"}).to_csv(folder / "trained.csv", index=False)
    FRAME[FRAME["seed"] == "1"].drop(columns="seed").to_csv(folder / "plain.csv", index=False)
    named = FRAME.assign(system=FRAME["system"] + ".s" + FRAME["seed"]).drop(columns="seed")
    named.to_csv(folder / "named.csv", index=False)
    for name in RUNS:
        rows = [f"q{q} Q0 d{d} 1 {rng.normal():.3f} {name}\n" for q in range(10) for d in range(8)]
        (folder / f"{name}.run").write_text("".join(rows))
    judged = [f"q{q} 0 d{d} {int(rng.random() < 0.4)}\n" for q in range(10) for d in range(8)]
    (folder / "judged.qrels").write_text("".join(judged))


@pytest.mark.parametrize(
    "line",
    [
        "scores.csv",
        "scores.csv --replicates seed",
        "trained.csv --replicates training",
        f"named.csv --replicates '{PATTERN}'",
    ],
)
def test_compare_is_that_of_the_library(line: str, records) -> None:
    scores = ft.Scores.from_frame(FRAME, replicates="seed", deterministic="bm25")
    expected = ft.compare(scores, replicate_variance="pooled").to_frame(full=True)
    more = "--deterministic bm25 --replicate-variance pooled"
    rows = records(f"compare {line} {more}")
    for name in ("system_a", "difference", "lower", "p_adjusted", "variance_from_runs"):
        assert [row[name] for row in rows] == expected[name].to_list()


def test_seeds_are_read_with_a_warning(run) -> None:
    status, out, err = run("compare scores.csv")
    assert status == 0
    assert "12 queries and 1 to 3 runs of a" in out
    assert "'seed' tells runs of a system apart (3 of a, 2 of b)" in err
    assert "--deterministic bm25 says that it would give the same" in err
    assert "--replicate-variance pooled borrows the other systems' variance" in err
    assert "--over query is for these runs" in err
    status, out, err = run("compare scores.csv --replicates seed --deterministic bm25")
    assert (status, err) == (0, "")
    assert "2 to 3 runs of a" in out


def test_files_of_runs(printed, records) -> None:
    runs = {name: f"{name}.run" for name in RUNS}
    named = {"replicate_of": SYSTEM_OF, "deterministic": "bm25"}
    scores = ft.evaluate("judged.qrels", [*runs.values()], ["P@5"], **named)
    rows = records(f"compare {JUDGED}")
    assert [row["p"] for row in rows] == ft.compare(scores).table["p"].to_list()
    text = printed(f"evaluate {JUDGED} --save saved.parquet")
    assert "Values are means over 2 to 3 runs of a system (bm25: deterministic)." in text
    assert [line.split()[0] for line in text.splitlines()[2:5]] == ["a", "b", "bm25"]
    assert records("compare saved.parquet") == rows
    assert records("compare saved.parquet --over query") != rows


def test_gate(run) -> None:
    line = "scores.csv --replicates seed --new b --old a --margin 2"
    status, out, _ = run(f"gate {line}")
    with warnings.catch_warnings(action="ignore"):  # as the differences are skewed
        scores = ft.Scores.from_frame(FRAME, replicates="seed")
        expected = ft.gate(scores, "b", "a", margin=2)
    assert status == (0 if expected.passed else 3)
    assert "over 12 queries and 2 to 3 runs of a system" in out
    assert "over 12 queries alone, not deciding: passed" in out
    assert run(f"gate {line} --over query")[0] == 0
    status, out, err = run(f"gate {line} --looks 6,12")
    assert (status, out) == (2, "")
    assert "here queries and runs are random" in err
    status, _, err = run("gate scores.csv --replicates seed --new a --old bm25 --margin 2")
    assert status == 3
    assert "bm25 has one run" in err
    assert "replicate-variance" not in err  # which this command does not have
    assert run(f"gate {JUDGED} --new a --old b --margin .2")[0] in (0, 3)


def test_plan(printed, records) -> None:
    scores = ft.Scores.from_frame(FRAME, replicates="seed")
    expected = ft.plan(scores, half_width=2.0, replicates=[2, 5]).to_frame()
    rows = records("plan scores.csv --half-width 2 --n-replicates 2,5")
    numbers = expected["queries"].astype(object).where(expected["queries"].notna(), None)
    assert [row["queries"] for row in rows] == numbers.to_list()
    known = scores.replicates
    assert known is not None
    of = dict(zip(known.runs.systems, known.system_of, strict=True))
    again = ft.plan(known.runs, half_width=2.0, replicates=[2, 5], replicate_of=of).to_frame()
    assert again.equals(expected)


def test_analyse(printed) -> None:
    text = printed("analyse scores.csv --replicates seed --deterministic bm25")
    assert "significantly worse over queries and runs, by generalised pivotal" in flat(text)


@pytest.mark.parametrize(
    ("line", "status", "words"),
    [
        (
            f"judged.qrels {RUN_FILES} -m P@5 --replicates seed",
            2,
            "--replicates seed: must be how runs are called, with {system} and {replicate}",
        ),
        (
            f"judged.qrels {RUN_FILES} -m P@5 --replicates '{{system}}.t{{replicate}}'",
            2,
            "no two runs of 'a.s1', 'a.s2', 'a.s3', 'b.s1', 'b.s2', and 1 more are of one system",
        ),
        ("named.csv --replicates '{system}.{system}'", 2, "{system}.{system}: must be how runs"),
        ("scores.csv --replicates sed", 1, "no column 'sed' (nearest: 'seed')"),
        ("scores.csv --deterministic bm26", 2, "--deterministic: 'bm26' is no system"),
        ("plain.csv --deterministic a", 2, "--deterministic a: is of systems with several runs"),
        ("plain.csv --replicate-variance pooled", 2, "--replicates COLUMN, or '{system}.s"),
        ("plain.csv --over replicate", 2, "name the column of runs, --replicates seed"),
        ("scores.csv --replicate-variance x", 2, "--replicate-variance x: must be one of"),
        ("scores.csv --over query,subject,replicate", 2, "these scores have no subjects"),
    ],
)
def test_mistakes(line: str, status: int, words: str, error) -> None:
    code, message = error(f"compare {line}")
    assert (code, words in message) == (status, True), message
