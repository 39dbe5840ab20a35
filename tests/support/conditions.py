"""Conditions of a comparison of two systems by one measure."""

from fuzzytruth.comparison.conditions import Conditions, Shared

CONDITIONS = Conditions(
    over=("query",),
    alternative="two-sided",
    correction="holm",
    interval="single",
    level=0.95,
    n_resamples=9999,
    tests=3,
    across_measures=False,
    baselines=(),
    systems=("a", "b"),
    measures=("AP",),
    higher_is_better=(True,),
    n_queries=1200,
    shared=(Shared(1200, 0),),
)
