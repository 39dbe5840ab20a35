"""`plan`: closed forms, the inverse property, targets, costs, and degenerate cases."""

from typing import Any

import pytest
from support.pilots import CROSSED, said

import fuzzytruth as ft


def test_numbers_to_choose_from() -> None:
    options: dict[str, Any] = {"components": {"residual": 0.05}, "half_width": 0.1}
    least = ft.plan(**options).best.queries
    assert ft.plan(queries=range(10, 1000, 10), **options).best.queries == -(-least // 10) * 10
    assert ft.plan(queries=[least, 3 * least], **options).best.queries == least
    few = ft.plan(queries=5, **options)
    assert few.table["status"].tolist() == ["too few queries"]
    assert "More than 5 queries" in str(few)


def test_no_variance() -> None:
    with pytest.warns(ft.FuzzytruthWarning, match="all variances that errors consist of are 0"):
        found = ft.plan(components={"system": 0.1, "residual": 0.0}, half_width=0.01)
    assert found.best.queries == 2
    assert found.predict(2)["half_width"] == 0
    assert found.predict(2)["coefficient"] == 1


def test_curve() -> None:
    found = ft.plan(components=CROSSED, half_width=0.1, difference=0.2, subjects=[8, 12])
    curve = found.curve()
    assert [*curve] == [
        *("queries", "subjects", "replicates", "half_width", "std_error", "power"),
        *("coefficient", "judgments", "cost"),
    ]
    for _, rows in curve.groupby("subjects"):
        assert (rows["half_width"].diff().dropna() < 0).all()
        assert (rows["power"].diff().dropna() > -1e-9).all()
    assert curve["queries"].max() >= found.table["queries"].max()
    one = found.curve([10, 20], 8)
    assert one["half_width"].tolist() == [found.predict(n, 8)["half_width"] for n in (10, 20)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"components": CROSSED}, "name a target: half_width="),
        ({"half_width": 0.1}, "give the scores of a pilot, or variances, components="),
        ({"components": CROSSED, "half_width": 0}, "half_width=0: must be above 0"),
        ({"components": CROSSED, "half_width": "x"}, "half_width='x': must be a finite number"),
        ({"components": CROSSED, "coefficient": 0.9}, "take a component 'system' above 0"),
        ({"components": CROSSED, "coefficient": 1.5}, "coefficient=1.5: must lie between"),
        ({"components": CROSSED, "difference": 0.1, "of": "mean"}, "is of two systems"),
        ({"components": CROSSED, "difference": 0.1, "power": 2}, "power=2: must lie between"),
        ({"components": {"querry": 1}, "half_width": 1}, "'querry' is no component .*'query'"),
        ({"components": {"query": -1}, "half_width": 1}, "a variance must be 0 or more"),
        ({"components": 3, "half_width": 1}, r"components=3: must be \{component: variance\}"),
        (
            {"components": {"subject(query)": 1, "subject": 1}, "half_width": 1},
            "give one or the other",
        ),
        ({"components": CROSSED, "half_width": 1, "family": "two"}, "family='two': must be 'all p"),
        ({"components": CROSSED, "half_width": 1, "family": "all pairs"}, "give n_systems="),
        ({"components": CROSSED, "half_width": 1, "over": "world"}, "over='world': must be 'query"),
        ({"components": CROSSED, "half_width": 1, "queries": "3"}, "queries='3': must be a whole"),
        ({"components": CROSSED, "half_width": 1, "subjects": [0]}, "subjects=0: must be 1 or"),
        ({"components": CROSSED, "half_width": 1, "subjects": []}, "name at least one number"),
        ({"components": CROSSED, "half_width": 1, "budget": -1}, "budget=-1: must be above 0"),
        (
            {"components": CROSSED, "half_width": 1, "cost_per_query": -1},
            "cost_per_query=-1: must be 0 or more",
        ),
        ({"components": CROSSED, "half_width": 1, "systems": ["a"]}, "systems: is of a pilot"),
        ({"components": CROSSED, "half_width": 1, "measure": "AP"}, "measure='AP': is of a pilot"),
        ({"components": CROSSED, "half_width": 1, "level": 95}, "level=95: must lie between"),
        ({"components": CROSSED, "half_width": 1, "n_systems": 1}, "n_systems=1: must be 2"),
        ({"components": CROSSED, "half_width": 1, "of": "x"}, "of='x': must be one of"),
    ],
)
def test_mistakes(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ft.errors.OptionError, match=message) as caught:
        ft.plan(**options)
    assert "\n" not in str(caught.value)


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.MissingQueryWarning")
@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.UndefinedMeasureWarning")
def test_max_t_is_not_said_to_be_narrower_whatever_the_scores() -> None:
    scores = ft.evaluate(*ft.datasets.load_clef_tar2017(), "AP", worlds="subject")
    max_t, bonferroni = (
        ft.compare(scores, over="query", correction=correction).to_frame()
        for correction in (None, "bonferroni")
    )
    widths = [(one["upper"] - one["lower"]).mean() for one in (max_t, bonferroni)]
    assert widths[0] / widths[1] == pytest.approx(1.14, abs=0.03)  # docs/guide/planning.md
    found = ft.plan(components=CROSSED, n_systems=8, over="query", subjects=[3], half_width=0.05)
    assert "narrower where scores are about normal, and may be wider" in said(found)


def test_a_floor_is_shown_as_larger_than_what_was_asked_for() -> None:
    """Not "±0.1 takes more, as 5 subjects give ±0.1"."""
    assumed = {"system:query": 0.01, "system:subject": 0.001, "residual": 0.01}
    floor = ft.plan(components=assumed, half_width=1e-3, subjects=[5]).to_frame(full=True)
    asked = float(f"{floor['floor'].iloc[0]:.2g}")
    asked -= 0.01 * (asked >= floor["floor"].iloc[0])
    text = " ".join(str(ft.plan(components=assumed, half_width=asked, subjects=[5, 9])).split())
    shown = float(text.split("(±")[1].split(" ")[0])
    assert shown > asked


def test_what_is_not_shown_is_not_explained() -> None:
    assumed = {"system": 0.02, "system:query": 0.01, "system:subject": 0.001, "residual": 0.01}
    reached = str(ft.plan(components=assumed, coefficient=0.9, n_systems=5))
    assert "Half-widths" not in reached
    assert "Bonferroni" not in reached
    found = str(ft.plan(components=assumed, difference=0.1, n_systems=5))
    assert "Half-widths" not in found
    assert "Bonferroni" in found
    said = " ".join(str(ft.plan(components=assumed, budget=2000, n_systems=5)).split())
    assert "For a budget of 2,000, each" in said
    one = "Judgments: one for each query and subject, as no number per query was given."
    assert one in said
    known = ft.plan(components=assumed, budget=2000, n_systems=5, judgments_per_query=20)
    assert one not in " ".join(str(known).split())
