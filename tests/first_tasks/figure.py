import fuzzytruth as ft

scores = ft.evaluate("qrels.txt", ["a.run", "b.run"], "AP")
ax = ft.compare(scores).plot()
ax.figure.savefig("differences.pdf", bbox_inches="tight")
