"""What is handed in by mistake gives one line that names it, and no traceback from within."""

from __future__ import annotations

import datetime

import numpy as np
import pandas as pd
import pytest

import fuzzytruth as ft

TRUTH = {"q": {"a": 1, "b": 0}}
RUNS = {"x": {"q": {"a": 2.0, "b": 1.0}}}
TWO = RUNS | {"y": {"q": {"b": 2.0}}}
COUNTS = pd.DataFrame({"query": "q", "item": ["a", "b"], "grade": [1, 0], "count": [3, 2]})


def scores():
    return ft.evaluate(TRUTH, RUNS, "AP")


def pairs():
    return ft.Judgments.from_columns(
        ["q"] * 6, [*"aabbcc"], [0, 1, 1, 1, 0, 0], subject=["ann", "bob"] * 3
    )


def pilot():
    rows = [("x", "q", 0.1), ("x", "r", 0.4), ("y", "q", 0.3), ("y", "r", 0.2)]
    return ft.Scores.from_frame(pd.DataFrame(rows, columns=["system", "query", "value"]))


def half():
    return ft.Distribution.from_atoms([0, 1], [0.5, 0.5])


def graded(grade):
    return ft.Judgments.from_columns(["q"], ["a"], grade)


def voted(*names):
    rows = [(f"q{j}", item, name, j % 2) for j in range(4) for item in "ab" for name in names]
    query, item, name, grade = zip(*rows, strict=True)
    return ft.Judgments.from_columns(query, item, grade, subject=name)


def agreed(**options):
    return ft.agreement(voted("s", "t"), **options)


FIGURES = {  # and what each draws, beside a frame
    name: getattr(ft.plots, name) for name in ft.plots.__all__ if name != "displacement"
}
DRAWN = pd.DataFrame(
    {
        "measure": "m", "system_a": "x", "system_b": "y", "difference": [0.1],
        "lower": 0.0, "upper": 0.2, "significant": True,
    }
)  # fmt: skip


MISTAKES = {
    "forest of subjects in a list": (
        lambda: ft.plots.forest(DRAWN, subjects=[1]),
        r"subjects=\[1\]: must be a DataFrame",
    ),
    "forest of half a row": (lambda: ft.plots.forest(DRAWN, n_rows=0.5), "n_rows=0.5"),
    "forest, order": (lambda: ft.plots.forest(DRAWN, order=1), "order=1: must be one of"),
    "matrix in the order 3": (lambda: ft.plots.pairwise_matrix(DRAWN, order=3), "order=3: must"),
    "measure of a figure": (lambda: ft.plots.forest(DRAWN, measure=3), "measure 3 is not in"),
    "kind of a distribution": (
        lambda: ft.plots.distribution(half(), kind="bars"),
        "kind='bars': must be one of",
    ),
    "values of a tree in a list": (
        lambda: ft.plots.tree(pd.DataFrame({"parent": ["a"], "child": ["b"]}), values=[1]),
        r"values=\[1\]: must be a mapping",
    ),
    "displacement of a list": (
        lambda: ft.plots.displacement([1]),
        r"data=\[1\]: must be a DataFrame",
    ),
    "pairs of nothing": (lambda: ft.pairwise_agreement(None), "None"),
    "pairs of one truth": (lambda: ft.pairwise_agreement(TRUTH), "votes: these judgments are one"),
    "coefficient": (
        lambda: ft.pairwise_agreement(pairs(), coefficient=3),
        "coefficient=3: must be one of 'percent'",
    ),
    "metric=None": (lambda: ft.pairwise_agreement(pairs(), metric=None), "metric=None: must be o"),
    "over=[]": (
        lambda: ft.pairwise_agreement(pairs(), over=[]),
        r"over=\[\]: must be one of 'item'",
    ),
    "level='x'": (lambda: ft.pairwise_agreement(pairs(), level="x"), "level='x': must be a number"),
    "threshold": (
        lambda: ft.pairwise_agreement(pairs()).duplicates("all"),
        "threshold='all': must be a finite number",
    ),
    "components of no scores": (
        lambda: ft.variance_components([1]),
        r"scores: give Scores, .* not \[1\]",
    ),
    "components, replicate_of": (
        lambda: ft.variance_components(scores(), replicate_of=3),
        r"replicate_of=3: must be \{system: name",
    ),
    "components, level": (
        lambda: ft.variance_components(scores(), level="x"),
        "level='x': must be a number",
    ),
    "components, design": (
        lambda: ft.variance_components(scores(), design=3),
        "design=3: must be one of",
    ),
    "components, measures=3": (
        lambda: ft.variance_components(scores(), measures=3),
        "measures=3: must be names of measures",
    ),
    "components, measures": (
        lambda: ft.variance_components(scores(), measures=[]),
        "measures: name at least one",
    ),
    "agreement(3)": (lambda: ft.agreement(3), "give Judgments, .* not 3"),
    "agreement of one truth": (lambda: ft.agreement(TRUTH), "one truth by an unknown author"),
    "agreement: coefficient": (
        lambda: agreed(coefficient="beta"),
        "coefficient='beta': must",
    ),
    "agreement: metric=3": (
        lambda: agreed(metric=3),
        r"a matrix of shape \(\) does not fit",
    ),
    "agreement: metric=None": (
        lambda: agreed(metric=None),
        "metric=None: must be the name of",
    ),
    "agreement: over=3": (
        lambda: agreed(over=3),
        "over=3: must be 'item', 'query', 'sub",
    ),
    "agreement: over=()": (
        lambda: agreed(over=()),
        r"over=\(\): must be 'item', 'query'",
    ),
    "agreement: over twice": (
        lambda: agreed(over=["item", "query"]),
        "queries are clusters",
    ),
    "agreement: subjects=3": (
        lambda: agreed(subjects=3),
        "subjects=3: must be names",
    ),
    "agreement: subjects": (
        lambda: agreed(subjects="sx"),
        "subject 'sx' is not among",
    ),
    "agreement: subjects twice": (
        lambda: agreed(subjects=["s", "s"]),
        "is given twice",
    ),
    "agreement: level": (
        lambda: agreed(level=95),
        "level=95: must lie between 0 and 1",
    ),
    "agreement: scale": (
        lambda: agreed(scale=3),
        "scale=3: must be the lowest and the high",
    ),
    "agreement: scale text": (
        lambda: agreed(scale=("a", 3)),
        "scale='a': must be a finite",
    ),
    "agreement: scale upside down": (
        lambda: agreed(scale=(3, 0)),
        "must be the lowest and",
    ),
    "rng of agreement": (
        lambda: agreed(rng="x"),
        "rng='x': must be None, a whole",
    ),
    "n_jobs=0": (lambda: ft.evaluate(TRUTH, RUNS, "AP", n_jobs=0), "n_jobs=0: must be 1 or more"),
    "rng=True": (lambda: ft.evaluate(TRUTH, RUNS, "AP", rng=True), "rng=True: must be None, a who"),
    "rng text": (lambda: half().rvs(rng="12"), "rng='12': must be None, a whole number"),
    "size": (lambda: half().rvs(size="x"), "size='x': must be a whole number"),
    "votes=3": (lambda: ft.annotate_next(3, RUNS, "AP"), "votes: give Judgments.* not 3"),
    "runs=3 for votes": (lambda: ft.annotate_next(COUNTS, 3, "AP"), "runs: give Runs.* not 3"),
    "measure=3": (lambda: ft.annotate_next(COUNTS, RUNS, 3), "measure.*3"),
    "systems=3": (lambda: ft.annotate_next(COUNTS, RUNS, "AP", systems=3), "systems=3: must be"),
    "systems=(1, 2)": (lambda: ft.annotate_next(COUNTS, RUNS, "AP", systems=(1, 2)), "systems: 1"),
    "k='1'": (lambda: ft.annotate_next(COUNTS, RUNS, "AP", k="1"), "k='1': must be a whole"),
    "prior={}": (
        lambda: ft.annotate_next(COUNTS, TWO, "AP", prior={}),
        "prior={}: must have votes for each grade",
    ),
    "prior=[1]": (lambda: ft.annotate_next(COUNTS, TWO, "AP", prior=[1]), r"prior=\[1\]: must be"),
    "unjudged": (
        lambda: ft.annotate_next(COUNTS, TWO, "AP", unjudged="no"),
        "unjudged='no': must be True or False",
    ),
    "limit": (lambda: ft.annotate_next(COUNTS, TWO, "AP", limit=1.5), "limit=1.5: must be a who"),
    "progress": (lambda: ft.evaluate(TRUTH, RUNS, "AP", progress=True), "progress=True: must be a"),
    "measures=None": (lambda: ft.evaluate(TRUTH, RUNS, None), "measures=None: give one or sev"),
    "measures=3": (lambda: ft.evaluate(TRUTH, RUNS, 3), "measures=3: give one or several"),
    "register": (lambda: ft.register(3), "register: 3 is not a measure; give a function"),
    "register a class": (lambda: ft.register(int), "<class 'int'> is not a measure"),
    "query=None": (lambda: scores().distribution("x", None, "AP"), "query=None: name a query"),
    "measure=None": (lambda: scores().mean_distribution("x", None), "measure None is not among"),
    "groups": (lambda: scores().mean(groups=3), r"groups=3: must be \{query: group\}"),
    "save as CSV": (lambda: scores().save("s.csv"), "s.csv: .* must end in .parquet"),
    "save": (lambda: scores().save(3), "path=3: must be the path of a file"),
    "load": (lambda: ft.Scores.load(None), "path=None: must be the path of a file"),
    "mixture of numbers": (
        lambda: ft.Distribution.mixture([1, 2], [0.5, 0.5]),
        r"distributions\[0\]=1: must be a Distribution; Distribution.point",
    ),
    "mixture of one": (lambda: ft.Distribution.mixture(half(), [1]), "must be a list of distrib"),
    "prob_greater": (lambda: half().prob_greater(3, independent=True), "other=3: must be a Dist"),
    "prob_equal": (lambda: half().prob_equal(3, independent=True), "other=3: must be a Distr"),
    "difference": (lambda: half().difference(3, independent=True), "other=3: must be a Distrib"),
    "wasserstein": (lambda: half().wasserstein(None), "other=None: must be a Distribution"),
    "dominates": (lambda: half().dominates("b"), "other='b': must be a Distribution"),
    "read_judgments(3)": (lambda: ft.read_judgments(3), "path=3: must be the path of a file"),
    "read_judgments()": (lambda: ft.read_judgments(None), "path=None: must be the path of a file"),
    "an empty path": (lambda: ft.read_judgments(""), "path='': must be the path of a file, and n"),
    "standard input": (lambda: ft.read_judgments("-"), "path='-': names no file here; write /dev/"),
    "read_runs(3)": (lambda: ft.read_runs(3), "path=3: must be the path of a file"),
    "read_runs(dict)": (
        lambda: ft.read_runs(RUNS),
        r"must be \{name: path\}; Runs.from_dict takes",
    ),
    "no frame": (
        lambda: ft.Judgments.from_frame(TRUTH),
        "must be a DataFrame .*; Judgments.from_dict",
    ),
    "no frame of runs": (
        lambda: ft.Runs.from_frame(RUNS),
        "must be a DataFrame .*; Runs.from_dict",
    ),
    "no dict": (lambda: ft.Judgments.from_dict([1]), r"must be \{query: \{item: grade\}\}"),
    "no dict of runs": (lambda: ft.Runs.from_dict([1]), r"runs=\[1\]: must be \{system: \{query"),
    "rename": (lambda: ft.Runs.from_dict(RUNS).rename(3), r"names=3: must be \{old name"),
    "no columns": (lambda: ft.Judgments.from_columns(3, ["a"], [1]), "must be a column of ids"),
    "no ids": (
        lambda: ft.Runs.from_matrix([[1]], queries=3, items=["b"]),
        "queries=3: must be a list of ids",
    ),
    "cutoffs": (
        lambda: ft.image_text(np.eye(3), [0, 1, 2], cutoffs=5),
        "cutoffs=5: must be a list of whole numbers from 1",
    ),
    "prediction_powered of numbers": (
        lambda: ft.prediction_powered(3, TRUTH, RUNS, "AP"),
        "human=3: give Judgments, a frame",
    ),
    "prediction_powered of no runs": (
        lambda: ft.prediction_powered(TRUTH, TRUTH),
        "runs=None: judgments need runs and measures",
    ),
    "prediction_powered of one query": (
        lambda: ft.prediction_powered(TRUTH, TRUTH, RUNS, "AP"),
        "human: 1 judged query; what the model adds can be told from 3 on",
    ),
    "prediction_powered of items": (
        lambda: ft.prediction_powered(scores(), scores(), unit="item"),
        "unit='item': must be 'query': items of a query vary together",
    ),
    "prediction_powered, judges": (
        lambda: ft.prediction_powered(scores(), scores(), by="model"),
        "by='model': must be one of None, 'judge'",
    ),
    "influence of numbers": (lambda: ft.subject_influence(3, RUNS, "AP"), "truth: give Judgments"),
    "influence without runs": (lambda: ft.subject_influence(TRUTH), "runs=None: votes take runs"),
    "reliability of numbers": (lambda: ft.reliability(3), "votes: give Judgments"),
    "reliability of one truth": (lambda: ft.reliability(TRUTH), "one truth by an unknown author"),
    "dates": (
        lambda: graded(np.array(["2020-01-01"], dtype="datetime64[D]")),
        "column 'grade': value .*2020-01-01.* is not a number",
    ),
    "a column of dates": (
        lambda: graded(pd.Series(pd.to_datetime(["2020-01-01"]))),
        "column 'grade': value .*2020.* is not a number",
    ),
    "a date": (lambda: graded([datetime.date(2020, 1, 1)]), "value datetime.date.* is not a num"),
    "durations": (lambda: graded(np.array([3], dtype="m8[s]")), "is not a number"),
    "complex numbers": (lambda: graded(np.array([1 + 2j])), r"value .*1\+2j.* is not a number"),
    "plan": (lambda: ft.plan(3, half_width=1), "scores: give Scores, .*, not 3"),
    "plan components": (
        lambda: ft.plan(components=[1], half_width=1),
        r"components=\[1\]: must be \{component: variance\}",
    ),
    "plan of": (
        lambda: ft.plan(components={"residual": 1}, half_width=1, of=3),
        "of=3: must be one of",
    ),
    "plan over": (
        lambda: ft.plan(components={"residual": 1}, half_width=1, over=3),
        "over=3: must be 'query', 'subject', or both",
    ),
    "plan queries": (
        lambda: ft.plan(components={"residual": 1}, half_width=1, queries=1.5),
        "queries=1.5: must be a whole number, or several",
    ),
    "plan family": (
        lambda: ft.plan(components={"residual": 1}, half_width=1, family=True),
        "family=True: must be 'all pairs'",
    ),
    "plan budget": (
        lambda: ft.plan(components={"residual": 1}, budget="much"),
        "budget='much': must be a finite number",
    ),
    "plan systems": (lambda: ft.plan(pilot(), half_width=1, systems=3), "systems: '3' is not"),
    "plan measure": (lambda: ft.plan(pilot(), half_width=1, measure=3), "3"),
    "plan replicates": (
        lambda: ft.plan(pilot(), half_width=1, replicate_of=3),
        "replicate_of=3",
    ),
    "predict": (
        lambda: ft.plan(components={"residual": 1}, half_width=1).predict("x"),
        "queries='x': must be a whole number",
    ),
    "a complex number": (lambda: graded([np.complex128(1)]), "is not a number"),
    "alternative_annotator(3)": (
        lambda: ft.alternative_annotator(3, voted("m")),
        "human=3: give Judgments, Assignments, a frame",
    ),
    "alternative_annotator(model=3)": (
        lambda: ft.alternative_annotator(voted("a", "b", "c"), 3),
        "model=3: give Judgments, Assignments, a frame",
    ),
    "alternative_annotator of Runs": (
        lambda: ft.alternative_annotator(voted("a", "b", "c"), ft.Runs.from_dict(RUNS)),
        "model=Runs.*: give Judgments, Assignments",
    ),
    "epsilon": (
        lambda: ft.alternative_annotator(voted("a", "b", "c"), voted("m"), epsilon=None),
        "epsilon=None: must be a number",
    ),
    "judge_agreement(3)": (
        lambda: ft.judge_agreement(3, voted("m")),
        "human=3: give Judgments, Assignments, a frame",
    ),
    "judge_agreement(runs=3)": (
        lambda: ft.judge_agreement(voted("a"), voted("m"), 3),
        "runs: .* not 3",
    ),
    "judge_agreement(missing=3)": (
        lambda: ft.judge_agreement(voted("a"), voted("m"), RUNS | {"y": RUNS["x"]}, missing=3),
        "missing=3: must be one of",
    ),
    "judge_agreement(rng)": (
        lambda: ft.judge_agreement(voted("a"), voted("m"), rng="x"),
        "rng='x': must be None, a whole",
    ),
    "caption=3": (lambda: scores().to_latex(caption=3), "caption=3: must be a text"),
    "digits=10**400": (
        lambda: scores().to_markdown(digits=10**400),
        "digits=1000.*: must be 100 or less",
    ),
    "full=NA": (lambda: pilot().summary(full=pd.NA), "full=<NA>: must be True or False"),
    "correction=NA": (
        lambda: ft.compare(pilot(), correction=pd.NA),
        "correction=<NA>: must be None",
    ),
    "limits=3": (
        lambda: ft.Taxonomy.flat(["a"]).plot(limits=3),
        "limits=3: must be two numbers",
    ),
    "labels of a tree": (
        lambda: ft.Taxonomy.flat(["a"]).to_text(labels=["a"]),
        r"labels=\['a'\]: must be a mapping",
    ),
    "statistic without an axis": (
        lambda: scores().summary(statistic=int, method="percentile"),
        r"statistic: is called as statistic\(values, axis=-1\)",
    ),
    "expected value of no function": (lambda: half().expect(3), "func=3: must be a function"),
    "truth of class_scores": (
        lambda: ft.class_scores(TRUTH, COUNTS),
        "truth=.*: must be Assignments or Membership",
    ),
    "two subjects in a list": (
        lambda: ft.Judgments.from_frame(COUNTS, subjects=[["a"]]),
        r"subjects=\[\['a'\]\]: must be the names of columns",
    ),
    "from_judgments(3)": (lambda: ft.Runs.from_judgments(3), "votes=3: must be Judgments"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_one_clear_error_and_nothing_written(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    call, message = MISTAKES[name]
    with pytest.raises(ft.FuzzytruthError, match=message) as caught:
        call()
    assert "\n" not in str(caught.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "name", ["t.xlsx", "t.pickle", "t.feather", "t.csv.bz2", "t.zip", "t.gz.xz"]
)
def test_endings_of_other_formats(name, tmp_path):
    """They are no TREC files, and were written as such."""
    (tmp_path / name).write_bytes(b"PK\x03\x04")
    for call in (
        lambda path: ft.read_judgments(path),
        lambda path: ft.read_runs(path),
        lambda path: ft.Judgments.from_dict(TRUTH).write(path),
        lambda path: ft.Runs.from_dict(RUNS).write(path),
    ):
        with pytest.raises(
            ft.DataError, match=r"names no format that is|only .gz compression is supported"
        ):
            call(tmp_path / name)


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize("drawn", [None, 3, [1, 2], "bm25"])
def test_figures_say_what_they_cannot_draw(name, drawn):
    with pytest.raises(ft.FuzzytruthError, match="draws a DataFrame or a result, not ") as found:
        FIGURES[name](drawn)
    assert "\n" not in str(found.value)
