"""
Memberships in a large taxonomy
===============================

Taxonomies of more than 40 categories are drawn as lists: one row for each category, indented by its
depth, with a bar for the probability of the category or of one below it. Above 60 rows, only the
most probable categories are shown, with all above them; the figure says how many are hidden.

Here are the 154 dogs of WordNet, and one image of ImageNet. Raters were asked about some labels
only, and each probability is of those who were asked: one may be larger than that of the category
above.
"""

import csv
from importlib.resources import files

from fuzzytruth.datasets import load_imagenet_dogs

votes = load_imagenet_dogs().votes
source = files("fuzzytruth.datasets") / "imagenet_dogs" / "taxonomy.csv"
names = {
    row["child"]: row["child_name"] for row in csv.DictReader(source.open())
}
names["n02084071"] = "dog"

membership = votes.membership()
membership.plot("27058", labels=names, xlabel="probability")

# %%
# `minimum` leaves out what is improbable.
membership.plot("27058", labels=names, xlabel="probability", minimum=0.3)
