"""`fuzzytruth evaluate`."""

import re
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from support.read_tables import numbers, printed_tables

import fuzzytruth as ft

OWN = "evaluate votes.csv a.run"


def test_measures_by_default_and_by_names_of_trec_eval(run, printed, records) -> None:
    """Cut-offs and other numbers after a comma belong to the name before."""
    tables = printed_tables(printed("evaluate qrels.txt a.run"))  # as far as 80 columns allow
    headings = [heading for (row,) in tables for heading in row if heading != "system"]
    assert headings == ["AP", "nDCG@10", "P@10", "R@100", "RR"]
    rows = records("evaluate qrels.txt a.run -m P.5,10,utility.2,-1,0,0,AP,ndcg.1=3,2=9")
    names = [row["measure"] for row in rows]
    assert names == ["P@5", "P@10", "Utility(hit=2)", "AP", "nDCG(gains={1:3,2:9})"]
    status, out, err = run("evaluate qrels.txt a.run -m official --format csv")
    assert (status, out.count("\n")) == (0, 28)
    assert "'official' is evaluated without num_q, gm_map" in err


def test_brackets_are_t_intervals_over_queries(printed) -> None:
    """By hand: AP of a is (1/2 + 2/3) / 2 = 7/12 and 1; of b 1/2 and 1/2."""
    out = printed("evaluate qrels.txt a.run b.run -m AP -m P@1,RR")
    half = stats.t.ppf(0.975, 1) * abs(1 - 7 / 12) / 2
    a, b = printed_tables(out)[0]
    assert numbers(a["AP"]) == pytest.approx((19 / 24, 0, 1), abs=5e-4)
    assert 19 / 24 - half < 0 < 1 < 19 / 24 + half  # cut at the ends of the measure
    assert [numbers(row[m])[0] for row in (a, b) for m in ("P@1", "RR")] == [0.5, 0.75] * 2
    assert b["AP"] == "0.500 [0.500, 0.500]"
    assert "Brackets: 95 % t intervals over queries, the ground truth being fixed" in (
        " ".join(out.split())
    )


def test_csv_and_json_hold_the_numbers_in_full(printed, records) -> None:
    scores = ft.evaluate("qrels.txt", ["a.run", "b.run"], ["AP", "nDCG@10"])
    line = "evaluate qrels.txt a.run b.run -m AP,nDCG@10"
    summary = scores.summary().rename(columns={"mean": "value"})
    rows = records(line)
    assert list(rows[0]) == ["system", "measure", "value", "lower", "upper"]
    assert sorted(map(str, rows)) == sorted(
        str({name: row[name] for name in rows[0]}) for row in summary.to_dict("records")
    )
    csv = printed(f"{line} --format csv").splitlines()
    assert csv == [",".join(rows[0]), *(",".join(map(str, row.values())) for row in rows)]
    assert records(f"{line} --per-query") == scores.to_frame().to_dict("records")


def test_worlds_give_intervals_if_asked(printed, records) -> None:
    line = f"{OWN} -m RR --worlds independent --n-worlds 50 --seed 1"
    assert list(records(line)[0]) == ["system", "measure", "value"]
    rows = records(f"{line} --per-query")
    assert list(rows[0]) == ["system", "query", "measure", "value", "std", "exact", "mc_error"]
    line = f"{line} --over world"
    with pytest.warns(ft.FuzzytruthWarning):
        scores = ft.evaluate("votes.csv", "a.run", "RR", worlds="independent", n_worlds=50, rng=1)
    means = scores.uncertainty.world_means
    ends = np.array([means.min(), means.max()])  # .025 of 50 are one on either side
    out = printed(line)
    assert numbers(printed_tables(out)[0][0]["RR"])[1:] == tuple(ends.round(3))
    assert "Brackets: what holds 95 % of 50 worlds in which each item" in out
    (row,) = records(line)
    assert list(row) == ["system", "measure", "value", "lower", "upper"]
    assert [row["lower"], row["upper"]] == ends.tolist()
    assert [row] == records(f"{line} --n-jobs 1")


def test_number_of_worlds_may_be_left_open(printed) -> None:
    line = f"{OWN} -m ERR --seed 1 --n-worlds auto --mc-error 0.002"
    assert printed(line).startswith("system     ERR\n")
    assert re.search(r"what holds 95 % of [\d,]+ worlds", printed(f"{line} --over world"))


@pytest.mark.usefixtures("categories")
def test_votes_for_categories(records, folder: Path) -> None:
    line = "evaluate labels.csv like.run --taxonomy tree.txt -m P@1 --seed 0"
    rows = records(f"{line} --per-query")
    # i1 lists i2 first (itself left out): people, crowd or city against city, city or all
    assert [row["value"] for row in rows] == pytest.approx([1 / 3 * 2 / 3, 5 / 9])
    (row,) = records(f"{line} --category scenery")
    assert row["value"] == pytest.approx((2 / 3 + 1 / 3) / 2)
    flat = "evaluate labels.csv like.run --by-example --category city -m P@1"
    truth = ft.read_assignments("labels.csv").by_example(category="city")
    assert records(flat)[0]["value"] == ft.evaluate(truth, "like.run", ["P@1"]).mean().iloc[0, 0]
    (folder / "net.csv").write_text("image,label\ni1,people\ni2,city\n")
    (folder / "other.csv").write_text("image,label\ni1,city\ni2,city\n")
    for typed, taxonomy in (("", None), ("--taxonomy tree.txt", "tree.txt")):
        (row,) = records(f"evaluate labels.csv net.csv {typed} --by-item -m P@1")
        votes = ft.read_assignments("labels.csv", taxonomy=taxonomy)
        scores = ft.evaluate(votes.by_item(), ft.read_runs("net.csv"), ["P@1"])
        assert row["value"] == scores.mean().iloc[0, 0] == pytest.approx(0.5)
    by_subject = "labels.csv net.csv other.csv --by-item -m P@1 --worlds subject"
    assert len(records(f"evaluate {by_subject}")) == 6
    assert len(records(f"compare {by_subject}")) == 1


def test_thresholds_and_scales(records, folder: Path) -> None:
    for rel, values in (("ann=0,bob=2", [1.0, 0.0]), ("1", [0.0, 1.0])):
        rows = records(f"{OWN} -m P@1 --worlds subject --rel {rel}")
        assert [row["value"] for row in rows] == values
    (folder / "own.csv").write_text(
        "query,item,subject,grade\nq,a,ann,3\nq,b,ann,1\nq,a,bob,0\nq,b,bob,1\n"
    )
    (folder / "own.run").write_text("q Q0 a 1 2 x\nq Q0 b 2 1 x\n")
    rows = records("evaluate own.csv own.run -m DCG@2 --worlds subject --rescale own")
    assert [row["value"] for row in rows] == pytest.approx([1, 1 / np.log2(3)])


def test_diversity_judgments(records, printed) -> None:
    Path("diversity.txt").write_text("q1 1 d1 1\nq1 2 d1 1\nq1 2 d2 1\nq2 1 d1 1\n")
    truth = ft.read_judgments("diversity.txt", groups="intent")
    measures = ["alpha_nDCG@5", "ERR_IA@5"]
    rows = records(f"evaluate diversity.txt a.run -m {','.join(measures)} --intents")
    assert [row["value"] for row in rows] == ft.evaluate(truth, "a.run", measures).mean().loc[
        "a"
    ].tolist()
    printed("convert diversity.txt judgments.csv --intents")
    assert ft.read_judgments("judgments.csv").intents == ("1", "2")


QRELS = "evaluate qrels.txt a.run"


@pytest.mark.usefixtures("categories")
@pytest.mark.parametrize(
    ("line", "message"),
    [
        (f"{OWN} --missing pooled", "--missing: is about each subject's own truth; add --worlds"),
        (f"{OWN} --aggregate mean --worlds independent", "--aggregate: leaves one truth, and no"),
        (f"{OWN} --aggregate mean --worlds subject", "--aggregate: leaves one truth, and no"),
        (f"{OWN} --worlds crisp", "merge them with --aggregate mean|median|majority|max|min, or"),
        (f"{OWN} --per-query --over query", "--over: is for means, and --per-query sh"),
        (f"{OWN} --n-worlds 0", "--n-worlds 0: must be 1 or more"),
        (f"{OWN} --n-worlds many", "--n-worlds: must be a whole number or auto, not 'many'"),
        (f"{OWN} --n-jobs 0", "--n-jobs 0: must be"),
        (f"{OWN} -m bpref --n-jobs {'9' * 20}", f"--n-jobs {'9' * 20}: must be 100,000 or less"),
        (f"{OWN} --seed -1", "--seed -1: must be"),
        (f"{OWN} -o -", "'-': names no file here; write /dev/stdin or /dev/stdout"),
        (f"{OWN} --save s.csv", "--save s.csv: scores are saved as Parquet; name the file .parq"),
        (
            f"{OWN} --n-worlds 50 --mc-error 0.1",
            "--mc-error 0.1: is for --n-worlds auto; give that, or leave it out",
        ),
        (f"{OWN} -m RR --worlds subject --over world", "--over world: these scores have no wor"),
        (f"{OWN} -m RR --worlds subject --over sun", "--over sun: "),
        (f"{OWN} --rel ann=1", "--rel: no threshold for 1 subject: bob; give every subject one"),
        (f"{OWN} --rel 2", "--rel: no grade reaches the threshold (ann up to 1, threshold 2; bob"),
        (f"{QRELS} --worlds subject", "--worlds subject"),
        (f"{QRELS} --category scenery", "add --taxonomy"),
        (f"{QRELS} -m ''", "no measure given"),
        (f"{QRELS} -m mpa,AP,P@0 -m gm_map", "'mpa' (did you mean AP"),
        (f"{QRELS} -m mpa,AP,P@0 -m gm_map", "P@0: a cut-off"),
        (f"{QRELS} -m mpa,AP,P@0 -m gm_map", "'gm_map' summarises"),
        (
            f"{QRELS} -m ADR --unjudged bounds",
            "--unjudged bounds: no rule is known for ADR; leave it out (measures without a rule: ",
        ),
        (f"{QRELS} --intents --groups", "--intents, --groups: say both"),
        (
            "evaluate labels.csv like.run --by-item --category city",
            "--category: is what queries ask for; leave it out with --by-item",
        ),
    ],
)
def test_options_that_do_not_go_together(error, line: str, message: str) -> None:
    status, found = error(line)
    assert status == 2
    assert message in found
