"""Displacement by brute force."""

import itertools

import pytest
from support.printed import column

from paper_repro import examples, worked_lists


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
    ratios = [worked_lists.remark(size)[0] for size in (100, 1_000, 10_000, 100_000)]
    assert ratios == sorted(ratios, reverse=True)
    assert 1 < ratios[-1] < 1.001
