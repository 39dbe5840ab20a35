"""
Memberships of an item on its taxonomy
======================================

A box for each category, with its name above the share of people who put the item there, which is
its membership: the probability of the category, or of one below it. The stronger the colour, the
higher it is. This is the figure of Santini's paper, here of one silhouette that ten people named.
"""

from fuzzytruth.datasets import load_model_vs_human

membership = load_model_vs_human("silhouette").votes.membership()
membership.plot("bear6")

# %%
# Nobody is certain what it is, but everybody is that it is an animal: on the level above,
# the ten people agree.
#
# `Taxonomy.plot` draws any other numbers, such as the expected size of each category.
sizes = membership.sizes()
membership.taxonomy.plot(
    sizes, limits=(0, 160), number=".0f", title="Expected number of items"
)
