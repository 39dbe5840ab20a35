"""One measure or more of each family, held to their definitions."""

import pytest
from support.definitions import hold_to_definition

from fuzzytruth.measures import parse_measure

OF_COUNTS = "P@3 R(rel=2)@2 F(beta=2)@4 E@3 FN@2 TN(collection=40)@3 Utility(missed=-1)@3"
RANK_WEIGHTED = "RBP(p=0.5,rel=2) DCG@3 CG SDCG(min_rel=1)@5 INSQ(T=2)@50"
AT_CLASS_SIZE = "Rprec(mult=0.4) FT ST(norm=depth)"


@pytest.mark.parametrize("text", f"{OF_COUNTS} {RANK_WEIGHTED} {AT_CLASS_SIZE}".split())
def test_definition(text: str) -> None:
    hold_to_definition(parse_measure(text))
