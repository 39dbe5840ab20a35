"""`subject_influence` against evaluating and comparing anew without each subject."""

import numpy as np
import pandas as pd
import pytest
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.errors import DegenerateWarning, LeftOutWarning

SUBJECTS = ("ann", "bob", "cat", "dan")


MEASURES = ["AP", "P@3"]


def votes(n_queries: int = 12, seed: int = 5, share: float = 1.0) -> pd.DataFrame:
    """Four people of whom dan judges at random; a part of the (query, subject) cells."""
    rng = np.random.default_rng(seed)
    rows = []
    for q in range(n_queries):
        quality = rng.random(8)
        for name in SUBJECTS:
            if rng.random() >= share:
                continue
            noise = rng.normal(0, 0.2, 8) if name != "dan" else rng.normal(0, 2, 8)
            grades = (quality + noise > 0.6).astype(int)
            grades[quality.argmax()] = 1
            rows += [(f"q{q}", f"d{k}", name, grades[k]) for k in range(8)]
    return pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])


def runs(n_queries: int = 12, n_systems: int = 4) -> dict[str, dict[str, list[str]]]:
    out = {}
    for s in range(n_systems):
        rng = np.random.default_rng([5, s])
        lists = {}
        for q in range(n_queries):
            truth = votes(n_queries)
            truth = truth[truth["query"] == f"q{q}"].groupby("item")["grade"].mean()
            score = truth + rng.normal(0, 0.1 + 0.25 * s, len(truth))
            lists[f"q{q}"] = [*score.sort_values(ascending=False).index]
        out[f"x{s}"] = lists
    return out


RUNS = runs()


def words(found: ft.results.SubjectInfluence) -> str:
    return " ".join(str(found).split())


@pytest.mark.parametrize(
    ("over", "share", "baseline"),
    [("query", 0.7, "x1"), (("query", "subject"), 1.0, None)],
)
def test_against_evaluating_anew(over, share, baseline):
    given = votes(share=share)
    found = ft.subject_influence(
        given, RUNS, MEASURES, over=over, baseline=baseline, n_resamples=499, rng=3
    )
    options = {"over": over, "baseline": baseline, "n_resamples": 499, "rng": 3}
    whole = ft.evaluate(given, RUNS, MEASURES, worlds="subject")
    with_all = ft.compare(whole, **options).to_frame(full=True)
    std_error = whole.summary(over=over, full=True).set_index(["measure", "system"])["std_error"]
    for name in SUBJECTS:
        rest = ft.evaluate(given[given["subject"] != name], RUNS, MEASURES, worlds="subject")
        rows = found.to_frame(full=True)
        rows = rows[rows["left_out"] == name].set_index(["measure", "system"])
        for (measure, system), row in rows.iterrows():
            mean, without = whole.mean().loc[system, measure], rest.mean().loc[system, measure]
            assert row["mean"] == pytest.approx(mean, rel=1e-12)
            assert row["without"] == pytest.approx(without, rel=1e-12)
            assert row["change"] == pytest.approx(without - mean, abs=1e-12)
            expected = (without - mean) / std_error[measure, system]
            assert row["std_change"] == pytest.approx(expected, rel=1e-9, abs=1e-9)
            order = rest.mean()[measure].rank(ascending=False)
            assert row["new_rank"] == order[system]
        pairs = found.pairs[found.pairs["left_out"] == name].reset_index(drop=True)
        anew = ft.compare(rest, **options).to_frame(full=True)
        keys = ["measure", "system_a", "system_b"]
        assert pairs[keys].values.tolist() == anew[keys].values.tolist()
        np.testing.assert_allclose(pairs["difference_without"], anew["difference"], atol=1e-12)
        np.testing.assert_allclose(pairs["p_without"], anew["p_adjusted"], rtol=1e-9)
        np.testing.assert_allclose(pairs["p_adjusted"], with_all["p_adjusted"], rtol=1e-12)
        before = np.sign(with_all["difference"]) * with_all["significant"]
        after = np.sign(anew["difference"]) * anew["significant"]
        expected = [
            "" if b == a else "lost" if a == 0 else "gained" if b == 0 else "reversed"
            for b, a in zip(before, after, strict=True)
        ]
        assert pairs["change"].tolist() == expected
        unit = found.left_out.set_index("left_out").loc[name]
        for kind in ("lost", "gained", "reversed", "undefined"):
            assert unit[kind] == expected.count(kind)
    assert found.changed_verdicts(full=True)["change"].ne("").all()


def test_scores_are_taken_as_they_are() -> None:
    scores = ft.evaluate(votes(), RUNS, MEASURES, worlds="subject")
    a, b = ft.subject_influence(scores, measures="P@3"), ft.subject_influence(votes(), RUNS, "P@3")
    pd.testing.assert_frame_equal(a.table, b.table)
    pd.testing.assert_frame_equal(a.pairs, b.pairs)


def test_nested_subjects_are_persons_of_one_query():
    values = np.random.default_rng(1).random((2, 3, 5))
    scores = scores_of(values, design="nested")
    found = ft.subject_influence(scores)
    assert found.over == ("query",)
    assert len(found.left_out) == 15
    assert found.left_out["left_out"][1] == "s1 (q0)"
    row = found.table[(found.table["system"] == "sys0") & (found.table["left_out"] == "s1 (q0)")]
    left = values[0].mean(axis=0)
    left[0] = values[0, [0, 2], 0].mean()
    assert row["without"].item() == pytest.approx(left.mean(), rel=1e-12)


def test_ranks() -> None:
    values = np.arange(24.0).reshape(2, 3, 4)
    values[1] += np.random.default_rng(1).random((3, 4))
    found = ft.subject_influence(scores_of(values, higher_is_better=(False,)), over="query")
    assert found.table.drop_duplicates("system")["rank"].tolist() == [1.0, 2.0]
    assert (found.table.query("left_out == 's2'")["change"] < 0).all()
    tied = np.ones((3, 3, 4))
    tied[2] = 0.5
    with pytest.warns(DegenerateWarning):
        found = ft.subject_influence(scores_of(tied), over="query")
    assert found.table.drop_duplicates("system")["rank"].tolist() == [1.5, 1.5, 3.0]
    assert (found.table["std_change"] == 0).all()
    assert not len(found.changed_verdicts())
    assert "No score changes" in str(found)


def test_queries_that_one_subject_judged() -> None:
    values = np.random.default_rng(2).random((2, 4, 8))
    few = "and without each (without some subjects over fewer queries)"
    assert few not in ft.subject_influence(scores_of(values))._plot_data("means").title
    values[:, 1:, 0] = np.nan  # only s0 judged q0
    with pytest.warns(LeftOutWarning, match="1 query that a single subject judged is not in"):
        found = ft.subject_influence(scores_of(values))
    assert few in found._plot_data("means").title
    assert found.left_out["n_queries_lost"].tolist() == [1, 0, 0, 0]
    row = found.table[(found.table["system"] == "sys1") & (found.table["left_out"] == "s0")]
    assert row["without"].item() == pytest.approx(values[1, 1:, 1:].mean(), rel=1e-12)


def test_over_by_default():
    values = np.random.default_rng(2).random((2, 3, 4))
    assert ft.subject_influence(scores_of(values)).over == ("query", "subject")
    assert ft.subject_influence(scores_of(values[:, :2])).over == ("query",)
    with pytest.raises(ft.errors.OptionError, match=r"without 's0' there is a single subject"):
        ft.subject_influence(scores_of(values[:, :2]), over=("query", "subject"))


def test_one_system_has_scores_only():
    values = np.random.default_rng(2).random((1, 3, 4))
    found = ft.subject_influence(scores_of(values))
    assert not len(found.pairs)
    assert not len(found.changed_verdicts())
    assert "verdict" not in str(found).split("More:")[0]
    assert found.table["without"].notna().all()
    with pytest.raises(ft.errors.OptionError, match="nothing to compare"):
        ft.subject_influence(scores_of(values), baseline="sys0")


@pytest.mark.parametrize("correction", ["holm", "sign-flips"])
def test_corrections_are_those_of_compare(correction):
    values = np.random.default_rng(2).random((3, 4, 9)) + 0.1 * np.arange(3)[:, None, None]
    options = {"over": "query", "correction": correction, "n_resamples": 199}
    found = ft.subject_influence(scores_of(values), **options)
    rows = found.pairs[found.pairs["left_out"] == "s3"]
    anew = ft.compare(scores_of(values[:, :3]), **options).to_frame()
    np.testing.assert_allclose(rows["p_without"], anew["p_adjusted"], rtol=1e-12)


def test_progress_and_seed():
    values = np.random.default_rng(2).random((3, 4, 9))
    done: list[float] = []
    first = ft.subject_influence(scores_of(values), over="query", progress=done.append)
    assert done == [0.25, 0.5, 0.75, 1.0]
    again = ft.subject_influence(scores_of(values), over="query")
    pd.testing.assert_frame_equal(first.pairs, again.pairs)


SCORES = scores_of(np.random.default_rng(2).random((2, 3, 4)))


MISTAKES = {
    "no subjects": (lambda: ft.subject_influence(scores_of(np.ones((2, 4)))), "no subjects"),
    "one subject": (lambda: ft.subject_influence(SCORES.select(subjects="s0")), "a single one"),
    "no runs": (lambda: ft.subject_influence(votes()), "runs=None: votes take runs and measures"),
    "no measures": (lambda: ft.subject_influence(votes(), RUNS), "measures=None: votes take"),
    "runs of scores": (lambda: ft.subject_influence(SCORES, RUNS), "runs=.*: is for votes"),
    "undefined of scores": (
        lambda: ft.subject_influence(SCORES, undefined="exclude"),
        "undefined='exclude': is for votes",
    ),
    "rel of scores": (lambda: ft.subject_influence(SCORES, rel=2), "rel=2: is for votes"),
    "pooled": (
        lambda: ft.subject_influence(votes(), RUNS, "AP", missing="pooled"),
        "missing='pooled': each subject's scores then depend",
    ),
    "worlds": (lambda: ft.subject_influence(SCORES, over="world"), "over='world'"),
    "groups": (lambda: ft.subject_influence(SCORES, groups=3), "groups=3: must be {subject"),
    "unknown": (
        lambda: ft.subject_influence(SCORES, groups={"s9": "a"}),
        "groups: 's9' is no subject of these scores",
    ),
    "two groups": (
        lambda: ft.subject_influence(SCORES, groups={"a": ["s0", "s1"], "b": ["s1"]}),
        "'s1' is in 'a' and in 'b'",
    ),
    "all in one": (
        lambda: ft.subject_influence(SCORES, groups={"a": ["s0", "s1", "s2"]}),
        "they all are in one group, 'a'",
    ),
    "name of both": (
        lambda: ft.subject_influence(SCORES, groups={"s2": ["s0", "s1"]}),
        "'s2' is the name of a group and of a subject",
    ),
    "level": (lambda: ft.subject_influence(SCORES, level=95), "level=95"),
    "baseline": (lambda: ft.subject_influence(SCORES, baseline="z"), "baseline='z'"),
    "progress": (lambda: ft.subject_influence(SCORES, progress=1), "progress=1: must be a func"),
    "votes": (lambda: ft.subject_influence(3, RUNS, "AP"), "truth: give Judgments"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes(name):
    call, message = MISTAKES[name]
    with pytest.raises(ft.FuzzytruthError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_what_is_printed():
    rng = np.random.default_rng(4)
    values = 0.5 + 0.05 * np.arange(3)[:, None, None] + rng.normal(0, 0.05, (3, 5, 12))
    values[2, 4] -= 0.4  # one subject who thinks little of the best system
    text = str(ft.subject_influence(scores_of(values)))
    assert "Influence of 5 subjects on 3 systems by m, each left out in turn" in text
    assert "without s4, m of sys2 is" in text
    assert "the first place changes without s4" in " ".join(text.split())
    assert "gained" in text
    assert "\nverdict " in text  # and no column of measures


def test_a_single_verdict_is_not_counted() -> None:
    rng = np.random.default_rng(4)
    noise = rng.normal(0, 0.01, (2, 4, 9))

    def told(values: np.ndarray) -> str:
        return words(ft.subject_influence(scores_of(values), over="query"))

    same = "The verdict over queries is the same without any one subject: with all it is"
    assert f"{same} not significant." in told(noise)
    apart = noise + np.array([0.0, 1.0])[:, None, None]
    assert f"{same} significant." in told(apart)
    noise[1, 0] += 0.1  # only s0 finds a difference
    found = ft.subject_influence(scores_of(noise), over="query")
    changed = found.changed_verdicts()
    assert len(found.pairs) == 4
    assert changed[["left_out", "change"]].values.tolist() == [["s0", "lost"]]
    text = "The verdict over queries changes without 1 of 4 subjects: s0 (lost); with all it is sig"
    assert text in words(found)
