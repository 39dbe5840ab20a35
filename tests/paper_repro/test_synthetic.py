"""The synthetic data: around Figure 1, and two communities."""

import numpy as np
import pytest

from paper_repro import examples, synthetic


def test_synthetic_votes_stand_around_figure_1() -> None:
    frame, inside = synthetic.votes().to_frame(), synthetic.contents()
    assert (len(frame), frame["item"].nunique(), frame["subject"].nunique()) == (100, 20, 5)
    assert frame[frame["item"] == "fig1"]["category"].tolist() == examples.FIGURE_1_VOTES
    inner = frame[frame["item"] != "fig1"]["category"].isin(["people", "scenery"]).mean()
    assert abs(inner - 0.4) < 3 * np.sqrt(0.24 / 95)
    assert inside.sum(axis=1) == pytest.approx(np.ones(20))


def test_nobody_retrieves_the_query_and_everybody_all_others() -> None:
    for runs, size in ((synthetic.runs(), 20), (synthetic.communities()[1], 60)):
        frame = runs.to_frame()
        assert (frame["query"] != frame["item"]).all()
        assert (frame.groupby(["system", "query"]).size() == size - 1).all()


def test_members_of_a_community_agree_and_others_do_not() -> None:
    votes, _ = synthetic.communities()
    table = votes.to_frame().pivot(index="item", columns="subject", values="category").to_numpy()
    agree = (table[:, :, None] == table[:, None, :]).mean(axis=0)
    same = np.equal.outer(np.arange(20) % 2, np.arange(20) % 2)
    np.fill_diagonal(agree, np.nan)
    assert np.nanmin(agree[same]) > 0.6
    assert np.nanmax(agree[~same]) < 0.2


def test_lists_have_falling_relevances() -> None:
    frame = synthetic.lists().to_frame().sort_values("position")
    for _, rows in frame.groupby(["query", "subject"]):
        assert rows["grade"].tolist() == pytest.approx(synthetic.RELEVANCES)
        assert rows["item"].nunique() == synthetic.LENGTH
    assert len(frame) == 20 * 5 * synthetic.LENGTH
