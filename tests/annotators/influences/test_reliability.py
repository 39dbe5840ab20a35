"""`reliability`: its tables, what becomes of them, and its mistakes."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from support.anaesthetists import anaesthetists

import fuzzytruth as ft
from fuzzytruth.annotators.influences.latent_classes import (
    ClassVotes,
    jackknife_right,
    latent_classes,
)
from fuzzytruth.errors import DegenerateWarning


def crowd(
    n: int = 300, accuracy=(0.9, 0.85, 0.8, 0.75, 0.6), k: int = 2, seed: int = 0, copies: int = 0
) -> tuple[ft.Judgments, np.ndarray]:
    """Votes and the truth; the last subject is copied, but for one answer in fifty."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, k, n)
    rows, last = [], truth
    for s in range(len(accuracy) + copies):
        if s < len(accuracy):
            right = rng.random(n) < accuracy[s]
            last = np.where(right, truth, (truth + rng.integers(1, k, n)) % k)
            said = last
        else:
            said = np.where(rng.random(n) < 0.98, last, (last + 1) % k)
        rows += [(f"q{i // 10}", f"d{i}", f"s{s}", said[i]) for i in range(n)]
    frame = pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])
    return ft.Judgments.from_frame(frame), truth


def test_the_anaesthetists():
    fit = ft.reliability(anaesthetists(), level=None)
    assert repr(fit) == "Reliability(dawid-skene: 5 subjects, 45 units, 4 answers)"
    assert fit.fit.prevalence.round(2).tolist() == [0.40, 0.42, 0.11, 0.07]
    table = fit.to_frame().set_index("item")
    assert table.loc["patient 36", "answer"] == "4"
    assert table.loc["patient 36", "share"] == pytest.approx(3 / 7)
    confusion = fit.confusion()
    row = confusion.query("subject == '1' and truth == '2' and answer == '2'")
    assert row["probability"].item() == pytest.approx(0.88, abs=0.005)
    assert confusion.groupby(["subject", "truth"])["probability"].sum().to_numpy() == (
        pytest.approx(1.0)
    )
    assert fit.subjects["n_votes"].tolist() == [135, 45, 45, 45, 45]


def test_intervals_are_a_jackknife_over_blocks_of_queries():
    votes, _ = crowd(300)
    fit = ft.reliability(votes, "majority")
    frame = votes.to_frame()
    top = fit.to_frame().set_index("item")["answer"].astype(float)
    ok = (frame["grade"] == frame["item"].map(top)).to_numpy(dtype=float)
    block = frame["query"].str[1:].astype(int) % 20
    one = (frame["subject"] == "s4").to_numpy()
    left = np.array([ok[one & (block != b)].mean() for b in range(20)])
    spread = np.sqrt(19 / 20 * ((left - left.mean()) ** 2).sum())
    row = fit.subjects.set_index("subject").loc["s4"]
    half = 2.0930240544 * spread  # of t with 19 degrees of freedom
    least, most = ft.stats.wilson(300 * row["accuracy"], 300)
    assert row["lower"] == pytest.approx(min(row["accuracy"] - half, least), rel=1e-9)
    assert row["upper"] == pytest.approx(max(row["accuracy"] + half, most), rel=1e-9)
    clustered = ft.reliability(votes, "majority", level=0.5).subjects.set_index("subject")
    assert clustered.loc["s4", "lower"] > row["lower"]


RUNS = {
    name: {
        f"q{j}": [f"d{10 * j + i}" for i in np.random.default_rng([s, j]).permutation(10)]
        for j in range(30)
    }
    for s, name in enumerate("xyz")
}


def test_two_grades_become_probabilities():
    votes, _ = crowd()
    fit = ft.reliability(votes, level=None)
    truth = fit.judgments()
    assert repr(truth) == "Judgments(300 rows, 30 queries, probabilities)"
    p = truth.to_frame().set_index("item")["probability"]
    full = fit.to_frame(full=True)
    expected = full[full["answer"] == "1"].set_index("item")["probability"]
    pd.testing.assert_series_equal(p, expected, check_names=False)
    beside = fit.compare(RUNS, ["P@3", "AP"])
    table = beside.to_frame().set_index(["measure", "system"])
    for name, given in (("unweighted", votes), ("weighted", truth)):
        mean = ft.evaluate(given, RUNS, ["P@3", "AP"], worlds="independent").mean()
        for measure in ("P@3", "AP"):
            np.testing.assert_allclose(table.loc[measure, name], mean[measure], rtol=1e-12)
    assert (table["change"] == table["weighted"] - table["unweighted"]).all()
    order = table.loc["AP", "weighted"].rank(ascending=False)
    assert (table.loc["AP", "rank_weighted"] == order).all()
    assert beside.order_changes == (table["rank"] != table["rank_weighted"]).any()
    assert "assumes one true answer" in " ".join(str(beside).split())


def test_more_grades_become_counts_that_draw_the_posterior():
    votes, _ = crowd(60, k=3)
    fit = ft.reliability(votes, level=None)
    expected = (fit.fit.posterior @ [0.0, 1.0, 2.0]).reshape(6, 10)  # by query and item
    runs = {"x": {f"q{j}": [f"d{10 * j + 4}"] for j in range(6)}}
    scores = ft.evaluate(fit.judgments(), runs, "DCG@1", worlds="independent")
    np.testing.assert_allclose(scores.values[0, 0], expected[:, 4], atol=1e-9)
    at_least = fit.judgments(rel=2).to_frame()["probability"]
    np.testing.assert_allclose(at_least, fit.fit.posterior[:, 2], atol=1e-12)
    with pytest.raises(ft.OptionError, match="worlds='population'"):
        ft.evaluate(fit.judgments(), runs, "DCG@1", worlds="population")


def test_categories_become_a_membership():
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 3, 80)
    rows = [
        (f"s{s}", f"i{i}", "abc"[truth[i] if rng.random() < 0.8 else rng.integers(3)])
        for i in range(80)
        for s in range(4)
    ]
    frame = pd.DataFrame(rows, columns=["subject", "item", "category"])
    votes = ft.Assignments.from_frame(frame)
    fit = ft.reliability(votes, level=None)
    membership = fit.membership()
    row = fit.to_frame(full=True).iloc[4]
    assert membership.probability(row["item"], row["answer"]) == pytest.approx(row["probability"])
    for call in (fit.judgments, lambda: fit.compare(RUNS, "AP")):
        with pytest.raises(ft.OptionError, match="categories, not grades"):
            call()
    with pytest.raises(ft.OptionError, match="membership: these votes are grades"):
        ft.reliability(crowd(30)[0], level=None).membership()


def test_two_subjects_and_equal_votes_warn():
    votes, _ = crowd(50, accuracy=(0.9, 0.6))
    with pytest.warns(DegenerateWarning, match="do not say which of the two errs"):
        ft.reliability(votes, level=None)
    same = votes.to_frame().assign(grade=1)
    with pytest.warns(DegenerateWarning, match="all votes are the same"):
        fit = ft.reliability(same)
    assert fit.subjects["accuracy"].tolist() == [1.0, 1.0]
    with pytest.warns(DegenerateWarning, match="not converged after 2 iterations"):
        fit = ft.reliability(crowd(50)[0], level=None, max_iterations=2)
    assert not fit.fit.converged


def test_what_crowd_kit_gives_is_put_in_place(monkeypatch):
    """With a model of theirs that is fast and known: shares of votes."""
    pytest.importorskip("crowdkit")
    from fuzzytruth.annotators.influences.latent_classes import MODELS

    monkeypatch.setitem(MODELS, "glad", "MajorityVote")
    frame = crowd(30, k=3)[0].to_frame()
    frame = frame[np.random.default_rng(1).random(len(frame)) < 0.7]
    fit = ft.reliability(frame, "glad")
    np.testing.assert_allclose(fit.fit.posterior, fit.fit.share, atol=1e-12)
    assert fit.subjects["lower"].isna().all()


def test_crowd_kit_is_named_where_it_is_missing(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "crowdkit", None)
    from fuzzytruth.errors import MissingPackageError

    with pytest.raises(MissingPackageError, match=r"method='glad' needs crowd-kit.*\[crowd-kit\]"):
        ft.reliability(crowd(30)[0], "glad")


MISTAKES = {
    "method": (lambda v: ft.reliability(v, "ds"), "method='ds': must be one of 'dawid-skene'"),
    "smoothing": (lambda v: ft.reliability(v, smoothing=-1), "smoothing=-1.*: must be 0 or more"),
    "level": (lambda v: ft.reliability(v, level=95), "level=95"),
    "iterations": (lambda v: ft.reliability(v, max_iterations=0), "max_iterations=0"),
    "votes": (lambda v: ft.reliability(3), "votes: give Judgments"),
    "one truth": (lambda v: ft.reliability({"q": {"a": 1}}), "one truth by an unknown author"),
    "one subject": (lambda v: ft.reliability(v.select(subjects="s0")), "a single subject, 's0'"),
    "nested": (
        lambda v: ft.reliability(ft.Judgments.from_frame(v.to_frame(), design="nested")),
        "nested in queries",
    ),
    "no names": (
        lambda v: ft.reliability(
            pd.DataFrame({"query": "q", "item": ["a", "a"], "grade": [0, 1], "count": [2, 3]})
        ),
        "reliability: nobody is named",
    ),
    "worlds": (
        lambda v: ft.reliability(v, level=None).compare(RUNS, "AP", worlds="crisp"),
        "worlds: are independent here",
    ),
    "rel": (lambda v: ft.reliability(v, level=None).judgments(rel="x"), "rel='x'"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes(name):
    call, message = MISTAKES[name]
    votes, _ = crowd(30)
    with pytest.raises(ft.FuzzytruthError, match=message) as caught:
        call(votes)
    assert "\n" not in str(caught.value)


def test_too_many_answers_for_tables():
    n = 900
    frame = pd.DataFrame(
        {
            "subject": [f"s{j % 300}" for j in range(n)],
            "item": [f"i{j // 2}" for j in range(n)],
            "category": [f"c{j}" for j in range(n)],
        }
    )
    with pytest.raises(ft.OptionError, match="a table of 900 × 900 answers for each of 300"):
        ft.reliability(ft.Assignments.from_frame(frame))


def test_intervals_do_not_depend_on_where_slow_iterations_stop() -> None:
    """A fit without a block starts at that of all, and must not stop there for being slow."""
    votes, _ = crowd(200, (0.7, 0.6, 0.6, 0.65, 0.6), seed=3)
    found = ft.reliability(votes)
    ratings, fit = found.ratings, found.fit
    table = ClassVotes.of(ratings.unit, ratings.subject, ratings.value, 200, 5, 2)
    options = {"tolerance": 1e-7, "max_iterations": 1000}
    whole = latent_classes(table, **options)
    assert ratings.cluster is not None
    right = jackknife_right(table, whole, ratings.cluster % 20, 20, **options)
    half = stats.t.ppf(0.975, 19) * np.sqrt(19 * right.var(axis=0))
    assert fit.accuracy[0] - fit.lower[0] == pytest.approx(half[0], rel=0.01)  # was 7 % less


def test_few_votes_earn_no_extreme_weight():
    """Somebody with one vote is neither the most nor the least reliable; all is said to depend."""
    votes, _ = crowd(200)
    once = pd.DataFrame(
        {"query": "q0", "item": ["d0", "d1"], "subject": ["right", "wrong"], "grade": 0}
    )
    known = ft.reliability(votes, "one-coin").to_frame().set_index("item")["answer"].astype(int)
    once["grade"] = [known["d0"], 1 - known["d1"]]
    fit = ft.reliability(ft.Judgments.from_frame(pd.concat([votes.to_frame(), once])), "one-coin")
    table = fit.subjects.set_index("subject")
    assert table.loc["right", "accuracy"] > 0.9 > 0.1 > table.loc["wrong", "accuracy"]
    mean = (fit.fit.accuracy * fit.fit.n_votes).sum() / fit.fit.n_votes.sum()
    shrunk = (fit.fit.accuracy * fit.fit.n_votes + 4 * mean) / (fit.fit.n_votes + 4)
    weight = np.log(np.clip(shrunk, 0.5, 0.999) / (1 - np.clip(shrunk, 0.5, 0.999)))
    np.testing.assert_allclose(table["weight"], weight / weight.mean())
    assert table["weight"].idxmax() != "right"
    assert table.loc["right", "weight"] < 1.4
    text = " ".join(str(fit).split())
    assert "If the model holds, the most probable grade has a mean probability of" in text
    assert "Subjects, the lowest lower end first" in text
    assert "2 subjects have fewer than 10 votes, which say little." in text
    first = [line.split()[0] for line in str(fit).splitlines() if line.strip()]
    expected = table.sort_values(["lower", "accuracy"], na_position="first").index.tolist()
    assert [name for name in first if name in table.index] == expected
    many = pd.concat(
        [once.assign(subject=[f"{name} {j}" for name in once["subject"]]) for j in range(6)]
    )
    many = ft.reliability(ft.Judgments.from_frame(pd.concat([votes.to_frame(), many])), "one-coin")
    assert "Subjects with the lowest and the highest lower end, 5 of 17" in str(many)
    assert "right 1" not in str(many)  # one vote each, of which nothing is known
    alone = str(ft.reliability(votes, level=None))
    assert "Subjects, the lowest weight first" in alone
