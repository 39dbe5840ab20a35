"""Part (f): the report of one's own votes."""

import pytest

from paper_repro import own_votes, scheme4, strong


def test_it_says_what_the_parts_say() -> None:
    report = own_votes.report_with_lists()
    assert report.to_frame().equals(strong.own_report().to_frame())
    table = report.displaced_comparison.to_frame(full=True)
    rows = scheme4.differences().query(f"measure == '{scheme4.MEASURES[0]}'").set_index("over")
    both = rows.loc["queries and subjects"]
    for name in ("difference", "lower", "upper", "std_error"):
        assert table[name].item() == pytest.approx(both[name])
