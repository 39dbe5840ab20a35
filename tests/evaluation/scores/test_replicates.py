"""Systems with several runs: which runs are of which system, in tables, files and selections."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.damaged_files import check_equal
from support.harness_logs import inspect_log, inspect_sample
from support.scores_of_runs import frame_of_runs, scores_of_runs, tables_of_runs

import fuzzytruth as ft
from fuzzytruth.errors import (
    LeftOutWarning,
    MissingCellWarning,
    RepeatsWarning,
    UnusedColumnWarning,
)

SIZES = {"a": 3, "b": 2, "bm25": 1}
TABLES = tables_of_runs(SIZES, 6)
FRAME = frame_of_runs(TABLES)
SCORES = scores_of_runs(TABLES, deterministic="bm25")
PEOPLE = scores_of_runs(tables_of_runs(SIZES, 6, n_subjects=2))
NAMED = FRAME.assign(system=FRAME["system"] + "." + FRAME["seed"]).drop(columns="seed")
SYSTEM_OF = {f"{name}.{run + 1}": name for name, n in SIZES.items() for run in range(n)}


def sizes_of(scores: ft.Scores) -> dict[str, int]:
    return {} if scores.replicates is None else scores.replicates.sizes


def runs_of(scores: ft.Scores) -> tuple[str, ...]:
    assert scores.replicates is not None
    return scores.replicates.runs.systems


def check_same(one: ft.Scores, other: ft.Scores) -> None:
    """Bit for bit, the runs as well."""
    check_equal(one, other)
    assert (one.replicates is None) == (other.replicates is None)
    if one.replicates is not None and other.replicates is not None:
        for name in ("system_of", "deterministic", "variance"):
            assert getattr(one.replicates, name) == getattr(other.replicates, name)
        check_equal(one.replicates.runs, other.replicates.runs)


# Columns.


@pytest.mark.parametrize("name", ["seed", "random_seed"])
def test_a_column_of_seeds_is_read_without_being_named(name: str) -> None:
    message = r"'seed' tells runs of a system apart \(3 of a, 2 of b\); values are means over them"
    with pytest.warns(RepeatsWarning, match=message):
        scores = ft.Scores.from_frame(FRAME.rename(columns={"seed": name}), deterministic="bm25")
    check_same(scores, SCORES)
    assert (scores.systems, sizes_of(scores)) == (("a", "b", "bm25"), SIZES)
    assert scores.mean()["value"].to_list() == pytest.approx([y.mean() for y in TABLES.values()])
    assert runs_of(scores) == ("a/1", "a/2", "a/3", "b/1", "b/2", "bm25/1")


@pytest.mark.parametrize("name", ["seed", "training", "replicate", "epoch", "run"])
def test_a_column_that_is_named(name: str) -> None:
    frame = FRAME.rename(columns={"seed": name})
    check_same(ft.Scores.from_frame(frame, replicates=name, deterministic="bm25"), SCORES)


def test_run_id_names_systems_unless_it_names_runs() -> None:
    frame = NAMED.rename(columns={"system": "run_id"}).assign(system=FRAME["system"])
    assert ft.Scores.from_frame(frame.drop(columns="system")).systems == tuple(SYSTEM_OF)
    scores = ft.Scores.from_frame(frame, replicates="run_id")
    assert (scores.systems, sizes_of(scores)) == (("a", "b", "bm25"), SIZES)
    assert runs_of(scores)[:2] == ("a/a.1", "a/a.2")


def test_a_system_without_seeds_has_one_run() -> None:
    frame = FRAME.assign(seed=FRAME["seed"].where(FRAME["system"] != "bm25"))
    scores = ft.Scores.from_frame(frame, replicates="seed")
    assert (sizes_of(scores), runs_of(scores)[-1]) == (SIZES, "bm25")
    frame.loc[0, "seed"] = None
    message = "the system 'a' has values of 'seed' in some rows and none in others"
    with pytest.raises(ft.errors.DataError, match=message):
        ft.Scores.from_frame(frame, replicates="seed")


@pytest.mark.parametrize("kind", ["one seed", "other queries"])
def test_a_column_that_tells_no_runs_apart(kind: str) -> None:
    frame = FRAME[FRAME["seed"] == "1"] if kind == "one seed" else FRAME.copy()
    if kind == "other queries":
        frame["query"] += frame["seed"]
    with pytest.warns(
        UnusedColumnWarning, match="'seed' is not used: no query of a system has two"
    ):
        scores = ft.Scores.from_frame(frame)
    assert scores.replicates is None
    expected = frame.groupby("system", sort=False)["value"].mean().to_list()
    assert scores.mean()["value"].to_list() == pytest.approx(expected)
    error = ft.errors.OptionError if kind == "one seed" else ft.errors.DataError
    message = "tells no runs apart|3 runs of 'a' have no value of a query in common"
    with pytest.raises(error, match=message):
        ft.Scores.from_frame(frame, replicates="seed")


def test_runs_of_one_system_have_no_query_in_common() -> None:
    frame = FRAME.copy()
    frame.loc[frame["system"] == "b", "query"] += frame["seed"]
    with pytest.raises(
        ft.errors.DataError, match="the 2 runs of 'b' have no value of a query in common"
    ):
        ft.Scores.from_frame(frame, replicates="seed")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"replicates": "sed"}, "replicates='sed': is not a column .*nearest: 'seed'"),
        ({"replicates": "query"}, "replicates='query': no other column says which query"),
        ({"replicates": 3}, "replicates=3: must be a text"),
        ({"replicates": "seed", "clusters": "seed"}, "names clusters, too"),
        ({"replicates": "seed", "replicate_of": {"a": "b"}}, "name their runs already"),
        ({"replicates": "seed", "deterministic": "bm26"}, r"no system .*\(nearest: 'bm25'\)"),
    ],
)
def test_refused_options(options: Any, message: str) -> None:
    with pytest.raises(ft.errors.OptionError, match=message):
        ft.Scores.from_frame(FRAME, **options)


def test_a_value_twice_says_what_runs_are_for() -> None:
    frame = FRAME.rename(columns={"seed": "replicate"})
    with pytest.raises(ft.errors.DataError, match="or runs of a system, replicates='replicate'"):
        ft.Scores.from_frame(frame)
    with pytest.raises(ft.errors.DataError, match="system 'a/1', query 'q0' has a value already"):
        ft.Scores.from_frame(pd.concat([FRAME, FRAME]), replicates="seed")


# Mappings.


def test_runs_with_names_of_their_own() -> None:
    by_run = ft.Scores.from_frame(NAMED, replicate_of=SYSTEM_OF, deterministic="bm25")
    assert (by_run.systems, sizes_of(by_run)) == (("a", "b", "bm25"), SIZES)
    np.testing.assert_array_equal(by_run.values, SCORES.values)
    lists: Any = {"a": ["a.1", "a.2", "a.3"], "b": ("b.1", "b.2"), "bm25": {"bm25.1"}}
    check_same(ft.Scores.from_frame(NAMED, replicate_of=lists, deterministic="bm25"), by_run)
    later = ft.Scores.from_frame(NAMED).with_replicates(SYSTEM_OF, deterministic="bm25")
    check_same(later, by_run)
    compared = ft.compare(ft.Scores.from_frame(NAMED), replicate_of=SYSTEM_OF, deterministic="bm25")
    check_same(compared.scores, by_run)
    some = ft.Scores.from_frame(NAMED, replicate_of={"a.1": "a", "a.3": "a"})
    assert sizes_of(some) == {"a": 2, "a.2": 1, "b.1": 1, "b.2": 1, "bm25.1": 1}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"a": ["a.1", "a.2"], "b": ["a.2", "b.1"]}, "the run 'a.2' is a replicate of two systems"),
        ({"a.9": "a", "a.1": "a"}, r"'a\.9' is no system of these scores \(nearest"),
        ({"a.1": "a"}, "no system has two replicates"),
        ({"a.1": 3}, r"replicate_of\['a\.1'\]=3: must be {run: name"),
        ({"a.1": ""}, r"replicate_of\['a\.1'\]=''"),
        (["a.1", "a.2"], "must be {run: name of the system"),
    ],
)
def test_refused_mappings(given: Any, message: str) -> None:
    for call in (
        lambda: ft.Scores.from_frame(NAMED, replicate_of=given),
        lambda: ft.Scores.from_frame(NAMED).with_replicates(given),
        lambda: ft.compare(ft.Scores.from_frame(NAMED), replicate_of=given),
    ):
        with pytest.raises(ft.errors.OptionError, match=message):
            call()


def test_options_of_runs_without_runs() -> None:
    plain = ft.Scores.from_frame(NAMED)
    options: Any
    for options in ({"deterministic": "bm25"}, {"replicate_variance": "pooled"}):
        with pytest.raises(
            ft.errors.OptionError, match="is of systems with several runs; say which"
        ):
            ft.compare(plain, **options)
    with pytest.raises(
        ft.errors.OptionError, match="replicate_variance='x': must be one of 'moderated'"
    ):
        SCORES.with_replicates(variance="x")  # type: ignore[arg-type]
    for over in ("replicate", ("query", "replicate")):
        with pytest.raises(
            ft.errors.OptionError, match="over='replicate': these scores name no runs"
        ):
            plain.summary(over=over)
    for over in (("subject", "replicate"), ("query", "world", "replicate")):
        with pytest.raises(ft.errors.OptionError, match="over"):
            PEOPLE.summary(over=over)


def test_settings_are_changed_and_kept() -> None:
    pooled = SCORES.with_replicates(variance="pooled")
    assert pooled.replicates is not None
    assert (pooled.replicates.variance, pooled.replicates.deterministic) == ("pooled", ("bm25",))
    none = pooled.with_replicates(deterministic=[])
    assert none.replicates is not None
    assert (none.replicates.variance, none.replicates.deterministic) == ("pooled", ())
    assert (none.replicates.single, none.replicates.fewest) == ([], 1)
    assert none.with_replicates(variance="separate").replicates.single == ["bm25"]  # type: ignore[union-attr]


def test_numbers_in_words() -> None:
    known = SCORES.replicates
    assert known is not None
    assert known.words == "2 to 3 runs of a system (bm25: deterministic)"
    assert known.words_of(("a", "bm25")) == "3 runs of each system (bm25: deterministic)"
    assert known.words_of(("b",)) == "2 runs of b"
    assert known.words_of(("bm25",)) == "1 run of bm25 (bm25: deterministic)"
    assert "Values are means over 2 to 3 runs of a system (bm25: determ" in str(SCORES)


# Files.


KEPT = {
    "plain": SCORES,
    "selected": SCORES.select(systems=["bm25", "a"], queries=["q4", "q1"]),
    "some runs": SCORES.select(replicates=["2", "1"]),
    "single runs": SCORES.select(replicates="1"),
    "subjects": PEOPLE.with_replicates(variance="pooled"),
    "one subject": PEOPLE.select(subjects="s1"),
}


@pytest.mark.parametrize("name", KEPT)
def test_saved_and_loaded(name: str, tmp_path: Path) -> None:
    KEPT[name].save(tmp_path / "scores.parquet")
    check_same(ft.Scores.load(tmp_path / "scores.parquet"), KEPT[name])


def test_loaded_with_other_options(tmp_path: Path) -> None:
    path = tmp_path / "scores.parquet"
    SCORES.save(path)
    other = ft.Scores.load(path, deterministic=["b", "bm25"]).replicates
    assert other is not None
    assert other.deterministic == ("b", "bm25")
    with pytest.raises(
        ft.errors.OptionError, match=r"replicates='seed': what Scores\.save wrote has kept"
    ):
        ft.Scores.load(path, replicates="seed")
    FRAME.to_csv(tmp_path / "scores.csv", index=False)
    table = ft.Scores.load(tmp_path / "scores.csv", replicates="seed", deterministic="bm25")
    check_same(table, SCORES)


def test_what_runs_lack_is_kept_in_files(tmp_path: Path) -> None:
    tables = {name: y.copy() for name, y in TABLES.items()}
    tables["a"][1, 2] = np.nan
    with pytest.warns(MissingCellWarning, match=r"the first: run 'a/1', query 'q2'|run 'a/"):
        scores = scores_of_runs(tables)
    assert np.isnan(scores.values[0, 0]).tolist() == [False, False, True, False, False, False]
    scores.save(tmp_path / "scores.parquet")
    with pytest.warns(MissingCellWarning):
        check_same(ft.Scores.load(tmp_path / "scores.parquet"), scores)


# Selections.


def test_selections() -> None:
    assert sizes_of(SCORES.select(systems=["bm25", "a"])) == {"bm25": 1, "a": 3}
    some = SCORES.select(queries=["q3", "q1"], systems="a")
    np.testing.assert_array_equal(some.values, SCORES.values[:1, :, [3, 1]])
    assert some.replicates is not None
    assert some.replicates.runs.queries == ("q3", "q1")
    assert SCORES.select(systems="bm25").replicates is None
    one = PEOPLE.select(subjects="s0").replicates
    assert one is not None
    assert one.runs.subjects == ("s0",)
    both = ft.Scores.from_frame(
        pd.concat([FRAME.assign(measure=name) for name in ("AP", "RR")]), replicates="seed"
    )
    last = both.select(measures="RR").replicates
    assert last is not None
    assert last.runs.measures == ("RR",)
    with pytest.raises(ft.errors.OptionError, match="systems: 'a/1' is not among these scores"):
        SCORES.select(systems="a/1")


def test_selected_runs() -> None:
    first = SCORES.select(replicates="1")
    assert (first.systems, first.replicates) == (("a", "b", "bm25"), None)
    np.testing.assert_array_equal(first.values[:, 0], [y[0] for y in TABLES.values()])
    one = SCORES.select(replicates="a/3")
    assert one.systems == ("a",)
    np.testing.assert_array_equal(one.values[0, 0], TABLES["a"][2])
    assert sizes_of(SCORES.select(replicates=["1", "2"])) == {"a": 2, "b": 2, "bm25": 1}
    assert sizes_of(SCORES.select(replicates=["1", "2"], systems=["b", "a"])) == {"b": 2, "a": 2}
    given: Any
    for given, message in (
        ("a/7", r"'a/7' is no run of these scores \(nearest: 'a/3'"),
        ([], r"replicates=\[\]: name at least one"),
    ):
        with pytest.raises(ft.errors.OptionError, match=message):
            SCORES.select(replicates=given)
    with pytest.raises(ft.errors.OptionError, match="these scores name no replicates"):
        first.select(replicates="1")


def test_means_of_single_runs() -> None:
    means = SCORES.mean(by="replicate")
    assert means.index.names == ["system", "replicate"]
    expected = {(n, f"{n}/{r + 1}"): y[r].mean() for n, y in TABLES.items() for r in range(len(y))}
    assert means["value"].to_dict() == pytest.approx(expected)
    groups = {f"q{q}": "x" if q else "y" for q in range(6)}
    macro = SCORES.mean(by="replicate", groups=groups)["value"]
    assert macro[("a", "a/2")] == pytest.approx((TABLES["a"][1, 0] + TABLES["a"][1, 1:].mean()) / 2)
    with pytest.raises(
        ft.errors.OptionError, match="by='replicate': these scores name no replicates"
    ):
        ft.Scores.from_frame(NAMED).mean(by="replicate")


# Parts that are joined.


def test_joined_parts() -> None:
    parts = SCORES.select(systems=["a", "bm25"]), SCORES.select(systems="b")
    check_same(ft.concat(parts), SCORES.select(systems=["a", "bm25", "b"]))
    check_same(ft.concat(iter(parts)), ft.concat(parts))
    both = pd.concat([FRAME.assign(measure=name) for name in ("AP", "RR")])
    whole = ft.Scores.from_frame(both, replicates="seed")
    measures = [whole.select(measures=name) for name in ("AP", "RR")]
    check_same(ft.concat(measures), whole)
    single = scores_of_runs(TABLES).replicates
    assert single is not None
    plain = single.runs.select(systems="bm25/1")
    with_plain = ft.concat([SCORES.select(systems=["a", "b"]), plain])
    assert sizes_of(with_plain) == {"a": 3, "b": 2, "bm25/1": 1}


def test_joined_collections() -> None:
    other = scores_of_runs(tables_of_runs(SIZES, 4, seed=5), deterministic="bm25")
    joined = ft.concat({"nq": SCORES, "fiqa": other})
    assert (sizes_of(joined), len(joined.queries)) == (SIZES, 10)
    assert joined.replicates is not None
    assert joined.replicates.deterministic == ("bm25",)
    np.testing.assert_array_equal(joined.values[:, :, :6], SCORES.values)
    np.testing.assert_array_equal(joined.values[:, :, 6:], other.values)
    assert joined.query_attributes["collection"] == ("nq",) * 6 + ("fiqa",) * 4
    assert "over queries and runs" in str(ft.compare(joined))


def test_parts_that_cannot_be_joined() -> None:
    mean = ft.Scores.from_frame(FRAME[FRAME["seed"] == "1"].drop(columns="seed"))
    message = "'a' has 3 runs in some of the scores, and others do not say which run"
    with pytest.raises(ft.errors.DataError, match=message):
        ft.concat([mean.select(systems="a"), SCORES])
    named = ft.Scores.from_frame(NAMED)
    one = named.select(systems=["a.1", "a.2"]).with_replicates({"a.1": "a", "a.2": "a"})
    other = named.with_replicates({"a.1": "x", "b.1": "x"})
    with pytest.raises(
        ft.errors.DataError, match=r"the run 'a\.1' is a replicate of two systems, 'a' and"
    ):
        ft.concat([one, other])
    with pytest.raises(ft.errors.DataError, match="'a/1' is in"):
        ft.concat([SCORES, SCORES])


# Evaluation, and logs.


def votes_and_runs() -> tuple[pd.DataFrame, dict[str, dict[str, dict[str, float]]]]:
    rng = np.random.default_rng(3)
    rows = [
        (f"q{q}", f"d{d}", subject, int(rng.random() < 0.4))
        for q in range(8)
        for d in range(6)
        for subject in ("ann", "bob", "cat")
    ]
    runs = {
        name: {f"q{q}": {f"d{d}": float(rng.normal()) for d in range(7)} for q in range(8)}
        for name in SYSTEM_OF
    }
    return pd.DataFrame(rows, columns=["query", "item", "subject", "grade"]), runs


@pytest.mark.parametrize(
    "options",
    [{"worlds": "subject"}, {"worlds": "subject", "unjudged": "bounds"}, {"worlds": "crisp"}],
)
def test_evaluated_runs(options: Any, tmp_path: Path) -> None:
    votes, runs = votes_and_runs()
    if options["worlds"] == "crisp":
        votes = votes[votes["subject"] == "ann"].drop(columns="subject")
    named: Any = {"replicate_of": SYSTEM_OF, "deterministic": "bm25"}
    scores = ft.evaluate(votes, runs, ["P@3", "P@5"], **options, **named)
    single = ft.evaluate(votes, runs, ["P@3", "P@5"], **options)
    for name in ("values", "lower", "upper"):
        of_runs, found = getattr(single, name), getattr(scores, name)
        if of_runs is None:
            assert found is None
        else:
            expected = [of_runs[:3].mean(axis=0), of_runs[3:5].mean(axis=0), of_runs[5]]
            np.testing.assert_allclose(found, expected, rtol=1e-12)
    assert scores._range_of(0) == (0.0, 1.0)
    assert scores.summary(over="query")["upper"].max() <= 1
    scores.save(tmp_path / "scores.parquet")
    check_same(ft.Scores.load(tmp_path / "scores.parquet"), scores)
    if options["worlds"] == "subject":
        over = {None: "queries and runs", ("query", "subject", "replicate"): "subjects and runs"}
        for given, words in over.items():
            assert words in str(ft.compare(scores, over=given))


@pytest.mark.parametrize("worlds", ["independent", "population"])
def test_worlds_are_left_out(worlds: Any) -> None:
    votes, runs = votes_and_runs()
    options: Any = {"worlds": worlds, "n_worlds": 20, "replicate_of": SYSTEM_OF}
    with pytest.warns(LeftOutWarning, match=f"the {worlds} worlds are left out"):
        scores = ft.evaluate(votes, runs, ["P@3"], **options, deterministic="bm25")
    assert scores.uncertainty is None
    assert "expected over worlds" in str(scores)
    with pytest.raises(ft.errors.OptionError, match=r"no worlds \(means over runs have none\)"):
        scores.summary(over="world")
    message = f"{worlds} worlds are left out of means over runs.*truth apart; over='query'"
    with pytest.raises(ft.errors.OptionError, match=message):
        ft.gate(scores, "a", "b", margin=0.2)
    assert ft.gate(scores, "a", "b", margin=0.2, over=("query", "replicate")).deciding


def test_files_of_tables_and_logs(tmp_path: Path) -> None:
    for name in ("a", "b"):
        part = FRAME[FRAME["system"] == name]
        part.to_csv(tmp_path / f"{name}.csv", index=False)
    files = [tmp_path / "a.csv", tmp_path / "b.csv"]
    check_same(
        ft.read_scores(files, replicates="seed"), scores_of_runs({n: TABLES[n] for n in "ab"})
    )
    NAMED.to_csv(tmp_path / "named.csv", index=False)
    given = ft.read_scores(tmp_path / "named.csv", replicate_of=SYSTEM_OF, deterministic="bm25")
    assert (sizes_of(given), given.systems) == (SIZES, ("a", "b", "bm25"))


def test_epochs_of_logs(tmp_path: Path) -> None:
    values = {1: "CIC", 2: "IIC", 3: "CCI"}
    samples = [
        inspect_sample(sample, epoch, match=value)
        for epoch, row in values.items()
        for sample, value in enumerate(row)
    ]
    path = tmp_path / "a.json"
    path.write_text(json.dumps(inspect_log(*samples)), encoding="utf-8")
    with pytest.warns(RepeatsWarning):
        averaged = ft.read_scores(path)
    scores = ft.read_scores(path, replicates="epoch")
    assert averaged.replicates is None
    assert [*sizes_of(scores).values()] == [3]
    np.testing.assert_allclose(scores.values, averaged.values)
    assert scores.mean(by="replicate").iloc[:, 0].to_list() == pytest.approx([2 / 3, 1 / 3, 2 / 3])
    with pytest.raises(ft.errors.OptionError, match="replicates='seed': is for tables"):
        ft.read_scores(path, replicates="seed")
