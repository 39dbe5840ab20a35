"""The document before its appendix: what the report tells, and the calls of the notebook."""

# %% [markdown]
# # "Benchmarking without ground truth", worked through
#
# A benchmark with one truth prints one number for a system, and hides whose truth that is. Simone
# Santini proposes to keep the people who disagree: average them *first*, so that an image belongs
# to a category with a probability, and precision becomes a distribution; or *last*, so that each
# person gives a number. Both work, and both are needed. Ten people and nine networks named what
# 160 silhouettes show. By the majority as the one truth, the best network has a mean precision of
# {{vit["one truth"]:.3f}}; by their own votes, the ten people give it {{vit["lowest"]:.3f}} to
# {{vit["highest"]:.3f}}. And **memberships do not determine what any person gets**: the paper's
# formulas (6) to (14) hold if a person's votes on different images are independent. Two communities
# that see different things in the same images may have the memberships of one panel that is merely
# unsure; what they get can be far above what these promise, or far below.
#
# ![result](figures/result.png)
#
# *Mean precision of the first five answers. Crosses: one truth, the category of most votes. Blue:
# mean and central 95 % by memberships, the paper's first proposal. Strokes: each person by that
# person's own truth, the second proposal; circle: their mean. Left: ten real people. Right: two
# communities of ten (made); nobody is near the mean that memberships promise.*
#
# Numbers are computed when this page is made, by calls that
# `paper_repro/benchmarking_without_ground_truth.ipynb` shows. Simulated ones are from 100,000
# worlds. The appendix has every printed number of the paper and its neighbours beside ours, and
# what cannot be meant as it is printed.

# %%
import sys

sys.path[:0] = [".", ".."]  # the repository

import numpy as np
import pandas as pd

import fuzzytruth as ft
from paper_repro import examples, pictures, synthetic

# %% [markdown]
# ## Figure 1: from votes to memberships
#
# "The image of Figure 1 was classified as people by 2 subject, as crowd by one, and as city by
# two." By (6) to (8), the probability that the image belongs to a category is the share of the
# people who named it, or one below it in the tree:

# %% figure1
tree = ft.Taxonomy.from_children(examples.TREE)
people = ["s1", "s2", "s3", "s4", "s5"]
five = ["people", "people", "crowd", "city", "city"]
figure_1 = ft.Assignments.from_columns(people, ["fig1"] * 5, five, taxonomy=tree).membership()
direct = ", ".join(f"{name} with {p:g}" for name, p in figure_1.direct("fig1").items())
figure_1.plot("fig1", cmap="Blues", title="")

# %% [markdown]
# *All eight numbers are those that the paper prints.*
#
# A vote also counts for the categories above it, so that the root has 1 and the sum is
# {{sum(figure_1.of_item('fig1').values()):g}}. What a query may show is another thing: one of the
# categories that were named, {{direct}}. These *direct shares* are the weights that (13) and (14)
# need; with the memberships, as printed, probabilities sum to more than 1. In a graph that is
# no tree, which the paper leaves open, the sum of (8) counts a vote once for each path to it, and
# the share of people counts it once (appendix, C).
#
# ## The experiment: precision as a distribution
#
# "I used a set of 20 images and asked 5 people to classify them." The paper prints the votes on one
# image and no rankings. **Everything but the five votes of Figure 1 is synthetic here**: 19 more
# images with two contents each, and two systems that rank by a noisy similarity; B has more noise.
# Each image is a query for the other 19. In a *world* each image takes one of its five votes; the
# images in the subtree of the query's category are relevant.

# %%
votes, runs = synthetic.votes(), synthetic.runs()
ranks = ft.by_rank(votes.by_example(), runs, depth=19)
shares = votes.membership().direct("fig1")
laws = {
    (system, measure): [law(system, "fig1", 5, category=c) for c in (*shares, None)]
    for system in ("A", "B")
    for measure, law in (("P@5", ranks.precision), ("R@5", ranks.recall))
}
means = {f"{m} of {s}": [law.mean() for law in each] for (s, m), each in laws.items()}
rows = pd.Index([*(f"if it shows {c}" for c in shares), "mixed"], name="the query fig1")
pd.DataFrame({"direct share": [*shares.values(), 1.0], **means}, index=rows).round(3)

# %% [markdown]
# Given its category, the hits among the first five are a sum of independent events with different
# probabilities, (10), so that precision (11) and recall (12) have exact distributions. The last row
# mixes them by the direct shares, (13) and (14).

# %% masses
pictures.masses(ranks, shares, "fig1")

# %% [markdown]
# *Precision of the first five answers to `fig1`: probability of 0, 1, ... 5 relevant ones, and
# which category of the query each part comes from. The means of the systems are nearly the same,
# and far from what those get who see people, or a city.*
#
# The precision–recall curve becomes a cloud, one for each thing that the query may show:

# %% clouds
pictures.clouds(ranks, shares, "fig1")

# %% [markdown]
# *Precision against recall at ranks 1 to 19 (marked: 1, 5, 10, 19): expected curves, and the
# band that holds the central 95 % of the precision at each rank.*
#
# "[The] comparison of different system can be done with the standard statistical methods used to
# compare distributions." There is a trap in this: both systems retrieve many of the same images,
# whose truth is the same for both.

# %%
scores = ft.evaluate(votes.by_example(), runs, "P@5", n_worlds=100_000, rng=synthetic.SEED)
same_worlds = scores.difference("A", "B", "P@5", query="fig1")
a, b = (scores.distribution(system, "fig1", "P@5") for system in ("A", "B"))
gaps = {
    "fig1, in the same world": same_worlds,
    "fig1, as if independent": a.difference(b, independent=True),
    "mean of 20 queries": scores.difference("A", "B", "P@5"),
}
pd.DataFrame(
    [(d.mean(), d.std(), d.sf(0), d.pmf(0), d.cdf(0) - d.pmf(0)) for d in gaps.values()],
    columns=["A - B", "sd", "P(A > B)", "P(A = B)", "P(A < B)"],
    index=pd.Index(gaps, name="P@5"),
).round(3)

# %% [markdown]
# On `fig1`, a world that is good for one system is good for the other: they are equal in
# {{same_worlds.pmf(0):.0%}} of worlds. As if independent, they would be in
# {{gaps['fig1, as if independent'].pmf(0):.0%}}.
#
# ## What one truth hides
#
# The paper argues against "an a priori categorization, valid absolutely", a *strong ground truth*:
# in practice, the category of most votes. On `fig1` it is not even defined, as people and city have
# two votes each.


# %%
def three_ways(votes: ft.Assignments, runs: ft.Runs, **options: str) -> pd.DataFrame:
    """Mean P@5 by one truth, by memberships with 95 % of worlds, and by each person's own votes."""
    majority = pd.DataFrame(votes.plurality().items(), columns=["item", "category"])
    one = ft.Assignments.from_frame(majority.assign(subject="all"), taxonomy=votes.taxonomy)
    worlds = {"n_worlds": 100_000, "rng": synthetic.SEED, **options}
    people = {"worlds": "subject", "missing": "exclude", **options}
    strong = ft.evaluate(one.by_example(), runs, "P@5", **options)
    first = ft.evaluate(votes.by_example(), runs, "P@5", **worlds)
    last = ft.evaluate(votes.by_example(), runs, "P@5", **people)
    laws = [first.mean_distribution(system, "P@5") for system in first.systems]
    own = last.mean(by="subject")["P@5"].unstack("subject").loc[list(first.systems)]
    frame = pd.DataFrame({"one truth": strong.mean()["P@5"], "memberships": first.mean()["P@5"]})
    frame[["2.5 %", "97.5 %"]] = [law.interval(0.95) for law in laws]
    frame["people's mean"] = own.mean(axis=1)
    frame = frame.assign(lowest=own.min(axis=1), highest=own.max(axis=1))
    return frame.assign(each=own.to_numpy().tolist()).rename_axis("mean P@5")


def shown(frame: pd.DataFrame) -> pd.DataFrame:
    """Without each person's number."""
    return frame.drop(columns="each").round(3)


shown(three_ways(votes, runs))

# %% [markdown]
# *memberships*: mean over worlds, and the central 95 % of worlds. *people's mean*: over the five
# people, each by that person's own votes, with the lowest and highest of them. *one truth* takes
# the first of equal categories in the tree. Every other choice is as good:

# %%
membership = votes.membership()
named = [membership.direct(item) for item in membership.items]
most = [[c for c, share in each.items() if share == max(each.values())] for each in named]
truths = pd.MultiIndex.from_product(most, names=membership.items).to_frame(index=False)
truths.index = pd.Index([f"truth {n}" for n in range(len(truths))], name="subject")
table = truths.melt(var_name="item", value_name="category", ignore_index=False).reset_index()
strong = ft.Assignments.from_frame(table, taxonomy=votes.taxonomy)
crisp = ft.evaluate(strong.by_example(), runs, "P@5", worlds="subject")
a_crisp = (
    crisp.to_frame().query("subject == 'truth 0' and system == 'A'").set_index("query")["value"]
)
a_laws = {query: scores.distribution("A", query, "P@5") for query in scores.queries}
crisp.mean(by="subject")["P@5"].groupby("system").agg(["min", "max"])

# %% [markdown]
# {{sum(len(each) > 1 for each in most)}} of the 20 images have ties, so that there are
# {{len(truths)}} strong truths, which differ by more than the systems do. None of them knows how
# uncertain its number is. By the same votes, P@5 of A for a query has a standard deviation of
# {{np.mean([law.std() for law in a_laws.values()]):.2f}} (mean over queries), and the value that
# one truth prints a probability of
# {{np.mean([a_laws[q].pmf(v) for q, v in a_crisp.items()]):.2f}}.

# %% strong
pictures.strong(a_laws, a_crisp)

# %% [markdown]
# *What one truth prints for each query, on the distribution that the votes imply.*
#
# ## Individual comparison
#
# The second proposal needs no categories. A subject answers the query with a ranked list, and w is
# how far the system displaces its images, weighted by their relevance, (17). A subject
# lists a, b, c, d with relevances 1, .8, .5, .2; a system answers c, a, x, y out of ten images. a
# and c give w = 1·1 + .5·2 = 2. What b and d add depends on where the system would have put them:
# next (*optimist*, (22)), last (*pessimist-tail*, the paper's words, for which (23) has the
# approximation N for each), or wherever it hurts most (*worst*, a bound that we add).

# %% lists
subject, relevance, answer = list("abcd"), [1, 0.8, 0.5, 0.2], list("caxy")
cases = {"optimist": answer, "incremental": [*answer, "d", "b"], "pessimist-tail": answer}
displaced = {
    unseen: ft.displacement(subject, relevance, shown, unseen=unseen, N=10, ties="position")
    for unseen, shown in {**cases, "worst": answer}.items()
}
pictures.lists(displaced, subject, answer)

# %% [markdown]
# *The subject's list and the system's under four hypotheses; incremental: the system was asked on,
# and answered d, b. Thicker lines: more relevant. All four w are as worked out by hand (appendix).*
#
# In scheme (4), "the aggregation of the results across the different subjects only takes place
# after they have been converted to a numeric value". The paper stops at these numbers. Whether A is
# better than B is a question about two samples, queries and subjects. Here each subject lists six
# images for each query (synthetic again):

# %%
own_lists = ft.evaluate(synthetic.lists(), runs, "WD(unseen=optimist)@6", worlds="subject")
overs = {"queries": "query", "subjects": "subject", "queries and subjects": ["query", "subject"]}
compared = {name: ft.compare(own_lists, over=over) for name, over in overs.items()}
table = pd.concat(each.to_frame(full=True) for each in compared.values())
table.index = pd.Index(overs, name="over")
table[["difference", "lower", "upper", "p"]].round(
    {"difference": 3, "lower": 3, "upper": 3, "p": 5}
)

# %% intervals
each = own_lists.mean(by="subject").iloc[:, 0].unstack("system")
pictures.intervals(table, each["A"] - each["B"])

# %% [markdown]
# *A minus B in mean displacement, with 95 % intervals; left of 0, A is nearer to the subjects'
# lists. Over queries: the same five people, other queries. Over subjects: other people, these
# queries. Over both: other people and other queries, that is, the systems as such.*
#
# ## After (14): memberships do not determine what any person gets
#
# (10) multiplies probabilities of images, as if a person's vote on one image said nothing about
# the same person's vote on another. Let X_is be the category that person s gives image i, and let
# categories be flat. For person s, P@k of a list is the mean M_s, over queries q and images i
# retrieved, of [X_is = X_qs], which is 1 or 0. For each category c, the mean over people of
# [X_qs = c]·[X_is = c] is p(c|q)·p(c|i) plus a covariance over people. Hence, with E[M] the mean
# that follows from (10) to (13),
#
# **mean over s of M_s = E[M] + mean over q, i of Σ_c Cov_s([X_qs = c], [X_is = c])**.
#
# So the formulas give the people's mean if and only if these covariances cancel. (In a tree,
# replace [X_is = c] by [X_is is c or below it].) No membership tells: exchange an image's votes
# between its voters, and every p(ω|q), hence all of (6) to (14), stays as it is, while covariances
# change. The smallest example has two people, ann and bob, and two images, i and j. Both images
# are cat for one and dog for the other; then the two exchange their votes on j. P@1 for the query
# i and the answer j:


# %%
def two_people(second: list[str]) -> list[float]:
    """P@1 for query i, to which the system answers j: by memberships, and for each person."""
    voters, images = ["ann", "bob"] * 2, ["i", "i", "j", "j"]
    truth = ft.Assignments.from_columns(voters, images, ["cat", "dog", *second]).by_example(["i"])
    run = {"system": {"i": ["j"]}}
    own = ft.evaluate(truth, run, "P@1", worlds="subject").values.ravel()
    return [ft.evaluate(truth, run, "P@1").mean().iloc[0, 0], *own]


pd.DataFrame(
    [two_people(["cat", "dog"]), two_people(["dog", "cat"])],
    columns=["memberships", "ann", "bob"],
    index=pd.Index(["i: cat, dog; j: cat, dog", "i: cat, dog; j: dog, cat"], name="votes"),
)

# %% [markdown]
# The paper cites Fish's "interpretive communities". Let there be two, of ten people each, who read
# 60 images in two ways (one vote in ten is random). System *partial* ranks by the first
# community's readings, *mixed* by the shares of all votes, *crossed* by one community's reading of
# the query and the other's of the image.

# %%
readers, three = synthetic.communities()
made = three_ways(readers, three)
structure = ft.structure(readers, three, "P@5", n_permutations=199, n_draws=0)
permuted = structure.to_frame().set_index("system")["permuted"]
shown(made).assign(permuted=permuted.round(3))

# %% [markdown]
# The sign is either. *permuted* is the people's mean after each image's votes were exchanged at
# random between the people, 199 times: memberships promise what people would get if they were no
# communities. (Where everybody voted on everything, one permuted person is one world of independent
# images, so that the two agree exactly in expectation.) To say what people get, keep their names:
# scheme (4) is no luxury. With names, the votes show the communities, too:

# %%
ft.communities(readers)

# %% [markdown]
# ## The same on real votes: ten people and two networks
#
# The shipped `load_model_vs_human("silhouette")` has 1,578 votes of ten people on 160 silhouettes,
# in 16 categories under animal, vehicle and object, and the category that each of nine networks
# gave (Geirhos et al.), two of which are compared here. A network lists, for each image, the other
# 159 by the similarity in the tree of the categories that it gave. One call computes all of the
# above:

# %%
import warnings

warnings.simplefilter("ignore", ft.FuzzytruthWarning)  # three votes leave R@5 nothing to find
data = ft.datasets.load_model_vs_human("silhouette")
names = {"swag_vit_h14_in1k": "ViT", "swag_regnety_128gf_in1k": "RegNetY"}
answers = data.answers[data.answers["system"].isin(names)].replace({"system": names})
screen = ft.santini(data.votes, answers, k=5, n_worlds=100_000)
screen

# %% [markdown]
# One truth gives both networks more than any of the ten people does: a majority has less noise than
# any of its voters, and the benchmark prints what nobody gets. Memberships promise less than people
# get: those who agree on the query agree on the answers more often than by chance. So there is
# structure; but the networks' difference has one sign for all ten people, and that it varies from
# person to person by more than chance is not shown.

# %% result
labels = {"one_truth": "one truth", "world_low": "2.5 %", "world_high": "97.5 %"}
real = screen.to_frame(full=True).query("measure == 'P@5'").set_index("system")
real = real.rename(columns={**labels, "people": "people's mean"})
each = screen.individuals().query("measure == 'P@5'").groupby("system")["value"].agg(list)
vit = real.loc["ViT"]
pictures.result(
    {
        "Ten people, 160 silhouettes (real)": real.assign(each=each),
        "Two communities of ten people (made), 60 images": made.drop(index="mixed"),
    }
)
