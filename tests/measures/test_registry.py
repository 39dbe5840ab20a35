"""Measures of the user's own: registered functions and classes."""

from __future__ import annotations

import importlib
import keyword
import pickle
from typing import ClassVar

import numpy as np
import pytest
from support.building import batch_of, query
from support.round_trip import round_trip

import fuzzytruth as ft
from fuzzytruth.errors import MeasureError
from fuzzytruth.measures import Measure, names, parse_measure, registry


def test_no_parameter_is_a_keyword_of_python() -> None:
    for name in names():
        cls = registry.lookup(name)[0]
        assert not any(keyword.iskeyword(f) for f in cls.__dataclass_fields__)


def first_hits(batch, *, k=3, rel=1.0):
    """Hits among the first k."""
    return batch.hits(k, rel)


def test_a_function_becomes_a_measure_in_one_line() -> None:
    cls = ft.register(first_hits, name="FirstHits", aliases=("fh",))
    batch = batch_of(query([1, 2, 0, 1]))
    assert parse_measure("fh").score(batch).item() == 2
    assert parse_measure("FirstHits(rel=2)@4").score(batch).item() == 1
    assert cls.meaning == "Hits among the first k."
    assert "FirstHits" in names()
    round_trip(parse_measure("firsthits(rel=1.5)@7"))
    ft.register(first_hits, name="FirstHits")  # as when a notebook cell is run again
    with pytest.raises(MeasureError, match="taken by the library"):
        ft.register(first_hits, name="AP")
    with pytest.raises(MeasureError, match="is taken by P"):
        ft.register(first_hits, name="precision")
    with pytest.raises(MeasureError, match="give name="):
        ft.register(lambda batch: batch.length)
    with pytest.raises(MeasureError, match="'x' needs a default"):
        ft.register(lambda batch, *, x: batch.length, name="NoDefault")
    with pytest.raises(MeasureError, match="may be called 'score'"):
        ft.register(lambda batch, *, score=1: batch.length, name="Clash")


def test_a_registered_measure_survives_pickling_where_it_is_not_known(monkeypatch) -> None:
    measure = ft.register(first_hits, name="Travelling")(rel=2)
    data = pickle.dumps(measure)
    monkeypatch.delitem(registry._CLASSES, "Travelling")
    monkeypatch.delitem(registry._SPELLINGS, "travelling")
    registry._REGISTERED.discard("Travelling")
    again = pickle.loads(data)
    assert str(again) == "Travelling(rel=2)"
    assert parse_measure("travelling(rel=2)") == again


@ft.register
class LastRank(Measure):
    """The rank of the last relevant item."""

    rel: float = 1
    scale: float = 1.0
    name: ClassVar[str] = "LastRank"
    range: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    higher_is_better: ClassVar[bool] = False

    def score(self, batch):
        ranks = np.where(batch.relevant(self.rel), batch.first, 0)
        return self.scale * np.array([[ranks.max(initial=0)]])


def test_a_class_becomes_a_measure_in_one_line() -> None:
    measure = parse_measure("lastrank(scale=0.5)")
    assert measure == LastRank(scale=0.5)
    assert measure.score(batch_of(query([0, 1, 0, 1, 0]))).item() == 2
    round_trip(measure)


def test_registered_measures_work_in_evaluate() -> None:
    truth = ft.Judgments.from_dict({"q": {"a": 1, "b": 0}})
    runs = ft.Runs.from_dict({"s": {"q": {"a": 2.0, "b": 1.0}}})
    assert ft.evaluate(truth, runs, ["LastRank"]).mean().loc["s", "LastRank"] == 1


def test_a_failed_registration_changes_nothing() -> None:
    ft.register(lambda batch: batch.length, name="Twice", aliases=("twofold",))
    with pytest.raises(MeasureError, match="'map' is taken by AP"):
        ft.register(lambda batch: batch.length, name="Twice", aliases=("map",))
    assert str(ft.parse_measure("twofold")) == "Twice"
    ft.register(lambda batch: batch.length, name="Twice", aliases=("again",))
    assert str(ft.parse_measure("again")) == "Twice"
    with pytest.raises(MeasureError, match="not known"):
        ft.parse_measure("twofold")


def test_a_decorated_function_survives_pickling(tmp_path, monkeypatch) -> None:
    (tmp_path / "home_of_decorated.py").write_text(
        "import fuzzytruth as ft\n\n\n@ft.register\ndef Decorated(batch, *, k=1):\n"
        "    return batch.listed(k)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    measure = importlib.import_module("home_of_decorated").Decorated() @ 3
    assert pickle.loads(pickle.dumps(measure)) == measure


@pytest.mark.parametrize("option", ["higher_is_better", "needs_relevant", "expects_ties"])
def test_a_class_says_in_its_attributes_what_a_function_says_in_options(option: str) -> None:
    class Misses(ft.Measure):
        def score(self, batch):
            return -batch.hits(3, 1.0)

    with pytest.raises(ft.MeasureError, match=f"{option}= is for functions; set it as a class"):
        ft.register(Misses, **{option: False})
