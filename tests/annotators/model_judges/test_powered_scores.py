"""Clusters of human-judged queries: who judged them, or as given."""

import dataclasses
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.scores_for_tests import scores_of

import fuzzytruth as ft

NAMES = [f"s{j // 3}" for j in range(15)]  # of the persons


def scores(names: list[str] = NAMES, **given: Any) -> tuple[ft.Scores, ft.Scores]:
    rng = np.random.default_rng(4)
    f = rng.normal(size=(2, 45))
    y = f[:, : len(names)] + rng.normal(size=(2, len(names)))
    frame = pd.DataFrame(
        {
            "system": np.repeat(["sys0", "sys1"], len(names)),
            "query": [f"q{j}" for j in range(len(names))] * 2,
            "subject": names * 2,
            "measure": "m",
            "value": y.ravel(),
        }
    )
    people = ft.Scores.from_frame(frame, higher_is_better=True)
    return dataclasses.replace(people, **given), scores_of(f)


def test_by_person() -> None:
    people, models = scores()
    result = ft.prediction_powered(people, models, clusters="subject")
    frame = result.to_frame(full=True)
    assert (frame["df"] == 3).all()
    assert result.conditions.n_clusters == 5
    named = dict(zip(people.queries, NAMES, strict=True))
    given = ft.prediction_powered(people, models, clusters=named).to_frame(full=True)
    pd.testing.assert_frame_equal(frame, given)
    assert "over queries, in 5 clusters" in str(result)
    alone = ft.prediction_powered(people, models)
    assert "5 people judged" in str(alone)
    assert (alone.to_frame(full=True)["df"] == 13).all()


def test_an_attribute_of_queries() -> None:
    people, models = scores()
    topics = tuple(f"t{j // 3}" for j in range(45))
    models = dataclasses.replace(models, query_attributes={"topic": topics})
    result = ft.prediction_powered(people, models, clusters="topic")
    assert result.conditions.n_clusters == 5
    with pytest.raises(ft.errors.OptionError, match="author"):
        ft.prediction_powered(people, models, clusters="author")


def test_queries_without_a_cluster() -> None:
    people, models = scores()
    named = dict(zip(people.queries[2:], NAMES[2:], strict=True))
    with pytest.warns(ft.FuzzytruthWarning) as caught:
        result = ft.prediction_powered(people, models, clusters=named)
    said = " ".join(str(one.message) for one in caught)
    assert "2 human-judged queries are in no cluster" in said
    assert "7 clusters of human-judged queries of different sizes (1 to 3)" in said
    assert result.conditions.n_clusters == 7


def test_too_few_clusters() -> None:
    people, models = scores([f"s{j // 4}" for j in range(16)])
    with pytest.raises(ft.errors.DataError, match=r"in 4 clusters; intervals need 5 or more"):
        ft.prediction_powered(people, models, clusters="subject")


def test_who_judged_must_be_known() -> None:
    people, models = scores()
    with pytest.raises(ft.errors.OptionError, match="the human judgments do not name who judged"):
        ft.prediction_powered(models.select(queries=models.queries[:9]), models, clusters="subject")
    nested = dataclasses.replace(people, design="nested")
    with pytest.raises(ft.errors.OptionError, match="the people are nested in queries"):
        ft.prediction_powered(nested, models, clusters="subject")
    both = scores_of(np.random.default_rng(0).normal(size=(2, 2, 9)))
    with pytest.raises(
        ft.errors.DataError, match=r"9 queries were judged by several people: 'q0', "
    ):
        ft.prediction_powered(both, models, clusters="subject")
    with pytest.raises(ft.errors.OptionError, match="clusters: with finite=True"):
        ft.prediction_powered(people, models, clusters="subject", finite=True)
