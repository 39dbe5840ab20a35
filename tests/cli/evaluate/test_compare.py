"""`fuzzytruth compare`."""

from pathlib import Path

import numpy as np
import pytest

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


@pytest.mark.parametrize(
    ("line", "status", "words"),
    [
        ("nope.csv", 1, ["nope.csv"]),
        ("votes.csv a.run --worlds subject", 1, ["single system"]),
        ("scores.csv -m AP", 2, ["AP", "value"]),
        ("scores.csv --over subject", 2, ["--worlds subject"]),
        ("scores.csv --over sun", 2, ["--over sun: must be"]),
        ("nq=scores.csv --over collection", 1, ["all queries have one collection, 'nq'"]),
        ("scores.csv --over ''", 2, ["--over '': must be"]),
        ("scores.csv --baseline x", 2, ["--baseline x is"]),
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


COLLECTIONS = "".join(
    f"{system},{query},{collection},{quality + noise:.3f}\n"
    for system, quality in (("good", 0.6), ("bad", 0.2))
    for place, collection in enumerate(("nq", "fiqa", "trec"))
    for query, noise in enumerate(
        np.random.default_rng([place, len(system)]).normal(0, 0.1, 6), start=6 * place
    )
)


def test_collections_are_files_or_a_column(printed, records) -> None:
    header = "system,query,collection,value\n"
    Path("all.csv").write_text(header + COLLECTIONS)
    for name in ("nq", "fiqa", "trec"):
        rows = [row for row in COLLECTIONS.splitlines(keepends=True) if f",{name}," in row]
        Path(f"{name}.csv").write_text(header + "".join(rows))
    files = "compare nq=nq.csv fiqa=fiqa.csv trec=trec.csv --over collection"
    (joined,) = records(files)
    (column,) = records("compare all.csv --over collection")
    scores = ft.Scores.load("all.csv", clusters="collection")
    (row,) = ft.compare(scores, over="collection").to_frame(full=True).to_dict("records")
    for name in ("difference", "lower", "p", "new_upper", "at_least", "alone_lower"):
        assert joined[name] == pytest.approx(row[name])
        assert column[name] == row[name]
    text = printed(f"{files} --figure forest.png")
    assert "3 collections say little about others." in text
    assert Path("forest.png").stat().st_size > 0
