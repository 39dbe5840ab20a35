"""`structure`: published figures, what it prints, and what it refuses."""

import numpy as np
import pytest

import fuzzytruth as ft
from tests.support import panels


def said(found: object) -> str:
    return " ".join(str(found).split())


def test_silhouettes() -> None:
    """Figures of the specification: agreement .717, ±.051, permuted P@5."""
    data = ft.datasets.load_model_vs_human("silhouette")
    systems = ["swag_vit_h14_in1k", "swag_regnety_128gf_in1k"]
    answers = data.answers[data.answers["system"].isin(systems)]
    runs = ft.Runs.by_similarity(answers, data.votes.taxonomy)
    found = ft.structure(data.votes, runs, "P@5", n_permutations=99, n_draws=9)
    assert (found.n_subjects, found.n_units, found.n_votes, found.n_disputed) == (10, 160, 1578, 91)
    assert found.shown
    assert found.agreement == pytest.approx(0.717, abs=0.0005)
    assert found.variation == pytest.approx(0.051, abs=0.001)
    assert found.severity + found.majority + found.rest == pytest.approx(1)
    means = found.means.set_index("system")
    assert means.loc[systems, "own"].tolist() == pytest.approx([0.555, 0.496], abs=0.0005)
    assert means.loc[systems, "permuted"].tolist() == pytest.approx([0.541, 0.485], abs=0.003)
    assert (means["p_own"] <= 0.02).all()
    (difference,) = found.differences.itertuples()
    assert (difference.sd, difference.sd_permuted) == pytest.approx((0.026, 0.020), abs=0.003)
    assert difference.p_sd > 0.05
    assert "Two people agree on 72 % of items; from pair to pair this varies by ±5" in said(found)


def test_two_opposite_groups() -> None:
    rng = np.random.default_rng(0)
    votes = panels.assignments(panels.communities(rng, (10, 10), sure=0.8))
    found = ft.structure(votes, n_permutations=99, n_draws=39)
    assert found.p <= 0.02
    assert found.p_rest <= 0.05
    assert found.rest > 0.5
    assert "Yes: who gave which vote matters (p = 0.0" in said(found)
    assert not found.copies


def test_no_structure_is_not_claimed() -> None:
    rng = np.random.default_rng(1)
    found = ft.structure(panels.assignments(panels.independent(rng)), n_permutations=99)
    assert found.p > 0.1
    assert np.isnan([found.severity, found.majority, found.rest, found.p_rest]).all()
    assert "Not shown (p = " in said(found)
    assert "beyond chance" not in said(found)


def test_copies_are_named() -> None:
    rng = np.random.default_rng(2)
    votes = panels.with_copy(rng, panels.independent(rng, 100, 12), 1.0)
    found = ft.structure(panels.assignments(votes), n_permutations=199, n_draws=39)
    assert found.copies == (("p00", "p11"),)
    assert (
        "Most alike beyond severity and majority: p00 and p11 (near copies, or of one group)"
        in said(found)
    )


def test_grades_and_thresholds() -> None:
    rng = np.random.default_rng(3)
    table = panels.severe(rng) + 1
    item, person = np.nonzero(table)
    votes = ft.Judgments.from_columns(
        ["q"] * len(item), item.astype(str), table[item, person], subject=person.astype(str)
    )
    found = ft.structure(votes, rel=2, n_permutations=99, n_draws=19)
    assert found.severity > 0.7
    assert "is severity (some grade higher)" in said(found)


def test_negative_grades_are_no_other_opinion() -> None:
    """Below a threshold, as in agreement and communities."""
    table = np.random.default_rng(4).integers(-1, 4, (60, 8))
    runs, item, person = {"a": {"q": {"0": 1.0}}}, *np.indices(table.shape).reshape(2, -1)
    found, told = [], []
    for grades in (table, np.maximum(table, 0)):
        ids = {"query": ["q"] * table.size, "item": item.astype(str)}
        votes = ft.Judgments.from_columns(*ids.values(), grades.ravel(), subject=person.astype(str))
        found.append(ft.structure(votes, rel=2, n_permutations=19, n_draws=0))
        told.append(said(ft.evaluate(votes, runs, "P@1", rel=2, structure=True)))
    assert found[0].tests.equals(found[1].tests)
    assert found[0].agreement == pytest.approx(1 - ft.agreement(votes, rel=2).observed)
    assert told[0] == told[1]


def test_weights_are_refused_wherever_structure_is_asked_for() -> None:
    frame = panels.assignments(panels.independent(np.random.default_rng(5))).to_frame()
    frame = frame[["subject", "item", "category"]].assign(weight=np.arange(len(frame)) % 2 + 1.0)
    truth = ft.Assignments.from_frame(frame).by_example()
    for compute in (
        lambda: ft.structure(truth),
        lambda: ft.evaluate(truth, {"a": {"i000": {"i001": 1.0}}}, "P@1", structure=True),
    ):
        with pytest.raises(ft.errors.DataError, match="different weights"):
            compute()


def test_columns_shown_are_without_the_spread() -> None:
    votes = panels.assignments(panels.independent(np.random.default_rng(6)))
    runs = {"a": {"i000": {"i001": 1.0}}}
    found = ft.structure(votes, runs, "P@1", n_permutations=9, n_draws=0)
    columns = ["system", "measure", "own", "permuted", "p_own", "p_own_adjusted"]
    assert [*found.to_frame()] == columns
    assert [*found.to_frame(full=True)] == [*columns, "sd", "sd_permuted", "p_sd"]
    alone = ft.structure(votes, n_permutations=9, n_draws=0).to_frame()
    assert [*alone] == ["statistic", "finds", "value", "p", "p_adjusted"]


def test_repeated_votes_move_together() -> None:
    rows = [(s, f"i{i}", "xy"[(i + r) % 2], r) for s in "ab" for i in range(25) for r in range(2)]
    rows += [("c", f"i{i}", "x", r) for i in range(25) for r in range(2)]
    subject, item, category, repeat = zip(*rows, strict=True)
    votes = ft.Assignments.from_columns(subject, item, category, repeat=repeat)
    found = ft.structure(votes, n_permutations=19, n_draws=0)
    assert found.n_disputed == 25
    with pytest.raises(ft.errors.OptionError, match="repeated votes"):
        ft.structure(votes, {"s": {"i1": {"i2": 1}}}, "P@1")


def test_everybody_agrees() -> None:
    votes = ft.Assignments.from_columns([*"ab"] * 3, [*"xxyyzz"], ["c"] * 6)
    found = ft.structure(votes)
    assert (found.p, found.agreement) == (1.0, 1.0)
    assert "Nobody disagrees." in said(found)


@pytest.mark.parametrize(
    ("votes", "options", "error", "message"),
    [
        (
            ft.Assignments.from_columns(None, ["i", "i"], ["a", "b"], count=[3, 2]),
            {},
            ft.errors.DataError,
            "cannot be told from counts",
        ),
        (panels.assignments(np.array([[0], [1]])), {}, ft.errors.DataError, "one subject"),
        (
            panels.assignments(np.array([[0, 1]])),
            {"measures": "P@1"},
            ft.errors.OptionError,
            "give runs=",
        ),
        (
            panels.assignments(np.array([[0, 1]])),
            {"n_permutations": 0},
            ft.errors.OptionError,
            "must be 1 or more",
        ),
    ],
)
def test_what_is_refused(
    votes: ft.Assignments, options: dict[str, object], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        ft.structure(votes, **options)


def test_few_disputed_items_are_told() -> None:
    votes = panels.assignments(np.array([[0, 1, 1], [0, 0, 1]]))
    found = ft.structure(votes, n_permutations=9, n_draws=0)
    assert "With fewer than 20 disputed items, little can be found." in said(found)


def test_evaluate_says_whether_there_is_structure(tmp_path: object) -> None:
    rng = np.random.default_rng(4)
    runs = {"a": {"i000": {"i001": 1.0}}}
    for table, sentence in [
        (panels.communities(rng, (5, 5)), "It matters who gave which vote (p = 0.0"),
        (panels.independent(rng), "That it matters who gave which vote is not shown (p = "),
    ]:
        truth = panels.assignments(table).by_example()
        scores = ft.evaluate(truth, runs, "P@1", structure=True)
        assert sentence in said(scores)
        path = f"{tmp_path}/scores.parquet"
        scores.save(path)
        assert sentence in said(ft.Scores.load(path))
        assert "who gave which vote" not in said(ft.evaluate(truth, runs, "P@1"))
