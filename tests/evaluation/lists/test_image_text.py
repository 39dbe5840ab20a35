"""Image–text retrieval against a plain sort, and jackknives against deletion."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import fuzzytruth as ft
from fuzzytruth.evaluation.lists.image_text import (
    pseudo_values,
)


def means(*arguments, kind="R", **options):
    """Means of "R@K" or recall: (2 directions, cut-offs)."""
    scores = ft.image_text(*arguments, recall=True, **options)
    table = scores.mean().iloc[0]
    cutoffs = options.get("cutoffs", (1, 5, 10))
    return np.array([[table[f"{d} {kind}@{k}"] for k in cutoffs] for d in ("i2t", "t2i")])


def sums(*arguments, **options):
    """Rsum and mR."""
    return ft.image_text(*arguments, **options).mean()[["Rsum", "mR"]].iloc[0].tolist()


def by_sorting(matrix, image_of, k):
    """Any-hit and recall in both directions, the plain way; ties as given."""
    out = []
    for queries, relevant in (
        (matrix, [np.flatnonzero(image_of == i) for i in range(len(matrix))]),
        (matrix.T, [np.array([i]) for i in image_of]),
    ):
        result = [
            np.isin(np.argsort(-row, kind="stable")[:k], match).sum()
            for row, match in zip(queries, relevant, strict=True)
        ]
        share = [n / len(match) for n, match in zip(result, relevant, strict=True)]
        out.append((np.mean([n > 0 for n in result]), np.mean(share)))
    return out


@pytest.mark.parametrize("seed", range(2))
def test_against_sorting_with_ragged_texts_and_ties(seed):
    rng = np.random.default_rng(seed)
    image_of = np.concatenate((np.arange(12), rng.integers(0, 12, 20)))
    rng.shuffle(image_of)
    matrix = rng.integers(0, 8, (12, 32)).astype(float)
    options = {"cutoffs": (1, 3), "unit": "fraction", "ties": "order"}
    any_hit = means(matrix, image_of, **options)
    recall = means(matrix, image_of, kind="recall", **options)
    for j, k in enumerate((1, 3)):
        (any_i, rec_i), (any_t, rec_t) = by_sorting(matrix, image_of, k)
        np.testing.assert_allclose(any_hit[:, j], [any_i, any_t])
        np.testing.assert_allclose(recall[:, j], [rec_i, rec_t])


def test_texts_of_the_first_images_may_lie_anywhere():
    matrix = np.random.default_rng(2).normal(size=(1001, 1001))
    images = np.arange(1001)
    want = means(matrix[:1000, :1000], images[:1000])
    found = means(matrix[:, ::-1], images[::-1], protocol="1K")
    np.testing.assert_allclose(found, want)


def test_protocols():
    rng = np.random.default_rng(1)
    n = 5000
    image_of = np.arange(n)
    matrix = np.zeros((n, n), dtype=np.float32)
    for fold in range(5):  # inside a fold random, outside irrelevant to the fold protocol
        at = slice(1000 * fold, 1000 * (fold + 1))
        matrix[at, at] = rng.normal(size=(1000, 1000))
        matrix[at, at][np.diag_indices(1000)] += 2
    folds = [means(matrix[s : s + 1000, s : s + 1000], np.arange(1000)) for s in range(0, n, 1000)]
    np.testing.assert_allclose(means(matrix, image_of, protocol="1K"), folds[0])
    scores = ft.image_text(matrix, image_of, protocol="5fold")
    found = scores.mean().iloc[0].to_numpy()
    np.testing.assert_allclose(found[:6].reshape(2, 3), np.mean(folds, axis=0))
    np.testing.assert_allclose(found[6:], [np.mean(folds, axis=0).sum(), np.mean(folds)])
    fold = scores.query_attributes["fold"]
    assert [fold[j] for j in (0, 999, 1000, 4999, 5000, 9999)] == ["1", "1", "2", "5", "1", "5"]
    with pytest.raises(ft.errors.DataError, match="needs 5,000 images, the matrix has 20"):
        ft.image_text(np.zeros((20, 100)), protocol="5fold")


def ragged(seed=0, n=11, extra=14):
    """Similarities by two systems, and the image of each text."""
    rng = np.random.default_rng(seed)
    image_of = np.concatenate([np.arange(n), rng.integers(0, n, extra)])
    signal = np.eye(n)[:, image_of]
    matrices = {
        name: signal * size + rng.normal(size=signal.shape)
        for name, size in {"A": 1.5, "B": 1.0}.items()
    }
    return matrices, image_of


def rsum_without(scores, image_of, image, system):
    """The sum of means over the queries that are neither the image nor one of its texts."""
    n = image_of.max() + 1
    keep = np.concatenate([np.arange(n) != image, image_of != image])
    return np.nansum(np.nanmean(scores.values[system, :6][:, keep], axis=1))


def test_rsum_is_the_delete_one_image_jackknife():
    matrices, image_of = ragged()
    scores = ft.image_text(matrices, image_of)
    n = image_of.max() + 1
    summary = scores.summary(clusters="image", full=True).set_index(["system", "measure"])
    for j, system in enumerate(scores.systems):
        theta = scores.mean().loc[system].iloc[:6].sum()
        without = np.array([rsum_without(scores, image_of, i, j) for i in range(n)])
        error = np.sqrt((n - 1) / n * ((without - without.mean()) ** 2).sum())
        half = stats.t.ppf(0.975, n - 1) * error
        row = summary.loc[(system, "Rsum")]
        expected = [theta, theta - half, theta + half, error, n - 1]
        found = row[["mean", "lower", "upper", "std_error", "df"]].tolist()
        np.testing.assert_allclose(found, expected)
        sixth = summary.loc[(system, "mR")][["mean", "lower", "upper"]].tolist()
        np.testing.assert_allclose(sixth, np.array(expected[:3]) / 6)


def test_two_systems_are_compared_by_the_paired_jackknife():
    matrices, image_of = ragged(1)
    scores = ft.image_text(matrices, image_of)
    n = image_of.max() + 1
    without = [[rsum_without(scores, image_of, i, j) for i in range(n)] for j in (0, 1)]
    shift = np.subtract(*without)
    difference = np.subtract(*scores.mean()["Rsum"])
    error = np.sqrt((n - 1) / n * ((shift - shift.mean()) ** 2).sum())
    row = ft.compare(scores, measures="Rsum", clusters="image").to_frame(full=True).iloc[0]
    p = 2 * stats.t.sf(abs(difference / error), n - 1)
    found = row[["difference", "std_error", "p"]].tolist()
    np.testing.assert_allclose(found, [difference, error, p])


def test_no_interval_of_a_mean_leaves_the_range_of_its_measure(tmp_path):
    good = np.random.default_rng(0).normal(size=(10, 50))
    good[np.arange(50) // 5, np.arange(50)] += 3
    for unit, most in (("percent", 100.0), ("fraction", 1.0)):
        perfect = np.kron(np.eye(10), np.ones(5))
        scores = ft.image_text({"good": good, "perfect": perfect}, unit=unit)
        tops = (*[most] * 6, 6 * most, most)
        assert scores.ranges == tuple((0.0, top) for top in tops)
        table = scores.summary(clusters="image", full=True).set_index(["system", "measure"])
        assert (table["lower"] >= 0).all()
        assert (table["upper"] <= np.tile(tops, 2)).all()
        rsum = table.loc[("good", "Rsum")]
        half = stats.t.ppf(0.975, 9) * rsum["std_error"]
        assert rsum["upper"] == 6 * most < rsum["mean"] + half
        assert rsum["lower"] == pytest.approx(rsum["mean"] - half)
        assert table.loc[("perfect", "Rsum"), ["lower", "upper"]].tolist() == [6 * most] * 2
        certain = table.loc[("perfect", "i2t R@1")]  # ten of ten, by t over ten images
        quantile = stats.t.ppf(0.975, 9) ** 2
        assert certain["lower"] == pytest.approx(most * 10 / (10 + quantile))
    text = " ".join(str(scores).split())
    assert "over images, the ground truth being fixed; Wilson's where all values are 0 or 1" in text
    assert "2 intervals reached beyond the values that the measure can have and are cut" in text
    assert "missing" not in text
    scores.save(tmp_path / "s.parquet")
    assert ft.Scores.load(tmp_path / "s.parquet").ranges == scores.ranges
    assert scores.select(measures=["mR", "Rsum"]).ranges == ((0.0, 1.0), (0.0, 6.0))
    parts = [scores.select(systems=name) for name in scores.systems]
    assert ft.concat(parts).ranges == scores.ranges
    both = [scores.select(measures=name) for name in ("mR", "Rsum")]
    assert ft.concat(both).ranges == ((0.0, 1.0), (0.0, 6.0))


def test_frames_name_images_and_texts():
    frame = pd.DataFrame(np.eye(2), index=["cat.jpg", "dog.jpg"], columns=["a cat", "a dog"])
    scores = ft.image_text({"A": frame, "B": 1 - frame}, ["cat.jpg", "dog.jpg"], cutoffs=(1,))
    assert scores.queries == ("cat.jpg", "dog.jpg", "a cat", "a dog")
    assert scores.mean()["Rsum"].tolist() == [200, 0]
    given = ft.image_text(np.eye(2), [0, 1], images=["x", "y"], texts=[1, 2], name="CLIP")
    assert (given.systems, given.queries) == (("CLIP",), ("x", "y", "1", "2"))
    turned = ft.image_text(frame, [0, 1], images=["dog.jpg", "cat.jpg"], texts=["a dog", "a cat"])
    assert turned.queries == ("dog.jpg", "cat.jpg", "a dog", "a cat")
    assert turned.mean()["Rsum"].tolist() == [600]
    with pytest.raises(ft.errors.DataError, match=r"images have labels, and 'cat.jpg' is not"):
        ft.image_text(frame, [0, 1], images=["x", "y"])


@pytest.mark.parametrize(
    ("matrix", "options", "message"),
    [
        (np.zeros((2, 3)), {"image_of_text": None}, "are not 1:5; say which image each text has"),
        (np.zeros(3), {}, r"its shape is \(3,\)"),
        (np.full((1, 5), np.nan), {}, "similarity, row 1, column 1: nan is not allowed"),
        (np.zeros((2, 2)), {"image_of_text": [0, 0]}, "image 1 has no text"),
        (np.zeros((2, 2)), {"image_of_text": [0, 2]}, "text 1 has image 2, but images are 0 to 1"),
        (np.zeros((2, 2)), {"image_of_text": [0]}, "must be 2 whole numbers"),
        (np.array([["a"] * 5]), {}, "row 1, column 1: value .*'a'.* is not a number"),
        (np.eye(2), {"cutoffs": (1.5,)}, "must be a list of whole numbers from 1"),
        (np.eye(2), {"cutoffs": (1, 1)}, "must not hold a number twice"),
        ({}, {}, "there are no matrices in it"),
        ({"A": np.eye(2), "B": np.eye(3)}, {}, r"'B': its shape is \(3, 3\), and that of 'A' \(2"),
        (
            {"A": pd.DataFrame(np.eye(2), ["x", "y"]), "B": pd.DataFrame(np.eye(2), ["y", "x"])},
            {},
            "'B': its images are not those of 'A' in the same order",
        ),
        (np.eye(2), {"images": ["a", "b"], "texts": ["b", "c"]}, "1 id occurs twice .'b'."),
        (np.eye(2), {"images": [*"abc"]}, r"shape \(2, 2\) does not fit 3 images and 2 texts"),
        (np.eye(2), {"image_of_text": ["image 0", "cat"]}, "text 1 has image 'cat', which is none"),
        ({"A": np.eye(2)}, {"name": "x"}, "the keys of the dict already name the systems"),
        (
            np.zeros((20, 100)),
            {"image_of_text": None, "protocol": "5fold"},
            "needs 5,000 images, the matrix has 20",
        ),
    ],
)
def test_mistakes(matrix, options, message):
    with pytest.raises(ft.FuzzytruthError, match=message):
        ft.image_text(matrix, **({"image_of_text": [0, 1]} | options))


def total(of_image, of_text, image_of, n_folds, without=None):
    """The mean over folds of the sums of means, without an image and its texts."""
    fold_of = np.arange(of_image.shape[1]) * n_folds // of_image.shape[1]
    sums = []
    for fold in range(n_folds):
        images = (fold_of == fold) & (np.arange(of_image.shape[1]) != without)
        texts = (fold_of[image_of] == fold) & (image_of != without)
        sums.append(of_image[:, images].mean(axis=1).sum() + of_text[:, texts].mean(axis=1).sum())
    return np.mean(sums)


@pytest.mark.parametrize("n_folds", [1, 3])
@pytest.mark.parametrize("seed", range(3))
def test_against_deletion(seed, n_folds):
    rng = np.random.default_rng(seed)
    n = 12
    image_of = np.concatenate([np.arange(n), rng.integers(0, n, 17)])
    of_image, of_text = rng.random((3, n)), rng.random((3, len(image_of)))
    theta = total(of_image, of_text, image_of, n_folds)
    theta_i = np.array([total(of_image, of_text, image_of, n_folds, i) for i in range(n)])
    pseudo = n * theta - (n - 1) * theta_i
    found = pseudo_values(of_image, of_text, image_of, n_folds)
    np.testing.assert_allclose(found, pseudo + theta - pseudo.mean(), rtol=1e-12)
    assert found.mean() == pytest.approx(theta, rel=1e-14)


def test_a_single_image_has_the_sum_itself():
    one = np.array([[1.0], [1.0]])
    half = np.array([[0.0, 1.0], [1.0, 1.0]])
    found = pseudo_values(one, half, np.array([0, 0]), 1)
    assert found.tolist() == [3.5]
