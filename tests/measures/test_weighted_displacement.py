"""WD and WDQ through `evaluate`, against `displacement` list by list, and what they refuse."""

import math

import numpy as np
import pandas as pd
import pytest
from support.covering import covering_array

import fuzzytruth as ft
from fuzzytruth.errors import DataError, OptionError
from fuzzytruth.measures.weighted_displacement import (
    checked_quality,
    quality,
    rational,
    register_quality,
)

SIZE = 60
HYPOTHESES = ["optimist", "pessimist", "pessimist-tail", "worst"]


def random_case(seed, *, positions, listed=25):
    """Lists of three subjects, some without one, and two systems."""
    rng = np.random.default_rng(seed)
    rows, runs = [], {"one": {}, "two": {}}
    for q in range(5):
        for subject in ("ann", "bob", "cy"):
            if rng.random() < 0.2 and subject != "ann":
                continue
            m = rng.integers(1, 12)
            grade = np.sort(rng.integers(0, 5, m) / 4)[::-1]
            place = 2.0 * np.arange(m)
            for j in rng.permutation(m).tolist():
                item = f"i{(7 * j + 5 * len(subject) + q) % SIZE}"
                rows.append((f"q{q}", subject, item, grade[j], place[j]))
        for run in runs.values():
            order = rng.permutation(SIZE)[: rng.integers(1, listed)]
            run[f"q{q}"] = {f"i{i}": -float(k) for k, i in enumerate(order)}
    frame = pd.DataFrame(rows, columns=["query", "subject", "item", "grade", "position"])
    return frame if positions else frame.drop(columns="position"), runs


def one_by_one(frame, runs, system, query, subject, **options):
    mine = frame[(frame["query"] == query) & (frame["subject"] == subject)]
    if "position" in mine:
        options["positions"] = mine["position"].to_numpy()
    else:
        mine = mine.sort_values("grade", ascending=False, kind="stable")
    return ft.displacement(mine["item"], mine["grade"], list(runs[system][query]), **options).value


OPTIONS = {
    "WD": {},
    "WD,ties=interval": {"ties": "interval"},
    "WD,normalised=True": {"normalised": True},
    "WDQ,g=rational,power=2": {"g": "rational", "power": 2},
    "WDQ,g=exp,rate=0.1": {"g": "exp", "rate": 0.1},
    "WDQ,normalised=True,g=exp,rate=3": {"normalised": True, "g": "exp", "rate": 3},
}
EVERY_PAIR = covering_array(
    {"positions": [True, False], "unseen": HYPOTHESES, "measure": list(OPTIONS)}
)


@pytest.mark.parametrize(
    "chosen", EVERY_PAIR, ids=lambda chosen: " ".join(map(str, chosen.values()))
)
def test_evaluate_is_displacement_list_by_list(chosen):
    frame, runs = random_case(3, positions=chosen["positions"])
    name, comma, given = chosen["measure"].partition(",")
    options = {"unseen": chosen["unseen"], "N": SIZE, **OPTIONS[chosen["measure"]]}
    scores = ft.evaluate(frame, runs, f"{name}(unseen={chosen['unseen']},N={SIZE}{comma}{given})")
    rows = scores.to_frame()
    assert len(rows) == 2 * len(frame.groupby(["query", "subject"]))
    for row in rows.itertuples():
        expected = one_by_one(frame, runs, row.system, row.query, row.subject, **options)
        assert row.value == pytest.approx(expected, rel=1e-12)


def test_incremental_is_the_full_ranking():
    frame, runs = random_case(4, positions=True, listed=2)
    for run in runs.values():
        for query, ranking in run.items():
            rest = [f"i{j}" for j in range(SIZE) if f"i{j}" not in ranking]
            run[query] = ranking | {item: -100.0 - j for j, item in enumerate(rest)}
    measures = ["WD(unseen=incremental)", "WD(unseen=incremental,normalised=True)"]
    scores = ft.evaluate(frame, runs, measures).to_frame()
    for row in scores.itertuples():
        options = {"normalised": "normalised" in row.measure, "N": SIZE}
        expected = one_by_one(
            frame, runs, row.system, row.query, row.subject, unseen="incremental", **options
        )
        assert row.value == pytest.approx(expected, rel=1e-12)


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.UnjudgedRunWarning")
def test_cut_off_cuts_the_systems_list():
    frame, runs = random_case(5, positions=True)
    cut = {s: {q: dict(list(r.items())[:3]) for q, r in run.items()} for s, run in runs.items()}
    for measure in ("WD(unseen=optimist)", f"WDQ(unseen=worst,N={SIZE},normalised=True)"):
        at_3 = ft.evaluate(frame, runs, f"{measure}@3").values
        np.testing.assert_array_equal(at_3, ft.evaluate(frame, cut, measure).values)


LISTS = pd.DataFrame(
    [
        ("q1", "ann", "a", 1.0),
        ("q1", "ann", "b", 0.8),
        ("q1", "ann", "c", 0.3),
        ("q1", "bob", "x", 0.5),
        ("q2", "ann", "z", 0.5),
    ],
    columns=["query", "subject", "item", "grade"],
)
RUN = {
    "sys": {"q1": {"b": 3, "x": 2, "a": 1}, "q2": {"z": 1}},
    "other": {"q1": {"a": 1}, "q2": {"y": 1}},
}


def test_contract_runs_as_written():
    lists = ft.Judgments.from_frame(LISTS)
    wanted = [
        "WD(unseen=optimist)",
        "WD(unseen=pessimist,N=1000)",
        "WDQ(unseen=optimist,g=rational,power=1)",
    ]
    scores = ft.evaluate(lists, RUN, wanted, worlds="subject")
    assert list(scores.measures) == wanted
    assert scores.higher_is_better == (False, False, True)
    by = scores.mean(by="subject")
    assert by.loc[("sys", "bob"), "WD(unseen=optimist)"] == 0.5  # no list for q2: no value there
    assert by.loc[("sys", "ann"), "WD(unseen=optimist)"] == pytest.approx(3.1 / 2)
    assert scores.mean().loc["sys", "WD(unseen=optimist)"] == pytest.approx((3.1 + 0.5) / 2 / 2)
    assert by.loc[("sys", "ann"), "WD(unseen=pessimist,N=1000)"] == pytest.approx(302.8 / 2)
    assert by.loc[("sys", "bob"), wanted[2]] == pytest.approx(1 / 1.5)


@pytest.mark.parametrize(
    ("measure", "error", "message"),
    [
        ("WD(unseen=worst)", ft.errors.MeasureError, r"as in WD\(unseen=worst,N=1000\)"),
        ("WD(unseen=worst,N=3)", DataError, "N=3.*subject 'ann': .* must be 4 or more"),
        ("WD(unseen=incremental)", DataError, "1 of the subject's items, such as .c.; .* full ra"),
        ("WD(unseen=incremental)@5", ft.errors.MeasureError, "leave the cut-off out"),
        (
            "WD(unseen=maybe)",
            ft.errors.MeasureError,
            r"WD\(unseen=maybe\): unseen=.*one of .optimist.",
        ),
        (
            "WD(N=2.5)",
            ft.errors.MeasureError,
            "N=2.5: the size of the .* must be a whole number from 1",
        ),
        (
            "WD(N=0)",
            ft.errors.MeasureError,
            "N=0: the size of the .* must be a whole number from 1",
        ),
        ("WD(N=True)", ft.errors.MeasureError, "N=True: the size of the collection"),
        ("WD(normalised=3)", ft.errors.MeasureError, "normalised=3: must be one of True, False"),
        (
            "WD(ties=none)",
            ft.errors.MeasureError,
            "ties='none': must be one of None, 'interval', 'posi",
        ),
        ("WD(order=keep)", ft.errors.MeasureError, "order='keep': must be one of 'error', 'sort'"),
        ("WDQ(g=exp,power=2)", ft.errors.MeasureError, "power=2: belongs to g='rational'"),
        ("WD(ties=position)", OptionError, "have no positions"),
    ],
)
def test_bad_options_are_one_clear_error(measure, error, message):
    with pytest.raises(error, match=message) as caught:
        ft.evaluate(LISTS, RUN, measure)
    assert "\n" not in str(caught.value)


def test_bad_lists():
    for grade in (2.0, -1.0):
        frame = LISTS.copy()
        frame.loc[0, "grade"] = grade
        message = rf"query 'q1', subject 'ann', item 'a': relevance {grade:g} is outside \[0, 1\]"
        with pytest.raises(DataError, match=message):
            ft.evaluate(frame, RUN, "WD")
    with pytest.raises(ft.errors.MeasureError, match="no expectation over orders"):
        ft.evaluate(LISTS, RUN, "WD", ties="expected")


def test_positions_against_the_relevances():
    frame = LISTS.assign(position=[2, 1, 3, 1, 1])
    with pytest.raises(
        ft.errors.DataError,
        match=r"subject .ann.: relevance rises from 0.8 of item .b. to 1 of the next, .a.",
    ):
        ft.evaluate(frame, RUN, "WD")
    sorted_ = ft.evaluate(frame, RUN, "WD(order=sort)").values
    np.testing.assert_array_equal(sorted_, ft.evaluate(LISTS, RUN, "WD").values)


W = np.array([0.0, 1.0, 3.0])


def test_quality_functions():
    assert quality("rational", power=2)(W).tolist() == [1, 0.25, 0.0625]
    assert quality("rational")(W).tolist() == [1, 0.5, 0.25]
    np.testing.assert_allclose(quality("exp", rate=2)(W), np.exp(-2 * W), rtol=1e-15)
    turned = checked_quality(math.erfc)  # functions of single numbers accept arrays
    np.testing.assert_allclose(turned(W), [math.erfc(w) for w in W])
    assert checked_quality(lambda w: 1.0)(W).tolist() == [1, 1, 1]
    function = register_quality(lambda w: 1 / (1 + w**2), name="test_bell")
    assert quality("test_bell")(W).tolist() == [1, 0.5, 0.1]
    assert function(2) == 0.2
    register_quality(rational, name="test_bell")  # as when a notebook cell is run again
    assert quality("test_bell")(W).tolist() == [1, 0.5, 0.25]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: quality("nobody"), "g='nobody': must be one of rational, exp"),
        (lambda: quality("exp"), "give rate=0.1"),
        (lambda: quality("exp", power=1), "power=1: belongs to g='rational', not to g='exp'"),
        (lambda: quality("rational", rate=1), "rate=1: belongs to g='exp'"),
        (lambda: quality("exp", rate=0), "rate=0: must be a finite number above 0"),
        (lambda: quality("rational", power=math.inf), "power=inf: must be a finite number"),
        (lambda: quality(3), "g=3: must be a name or a function"),
        (lambda: checked_quality(lambda w: w), r"g\(0\) = 0: must be 1"),
        (lambda: checked_quality(np.cos), "must not rise with the displacement"),
        (lambda: checked_quality(lambda w: 1 - w), "must not fall below 0"),
        (lambda: checked_quality(lambda w: w * np.nan), r"g\(0\) is not a number"),
        (lambda: register_quality(rational, name="exp"), "taken by the library"),
        (lambda: register_quality(rational, name="a=b"), "give a name without spaces"),
    ],
)
def test_bad_quality_functions(call, message):
    with pytest.raises(OptionError, match=message):
        call()
