"""Equal to pyndeval (ndeval), query by query, on random messy diversity judgments."""

import numpy as np
import pandas as pd
import pyndeval
import pytest

import fuzzytruth as ft

#: ndeval's name -> ours, with the parameters that it has
WITH_CUTOFF = {
    "ERR-IA": ("ERR_IA", ("alpha",)),
    "nERR-IA": ("nERR_IA", ("alpha",)),
    "alpha-DCG": ("alpha_DCG", ("alpha",)),
    "alpha-nDCG": ("alpha_nDCG", ("alpha",)),
    "P-IA": ("P_IA", ()),
    "strec": ("StRecall", ()),
}
OTHERS = {
    "NRBP": ("NRBP", ("alpha", "beta")),
    "nNRBP": ("nNRBP", ("alpha", "beta")),
    "MAP-IA": ("AP_IA", ()),
}
CUTOFFS = (1, 2, 5, 10, 20)


def messy_intents(
    seed: int, *, together: int = 5
) -> tuple[pd.DataFrame, dict[str, dict[str, float]]]:
    """Judgments by intent and a run: ties, unjudged items, negative grades, unanswered queries.

    An item is judged for at most `together` intents.
    """
    rng = np.random.default_rng(seed)
    items = [f"d{j}" for j in range(60)]
    rows, run = [], {}
    for query in map(str, range(1, 31)):
        intents = [f"{query}.{j}" if int(query) % 2 else str(j) for j in range(rng.integers(1, 7))]
        rate = rng.choice([0.0, 0.1, 0.4, 0.8])
        for item in rng.choice(items, int(rng.integers(1, 30)), replace=False):
            n_judged = int(rng.integers(1, min(len(intents), together) + 1))
            for intent in rng.choice(intents, n_judged, replace=False):
                grade = int(rng.choice([1, 2, 3])) if rng.random() < rate else -int(rng.integers(3))
                rows.append((query, intent, item, grade))
        if rng.random() < 0.9:
            found = rng.choice(items, int(rng.integers(1, 45)), replace=False).tolist()
            run[query] = {d: float(rng.integers(12)) / 4 for d in found}
    frame = pd.DataFrame(rows, columns=["query", "intent", "item", "grade"])
    return frame, run


def reference(frame, run, *, rel: int, alpha: float, beta: float) -> dict[str, dict[str, float]]:
    """Ndeval's values; ties in the run are resolved before, as trec_eval does."""
    measures = [f"{name}@{k}" for name in WITH_CUTOFF for k in CUTOFFS] + [*OTHERS]
    rows = list(frame.itertuples(index=False, name=None))
    evaluator = pyndeval.RelevanceEvaluator(
        rows, measures, relevance_level=rel, alpha=alpha, beta=beta
    )
    lists = []
    for query, scores in run.items():
        ranked = sorted(scores, key=lambda d: (scores[d], d.encode()), reverse=True)
        lists += [(query, d, -float(rank)) for rank, d in enumerate(ranked)]
    return evaluator.evaluate(lists)


def compare_all(frame, run, *, rel: int, alpha: float, beta: float) -> int:
    values = {"rel": rel, "alpha": alpha, "beta": beta}

    def spelled(ours: str, parameters: tuple[str, ...]) -> str:
        return f"{ours}({','.join(f'{p}={values[p]}' for p in ('rel', *parameters))})"

    names = {f"{t}@{k}": f"{spelled(*o)}@{k}" for t, o in WITH_CUTOFF.items() for k in CUTOFFS}
    names |= {theirs: spelled(*ours) for theirs, ours in OTHERS.items()}
    scores = ft.evaluate(frame, {"sys": run}, list(names.values()))
    value = scores.to_frame().set_index(["measure", "query"])["value"]
    n_intents = frame[frame["grade"] >= rel].groupby("query")["intent"].nunique()
    expected = reference(frame, run, **values)
    for query, row in expected.items():
        for theirs, ours in names.items():
            wanted = 0.0 if np.isnan(row[theirs]) else row[theirs]
            if theirs in ("ERR-IA@1", "alpha-DCG@1"):  # which ndeval does not normalise
                wanted /= n_intents.get(query, 1)
            got = value[str(ft.measures.parse_measure(ours)), query]
            assert got == pytest.approx(wanted, abs=1e-9), (theirs, query)
    return len(expected) * len(names)


@pytest.mark.filterwarnings("ignore::fuzzytruth.FuzzytruthWarning")
@pytest.mark.parametrize(
    ("rel", "alpha", "beta", "together"),
    [
        (1, 0.5, 0.5, 5),
        (2, 0.5, 0.5, 5),
        # with these values of alpha, sums of gains are exact, so that ties are ties for both
        (1, 0.75, 0.8, 5),
        (2, 0.0, 0.9, 5),
        (1, 1.0, 0.3, 5),
        # sums of two gains are the same in any order; those of three may differ in the last bit
        (1, 0.3, 0.7, 2),
    ],
)
def test_equals_pyndeval_on_messy_data(rel: int, alpha: float, beta: float, together: int) -> None:
    for seed in range(2):
        data = messy_intents(seed, together=together)
        assert compare_all(*data, rel=rel, alpha=alpha, beta=beta) > 600
