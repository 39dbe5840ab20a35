"""The appendix of the report: claims, what cannot be meant, and worked examples."""

# %%
from paper_repro import claims, contests, examples, figure1, misprints, pictures, worked_lists
from paper_repro import misprints_of_santini as inputs
from paper_repro.tables import EXAMPLE, IDENTITY, PRINTS

# %% [markdown]
# # Appendix
#
# - A. Claims: what the sources print ({{claims.n_claims(PRINTS)}}), what was worked out by hand
#   ({{claims.n_claims(EXAMPLE)}}), identities ({{claims.n_claims(IDENTITY)}})
# - B. What cannot be meant as it stands ({{len(misprints.slips())}})
# - C. A graph that is no tree
# - D. Displacement by hand
# - E. SHREC 2006 and NIST, digit by digit
#
# ## A. Claims
#
# A printed decimal agrees with ours if they differ by less than one unit of its last digit, as the
# sources round some numbers and truncate others. A printed integer must be exact. *agrees* is
# computed; `make paper` fails if a claim does not.
#
# ### What the sources print

# %%
claims.table(PRINTS)

# %% [markdown]
# ### Worked out by hand

# %%
claims.table(EXAMPLE)

# %% [markdown]
# ### Identities, each checked on one input

# %%
claims.table(IDENTITY)

# %% [markdown]
# ## B. What cannot be meant as it stands
#
# Of {{len(misprints.slips())}} rows, by kind: {{misprints.kinds()}}. Only the first are mistakes of
# signs or letters. An *error* is a formula that does not do what its text says; *wording*, words
# that name another quantity; *other reading*, what is right if read in another way. Our copy of
# the paper is the text layer of a PDF: it has lost all signs of sums and products and many strokes
# ("N m" for N ≫ m), so that what it lacks may well be in print (*our copy*). The contests' pages
# are web pages, without their pictures of formulas.
#
# What is put into the formulas: for (1) and (2) the answer {a, b, c, d} and the relevant set
# {c, d, e, f}; for (6) to (8) and (13) Figure 1; for (10) to (12) two retrieved images, relevant
# with probabilities {{inputs.P_RETRIEVED[0]}} and {{inputs.P_RETRIEVED[1]}}, and two others with
# {{inputs.P_REST[0]}} and {{inputs.P_REST[1]}}; for (16) and (17) the list a, b, c with
# relevances 1, .5, 0, ranked b, c, a; for (22) and (23) the lists of part D.
# `paper_repro.as_printed` has the printed formulas as functions.

# %%
misprints.table()

# %% [markdown]
# ## C. A graph that is no tree
#
# "The more complicated case in which the taxonomy is an acyclic graph can be tackled with
# techniques similar to those presented here." Not with (8) as it is: let Figure 1's tree have
# one more category, demonstration, which is both a crowd and a city, and let the person who chose
# crowd choose it (this example is ours). Summed up "from the bottom up", its vote reaches the root
# by two ways. The share of people whose category lies in the subtree counts it once.

# %%
figure1.graph_table()

# %% graph
pictures.graph(figure1.graph_membership(), "fig1", figure1.bottom_up())

# %% [markdown]
# *"not": the sum of (8), where it differs.*
#
# ## D. Displacement by hand
#
# A subject lists a, b, c, d with relevances 1, .8, .5, .2; the system lists c, a, x, y, out of
# N = 10. A = {a, c} is listed by both, B = {b, d} by the subject alone, C = {x, y} by the system
# alone, with relevance 0. w_A = 1·|1 - 2| + .5·|3 - 1| = 2, and w_B by hypothesis:
#
# - *optimist*, (22): b at 5 and d at 6: .8·|2 - 5| + .2·|4 - 6| = 2.8
# - *incremental*: the system is asked on, and answers d, b. B is empty: 2 + .8·4 + .2·1 = 5.4
# - *pessimist-tail*, the paper's words: b at 9, d at 10: .8·7 + .2·6 = 6.8
# - *worst*, the largest possible: b at 10, d at 9: .8·8 + .2·5 = 7.4
# - *pessimist*, (23): 10 for each, which no ranking can reach: .8·10 + .2·10 = 10

# %%
worked_lists.hypotheses()

# %% [markdown]
# Quality, (18), by the paper's two families of g:

# %%
worked_lists.qualities()

# %% [markdown]
# Normalised: w / w_max, with w_max the largest w of all answers of four images under the same
# hypothesis. By hand: *pessimist*, nothing listed: 10·2.5 = 25. *optimist*, nothing listed, a to
# d at 5 to 8: 4·2.5 = 10. *worst* and *incremental*, a, b, c, d at 10, 9, 8, 7: 9 + .8·7 + .5·5 +
# .2·3 = 17.7. *pessimist-tail*: nothing listed gives 6·2.5 = 15; an answer that begins with d,
# .2·3, moves a, b, c to 8, 9, 10: .6 + 7·2.3 = 16.7.

# %%
worked_lists.normalised()

# %% [markdown]
# Ties and lengths. Items that the subject holds for equally relevant have no order among them
# (*interval*); the paper's formula takes the one in which they are written (*position*).

# %%
worked_lists.ties_and_lengths()

# %% [markdown]
# ## E. SHREC 2006 and NIST, digit by digit
#
# SHREC 2006's page computes its measures for {{len(examples.GAINS)}} of
# {{examples.COLLECTION:,}} shapes, retrieved for a query with {{examples.HIGHLY}} highly relevant
# shapes (grade 2) and {{examples.RELEVANT}} relevant ones. `norm=depth` and `norm=retrieved` are
# its conventions: a tier is divided by its depth, and average precision by the relevant items
# retrieved.

# %%
contests.shrec_numbers()

# %% [markdown]
# The vectors are printed with the digits of single precision. Computed in it (*single*) by the
# recursion of Järvelin & Kekäläinen (2002), they agree to the last digit; ours, in double
# precision, within two units of it.

# %%
contests.gain_vectors("CG", "DCG", "NCG", "NDCG")

# %%
contests.gain_vectors("ICG", "IDCG")

# %% [markdown]
# NCG is printed as fractions, too; at ranks
# {{", ".join(map(str, contests.wrong_fractions()))}} their denominators are those of the rank
# before.

# %%
contests.ncg_fractions()

# %% [markdown]
# Average dynamic recall (Typke, Veltkamp & Wiering 2006): r_i is P(rel=2)@i for i ≤
# {{examples.HIGHLY}}, and P(rel=1)@i from {{examples.HIGHLY + 1}} to {{examples.RELEVANT}}.

# %%
contests.dynamic_recall()

# %% [markdown]
# NIST: "a query that has five relevant objects which are retrieved at ranks 1,2,4,7,10".

# %%
contests.nist_numbers()
