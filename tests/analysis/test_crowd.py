"""`crowd`: numbers are those of the functions that it calls; what cannot be told is said."""

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from support.page_reader import PageReader

import fuzzytruth as ft
from fuzzytruth.analysis.crowd import _sample
from fuzzytruth.annotators.ratings import ratings_of

N_ITEMS = 60


def votes_of(n_people: int = 8, per_item: int = 5, seed: int = 3) -> pd.DataFrame:
    """Votes for yes and no, of people who are right in .9 to .6 of items, worker 7 guessing."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, N_ITEMS)
    able = np.linspace(0.9, 0.7, n_people)
    able[-1] = 0.5
    rows = []
    for item in range(N_ITEMS):
        for who in rng.choice(n_people, per_item, replace=False):
            said = truth[item] if rng.random() < able[who] else 1 - truth[item]
            rows.append((f"worker{who}", f"i{item}", ["no", "yes"][said]))
    return pd.DataFrame(rows, columns=["worker", "item", "label"])


@pytest.fixture(scope="module")
def found() -> ft.results.Crowd:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ft.FuzzytruthWarning)
        return ft.crowd(votes_of(), n_permutations=19)


def test_parts_are_those_of_the_functions(found: ft.results.Crowd) -> None:
    votes = found.votes
    assert found.agreement is not None
    assert found.agreement.value == ft.agreement(votes).value
    people = found.people().set_index("subject")
    pairs = ft.pairwise_agreement(votes).by_subject().set_index("subject")
    np.testing.assert_allclose(people.loc[pairs.index, "agreement"], pairs["value"])
    np.testing.assert_allclose(people.loc[pairs.index, "agreement_lower"], pairs["lower"])
    fit = ft.reliability(votes).subjects.set_index("subject")
    np.testing.assert_allclose(people.loc[fit.index, "accuracy"], fit["accuracy"])
    assert people["n_votes"].sum() == len(votes) == 300
    assert people.index[0] == "worker7"  # who guesses agrees least
    size = ft.plan(votes)
    assert found.size is not None
    assert found.size.least_items(8) == size.least_items(8)  # type: ignore[union-attr]
    structure = ft.structure(votes, n_permutations=19)
    assert found.structure is not None
    assert found.structure.p == structure.p


def test_items_that_divide_come_first(found: ft.results.Crowd) -> None:
    items = found.items()
    counts = votes_of().groupby(["item", "label"]).size().unstack(fill_value=0)
    pairs = counts.sum(axis=1) * (counts.sum(axis=1) - 1)
    same = ((counts * (counts - 1)).sum(axis=1) / pairs).loc[items["item"]]
    np.testing.assert_allclose(items["agreement"], same)
    assert (items["agreement"].diff().dropna() >= -1e-12).all()  # all have five votes
    assert items["probability"].between(0.5, 1).all()


def test_two_votes_that_differ_are_less_disputed_than_ten() -> None:
    rows = [("ann", "few", 0), ("bob", "few", 1)]
    rows += [(f"w{j}", "many", j % 2) for j in range(10)]
    rows += [(f"w{j}", f"i{k}", k % 2) for j in range(10) for k in range(6)]
    frame = pd.DataFrame(rows, columns=["worker", "item", "label"]).assign(query="q")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ft.FuzzytruthWarning)
        items = ft.crowd(frame.rename(columns={"label": "grade"}), structure=False).items()
    assert items["item"].tolist()[:2] == ["many", "few"]


def test_answers_add_up(found: ft.results.Crowd) -> None:
    table = found.answers()
    np.testing.assert_allclose(table.groupby("subject")["share"].sum(), 1)
    given = votes_of().groupby(["worker", "label"]).size()
    own = table.set_index(["subject", "answer"])["votes"].loc[given.index]
    np.testing.assert_array_equal(own, given)


def crowd_of(votes: Any, **how: Any) -> ft.results.Crowd:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ft.FuzzytruthWarning)
        return ft.crowd(votes, n_permutations=9, **how)


def of_columns(*rows: tuple[str, str, Any]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["worker", "item", "label"])


def test_one_annotator_is_said_to_be_one() -> None:
    one = crowd_of(of_columns(*(("ann", f"i{j}", "xy"[j % 2]) for j in range(20))))
    text = str(one)
    assert "Answers: x (50 %), y (50 %)." in text
    (left,) = one.left_out
    assert left.endswith("groups of people (all votes are of one person, ann).")
    assert one.agreement is None


def test_no_overlap_is_said() -> None:
    apart = crowd_of(of_columns(*(("ab"[j % 2], f"i{j}", "xy"[j % 3 % 2]) for j in range(20))))
    (left,) = apart.left_out
    assert left.endswith("(no item has votes of two people).")


def test_measurements_have_agreement_and_no_model() -> None:
    rng = np.random.default_rng(0)
    rows = [(w, f"i{j}", round(j + rng.normal(), 2)) for w in "abcd" for j in range(30)]
    found = crowd_of(of_columns(*rows))
    assert found.agreement is not None
    assert found.agreement.metric == "interval"
    assert found.reliability is None
    assert "different numbers are measurements" in " ".join(found.left_out)
    assert "two people give the same answer" not in str(found)
    first = found.items().iloc[0]["item"]
    spread = pd.DataFrame(rows).groupby(1)[2].agg(lambda x: np.var(x, ddof=1))
    assert first == spread.idxmax()


def test_sets_of_categories_are_compared_by_masi() -> None:
    rows = [
        (w, f"i{j}", c)
        for w in "abc"
        for j in range(12)
        for c in ["dog", "cat", "cow"][: 1 + (j + (w == "c")) % 3]
    ]
    votes = ft.Assignments.from_columns(*zip(*rows, strict=True))
    found = crowd_of(votes, structure=False)
    assert found.agreement is not None
    assert found.agreement.value == ft.agreement(votes, metric="masi").value


def test_counts_have_agreement_and_items_alone() -> None:
    frame = pd.DataFrame(
        {"query": "q", "item": [*"aabbcc"], "grade": [0, 1] * 3, "count": [3, 2, 5, 1, 1, 4]}
    )
    found = crowd_of(ft.Judgments.from_frame(frame))
    assert found.items()["item"].tolist() == ["a", "c", "b"]
    assert "nobody is named" in " ".join(found.left_out)
    assert "no names" in repr(found)
    with pytest.raises(ft.errors.DataError, match="people: nobody is named"):
        found.people()


def test_large_votes_are_sampled_by_whole_items() -> None:
    rng = np.random.default_rng(1)
    n, people = 3000, 12
    votes = ft.Judgments.from_columns(
        np.repeat([f"q{j % 7}" for j in range(n)], people),
        np.repeat([f"i{j}" for j in range(n)], people),
        rng.integers(0, 2, n * people),
        subject=[f"w{j}" for j in range(people)] * n,
    )
    some, k = _sample(votes, ratings_of(votes), np.random.default_rng(0))
    assert k == 20_000 // people
    assert len(some) == k * people
    frame = some.to_frame()
    assert (frame.groupby(["query", "item"]).size() == people).all()
    few = votes.select(subjects=["w0", "w1"])
    assert _sample(few, ratings_of(few), rng) == (few, 0)


def test_pages_of_hidden_names_name_nobody(found: ft.results.Crowd, tmp_path: Any) -> None:
    hidden = crowd_of(votes_of(), names="hide")
    assert hidden.people()["subject"].str.startswith("P0").all()
    own = found.people().set_index("subject")["agreement"]
    theirs = hidden.people().set_index("subject")["agreement"]
    np.testing.assert_allclose(theirs[[hidden.pseudonyms[name] for name in own.index]], own)
    page = hidden.report(tmp_path / "crowd.html").read_text()
    assert "worker" not in page
    assert "worker" not in str(hidden)
    assert "Names are pseudonyms." in page


def test_the_page_has_every_section_and_its_figures(found: ft.results.Crowd, tmp_path: Any) -> None:
    path = found.report(tmp_path / "crowd.html", title="Ours")
    text, tables = path.read_text(), PageReader.of(path).tables
    assert "<title>Ours</title>" in text
    people = tables["People, those who agree least with the others first"]
    assert [row[0] for row in people[1:]] == found.people()["subject"].tolist()
    for heading in ("How far people agree", "Pairs of people", "Size of the next study"):
        assert heading in text
    assert text.count("<svg") >= 3
    assert "https:" not in text


def test_the_command_writes_the_screen_and_the_page(tmp_path: Any, capsys: Any) -> None:
    from fuzzytruth.cli.commands import run

    path = tmp_path / "votes.csv"
    votes_of().to_csv(path, index=False)
    page = tmp_path / "crowd.html"
    options = ["--names", "hide", "--no-structure", "-o", str(page)]
    assert run(["crowd", str(path), *options]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("Crowd: 8 subjects, 60 items, 300 votes, who have pseudonyms")
    assert "P0" in out
    assert "worker" not in out
    assert "the words in 'label' are votes for categories" in err
    assert "fuzzytruth crowd votes.csv" not in page.read_text()  # files are called as people, often


def test_gold_is_handed_on() -> None:
    rng = np.random.default_rng(3)
    truth = {f"i{j}": ["no", "yes"][t] for j, t in enumerate(rng.integers(0, 2, N_ITEMS))}
    found = crowd_of(votes_of(), gold=truth, structure=False)
    assert found.reliability is not None
    assert found.reliability.fit.gold is not None
    assert "Of 60 items with a known answer" in str(found)
    with pytest.raises(ft.errors.DataError, match="gold: 1 item of 1 were voted on"):
        crowd_of(votes_of(), gold={"i0": "yes"}, structure=False)


def test_copies_get_the_same_number() -> None:
    frame = votes_of(n_people=6, per_item=6)
    copy = frame[frame["worker"] == "worker0"].assign(worker="copycat")
    rows = [
        pd.concat([frame, copy]).assign(item=lambda t, k=k: t["item"] + f"_{k}") for k in range(8)
    ]
    people = crowd_of(pd.concat(rows), structure=False).people().set_index("subject")
    assert people.loc["copycat", "cluster"] == people.loc["worker0", "cluster"] == 1
    assert people["cluster"].notna().sum() == 2


@pytest.mark.filterwarnings("ignore::fuzzytruth.errors.FuzzytruthWarning")
def test_questions_about_one_item_are_rows_of_their_own() -> None:
    rows, asked = [], []
    for who in "abcd":
        for j in range(20):
            for first, second in (("w", "x"), ("y", "z")):
                rows.append((who, f"i{j}", first if (ord(who) + j) % 3 else second))
                asked += [(f"{who}", f"i{j}", first), (who, f"i{j}", second)]
    columns = ["subject", "item", "category"]
    votes = ft.Assignments.from_frame(
        pd.DataFrame(rows, columns=columns), asked=pd.DataFrame(asked, columns=columns)
    )
    found = ft.crowd(votes, structure=False)
    assert found.agreement is not None
    assert len(found.items()) == len(found.agreement.by_item().dropna(subset="agreement"))
