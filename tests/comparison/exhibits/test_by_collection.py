"""Comparisons over collections: words, tables and figures."""

import warnings

import matplotlib as mpl
import numpy as np
import pandas as pd
import pytest
from scipy import stats
from support.compared import COLLECTIONS, TWO_COLLECTIONS, compared

import fuzzytruth as ft

mpl.use("Agg")
OVER = {"over": "collection"}


def differences(scores: ft.Scores, a: str = "a", b: str = "b") -> dict[str, np.ndarray]:
    """Per-query differences by collection."""
    wide = scores.to_frame().pivot_table(index="query", columns="system", values="value")
    gap = wide[a] - wide[b]
    return {str(name): one.to_numpy() for name, one in gap.groupby(gap.index.str.split("/").str[0])}


def test_numbers_are_those_of_the_collections() -> None:
    result, gaps = compared("collections"), differences(COLLECTIONS)
    row = result.to_frame(full=True).iloc[0]
    means = [one.mean() for one in gaps.values()]
    expected = stats.ttest_1samp(means, 0)
    assert row["difference"] == pytest.approx(np.mean(means))
    assert row["p_adjusted"] == row["p"] == pytest.approx(expected.pvalue)
    assert row[["lower", "upper"]].tolist() == pytest.approx([*expected.confidence_interval()])
    assert row[["mean_a", "mean_b"]].diff().iloc[1] == pytest.approx(-np.mean(means))
    alone = ft.compare(COLLECTIONS.select(systems=["a", "b"]), strata="collection").table.iloc[0]
    assert row[["alone_lower", "alone_upper"]].tolist() == alone[["lower", "upper"]].tolist()
    new = result.predict().iloc[0]
    assert (new["at_least"], new["n_collections"]) == (row["at_least"], 5)
    assert new["new_lower"] < row["lower"] < row["upper"] < new["new_upper"]
    each = result.by_collection().set_index("collection")
    for name, gap in gaps.items():
        test = stats.ttest_1samp(gap, 0)
        assert each.loc[name, "p"] == pytest.approx(test.pvalue)
        assert each.loc[name, "std_error"] == pytest.approx(gap.std(ddof=1) / len(gap) ** 0.5)
        assert each.loc[name, "n_queries"] == len(gap)


def test_words() -> None:
    (line,) = compared("collections").verdicts()
    row = compared("collections").table.iloc[0]
    assert line.startswith("over collections: a significantly exceeds b on nDCG@10 by 0.0")
    assert "(5 collections, p = " in line
    assert "; on a new collection between " in line
    assert f"; on at least {row['at_least']} of these 5 (95 %). On these 5 alone: 0.0" in line
    assert "say little" not in str(compared("collections"))
    two = compared("collections, two")
    assert two.verdicts()[0].startswith("on these 2 alone: a ")
    assert "2 collections say little about others." in str(two)
    assert "2 collections say little about others." in two.assumptions


def test_the_count_is_of_the_direction_that_is_tested() -> None:
    pair = COLLECTIONS.select(systems=["b", "a"])
    less, greater = (
        ft.compare(pair, over="collection", alternative=side) for side in ("less", "greater")
    )
    assert (
        less.table["at_least"][0]
        == ft.compare(
            COLLECTIONS.select(systems=["a", "b"]), over="collection", alternative="greater"
        ).table["at_least"][0]
    )
    assert "; on at least " in less.verdicts()[0]
    assert greater.table["at_least"][0] == 0
    assert "; that b is higher is not shown on any one of these 5." in greater.verdicts()[0]


def test_families_are_adjusted_by_bonferroni_in_all_statements() -> None:
    result, alone = compared("collections, one baseline"), compared("collections")
    row = result.table.set_index("system_a").loc["a"]
    single = alone.table.iloc[0]
    assert result.conditions.correction == "bonferroni"
    assert row["p_adjusted"] == pytest.approx(min(3 * single["p"], 1))
    assert row["new_lower"] < single["new_lower"]
    assert row["at_least"] <= single["at_least"]
    both = ft.compare(COLLECTIONS, baseline="b", strata="collection", correction="bonferroni")
    strata = both.table.set_index("system_a").loc["a"]
    assert row["alone_lower"] == pytest.approx(strata["lower"])


def test_any_attribute_of_queries() -> None:
    frame = COLLECTIONS.to_frame()
    frame["language"] = frame["query"].str.split("/").str[0]
    scores = ft.Scores.from_frame(frame, clusters="language")
    result = ft.compare(scores, over=["language"])
    assert repr(result).startswith("Comparison(6 pairs, 1 measure, over languages, bonferroni")
    for name in ("difference", "lower", "p_adjusted", "at_least", "new_upper"):
        expected = ft.compare(COLLECTIONS, **OVER).table[name]
        np.testing.assert_allclose(result.table[name], expected)


def test_lower_is_better_and_missing_values() -> None:
    frame = TWO_COLLECTIONS.to_frame().assign(measure="loss")
    frame = frame[(frame["query"] != "nq/q1") | (frame["system"] != "a")]
    frame["collection"] = frame["query"].str.split("/").str[0]
    scores = ft.Scores.from_frame(frame, clusters="collection", higher_is_better=False)
    with pytest.warns(ft.errors.MissingCellWarning):
        result = ft.compare(scores, **OVER)
    assert "exceeds c on loss (lower is better) by" in result.verdicts()[0]
    gaps = [one[~np.isnan(one)] for one in differences(scores, "a", "c").values()]
    assert result.table["difference"][0] == pytest.approx(np.mean([one.mean() for one in gaps]))
    assert result.by_collection()["n_queries"].tolist() == [5, 11]


def test_identical_systems() -> None:
    frame = pd.concat(
        COLLECTIONS.select(systems="a").to_frame().assign(system=name) for name in "ab"
    )
    frame["collection"] = frame["query"].str.split("/").str[0]
    result = ft.compare(ft.Scores.from_frame(frame, clusters="collection"), **OVER)
    row = result.table.iloc[0]
    assert (row["p"], row["lower"], row["upper"], row["at_least"]) == (1, 0, 0, 0)
    assert result.verdicts()[0] == "a and b have the same nDCG@10 on all 80 queries"


def test_subjects_are_fixed() -> None:
    rng = np.random.default_rng(1)
    rows = [
        (system, f"{c}{q}", subject, c, rng.normal())
        for system in "ab"
        for c in "xyz"
        for q in range(4)
        for subject in ("ann", "robert")
    ]
    names = ["system", "query", "subject", "collection", "value"]
    scores = ft.Scores.from_frame(pd.DataFrame(rows, columns=names), clusters="collection")
    result = ft.compare(scores, **OVER)
    assert result.conditions.brackets.endswith("subjects are fixed.")
    assert set(result.by_subject().to_frame()["subject"]) == {"ann", "robert"}


@pytest.mark.parametrize(
    ("scores", "options", "error", "text"),
    [
        (COLLECTIONS, {"over": "colection"}, ft.errors.OptionError, "these have 'collection'"),
        (
            COLLECTIONS,
            {"over": ("query", "collection")},
            ft.errors.OptionError,
            "over='collection': must",
        ),
        (COLLECTIONS, OVER | {"strata": "collection"}, ft.errors.OptionError, "takes neither"),
        (
            COLLECTIONS,
            OVER | {"correction": "max-t"},
            ft.errors.OptionError,
            "over collections; use 'bon",
        ),
        (COLLECTIONS, OVER | {"null": "complete"}, ft.errors.OptionError, "null='complete'"),
        (
            COLLECTIONS.select(queries=["nq/q0", "nq/q1"]),
            OVER,
            ft.errors.DataError,
            "all queries have one collection, 'nq'",
        ),
        (
            ft.Scores.from_frame(
                pd.DataFrame(
                    {
                        "system": list("abab"),
                        "query": [1, 1, 2, 2],
                        "collection": ["x", "x", None, None],
                        "value": 0.5,
                    }
                ),
                clusters="collection",
            ),
            OVER,
            ft.errors.OptionError,
            "1 query has no collection, the first is '2'",
        ),
    ],
)
def test_errors(scores, options, error, text) -> None:
    with pytest.raises(error, match=text):
        ft.compare(scores, **options)


def test_what_is_of_collections_alone() -> None:
    other = ft.compare(COLLECTIONS, n_resamples=99)
    for call in (other.predict, other.by_collection, lambda: other.plot(kind="collections")):
        with pytest.raises(ft.errors.OptionError, match="is of comparisons over collections"):
            call()
    assert "at_least" not in other.table


def test_a_forest_by_collection() -> None:
    result = compared("collections")
    ax = result.plot()
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert names == [
        *("nq", "fiqa", "trec", "quora", "scifact"),
        *("these 5 alone", "collections", "new collection"),
    ]
    assert ax.get_xlabel() == "difference of nDCG@10"
    assert "a minus b by collection" in " ".join(ax.get_title(loc="left").split())
    many = compared("collections, one baseline")
    assert many.plot().get_xlabel() == "difference of nDCG@10 from b"
    drawn = many.plot(kind="collections", pair=("b", "d"))
    assert "d minus b by collection" in " ".join(drawn.get_title(loc="left").split())
    with pytest.raises(
        ft.errors.OptionError, match=r"pair=.*must be two systems that were compared"
    ):
        many.plot(kind="collections", pair=("a", "d"))
    with pytest.raises(ft.errors.OptionError, match=r"pair=.*is of kind='collections'"):
        many.plot(kind="forest", pair=("a", "d"))


def test_report(tmp_path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ft.errors.DegenerateWarning)
        page = compared("collections").report(tmp_path / "page.html").read_text(encoding="utf-8")
    assert ">new collection</th>" in page
    assert "Benjamini, Y." in page
