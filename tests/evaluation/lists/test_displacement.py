"""`ft.displacement` by hand, by enumeration, and on bad input."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

import fuzzytruth as ft

SUBJECT = ["a", "b", "c"]
RELEVANCES = [1, 0.8, 0.3]


def worked(**options):
    return ft.displacement(SUBJECT, RELEVANCES, ["b", "x", "a"], **options)


def test_sets_and_parts_by_hand():
    result = worked(unseen="optimist")
    assert (result.A, result.B, result.C) == (("a", "b"), ("c",), ("x",))
    assert result.w_A == pytest.approx(1 * 2 + 0.8 * 1)
    assert result.w_B == pytest.approx(0.3 * (4 - 3))
    assert result.value == result.w == float(result) == pytest.approx(3.1)
    assert result.ranks.tolist() == [3, 1, 4]
    assert result.displacements.tolist() == [2, 1, 1]


@pytest.mark.parametrize(
    ("unseen", "w_b"),
    [
        ("optimist", 0.3 * 1),
        ("pessimist", 0.3 * 10),
        ("pessimist-tail", 0.3 * (10 - 3)),
        ("worst", 0.3 * (10 - 3)),
    ],
)
def test_each_hypothesis_by_hand(unseen, w_b):
    result = worked(unseen=unseen, N=10)
    assert result.w_A == pytest.approx(2.8)
    assert result.w_B == pytest.approx(w_b)


def test_optimist_tail_and_worst_of_two_missing_items():
    # B = b, c of places 2 and 3; ranks 3 and 4 at best, 9 and 10 or the other way at the end.
    result = {
        unseen: ft.displacement(SUBJECT, RELEVANCES, ["a", "x"], unseen=unseen, N=10)
        for unseen in ("optimist", "pessimist-tail", "worst")
    }
    assert result["optimist"].w_B == pytest.approx(0.8 * 1 + 0.3 * 1)
    assert result["pessimist-tail"].w_B == pytest.approx(0.8 * 7 + 0.3 * 7)
    assert result["worst"].w_B == pytest.approx(0.8 * 8 + 0.3 * 6)
    assert result["worst"].ranks.tolist() == [1, 10, 9]


def test_worst_may_lie_at_the_top_if_the_subject_lists_more():
    # Nothing is listed, and the last item may be displaced by 4 at rank 1, but only by 1 at rank 6.
    result = ft.displacement(list("abcde"), [1] * 5, [], unseen="worst", N=6, ties="position")
    places = np.arange(1, 6)[:, None]
    cost = np.abs(places - np.arange(1, 7))
    assert result.value == cost[linear_sum_assignment(cost, maximize=True)].sum()


def test_full_lists_are_equation_17():
    order = ["c", "a", "b"]
    result = ft.displacement(SUBJECT, RELEVANCES, order)
    assert result.value == pytest.approx(1 * 1 + 0.8 * 1 + 0.3 * 2)
    assert result.B == ()
    # The rank of each item counts, not the item at each place: these differ for a 3-cycle.
    at_place = sum(
        s * abs(k - SUBJECT.index(i) - 1)
        for k, (s, i) in enumerate(zip(RELEVANCES, order, strict=True), start=1)
    )
    assert result.value != pytest.approx(at_place)


def test_the_papers_remark_on_the_pessimist():
    rng = np.random.default_rng(1)
    items = [f"i{j}" for j in range(20)]
    relevance = np.sort(rng.uniform(0.5, 1, 20))[::-1]
    listed = [items[j] for j in rng.permutation(20)[:10]] + [f"x{j}" for j in range(10)]
    size = 10**6
    result = ft.displacement(items, relevance, listed, unseen="pessimist", N=size)
    missing = sum(s for i, s in zip(items, relevance, strict=True) if i in result.B)
    assert result.w_B == pytest.approx(size * missing)
    assert result.value == pytest.approx(size * missing, rel=20 / size * 20)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"g": "rational"}, 1 / 4.1),
        ({"g": "rational", "power": 2}, 1 / 4.1**2),
        ({"g": "exp", "rate": 0.1}, math.exp(-0.31)),
        ({"g": lambda w: max(0.0, 1 - w / 10)}, 0.69),
        ({"g": math.erfc}, math.erfc(3.1)),
    ],
)
def test_qualities(options, expected):
    assert worked(**options).value == pytest.approx(expected)


def test_ties_have_no_order():
    shuffled = ["c", "b", "a"]
    assert ft.displacement(SUBJECT, [1, 1, 1], shuffled).value == 0
    assert ft.displacement(SUBJECT, [1, 1, 1], shuffled, ties="position").value == 4
    assert ft.displacement(SUBJECT, [1, 1, 1], shuffled, positions=[1, 2, 3]).value == 4
    half = ft.displacement(SUBJECT, [1, 0.5, 0.5], ["c", "a", "b"])
    assert half.displacements.tolist() == [1, 0, 1]
    assert (half.first.tolist(), half.last.tolist()) == ([1, 2, 2], [1, 3, 3])


def test_positions_give_the_order_and_equal_ones_are_ties():
    result = ft.displacement(["b", "c", "a"], [0.5, 0.5, 1], ["c", "b", "a"], positions=[7, 7, 2])
    assert result.items == ("a", "b", "c")
    assert result.displacements.tolist() == [2, 0, 1]


def test_rising_relevances_are_refused_or_sorted():
    with pytest.raises(ft.DataError, match=r"rises from 0.3 of item 'b' to 0.8 of the next, 'c'"):
        ft.displacement(SUBJECT, [1, 0.3, 0.8], ["a"])
    result = ft.displacement(SUBJECT, [1, 0.3, 0.8], ["a", "c", "b"], order="sort")
    assert result.items == ("a", "c", "b")
    assert result.value == 0


def test_incremental_reads_as_far_as_needed():
    read = []

    def ranking():
        for item in ["x", "c", "y", "b", "z", "a", *range(1000)]:
            read.append(item)
            yield item

    whole = ["x", "c", "y", "b", "z", "a", *range(1000)]
    asked = []

    def first(n):
        asked.append(n)
        return whole[:n]

    by_list = ft.displacement(SUBJECT, RELEVANCES, whole, unseen="incremental")
    by_iterator = ft.displacement(SUBJECT, RELEVANCES, ranking(), unseen="incremental")
    by_function = ft.displacement(SUBJECT, RELEVANCES, first, unseen="incremental")
    assert by_list.value == by_iterator.value == by_function.value
    assert by_list.value == pytest.approx(1 * 5 + 0.8 * 2 + 0.3 * 1)
    assert len(read) == 6
    assert asked == [3, 6]
    assert by_list.B == ()
    assert by_function.C == ("x", "y", "z")


def test_incremental_ranking_that_lacks_an_item():
    for full in (["a", "b"], iter(["a", "b"]), lambda n: ["a", "b"][:n]):
        with pytest.raises(ft.DataError, match=r"1 of the subject's items, such as 'c'; unseen="):
            ft.displacement(SUBJECT, RELEVANCES, full, unseen="incremental")


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        (
            (SUBJECT, [1.2, 1, 0], ["a"]),
            {},
            ft.DataError,
            r"item 'a': relevance 1.2 is outside \[0, 1\]",
        ),
        (
            (SUBJECT, [1, 0, -0.5], ["a"]),
            {},
            ft.DataError,
            r"item 'c': relevance -0.5 is outside \[0, 1\]",
        ),
        ((SUBJECT, [1, math.nan, 0], ["a"]), {}, ft.DataError, r"relevances\[1\] = nan"),
        (
            (SUBJECT, [1, 0.5], ["a"]),
            {},
            ft.DataError,
            "has 3 items; give one number for each item",
        ),
        ((["a", "a"], [1, 1], ["a"]), {}, ft.DataError, "'a' is listed twice, at places 1 and 2"),
        ((["a"], [1], ["b", "b"]), {}, ft.DataError, "system_items: 'b' is listed twice"),
        (("abc", [1, 1, 1], ["a"]), {}, ft.DataError, "must be a list of items, not one text"),
        (([], [], ["a"]), {}, ft.DataError, "subject_items: is empty"),
        ((SUBJECT, RELEVANCES, ["x"]), {"unseen": "worst"}, ft.OptionError, "needs N"),
        ((SUBJECT, RELEVANCES, ["x"]), {"unseen": "best"}, ft.OptionError, "must be one of"),
        (
            (SUBJECT, RELEVANCES, ["x", "a"]),
            {"unseen": "worst", "N": 3},
            ft.DataError,
            "N=3: the system lists 2 items and the subject 2 others.*must be 4 or more",
        ),
        ((SUBJECT, RELEVANCES, ["x"]), {"N": 2.5}, ft.OptionError, "N=2.5"),
        ((SUBJECT, RELEVANCES, ["x"]), {"g": "exp"}, ft.OptionError, "give rate=0.1"),
        ((SUBJECT, RELEVANCES, ["x"]), {"g": "nobody"}, ft.OptionError, "must be one of rational"),
        ((SUBJECT, RELEVANCES, ["x"]), {"rate": 1}, ft.OptionError, "power, rate: parameters of g"),
        (
            (SUBJECT, RELEVANCES, ["x"]),
            {"g": "rational", "rate": 1},
            ft.OptionError,
            "belongs to g='exp'",
        ),
        ((SUBJECT, RELEVANCES, ["x"]), {"g": lambda w: w}, ft.OptionError, r"g\(0\) = 0"),
        ((SUBJECT, RELEVANCES, ["x"]), {"g": np.cos}, ft.OptionError, "must not rise"),
        ((SUBJECT, RELEVANCES, ["x"]), {"g": lambda w: 1 - w}, ft.OptionError, "fall below 0"),
        ((SUBJECT, RELEVANCES, lambda n: []), {}, ft.OptionError, "only if unseen='incremental'"),
    ],
)
def test_bad_input_is_one_clear_error(arguments, options, error, message):
    with pytest.raises(error, match=message) as caught:
        ft.displacement(*arguments, **options)
    assert "\n" not in str(caught.value)


def test_nothing_to_misplace():
    assert ft.displacement(["a"], [1], ["a"], normalised=True, unseen="worst", N=1).value == 0
    assert ft.displacement(["a"], [0], ["b"], normalised=True).value == 0
    assert ft.displacement(["a", "b"], [1, 0.5], []).value == 0  # both are next to come


@settings(max_examples=100)
@given(
    st.lists(st.integers(0, 4), min_size=1, max_size=6),
    st.permutations(range(12)),
    st.integers(0, 12),
    st.sampled_from(["optimist", "pessimist", "pessimist-tail", "worst", "incremental"]),
    st.sampled_from(["interval", "position"]),
)
def test_normalised_lies_between_0_and_1(grades, order, length, unseen, ties):
    relevance = sorted((grade / 4 for grade in grades), reverse=True)
    listed = order if unseen == "incremental" else order[:length]
    result = ft.displacement(
        range(len(grades)), relevance, listed, unseen=unseen, N=12, ties=ties, normalised=True
    )
    assert 0 <= result.value <= 1 + 1e-12
    if result.w_max:
        assert result.value == pytest.approx(result.w / result.w_max)


def test_frame_and_repr():
    result = worked(unseen="pessimist", N=1000, normalised=True)
    frame = result.to_frame()
    assert frame["weighted"].sum() == pytest.approx(result.w)
    assert frame["set"].tolist() == ["A", "A", "B"]
    assert frame["rank"].isna().tolist() == [False, False, True]
    text = repr(result)
    for part in ("w_A=2.8", "w_B=300", "w_max=2100", "B=['c']", "unseen=pessimist, N=1000"):
        assert part in text


def test_registered_quality():
    ft.register_quality(lambda w: np.exp(-(w**2)), name="gauss")
    assert worked(g="gauss").value == pytest.approx(math.exp(-(3.1**2)))
    for name in ("rational", "a b", ""):
        with pytest.raises(ft.OptionError, match="name="):
            ft.register_quality(np.exp, name=name)


@pytest.mark.parametrize("given", [{"a", "b"}, {"a": 1, "b": 9}, 3, None])
def test_lists_have_an_order(given):
    with pytest.raises(ft.DataError, match="must be a list of items, best first"):
        ft.displacement(["a", "b"], [1, 0.5], given, unseen="optimist")
    with pytest.raises(ft.DataError, match="must be a list of items, best first"):
        ft.displacement(given, [1, 0.5], ["a"], unseen="optimist")
