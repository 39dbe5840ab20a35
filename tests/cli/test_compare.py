"""`fuzzytruth compare`."""

from pathlib import Path

import numpy as np
import pytest
from support.read_tables import numbers, printed_tables

import fuzzytruth as ft

SCORES = "system,query,value\n" + "".join(
    f"{system},{query},{quality + noise:.3f}\n"
    for system, quality in (("good", 0.6), ("bad", 0.2), ("worse", 0.1))
    for query, noise in enumerate(np.random.default_rng(len(system)).normal(0, 0.1, 12))
)
VOTES = "query,item,subject,grade\n" + "".join(
    f"q{q},d{d},{who},{int((d + q + len(who)) % 3 == 0)}\n"
    for q in range(6)
    for d in range(4)
    for who in ("ann", "robert")
)
JUDGED = "compare votes.csv a.run b.run --worlds subject -m P@2"


@pytest.fixture(autouse=True)
def _files(folder: Path) -> None:
    (folder / "scores.csv").write_text(SCORES)
    (folder / "votes.csv").write_text(VOTES)
    for name, order in (("a", 1), ("b", -1)):
        rows = [f"q{q} Q0 d{d} 1 {order * d} {name}\n" for q in range(6) for d in range(4)]
        (folder / f"{name}.run").write_text("".join(rows))


def test_table_shows_means_differences_and_assumptions(run) -> None:
    status, out, err = run("compare scores.csv")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "3 systems compared on value: 3 differences over 12 queries"
    assert lines[2] == "good is significantly better than bad on value over queries"
    differences, means = printed_tables(out)
    heads = ["system", "minus", "difference", "95 % interval", "adjusted p", "d_z", "w/t/l"]
    assert list(differences[0]) == heads[:5] + heads[5:] * ("d_z" in differences[0])
    table = ft.compare(ft.Scores.load("scores.csv")).table
    for shown, row in zip(differences, table.itertuples(), strict=True):
        assert (shown["system"], shown["minus"]) == (row.system_a, row.system_b)
        assert shown["difference"] == f"{row.difference:+.4f}" + "*" * row.significant
        assert numbers(shown["95 % interval"]) == tuple(np.round([row.lower, row.upper], 4))
    assert differences[0]["difference"] == "+0.4091*"
    assert [row["system"] for row in means] == ["good", "bad", "worse"]
    assert means[0]["value"].split()[1] == "bc"
    said = " ".join(out.split())
    assert "Brackets: simultaneous 95 % intervals of the mean difference over queries." in said
    assert "Significant (*): adjusted p at most 0.05, by moderated bootstrap max-t over 3" in said
    assert "Null hypothesis of each comparison: the mean difference is 0." in out


def test_tables_for_programs_are_the_librarys(printed, records) -> None:
    scores = ft.Scores.load("scores.csv")
    expected = ft.compare(scores, "bad", n_resamples=99, rng=4).to_frame(full=True)
    rows = records("compare scores.csv --baseline bad --n-resamples 99 --seed 4")
    assert [(row["lower"], row["p_adjusted"]) for row in rows] == [
        *zip(expected["lower"], expected["p_adjusted"], strict=True)
    ]
    assert rows[0]["share_subjects"] is None
    scores = ft.evaluate("votes.csv", ["a.run", "b.run"], ["P@2"], worlds="subject")
    expected = ft.compare(scores, over=("query", "subject")).to_frame(full=True)
    judged = records(f"{JUDGED} --over query,subject")
    assert judged[0]["upper"] == expected["upper"][0]
    scores.save("saved.parquet")
    assert records("compare saved.parquet --over query,subject") == judged
    assert "posterior_rope" in records("compare saved.parquet -m precision@2 --rope 0.1")[0]
    table = printed("compare scores.csv --table differences --format markdown")
    assert table.startswith("| measure | system | minus | difference |")


def test_subjects(printed) -> None:
    out = printed(f"{JUDGED}")
    assert "Other subjects might judge otherwise: see --over query,subject." in out
    assert "Random: queries and subjects" in printed(f"{JUDGED} --over query,subject")
    out = printed(f"{JUDGED} --over query,subject --nested")
    assert "Subjects are nested in queries and are sampled with them." in out


def test_the_better_system_where_lower_is_better(printed) -> None:
    rows = [
        f"{s},q{q},{measure},{mean + 0.05 * (q % 3 - 1)}\n"
        for measure in ("mine", "wer")
        for s, mean in (("a", 0.24), ("b", 0.64))
        for q in range(9)
    ]
    Path("errors.csv").write_text("system,query,measure,value\n" + "".join(rows))
    for options, better in (
        ("-m mine", "b b 0.6400 a"),
        ("-m wer", "a a 0.2400 b"),
        ("-m mine --lower-is-better mine", "a a 0.2400 b"),
    ):
        assert better in " ".join(printed(f"compare errors.csv {options}").split())


@pytest.mark.parametrize(
    ("line", "status", "words"),
    [
        ("nope.csv", 1, ["nope.csv"]),
        ("votes.csv a.run --worlds subject", 1, ["single system"]),
        ("scores.csv -m AP", 2, ["AP", "value"]),
        ("scores.csv --over subject", 2, ["--worlds subject"]),
        ("scores.csv --over sun", 2, ["--over sun: must be"]),
        ("scores.csv --over ''", 2, ["--over '': must be"]),
        ("scores.csv --baseline x", 2, ["baseline 'x'"]),
        ("scores.csv --correction x", 2, ["--correction x: must be left out", "holm"]),
        ("scores.csv --level 2", 2, ["--level 2.0: must lie"]),
        ("scores.csv --rope -1", 2, ["--rope -1.0: must not"]),
        (
            "scores.csv --correction holm --null complete",
            2,
            ["--null complete", "leave out --correction and --across-measures, and use --over q"],
        ),
        ("scores.csv --lower-is-better mein", 2, ["--lower-is-better mein: is not among the mea"]),
        ("scores.csv --table differences", 2, ["--table: is for --format latex and markdown"]),
        ("votes.csv a.run b.run --missing exclude", 2, ["--missing: is about each subject's own"]),
    ],
)
def test_mistakes(error, line: str, status: int, words: list[str]) -> None:
    found, message = error(f"compare {line}")
    assert found == status
    assert all(word in message for word in words), message
