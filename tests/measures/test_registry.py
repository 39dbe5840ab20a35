"""The library's measures are found and imported by name; a user registers functions and classes."""

import importlib
import keyword
import pickle
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
from support.building import batch_of, query

import fuzzytruth as ft
from fuzzytruth import measures
from fuzzytruth.errors import MeasureError
from fuzzytruth.measures import Measure, P, names, parse_measure, registry
from fuzzytruth.measures.list_similarity import ListMeasure
from fuzzytruth.measures.registry import MODULE_OF

pytestmark = pytest.mark.usefixtures("own_measures")
RUNS = {"x": {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}, "y": {"q": {"c": 2.0, "b": 1.0, "u": 0.5}}}


def test_measures_of_the_library() -> None:
    assert {name: registry.lookup(name)[0].__module__ for name in MODULE_OF} == MODULE_OF
    assert [name for name in names() if name in MODULE_OF] == list(MODULE_OF)
    classes = (getattr(measures, name) for name in measures.__all__)
    assert {c.name for c in classes if isinstance(c, type) and c is not Measure} == set(MODULE_OF)
    assert dir(measures) == sorted(measures.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nDGC'"):
        _ = measures.nDGC
    for name in names():
        assert not any(map(keyword.iskeyword, registry.lookup(name)[0].__dataclass_fields__))


def test_every_spelling_is_found_in_the_head_of_its_measure(monkeypatch) -> None:
    spellings = {name: (name.lower(), *registry.spellings_of(name)) for name in MODULE_OF}
    imported: list[str] = []
    monkeypatch.setattr(registry.importlib, "import_module", imported.append)
    for name, of_name in spellings.items():
        for spelling in of_name:
            imported.clear()
            registry.define_measure(spelling)
            assert MODULE_OF[name] in imported, spelling
    every = set(MODULE_OF.values())
    monkeypatch.setattr(registry, "MODULE_OF", {})  # installed without sources
    imported.clear()
    registry.define_measure("ndcg")
    assert every <= set(imported)


def first_hits(batch, *, k=3, rel=1.0):
    """Hits among the first k."""
    return batch.hits(k, rel)


def test_a_function_becomes_a_measure_in_one_line() -> None:
    cls = ft.measures.register(first_hits, name="FirstHits", aliases=("fh",))
    batch = batch_of(query([1, 2, 0, 1]))
    assert parse_measure("fh").score(batch).item() == 2
    assert parse_measure("FirstHits(rel=2)@4").score(batch).item() == 1
    assert cls.meaning == "Hits among the first k."
    assert "FirstHits" in names()
    assert str(parse_measure("firsthits(rel=1.5)@7")) == "FirstHits(rel=1.5)@7"
    ft.measures.register(
        first_hits, name="FirstHits", aliases=("again",)
    )  # a notebook cell is run again
    assert str(parse_measure("again")) == "FirstHits"
    with pytest.raises(MeasureError, match="not known"):
        parse_measure("fh")
    with pytest.raises(MeasureError, match="'map' is taken by AP"):
        ft.measures.register(first_hits, name="FirstHits", aliases=("map",))
    assert str(parse_measure("again")) == "FirstHits"  # a failed registration changes nothing


@pytest.mark.parametrize(
    ("given", "options", "message"),
    [
        (first_hits, {"name": "AP"}, "taken by the library"),
        (first_hits, {"name": "precision"}, "is taken by P"),
        (first_hits, {"name": "a b"}, "give name= without spaces"),
        (lambda batch: batch.length, {}, "give name="),
        (lambda batch, *, x: batch.length, {"name": "NoDefault"}, "'x' needs a default"),
        (lambda batch, *, score=1: batch.length, {"name": "Clash"}, "may be called 'score'"),
        (3, {}, "3 is not a measure; give a function"),
        (
            P,
            {"name": "Mine", "higher_is_better": False},
            "higher_is_better= is for functions; set it as a class",
        ),
        (P, {"name": "Mine", "needs_relevant": False}, "needs_relevant= is for functions"),
        (P, {"name": "Mine", "expects_ties": False}, "expects_ties= is for functions"),
    ],
)
def test_what_cannot_be_registered(given, options, message) -> None:
    with pytest.raises(MeasureError, match=message):
        ft.measures.register(given, **options)


def test_a_registered_measure_survives_pickling_where_it_is_not_known(monkeypatch) -> None:
    measure = ft.measures.register(first_hits, name="Travelling")(rel=2)
    data = pickle.dumps(measure)
    monkeypatch.delitem(registry._CLASSES, "Travelling")
    monkeypatch.delitem(registry._SPELLINGS, "travelling")
    registry._REGISTERED.discard("Travelling")
    again = pickle.loads(data)
    assert str(again) == "Travelling(rel=2)"
    nameless = ft.measures.register(lambda batch: batch.length, name="Nameless")()
    assert pickle.loads(pickle.dumps(nameless)) == nameless
    assert parse_measure("travelling(rel=2)") == again


def test_a_decorated_function_survives_pickling(tmp_path, monkeypatch) -> None:
    (tmp_path / "home_of_decorated.py").write_text(
        "import fuzzytruth as ft\n\n\n@ft.measures.register\ndef Decorated(batch, *, k=1):\n"
        "    return batch.listed(k)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    measure = importlib.import_module("home_of_decorated").Decorated() @ 3
    assert pickle.loads(pickle.dumps(measure)) == measure


def test_one_class_compares_lists() -> None:
    class Lengths(ListMeasure):
        """Length of the system's list less that of the subject's."""

        def compare_lists(self, lists):
            return lists.length - np.diff(lists.lists.offsets)

    lengths = ft.measures.register(Lengths)
    truth = {"q": {"a": 1, "b": 0.5}, "r": {"a": 1}}
    scores = ft.evaluate(truth, {"s": {"q": {"a": 1}, "r": {"a": 1, "b": 2, "c": 3}}}, "Lengths")
    assert scores.values[0, 0].tolist() == [-1, 2]
    with pytest.raises(
        ft.errors.MeasureError, match=r"compares whole lists, .* use worlds='subject'"
    ):
        lengths().score(batch_of(query([1])))


@pytest.fixture
def measure():
    """Half the relevant items among the first k, with every method a measure may have."""

    class HalfHits(Measure):
        """Half the number of relevant items among the first k."""

        rel: float = 1
        weight: float = 0.5
        meaning: ClassVar[str] = "half the number of relevant items among the first k"
        range: ClassVar[tuple[float, float]] = (0.0, float("inf"))

        def score(self, batch):
            return self.weight * batch.hits(self.cutoff, self.rel)

        def moments(self, probabilities):
            p = probabilities.hits.at_least(self.rel) * (probabilities.rank <= self.k)
            starts = probabilities.hits.offsets[:-1]
            mean = np.add.reduceat(p, starts, axis=-1)
            variance = np.add.reduceat(p * (1 - p), starts, axis=-1)
            return self.weight * mean, self.weight**2 * variance

        def exact_distribution(self, probabilities):
            pmf = np.ones(1)
            for p in probabilities.hits.at_least(self.rel)[probabilities.rank <= self.k]:
                pmf = np.convolve(pmf, [1 - p, p])
            return self.weight * np.arange(len(pmf)), pmf

        def bounds(self, lists):
            inside = lists.within(self.k)
            low = inside.relevant(self.rel).sum(axis=-1)
            return self.weight * low, self.weight * (low + inside.n_open)

    return ft.measures.register(HalfHits)


def votes(grades: dict[str, list[int]]) -> pd.DataFrame:
    rows = [("q", i, s, g) for i, own in grades.items() for s, g in zip("stu", own, strict=False)]
    return pd.DataFrame(rows, columns=["query", "item", "subject", "grade"])


VOTES = votes({"a": [1, 1, 0], "b": [1, 0, 0], "c": [1, 1, 1]})


def test_a_class_is_scored_in_every_kind_of_world(measure) -> None:
    crisp = {"q": {"a": 1, "b": 0, "c": 1}}
    scores = ft.evaluate(crisp, RUNS, ["HalfHits@2", measure(weight=2) @ 3])
    assert scores.values[:, :, 0].tolist() == [[0.5, 4], [0.5, 2]]
    assert scores.measures == ("HalfHits@2", "HalfHits(weight=2)@3")
    scores = ft.evaluate(crisp, RUNS, "HalfHits@3", unjudged="bounds")
    assert scores.lower[:, 0, 0].tolist() == [1, 0.5]
    assert scores.upper[:, 0, 0].tolist() == [1, 1]  # y retrieved u, which nobody judged
    scores = ft.evaluate(VOTES, RUNS, "HalfHits@2", worlds="subject")
    assert scores.values[0, 0].tolist() == [1, 0.5, 0]
    for worlds in ("independent", "population"):
        scores = ft.evaluate(VOTES, RUNS, ["HalfHits@2", P @ 2], worlds=worlds, rng=0)
        assert scores.uncertainty.exact.all()
        assert scores.values[:, 0, 0] == pytest.approx([0.5, 2 / 3])
        np.testing.assert_allclose(scores.values[:, 0], scores.values[:, 1])  # half of two is P@2
        np.testing.assert_allclose(scores.uncertainty.std[:, 0], scores.uncertainty.std[:, 1])
    scores = ft.evaluate(VOTES, RUNS, "HalfHits@2", worlds="independent", rng=0)
    assert scores.uncertainty.std[0, 0, 0] == pytest.approx(0.5 * np.sqrt(2 * 2 / 9))
    distribution = scores.distribution("x", "q", "HalfHits@2")
    assert distribution.exact
    assert distribution.values.tolist() == [0, 0.5, 1]
    assert distribution.probabilities == pytest.approx([2 / 9, 5 / 9, 2 / 9])


class _Listed:
    """A kernel beside a measure's class, which takes hits end to end."""

    def score(self, batch):
        return batch.per_query(batch.relevant(1)) / (10 * np.diff(batch.offsets))


class _Half:
    def score(self, batch):
        return (P(rel=1) @ 3).score(batch.end_to_end()) / 2


@pytest.mark.parametrize(("kernel", "beside"), [(_Listed, True), (_Half, False)])
def test_another_kernel_has_none_of_the_closed_forms(kernel: type, beside: bool) -> None:
    bases, own = ((kernel, P), {}) if beside else ((P,), {"score": kernel.score})
    made = ft.measures.register(type("AnotherP", bases, {**own, "name": "AnotherP"}))
    truth = votes({"a": [2, 0, 1], "b": [0, 1, 1], "c": [1, 0, 0]})
    scores = ft.evaluate(truth, RUNS, [made() @ 3], rng=0)
    assert not scores.uncertainty.exact.any()
    by_subject = ft.evaluate(truth, RUNS, [made() @ 3], worlds="subject")
    assert (made.any_layout, made.stops_at_cutoff, made.linear) == (False, False, False)
    expected = by_subject.values.mean(axis=-1)  # linear, in fact
    assert (abs(scores.values[..., 0] - expected) <= 5 * scores.uncertainty.mc_error[..., 0]).all()
