"""A few human-judged queries and a model's judgments of all: coverage, and width to people's."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

import fuzzytruth as ft
from fuzzytruth._typing import Floats, Ints
from fuzzytruth.errors import TieWarning
from fuzzytruth.stats.powered_means import PoweredMeans, powered_means
from validity.rates import Counts, add

RESIDUALS = ("normal", "laplace", "lognormal")
HUMAN = (10, 25)
QUERIES = (50, 200)
CORRELATIONS = (0.0, 0.3, 0.6, 0.9)
RATERS = (5, 10, 25)
MEASURES = ("nDCG@10", "AP", "P@10")
REAL_HUMAN = (10, 15)
LEVEL = 0.95
#: judges whose grades, as scores of passages, are the runs; no team of theirs is a model here
_SYSTEMS = ("h2oloo-fewself", "RMITIR-llama38b", "TREMA-4prompts", "willia-umbrela1")
_MODELS = ("NISTRetrieval", "Olz", "prophet")
_OF_RATER = 0.5  # of the variance of human scores, where raters differ
_BLOCK = 2000  # data sets at a time


def settings() -> Iterator[dict[str, Any]]:
    """Simulated scores."""
    for residuals in RESIDUALS:
        for human in HUMAN:
            for queries in QUERIES:
                for rho in CORRELATIONS:
                    yield {"residuals": residuals, "human": human, "queries": queries, "rho": rho}


def rater_settings() -> Iterator[dict[str, Any]]:
    """People who differ, each of whom judged some queries."""
    for raters in RATERS:
        for sizes in ("four", "1 to 7"):
            for rho in (0.0, 0.6):
                yield {"raters": raters, "sizes": sizes, "rho": rho}


def real_settings() -> Iterator[dict[str, Any]]:
    """Queries of TREC DL 2023, judged by a person and models."""
    for measure in MEASURES:
        for human in REAL_HUMAN:
            yield {"measure": measure, "human": human}


def prediction_powered(
    residuals: str, human: int, queries: int, rho: float, *, sets: int, seed: np.random.SeedSequence
) -> Counts:
    """One mean of 0; the first queries are human-judged."""
    total: Counts = {}
    rng = np.random.default_rng(seed)
    for _ in range(0, sets, _BLOCK):
        f = _noise(residuals, (min(_BLOCK, sets), queries), rng)
        y = np.full(f.shape, np.nan)
        own = _noise(residuals, (len(f), human), rng)
        y[:, :human] = rho * f[:, :human] + np.sqrt(1 - rho**2) * own
        _tally(total, powered_means(y, f), np.zeros(len(f)))
        _tally(total, powered_means(y, f, tuning=1.0), np.zeros(len(f)), "lambda = 1")
    return total


def raters(
    raters: int, sizes: str, rho: float, *, sets: int, seed: np.random.SeedSequence
) -> Counts:
    """The same where half of the variance of people's scores is between those who judged."""
    total: Counts = {}
    rng = np.random.default_rng(seed)
    rounds = 20  # of different sizes
    for _ in range(rounds):
        size = np.full(raters, 4) if sizes == "four" else rng.integers(1, 8, raters)
        who: Ints = np.repeat(np.arange(raters), size)
        n, shape = len(who), (sets // rounds, 4 * len(who))
        f = rng.normal(size=shape)
        y = np.full(shape, np.nan)
        common = rng.normal(size=(shape[0], raters))[:, who]
        own = rho * f[:, :n] + np.sqrt(1 - rho**2) * rng.normal(size=(shape[0], n))
        y[:, :n] = np.sqrt(_OF_RATER) * common + np.sqrt(1 - _OF_RATER) * own
        cluster = np.r_[who, raters + np.arange(shape[1] - n)]
        truth = np.zeros(shape[0])
        _tally(total, powered_means(y, f, cluster=cluster), truth)
        _tally(total, powered_means(y, f), truth, "raters ignored")
    return total


def real_queries(measure: str, human: int, *, sets: int, seed: np.random.SeedSequence) -> Counts:
    """Of 25 queries, some drawn as human-judged; the truth is the person's mean over all 25."""
    total: Counts = {}
    people, models = _real(measure)  # (rows, queries)
    rng = np.random.default_rng(seed)
    n = people.shape[1]
    judged = rng.permuted(np.tile(np.arange(n) < human, (sets, 1)), axis=1)
    truth = np.repeat(people.mean(axis=1), sets)
    y = np.where(judged, people[:, None], np.nan).reshape(-1, n)
    f = np.repeat(models, sets, axis=0)
    kinds = np.repeat(_is_difference(len(_SYSTEMS)), sets)
    for name, kind in (("means", ~kinds), ("differences", kinds)):
        out = powered_means(y[kind], f[kind], finite=True)
        _tally(total, out, truth[kind], name)
        wide = powered_means(y[kind], f[kind])
        _covers(total, f"cover: as a sample, {name}", wide.powered, truth[kind])
    return total


@cache
def _real(measure: str) -> tuple[Floats, Floats]:
    """Means and differences of the systems by the person, and by models: (rows, 25)."""
    votes = ft.datasets.load_llmjudge_dl23()
    frame = votes.select(subjects=_SYSTEMS).to_frame()
    named = frame.rename(columns={"subject": "system", "grade": "score"})
    runs = ft.Runs.from_frame(named[["system", "query", "item", "score"]])
    judges = [name for name in votes.subjects or () if name.split("-")[0] in _MODELS]
    out = []
    for subjects in (["human"], judges):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", TieWarning)  # four grades leave many ties
            truth = votes.select(subjects=subjects)
            scores = ft.evaluate(truth, runs, measure, worlds="subject")
        values = scores.cells.mean_by_query(scores.values[:, 0])  # (systems, queries)
        first, second = np.triu_indices(len(values), 1)
        out.append(np.vstack([values, values[first] - values[second]]))
    return out[0], out[1]


def _is_difference(systems: int) -> Floats:
    return np.arange(systems * (systems + 1) // 2) >= systems


def _noise(kind: str, shape: tuple[int, ...], rng: np.random.Generator) -> Floats:
    """Numbers of mean 0 and variance 1."""
    if kind == "normal":
        return rng.normal(size=shape)
    if kind == "laplace":
        return rng.laplace(scale=np.sqrt(0.5), size=shape)
    drawn = rng.lognormal(size=shape)
    return np.asarray((drawn - np.exp(0.5)) / np.sqrt((np.e - 1) * np.e))


def _tally(total: Counts, out: PoweredMeans, truth: Floats, name: str = "") -> None:
    """Coverage of the interval and of people's alone, and the ratio of their widths."""
    suffix = f", {name}" if name else ""
    half = [_covers(total, f"cover: {what}{suffix}", one, truth) for what, one in _parts(out)]
    add(total, f"width: powered / people{suffix}", half[0] / half[1])


def _parts(out: PoweredMeans) -> list[tuple[str, Any]]:
    return [("powered", out.powered), ("people", out.measured)]


def _covers(total: Counts, name: str, means: Any, truth: Floats) -> Floats:
    """Count coverage; half-widths."""
    lower, upper = means.interval(LEVEL)
    add(total, name, (lower <= truth) & (truth <= upper))
    return np.asarray((upper - lower) / 2)
