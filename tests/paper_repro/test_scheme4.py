"""Scheme (4): displacements by hand, and intervals over queries and subjects."""

import pytest

from paper_repro import experiment, scheme4


def test_displacement_of_one_list_by_hand() -> None:
    lists = scheme4.own_lists().to_frame()
    runs = experiment.two_systems().to_frame()
    scores = scheme4.list_scores()
    table = scores.cells.dense(scores.values)[:, 0]  # (systems, queries, subjects)
    for query, subject in (("fig1", "subject 1"), ("synth09", "subject 4")):
        rows = lists[(lists["query"] == query) & (lists["subject"] == subject)]
        wanted = dict(zip(rows.sort_values("position")["item"], scheme4.RELEVANCES, strict=True))
        for s, system in enumerate("AB"):
            mine = runs[(runs["system"] == system) & (runs["query"] == query)]
            shown = mine.sort_values("score", ascending=False)["item"].head(6).tolist()
            missing = [item for item in wanted if item not in shown]
            rank = {item: j for j, item in enumerate(shown + missing, start=1)}
            w = sum(
                weight * abs(place - rank[item])
                for place, (item, weight) in enumerate(wanted.items(), start=1)
            )
            q, who = scores.queries.index(query), scores.subjects.index(subject)
            assert table[s, q, who] == pytest.approx(w)


def test_over_subjects_it_is_student_s_t() -> None:
    from scipy.stats import ttest_1samp

    gaps = scheme4.list_scores().mean(by="subject")[scheme4.MEASURES[0]]
    expected = ttest_1samp(gaps.loc["A"] - gaps.loc["B"], 0).confidence_interval(0.95)
    row = scheme4.differences().query("over == 'subjects'").iloc[0]
    assert (row["lower"], row["upper"]) == pytest.approx((expected.low, expected.high))
