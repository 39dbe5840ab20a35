"""What the catalogue of measures says around its measures."""

from __future__ import annotations

HEAD = """\
# Measures

Every measure that `fuzzytruth.evaluate` knows, written from the measures' own declarations; `fuzzytruth measures`
lists them in a terminal, and [the guide](../guide/measures.md) says how names are parsed and how to write your
own. Items that nobody judged are not relevant, unless a measure says otherwise;
[conventions](../guide/conventions.md) has the rest.

## Symbols

| symbol | meaning |
|---|---|
| $i$, $k$, $n$ | rank; cut-off (without one, the whole list); length of the list |
| $g_i$, $g^*_i$ | gain of the item at rank i, which is its grade, and 0 without one; the same in the ideal order, by falling grade |
| $r_i$ | 1 if the item at rank i is relevant, that is if its grade is at least `rel`, else 0 |
| $h_i$ | number of relevant items among the first i |
| $R$ | number of relevant items, retrieved or not |
| $N$ | number of items in the collection |
| $\\mathrm{{P}}$, $\\mathrm{{R}}$ | precision and recall at the cut-off |
| $j_i$, $d_i$ | number of judged items among the first i, and of items in the pool; $\\epsilon = 10^{{-5}}$ (infAP) |
| $o_i$, $O$ | number of items judged not relevant above rank i, and of all such items (bpref) |
| $C_i$, $W_i$ | probability that a user goes on after rank i; share of attention that rank i gets, $\\prod_{{j<i}} C_j$ over its sum (C/W/L); gains are grades on a scale from 0 to 1 |
| $T$, $a_i$, $a^*_i$ | intents of a query; the novel gain of the item at rank i, $\\sum_t r^t_i (1 - \\alpha)^{{c^t_i}}$, where $c^t_i$ items above it are relevant to intent t; the same in the ideal order |
| $L$, $I$, $S$, $T$ | the system's list; the ideal list most like it; two lists that are compared; an index d is for their first d items |
| $u(x)$, $d(x)$ | the subject's relevance of an item, and how far it is from where the subject wants it |
| $D$, $M$, $m$ | the ranks that count (Rndcg), or the longest depth (Compat); items with a gain, and those of them that are not retrieved |

## The example

The numbers of each measure are computed on one query. A value of one truth comes first, then the mean and standard
deviation when each of three people's votes may be true.

```python
{example}```
"""

LISTS_NOTE = "The worked numbers compare the system's list with this one:"
