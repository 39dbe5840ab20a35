"""What is said where runs of systems are few, or a single one."""

import matplotlib as mpl
import numpy as np
import pytest
from support.texts import flat

import fuzzytruth as ft

pytestmark = pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
ONE = "b has one run: nothing is known of what another would give"


def of_runs(sizes: dict[str, int], n_subjects: int = 0) -> ft.Scores:
    """Systems, their runs, 20 queries, and perhaps subjects; seeded normal effects."""
    rng, rows = np.random.default_rng(5), []
    for place, (system, n) in enumerate(sizes.items()):
        for seed in range(n):
            shift = 0.1 * place + 0.01 * rng.normal()
            for q in range(20):
                rows += [
                    (system, seed, q, s, shift + rng.normal(0, 0.2)) for s in range(n_subjects or 1)
                ]
    names = ("system", "seed", "query", "subject", "value")
    table = dict(zip(names, zip(*rows, strict=True), strict=True))
    if not n_subjects:
        table.pop("subject")
    return ft.Scores.from_frame({name: list(values) for name, values in table.items()})


@pytest.mark.parametrize(
    ("n", "options", "said"),
    [
        (3, {}, "as far as 3 runs of a system can tell: more runs help more than more queries."),
        (5, {}, "comes from runs: more queries help more than more runs."),
        (3, {"replicate_variance": "pooled"}, "comes from runs: more queries help more"),
    ],
)
def test_more_runs_help_where_they_are_few(n: int, options: dict[str, str], said: str) -> None:
    result = ft.compare(of_runs({"a": n, "b": n}), **options)  # type: ignore[arg-type]
    assert result.table["variance_from_runs"].max() < 0.5
    assert said in flat(result._answer().text(80))


def test_with_random_subjects_nothing_is_advised() -> None:
    scores = of_runs({"a": 3, "b": 3, "c": 3}, n_subjects=3)
    result = ft.compare(scores, over=("query", "subject", "replicate"))
    text = flat(result._answer().text(80))
    assert "as far as 3 runs of a system can tell. " in text
    assert "which says nothing of other subjects and runs" in text


def test_a_single_run_is_named_beside_intervals() -> None:
    mpl.use("Agg")
    scores = of_runs({"a": 3, "b": 1})
    assert f"{ONE}. Values are" in flat(scores._answer().text(80))
    ax = scores.plot()
    assert ONE in ax.get_title(loc="left") or ONE in " ".join(t.get_text() for t in ax.texts)
    arrows = [text for text in ax.texts if getattr(text, "arrow_patch", None)]
    assert [arrow.xy[0] for arrow in arrows] == [0, 1]
    fixed = scores.with_replicates(deterministic="b")
    assert ONE not in fixed._answer().text(80)
