"""Claims about precision, recall and each person's number, checked on the synthetic data."""

from __future__ import annotations

import numpy as np

import fuzzytruth as ft
from paper_repro import synthetic
from paper_repro.synthetic import QUERY
from paper_repro.tables import EXAMPLE, IDENTITY, PRINTS, Claim, cell

K = 5
SYNTHETIC = "on synthetic votes"


def distribution_claims() -> list[Claim]:
    """What sections 3 and 4 say about precision and recall when the truth is uncertain."""
    votes = synthetic.votes()
    ranks = ft.by_rank(votes.by_example(), synthetic.runs(), depth=19)
    direct = votes.membership().direct(QUERY)
    law = ranks.precision("A", QUERY, K)
    parts = [ranks.precision("A", QUERY, K, category=c) for c in direct]
    mixed = ft.Distribution.mixture(parts, list(direct.values()))
    gap = float(np.abs(mixed.pmf(np.arange(6) / 5) - law.pmf(np.arange(6) / 5)).max())
    total = float(law.probabilities.sum())
    recall = [ranks.recall("A", QUERY, k).mean() for k in range(1, 20)]
    precision = ranks.to_frame().pivot_table("precision", ["system", "query"], "rank")
    fewer, lists = int((precision[19] < precision[1]).sum()), len(precision)
    in_4, in_3 = (f"Santini, section {n}, {SYNTHETIC}" for n in (4, 3))
    return [
        _identity("(13) is a distribution", in_4, "sums to 1", cell(total), abs(total - 1) < 1e-12),
        _identity("(13) with direct shares is the law of total probability", in_4, *_equal(gap)),
        _identity(
            "returning more elements increases recall",
            in_3,
            "never falls",
            f"expected R@1..19 from {recall[0]:.3f} to {recall[-1]:.3f}",
            bool((np.diff(recall) >= -1e-12).all()),
        ),
        Claim(
            "returning more elements usually decreases precision",
            in_3,
            PRINTS,
            "in words",
            f"expected P@19 < P@1 for {fewer} of {lists} lists",
            fewer > lists / 2,
        ),
    ]


def world_claims() -> list[Claim]:
    """Sampled means are the exact ones; one truth is one atom."""
    votes, runs = synthetic.votes(), synthetic.runs()
    n = 100_000
    scores = ft.evaluate(votes.by_example(), runs, f"P@{K}", n_worlds=n, rng=synthetic.SEED)
    worst = 0.0
    for system in scores.systems:
        drawn = scores.mean_distribution(system, f"P@{K}")
        exact = float(scores.mean().loc[system].iloc[0])
        worst = max(worst, abs(drawn.mean() - exact) / (drawn.std() / np.sqrt(n)))
    items = votes.plurality()
    one = ft.Assignments.from_columns(
        ["all"] * len(items), list(items), list(items.values()), taxonomy=votes.taxonomy
    )
    ranks = ft.by_rank(one.by_example(), runs, depth=K)
    atoms = {len(ranks.precision(s, q, K).values) for s in runs for q in items}
    return [
        Claim(
            f"means of {n:,} worlds are within 4 standard errors of the exact ones",
            SYNTHETIC,
            EXAMPLE,
            "≤ 4",
            f"largest {worst:.3g}",
            worst <= 4,
        ),
        _identity(
            "under a strong ground truth, precision is a number",
            f"Santini, section 3, {SYNTHETIC}",
            "1 possible value",
            ", ".join(map(str, sorted(atoms))),
            atoms == {1},
        ),
    ]


def theorem_claims() -> list[Claim]:
    """People's own mean is that of memberships and covariances over people."""
    votes, runs = synthetic.communities()
    own = ft.evaluate(votes.by_example(), runs, f"P@{K}", worlds="subject").mean().iloc[:, 0]
    expected = ft.evaluate(votes.by_example(), runs, f"P@{K}", n_worlds=2).mean().iloc[:, 0]
    covariance = mean_covariances(votes, runs)
    gap = max(abs(own[s] - expected[s] - covariance[s]) for s in runs)
    sure = [two_people(second) for second in ("cat dog", "dog cat")]
    by_hand = [(0.5, 1.0, 1.0), (0.5, 0.0, 0.0)]
    shown = "; ".join(f"{p:g} and {a:g}, {b:g}" for p, a, b in sure)
    return [
        _identity(
            "mean over people = E[M] + covariances over people",
            "after (14), on two communities",
            *_equal(float(gap)),
        ),
        Claim(
            "two people, two images: memberships and each person's P@1",
            "after (14), by hand",
            EXAMPLE,
            "0.5 and 1, 1; 0.5 and 0, 0",
            shown,
            sure == by_hand,
        ),
    ]


def mean_covariances(votes: ft.Assignments, runs: ft.Runs) -> dict[str, float]:
    """Mean over queries and the first five answers of Σ_c Cov_s([X_q = c], [X_i = c])."""
    table = votes.to_frame().pivot(index="item", columns="subject", values="category")
    codes = table.to_numpy()  # (items, subjects)
    said = codes[:, :, None] == np.unique(codes)  # (items, subjects, categories)
    apart = said - said.mean(axis=1, keepdims=True)
    place = {item: n for n, item in enumerate(table.index)}
    out = {}
    for system, frame in runs.to_frame().groupby("system"):
        top = frame.sort_values("score", ascending=False).groupby("query").head(K)
        q, i = (top[name].map(place).to_numpy() for name in ("query", "item"))
        out[str(system)] = float((apart[q] * apart[i]).mean(axis=1).sum(axis=1).mean())
    return out


def two_people(second: str) -> tuple[float, float, float]:
    """P@1 of j for query i, which ann and bob call cat and dog: by memberships, ann's and bob's."""
    names = ["cat", "dog", *second.split()]
    truth = ft.Assignments.from_columns(["ann", "bob"] * 2, [*"iijj"], names).by_example(["i"])
    run = {"system": {"i": ["j"]}}
    own = ft.evaluate(truth, run, "P@1", worlds="subject").values.ravel().tolist()
    return float(ft.evaluate(truth, run, "P@1").mean().iloc[0, 0]), own[0], own[1]


def list_claims() -> list[Claim]:
    """Scheme (4): each subject's number first; the crossed standard error by its components."""
    measure = f"WD(unseen=optimist)@{synthetic.LENGTH}"
    scores = ft.evaluate(synthetic.lists(), synthetic.runs(), measure, worlds="subject")
    table = scores.cells.dense(scores.values)[:, 0]  # (systems, queries, subjects)
    gap = table[0] - table[1]
    overs = {"queries": "query", "subjects": "subject", "both": ["query", "subject"]}
    rows = {
        name: ft.compare(scores, over=over).to_frame(full=True).iloc[0]
        for name, over in overs.items()
    }
    ours, by_hand = float(rows["both"]["std_error"]), crossed_standard_error(gap)
    first, last = float(gap.mean()), float(rows["both"]["difference"])
    widest = max(rows, key=lambda name: rows[name]["upper"] - rows[name]["lower"])
    return [
        Claim(
            "standard error over queries and subjects",
            "two-way random effects, on synthetic lists",
            EXAMPLE,
            f"from mean squares {by_hand:.6g}",
            f"{ours:.6g}",
            abs(ours - by_hand) < 1e-12,
        ),
        _identity(
            "each subject's number first, then their mean",
            "Santini, scheme (4), on synthetic lists",
            cell(first),
            cell(last),
            abs(first - last) < 1e-12,
        ),
        Claim(
            "the interval over queries and subjects is the widest",
            "on synthetic lists",
            EXAMPLE,
            "both",
            widest,
            widest == "both",
        ),
    ]


def crossed_standard_error(gap: np.ndarray) -> float:
    """Of the mean of (queries, subjects), both random, by mean squares."""
    n_queries, n_subjects = gap.shape
    by_query, by_subject = gap.mean(axis=1), gap.mean(axis=0)
    rest = gap - by_query[:, None] - by_subject[None, :] + gap.mean()
    msq = n_subjects * by_query.var(ddof=1)
    mss = n_queries * by_subject.var(ddof=1)
    mse = (rest**2).sum() / ((n_queries - 1) * (n_subjects - 1))
    return float(np.sqrt((max(msq, mse) + max(mss, mse) - mse) / gap.size))


def _identity(claim: str, source: str, expected: str, ours: str, holds: bool) -> Claim:
    return Claim(claim, source, IDENTITY, expected, ours, holds)


def _equal(gap: float) -> tuple[str, str, bool]:
    return "equal", "within 1e-12" if gap < 1e-12 else f"{gap:.3g} apart", gap < 1e-12
