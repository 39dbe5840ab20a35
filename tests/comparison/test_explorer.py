"""What the table of an explorer holds, and what of it does not fit into a page."""

import base64
import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from support.scores_for_tests import scores_of

import fuzzytruth as ft
from fuzzytruth.comparison import explorer as module
from fuzzytruth.comparison.by_subject import each_subject
from fuzzytruth.comparison.explorer import explorer, views_of

RNG = np.random.default_rng(4)
VALUES = RNG.normal(0.5, 0.1, (4, 3, 9)) + np.array([0, 0.1, 0.2, 0.3])[:, None, None]


def views(result: ft.results.Comparison, **given: Any) -> list[module.View]:
    return views_of(result, each_subject(result), **given)


def unpacked(data: dict[str, Any], name: str) -> np.ndarray:
    kind, text = data[name]
    return np.frombuffer(base64.b64decode(text), dtype=f"<{kind}")


def test_views(monkeypatch: pytest.MonkeyPatch) -> None:
    result = ft.compare(scores_of(VALUES), n_resamples=99)
    both = ft.compare(result.scores, over=["query", "subject"])
    found = views(result, both=both, groups={"g": ["s0", "s2"]})
    names = ["everyone: 3 subjects", "everyone, over queries and subjects", "g: 2 subjects"]
    assert [view.name for view in found] == [*names, "s0 alone", "s1 alone", "s2 alone"]
    assert [view.is_alone for view in found] == [False] * 3 + [True] * 3
    together = "They hold together for all 6 differences, whichever system is the baseline. "
    for view, start in zip(found, ["subjects are fixed. ", "and subjects. "], strict=False):
        assert view.note.endswith(f"{start}{together}Filled and *: adjusted p at most 0.05.")
    assert "not adjusted for the number of subjects." in found[-1].note
    data = explorer(found).data
    whose = ["", " over queries and subjects", " by the judgments of g (2 subjects)"]
    assert data["whose"] == whose + [f" by s{j}'s judgments alone" for j in range(3)]
    over_both = data["claims"][1][0]
    assert over_both.startswith("Over queries and subjects, ")
    assert over_both.count(" and subjects") == 1
    numbers = unpacked(data, "numbers").reshape(6, 3, 6) / 1000
    for shown, table in ((numbers[0], result.table), (numbers[1], both.table)):
        wanted = table[["difference", "lower", "upper"]].to_numpy().T
        assert shown == pytest.approx(wanted, abs=5.1e-4)
    monkeypatch.setattr(module, "MOST_ROWS", 23)  # of four views, of six rows each
    assert [view.name for view in views(result)] == names[:1]
    crisp = ft.compare(scores_of(VALUES[:, 0]), n_resamples=99)
    assert [view.name for view in views(crisp)] == ["everyone"]


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.FuzzytruthWarning")
def test_a_subject_of_one_query_cannot_tell() -> None:
    values = VALUES.copy()
    values[:, 1, 1:] = np.nan
    for correction in ("bonferroni", "none"):
        result = ft.compare(scores_of(values), n_resamples=99, correction=correction)
        made = explorer(views(result)).data
        claims = dict(zip(made["views"], (one for (one,) in made["claims"]), strict=True))
        unable = "1 query cannot tell which system is better on m."
        assert claims["s1 alone"] == f"By s1's judgments alone, {unable}"
        assert "cannot" not in claims["s0 alone"]


@pytest.mark.parametrize(("scale", "kind"), [(1.0, "i2"), (1e3, "i2"), (1e7, "f8")])
def test_numbers_are_rounded_as_they_are_shown(scale: float, kind: str) -> None:
    values = VALUES[:, 0].copy()
    values[0, 1:] = np.nan  # so that its spread is unknown
    with pytest.warns(ft.errors.FuzzytruthWarning):
        result = ft.compare(scores_of(scale * values), n_resamples=99)
    made = explorer(views(result))
    assert made.data["numbers"][0] == kind
    (digits,) = made.data["digits"]
    got = unpacked(made.data, "numbers").reshape(3, -1).astype(float)
    wanted = result.table[["difference", "lower", "upper"]].to_numpy().T
    finite = np.isfinite(wanted)
    shown = [float(f"{x:.{digits}f}") for x in wanted[finite]]
    assert got[finite] / 10.0**digits == pytest.approx(shown, rel=1e-12)
    codes = (
        {np.inf: 32_002, -np.inf: -32_002} if kind == "i2" else {np.inf: np.inf, -np.inf: -np.inf}
    )
    assert (~finite).sum() == 6
    assert [codes[x] for x in wanted[~finite]] == got[~finite].tolist()
    assert unpacked(made.data, "stars").tolist() == result.table["significant"].tolist()


def test_names_cannot_end_the_data() -> None:
    names = ("</script>", "<!--", "a\u202e")
    result = ft.compare(replace(scores_of(VALUES[:3, 0]), systems=names), n_resamples=99)
    made = explorer(views(result))
    assert "<" not in made.json
    assert json.loads(made.json)["systems"] == ["</script>", "<!--", r"a\u202e"]


def test_groups_must_be_of_these_subjects(tmp_path: Any) -> None:
    result = ft.compare(scores_of(VALUES), n_resamples=99)
    with pytest.raises(ft.errors.OptionError, match="groups"):
        result.report(tmp_path / "a.html", groups={"nobody": "g"})
    crisp = ft.compare(scores_of(VALUES[:, 0]), n_resamples=99)
    with pytest.raises(ft.errors.OptionError, match="groups"):
        crisp.report(tmp_path / "a.html", groups={"s0": "g"})
    assert list(tmp_path.iterdir()) == []
