"""`analyse` gives what its parts give alone, and says what is best."""

import pickle
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.analysed import analysis, runs, truth

import fuzzytruth as ft

SAME = pd.testing.assert_frame_equal


def flat(result: Any) -> str:
    return " ".join(str(result).split())


def scores_of(rows: list[tuple[Any, ...]], *names: str) -> ft.Scores:
    return ft.Scores.from_frame(pd.DataFrame(rows, columns=["system", "query", *names, "value"]))


def test_parts_and_columns_are_those_of_the_functions() -> None:
    result = analysis("AP", "P@3")
    scores = ft.evaluate(truth(), runs(), ["AP", "P@3"], worlds="subject")
    SAME(result.scores.to_frame(), scores.to_frame())
    alone = ft.compare(scores, n_resamples=199)
    SAME(result.comparison.table, alone.table)
    SAME(result.both.table, ft.compare(scores, over=("query", "subject")).table)
    SAME(result.by_subject.table, alone.by_subject().table)
    stable = ft.rank_stability(scores, n_resamples=199).systems
    SAME(result.stability.systems, stable)
    assert result.verdicts() == alone.verdicts()
    topics = {query: f"t{j // 2}" for j, query in enumerate(scores.queries)}
    grouped = ft.analyse(scores, clusters=topics, n_resamples=199)
    both = ft.compare(scores, over=("query", "subject"), clusters=topics)
    SAME(grouped.both.table, both.table)
    assert "both: the same over clusters of queries and subjects" in flat(grouped)
    again = ft.analyse(scores, measures=["map", "P@3"], n_resamples=199)
    SAME(again.to_frame(full=True), result.to_frame(full=True))

    frame, short = result.to_frame(full=True), result.to_frame()
    names = ["measure", "system", "mean", "lower", "upper", "beats", "beats_both"]
    assert short.columns.tolist() == frame.columns.tolist()[: len(names)] == names
    frame = frame.set_index(["measure", "system"]).sort_index()
    summary = scores.summary().set_index(["measure", "system"]).sort_index()
    columns = ["mean", "lower", "upper", "n_queries"]
    np.testing.assert_allclose(frame[columns], summary[columns])
    stable = stable.set_index(["measure", "system"]).sort_index()
    columns = ["rank_lower", "rank_upper", "share_first"]
    SAME(frame[columns], stable[columns], check_dtype=False)
    by_subject = scores.mean(by="subject")["AP"].unstack("subject").sort_index()
    assert frame.loc["AP", "lowest_subject"].tolist() == by_subject.min(axis=1).tolist()
    assert frame.loc["AP", "highest_subject"].tolist() == by_subject.max(axis=1).tolist()
    for column, table in (("beats", result.comparison.table), ("beats_both", result.both.table)):
        table = table[table["significant"] & (table["measure"] == "AP")]
        found = {
            (row.system_a, row.system_b)[:: 1 if row.difference > 0 else -1]
            for row in table.itertuples()
        }
        cells = frame.loc["AP", column].items()
        assert {(a, b) for a, text in cells for b in text.split(",") if b} == found


def test_it_prints_one_screen_and_can_be_pickled() -> None:
    result = analysis("AP", "P@3")
    assert repr(result) == "Analysis(3 systems, 12 queries, 2 measures, 0 notes on the data)"
    for width in (60, 80):
        lines = result._answer().text(width).split("\n")
        assert max(map(len, lines)) <= width
        assert len(lines) <= 50
    text = flat(result)
    assert text.startswith(
        "Analysis of 3 systems by AP and P@3 good and close tie for best on AP and P@3; good has "
        "the best mean on AP by 2 of 3 subjects alone, close by 1"
    )
    for measure in ("AP", "P@3"):
        for part in (result.comparison, result.both):
            n = part.table[part.table["measure"] == measure]["significant"].sum()
            over = part.conditions.random
            assert f"{measure}: {n} of 3 differences significant over {over}" in text
        each = result.by_subject.table
        counts = each[each["measure"] == measure].groupby("subject")["significant"].sum()
        named = ", ".join(f"{count} ({name})" for name, count in counts.items())
        assert f"{measure}: significant by one subject's judgments alone, of 3: {named}" in text
    row = result.to_frame().iloc[0]
    assert f"{row['mean']:.3f} [{row['lower']:.3f}, {row['upper']:.3f}]" in text
    assert "Brackets: 95 % t intervals over queries, the subjects being fixed." in text
    assert "both: the same over queries and subjects, by generalised pivotal test" in text
    assert "ranks: simultaneous 95 % confidence sets over queries." in text
    back = pickle.loads(pickle.dumps(result))
    SAME(back.to_frame(full=True), result.to_frame(full=True))
    assert str(back) == str(result)


def test_latex_and_markdown() -> None:
    result = analysis("AP", "P@3")
    latex, text = result.to_latex(digits=2), result.to_markdown(digits=2)
    assert "measure &  & system & mean & beats & both & ranks" in latex
    rows = [line.strip("| ").split(" | ") for line in text.splitlines()[2:8]]
    for cells, row in zip(rows, result.to_frame().itertuples(), strict=True):
        mean = re.sub(r"\\(.)", r"\1", cells[3]).strip("*")
        assert mean == f"{row.mean:.2f} [{row.lower:.2f}, {row.upper:.2f}]"
        assert (cells[0], cells[2]) == (row.measure, row.system)
        assert f"{row.measure} & {cells[1]} & {row.system} & " in latex
        assert mean in latex
    assert latex.count(r"\textbf") == int(result.rows.best.sum()) == 3
    assert text.count("**") == 6
    plain = result.to_latex(caption="50% & [x]", label="tab:mine", bold=False)
    assert r"\caption{50\% \& [x]}" in plain
    assert r"\label{tab:mine}" in plain
    assert r"\textbf" not in plain
    assert result.to_markdown(caption="Mine").endswith("\nMine\n")
    assert "Brackets: 95 % t intervals over queries" in text
    assert text.endswith("Bold: the best system.\n")
    assert "Bold" not in result.to_markdown(bold=False)
    for one in (result, result.scores, result.comparison):
        for write in (one.to_latex, one.to_markdown):
            with pytest.raises(ft.errors.OptionError, match="digits=-1: must be"):
                write(digits=-1)


def test_what_there_is_too_little_of_is_left_out() -> None:
    one = ft.analyse(truth(), {"good": runs()["good"]}, "AP")
    assert (one.comparison, one.both, one.by_subject, one.stability) == (None,) * 4
    assert one.verdicts() == []
    assert one.to_frame(full=True)["rank"].isna().all()
    assert "good  " in str(one)
    lists = {"x": {"q": ["a"], "r": ["b"]}, "y": {"q": ["b", "a"], "r": ["a", "b"]}}
    crisp = ft.analyse({"q": {"a": 1}, "r": {"b": 1}}, lists, ["RR"], n_resamples=99)
    assert (crisp.both, crisp.by_subject) == (None, None)
    assert "beats_both" not in crisp.to_frame()
    judged = ft.analyse(truth(), runs(), "Judged@3", n_resamples=99)
    assert judged.scores.measures == ("Judged@3",)
    beside = ft.evaluate(truth(), runs(), ["AP", "Judged@3"], worlds="subject")
    assert ft.analyse(beside, n_resamples=99).scores.measures == ("AP",)


@pytest.mark.parametrize(
    ("given", "options", "words"),
    [
        (({"q": {"a": 1}},), {}, "runs=None, measures=None: give both, or scores as the first"),
        (({"q": {"a": 1}}, {"x": {"q": ["a"]}}), {}, "measures=None: give both"),
        ("scores", {"ties": "order"}, "runs, ties: is for judgments and runs"),
        ("missing", {}, "1 judgment is missing"),
    ],
)
def test_mistakes(given: Any, options: Any, words: str) -> None:
    if given == "scores":
        given = (analysis("AP").scores, runs())
    elif given == "missing":
        given = (ft.Judgments.from_frame(truth().to_frame().drop(index=0)), runs(), "AP")
        assert ft.analyse(*given, missing="exclude", n_resamples=99).both is not None
    with pytest.raises(ft.FuzzytruthError, match=words):
        ft.analyse(*given, **options)


def test_means_are_over_the_queries_that_all_systems_have() -> None:
    """A system is better on the easy queries, which are all it has."""
    rng = np.random.default_rng(4)
    rows = [
        (name, f"q{q:02}", 0.5 * (q >= 8) + gain + rng.normal(0, 0.02))
        for name, gain in (("all", 0.1), ("low", 0.0), ("part", 0.0))
        for q in range(16)
        if name != "part" or q >= 8
    ]
    scores = scores_of(rows)
    result = ft.analyse(scores, n_resamples=199)
    frame = result.to_frame(full=True).set_index("system")
    np.testing.assert_allclose(frame["mean"], result.comparison.means["value"])
    assert frame["mean"].idxmax() == "all"
    assert scores.mean()["value"].idxmax() == "part"
    assert frame["n_queries"].tolist() == [8, 8, 8]
    easy = scores.to_frame().query("query >= 'q08'")["value"].to_numpy().reshape(3, 8)
    half = 2.3646242515927845 * easy.std(axis=1, ddof=1) / np.sqrt(8)  # t of .975, 7 df
    np.testing.assert_allclose(frame["upper"] - frame["mean"], half)
    words = "means are over those that all have (value over 8 queries, 16 values left out)"
    assert words in flat(result)

    values = scores.values.copy()
    values[0, 0, 8:] = np.nan  # no query in common
    apart = ft.analyse(replace(scores, values=values), n_resamples=199)
    assert apart.stability is None
    assert "ranks" not in str(apart)
    assert len(apart.verdicts()) == 3


def test_subjects_of_one_query_each_come_with_it() -> None:
    rng = np.random.default_rng(4)
    rows = [(s, f"q{q}", f"u{q}", rng.random()) for s in "ab" for q in range(9)]
    result = ft.analyse(scores_of(rows, "subject"), n_resamples=99)
    assert (result.both, result.by_subject) == (None, None)
    assert result.data.facts[2] == ("subjects", "9 subjects of one query each")
    assert "over queries, the subjects being sampled with their query." in flat(result)


def means(of: dict[str, dict[str, float]]) -> ft.Scores:
    """Scores with about these means, on thirty queries."""
    rng = np.random.default_rng(0)
    rows = [
        (system, q, measure, float(np.clip(mean + 0.1 * rng.standard_normal(), 0, 1)))
        for system, by in of.items()
        for measure, mean in by.items()
        for q in range(30)
    ]
    return scores_of(rows, "measure")


def test_many_systems_are_cut_and_few_pairs_have_verdicts() -> None:
    rng = np.random.default_rng(2)
    rows = [(f"s{s:02}", q, 0.01 * s + rng.random()) for s in range(30) for q in range(6)]
    scores = scores_of(rows)
    lines = str(ft.analyse(scores, n_resamples=99)).split("\n")
    assert len(lines) < 45
    shown = [line for line in lines if re.search(r"\bs\d\d\b.*\[", line)]
    best = scores.mean()["value"].nlargest(12)
    assert [re.search(r"s\d\d", line)[0] for line in shown] == list(best.index)
    assert any("Shown: the best 12 of 30 systems" in line for line in lines)
    pair = ft.analyse(analysis("AP").scores.select(systems=["good", "bad"]), n_resamples=99)
    words = "good is significantly better than bad on AP over queries; same direction"
    assert words in flat(pair)
    assert "3 of 4 measures" in flat(analysis("AP", "P@1", "P@2", "P@3"))


# Two groups of ten people, each of whom one system serves; and people of one kind.


def panel(kind: str, seed: int = 0) -> tuple[pd.DataFrame, dict[str, dict[str, list[str]]]]:
    """Judgments of 20 people for 8 items of 25 queries, a tenth of them by mistake, and runs."""
    rng = np.random.default_rng(seed)
    one = rng.random((25, 8)) < 0.5
    own = np.repeat([one, ~one], 10, axis=0) if kind == "two groups" else np.tile(one, (20, 1, 1))
    if kind == "no structure":
        own = rng.random(own.shape) < 0.5
    grades = own ^ (rng.random(own.shape) < 0.1)
    s, q, i = (axis.ravel() for axis in np.indices(grades.shape))
    columns = {"subject": [f"s{x:02}" for x in s], "query": [f"q{x}" for x in q]}
    columns |= {"item": [f"i{x}" for x in i], "grade": grades.ravel().astype(int)}
    score = {"A": one + rng.random(one.shape), "B": ~one + rng.random(one.shape)}
    lists = {
        name: {f"q{n}": [f"i{x}" for x in np.argsort(-row)] for n, row in enumerate(table)}
        for name, table in score.items()
    }
    return pd.DataFrame(columns), lists


def labelled(kind: str, seed: int = 0) -> tuple[Any, dict[str, dict[str, dict[str, float]]]]:
    """Votes of 20 people for one of two readings of 40 items, and lists by either reading."""
    rng = np.random.default_rng(seed)
    one = rng.integers(0, 4, 40)
    two = (one + rng.integers(1, 4, 40)) % 4
    first = rng.random((20, 40)) < 0.5
    if kind == "two groups":
        first = np.arange(20)[:, None] < 10
    vote = np.where(first, one, two)
    names = [f"i{j:02}" for j in range(40)]
    rows = [(f"s{s:02}", names[j], f"c{c}") for (s, j), c in np.ndenumerate(vote)]
    tree = ft.Taxonomy.from_children({"all": [f"c{c}" for c in range(4)]})
    frame = pd.DataFrame(rows, columns=["subject", "item", "category"])
    votes = ft.Assignments.from_frame(frame, taxonomy=tree)
    score = {x: (of[:, None] == of) + rng.random((40, 40)) for x, of in (("A", one), ("B", two))}
    return votes, {x: as_lists(table, names) for x, table in score.items()}


def as_lists(table: np.ndarray, names: list[str]) -> dict[str, dict[str, float]]:
    return {
        q: {i: float(x) for i, x in zip(names, row, strict=True) if i != q}
        for q, row in zip(names, table, strict=True)
    }


@pytest.mark.parametrize("by_example", [False, True])
def test_two_opposite_groups_of_ten_are_named(by_example: bool) -> None:
    """In print and verdicts, in place of "no difference is shown"; pages: `test_verdicts`."""
    truth, runs = labelled("two groups") if by_example else panel("two groups")
    truth = truth.by_example() if by_example else truth
    compared = ft.compare(ft.evaluate(truth, runs, ["P@3"], worlds="subject"))
    result = ft.analyse(truth, runs, ["P@3"], n_resamples=199)
    said = (
        "P@3: the people's truths part. Significant for 20 of 20 alone, in both directions (A: 10, "
        "B: 10; p < 0.0001); A is better for at least 10 of them and B for at least 10 "
        "(simultaneous 95 %). The mean difference "
    )
    structure = "whether by more than chance: ft.structure(votes, runs, measures)) describes"
    for text in (flat(compared), compared.verdicts()[0], flat(result), result.verdicts()[0]):
        assert said in text
        assert "no difference" not in text
    for text in (flat(compared), compared.verdicts()[0]):
        assert (structure in text) == by_example
        assert ("by chance" in text) != by_example
    assert "by chance 0." in flat(result)  # by example of permuted votes
    groups = "A for 10 (s00, s01, s02, s03, s04, and 5 more); B for 10 (s10, s11, s12, s13, s14"
    assert f"alone, of 20 subjects: {groups}, and 5 more)" in flat(result)


@pytest.mark.parametrize("kind", ["no structure", "one kind"])
def test_of_a_panel_without_groups_nothing_is_claimed(kind: str) -> None:
    """But that people differ, by F, in one of 20 panels."""
    n_claimed = 0
    for seed in range(10):
        truth, runs = panel(kind, seed)
        result = ft.compare(ft.evaluate(truth, runs, ["P@3"], worlds="subject"))
        said = f"{flat(result)}{result.verdicts()}"
        assert "the people's truths part" not in said
        n_claimed += "the size differs between people" in said
    assert n_claimed <= 3  # of 1,000 tests of this level, one finds more
    truth, runs = panel(kind, 2)
    assert "people" not in flat(ft.analyse(truth, runs, ["P@3"], n_resamples=99))


@pytest.mark.parametrize("seed", range(3))
def test_of_a_panel_without_groups_by_example_nothing_is_claimed(seed: int) -> None:
    """Votes are permuted, also where single people's truths prefer different systems by chance."""
    votes, runs = labelled("no structure", seed)
    result = ft.analyse(votes.by_example(), runs, ["P@3"], n_resamples=99)
    assert "people" not in f"{flat(result)}{result.verdicts()}"


def test_chance_by_example_is_that_of_structure(monkeypatch: Any) -> None:
    votes, runs = labelled("no structure", 2)
    runs["C"] = {q: {i: -x for i, x in items.items()} for q, items in runs["A"].items()}
    result = ft.analyse(votes.by_example(), runs, ["P@3"], baseline="B", n_resamples=99)
    found = result.comparison.directions().set_index(["system_a", "system_b"])
    how = {"missing": "error", "ties": "trec", "n_permutations": 199, "n_draws": 0}
    own = ft.structure(votes, runs, ["P@3"], **how).differences.set_index(["system_a", "system_b"])
    for mine, its in ((("A", "B"), ("A", "B")), (("C", "B"), ("B", "C"))):
        for name, column in (("sd_subjects", "sd"), ("sd_chance", "sd_permuted")):
            assert found.loc[mine, name] == pytest.approx(own.loc[its, column], rel=1e-12)
        assert found.loc[mine, "p_differs"] == own.loc[its, "p_adjusted"]
    assert "known from 199 permutations of each item's votes" in flat(result)
    monkeypatch.setattr("fuzzytruth.analysis.analyse._MOST_VALUES", 1e4)
    large = ft.analyse(votes.by_example(), runs, ["P@3"], n_resamples=99)
    assert large.comparison.directions()["p_differs"].isna().all()
    assert "ft.structure(votes, runs, measures) can." in flat(large)


def test_votes_are_permuted_where_several_people_s_votes_count_alike() -> None:
    votes, runs = labelled("no structure")
    frame = votes.to_frame()[["subject", "item", "category"]]
    one = frame[frame["subject"] == "s00"]
    counts = ft.Assignments.from_columns(None, one["item"], one["category"], count=[1] * len(one))
    halves = ft.Assignments.from_frame(frame.assign(weight=np.arange(len(frame)) % 2 + 1.0))
    how = {"measures": ["P@3"], "n_resamples": 99}
    for given in (votes.plurality(), counts, halves):
        found = ft.analyse(given.by_example(), runs, **how)
        assert found.comparison.conditions.n_permutations == 0
    expected = ft.analyse(votes.by_example(), runs, worlds="independent", **how)
    assert expected.comparison.conditions.n_permutations == 0


def test_the_best_system_is_not_that_of_everybody() -> None:
    rng = np.random.default_rng(2)
    values = rng.normal(0.5, 0.05, (2, 20, 30))
    values[0] += np.repeat([0.3, -0.2], [15, 5])[:, None]
    rows = [(f"x{s}", f"q{q}", f"s{p}", v) for (s, p, q), v in np.ndenumerate(values)]
    result = ft.analyse(scores_of(rows, "subject"), n_resamples=99)
    best = (
        "x0 is best on value: significantly better than x1 over queries; not for everybody: the "
        "people's truths part; by the judgments of 5 of 20 subjects alone, x1 would lead; "
        "the same over queries and subjects."
    )
    assert best in flat(result).split("Data:")[0]
    assert result.verdicts()[0].startswith("value: the people's truths part. ")


def test_directions_by_one_subject_alone() -> None:
    """Reversed: against all together; of a single pair, for whom either system is better."""
    rng = np.random.default_rng(2)
    values = rng.normal(0.5, 0.02, (3, 3, 30))
    values[0] += np.array([0.3, 0.2, -0.1])[:, None]
    rows = [(f"x{s}", f"q{q}", f"p{p}", v) for (s, p, q), v in np.ndenumerate(values)]
    scores = scores_of(rows, "subject")
    text = flat(ft.analyse(scores, n_resamples=199))
    alone = "value: significant by one subject's judgments alone, of 3: 2 (p0), 2 (p1), 2 (p2, 2"
    assert f"{alone} reversed); reversed: against the direction of all together" in text
    two = replace(scores.select(systems=["x0", "x1"]), higher_is_better=(False,))
    better = "value: significantly better by one subject's judgments alone, of 3 subjects: x0 for 1"
    assert f"{better} (p2); x1 for 2 (p0, p1)" in flat(ft.analyse(two, n_resamples=199))
    one = two.select(subjects=["p0", "p1"])
    assert "of 2 subjects: x0 for 0; x1 for 2 (p0, p1)" in flat(ft.analyse(one, n_resamples=199))
