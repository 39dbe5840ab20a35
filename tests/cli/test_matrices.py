"""Matrices as run files, and `.cla` files as truths."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from support.command_line import from_csv

import fuzzytruth as ft
from fuzzytruth.cli.inputs import matrix_options

CLA = "PSB 1\n2 4\n\ndog 0 2\nm1\nm2\ncat 0 2\nm3\nm4\n"
NEAR = np.array([[0, 2, 1, 3], [1, 0, 2, 3], [1, 2, 0, 3], [3, 2, 1, 0.0]])  # distances


@pytest.fixture
def matrices(folder: Path) -> None:
    (folder / "t.cla").write_text(CLA)
    np.save(folder / "d.npy", NEAR)
    np.savetxt(folder / "e.dist", NEAR)
    np.savez(folder / "f.npz", distances=NEAR)
    (folder / "ids.txt").write_text("m1\nm2\nm3\nm4\n")


def values(text: str) -> dict[tuple[object, object], object]:
    return {(row["system"], row["measure"]): row["value"] for row in from_csv(text)}


@pytest.mark.usefixtures("matrices")
def test_matrices_against_a_classification(run) -> None:
    files = ("d.npy", "e.dist", "f.npz", "g=f.npz")
    status, out, err = run(
        *("evaluate", "t.cla", *files, "--distances", "-m", "NN,RR", "--format", "csv")
    )
    assert (status, err) == (0, "")
    # nearest others: m1: m3, m2; m2: m1; m3: m1, m2, m4; m4: m3
    expected = {"NN": 0.5, "RR": (1 / 2 + 1 + 1 / 3 + 1) / 4}
    assert values(out) == pytest.approx(
        {(system, name): value for system in "defg" for name, value in expected.items()}
    )
    # an .npz file says what its numbers are
    assert values(run("evaluate", "t.cla", "f.npz", "-m", "RR", "--format", "csv")[1]) == (
        pytest.approx({("f", "RR"): expected["RR"]})
    )


@pytest.mark.usefixtures("matrices")
def test_ids_from_files_and_other_options(run, folder: Path) -> None:
    (folder / "truth.txt").write_text("m1 0 m3 1\nm2 0 m1 1\nm3 0 m2 1\nm4 0 m1 1\n")
    ids = ("--queries", "ids.txt", "--items", "ids.txt", "--distances")
    command = ("truth.txt", "d.npy", "-m", "RR", "--format", "csv", *ids)
    whole = values(run("evaluate", *command, "--exclude-self")[1])[("d", "RR")]
    assert whole == pytest.approx((1 + 1 + 1 / 2 + 1 / 3) / 4)
    itself = values(run("evaluate", *command)[1])[("d", "RR")]
    assert itself == pytest.approx((1 / 2 + 1 / 2 + 1 / 3 + 1 / 4) / 4)
    shallow = values(run("evaluate", *command, "--exclude-self", "--depth", "2")[1])[("d", "RR")]
    assert shallow == pytest.approx((1 + 1 + 1 / 2 + 0) / 4)


@pytest.mark.usefixtures("matrices")
def test_compare_and_convert(run, folder: Path) -> None:
    status, out, _ = run(
        *("compare", "t.cla", "d.npy", "e.dist", "-m", "RR", "--distances", "--format", "csv")
    )
    assert status == 0
    assert ",0.0," in out
    command = ("convert", "d.npy", "d.csv", "--queries", "ids.txt", "--items", "ids.txt")
    assert run(*command, "--distances", "--depth", "2") == (0, "", "")
    expected = ft.Runs.from_matrix(
        NEAR, queries=ids(), items=ids(), larger_is_better=False, depth=2
    )
    assert ft.read_runs("d.csv").to_frame()["item"].tolist() == (
        expected.to_frame()["item"].tolist()
    )


def ids() -> list[str]:
    return ["m1", "m2", "m3", "m4"]


@pytest.mark.usefixtures("matrices")
@pytest.mark.parametrize(
    ("command", "message"),
    [
        (("evaluate", "qrels.txt", "d.npy"), "does not name its queries; .* by --queries"),
        (
            ("evaluate", "qrels.txt", "a.run", "--depth", "3"),
            "and only matrices take --depth",
        ),
        (("evaluate", "qrels.txt", "a.run", "--distances"), "and only matrices take --distances"),
        (
            ("evaluate", "t.cla", "d.npy", "--depth", "0"),
            "--depth 0: must be a whole number from 1",
        ),
        (("evaluate", "t.cla", "d.npy", "--queries", "no.txt"), "no.txt: no such file"),
        (("evaluate", "t.cla", "d.npy", "--aggregate", "mean"), "t.cla says which model is in"),
        (("convert", "d.npy", "d.run"), "^error: d.npy: is 4 × 4 numbers and does not name its q"),
        (
            ("evaluate", "t.cla", "d.npy", "-o", "ids.txt", "--items", "ids.txt"),
            "is read, and must",
        ),
    ],
)
def test_errors(run, command, message: str) -> None:
    status, out, err = run(*command)
    assert status in (1, 2)
    assert out == ""
    assert re.search(message, err)
    assert err.count("\n") == 1


def test_options_left_out_are_the_defaults() -> None:
    options = matrix_options(
        {"queries": None, "items": None, "distances": False, "exclude_self": False, "depth": None}
    )
    assert options.given == []
