fuzzytruth compare qrels.txt a.run b.run -m AP --figure differences.pdf
