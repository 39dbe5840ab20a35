fuzzytruth membership votes.csv --taxonomy tree.csv --item bear9
fuzzytruth santini votes.csv answers.csv --taxonomy tree.csv -k 5 \
    -o santini.html
