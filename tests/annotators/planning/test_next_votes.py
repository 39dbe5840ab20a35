"""`annotate_next` without runs: who is to be asked about what."""

import warnings
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from support.crowds import crowd
from support.results import some_votes

import fuzzytruth as ft
from fuzzytruth.stats.votes.models import fit_votes
from fuzzytruth.stats.votes.next_votes import information


def frame(kind="coin", s=8, n=60, m=3, seed=0):
    table, truth = crowd(kind, s, n, m, seed=seed)
    names = {"subject": [f"s{j}" for j in table.subject], "item": [f"i{j:03d}" for j in table.unit]}
    return table, truth, pd.DataFrame({"query": "q", **names, "grade": table.value})


def test_gains_are_those_of_the_model_and_nobody_is_asked_twice() -> None:
    table, _, votes = frame()
    found = ft.annotate_next(votes, limit=40, k=2)
    rows = found.to_frame(full=True)
    assert [*found.to_frame()] == [*rows][:-1]
    model = fit_votes(table, found.model)
    unit = rows["item"].str[1:].astype(int).to_numpy()
    subject = rows["subject"].str[1:].astype(int).to_numpy()
    np.testing.assert_allclose(rows["gain"], information(model)[unit, subject], atol=1e-3)
    for _, part in rows.groupby("at_random"):
        assert part["gain"].is_monotonic_decreasing
    asked = set(zip(rows["subject"], rows["item"], strict=True))
    assert len(asked) == 40
    assert not asked & set(zip(votes["subject"], votes["item"], strict=True))
    assert rows["item"].value_counts().max() <= 2
    assert rows["subject"].value_counts().max() <= 2 * 40 / 8
    assert rows["at_random"].sum() == 4
    assert rows.loc[~rows["at_random"], "gain"].mean() > rows.loc[rows["at_random"], "gain"].mean()


def test_a_cap_keeps_the_best_from_being_asked_alone() -> None:
    rows = ft.annotate_next(frame()[2], limit=60).votes
    assert rows["subject"].value_counts().max() <= 15  # twice 60 / 8
    assert rows["item"].is_unique
    assert len(rows) == 60


def test_random_votes_follow_the_seed() -> None:
    votes = frame()[2]
    one, same, other = (
        ft.annotate_next(votes, limit=40, rng=seed).votes.query("at_random") for seed in (1, 1, 2)
    )
    pd.testing.assert_frame_equal(one, same)
    assert set(one["item"]) != set(other["item"])


def test_the_size_of_a_category() -> None:
    table, _, votes = frame()
    found = ft.annotate_next(votes, category="1", limit=10)
    place = information(fit_votes(table, found.model), 1)
    place[table.unit, table.subject] = 0
    assert found.votes["gain"].iloc[0] == pytest.approx(place.max(), abs=1e-3)
    assert "the size of 1" in str(found)
    with pytest.raises(ft.errors.OptionError, match="category='3': is no answer that anybody gave"):
        ft.annotate_next(votes, category="3")


def test_asking_so_is_worth_more_than_asking_at_random() -> None:
    """Answers that are right, after as many more votes by gain, or at random."""
    right = {"gain": [], "random": []}
    for seed in range(2):
        table, truth, votes = frame("coin", 12, 120, 3, seed)
        rng = np.random.default_rng(seed)
        chosen = ft.annotate_next(votes, limit=120, k=1).votes
        drawn = pd.DataFrame(
            {"subject": f"s{rng.integers(12)}", "item": f"i{j:03d}"} for j in range(120)
        )
        right_votes = votes.assign(right=votes["grade"] == truth[table.unit])
        accuracy = right_votes.groupby("subject")["right"].mean()
        for name, asked in (("gain", chosen), ("random", drawn)):
            unit = asked["item"].str[1:].astype(int).to_numpy()
            p = accuracy.reindex(asked["subject"]).fillna(0.5).to_numpy()
            said = np.where(rng.random(len(p)) < p, truth[unit], 1 - truth[unit])
            more = asked[["subject", "item"]].assign(query="q", grade=said)
            both = pd.concat([votes, more]).drop_duplicates(["subject", "item"])
            fit = ft.reliability(both, "one-coin", level=None, n_simulated=0).to_frame()
            answers = fit.sort_values("item")["answer"].astype(int).to_numpy()
            right[name].append((answers == truth).mean())
    assert np.mean(right["gain"]) > np.mean(right["random"]) + 0.02


def test_what_is_shown_and_refused() -> None:
    found = ft.annotate_next(some_votes(), limit=8)
    assert repr(found) == f"NextVotes(8 votes by {found.model})"
    assert "What to ask next about the panel's answers: 8 votes of 4 subjects" in str(found)
    assert "The last vote is at random" in str(found)
    assert len(ft.annotate_next(some_votes()).votes) == 12  # all that are left
    complete = ft.Assignments.from_columns([*"aaabbbccc"], [*"xyzxyzxyz"], [*"uvuuvvuuv"])
    new = ft.annotate_next(complete)
    assert sorted(new.votes["item"]) == ["x", "y", "z"]
    assert set(new.votes["subject"]) == {"somebody new"}
    assert "3 votes of somebody new on 3 items" in str(new)
    assert "gains are those of somebody new, who errs as people do on average" in " ".join(
        str(new).split()
    )


def test_somebody_new_errs_as_people_do_on_average() -> None:
    table, _, votes = frame("coin", 5, 60, 5)
    rows = ft.annotate_next(votes, limit=20).votes
    model = fit_votes(table, ft.annotate_next(votes).model)
    mean = replace(model, errors=model.errors.mean(axis=0, keepdims=True))
    gain = information(mean)[:, 0]
    unit = rows["item"].str[1:].astype(int)
    np.testing.assert_allclose(rows["gain"], gain[unit], atol=1e-3)
    assert rows["gain"].iloc[0] == pytest.approx(gain.max(), abs=1e-3)


def test_votes_at_random_are_last_and_marked() -> None:
    found = ft.annotate_next(frame()[2], limit=20)
    assert found.votes["at_random"].tolist() == [False] * 18 + [True] * 2
    rows = [line for line in str(found).splitlines() if " i0" in line]
    assert ["at random" in row for row in rows] == [False] * 18 + [True] * 2
    assert "the first 20 of 40; all: .to_frame(full=True)" in str(
        ft.annotate_next(frame()[2], limit=40)
    )
    few = ft.annotate_next(frame()[2], limit=4)
    assert "at random" not in str(few)


def test_crowd_asks_what_annotate_next_asks_on_the_command_line() -> None:
    votes = frame("coin", 40, 60, 3)[2]
    with warnings.catch_warnings(action="ignore"):
        ask = ft.crowd(votes, structure=False).next_votes
    pd.testing.assert_frame_equal(ask.votes, ft.annotate_next(votes, limit=20, rng=0).votes)


def test_what_more_items_or_people_would_do_for_agreement() -> None:
    votes = frame("coin", 12, 120, 3)[2]
    found = ft.annotate_next(votes, limit=10)
    plan = ft.plan(ft.Judgments.from_frame(votes))
    now = np.sqrt(plan.of_items / 120 + plan.of_people / 12)
    items, people = (
        f"{100 * (1 - np.sqrt(variance) / now):.0f} %"
        for variance in (
            plan.of_items / 240 + plan.of_people / 12,
            plan.of_items / 120 + plan.of_people / 24,
        )
    )
    assert plan.of_people > 0
    assert (
        f"Agreement: twice as many items would narrow its interval by {items}, twice as many "
        f"people by {people}; one more vote on the same items by people who are there does less."
    ) in " ".join(str(found).split())


def test_where_agreement_is_not_known() -> None:
    two = ft.annotate_next(frame("coin", 8, 60, 2)[2], limit=10)
    few = ft.annotate_next(ft.Assignments.from_columns([*"abbcca"], [*"xxyyzz"], [*"uvuvvu"]))
    for found, why in ((two, "items with three votes"), (few, "votes that vary")):
        assert f"agreement is not known, for want of {why}." in " ".join(str(found).split())


def test_votes_at_random_are_drawn_from_all_items() -> None:
    """Also from those on which people differ, which gain chooses first."""
    rng = np.random.default_rng(2)
    rows = [
        (f"w{s}", f"i{j}", "xy"[int(rng.random() < (0.5 if j < 50 else 0.02))])
        for j in range(100)
        for s in rng.choice(8, 3, replace=False)
    ]
    votes = ft.Assignments.from_columns(*zip(*rows, strict=True))
    shares = []
    for seed in range(6):
        frame = ft.annotate_next(votes, limit=60, rng=seed).to_frame(full=True)
        drawn = frame[frame["at_random"]]["item"].str[1:].astype(int)
        assert len(drawn) == 6
        shares += [(drawn < 50).mean()]
    assert 0.3 < np.mean(shares) < 0.7
