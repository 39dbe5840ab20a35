"""Variance components of scores, against published tables, REML and tables by hand."""

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.errors import DegenerateWarning, MissingCellWarning

CROSSED = ["system", "query", "subject", "system:query", "system:subject", "query:subject"]
CROSSED += ["residual"]


#: diameters (mm) of 24 plates and 6 samples (Davies & Goldsmith 1972; R: lme4::Penicillin)
PENICILLIN = """
272326232321 272326232321 252125242420 262325232320 252226222320 242225232219 242023212219
262226242421 242124222220 242124232219 262326242421 252226242420 262426242522 262326232320
262325242422 252225232320 252124232320 252224232319 242123212119 262326242421 252124222218
252225222220 242124222419 242124222118
"""


def drawn(n: tuple[int, int, int], seed: int = 0) -> np.ndarray:
    """Normal scores (systems, subjects, queries)."""
    t, s, q = n
    rng = np.random.default_rng(seed)
    shapes = [(t, 1, 1), (1, 1, q), (1, s, 1), (t, 1, q), (t, s, 1), (1, s, q), (t, s, q)]
    deviations = np.sqrt([0.2, 1.0, 0.1, 0.5, 0.05, 0.1, 0.3])
    return sum(d * rng.standard_normal(shape) for d, shape in zip(deviations, shapes, strict=True))


def variances(result: ft.results.VarianceComponents) -> dict[str, float]:
    frame = result.to_frame()
    return dict(zip(frame["component"], frame["variance"], strict=True))


def test_penicillin() -> None:
    """R: lmer(diameter ~ 1 + (1 | plate) + (1 | sample), Penicillin): .8467, 1.9316, .5499."""
    pairs = [re.findall("..", plate) for plate in PENICILLIN.split()]
    table = np.array(pairs, dtype=float).T  # (samples, plates)
    found = ft.variance_components(scores_of(table)).variances()
    assert list(found) == ["system", "query", "residual"]
    np.testing.assert_allclose(np.sqrt([*found.values()]), [1.9316, 0.8467, 0.5499], atol=5e-5)


def test_replicates_by_hand() -> None:
    """Two runs of each of three systems on four queries: mean squares one by one."""
    y = drawn((6, 1, 4))[:, 0]
    runs = {f"sys{j}": f"system {j // 2}" for j in range(6)}
    found = variances(ft.variance_components(scores_of(y), replicate_of=runs))
    assert list(found) == ["system", "replicate", "query", "system:query", "residual"]
    z = y.reshape(3, 2, 4)
    grand, of_run, of_system = z.mean(), z.mean(axis=2), z.mean(axis=(1, 2))
    of_query, of_both = z.mean(axis=(0, 1)), z.mean(axis=1)
    ms_system = 8 * ((of_system - grand) ** 2).sum() / 2
    ms_run = 4 * ((of_run - of_system[:, None]) ** 2).sum() / 3
    ms_query = 6 * ((of_query - grand) ** 2).sum() / 3
    ms_both = 2 * ((of_both - of_system[:, None] - of_query + grand) ** 2).sum() / 6
    rest = z - of_run[:, :, None] - of_both[:, None, :] + of_system[:, None, None]
    ms_rest = (rest**2).sum() / 9
    wanted = {
        "system": (ms_system - ms_run - ms_both + ms_rest) / 8,
        "replicate": (ms_run - ms_rest) / 4,
        "query": (ms_query - ms_both) / 6,
        "system:query": (ms_both - ms_rest) / 2,
        "residual": ms_rest,
    }
    assert found == pytest.approx(wanted)


def test_values_missing_against_reml() -> None:
    """Close to statsmodels' MixedLM: within a fifth of a standard error or so."""
    y = drawn((5, 4, 15), seed=2)
    y[np.random.default_rng(3).random(y.shape) < 0.2] = np.nan
    with pytest.warns(MissingCellWarning, match=r"\d+ values are missing that other systems have"):
        result = ft.variance_components(scores_of(y))
    beside = result.reml()
    assert [*beside] == ["measure", "component", "variance", "reml"]
    ours = beside["variance"].clip(lower=0)
    np.testing.assert_allclose(ours, beside["reml"], rtol=0.08, atol=0.001)


def test_reml_says_what_it_cannot() -> None:
    wide = ft.variance_components(scores_of(np.random.default_rng(0).normal(size=(2, 900))))
    with pytest.raises(ft.errors.DataError, match=r"reml: m has 1,800 values and 902 levels"):
        wide.reml()
    with pytest.warns(DegenerateWarning):
        flat = ft.variance_components(scores_of(np.ones((2, 3))))
    with pytest.raises(ft.errors.DataError, match="all values of m agree"):
        flat.reml()


def test_intervals_have_their_level() -> None:
    """Of 30 tables, 95 % less 4 standard errors at least hold the truth."""
    true = dict(zip(CROSSED, [0.2, 1.0, 0.1, 0.5, 0.05, 0.1, 0.3], strict=True))
    inside = np.zeros(7)
    for seed in range(30):
        frame = ft.variance_components(scores_of(drawn((4, 3, 10), seed))).to_frame()
        truth = np.array([true[name] for name in frame["component"]])
        inside += (frame["lower"] <= truth) & (truth <= frame["upper"])
    assert (inside >= 30 * 0.95 - 4 * np.sqrt(30 * 0.95 * 0.05)).all()
    narrow = ft.variance_components(scores_of(drawn((4, 3, 10), 29)), level=0.5).to_frame()
    gap = (frame["upper"] - frame["lower"]) - (narrow["upper"] - narrow["lower"])
    assert (gap > 0).all()


def test_the_sparse_crowd_of_cragc25() -> None:
    with pytest.warns(MissingCellWarning):
        result = ft.variance_components(ft.datasets.load_cragc25())
    found = variances(result)
    assert list(found) == CROSSED
    # shares of wins add up to the number of comparisons, whoever judges whatever query
    assert found["query:subject"] < 0
    assert result.variances("preference")["query:subject"] == 0
    assert found["system:query"] == pytest.approx(0.016, abs=0.002)
    assert result.variances() == {name: max(value, 0) for name, value in found.items()}
    assert "further below 0 than chance explains" in re.sub(r"\s+", " ", str(result))


def test_frames() -> None:
    y = np.stack([drawn((4, 3, 6)), drawn((4, 3, 6), 1)])
    frames = [scores_of(one).to_frame() for one in y]
    scores = ft.Scores.from_frame(
        pd.concat([frames[0].assign(measure="AP"), frames[1].assign(measure="P@5")])
    )
    result = ft.variance_components(scores)
    frame = result.to_frame()
    assert [*frame] == ["measure", "component", "variance", "lower", "upper", "share"]
    assert frame["measure"].tolist() == ["AP"] * 7 + ["P@5"] * 7
    assert frame.groupby("measure")["share"].sum().tolist() == pytest.approx([1, 1])
    assert (frame["lower"] <= frame["upper"]).all()
    assert (frame["lower"] >= 0).all()
    full = result.to_frame(full=True)
    assert [*full][6:] == ["std", "df", "mean_square"]
    np.testing.assert_allclose(full["std"] ** 2, full["variance"].clip(lower=0))
    table = result.coefficients()
    assert [*table] == ["measure", "coefficient", "value", "lower", "upper"]
    assert table["value"].between(0, 1).all()
    assert (table["lower"] <= table["upper"]).all()
    one = ft.variance_components(scores, measures="map")
    pd.testing.assert_frame_equal(one.to_frame(), frame[frame["measure"] == "AP"])
    assert result.variances("map") == one.variances()
    with pytest.raises(ft.errors.OptionError, match="measure: name one of 'AP', 'P@5'"):
        result.variances()
    with pytest.raises(ft.errors.OptionError, match="'nDCG' is not among"):
        result.variances("nDCG")
    with pytest.raises(ft.errors.OptionError, match="measure=3: must be the name"):
        result.variances(3)


@pytest.mark.parametrize(
    ("values", "names", "warned"),
    [
        (drawn((1, 3, 5)), ["query", "subject", "residual"], "a single system"),
        (drawn((4, 1, 5)), ["system", "query", "residual"], "every query has a single subject"),
        (drawn((4, 3, 1)), ["system", "subject", "residual"], "a single query"),
    ],
)
def test_factors_of_one_level(values: np.ndarray, names: list[str], warned: str) -> None:
    with pytest.warns(DegenerateWarning, match=warned):
        result = ft.variance_components(scores_of(values))
    assert list(result.variances()) == names
    assert result.to_frame().notna().all(axis=None)
    assert result.coefficients().notna().all(axis=None)
    assert len(result.coefficients()) == (0 if names[0] == "query" else 2)
    assert f"{names[-2]} " in str(result)


@pytest.mark.parametrize("values", [drawn((1, 1, 5)), drawn((3, 1, 1)), drawn((1, 4, 1))])
def test_one_factor_is_too_few(values: np.ndarray) -> None:
    with pytest.raises(
        ft.errors.DataError, match=r"take values of two or more .*; these are of \d"
    ):
        ft.variance_components(scores_of(values))


def test_subjects_who_judged_one_query_each_are_nested() -> None:
    y = np.full((3, 8, 4), np.nan)
    for subject in range(8):
        y[:, subject, subject // 2] = drawn((3, 8, 4))[:, subject, subject // 2]
    result = ft.variance_components(scores_of(y))
    assert list(result.variances())[2] == "subject(query)"
    with pytest.raises(
        ft.errors.OptionError, match="design='crossed': every subject judged a single"
    ):
        ft.variance_components(scores_of(y), design="crossed")
    alone = np.full((3, 4, 4), np.nan)
    for subject in range(4):
        alone[:, subject, subject] = y[:, 2 * subject, subject]
    with pytest.warns(DegenerateWarning, match="every query has a single subject"):
        assert list(ft.variance_components(scores_of(alone)).variances())[1:] == [
            "query",
            "residual",
        ]


def test_nothing_varies() -> None:
    with pytest.warns(DegenerateWarning, match="m: all values agree"):
        result = ft.variance_components(scores_of(np.full((3, 2, 4), 0.3)))
    frame = result.to_frame()
    assert not frame[["variance", "lower", "upper", "share"]].any(axis=None)
    assert result.coefficients()["value"].isna().all()
    assert "unknown" in str(result)


def test_systems_that_differ_by_a_constant() -> None:
    """No error at all: the order generalises, exactly."""
    y = np.arange(3)[:, None, None] + drawn((1, 3, 5))
    result = ft.variance_components(scores_of(y))
    values_of = result.coefficients().set_index("coefficient")
    assert result.variances()["system"] == pytest.approx(1)
    assert result.variances()["residual"] == 0
    assert values_of.loc["relative", ["value", "lower", "upper"]].tolist() == [1, 1, 1]
    assert values_of["value"].drop(["relative", "absolute"]).isna().all()
    assert "no error" in str(result)


def test_components_that_are_confounded() -> None:
    """Each system has judges of its own."""
    y = drawn((2, 6, 4))
    y[0, 3:] = y[1, :3] = np.nan
    with (
        pytest.warns(MissingCellWarning),
        pytest.raises(
            ft.errors.DataError, match="subject and system:subject and query:subject and resid"
        ),
    ):
        ft.variance_components(scores_of(y))


def test_without_subjects() -> None:
    truth, runs = ft.datasets.load_clef_tar2017()
    with pytest.warns(ft.FuzzytruthWarning):
        scores = ft.evaluate(truth, runs, ["AP"], worlds="independent", n_worlds=8, rng=0)
    result = ft.variance_components(scores)
    assert list(result.variances()) == ["system", "query", "residual"]
    assert result.coefficients()["coefficient"].tolist() == ["relative", "absolute"]
    with pytest.raises(
        ft.errors.OptionError, match="design='nested': these scores have no subjects"
    ):
        ft.variance_components(scores, design="nested")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"measures": "nope"}, "'nope' is not among"),
        ({"level": 1}, "level=1: must lie between 0 and 1"),
        ({"design": "split"}, "design='split': must be one of 'crossed', 'nested'"),
        ({"replicate_of": ["sys0"]}, r"replicate_of=\['sys0'\]: must be \{run: name"),
        ({"replicate_of": {"sys9": "a"}}, "replicate_of: 'sys9' is no system of these .*nearest"),
        ({"replicate_of": {"sys0": 3}}, r"replicate_of\['sys0'\]=3: must be"),
        ({"replicate_of": {"sys0": "a"}}, "replicate_of: no system has two replicates"),
    ],
)
def test_wrong_options(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ft.errors.OptionError, match=message):
        ft.variance_components(scores_of(drawn((3, 2, 4))), **given)


def test_words() -> None:
    text = str(ft.variance_components(scores_of(drawn((5, 4, 20), 3))))
    flat = re.sub(r"\s+", " ", text)
    assert "Variance components of 5 systems, 20 queries, 4 subjects: m" in flat
    assert re.search(
        r"of the variance of a difference between two systems, \d+ % comes from queries, "
        r"\d+ % from who judged and \d+ % from both together\.",
        flat,
    )
    assert "Brackets: 95 % generalised pivotal intervals" in flat


@pytest.mark.parametrize("factor", [1e200, 1e-200, np.inf])
def test_values_whose_squares_are_no_numbers(factor: float) -> None:
    y = np.abs(drawn((3, 2, 4))) * factor
    with pytest.raises(
        ft.errors.DataError, match=r"m: the largest value is .*; give the scores in"
    ):
        ft.variance_components(scores_of(y))


@pytest.mark.parametrize("factor", [1, 1e-100, 1e100])
def test_units_do_not_matter(factor: float) -> None:
    y = drawn((3, 2, 4))
    y[0, 0, 0] = np.nan
    with pytest.warns(MissingCellWarning):
        one, other = (ft.variance_components(scores_of(v)).to_frame() for v in (y, y * factor))
    np.testing.assert_allclose(other["share"], one["share"], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(other["upper"] / factor**2, one["upper"], rtol=1e-9)


def test_an_unbalanced_table_of_brennan() -> None:
    """Brennan 2001, chapter 7, p × (i:h): close to the analogous estimates that he prints."""
    h = {
        0: ["42213130", "51433251"],
        1: ["32456561", "33747682", "51655460", "44557474"],
        2: ["54848577", "76759688"],
    }
    y = np.full((8, 4, 3), np.nan)
    for query, rows in h.items():
        for item, row in enumerate(rows):
            y[:, item, query] = [*map(float, row)]
    result = ft.variance_components(scores_of(y, design="nested"))
    printed = np.array([1.2014, 2.9161, 0.2946, 0.9913, 0.8429])
    frame = result.to_frame()
    assert ((frame["lower"] < printed) & (printed < frame["upper"])).all()
    np.testing.assert_allclose(frame["variance"], result.reml()["reml"], rtol=0.01)
