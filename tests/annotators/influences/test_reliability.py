"""`reliability`: its tables, what becomes of them, and its mistakes."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from support.anaesthetists import anaesthetists
from support.crowds import crowd as simulated

import fuzzytruth as ft
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
    fit = ft.reliability(anaesthetists(), "dawid-skene", prior=0, level=None)
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
    assert fit.subjects["n_votes"].dtype == np.int64
    shares = replace(fit, fit=replace(fit.fit, n_votes=fit.fit.n_votes / 2))
    assert shares.subjects["n_votes"].tolist() == [67.5, 22.5, 22.5, 22.5, 22.5]


def test_intervals_are_of_the_log_odds():
    """By observed information; NaN for subjects with few votes, and where units have one vote."""
    votes, truth = crowd(300)
    fit = ft.reliability(votes, "one-coin")
    table = fit.subjects.set_index("subject")
    odds = np.log(
        table[["lower", "accuracy", "upper"]] / (1 - table[["lower", "accuracy", "upper"]])
    )
    np.testing.assert_allclose(odds["accuracy"] * 2, odds["lower"] + odds["upper"], rtol=1e-9)
    right = [
        (votes.select(subjects=f"s{s}").to_frame()["grade"].to_numpy() == truth).mean()
        for s in range(5)
    ]
    assert ((table["lower"] < right) & (right < table["upper"])).all()
    narrow = ft.reliability(votes, "one-coin", level=0.5).subjects["lower"].to_numpy()
    assert (narrow > table["lower"].to_numpy()).all()
    frame = votes.to_frame()
    few = frame[(frame["subject"] != "s4") | (frame["item"].isin([f"d{j}" for j in range(9)]))]
    ends = ft.reliability(few, "one-coin").subjects.set_index("subject")
    assert ends["lower"].isna().tolist() == [False] * 4 + [True]
    assert "1 subject has fewer than 10 votes: too few for an interval" in " ".join(
        str(ft.reliability(few, "one-coin")).split()
    )
    single = frame[frame["item"].str[1:].astype(int) % 5 == frame["subject"].str[1:].astype(int)]
    assert ft.reliability(single, "one-coin").subjects["lower"].isna().all()


def test_the_model_is_chosen_by_votes_held_out():
    votes, _ = crowd(200, k=3)
    fit = ft.reliability(votes, n_simulated=0)
    scores = fit.scores()
    assert sorted(scores["model"]) == [
        *("clarity", "dawid-skene", "glad", "one-coin", "pooled", "rating-scale"),
    ]
    chosen = scores[scores["chosen"]]["model"].item()
    assert chosen == fit.fit.method == scores.sort_values("score")["model"].iloc[-1]
    again = ft.reliability(votes, n_simulated=0)
    pd.testing.assert_frame_equal(scores, again.scores())
    assert ft.reliability(votes, "pooled", n_simulated=0).scores().empty
    text = " ".join(str(fit).split())
    assert (
        f"Chosen by votes held out in ten folds (mean log probability of a vote): {chosen}" in text
    )


def test_copies_count_once_and_both_numbers_are_shown():
    votes, truth = crowd(400, accuracy=(0.8, 0.75, 0.7, 0.8, 0.75, 0.7), copies=3, seed=1)
    fit = ft.reliability(votes, "one-coin", n_simulated=19)
    assert fit.fit.once
    cluster = fit.subjects.set_index("subject")["cluster"]
    assert cluster[["s5", "s6", "s7", "s8"]].tolist() == [1] * 4
    assert cluster[["s0", "s1", "s2", "s3", "s4"]].isna().all()
    every = ft.reliability(votes, "one-coin", copies="all", n_simulated=19)
    assert fit.fit.otherwise == pytest.approx(every.fit.posterior.max(axis=1).mean())
    right = [(one.fit.posterior.argmax(axis=1) == truth).mean() for one in (fit, every)]
    gap = [
        one.fit.posterior.max(axis=1).mean() - r for one, r in zip((fit, every), right, strict=True)
    ]
    assert abs(gap[0]) < 0.03 < 0.06 < gap[1]
    text = " ".join(str(fit).split())
    assert "9 subjects count as" in text
    assert "a cluster of 4 near-copies of each other" in text
    assert "The votes do not contradict independent errors" in text
    assert "The votes contradict independent errors" in " ".join(str(every).split())


def _assignments(table):
    ids = [f"s{s}" for s in table.subject], [f"i{u:03d}" for u in table.unit]
    return ft.Assignments.from_columns(*ids, [f"c{v}" for v in table.value])


def test_hard_items_contradict_independent_errors_by_whichever_model():
    table, truth = simulated("hard", 20, 200, 10)
    fit = ft.reliability(_assignments(table), level=None)
    assert (fit.fit.method, fit.fit.check.model) == ("glad", "one-coin")
    assert fit.fit.check.p <= 0.05
    right = (fit.fit.posterior.argmax(axis=1) == truth).mean()
    assert fit.fit.posterior.max(axis=1).mean() > right + 0.05
    text = " ".join(str(fit).split())
    assert "the probabilities are not to be believed" in text
    assert "The model allows for hard items, but not for those that most people get wrong" in text


def test_accuracies_of_each_where_the_model_is_of_all():
    table, _ = simulated("coin", 12, 100, 5)
    votes = _assignments(table)
    pooled = ft.reliability(votes, "pooled", n_simulated=0)
    each = ft.reliability(votes, "one-coin", n_simulated=0)
    columns = ["accuracy", "lower", "upper"]
    pd.testing.assert_frame_equal(pooled.subjects[columns], each.subjects[columns])
    assert np.abs(pooled.fit.posterior - each.fit.posterior).max() > 0.05
    assert "panel's answer by one-coin, drawn" in " ".join(str(pooled).split())


def test_guessers_may_exchange_the_answers():
    """Both ways round are as likely; where people hardly beat guessing, it is said."""
    votes, _ = crowd(150, accuracy=(0.5, 0.5, 0.5, 0.5, 0.6))
    fit = ft.reliability(votes, "one-coin", n_simulated=0)
    text = "hardly more often than by guessing (0.50): answers may have changed places"
    assert text in " ".join(str(fit).split())
    votes, _ = crowd(150, accuracy=(0.8, 0.8, 0.7, 0.7, 0.6))
    assert "guessing" not in str(ft.reliability(votes, "one-coin", n_simulated=0))


def test_known_answers_tell_how_far_to_trust():
    votes, truth = crowd(300, accuracy=(0.7, 0.65, 0.6, 0.65, 0.7))
    gold = {f"d{j}": int(truth[j]) for j in range(80)}
    fit = ft.reliability(votes, "one-coin", gold=gold, n_simulated=0)
    table = fit.to_frame().set_index("item")
    hit = table["answer"].astype(int) == pd.Series(truth, [f"d{j}" for j in range(300)])
    known = [f"d{j}" for j in range(80)]
    assert fit.fit.gold.right == pytest.approx(hit[known].mean())
    assert fit.fit.gold.before == pytest.approx(table.loc[known, "probability"].mean())
    np.testing.assert_allclose(table["truth"], fit.fit.gold.of(table["probability"]))
    assert "Of 80 items with a known answer" in " ".join(str(fit).split())
    frame = pd.DataFrame({"item": known, "grade": truth[:80]})
    same = ft.reliability(votes, "one-coin", gold=frame, n_simulated=0)
    assert same.fit.gold.slope == pytest.approx(fit.fit.gold.slope)
    pairs = {(f"q{j // 10}", f"d{j}"): int(truth[j]) for j in range(80)}
    assert ft.reliability(votes, "one-coin", gold=pairs, n_simulated=0).fit.gold.n == 80


def test_severities_of_ordered_grades():
    rng = np.random.default_rng(0)
    value, severe = rng.normal(0, 1.5, 120), np.array([-1.0, 0, 0, 0, 1.0])
    grade = np.clip(np.round(2 + value[:, None] - severe + rng.normal(0, 0.7, (120, 5))), 0, 4)
    frame = pd.DataFrame(
        [("q", f"d{i}", f"s{s}", grade[i, s]) for i in range(120) for s in range(5)],
        columns=["query", "item", "subject", "grade"],
    )
    fit = ft.reliability(frame, "rating-scale", n_simulated=0)
    table = fit.subjects
    assert table["severity"].argsort().iloc[[0, -1]].tolist() == [0, 4]
    assert ((table["lower"] < table["severity"]) & (table["severity"] < table["upper"])).all()
    assert "a severe subject gives lower grades" in " ".join(str(fit).split())


def test_three_votes_tell_nothing_of_dependence():
    votes, _ = crowd(60, accuracy=(0.8, 0.8, 0.8))
    fit = ft.reliability(votes, "one-coin")
    assert fit.fit.check is None
    text = " ".join(str(fit).split())
    assert "3.0 votes for each item: whether people depend on each other cannot be told" in text


def test_few_votes_are_left_where_copies_count_once():
    table, _ = simulated("copies", 5, 300, 4)
    fit = ft.reliability(_assignments(table), "one-coin", copies="once", n_simulated=5, level=None)
    assert (fit.fit.once, fit.fit.check) == (True, None)
    text = " ".join(str(fit).split())
    assert "3.4 votes for each item, clusters counting as one: whether people depend" in text


def test_the_figure_shows_intervals():
    import matplotlib

    matplotlib.use("Agg")
    votes, _ = crowd(100)
    ax = ft.reliability(votes, "one-coin", n_simulated=0).plot()
    assert ax.get_xlabel() == "accuracy"
    assert next(label.get_text() for label in ax.get_yticklabels()) in {"s0", "s1"}


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
    with pytest.raises(ft.errors.OptionError, match="worlds='population'"):
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
        with pytest.raises(ft.errors.OptionError, match="categories, not grades"):
            call()
    with pytest.raises(ft.errors.OptionError, match="membership: these votes are grades"):
        ft.reliability(crowd(30)[0], level=None).membership()


def test_two_subjects_and_equal_votes_warn():
    votes, _ = crowd(50, accuracy=(0.9, 0.6))
    with pytest.warns(DegenerateWarning, match="do not say which of the two errs"):
        ft.reliability(votes, level=None)
    same = votes.to_frame().assign(grade=1)
    with pytest.warns(DegenerateWarning, match="all votes are the same"):
        fit = ft.reliability(same)
    assert fit.subjects["accuracy"].tolist() == pytest.approx([1.0, 1.0])
    with pytest.warns(DegenerateWarning, match="not converged after 2 iterations"):
        fit = ft.reliability(crowd(50)[0], level=None, max_iterations=2)
    assert not fit.fit.converged


def test_what_crowd_kit_gives_is_put_in_place(monkeypatch):
    """With a model of theirs that is fast and known: shares of votes."""
    aggregation = pytest.importorskip("crowdkit.aggregation")
    monkeypatch.setattr(aggregation, "MACE", aggregation.MajorityVote)
    frame = crowd(30, k=3)[0].to_frame()
    frame = frame[np.random.default_rng(1).random(len(frame)) < 0.7]
    fit = ft.reliability(frame, "mace")
    np.testing.assert_allclose(fit.fit.posterior, fit.fit.share, atol=1e-12)
    assert fit.subjects["lower"].isna().all()


def test_crowd_kit_is_named_where_it_is_missing(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "crowdkit", None)
    from fuzzytruth.errors import MissingPackageError

    with pytest.raises(MissingPackageError, match=r"method='mace' needs crowd-kit.*\[crowd-kit\]"):
        ft.reliability(crowd(30)[0], "mace")


MISTAKES = {
    "method": (
        lambda v: ft.reliability(v, "ds"),
        "method='ds': must be one of 'auto', 'dawid-skene'",
    ),
    "prior": (lambda v: ft.reliability(v, prior=-1), "prior=-1.*: must be 0 or more"),
    "copies": (lambda v: ft.reliability(v, copies="no"), "copies='no'"),
    "few known": (
        lambda v: ft.reliability(v, "pooled", gold={"d1": 1, "x": 0}),
        "gold: 1 item of 2 were voted on, and 10 at least",
    ),
    "unknown answer": (
        lambda v: ft.reliability(v, "pooled", gold=dict.fromkeys([f"d{j}" for j in range(20)], 7)),
        "gold: nobody gave '7'; they gave '0', '1'",
    ),
    "gold": (
        lambda v: ft.reliability(v, "pooled", gold=[("a", 1)]),
        "gold=.*: must be a DataFrame",
    ),
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
    with pytest.raises(ft.errors.OptionError, match="a table of 900 × 900 answers for each of 300"):
        ft.reliability(ft.Assignments.from_frame(frame))


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
    assert table.loc["right", "accuracy"] < 0.9
    assert table.loc["wrong", "accuracy"] > 0.5
    weight = np.log(
        np.clip(fit.fit.accuracy, 0.5, 0.999) / (1 - np.clip(fit.fit.accuracy, 0.5, 0.999))
    )
    np.testing.assert_allclose(table["weight"], weight / weight.mean())
    assert table["weight"].idxmax() != "right"
    assert table.loc["right", "weight"] < 1.4
    text = " ".join(str(fit).split())
    assert "2 subjects have fewer than 10 votes: too few for an interval" in text
    many = pd.concat(
        [once.assign(subject=[f"{name} {j}" for name in once["subject"]]) for j in range(6)]
    )
    many = ft.reliability(ft.Judgments.from_frame(pd.concat([votes.to_frame(), many])), "one-coin")
    assert "Subjects with the lowest and the highest accuracy, 10 of 17" in str(many)


def test_measurements_are_no_answers() -> None:
    rows = [(f"i{j}", w, j * 1.5 + w) for j in range(8) for w in range(3)]
    item, who, grade = zip(*rows, strict=True)
    votes = ft.Judgments.from_columns(["q"] * len(rows), item, grade, subject=map(str, who))
    with pytest.raises(
        ft.errors.DataError, match="reliability: 24 different numbers are measurements"
    ):
        ft.reliability(votes)


def test_known_answers_that_nobody_gave_count_as_wrong() -> None:
    rows = [(f"i{j}", w, j % 2) for j in range(30) for w in "abc"]
    item, who, grade = zip(*rows, strict=True)
    votes = ft.Judgments.from_columns(["q"] * len(rows), item, grade, subject=who)
    gold = {f"i{j}": j % 2 if j < 15 else "other" for j in range(20)}
    with pytest.warns(ft.errors.LabelWarning, match="nobody gave 'other'; they gave '0', '1'"):
        found = ft.reliability(votes, "one-coin", gold=gold, n_simulated=0).fit.gold
    assert found is not None
    assert (found.n, found.right) == (20, 0.75)
