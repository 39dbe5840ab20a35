fuzzytruth analyse 'qrels/*.txt' 'runs/*.run' -m nDCG@10 --missing exclude
fuzzytruth report 'qrels/*.txt' 'runs/*.run' -m nDCG@10 --missing exclude \
    -o report.html
