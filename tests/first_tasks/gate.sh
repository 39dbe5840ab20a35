fuzzytruth gate qrels.txt old=main.run new=branch.run -m AP --margin .02
