"""`ft.displacement` by hand, by enumeration, and on bad input."""

import math

import numpy as np
import pytest

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


def test_registered_quality():
    ft.measures.register_quality(lambda w: np.exp(-(w**2)), name="gauss")
    assert worked(g="gauss").value == pytest.approx(math.exp(-(3.1**2)))
    for name in ("rational", "a b", ""):
        with pytest.raises(ft.errors.OptionError, match="name="):
            ft.measures.register_quality(np.exp, name=name)


@pytest.mark.parametrize(
    ("unseen", "system", "w_b"),
    [
        ("optimist", ["b", "x", "a"], 0.3 * 1),
        ("pessimist", ["b", "x", "a"], 0.3 * 10),
        ("pessimist-tail", ["b", "x", "a"], 0.3 * (10 - 3)),
        ("worst", ["b", "x", "a"], 0.3 * (10 - 3)),
        # b and c, of places 2 and 3; ranks 3 and 4 at best, 9 and 10 or the other way at the end
        ("optimist", ["a", "x"], 0.8 * 1 + 0.3 * 1),
        ("pessimist-tail", ["a", "x"], 0.8 * 7 + 0.3 * 7),
        ("worst", ["a", "x"], 0.8 * 8 + 0.3 * 6),
    ],
)
def test_each_hypothesis_by_hand(unseen, system, w_b):
    result = ft.displacement(SUBJECT, RELEVANCES, system, unseen=unseen, N=10)
    assert (result.w_A, result.w_B) == pytest.approx((2.8 if "b" in system else 0, w_b))
    if (unseen, len(system)) == ("worst", 2):
        assert result.ranks.tolist() == [1, 10, 9]


def test_full_lists_are_equation_17():
    """The rank of each item counts, not the item at each place: these differ for a 3-cycle."""
    result = ft.displacement(SUBJECT, RELEVANCES, ["c", "a", "b"])
    assert (result.value, result.B) == (pytest.approx(1 * 1 + 0.8 * 1 + 0.3 * 2), ())
    by_position = ft.displacement(
        ["b", "c", "a"], [0.5, 0.5, 1], ["c", "b", "a"], positions=[7, 7, 2]
    )
    assert by_position.items == ("a", "b", "c")
    assert by_position.displacements.tolist() == [2, 0, 1]  # equal positions are ties


def test_incremental_reads_as_far_as_needed():
    whole = ["x", "c", "y", "b", "z", "a", *range(1000)]
    read, asked = [], []
    by_list, by_iterator, by_function = (
        ft.displacement(SUBJECT, RELEVANCES, ranking, unseen="incremental")
        for ranking in (
            whole,
            (read.append(item) or item for item in whole),
            lambda n: asked.append(n) or whole[:n],
        )
    )
    assert by_list.value == by_iterator.value == by_function.value
    assert by_list.value == pytest.approx(1 * 5 + 0.8 * 2 + 0.3 * 1)
    assert (len(read), asked) == (6, [3, 6])
    assert (by_list.B, by_function.C) == ((), ("x", "y", "z"))
    for full in (["a", "b"], iter(["a", "b"]), lambda n: ["a", "b"][:n]):
        with pytest.raises(
            ft.errors.DataError, match=r"1 of the subject's items, such as 'c'; unseen="
        ):
            ft.displacement(SUBJECT, RELEVANCES, full, unseen="incremental")


GIVEN = {"subject_items": SUBJECT, "relevances": RELEVANCES, "system_items": ["x"]}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"relevances": [1.2, 1, 0]}, r"item 'a': relevance 1.2 is outside \[0, 1\]"),
        ({"relevances": [1, 0, -0.5]}, r"item 'c': relevance -0.5 is outside \[0, 1\]"),
        ({"relevances": [1, math.nan, 0]}, r"relevances\[1\] = nan"),
        ({"relevances": [1, 0.5]}, "has 3 items; give one number for each item"),
        ({"subject_items": ["a", "c", "a"]}, "'a' is listed twice, at places 1 and 3"),
        ({"system_items": ["b", "b"]}, "system_items: 'b' is listed twice"),
        ({"subject_items": "abc"}, "must be a list of items, not one text"),
        ({"subject_items": [], "relevances": []}, "subject_items: is empty"),
        ({"subject_items": {"a": 1, "b": 9}}, "must be a list of items, best first"),
        ({"system_items": {"a", "b"}}, "must be a list of items, best first"),
        ({"system_items": None}, "must be a list of items, best first"),
        ({"unseen": "worst"}, "needs N"),
        ({"unseen": "best"}, "must be one of"),
        (
            {"system_items": ["x", "a"], "unseen": "worst", "N": 3},
            "N=3: the system lists 2 items and the subject 2 others.*must be 4 or more",
        ),
        ({"N": 2.5}, "N=2.5"),
        ({"g": "exp"}, "give rate=0.1"),
        ({"g": "nobody"}, "must be one of rational"),
        ({"rate": 1}, "power, rate: parameters of g"),
        ({"g": "rational", "rate": 1}, "belongs to g='exp'"),
        ({"g": lambda w: w}, r"g\(0\) = 0"),
        ({"g": np.cos}, "must not rise"),
        ({"g": lambda w: 1 - w}, "fall below 0"),
        ({"system_items": lambda n: []}, "only if unseen='incremental'"),
    ],
)
def test_bad_input_is_one_clear_error(changes, message):
    options = GIVEN | changes
    lists = [options.pop(name) for name in GIVEN]
    with pytest.raises(ft.FuzzytruthError, match=message) as caught:
        ft.displacement(*lists, **{"unseen": "optimist"} | options)
    assert "\n" not in str(caught.value)


def test_nothing_to_misplace():
    assert ft.displacement(["a"], [1], ["a"], normalised=True, unseen="worst", N=1).value == 0
    assert ft.displacement(["a"], [0], ["b"], normalised=True).value == 0
    assert ft.displacement(["a", "b"], [1, 0.5], []).value == 0  # both are next to come
