"""Agreement: published values, reference libraries, every form of votes, degenerate cases."""

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from statsmodels.stats.inter_rater import cohens_kappa
from support.pairs_of_votes import (
    NONE,
    TWELVE,
    alpha_of,
    judgments,
    ordinal_alpha,
    random_table,
    units_of,
)

import fuzzytruth as ft
from fuzzytruth.errors import DegenerateWarning, LeftOutWarning, ScaleWarning

quiet = pytest.mark.filterwarnings("ignore::fuzzytruth.errors.LeftOutWarning")


def drawn(n_items: int, subjects: Any, *, n_queries: int = 1, grades: int = 3, **more: Any) -> Any:
    """Random grades of these subjects on each item."""
    rows = [(f"q{j % n_queries}", f"d{j}", s) for j in range(n_items) for s in subjects]
    frame = pd.DataFrame(rows, columns=["query", "item", "subject"])
    return frame.assign(grade=np.random.default_rng(0).integers(0, grades, len(frame)), **more)


def said(result: Any) -> str:
    return " ".join(str(result).split())


@quiet
@pytest.mark.parametrize(
    ("metric", "published"),
    [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849), ("ratio", 0.797)],
)
def test_krippendorffs_twelve_units(metric: str, published: float) -> None:
    """Krippendorff 2011, Computing Krippendorff's alpha-reliability, C and D."""
    found = ft.agreement(judgments(TWELVE), metric=metric)
    assert found.value == pytest.approx(published, abs=5e-4)
    assert (found.n_units, found.n_subjects, found.n_votes, found.n_left_out) == (11, 4, 40, 1)


@quiet
def test_gwets_twelve_units() -> None:
    """Gwet 2014, Handbook, table 2.10; `gwet.ac1.raw` and `fleiss.kappa.raw` of his irrCAC."""
    votes = judgments(TWELVE)
    assert ft.agreement(votes, coefficient="ac1").value == pytest.approx(0.77544, abs=5e-6)
    assert ft.agreement(votes, coefficient="ac2").value == pytest.approx(0.77544, abs=5e-6)
    assert ft.agreement(votes, coefficient="fleiss").value == pytest.approx(0.76117, abs=5e-6)
    assert ft.agreement(votes, coefficient="percent").value == pytest.approx(0.81818, abs=5e-6)


#: 4 people, 15 items; AC2, Fleiss' kappa and alpha with weights by irrCAC 0.4.4 (Python)
FIFTEEN = np.array(
    [
        [5, 1, 3, 3, 2, 3, 2, 3, 2, 5, 4, 4, 3, 2, 3],
        [5, 1, 4, 3, 3, 3, 1, 3, 2, 5, 3, 3, 2, 2, 2],
        [5, 1, 4, 3, 3, 3, 1, 3, 2, 5, 3, 3, 1, 3, 2],
        [4, 1, 3, 3, 1, 2, 1, 3, 1, 5, 3, 2, 4, 2, 2],
    ],
    dtype=float,
)


WEIGHTED = {
    "nominal": (0.4398, 0.39033, 0.4005),
    "quadratic": (0.85159, 0.74823, 0.75243),
    "linear": (0.69668, 0.59079, 0.59761),
    "ratio": (0.77394, 0.66303, 0.66865),
    "ordinal": (0.81001, 0.69852, None),  # alpha there has Gwet's weights, not Krippendorff's
}


@pytest.mark.parametrize("metric", WEIGHTED)
def test_weighted_coefficients(metric: str) -> None:
    for coefficient, value in zip(("ac2", "fleiss", "alpha"), WEIGHTED[metric], strict=True):
        if value is not None:
            found = ft.agreement(judgments(FIFTEEN), coefficient=coefficient, metric=metric)
            assert found.value == pytest.approx(value, abs=6e-6)


RNG = np.random.default_rng(1)


N, GRADES = 120, 4


TRUE = RNG.integers(0, GRADES, N)


ANN, BOB = (np.where(RNG.random(N) < p, RNG.integers(0, GRADES, N), TRUE) for p in (0.3, 0.4))


def judged(name: str, grade: Any) -> pd.DataFrame:
    query = np.repeat(np.arange(12), 10)
    return pd.DataFrame({"query": query, "item": np.arange(N), "subject": name, "grade": grade})


BOTH = pd.concat([judged("ann", ANN), judged("bob", BOB)])


def of_pair(coefficient: str, metric: str, **more: Any) -> float:
    options: dict[str, Any] = {"coefficient": coefficient, "metric": metric, **more}
    return float(ft.pairwise_agreement(BOTH, **options).pairs["value"][0])


@pytest.mark.parametrize("metric", ["nominal", "linear", "interval", "ordinal"])
def test_cohens_kappa(metric: Any) -> None:
    table = np.zeros((GRADES, GRADES))
    np.add.at(table, (ANN, BOB), 1)
    gap = np.abs(np.subtract.outer(np.arange(GRADES), np.arange(GRADES)))
    weights = {
        "nominal": (gap > 0) * 1.0,
        "linear": gap,
        "interval": gap**2,
        "ordinal": gap * (gap + 1) / 2,  # Gwet 2014, §3.5
    }[metric]
    expected = cohens_kappa(table, weights=weights, return_results=False)
    found = ft.agreement(BOTH, coefficient="cohen", metric=metric)
    assert found.value == pytest.approx(expected, rel=1e-12)
    assert of_pair("kappa", metric) == pytest.approx(expected, rel=1e-12)
    assert found.by_pair().pairs["value"][0] == pytest.approx(expected, rel=1e-12)
    column = {"nominal": "kappa", "interval": "weighted_kappa"}.get(metric)
    if column is not None:
        judges = ft.judge_agreement(judged("ann", ANN), judged("bob", BOB)).judges
        assert judges[column][0] == pytest.approx(expected, rel=1e-12)


@quiet
def test_ordinal_alpha_is_that_of_all_pairs() -> None:
    table = random_table(9)
    assert ft.agreement(judgments(table), metric="ordinal").value == pytest.approx(
        ordinal_alpha(table), abs=1e-12
    )


@quiet
def test_a_function_and_a_matrix() -> None:
    table = random_table(4)
    votes = judgments(table)
    linear = ft.agreement(votes, metric="linear")
    assert linear.value == pytest.approx(alpha_of(units_of(table), lambda a, b: abs(a - b)))
    matrix = np.abs(np.subtract.outer(np.arange(4.0), np.arange(4.0)))
    frame = pd.DataFrame(matrix, index=range(4), columns=range(4)).iloc[::-1, [2, 0, 1, 3]]
    for metric in (lambda a, b: abs(a - b), matrix, frame):
        found = ft.agreement(votes, metric=metric)
        assert (found.value, found.metric) == (pytest.approx(linear.value, abs=1e-14), "given")
        assert found.std_error == pytest.approx(linear.std_error, abs=1e-12)


def assignments(seed: int = 3) -> tuple[ft.Assignments, Any]:
    """Sets of categories of a graph in which one has two parents, with holes."""
    tree = ft.Taxonomy.from_edges(
        [("all", "x"), ("all", "y"), ("x", "p"), ("x", "q"), ("y", "q"), ("y", "r"), ("q", "s")]
    )
    rng = np.random.default_rng(seed)
    rows = []
    for item in range(12):
        for subject in "abcd":
            if rng.random() < 0.8:
                given = rng.choice([*tree.nodes], rng.integers(1, 3), replace=False)
                rows += [(subject, f"i{item}", name) for name in given]
    frame = pd.DataFrame(rows, columns=["subject", "item", "category"])
    votes = ft.Assignments.from_frame(frame, taxonomy=tree)
    sets = frame.groupby(["item", "subject"])["category"].agg(frozenset)
    return votes, sets


PARENTS = {"x": "all", "y": "all", "p": "x", "q": "xy", "r": "y", "s": "q"}


def closure(names: frozenset[str]) -> set[str]:
    out = set(names)
    for name in names:
        parents = PARENTS.get(name, "")
        above = [parents] if parents in ("all", "") else list(parents)
        out |= closure(frozenset(above)) if parents else set()
    return out


def test_votes_for_categories() -> None:
    votes, sets = assignments()
    units = [[*group] for _, group in sets.groupby(level="item", sort=False)]
    assert ft.agreement(votes, metric="taxonomy").value == pytest.approx(
        alpha_of(units, lambda a, b: len(closure(a) ^ closure(b))), abs=1e-12
    )

    def masi(a: frozenset[str], b: frozenset[str]) -> float:
        factor = 1.0 if a == b else 2 / 3 if a <= b or b <= a else 1 / 3
        return 1 - len(a & b) / len(a | b) * factor

    by_name = ft.agreement(votes, metric="masi")
    assert by_name.value == pytest.approx(alpha_of(units, masi), abs=1e-12)
    assert ft.agreement(votes, metric=masi).value == pytest.approx(by_name.value, abs=1e-12)
    nominal = alpha_of(units, lambda a, b: float(a != b))
    assert ft.agreement(votes).value == pytest.approx(nominal, abs=1e-12)


@quiet
def test_jackknife_by_hand() -> None:
    """Over subjects and over queries, from alpha of what is left."""
    table = random_table(11, subjects=4, items=12)
    left_out = {
        "subject": [(subject, slice(None)) for subject in range(4)],
        "query": [(slice(None), slice(3 * query, 3 * query + 3)) for query in range(4)],
    }
    for over, places in left_out.items():
        without = []
        for place in places:
            rest = table.copy()
            rest[place] = NONE
            without.append(alpha_of(units_of(rest), lambda a, b: float(a != b)))
        error = np.sqrt(3 / 4 * ((without - np.mean(without)) ** 2).sum())
        found = ft.agreement(judgments(table), over=over)
        assert found.std_error == pytest.approx(error, abs=1e-12)


def test_repeats_counts_and_intents() -> None:
    once = drawn(6, "stu")
    twice = pd.concat([once.assign(repeat=1), once.assign(repeat=2)])
    value = ft.agreement(once).value
    assert ft.agreement(twice).value == pytest.approx(value, abs=1e-12)
    counts = once.groupby(["query", "item", "grade"]).size().reset_index(name="count")
    unnamed = ft.agreement(counts)
    assert (unnamed.value, unnamed.n_subjects) == (pytest.approx(value, abs=1e-12), 0)
    assert "no names" in str(unnamed)
    with pytest.raises(ft.errors.DataError, match="over='subject': nobody is named"):
        ft.agreement(counts, over="subject")
    both = pd.concat([drawn(12, "stu", intent="x"), drawn(12, "stu", grades=2, intent="y")])
    found = ft.agreement(both, over="item")
    assert found.n_units == 24
    assert list(found.by_item())[:3] == ["query", "item", "intent"]
    without = [ft.agreement(both[both["item"] != f"d{j}"]).value for j in range(12)]
    spread = 11 / 12 * ((np.array(without) - np.mean(without)) ** 2).sum()
    assert found.std_error == pytest.approx(spread**0.5, abs=1e-12)
    assert "24 item-intent pairs, 3 subjects" in str(found)


def test_questions_about_an_item_vary_together() -> None:
    rows = [(s, f"i{j}", c) for j in range(8) for s in "stu" for c in ("u", "v")]
    asked = pd.DataFrame(rows, columns=["subject", "item", "category"])
    rng = np.random.default_rng(2)
    yes = asked[rng.random(len(asked)) < 0.6]
    tree = ft.Taxonomy.from_children({"all": ["u", "v"]})
    votes = ft.Assignments.from_frame(yes, taxonomy=tree, asked=asked)
    found = ft.agreement(votes)
    assert found.n_units == 8
    assert "8 questions" in str(found)
    with pytest.raises(ft.errors.OptionError, match="over='query': these votes have no queries"):
        ft.agreement(votes, over="query")


@quiet
def test_tables() -> None:
    found = ft.agreement(judgments(TWELVE), metric="interval", over=("item", "subject"))
    items = found.by_item().set_index("item").loc[[f"i{j}" for j in range(12)]]
    assert items["n_votes"].tolist() == [3, 4, 4, 4, 4, 4, 4, 4, 4, 3, 2, 1]
    assert items.loc["i1", ["agreement", "distance"]].tolist() == [0.5, 0.5]
    assert items.loc["i11", ["agreement", "distance"]].isna().all()
    categories = found.by_category().set_index("category")
    assert categories["votes"].sum() == 40
    # of grade 1: units 1 (3 of 3), 6 (1 of 4), 8 (3 of 4), 11 (2 of 2)
    same, pairs = 3 * 2 + 0 + 3 * 2 + 2, 3 * 2 + 3 + 3 * 3 + 2
    assert categories.loc["1", "agreement"] == pytest.approx(same / pairs)
    assert ((categories["lower"] >= 0) & (categories["upper"] <= 1)).all()
    row = found.to_frame(full=True).iloc[0]
    assert (row["over"], row["n_votes"]) == ("item+subject", 40)
    assert row["observed"] / row["expected"] == pytest.approx(1 - row["value"])


def test_grades_outside_the_scale_are_reported_and_kept() -> None:
    table = random_table(3, missing=0.0)
    table[2, :2] = 5
    table[4, 3] = 10
    with pytest.warns(
        ScaleWarning, match=r"3 grades outside the scale from 0 to 3.*5 by s2, 10 by"
    ):
        found = ft.agreement(judgments(table), scale=(0, 3))
    assert found.outside.values.tolist() == [["s2", 5.0, 2], ["s4", 10.0, 1]]
    assert "Outside the scale, and counted as they are: 5 by s2 (2 ×), 10 by s4" in str(found)
    plain = ft.agreement(judgments(table))
    assert plain.value == found.value
    assert "Given by a single subject: 5 by s2 (2 ×), 10 by s4 (1 ×)." in str(plain)
    assert plain.outside.empty


def test_categories_of_the_scale_that_nobody_gave() -> None:
    """AC1 counts them: of 4 categories, not of the 2 that were given."""
    table = np.array([[0, 1, 0, 1, 0], [0, 1, 0, 0, 0]], dtype=float)
    two = ft.agreement(judgments(table), coefficient="ac1").value
    four = ft.agreement(judgments(table), coefficient="ac1", scale=(0, 3)).value
    share = 0.3
    chance = [2 * share * (1 - share) / (q - 1) for q in (2, 4)]
    assert [two, four] == pytest.approx([(0.8 - c) / (1 - c) for c in chance])


def test_degenerate_votes() -> None:
    same = np.ones((3, 4))
    with pytest.warns(DegenerateWarning, match="no variation: every vote is the same"):
        found = ft.agreement(judgments(same))
    assert np.isnan([found.value, found.lower, found.upper]).all()
    assert "agreement is 100 %" in str(found)
    all_agree = np.tile([0.0, 1, 1, 2], (3, 1))
    for over in ("item", "subject", ("item", "subject")):
        with pytest.warns(DegenerateWarning, match=r"the interval \[1, 1\] does not say"):
            found = ft.agreement(judgments(all_agree), over=over)
        assert (found.value, found.lower, found.upper, found.std_error) == (1, 1, 1, 0)
    assert "All agree on all items" in str(found)
    with pytest.warns(DegenerateWarning, match="over subjects: there are 2 subjects.*from 3 on"):
        found = ft.agreement(judgments(random_table(1, subjects=2, missing=0.0)), over="subject")
    assert (found.lower, found.upper) == (-np.inf, 1.0)
    assert "which is unknown" in str(found)
    with pytest.warns(DegenerateWarning, match="over items: there is 1 item"):
        found = ft.agreement(judgments(np.array([[1.0], [2.0]])), coefficient="percent")
    assert (found.value, found.lower, found.upper) == (0, 0, 1)
    assert "which is unknown" in str(found)
    found = ft.agreement(judgments(np.array([[1.0, 1.0], [1.0, 0.0]])), coefficient="percent")
    assert (found.value, found.lower) == (0.5, 0.0)  # Student's t of two items reaches far below
    with pytest.warns(DegenerateWarning, match="over items: there is 1 item"):
        ft.agreement(judgments(np.array([[1.0], [2.0]])))
    with pytest.warns(DegenerateWarning, match="without 1 of 2 items there is no variation"):
        ft.agreement(judgments(np.array([[1.0, 1], [1, 2], [1, 1]])))
    with pytest.raises(
        ft.errors.DataError, match=r"all votes are of one subject; agreement takes two"
    ):
        ft.agreement(judgments(all_agree), subjects=[])
    with pytest.raises(ft.errors.DataError, match=r"all votes are of one subject \('s0'\)"):
        ft.agreement(judgments(np.ones((1, 4))))
    with pytest.raises(ft.errors.DataError, match="no item has votes of two people"):
        ft.agreement(judgments(np.array([[1, NONE], [NONE, 2]])))


def test_items_with_a_single_vote_are_counted() -> None:
    table = random_table(2, missing=0.0)
    table[1:, :2] = NONE
    with pytest.warns(LeftOutWarning, match="2 of 20 items have a single vote.*are left out"):
        found = ft.agreement(judgments(table), over="item")
    rest = ft.agreement(judgments(table[:, 2:]), over="item")
    assert (found.value, found.lower) == pytest.approx((rest.value, rest.lower), abs=1e-12)
    with pytest.warns(LeftOutWarning, match="count for the shares of the values only"):
        ft.agreement(judgments(table), coefficient="fleiss")
    lonely = random_table(2, missing=0.0)
    lonely[4, 1:] = NONE  # a subject with one vote
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ft.agreement(judgments(lonely), over="subject").n_subjects == 5


def test_cohen_is_of_two_named_subjects() -> None:
    votes = judgments(random_table(2, missing=0.0))
    with pytest.raises(ft.errors.OptionError, match="is of two subjects, and 5 subjects voted"):
        ft.agreement(votes, coefficient="cohen")
    with pytest.raises(
        ft.errors.OptionError, match="over='subject': Cohen's kappa is of these two"
    ):
        ft.agreement(votes, coefficient="cohen", subjects=["s0", "s1"], over="subject")


@pytest.mark.parametrize(
    ("coefficient", "metric"),
    [
        *(("ac1", "nominal"), ("ac2", "quadratic"), ("percent", "linear"), ("alpha", "nominal")),
        ("cohen", "nominal"),
    ],
)
def test_grades_of_subjects_who_are_left_out_play_no_part(coefficient: Any, metric: Any) -> None:
    table = random_table(1, missing=0.0)
    table[4, 0] = 10
    votes, some = judgments(table), ["s2", "s0"]
    found = ft.agreement(votes, coefficient=coefficient, metric=metric, subjects=some)
    alone = ft.agreement(votes.select(subjects=some), coefficient=coefficient, metric=metric)
    assert (found.value, found.std_error) == pytest.approx((alone.value, alone.std_error))
    assert found.n_subjects == 2


def test_the_contract_on_real_votes() -> None:
    votes = ft.datasets.load_llmjudge_dl23()
    a = ft.agreement(votes, metric="ordinal", over=("item", "subject"), rng=0)
    assert a.value == pytest.approx(0.5269, abs=5e-5)
    assert (a.lower, a.upper) == (pytest.approx(0.4454, abs=5e-5), pytest.approx(0.5964, abs=5e-5))
    dogs = ft.datasets.load_imagenet_dogs().votes
    assert ft.agreement(dogs, metric="taxonomy").value == pytest.approx(0.2699, abs=5e-5)


def test_wrong_metrics() -> None:
    votes = judgments(random_table(2, missing=0.0))
    labels, _ = assignments()
    for call, message in {
        lambda: ft.agreement(votes, metric="taxonomy"): "is for votes for categories",
        lambda: ft.agreement(labels, metric="ordinal"): "is for grades, and these votes",
        lambda: ft.agreement(labels, scale=(0, 3)): "scale: is for grades",
        lambda: ft.agreement(votes, metric="euclid"): "metric='euclid': must be one of 'nominal'",
        lambda: ft.agreement(votes, metric=[[0, 1], [1, 0]]): (
            r"shape \(2, 2\) does not fit 4 values \(grades, ascending\)"
        ),
        lambda: ft.agreement(labels, metric=[[0]]): r"does not fit \d+ values \(categories\)",
        lambda: ft.agreement(votes, metric=np.full((4, 4), np.inf)): "must be the name of a metric",
        lambda: ft.agreement(votes, metric=-np.ones((4, 4))): "must not be negative",
        lambda: ft.agreement(votes, metric=np.ones((4, 4))): "to itself must be 0",
        lambda: ft.agreement(votes, metric=np.triu(np.ones((4, 4)), 1)): "must be symmetric",
        lambda: ft.agreement(votes, metric=lambda a, b: "far"): "must be the name of a metric",
        lambda: ft.agreement(votes, metric=pd.DataFrame(np.eye(2))): "no row or no column for the",
        lambda: ft.agreement(votes, coefficient="ac1", metric="linear"): "AC1 has no weights",
        lambda: ft.agreement(judgments(random_table(2, missing=0.0) - 1), metric="ratio"): (
            "grades must be 0 or more, and there is -1"
        ),
    }.items():
        with pytest.raises(ft.errors.OptionError, match=message):
            call()


def test_by_pair_is_the_same_coefficient_of_two() -> None:
    votes = ft.datasets.load_llmjudge_dl23().select(subjects=["human", "Olz-gpt4o", "TREMA-CoT"])
    found = ft.agreement(votes, metric="quadratic", over="query")
    pairs = found.by_pair()
    two = ft.agreement(votes.select(subjects=["human", "TREMA-CoT"]), metric="quadratic")
    assert pairs.matrix().loc["human", "TREMA-CoT"] == pytest.approx(two.value, rel=1e-12)
    cohen = ft.agreement(votes, coefficient="cohen", subjects=["human", "TREMA-CoT"])
    kappas = ft.agreement(votes, coefficient="fleiss").by_pair()
    assert kappas.matrix().loc["human", "TREMA-CoT"] == pytest.approx(cohen.value, rel=1e-12)
    with pytest.raises(ft.errors.OptionError, match="pairs have no metric 'ratio'"):
        ft.agreement(votes, metric="ratio").by_pair()


def test_opposite_votes_have_an_unknown_interval() -> None:
    """The same without any item, but for rounding."""
    table = np.stack([np.arange(10) % 2, 1 - np.arange(10) % 2]).astype(float)
    with pytest.warns(DegenerateWarning, match="the same without any one of the items"):
        found = ft.agreement(judgments(table), over="item")
    assert (found.value, found.lower) == (pytest.approx(-0.9), -np.inf)


def test_what_is_printed() -> None:
    votes = ft.Judgments.from_frame(drawn(24, "stu", n_queries=4))
    note = "Items of one query are taken for independent"
    assert note in said(ft.agreement(votes, over="item"))
    assert note not in said(ft.agreement(votes, over=None))
    assert note not in said(ft.agreement(votes.select(queries=["q0"])))
    percent = ft.agreement(votes, coefficient="percent")
    assert f"Of two votes on one item, {100 * percent.value:.3g} % agree;" in said(percent)
    linear = ft.agreement(votes, coefficient="percent", metric="linear")
    assert linear.value > percent.value
    text = f"agree to {100 * linear.value:.3g} %, 100 % less their mean distance;"
    assert text in said(linear)
    # a slip in a name makes a subject of its own
    clean = drawn(60, ("ann", "bob", "cat"))
    assert "hardly any" not in said(ft.agreement(clean))
    slips = [("q0", "d0", "anne", 1), ("q0", "d1", "Bob", 1), ("q0", "d2", "Bob", 1)]
    more = pd.concat([clean, pd.DataFrame(slips, columns=[*clean])])
    text = "Subjects with hardly any votes, perhaps slips in a name: anne (1), Bob (2)."
    assert text in said(ft.agreement(more))


def test_scales_that_differ_are_said_and_made_binary() -> None:
    true = np.random.default_rng(0).integers(0, 6, 60)
    table = np.stack([true, np.minimum(true + 1, 5), true // 2, (true >= 3) * 1]).astype(float)
    given = judgments(table)
    message = (
        r"2 subjects of 4 keep to a shorter scale \(s2 0 to 2, s3 0 to 1\) than those of the "
        r"others \(up to 5, as s0\); .* rel=\{'s2': ..., ...\}"
    )
    for verb in (ft.agreement, ft.pairwise_agreement):
        with pytest.warns(ScaleWarning, match=f"{message}$"):
            verb(given)
        with pytest.warns(ScaleWarning, match=rf"{message}, or use votes.rescaled\(\)$"):
            verb(given, metric="interval")
        with pytest.raises(ft.errors.OptionError, match=r"^rel: no grade reaches .*; lower it"):
            verb(given, rel=6)
    rel = {"s0": 3, "s1": 4, "s2": 2, "s3": 1}
    found = ft.agreement(given, rel=rel)
    assert found.ratings.names == ("0", "1")
    assert found.value == ft.agreement(given.binary(rel)).value
    assert ft.pairwise_agreement(given, rel=rel).pairs["value"].tolist()[2] == 1
    with pytest.warns(
        ScaleWarning,
        match=r"rel: the grades of 2 of 4 subjects never reach the threshold \(s2 up to 2, "
        r"threshold 3; s3 up to 1, threshold 3\), .* a threshold, rel=\{'s2': ..., ...\}",
    ):
        ft.agreement(given, rel=3)
    ft.agreement(given, scale=(0, 5))  # one scale, as said
    assert ft.agreement(given.rescaled(), metric="interval").value > 0.7
