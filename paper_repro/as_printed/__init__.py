"""Formulas as the sources print them, where fuzzytruth computes something else.

For reproduction only: each is a slip of print or of words, a reading among several, or what our
copy has left of a formula, and its docstring says which. The appendix of `paper_repro` puts numbers
into each.

- Santini (1), (2): `crisp_recall`, `crisp_precision`; computed instead: ``R`` and ``P``.
- (6), (7): `leaf_probability`; instead: `Membership.direct`.
- (8): `node_probability`, `arrow_probability` and, in a graph, `bottom_up_probability`; instead:
  `Membership.probability`.
- (10): `hit_probabilities`; instead: `poisson_binomial`.
- (11), (12): `precision_probabilities`, `recall_probabilities`; instead: `precision_distribution`,
  `recall_distribution`.
- (13), (14): `precision_mixture`, `recall_mixture`; instead: `Distribution.mixture` with direct
  shares.
- (16), (17): `displacement`; instead: `fuzzytruth.displacement`.
- (22), (23): `optimist_displacement`, `pessimist_displacement`; instead: `fuzzytruth.displacement`
  with ``unseen=``.
- SHREC 2006, tiers of relevant items: `first_tier`, `second_tier`; instead: ``FT(norm=depth)``,
  ``ST(norm=depth)``.
- NIST, R-precision: `precision_at_full_recall`; instead: ``Rprec``.
- SHREC 2019 and NIST, nearest neighbour: `nearest_neighbour`; instead: ``NN``.
- Image–text matching: `all_among_the_first`; instead: `image_text`.
- SHREC 2019, tiers: `tier_outside_collection`; instead: ``FT``, ``ST``.
- SHREC 2019 and NIST: `e_measure`, `e_measure_psb`; both are measures, ``E`` and ``EPSB``.

Santini: "Benchmarking without ground truth". Our copy is the text layer of a PDF, in which strokes
may be lost (≠ becomes =); "printed" means printed in that copy.
"""

from paper_repro.as_printed.contests import (
    all_among_the_first,
    e_measure,
    e_measure_psb,
    first_tier,
    nearest_neighbour,
    precision_at_full_recall,
    second_tier,
    tier_outside_collection,
)
from paper_repro.as_printed.lists import displacement, optimist_displacement, pessimist_displacement
from paper_repro.as_printed.precision_and_recall import (
    hit_probabilities,
    precision_mixture,
    precision_probabilities,
    recall_mixture,
    recall_probabilities,
)
from paper_repro.as_printed.sets import crisp_precision, crisp_recall
from paper_repro.as_printed.votes import (
    arrow_probability,
    bottom_up_probability,
    leaf_probability,
    node_probability,
)

__all__ = [
    "all_among_the_first",
    "arrow_probability",
    "bottom_up_probability",
    "crisp_precision",
    "crisp_recall",
    "displacement",
    "e_measure",
    "e_measure_psb",
    "first_tier",
    "hit_probabilities",
    "leaf_probability",
    "nearest_neighbour",
    "node_probability",
    "optimist_displacement",
    "pessimist_displacement",
    "precision_at_full_recall",
    "precision_mixture",
    "precision_probabilities",
    "recall_mixture",
    "recall_probabilities",
    "second_tier",
    "tier_outside_collection",
]
