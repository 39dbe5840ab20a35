"""`fuzzytruth image-text`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

import fuzzytruth as ft


@pytest.fixture
def similar(folder: Path) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    signal = np.repeat(np.eye(12), 5, axis=1)
    out = {"a": signal * 2 + rng.normal(size=(12, 60)), "b": signal + rng.normal(size=(12, 60))}
    np.save(folder / "a.npy", out["a"])
    np.savetxt(folder / "b.txt", out["b"])
    np.savetxt(folder / "c.txt", -out["b"])
    return out


def test_table_and_comparison(run, similar) -> None:
    status, out, err = run("image-text", "a.npy", "B=b.txt")
    assert (status, err) == (0, "")
    scores = ft.image_text({"a": similar["a"], "B": similar["b"]})
    means = scores.mean()
    for measure in scores.measures:
        row = next(line for line in out.splitlines() if line.startswith(measure))
        shown = [float(text) for text in re.findall(r"(-?[\d.]+) \[", row)]
        assert shown == pytest.approx(means[measure].tolist(), abs=0.05)
    difference = ft.compare(scores, measures="Rsum", clusters="image").to_frame()["difference"][0]
    assert f"{difference:+.2f}" in out  # of 600: fewer decimals
    order = ["minus", "of the mean difference over clusters", "percent", "t intervals over images"]
    assert sorted(order, key=out.index) == order
    assert "Brackets: 95 % t intervals over images, the ground truth being fixed" in (
        " ".join(out.split())
    )


def test_one_system_is_compared_with_none(run, similar) -> None:
    out = run("image-text", "b.txt", "--recall")[1]
    assert "i2t recall@10" in out
    assert "minus" not in out
    frame = run("image-text", "b.txt", "--format", "json")[1]
    other = run("image-text", "c.txt", "--distances", "--format", "json")[1]
    summary = ft.image_text(similar["b"]).summary(clusters="image")
    assert [row["lower"] for row in json.loads(frame)] == pytest.approx(summary["lower"].tolist())
    assert frame == other.replace('"c"', '"b"')


def test_intervals_that_are_cut_are_counted(run, folder: Path) -> None:
    similarity = np.random.default_rng(0).random((12, 60))
    similarity[np.arange(55) // 5, np.arange(55)] += 2
    np.save(folder / "s.npy", similarity)
    text = "2 intervals reached beyond the values that the measure can have and are cut there."
    assert text in " ".join(run("image-text", "s.npy")[1].split())
    assert text in run("image-text", "s.npy", "--format", "latex")[1]


@pytest.mark.parametrize("lines", [np.arange(60) // 5, [f"x{j // 5}" for j in range(60)]])
def test_images_of_texts(run, similar, folder: Path, lines) -> None:
    (folder / "of.txt").write_text("\n".join(map(str, lines)))
    np.savez(folder / "n.npz", scores=similar["a"], images=[f"x{j}" for j in range(12)])
    expected = run("image-text", "n=a.npy", "--texts-per-image", "5")[1]
    assert run("image-text", "n.npz", "--image-of-text", "of.txt") == (0, expected, "")


@pytest.mark.usefixtures("similar")
def test_saved_scores_are_compared_by_image(run) -> None:
    assert run("image-text", "a.npy", "b.txt", "--save", "s.parquet")[0] == 0
    status, out, err = run("compare", "s.parquet", "--clusters", "image", "-m", "Rsum")
    assert (status, err) == (0, "")
    assert "in 12 clusters" in out


@pytest.mark.usefixtures("similar")
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("a.npy", "--texts-per-image", "4"), "12 images have 60 texts; give --image-of-text"),
        (("a.npy", "--texts-per-image", "5", "--image-of-text", "x"), "give one of the two"),
        (("a.npy", "a.npy"), "another system is called 'a'; use NAME=FILE"),
        (("a.npy", "--protocol", "1K"), "needs 1,000 images, the matrix has 12"),
        (("qrels.txt",), "qrels.txt"),
        (("no.npy",), "no.npy: no such file"),
        (("d.npz", "a.npy"), "--distances: some files name their numbers distances"),
    ],
)
def test_errors(run, arguments, message: str) -> None:
    np.savez("d.npz", distances=np.zeros((12, 60)))
    status, out, err = run("image-text", *arguments)
    assert status in (1, 2)
    assert out == ""
    assert message in err


def test_files_of_images_that_do_not_fit(run, similar, folder: Path) -> None:
    (folder / "of.txt").write_text("\n".join(["0"] * 61))
    status, _, err = run("image-text", "a.npy", "--image-of-text", "of.txt")
    assert status == 1
    assert "of.txt: has 61 lines, and a.npy has shape (12, 60), images × texts" in err
    (folder / "of.txt").write_text("\n".join(["0"] * 59 + ["12"]))
    _, _, err = run("image-text", "a.npy", "--image-of-text", "of.txt")
    assert "of.txt, line 60: 12 is no image of a.npy, whose rows are counted from 0 to 11" in err
