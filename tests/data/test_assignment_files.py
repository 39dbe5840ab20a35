"""Files of votes: every format, the taxonomy from a file, and errors that name the line."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

import fuzzytruth as ft

TAX = ft.Taxonomy.from_children({"all": ["a", "b"]})
VOTES = pd.DataFrame({"subject": ["s", "t"], "item": ["i", "i"], "category": ["a", "b"]})


@pytest.mark.parametrize("ending", ["csv", "tsv", "json", "jsonl", "parquet"])
def test_formats_agree(tmp_path: Path, ending: str) -> None:
    path, asked = tmp_path / f"votes.{ending}", tmp_path / f"asked.{ending}"
    for target in (path, asked):
        match ending:
            case "parquet":
                VOTES.to_parquet(target)
            case "json" | "jsonl":
                VOTES.to_json(target, orient="records", lines=ending == "jsonl")
            case _:
                VOTES.to_csv(target, index=False, sep="\t" if ending == "tsv" else ",")
    votes = ft.read_assignments(path, taxonomy=TAX, asked=asked)
    assert votes.asked is not None
    columns = list(VOTES)
    assert votes.to_frame()[columns].to_numpy().tolist() == VOTES.to_numpy().tolist()


def test_the_taxonomy_may_be_a_file(tmp_path: Path) -> None:
    TAX.write(tmp_path / "tax.txt")
    VOTES.assign(weight=[1, 2]).to_csv(tmp_path / "votes.csv", index=False)
    votes = ft.read_assignments(tmp_path / "votes.csv", taxonomy=tmp_path / "tax.txt")
    assert votes.taxonomy == TAX
    assert votes.weight.tolist() == [1, 2]


def test_files_without_named_columns(tmp_path: Path) -> None:
    with pytest.raises(ft.DataError, match=r"a\.txt: votes need named columns \(subject, item, ca"):
        ft.read_assignments(tmp_path / "a.txt", taxonomy=TAX)


@pytest.mark.parametrize(
    ("votes", "asked", "message"),
    [
        ("s,i,c", "s,i,c", r"votes\.csv, line 3, column 'category': .*'c'"),
        ("s,i,b", "s,i,c", r"asked\.csv, line 3, column 'category': .*'c'"),
        ("s,i,a", "s,i,b", r"votes\.csv, line 3: .* twice \(first: .*votes\.csv, line 2\)"),
        ("u,i,a", "s,i,b", r"votes\.csv, line 3: subject 'u' gives .* but was not asked"),
    ],
)
def test_errors_name_file_and_line(tmp_path: Path, votes: str, asked: str, message: str) -> None:
    header = "subject,item,category\ns,i,a\n"
    (tmp_path / "votes.csv").write_text(header + votes + "\n")
    (tmp_path / "asked.csv").write_text(header + asked + "\n")
    with pytest.raises(ft.DataError, match=message):
        ft.read_assignments(tmp_path / "votes.csv", taxonomy=TAX, asked=tmp_path / "asked.csv")


def test_labels_counts_and_repetitions(tmp_path: Path) -> None:
    path = tmp_path / "votes.csv"
    path.write_text("image,label,annotator\n1,dog,ann\n1,cat,bob\n")
    votes = ft.read_assignments(path)
    assert repr(votes) == "Assignments(2 votes, 1 item, 2 subjects, 3 categories)"
    path.write_text("image,label,count\n1,dog,3\n1,cat,1\n2,cat,0\n2,dog,2\n")
    votes = ft.read_assignments(path)
    assert repr(votes) == "Assignments(6 votes, 2 items, 3 categories, no names)"
    path.write_text("image,label,annotator,repeat\n1,dog,ann,1\n1,cat,ann,2\n")
    assert ft.read_assignments(path).self_agreement()["n_pairs"].tolist() == [1]
    path.write_text("image,label,count\n1,dog,3\n1,dog,1\n")
    message = r"votes\.csv, line 3: item '1' and category 'dog' occur twice \(first: .*line 2\)"
    with pytest.raises(ft.DataError, match=message):
        ft.read_assignments(path)
    path.write_text("image,label\n1,dog\n")
    with pytest.raises(ft.DataError, match="no column for 'subject' or 'count'"):
        ft.read_assignments(path)
