"""`fuzzytruth evaluate`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from support.command_line import VOTES, from_csv
from support.read_tables import numbers, printed_tables

import fuzzytruth as ft


def test_default_measures(run) -> None:
    _, out, _ = run("evaluate", "qrels.txt", "a.run")
    tables = printed_tables(out)  # side by side, as far as 80 columns allow
    headings = [heading for (row,) in tables for heading in row if heading != "system"]
    assert headings == ["AP", "nDCG@10", "P@10", "R@100", "RR"]
    assert all(row["system"] == "a" for (row,) in tables)


def test_brackets_are_t_intervals_over_queries(run) -> None:
    """By hand: AP of a is (1/2 + 2/3) / 2 = 7/12 and 1; of b 1/2 and 1/2."""
    _, out, _ = run("evaluate", "qrels.txt", "a.run", "b.run", "-m", "AP")
    half = stats.t.ppf(0.975, 1) * abs(1 - 7 / 12) / 2
    a, b = printed_tables(out)[0]
    assert numbers(a["AP"]) == pytest.approx((19 / 24, 0, 1), abs=5e-4)
    assert 19 / 24 - half < 0 < 1 < 19 / 24 + half  # cut at the ends of the measure
    assert b == {"system": "b", "AP": "0.500 [0.500, 0.500]"}
    assert "Brackets: 95 % t intervals over queries, the ground truth being fixed." in out


def test_csv_and_json_hold_the_means_in_full(run) -> None:
    scores = ft.evaluate("qrels.txt", ["a.run", "b.run"], ["AP", "nDCG@10"])
    expected = scores.mean()
    summary = scores.summary().set_index(["system", "measure"])
    _, out, _ = run("evaluate", "qrels.txt", "a.run", "b.run", "-m", "AP,nDCG@10", "--format=csv")
    rows = [
        {**row, "lower": float(row["lower"]), "upper": float(row["upper"])} for row in from_csv(out)
    ]
    assert list(rows[0]) == ["system", "measure", "value", "lower", "upper"]
    _, out, _ = run("evaluate", "qrels.txt", "a.run", "b.run", "-m", "AP,nDCG@10", "--format=json")
    records = json.loads(out)
    assert records == rows
    for record in records:
        of_summary = summary.loc[record["system"], record["measure"]]
        assert record["value"] == expected.loc[record["system"], record["measure"]]
        assert [record["lower"], record["upper"]] == [of_summary["lower"], of_summary["upper"]]


def test_per_query_is_to_frame(run) -> None:
    expected = ft.evaluate("qrels.txt", ["a.run", "b.run"], ["AP"]).to_frame()
    names = ("evaluate", "qrels.txt", "a.run", "b.run", "-m", "AP", "--per-query")
    _, out, _ = run(*names, "--format", "csv")
    assert from_csv(out) == expected.to_dict("records")
    _, out, _ = run(*names)
    assert out.splitlines()[2].split() == ["a", "q1", "0.5833"]
    assert "[" not in out


def test_subjects_have_a_table_of_their_own(run) -> None:
    subject = ("--worlds", "subject")
    _, out, _ = run("evaluate", "votes.csv", "a.run", "-m", "RR", "--format", "csv", *subject)
    assert out.splitlines()[1:] == ["a,ann,RR,0.5", "a,bob,RR,1.0"]
    _, out, _ = run("evaluate", "votes.csv", "a.run", "-m", "RR", *subject)
    means, by_subject = printed_tables(out)
    assert means == [{"system": "a", "RR": "0.7500"}]
    assert by_subject == [
        {"system": "a", "subject": "ann", "RR": "0.5000"},
        {"system": "a", "subject": "bob", "RR": "1.0000"},
    ]
    assert "One query: how means vary over queries is not known." in out
    assert "the mean over the truths of 2 subjects" in out


def test_aggregate_merges_subjects(run) -> None:
    _, out, err = run("evaluate", "votes.csv", "a.run", "-m", "RR", "--aggregate", "max")
    assert printed_tables(out) == [[{"system": "a", "RR": "1.0000"}]]
    assert err.startswith("warning: ")


def test_options_reach_the_library(run, folder: Path) -> None:
    (folder / "t.run").write_text("q1 Q0 d1 1 1 t\nq1 Q0 d2 2 1 t\nq2 Q0 d1 1 1 t\n")
    values = {}
    for ties in ("trec", "order", "expected"):
        _, out, _ = run("evaluate", "qrels.txt", "t.run", "-m", "P@1", "--ties", ties)
        values[ties] = numbers(printed_tables(out)[0][0]["P@1"])[0]
    assert values == {"trec": 0.5, "order": 1.0, "expected": 0.75}
    _, out, _ = run("evaluate", "qrels.txt", "t.run", "-m", "P@1", "--order-by", "rank")
    assert numbers(printed_tables(out)[0][0]["P@1"]) == (1.0, 0.342, 1.0)  # Wilson's


def test_undefined_values_are_dashes_and_null(run, folder: Path) -> None:
    (folder / "none.txt").write_text("q1 0 d1 0\n")
    common = ("evaluate", "none.txt", "a.run", "-m", "AP", "--undefined", "exclude")
    status, out, err = run(*common)
    assert status == 0
    assert printed_tables(out) == [[{"system": "a", "AP": "–"}]]
    assert all(line.startswith("warning: ") for line in err.splitlines())
    assert json.loads(run(*common, "--format", "json")[1])[0]["value"] is None


def test_worlds_give_intervals_if_asked(run) -> None:
    options = ("--worlds", "independent", "--n-worlds", "50", "--seed", "1")
    arguments = ("evaluate", "votes.csv", "a.run", "-m", "RR", *options)
    assert run(*arguments, "--format", "csv")[1].splitlines()[0] == "system,measure,value"
    _, out, _ = run(*arguments, "--per-query", "--format", "csv")
    assert out.splitlines()[0] == "system,query,measure,value,std,exact,mc_error"
    arguments = (*arguments, "--over", "world")
    with pytest.warns(ft.FuzzytruthWarning):
        scores = ft.evaluate("votes.csv", "a.run", "RR", worlds="independent", n_worlds=50, rng=1)
    means = scores.uncertainty.world_means
    over_worlds = np.array([means.min(), means.max()])  # .025 of 50 are one on either side
    _, out, _ = run(*arguments)
    assert numbers(printed_tables(out)[0][0]["RR"])[1:] == tuple(over_worlds.round(3))
    assert "Brackets: what holds 95 % of 50 worlds in which each item" in out
    _, out, _ = run(*arguments, "--format", "csv")
    assert out.splitlines()[0] == "system,measure,value,lower,upper"
    assert [float(x) for x in out.splitlines()[1].split(",")[3:]] == over_worlds.tolist()
    assert out == run(*arguments, "--format", "csv", "--n-jobs", "1")[1]
    assert run(*arguments, "--n-worlds", "0")[0] == 2


def test_subjects_are_random_if_asked(run) -> None:
    """Two subjects whose RR is 1/2 and 1: a t interval with one degree of freedom."""
    common = ("evaluate", "votes.csv", "a.run", "-m", "RR", "--worlds", "subject")
    _, out, _ = run(*common, "--over", "subject")
    cell = printed_tables(out)[0][0]["RR"]
    assert stats.t.ppf(0.975, 1) * 0.25 > 0.75  # cut at the ends of the measure
    assert numbers(cell) == pytest.approx((0.75, 0, 1), abs=5e-4)
    assert "Brackets: 95 % t intervals over subjects, the queries being fixed." in out
    status, out, err = run(*common, "--over", "world")
    assert (status, out) == (2, "")
    assert "error: --over world: these scores have no worlds" in err
    assert "\nerror: --over sun: " in run(*common, "--over", "sun")[2]


@pytest.mark.usefixtures("categories")
def test_evaluate_with_a_taxonomy(run) -> None:
    command = ["evaluate", "labels.csv", "like.run", "--taxonomy", "tree.txt", "-m", "P@1"]
    status, out, _ = run(*command, "--per-query", "--format", "csv", "--seed", "0")
    assert status == 0
    # i1 lists i2 first (itself left out): people, crowd or city against city, city or all
    assert [row["value"] for row in from_csv(out)] == pytest.approx([1 / 3 * 2 / 3, 5 / 9])
    status, out, _ = run(*command, "--category", "scenery", "--format", "csv", "--seed", "0")
    assert from_csv(out)[0]["value"] == pytest.approx((2 / 3 + 1 / 3) / 2)
    status, _, err = run("evaluate", "qrels.txt", "a.run", "--category", "scenery")
    assert status == 2
    assert "add --taxonomy" in err


def test_bounds_of_unjudged_items(run) -> None:
    """At b, nobody judged d9, which stands first for q2: P@1 is 0 or 1, and of q1 1."""
    asked = ("evaluate", "qrels.txt", "a.run", "b.run", "-m", "P@1", "--unjudged", "bounds")
    status, out, err = run(*asked)
    assert (status, err) == (0, "")
    assert out.splitlines()[3].split() == ["b", "0.500", "[0.500,", "1.000]"]
    said = "the lowest and the highest mean that judging the unjudged items could give."
    assert f"Brackets: {said}" in " ".join(out.split())
    _, out, _ = run(*asked, "--format", "csv")
    assert out.splitlines()[0] == "system,measure,value,lower,upper"
    assert out.splitlines()[-1] == "b,P@1,0.5,0.5,1.0"
    _, out, _ = run(*asked, "--per-query")
    assert out.splitlines()[5].split() == ["b", "q2", "0.000", "[0.000,", "1.000]"]
    assert "the lowest and the highest value that" in " ".join(out.split())
    _, out, _ = run(*asked, "--format", "latex")
    assert rf"\caption{{Means over 2 queries. In brackets: {said}" in out
    _, out, _ = run(*asked, "--over", "query")
    assert printed_tables(out)[0][1]["P@1"] == "0.500 [0.095, 0.905]"  # Wilson's
    status, _, err = run("evaluate", "qrels.txt", "a.run", "-m", "ADR", "--unjudged", "bounds")
    assert status == 2
    assert (
        "--unjudged bounds: no rule is known for ADR; leave it out (measures without a rule: "
        in err
    )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--missing", "pooled"),
            "--missing: is about each subject's own truth; add --worlds",
        ),
        (("--aggregate", "mean", "--worlds", "independent"), "--aggregate: leaves one truth, and"),
        (("--worlds", "crisp"), "merge them with --aggregate mean|median|majority|max|min, or use"),
        (("--per-query", "--over", "query"), "error: --over: is for means, and --per-query sh"),
        (("--n-worlds", "0"), "error: --n-worlds 0: must be 1 or more"),
        (("-o", "t.xlsx"), "-o t.xlsx: the ending '.xlsx' names no format"),
        (
            ("-o", "t.parquet"),
            "-o t.parquet: the ending '.parquet' names no format of tables; name",
        ),
        (("-o", "-"), "'-': names no file here; write /dev/stdin or /dev/stdout"),
        (("--save", "s.csv"), "--save s.csv: scores are saved as Parquet; name the file .parquet"),
    ],
)
def test_options_that_do_not_go_together(run, options, message: str) -> None:
    status, out, err = run("evaluate", "votes.csv", "a.run", *options)
    assert (status, out) == (2, "")
    assert message in err


def test_a_measure_that_is_nowhere_defined(run, folder: Path) -> None:
    (folder / "none.csv").write_text(VOTES.replace(",1\n", ",0\n"))
    status, out, _ = run("evaluate", "none.csv", "a.run", "-m", "AP,P@1", "--undefined", "exclude")
    assert status == 0
    assert printed_tables(out) == [[{"system": "a", "AP": "–", "P@1": "0.0000"}]]
    _, out, _ = run(
        *("evaluate", "none.csv", "a.run", "-m", "AP,P@1", "--undefined", "exclude"),
        *("--over", "world"),
    )
    assert printed_tables(out) == [[{"system": "a", "AP": "–", "P@1": "0.000 [0.000, 0.000]"}]]


def test_number_of_worlds_may_be_left_open(run) -> None:
    command = ("evaluate", "votes.csv", "a.run", "-m", "ERR", "--seed", "1", "--n-worlds")
    status, out, _ = run(*command, "auto", "--mc-error", "0.002")
    assert status == 0
    assert out.startswith("system     ERR\n")
    _, out, _ = run(*command, "auto", "--mc-error", "0.002", "--over", "world")
    assert re.search(r"what holds 95 % of [\d,]+ worlds", out)
    status, _, err = run(*command, "many")
    assert status == 2
    assert "--n-worlds: must be a whole number or auto, not 'many'" in err
    status, _, err = run(*command, "50", "--mc-error", "0.1")
    assert (status, err) == (
        2,
        "error: --mc-error 0.1: is for --n-worlds auto; give that, or leave it out\n",
    )


@pytest.mark.parametrize(("rel", "ann", "bob"), [("ann=0,bob=2", 1.0, 0.0), ("1", 0.0, 1.0)])
def test_thresholds(run, rel: str, ann: float, bob: float) -> None:
    options = ("-m", "P@1", "--format", "csv", "--worlds", "subject", "--rel", rel)
    status, out, _ = run("evaluate", "votes.csv", "a.run", *options)
    assert status == 0
    assert out.splitlines()[1:] == [f"a,ann,P@1,{ann}", f"a,bob,P@1,{bob}"]
    status, _, err = run("evaluate", "votes.csv", "a.run", *options[:-1], "2")
    assert status == 2
    assert "--rel: no grade reaches the threshold (ann up to 1, threshold 2; bob up" in err


def test_a_subject_without_a_threshold(run) -> None:
    status, _, err = run("evaluate", "votes.csv", "a.run", "--rel", "ann=1")
    assert status == 2
    assert err == "error: --rel: no threshold for 1 subject: bob; give every subject one\n"


@pytest.mark.usefixtures("categories")
def test_classifiers_answer_votes_by_item(run, folder: Path) -> None:
    (folder / "net.csv").write_text("image,label\ni1,people\ni2,city\n")
    for typed, taxonomy in (((), None), (("--taxonomy", "tree.txt"), "tree.txt")):
        options = ("--by-item", "-m", "P@1", "--format", "csv")
        status, out, err = run("evaluate", "labels.csv", "net.csv", *typed, *options)
        assert status == 0, err
        votes = ft.read_assignments("labels.csv", taxonomy=taxonomy)
        scores = ft.evaluate(votes.by_item(), ft.read_runs("net.csv"), ["P@1"])
        assert from_csv(out)[0]["value"] == scores.mean().iloc[0, 0] == pytest.approx(0.5)
    by_subject = ("--by-item", "-m", "P@1", "--worlds", "subject")
    assert run("evaluate", "labels.csv", "net.csv", *by_subject)[0] == 0
    (folder / "other.csv").write_text("image,label\ni1,city\ni2,city\n")
    assert run("compare", "labels.csv", "net.csv", "other.csv", *by_subject)[0] == 0


@pytest.mark.usefixtures("categories")
def test_flat_labels_by_example(run) -> None:
    options = ("--by-example", "--category", "city", "-m", "P@1", "--format", "csv")
    status, out, err = run("evaluate", "labels.csv", "like.run", *options)
    assert status == 0, err
    truth = ft.read_assignments("labels.csv").by_example(category="city")
    expected = ft.evaluate(truth, "like.run", ["P@1"]).mean().iloc[0, 0]
    assert from_csv(out)[0]["value"] == expected
    status, _, err = run("evaluate", "labels.csv", "like.run", "--by-item", "--category", "city")
    assert (status, err) == (
        2,
        "error: --category: is what queries ask for; leave it out with --by-item\n",
    )


def test_names_of_trec_eval(run) -> None:
    """Cut-offs and other numbers after a comma belong to the name before."""
    names = "P.5,10,utility.2,-1,0,0,AP,ndcg.1=3,2=9"
    _, out, _ = run("evaluate", "qrels.txt", "a.run", "-m", names, "--format", "csv")
    measures = [row["measure"] for row in from_csv(out)]
    assert measures == ["P@5", "P@10", "Utility(hit=2)", "AP", "nDCG(gains={1:3,2:9})"]
    status, out, err = run("evaluate", "qrels.txt", "a.run", "-m", "official", "--format", "csv")
    assert status == 0
    assert "'official' is evaluated without num_q, gm_map" in err
    assert len(from_csv(out)) == 27


def test_all_wrong_measures_are_named(run) -> None:
    status, _, err = run("evaluate", "qrels.txt", "a.run", "-m", "mpa,AP,P@0", "-m", "gm_map")
    assert status == 2
    for part in ("'mpa' (did you mean AP", "P@0: a cut-off", "'gm_map' summarises"):
        assert part in err


def test_lists_without_the_query_itself(run, folder: Path) -> None:
    (folder / "self.run").write_text("q1 Q0 q1 1 3.0 x\nq1 Q0 d1 2 2.0 x\n")
    (folder / "self.qrels").write_text("q1 0 d1 1\n")
    command = ("evaluate", "self.qrels", "self.run", "-m", "RR", "--format", "csv")
    assert from_csv(run(*command)[1])[0]["value"] == 0.5
    status, out, err = run(*command, "--exclude-self")
    assert (status, from_csv(out)[0]["value"]) == (0, 1.0)
    assert "--exclude-self: left out 1 item that has the id of the query, of self (1)" in err


def test_diversity_judgments(run) -> None:
    Path("diversity.txt").write_text("q1 1 d1 1\nq1 2 d1 1\nq1 2 d2 1\nq2 1 d1 1\n")
    names = ("evaluate", "diversity.txt", "a.run", "-m", "alpha_nDCG@5,ERR_IA@5")
    truth = ft.read_judgments("diversity.txt", groups="intent")
    expected = ft.evaluate(truth, "a.run", ["alpha_nDCG@5", "ERR_IA@5"]).mean()
    _, out, _ = run(*names, "--intents", "--format", "csv")
    assert [row["value"] for row in from_csv(out)] == expected.loc["a"].tolist()
    status, _, err = run(*names, "--no-groups")
    assert status == 1
    status, _, err = run(*names)
    assert status != 0
    assert "or read TREC diversity judgments with --intents" in err
    status, _, err = run(*names, "--intents", "--groups")
    assert (status, "--intents, --groups: say both" in err) == (2, True)


def test_intents_are_converted(run) -> None:
    Path("diversity.txt").write_text("q1 1 d1 1\nq1 2 d1 0\n")
    assert run("convert", "diversity.txt", "judgments.csv", "--intents")[0] == 0
    assert ft.read_judgments("judgments.csv").intents == ("1", "2")


def test_grades_as_shares_of_scales(run, folder: Path) -> None:
    (folder / "own.csv").write_text(
        "query,item,subject,grade\nq,a,ann,3\nq,b,ann,1\nq,a,bob,0\nq,b,bob,1\n"
    )
    (folder / "own.run").write_text("q Q0 a 1 2 x\nq Q0 b 2 1 x\n")
    typed = ("own.csv", "own.run", "-m", "DCG@2", "--worlds", "subject", "--format", "json")
    status, out, _ = run("evaluate", *typed, "--rescale", "own")
    truth = ft.read_judgments(folder / "own.csv").rescaled()
    scores = ft.evaluate(truth, ft.read_runs(folder / "own.run"), "DCG@2", worlds="subject")
    assert status == 0
    assert [row["value"] for row in json.loads(out)] == pytest.approx(scores.values.ravel())
    assert scores.values.ravel().tolist() == pytest.approx([1, 1 / np.log2(3)])


def test_the_warning_about_ties_names_the_option(run, folder: Path) -> None:
    for name in "tu":
        (folder / f"{name}.run").write_text(f"q1 Q0 d1 1 1 {name}\nq1 Q0 d2 2 1 {name}\n")
    (folder / "one.txt").write_text("q1 0 d1 1\nq1 0 d2 0\n")
    _, _, err = run("evaluate", "one.txt", "t.run", "u.run", "-m", "P@1", "-m", "infAP")
    assert err == (
        "warning: the order of items with equal scores moves 2 of 2 means over queries by more "
        "than 0.01 (relevant items last to relevant items first): P@1 of t 0.000 to 1.000 (here "
        "0.000), P@1 of u 0.000 to 1.000 (here 0.000); it "
        "may move means of infAP (no ends known); --ties expected gives the "
        "mean over all orders (not known for infAP)\n"
    )
