"""Measures of counts: by their definitions, by hand, and SHREC 2006."""

import pytest
from support.building import batch_of, query
from support.definitions import hold_to_definition
from support.golden import SHREC, value
from support.variants import variants_in

from fuzzytruth.errors import MeasureError
from fuzzytruth.measures import parse_measure

BOTH = query([1, 0, 2, None, 0, 1], [1, 1, 0])
F_MEAN = (2 / 3 + 2 / 4 + 4 / 5 + 4 / 6) / 4  # over ranks 1 to 4


@pytest.mark.parametrize("measure", variants_in("counts"), ids=str)
def test_definition(measure) -> None:
    hold_to_definition(measure)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (  # 3 of 5 relevant items retrieved, at ranks 1, 3 and 6; rank 4 is not judged
            BOTH,
            {"P@10": 3 / 10, "R(rel=2)@3": 1, "RelP@10": 3 / 5, "Rprec(mult=0.2)": 1}
            | {"Judged@4": 3 / 4, "RR(rel=2)": 1 / 3, "FN@2": 4, "TN(collection=10)": 2}
            | {"F(beta=2)": 5 / (6 / 3 + 4 * 5 / 3), "EPSB@6": 2 / (6 / 3 + 5 / 3)}
            | {"Utility(hit=2,other=-0.5,missed=-1)": 6 - 1.5 - 2, "NumNonRelJudgedRet": 2},
        ),
        (query([1, 0, 0, 1], ties=[3, 1]), {"P@2": 2 / 3 / 2, "RR": (1 + 1 / 2 + 1 / 3) / 3}),
        (query([1, 0, 1, 0]), {"F(points=max)": 4 / 5, "F(points=mean)": F_MEAN}),
    ],
)
def test_by_hand(answer, expected: dict[str, float]) -> None:
    found = {text: value(text, batch_of(answer)) for text in expected}
    assert found == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize(("part", "rel"), [("highly", 2), ("relevant_all", 1)])
def test_shrec_2006_at_both_thresholds(part: str, rel: int) -> None:
    special = {
        "TN": f"TN(rel={rel},collection=1814)",
        "AP_norm_retrieved": f"AP(rel={rel},norm=retrieved)",
        "FT_norm_depth": f"FT(rel={rel},norm=depth)",
        "ST_norm_depth": f"ST(rel={rel},norm=depth)",
        "ST_norm_depth_truncated": f"ST(rel={rel},norm=depth)",
    }
    for key, expected in SHREC[part].items():
        found = value(special.get(key, f"{key}(rel={rel})"))
        assert found == pytest.approx(expected, abs=5.1e-8), key


def test_a_collection_that_is_too_small() -> None:
    with pytest.raises(MeasureError, match="more relevant and retrieved items than the collection"):
        parse_measure("TN(collection=4)").score(batch_of(BOTH))
