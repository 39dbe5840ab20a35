"""The numbers of paper_repro: golden ones, hand-worked ones, and by brute force."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("matplotlib").use("Agg")

from paper_repro import (
    as_printed,
    claims,
    contests,
    examples,
    experiment,
    figure1,
    misprints,
    worked_lists,
)
from paper_repro.tables import Table, agrees, cell, number_claim

GOLDEN = Path(__file__).parents[1] / "golden"

# The rows of the list of misprints that the reproduction has to show.
MISPRINTS = [
    "Santini (1), (2)",
    "(6)–(8)",
    "(6)",
    "(8)",
    "(10) second product",
    "(11)",
    "(12)",
    "(13), (14)",
    "(14) left side",
    "(16), (17)",
    "(22)",
    "(23)",
    "SHREC 2006 tiers (relevant)",
    "SHREC 2006 NCG",
    "E-measure (SHREC 2019, NIST)",
    "SHREC 2019 tiers",
]


def golden(name: str) -> dict:
    return json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))


def column(table: Table, name: str) -> list[str]:
    return [row[table.columns.index(name)] for row in table.rows]


# What it takes to agree


@pytest.mark.parametrize(
    ("printed", "ours", "same"),
    [
        ("0.6", 0.6, True),
        ("0.6", 0.69, True),  # cut off
        ("0.6", 0.7, False),
        ("0.819", 0.8192, True),
        ("0.819", 0.8201, False),
        ("66.667%", 2 / 3, True),
        ("66.667%", 0.67, False),
        ("5", 5.0, True),
        ("5", 5.001, False),
    ],
)
def test_printed_numbers_agree(printed: str, ours: float, same: bool) -> None:
    assert agrees(printed, ours) is same
    assert number_claim("x", "y", printed, ours).agrees is same


def test_cells_of_tables() -> None:
    assert [cell(x) for x in (True, np.False_, 0.1 + 0.2, -0.0, 3, "|")] == [
        *("yes", "no", "0.3", "0", "3", "|")
    ]
    assert "a \\| b" in Table.of(["x"], [["a | b"]])._repr_markdown_()


# (a)


def test_figure_1() -> None:
    expected = golden("santini_figure1")
    assert expected["taxonomy"] == examples.TREE
    assert sorted(expected["assignments"].values()) == sorted(examples.FIGURE_1_VOTES)
    m = examples.figure1_membership()
    found = {node: m.probability("fig1", node) for node in m.taxonomy}
    assert found == pytest.approx(expected["membership"], abs=1e-15)
    assert {n: float(p) for n, p in figure1.PRINTED_FIGURE.items()} == expected["membership"]
    assert set(column(figure1.figure1_table(), "agrees")) == {"yes"}


def test_the_drawn_tree_shows_the_printed_numbers() -> None:
    (ax,) = figure1.figure1_drawn().axes
    words = [text.get_text() for text in ax.texts]
    pairs = dict(zip(words[::2], words[1::2], strict=True))
    assert pairs == figure1.PRINTED_FIGURE


# (b)


def worlds(n: int) -> tuple[np.ndarray, np.ndarray]:
    """P@5 of A and of B for fig1 in drawn worlds, one at a time from the votes: (2, n)."""
    votes, _ = experiment.synthetic_votes()
    frame = votes.to_frame()
    given = {item: rows["category"].tolist() for item, rows in frame.groupby("item", sort=False)}
    tax, rng = votes.taxonomy, np.random.default_rng(1)
    below = {node: {node, *tax.descendants(node)} for node in tax}
    runs = experiment.two_systems().to_frame()
    runs = runs[(runs["query"] == experiment.QUERY) & (runs["item"] != experiment.QUERY)]
    top = {
        system: rows.sort_values("score", ascending=False)["item"].head(5).tolist()
        for system, rows in runs.groupby("system")
    }
    out = np.empty((2, n))
    for world in range(n):
        picks = zip(given, rng.integers(5, size=20), strict=True)
        drawn = {item: given[item][pick] for item, pick in picks}
        relevant = below[drawn[experiment.QUERY]]
        for s, system in enumerate("AB"):
            out[s, world] = np.mean([drawn[item] in relevant for item in top[system]])
    return out[0], out[1]


def test_synthetic_votes_stand_around_figure_1() -> None:
    votes, inside = experiment.synthetic_votes()
    frame = votes.to_frame()
    assert (len(frame), frame["item"].nunique(), frame["subject"].nunique()) == (100, 20, 5)
    assert frame[frame["item"] == "fig1"]["category"].tolist() == examples.FIGURE_1_VOTES
    others = frame[frame["item"] != "fig1"]
    assert others["item"].str.startswith("synth").all()
    inner = others["category"].isin(["people", "scenery"]).mean()
    assert abs(inner - 0.4) < 3 * np.sqrt(0.24 / 95)
    assert inside.sum(axis=1) == pytest.approx(np.ones(20))
    assert "SYNTHETIC" in Path(experiment.__file__).read_text(encoding="utf-8")


def test_precision_and_its_difference_by_drawn_worlds() -> None:
    n, value = 4000, np.arange(-5, 6) / 5
    a, b = worlds(n)
    found, scores = experiment.found_by_rank(), experiment.both_scores()
    laws = [
        (a, found.precision("A", "fig1", 5)),
        (b, found.precision("B", "fig1", 5)),
        (a - b, scores.difference("A", "B", "P@5", query="fig1")),
    ]
    for drawn, law in laws:
        share = (np.abs(drawn[:, None] - value) < 1e-9).mean(axis=0)
        p = law.pmf(value)
        assert p.sum() == pytest.approx(1)
        assert (np.abs(share - p) <= 4 * np.sqrt(p * (1 - p) / n) + 1e-12).all()


def test_comparison_of_the_systems() -> None:
    table = experiment.comparison()
    first = dict(zip(table.columns, table.rows[0], strict=True))
    assert first["measure, fig1"] == "P@5"
    assert first["joint"] == "exact"
    chances = [float(first[name]) for name in ("P(A > B)", "P(A = B)", "P(A < B)")]
    assert sum(chances) == pytest.approx(1, abs=2e-4)
    assert float(first["P(A > B) if they were independent"]) > 2 * chances[0]
    assert [row[0] for row in experiment.kinds_of_worlds().rows] == [
        *("independent", "subject", "population")
    ]


def test_mixture_is_that_of_its_parts() -> None:
    rows = experiment.given_categories().rows
    assert [row[0] for row in rows[:3]] == ["given people", "given crowd", "given city"]
    assert [row[1] for row in rows[:3]] == ["0.4", "0.2", "0.4"]
    mixed, by_hand = rows[3], rows[4]
    assert (mixed[2], mixed[4]) == (by_hand[2], by_hand[4])


# (c)


def test_every_misprint_is_there_and_refuted() -> None:
    rows = misprints.misprints()
    assert list(dict.fromkeys(row.where for row in rows)) == MISPRINTS
    assert len(misprints.misprints_table().rows) == len(rows)
    for row in rows:
        assert row.refuted, row
        assert row.gives != row.ours, row
        assert all((row.printed, row.why, row.chosen)), row


@pytest.mark.parametrize(
    ("where", "gives", "ours"),
    [
        ("(6)–(8)", "p(city) = 0.2", "p(city) = 0.4"),
        ("(8)", "p(all) = 0.4", "p(all) = 1"),
        # (1 - .6)(1 - .2) = .32, and .6 · .2 = .12; printed: .24 + .16 and .24 · .16
        ("(10) second product", "1, 0.4, 0.0384: sum 1.4384", "0.32, 0.56, 0.12: sum 1"),
        ("(11)", "0.16, 0.28, 0.06: sum 0.5", "mean 0.4"),
        ("(12)", "sum 0.833333", "sum 1"),  # 1 / 1.2
        ("(13), (14)", "weights sum to 2.6, probabilities to 2.6", "sum to 1, probabilities to 1"),
        ("(14) left side", "recall 1", "recall 0.2"),
        ("(16), (17)", "w = 1.5", "w = 2.5"),  # 1·|1-2| + .5·|2-3|; 1·|1-3| + .5·|2-1|
        ("(22)", "w_B = m Σ s = 4", "w_B = 2.8"),  # 4 · (.8 + .2); .8·3 + .2·2
        ("(23)", "w_B = 10 with N = 10", "w_B = 10, 6.8, 7.4"),
        ("SHREC 2006 tiers (relevant)", "tier 100.000%", "first tier 81.818%"),
        ("SHREC 2006 NCG", "0.8462, 0.7857, 0.8000, 0.8750", "0.7857, 0.7333, 0.7500, 0.8235"),
        ("E-measure (SHREC 2019, NIST)", "a perfect answer 0, a useless one 1", "EPSB = 1"),
        ("SHREC 2019 tiers", "first tier 0.95", "first tier 1"),
    ],
)
def test_misprints_by_hand(where: str, gives: str, ours: str) -> None:
    (row,) = (row for row in misprints.misprints() if row.where == where)
    assert gives in row.gives
    assert ours in row.ours


# (d)


def rank_sums(answer: tuple[str, ...], missing: dict[str, int]) -> float:
    rank = {item: j for j, item in enumerate(answer, start=1)} | missing
    pairs = zip(examples.SUBJECT, examples.RELEVANCE, strict=True)
    return sum(s * abs(k - rank[item]) for k, (item, s) in enumerate(pairs, start=1))


def test_the_example_between_all_placements() -> None:
    places = [
        rank_sums(tuple(examples.SYSTEM), {"b": b, "d": d})
        for b, d in itertools.permutations(range(5, 11), 2)
    ]
    assert min(places) == pytest.approx(sum(worked_lists.BY_HAND["optimist"]))
    assert max(places) == pytest.approx(sum(worked_lists.BY_HAND["worst"]))
    assert any(x == pytest.approx(5.4) for x in places)
    for unseen, parts in worked_lists.BY_HAND.items():
        assert examples.displaced(unseen).w == pytest.approx(sum(parts))


def test_largest_displacements_by_all_answers() -> None:
    """Of four images out of ten; the others (x0, x1, ...) are alike."""
    answers = set()
    for n in range(5):
        for listed in itertools.permutations(examples.SUBJECT, n):
            for at in itertools.combinations(range(4), n):
                answer = [f"x{j}" for j in range(4)]
                for item, j in zip(listed, at, strict=True):
                    answer[j] = item
                answers.add(tuple(answer))
    best = dict.fromkeys(("optimist", "pessimist-tail", "pessimist"), 0.0)
    for answer in answers:
        missing = [item for item in examples.SUBJECT if item not in answer]
        away = {item: j for j, item in enumerate(missing)}
        for unseen in best:
            start = 5 if unseen == "optimist" else 11 - len(missing)
            rank = {item: start + j for item, j in away.items()}
            if unseen == "pessimist":  # a displacement of 10, wherever the item is
                rank = {item: examples.SUBJECT.index(item) + 11 for item in missing}
            best[unseen] = max(best[unseen], rank_sums(answer, rank))
    orders = itertools.permutations(range(1, 11), 4)
    free = max(rank_sums((), dict(zip(examples.SUBJECT, o, strict=True))) for o in orders)
    expected = {**best, "worst": free, "incremental": free}
    assert expected == pytest.approx(worked_lists.W_MAX_BY_HAND)
    for unseen, most in expected.items():
        assert examples.displaced(unseen, normalised=True).w_max == pytest.approx(most)


def test_worked_lists_agree_everywhere() -> None:
    tables = [
        (worked_lists.hypotheses(), "agrees", 5),
        (worked_lists.qualities(), "as by hand", 5),
        (worked_lists.normalised(), "agrees", 5),
        (worked_lists.ties_and_lengths(), "agrees", 5),
    ]
    for table, name, n in tables:
        assert column(table, name) == ["yes"] * n
    quality = {row[0]: row for row in worked_lists.qualities().rows}
    assert quality["pessimist"][2:6] == ("0.0769231", "0.00591716", "0.301194", "0.88692")
    ratios = [float(x) for x in column(worked_lists.pessimist_remark(), "w / (N Σ_B s)")]
    assert ratios == sorted(ratios, reverse=True)
    assert 1 < ratios[-1] < 1.001


def test_three_subjects_one_number_each() -> None:
    rows = {row[:2]: float(row[2]) for row in worked_lists.three_subjects().rows}
    assert rows["µ", "ann"] == 4.8
    assert rows["µ", "bob"] == 0  # c, a: as bob has them
    assert rows["µ", "mean"] == pytest.approx((4.8 + 0 + rows["µ", "eve"]) / 3, abs=1e-5)


# (e)


def test_shrec_2006_is_the_golden_example() -> None:
    expected = golden("shrec2006_example")
    assert expected["gains_in_rank_order"] == examples.GAINS
    assert (expected["highly_relevant"], expected["relevant"]) == (6, 11)
    assert expected["collection_size"] == examples.COLLECTION
    vectors = {"CG": "CG", "DCG": "DCG", "ICG": "ideal_CG", "IDCG": "ideal_DCG"}
    vectors |= {"NCG": "nCG", "NDCG": "nDCG"}
    for name, key in vectors.items():
        assert examples.our_vector(name) == pytest.approx(expected[key], abs=5.1e-7)
        assert contests.vector_agrees(name) == [True] * len(expected[key])
    assert contests.our_dynamic_recalls() == pytest.approx(expected["ADR_r"], abs=1e-6)
    found = [float(x) for x in contests.ADR_FOUND.split()]
    assert [r * k for k, r in enumerate(contests.our_dynamic_recalls(), 1)] == pytest.approx(found)
    assert set(column(contests.shrec_numbers(), "agrees")) == {"yes"}
    assert len(contests.SHREC_NUMBERS) == 19
    assert set(column(contests.dynamic_recall(), "agrees")) == {"yes"}
    names = ("highly", "relevant_all")
    ours = {float(row[3].rstrip("%")) for row in contests.shrec_numbers().rows}
    for value in (v for name in names for v in expected[name].values()):
        assert any(abs(value - x) < 1e-6 or abs(100 * value - x) < 1e-4 for x in ours)


def test_fractions_of_shrec_2006() -> None:
    agree = column(contests.ncg_fractions(), "agree")
    assert [k for k, word in enumerate(agree, start=1) if word == "no"] == [8, 9, 10, 11]
    right = column(contests.ncg_fractions(), "right fraction")
    assert right[7:12] == ["11/14", "11/15", "12/16", "14/17", "14/17"]


def test_nist_is_the_golden_example() -> None:
    expected = golden("nist_average_precision")
    assert expected["relevant_ranks"] == contests.NIST_RANKS
    (ap,) = contests.nist_scores(["AP"], contests.NIST_RANKS)
    assert ap == pytest.approx(expected["AP"], abs=5.1e-8)
    assert column(contests.nist_numbers(), "agrees") == ["yes"] * 6


# The last table


def test_the_last_table_has_every_row() -> None:
    rows = claims.all_claims()
    table = claims.claims_table()
    assert table.columns == ("claim", "source", "printed", "ours", "agrees")
    assert len(table.rows) == len(rows) == len({(row.claim, row.source) for row in rows})
    wrong = [row.claim for row in rows if not row.agrees]
    assert wrong == [f"{row.where}: {row.printed}" for row in misprints.misprints()]
    n = len(figure1.PRINTED_FIGURE) + len(contests.SHREC_NUMBERS) + len(examples.VECTORS)
    n += len(contests.NIST_RANKS) + len(worked_lists.BY_HAND) + len(misprints.misprints())
    assert len(rows) == n + 13  # and what is claimed in words, ADR's parts and NIST's AP
    assert all(isinstance(row.agrees, bool) for row in rows)
    assert claims.summary().rows == ((str(len(rows)), str(len(rows) - len(wrong)), "17"),)


def test_agreement_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(figure1.PRINTED_FIGURE, "crowd", "0.3")
    assert [row.claim for row in figure1.figure1_claims() if not row.agrees] == [
        "p(crowd) of the image of Figure 1"
    ]
    monkeypatch.setitem(examples.VECTORS, "CG", ("2 4 5 7 9 10 10 11 11 12 14 14 14 15", "CG"))
    assert contests.vector_agrees("CG") == [True] * 13 + [False]
    assert [row.claim for row in contests.contest_claims() if not row.agrees] == ["vector CG′"]


def test_as_printed_is_what_part_c_uses() -> None:
    text = Path(misprints.__file__).read_text(encoding="utf-8")
    unused = [name for name in as_printed.__all__ if f"as_printed.{name}(" not in text]
    assert unused == []
