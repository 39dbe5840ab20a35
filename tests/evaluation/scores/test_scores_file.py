"""Scores on disk and in pickles."""

import json
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from support import kinds_of_scores
from support.damaged_files import DAMAGES, Damage, check_equal, check_load

import fuzzytruth as ft
from fuzzytruth.errors import MetadataWarning
from fuzzytruth.evaluation.scores.scores_file import ABOUT, CHECKSUM

SAVED = {kind: kinds_of_scores.evaluated(kind) for kind in kinds_of_scores.KINDS}


SAVED["nested"] = ft.Scores.from_frame(SAVED["subject"].to_frame(), design="nested")


def about(**changes: Any) -> Callable[[pa.Table], pa.Table]:
    """Changes of the metadata, after which there is no checksum."""

    def change(table: pa.Table) -> pa.Table:
        metadata = dict(table.schema.metadata)
        del metadata[CHECKSUM]
        metadata[ABOUT] = json.dumps(json.loads(metadata[ABOUT]) | changes).encode()
        return table.replace_schema_metadata(metadata)

    return change


def column(name: str, values: Callable[[Any], Any]) -> Callable[[pa.Table], pa.Table]:
    """Changes of a column."""

    def change(table: pa.Table) -> pa.Table:
        new = pa.array(values(table[name].to_pylist()))
        return table.set_column(table.column_names.index(name), name, new)

    return change


REFUSED: dict[str, tuple[Callable[[pa.Table], pa.Table], str]] = {
    "newer": (about(version=6), "in version 6 of the format, .* reads version 5; install a newer"),
    "older": (about(version=4), "in version 4 of the format, .* save them again, or use an older"),
    "no version": (about(version=None), "the version of the format is None, not a number"),
    "names": (about(systems=["one", "one"]), "'systems' is .*, and must be a list of distinct"),
    "surrogate": (about(systems=["one", "\ud800"]), "'systems' is .*, and must be a list of"),
    "directions": (about(higher_is_better=[True]), "'higher_is_better' and 'measures' differ"),
    "spread": (about(uncertainty=[1]), r"'uncertainty' is \[1\], not an object"),
    "provenance": (about(provenance={"version": "1"}), "the worlds of the provenance is missing"),
    "other provenance": (
        about(provenance=SAVED["crisp"].provenance.to_dict() | {"runs": [["one"]]}),
        "the runs of the provenance is",
    ),
    "flag of the provenance": (
        about(provenance=SAVED["crisp"].provenance.to_dict() | {"queries_share_items": "no"}),
        "the queries_share_items of the provenance is 'no'",
    ),
    "row lost": (
        lambda table: table.slice(1),
        "there is no row of system 'one', measure 'AP', query 'q1', subject 'x'; the file is not",
    ),
    "last row lost": (
        lambda table: table.slice(0, table.num_rows - 1),
        "there is no row of system 'three', measure 'nDCG@3', query 'q3', subject 'z'; the file",
    ),
    "row twice": (
        lambda table: pa.concat_tables([table, table.slice(2, 1)]),
        "rows 3 and 73 are both of system 'one', measure 'AP', query 'q1', subject 'z'",
    ),
    "query lost": (
        lambda table: table.filter(pa.array([q != "q2" for q in table["query"].to_pylist()])),
        "there is no row of the query 'q2'",
    ),
    "unknown name": (
        column("system", lambda names: ["four", *names[1:]]),
        r"row 1: the system 'four' is not among those that the metadata list \(one, two, three\)",
    ),
    "no name": (
        column("query", lambda names: [*names[:-1], None]),
        "row 72: the query None is not",
    ),
    "names are numbers": (column("query", lambda names: [1] * len(names)), "holds int64, not text"),
    "column lost": (lambda table: table.drop_columns("value"), "the column 'value' is missing"),
    "column twice": (
        lambda table: table.append_column("value", table["value"]),
        "the column 'value' is there twice",
    ),
    "column too many": (
        lambda table: table.append_column("std", table["value"]),
        "the column 'std' is not one that the metadata",
    ),
    "half a bound": (
        lambda table: table.append_column("upper", table["value"]),
        "the column 'lower' is missing",
    ),
    "texts": (column("value", lambda values: [str(v) for v in values]), "holds string, not double"),
    "other entry": (
        lambda table: table.replace_schema_metadata(
            {k.replace(b"design", b"dessin"): v for k, v in table.schema.metadata.items()}
            | {b"fuzzytruth.more": b"1"}
        ),
        "as the checksum says",
    ),
    "attributes are a list": (
        about(query_attributes=[]),
        r"'query_attributes' is \[\], not an obj",
    ),
    "attributes are short": (about(query_attributes={"a": ["x"]}), "must be a list of 3 texts or"),
    "attributes are a text": (about(query_attributes={"a": "xyz"}), "'a' of 'query_attributes' is"),
    "attributes are numbers": (about(query_attributes={"a": ["x", "y", 3]}), "of 3 texts or null"),
    "attribute surrogate": (about(query_attributes={"a": ["x", "y", "\ud800"]}), "3 texts or null"),
    "other number": (
        column("value", lambda values: [values[0] + 1e-9, *values[1:]]),
        "the numbers or the metadata are not those that were saved, as the checksum says",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_wrong_is_named(name: str, tmp_path: Path) -> None:
    path = tmp_path / "scores.parquet"
    SAVED["subject"].save(path)
    change, message = REFUSED[name]
    pq.write_table(change(pq.read_table(path)), path)
    with pytest.raises(ft.errors.DataError, match=message) as raised:
        ft.Scores.load(path)
    assert str(raised.value).startswith(str(path))


@pytest.mark.parametrize(
    ("kind", "lost"),
    [
        ("crisp", "better (taken from its name), the provenance; load"),
        ("subject", "lost are the design (taken as crossed), which direction of each"),
        ("crisp, excluded", "the provenance; load"),
        ("bounds", "or are bounded (columns lower, upper); load"),
        ("independent, kept", "(columns std, exact, mc_error, worlds); load"),
    ],
)
def test_a_table_without_metadata_has_its_values_and_one_warning(
    kind: str, lost: str, tmp_path: Path
) -> None:
    path = tmp_path / "scores.parquet"
    SAVED[kind].save(path)
    frame = pd.read_parquet(path)
    frame.to_parquet(path)
    with pytest.warns(MetadataWarning) as caught:
        back = ft.Scores.load(path)
    assert len(caught) == 1
    assert lost in str(caught[0].message)
    assert (back.provenance, back.uncertainty, back.lower) == (None, None, None)
    np.testing.assert_array_equal(back.values, SAVED[kind].values)


def changed_metadata(path: Path, change: Callable[[dict[bytes, bytes]], object]) -> None:
    """Scores under resampled subjects, saved with other metadata and without a checksum."""
    SAVED["population"].save(path)
    table = pq.read_table(path)
    metadata = {k: v for k, v in table.schema.metadata.items() if k != b"fuzzytruth.checksum"}
    change(metadata)
    pq.write_table(table.replace_schema_metadata(metadata), path)


WITHIN = b"fuzzytruth.world_within"


def test_files_of_before_say_nothing_of_queries_and_worlds_together(tmp_path: Path) -> None:
    path = tmp_path / "scores.parquet"
    changed_metadata(path, lambda metadata: metadata.pop(WITHIN))
    back = ft.Scores.load(path)
    assert back.uncertainty is not None
    assert back.uncertainty.within is None
    assert np.isfinite(back.summary(over="world", full=True)["std_error"]).all()
    with pytest.raises(ft.errors.OptionError, match="saved before"):
        back.summary(over=("query", "world"), full=True)
    beside = ft.compare(back, correction="bonferroni").beside
    assert beside["over"].unique().tolist() == ["queries", "worlds"]


def test_variances_over_worlds_that_are_not_for_each_pair(tmp_path: Path) -> None:
    path = tmp_path / "scores.parquet"
    changed_metadata(path, lambda metadata: metadata.update({WITHIN: metadata[WITHIN][8:]}))
    with pytest.raises(ft.errors.DataError, match="not one for each pair of systems"):
        ft.Scores.load(path)


KINDS = [*SAVED]


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.__name__)
def test_damaged_files_are_errors_or_the_same_scores(damage: Damage, tmp_path: Path) -> None:
    path, loaded = tmp_path / "scores.parquet", 0
    for seed, (kind, scores) in enumerate(2 * list(SAVED.items())):
        scores.save(path)
        unnoticed = damage(path, np.random.default_rng(seed))
        loaded += check_load(path, SAVED[kind], unnoticed=unnoticed)
    assert (loaded == 2 * len(SAVED)) == (damage.__name__ == "rewritten_by_pandas")


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
@pytest.mark.parametrize("kind", SAVED)
def test_what_was_saved_or_pickled_is_equal(kind: str, tmp_path: Path) -> None:
    path, scores = tmp_path / "scores.parquet", SAVED[kind]
    attributes = {"topic": (None, *["a"] * (len(scores.queries) - 1))}
    kept = replace(scores, query_attributes=attributes)
    kept.save(path)
    check_equal(ft.Scores.load(path, clusters="topic"), kept)
    scores.save(path)
    check_equal(ft.Scores.load(path), scores)
    assert "query_attributes" not in json.loads(pq.read_schema(path).metadata[ABOUT])
    pq.write_table(about()(pq.read_table(path)), path)  # without a checksum
    check_equal(ft.Scores.load(path), scores)
    with pytest.raises(
        ft.errors.OptionError, match="clusters='year': is no attribute of the queries"
    ):
        ft.Scores.load(path, clusters="year")
    back = pickle.loads(pickle.dumps(kept))
    check_equal(back, kept)
    if kind.startswith(("independent", "population", "by example")):  # which draw again
        one, two = (x.distribution("one", x.queries[0], x.measures[0]) for x in (scores, back))
        np.testing.assert_array_equal(one.values, two.values)


def test_what_cannot_be_loaded_or_saved(tmp_path: Path) -> None:
    frame = SAVED["subject"].to_frame()
    frame.to_parquet(tmp_path / "frame.parquet")  # of another program: no warning
    pd.testing.assert_frame_equal(ft.Scores.load(tmp_path / "frame.parquet").to_frame(), frame)
    frame.to_parquet(tmp_path / "without ending")
    pd.testing.assert_frame_equal(ft.read_scores(tmp_path / "without ending").to_frame(), frame)
    (tmp_path / "a.run").write_text("q1 Q0 d1 1 2.5 x\n")
    with pytest.raises(
        ft.errors.DataError, match=r"a\.run: holds no scores; give what Scores.save wrote"
    ):
        ft.Scores.load(tmp_path / "a.run")
    frame.iloc[:0].to_parquet(tmp_path / "empty.parquet")
    frame.drop(columns="system").to_parquet(tmp_path / "other.parquet")
    (tmp_path / "text.parquet").write_text("no parquet")
    for name, words in (
        ("empty", "there are no scores in it$"),
        ("other", "no column for 'system'"),
        ("text", "is not a Parquet file"),
        ("missing", "no such file"),
    ):
        with pytest.raises(ft.errors.DataError, match=rf"{name}\.parquet: {words}"):
            ft.Scores.load(tmp_path / f"{name}.parquet")
    one = SAVED["crisp"]
    bare = ft.Scores(one.systems, one.queries, one.measures, one.values, one.cells)
    with pytest.raises(
        ft.errors.DataError, match=r"higher_is_better=\(\): must have one value for each"
    ):
        bare.save(tmp_path / "bare.parquet")
    assert not (tmp_path / "bare.parquet").exists()


BEFORE = Path(__file__).parents[2] / "reference_data" / "saved_scores"


EXPECTED: dict[str, Any] = json.loads((BEFORE / "expected.json").read_text(encoding="utf-8"))


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.DegenerateWarning")  # a system of one value
@pytest.mark.parametrize("kind", EXPECTED)
def test_older_files_are_read(kind: str) -> None:
    scores, expected = ft.Scores.load(BEFORE / f"{kind}.parquet"), EXPECTED[kind]
    assert repr(scores) == expected["repr"]
    np.testing.assert_allclose(scores.mean().to_numpy(), expected["mean"], rtol=1e-12)
    for over in ("query", "subject", "world"):
        if expected[over] is None:
            with pytest.raises(ft.FuzzytruthError):
                scores.summary(over=over)
        else:
            # in JSON, infinite ends are missing
            given = pd.DataFrame(expected[over]["data"], columns=expected[over]["columns"])
            pd.testing.assert_frame_equal(
                scores.summary(over=over).replace([-np.inf, np.inf], np.nan),
                given,
                check_dtype=False,
                rtol=1e-9,
            )
    if "distribution" in expected:
        of_means = scores.mean_distribution("a", scores.measures[0])
        assert [of_means.mean(), of_means.std()] == pytest.approx(expected["distribution"])
