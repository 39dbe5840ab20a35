"""Exact moments and distributions against enumeration of all worlds."""

import dataclasses
import tracemalloc

import numpy as np
import pytest
from support.definitions import (
    TIES,
    UNCERTAIN,
    check_closed_forms,
    in_every_world,
    probabilities,
)
from support.variants import VARIANTS

from fuzzytruth.core.arithmetic import offsets_of
from fuzzytruth.measures import P, R, parse_measure
from fuzzytruth.measures.guards import checked_distribution, checked_moments
from fuzzytruth.truth.inputs import GradeProbabilities, ItemProbabilities

MEASURES = [parse_measure(text) for text in VARIANTS]
CLOSED_FORMS = "F(beta=2)@3 E@3 AP AP@3 nDCG@3 RR@3 Success@3 ST(norm=depth) RelP@3 NumRet@3"


@pytest.mark.parametrize("text", CLOSED_FORMS.split())
def test_closed_forms(text: str) -> None:
    check_closed_forms(parse_measure(text), 1.0)


TIED_FORMS = "P@3 P R@3 R F(beta=2)@3 E@3 EPSB@4 RelP@3 NN TP@2 FP@3 FN@3 TN(collection=40)@3 "
TIED_FORMS += "Utility(missed=-1)@3 NumRet@3 NumRel NumNonRelJudgedRet@3 CG@3 DCG@3 nDCG@3 nCG@3 "
TIED_FORMS += "RBP@3 RBPResidual@3 SDCG@3 INSQ@3"


@pytest.mark.parametrize("text", TIED_FORMS.split())
def test_closed_forms_of_tied_items(text: str) -> None:
    """Means over all orders in every world."""
    measure = parse_measure(text)
    given = probabilities(1.0, TIES[0])
    assert checked_moments(measure, given) is not None
    for ties in (*TIES, (5, 1)):
        check_closed_forms(measure, 1.0, ties)


@pytest.mark.parametrize("text", ["AP", "RR@3", "Success@3", "ST", "P(judged_only=True)@3"])
def test_what_ties_leave_open(text: str) -> None:
    measure, given = parse_measure(text), probabilities(1.0, (2, 3, 1))
    known = ~np.isnan(checked_moments(measure, given)[0])
    assert known.tolist() == [False, False, True, False]  # the third has no judged item
    assert checked_distribution(measure, given.of_query(0)) is None
    assert checked_distribution(measure, given.of_query(2)) is not None or text in ("AP",)


def test_measures_with_exact_distributions_or_moments() -> None:
    one = probabilities().of_query(0)
    known = {m.name for m in MEASURES if checked_distribution(m, one) is not None}
    assert known == {
        *("P", "R", "Success", "RelP", "Rprec", "F", "E", "EPSB", "RR", "NN", "FT", "ST", "TP"),
        *("NumRet", "NumRelRet"),
    }
    moments = {m.name for m in MEASURES if checked_moments(m, one) is not None}
    assert moments - known == {
        *("AP", "CG", "DCG", "nCG", "nDCG", "RBP", "RBPResidual", "SDCG", "INSQ", "FP", "FN"),
        *("TN", "NumRel", "NumNonRelJudgedRet", "Utility"),
    }


def test_what_a_large_collection_leaves_open() -> None:
    one = probabilities()
    rest = dataclasses.replace(one.rest, count=np.array([1.0, 2, 1, 1]))
    large = ItemProbabilities(
        one.length, one.rank, one.hits, rest, one.entry, one.top_grade, countable=False
    )
    for text in ("F", "FT", "Rprec", "nDCG"):
        assert checked_moments(parse_measure(text), large) is None
    ranked, missed = UNCERTAIN[0]
    for text in ("R", "R@3"):
        mean, variance = checked_moments(parse_measure(text), large)
        assert variance is None
        values, chance = in_every_world(
            parse_measure(text), ranked, [missed[0], missed[1], missed[1]]
        )
        assert mean[0] == pytest.approx(values @ chance, abs=1e-12)
    counted = dataclasses.replace(large, countable=True).of_query(0)
    value, weight = checked_distribution(parse_measure("R@3"), counted)
    assert value @ weight == pytest.approx(values @ chance, abs=1e-12)


def many_queries(rng: np.random.Generator, lead: tuple[int, ...]) -> list[ItemProbabilities]:
    """Queries of very different sizes, some probabilities being 0 or 1."""
    out = []
    for n_hits, n_rest in [(0, 3), (1, 0), (2, 1), *rng.integers(0, 60, (9, 2)), (700, 500)]:
        rank = np.sort(rng.choice(np.arange(1, 3 * n_hits + 2), n_hits, replace=False))

        def some(n: int) -> GradeProbabilities:
            p = rng.beta(0.5, 1.0, (*lead, n)) * (rng.random(n) < 0.9)
            p[..., rng.random(n) < 0.1] = 1.0
            grade, chance = np.tile([[0.0], [1.0]], (1, n)), np.stack((1 - p, p), axis=-2)
            return GradeProbabilities(offsets_of(np.array([n])), grade, chance)

        length, entry = np.array([3 * n_hits + 2]), np.arange(n_hits)
        out.append(ItemProbabilities(length, rank, some(n_hits), some(n_rest), entry))
    return out


def together(parts: list[ItemProbabilities]) -> ItemProbabilities:
    def joined(which: list[GradeProbabilities]) -> GradeProbabilities:
        return GradeProbabilities(
            offsets_of(np.concatenate([g.sizes for g in which])),
            np.concatenate([g.grade for g in which], axis=-1),
            np.concatenate([g.probability for g in which], axis=-1),
        )

    return ItemProbabilities(
        np.concatenate([m.length for m in parts]),
        np.concatenate([m.rank for m in parts]),
        joined([m.hits for m in parts]),
        joined([m.rest for m in parts]),
        np.concatenate([m.entry for m in parts]),
        last=np.concatenate([m.rank if m.last is None else m.last for m in parts]),
    )


def with_ties(m: ItemProbabilities, rng: np.random.Generator) -> ItemProbabilities:
    """The same with ranks shared by some neighbours, and by items that nobody judged."""
    ends = np.unique(np.append(rng.choice(m.length[0], m.length[0] // 3), m.length[0]))
    group = np.searchsorted(ends, m.rank)
    return dataclasses.replace(m, rank=np.append(0, ends)[group] + 1, last=ends[group])


COMPANY = "nDCG nDCG@40 nDCG(dcg=burges)@2000 F E@3 AP@40 RR@3 R@3 Success@3 ST(norm=depth)"
COMPANY += " Rprec(mult=2) RelP@3 CG@4 RBPResidual@4 FN@2 Utility(missed=-1)@3 SDCG(max_rel=1)@4"


@pytest.mark.parametrize(("number", "text"), list(enumerate(COMPANY.split())))
def test_company_does_not_change_the_bits(number: int, text: str) -> None:
    """Alone, all together, and some of them in another order; given relevant items, too."""
    measure = parse_measure(text)
    lead = (3,) if number % 2 else ()
    rng = np.random.default_rng(8)
    parts = many_queries(rng, lead)
    if measure.exact_for_ties:
        parts += [with_ties(m, rng) for m in parts]
    order = rng.permutation(len(parts))[: len(parts) // 2]
    for moments in (measure.moments, measure.defined_moments):
        alone = [moments(m) for m in parts]
        if alone[0] is None:
            continue
        every, some = moments(together(parts)), moments(together([parts[j] for j in order]))
        for moment in range(2):
            if alone[0][moment] is None:
                continue
            one_by_one = np.concatenate([a[moment] for a in alone], axis=-1)
            assert one_by_one.shape == (*lead, len(parts))
            np.testing.assert_array_equal(every[moment], one_by_one)
            np.testing.assert_array_equal(some[moment], one_by_one[..., order])


def test_a_measure_of_its_own_declares_what_it_knows_again() -> None:
    class HalfPrecision(P):
        def score(self, batch):
            return super().score(batch) / 2

    class FirstOfRecall(R):
        def moments(self, probabilities):
            return super().moments(probabilities)

    assert P.linear
    assert P.exact_for_ties
    assert not HalfPrecision.linear
    assert not HalfPrecision.exact_for_ties
    assert not FirstOfRecall.exact_for_ties
    assert FirstOfRecall().defined_moments(probabilities()) is None


@pytest.mark.parametrize("text", ["F@10", "R", "ST", "AP", "nDCG@10"])
def test_many_items_need_little_memory(text: str) -> None:
    """6,000 judged items: moments in less than 64 MB, atoms that still sum to 1."""
    n = 6000
    p = np.random.default_rng(0).beta(0.5, 2, n)
    chance, grade = np.stack((1 - p, p)), np.tile([[0.0], [1.0]], (1, n))
    hits = GradeProbabilities(np.array([0, n // 2]), grade[:, ::2], chance[:, ::2])
    rest = GradeProbabilities(np.array([0, n // 2]), grade[:, 1::2], chance[:, 1::2])
    rank = np.arange(1, n // 2 + 1)
    m = ItemProbabilities(np.array([n // 2]), rank, hits, rest, np.arange(n // 2))
    measure = parse_measure(text)
    tracemalloc.start()
    mean, _ = checked_moments(measure, m)
    atoms = checked_distribution(measure, m)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 64e6
    if atoms is not None:
        assert atoms[1].sum() == pytest.approx(1, abs=1e-12)
        assert atoms[0] @ atoms[1] == pytest.approx(mean.item(), rel=1e-11)


@pytest.mark.parametrize("text", ["P@5", "R@5", "F@10", "nDCG@10", "P@2000", "FN@7"])
def test_many_tied_items_need_little_time_and_memory(text: str) -> None:
    """5,000 items in one tie after three others, and 1,000 that are not listed."""
    n = 5003
    p = np.random.default_rng(0).beta(0.5, 2, n + 1000)
    chance, grade = np.stack((1 - p, p)), np.tile([[0.0], [1.0]], (1, len(p)))
    hits = GradeProbabilities(np.array([0, n]), grade[:, :n], chance[:, :n])
    rest = GradeProbabilities(np.array([0, 1000]), grade[:, n:], chance[:, n:])
    first, last = np.full(n, 4), np.full(n, n)
    first[:3] = last[:3] = [1, 2, 3]
    m = ItemProbabilities(np.array([n]), first, hits, rest, np.arange(n), last=last)
    measure = parse_measure(text)
    tracemalloc.start()
    mean, variance = checked_moments(measure, m)
    atoms = checked_distribution(measure, m)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100e6
    assert (atoms is not None) == (text[0] in "PRF" and text[:2] != "FN")
    if atoms is not None:
        assert atoms[1].sum() == pytest.approx(1, abs=1e-12)
        assert atoms[0] @ atoms[1] == pytest.approx(mean.item(), rel=1e-11)
        spread = atoms[1] @ (atoms[0] - mean) ** 2
        assert spread == pytest.approx(variance.item(), rel=1e-9)


def test_too_many_atoms_of_tied_items_are_left_to_simulation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tied, measure = probabilities(1.0, TIES[0]).of_query(0), parse_measure("R@3")
    assert checked_distribution(measure, tied) is not None
    monkeypatch.setattr("fuzzytruth.measures.exact._MOST_ATOMS", 11)
    assert checked_distribution(measure, tied) is None
    assert checked_distribution(measure, probabilities().of_query(0)) is not None


def test_several_gains_have_no_exact_normalised_gain() -> None:
    one = probabilities()
    grade = one.hits.grade.copy()
    grade[1, 0] = 2.0
    mixed = dataclasses.replace(one, hits=dataclasses.replace(one.hits, grade=grade))
    measure = parse_measure("nDCG")
    known, of_mixed = checked_moments(measure, one), checked_moments(measure, mixed)
    assert known is not None
    assert of_mixed is not None
    assert np.isnan(of_mixed[0]).tolist() == [True] + [False] * (len(UNCERTAIN) - 1)
    np.testing.assert_array_equal(of_mixed[0][1:], known[0][1:])
    assert checked_moments(measure, mixed.of_queries(np.array([0]))) is None
    assert checked_moments(parse_measure("DCG"), mixed) is not None
