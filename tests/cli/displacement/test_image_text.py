"""`fuzzytruth image-text`."""

import re
from pathlib import Path

import numpy as np
import pytest

import fuzzytruth as ft


@pytest.fixture(autouse=True)
def similar(folder: Path) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    signal = np.repeat(np.eye(12), 5, axis=1)
    out = {"a": signal * 2 + rng.normal(size=(12, 60)), "b": signal + rng.normal(size=(12, 60))}
    np.save(folder / "a.npy", out["a"])
    np.savetxt(folder / "b.txt", out["b"])
    np.savetxt(folder / "c.txt", -out["b"])
    np.savez(folder / "d.npz", distances=np.zeros((12, 60)))
    return out


def test_table_and_comparison(run, printed, similar: dict[str, np.ndarray]) -> None:
    status, out, err = run("image-text a.npy B=b.txt")
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
    printed("image-text a.npy b.txt --save s.parquet")
    assert "in 12 clusters" in printed("compare s.parquet --clusters image -m Rsum")


def test_images_of_texts(run, printed, similar, folder: Path) -> None:
    np.savez(folder / "n.npz", scores=similar["a"], images=[f"x{j}" for j in range(12)])
    expected = printed("image-text n=a.npy --texts-per-image 5")
    for prefix in ("", "x"):
        (folder / "of.txt").write_text("\n".join(f"{prefix}{j // 5}" for j in range(60)))
        assert run("image-text n.npz --image-of-text of.txt") == (0, expected, "")


@pytest.mark.parametrize(
    ("line", "status", "message"),
    [
        ("a.npy --texts-per-image 4", 1, "12 images have 60 texts; give --image-of-text"),
        ("a.npy --texts-per-image 5 --image-of-text x", 2, "give one of the two"),
        ("a.npy a.npy", 1, "another system is called 'a'; use NAME=FILE"),
        ("a.npy --protocol 1K", 1, "needs 1,000 images, the matrix has 12"),
        ("qrels.txt", 1, "qrels.txt"),
        ("no.npy", 1, "no.npy: no such file"),
        ("d.npz a.npy", 2, "--distances: some files name their numbers distances"),
        ("a.npy --image-of-text 61.txt", 1, "61.txt: has 61 lines, and a.npy has shape (12, 60)"),
        ("a.npy --image-of-text 12.txt", 1, "12.txt, line 60: 12 is no image of a.npy, whose row"),
    ],
)
def test_mistakes(error, folder: Path, line: str, status: int, message: str) -> None:
    (folder / "61.txt").write_text("\n".join(["0"] * 61))
    (folder / "12.txt").write_text("\n".join(["0"] * 59 + ["12"]))
    found, text = error(f"image-text {line}")
    assert found == status
    assert message in text
