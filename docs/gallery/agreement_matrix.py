"""
Agreement matrix
================

Who agrees with whom? Each cell is the agreement of two subjects beyond chance, which is 0 and has
no colour. Subjects who agree are neighbours; frames with letters are near-duplicates, who agree
more than different people would.
"""

# %%
# A person and 33 model judges who graded the same 4,423 passages.
import fuzzytruth as ft
from fuzzytruth.datasets import load_llmjudge_dl23

found = ft.pairwise_agreement(load_llmjudge_dl23())
ax = found.plot()

# %%
# Six of them: where there is room, numbers are written.
names = ["human", "Olz-gpt4o", "h2oloo-fewself", "NISTRetrieval-instruct0"]
known = [name for name in names if name in found.subjects]
few = load_llmjudge_dl23().select(subjects=known + list(found.subjects[:2]))
ax = ft.pairwise_agreement(few).plot()
