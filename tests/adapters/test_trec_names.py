"""trec_eval's names and the measures that they stand for; values: `test_pytrec_eval`."""

from __future__ import annotations

import pytest

from fuzzytruth.adapters.pytrec_eval import columns, supported_measures, supported_nicknames
from fuzzytruth.errors import MeasureError
from fuzzytruth.measures.other_tools import FAMILIES


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("map", {"map": "AP(rel=2)"}),
        ("ndcg_cut_10", {"ndcg_cut_10": "nDCG@10"}),
        ("P.10,5", {"P_5": "P(rel=2)@5", "P_10": "P(rel=2)@10"}),
        ("set_F_4", {"set_F": "F(beta=2,rel=2)"}),
        ("iprec_at_recall.0.333", {"iprec_at_recall_0.33": "IPrec(rel=2)@0.333"}),
        ("Rprec_mult_0.2", {"Rprec_mult_0.20": "Rprec(rel=2,mult=0.2)"}),
        ("11pt_avg.0.5,0.25", {"11pt_avg": "IPrecAvg(rel=2,levels=0.25/0.5)"}),
        ("num_nonrel_judged_ret", {"num_nonrel_judged_ret": "NumNonRelJudgedRet(rel=2)"}),
        ("num_q", {"num_q": "NumRet"}),
        ("Rndcg_1=3,2=9", {"Rndcg": "Rndcg(gains={1:3,2:9}) NumRel(rel=2)"}),
        ("utility.2,-1,0,0", {"utility": "Utility(rel=2,hit=2)"}),
    ],
)
def test_columns(name: str, expected: dict[str, str]) -> None:
    found = {column.name: " ".join(map(str, column.measures)) for column in columns([name], 2)}
    assert found == expected


def test_families_expand_to_their_default() -> None:
    for name, parameters in FAMILIES.items():
        assert [c.name for c in columns([name], 1)] == [f"{name}_{p}" for p in parameters]


def test_nicknames_are_of_known_names() -> None:
    assert all(members <= supported_measures for members in supported_nicknames.values())
    both = columns(["official", "set"], 1)
    assert len(both) == len({column.name for column in both}) == 35


def test_unknown_names_are_refused() -> None:
    with pytest.raises(MeasureError, match=r"'mapp' has no equal here \(nearest: 'map"):
        columns(["mapp"], 1)
