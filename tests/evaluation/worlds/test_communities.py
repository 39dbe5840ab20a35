"""Community worlds: a group is drawn, then each vote among the group's."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft
from fuzzytruth.errors import DataError, LostVotesWarning, MeasureError, OptionError, SubjectWarning
from fuzzytruth.evaluation.scores.score_rows import brackets_of

PEOPLE = ("ann", "bob", "cy", "di", "eve")
GROUPS = {"ann": "x", "bob": "x", "cy": "x", "di": "y", "eve": "y"}
RUNS = ft.Runs.from_dict(
    {
        "a": {q: {f"i{(q_ + j) % 6}": 6 - j for j in range(5)} for q_, q in enumerate(("q", "r"))},
        "b": {q: {f"i{(5 * j + q_) % 6}": 6 - j for j in range(5)} for q_, q in enumerate("qr")},
    }
)
MEASURES = ["P@3", "AP", "nDCG@4", "RR"]


def votes(missing: float = 0.0) -> pd.DataFrame:
    """Two groups who often want different items."""
    rng = np.random.default_rng(3)
    rows = [
        (q, f"i{i}", s, int(rng.random() < (0.8 if (i % 2 == 0) == (GROUPS[s] == "x") else 0.2)))
        for q in "qr"
        for i in range(6)
        for s in PEOPLE
        if rng.random() >= missing
    ]
    return pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])


def community(truth, groups=GROUPS, measures=MEASURES, **options):  # type: ignore[no-untyped-def]
    return ft.evaluate(truth, RUNS, measures, worlds="community", groups=groups, **options)


def same_std(one, other) -> None:  # type: ignore[no-untyped-def]
    """Exact for P@3 and RR, estimated from worlds for the other measures."""
    assert one[:, [0, 3]] == pytest.approx(other[:, [0, 3]])
    assert one == pytest.approx(other, abs=0.03)


def test_one_group_is_independent_worlds() -> None:
    one = community(votes(), dict.fromkeys(PEOPLE, "all"))
    independent = ft.evaluate(votes(), RUNS, MEASURES, worlds="independent")
    assert one.values == pytest.approx(independent.values)
    assert one.uncertainty is not None
    assert independent.uncertainty is not None
    same_std(one.uncertainty.std, independent.uncertainty.std)
    for measure in ("P@3", "AP"):
        of_one, other = (s.distribution("a", "q", measure) for s in (one, independent))
        assert of_one.values == pytest.approx(other.values)
        assert of_one.pmf(of_one.values) == pytest.approx(other.pmf(other.values))
    assert np.array_equal(one.uncertainty.world_means, independent.uncertainty.world_means)


def test_a_group_each_is_the_mean_of_subject_worlds() -> None:
    each = community(votes(), {name: name for name in PEOPLE})
    subject = ft.evaluate(votes(), RUNS, MEASURES, worlds="subject")
    by_subject = subject.values.reshape(2, 4, 2, 5)
    assert each.values == pytest.approx(by_subject.mean(-1))
    assert each.uncertainty is not None
    same_std(each.uncertainty.std, by_subject.std(-1))


@pytest.mark.parametrize("undefined", ["zero", "exclude"])
def test_expected_values_are_mixtures_over_groups(undefined: str) -> None:
    truth = ft.Judgments.from_frame(votes())
    found = community(truth, undefined=undefined)
    total = np.zeros_like(found.values)
    mass = np.zeros_like(found.values)
    moments = np.zeros_like(found.values)
    for name, share in (("x", 0.6), ("y", 0.4)):
        some = [s for s in PEOPLE if GROUPS[s] == name]
        alone = ft.evaluate(
            truth.select(subjects=some), RUNS, MEASURES, worlds="independent", undefined=undefined
        )
        assert alone.uncertainty is not None
        part = np.ones_like(mass) * share
        if undefined == "exclude":
            empty = truth.select(subjects=some).to_frame().groupby(["query", "item"])["grade"]
            none = (1 - empty.mean()).groupby("query").prod().to_numpy()
            part[:, [1, 2, 3]] *= (1 - none)[None, None]
        mass += part
        total += part * alone.values
        moments += part * (alone.uncertainty.std**2 + alone.values**2)
    assert found.values == pytest.approx(total / mass)
    assert found.uncertainty is not None
    assert found.uncertainty.exact.all()
    same_std(found.uncertainty.std, np.sqrt(moments / mass - (total / mass) ** 2))


def test_distributions_are_mixtures_and_worlds_follow_them() -> None:
    truth = ft.Judgments.from_frame(votes())
    found = community(truth, n_worlds=4000, keep_worlds=True)
    mixed = found.distribution("a", "r", "P@3")
    parts = []
    for name, share in (("x", 0.6), ("y", 0.4)):
        some = truth.select(subjects=[s for s in PEOPLE if GROUPS[s] == name])
        alone = ft.evaluate(some, RUNS, ["P@3"], worlds="independent")
        parts.append(share * alone.distribution("a", "r", "P@3").pmf(mixed.values))
    assert mixed.pmf(mixed.values) == pytest.approx(np.sum(parts, axis=0))
    gap = found.difference("a", "b", query="r", measure="P@3")
    assert gap.mean() == pytest.approx(float(found.values[0, 0, 1] - found.values[1, 0, 1]))
    assert found.uncertainty is not None
    kept, means = found.uncertainty.kept, found.uncertainty.world_means
    assert kept is not None
    assert means is not None
    assert kept.mean(0) == pytest.approx(found.values, abs=0.03)
    assert kept.std(0) == pytest.approx(found.uncertainty.std, abs=0.03)
    # all queries have the group of the world: their mean varies with it, too
    within, between = 0.0, []
    for name, share in (("x", 0.6), ("y", 0.4)):
        some = truth.select(subjects=[s for s in PEOPLE if GROUPS[s] == name])
        alone = ft.evaluate(some, RUNS, ["P@3"], worlds="independent")
        assert alone.uncertainty is not None
        within += share * float((alone.uncertainty.std[1, 0] ** 2).sum()) / 4
        between.append(float(alone.values[1, 0].mean()))
    variance = within + 0.24 * (between[0] - between[1]) ** 2
    assert means[:, 1, 0].var() == pytest.approx(variance, rel=0.06)
    assert 0.24 * (between[0] - between[1]) ** 2 > 0.1 * variance
    again = community(truth, n_worlds=4000, keep_worlds=True, n_jobs=2)
    assert again.uncertainty is not None
    assert np.array_equal(again.uncertainty.kept, kept)


def test_query_by_example_has_them_too() -> None:
    tree = ft.Taxonomy.from_children({"all": ["cat", "dog", "car"]})
    rng = np.random.default_rng(4)
    rows = [
        (s, f"i{i}", ("cat", "dog", "car")[(i + (GROUPS[s] == "y") * (rng.random() < 0.8)) % 3])
        for i in range(8)
        for s in PEOPLE
    ]
    frame = pd.DataFrame(rows, columns=["subject", "item", "category"])
    labels = ft.Assignments.from_frame(frame, taxonomy=tree)
    runs = ft.Runs.from_dict(
        {"a": {f"i{i}": {f"i{(i + j) % 8}": 8 - j for j in range(1, 6)} for i in range(8)}}
    )
    options = {"measures": ["P@2", "P@4"], "worlds": "community"}
    found = ft.evaluate(labels.by_example(), runs, groups=GROUPS, **options)
    total = np.zeros_like(found.values)
    for name, share in (("x", 0.6), ("y", 0.4)):
        some = frame[frame["subject"].map(GROUPS) == name]
        alone = ft.Assignments.from_frame(some, taxonomy=tree).by_example()
        total += share * ft.evaluate(alone, runs, ["P@2", "P@4"], worlds="independent").values
    assert found.values == pytest.approx(total)
    people = ft.evaluate(labels.by_example(), runs, ["P@2", "P@4"], worlds="subject")
    each = ft.evaluate(labels.by_example(), runs, groups={s: s for s in PEOPLE}, **options)
    assert each.values == pytest.approx(people.values.reshape(1, 2, 8, 5).mean(-1))


def test_items_without_a_vote_of_the_group_have_all_votes() -> None:
    frame = votes()
    frame = frame[~((frame["item"] == "i0") & frame["subject"].isin(["di", "eve"]))]
    with pytest.warns(LostVotesWarning, match="group in 2 of 24 pairs of a group and an item"):
        found = community(frame, measures=["P@1"])
    by = frame[(frame["query"] == "q") & (frame["item"] == "i0")]["grade"].mean()
    assert found.values[0, 0, 0] == pytest.approx(by)  # of x, who alone voted on it, in both


def test_what_is_refused(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="needs the group of each subject"):
        ft.evaluate(votes(), RUNS, ["AP"], worlds="community")
    with pytest.raises(OptionError, match="is for worlds='community', not 'independent'"):
        ft.evaluate(votes(), RUNS, ["AP"], groups=GROUPS)
    with pytest.raises(OptionError, match="'zoe' is no subject of this truth"):
        community(votes(), {"zoe": "x"})
    with pytest.raises(OptionError, match="no subject is in any"):
        community(votes(), {})
    with pytest.raises(OptionError, match=r"worlds='community': .*(single source|subjects)"):
        community({"q": {"i0": 1}})
    with pytest.raises(MeasureError, match="which worlds='community' takes apart"):
        community(votes(), measures=["RBO"])
    with pytest.warns(SubjectWarning, match="1 subject is in no group and left out"):
        community(votes(), {"ann": "x", "bob": "x", "cy": "y", "di": "y"})
    with pytest.raises(OptionError, match="community worlds are no sample"):
        ft.tests.non_inferiority(
            community(votes(), measures=["AP"]), "a", "b", margin=0.1, over="world"
        )


def test_scores_say_which_groups_and_can_be_saved(tmp_path: Path) -> None:
    found = community(votes(), measures=["AP"], n_worlds=50)
    other = community(votes(), {**GROUPS, "cy": "y"}, measures=["P@3"], n_worlds=50)
    with pytest.raises(DataError, match="the groups"):
        ft.concat([found, other])
    found.save(tmp_path / "scores.parquet")
    loaded = ft.Scores.load(tmp_path / "scores.parquet")
    assert loaded.provenance == found.provenance
    assert found.provenance is not None
    assert "groups=" in str(found.provenance)
    assert "takes one of a group's votes at random" in brackets_of(found, ("world",), 0.9)
