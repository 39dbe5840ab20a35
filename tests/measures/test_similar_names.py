"""Measures suggested in place of a name that is not known."""

import pytest

import fuzzytruth as ft
from fuzzytruth.errors import MeasureError
from fuzzytruth.measures.grammar import similar_measures


@pytest.mark.parametrize(
    ("name", "cutoff", "first"),
    [
        ("NDGC", "10", "nDCG@10"),
        ("ndcg10", None, "nDCG@10"),
        ("ndcgg_cut_20", None, "nDCG@20"),
        ("mpa", None, "AP"),
        ("mpa", "3", "AP@3"),
        ("ndgc", "x", "nDCG"),
        ("Rpec", "5", "Rprec"),  # it takes no cut-off
    ],
)
def test_nearest_first(name: str, cutoff: str | None, first: str) -> None:
    assert similar_measures(name, cutoff)[0] == first


@pytest.mark.parametrize("text", ["NDGC@10", "ndcg10"])
def test_what_is_offered_can_be_used(text: str) -> None:
    with pytest.raises(MeasureError, match="did you mean nDCG@10 or") as error:
        ft.parse_measure(text)
    offered = str(error.value).partition("did you mean ")[2].rstrip("?").split(" or ")
    assert [str(ft.parse_measure(one)) for one in offered] == offered
